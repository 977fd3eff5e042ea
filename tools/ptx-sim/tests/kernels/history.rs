//! The graph of a run and the clocks agree: if the clocks find a fault when a synchronizing instruction is removed, the
//! graph of the original run finds unordered accesses without it, and vice versa.

use ptx_sim::deletion::{Silence, deletions, one_per_line};
use ptx_sim::{
    Arg, FaultKind, History, LaunchConfig, LaunchError, Memory, Module, TensorMap, TiledMap, launch, launch_recorded,
};

use super::{config, words};

/// The numbers of deletions that the clocks notice, that the graph finds redundant, and that no simulation executes.
#[derive(Debug, PartialEq, Eq)]
struct Swept(usize, usize, usize);

/// A kernel with its launch.
struct Kernel {
    text: String,
    name: &'static str,
    config: LaunchConfig,
    /// Arguments, in a separate memory.
    args: fn(&mut Memory) -> Vec<Arg>,
    /// Whether it ends if blocks run one after the other.
    alone: bool,
}

impl Kernel {
    fn new(text: &str, name: &'static str, grid: u32, block: u32, args: fn(&mut Memory) -> Vec<Arg>) -> Self {
        let config = LaunchConfig { step_limit: 100_000, ..config(grid, block, Default::default()) };
        Kernel { text: one_per_line(text), name, config, args, alone: true }
    }

    fn configs(&self) -> Vec<LaunchConfig> {
        let all =
            ["fair", "one-block-at-a-time", "random:3"].into_iter().filter(|how| self.alone || !how.starts_with("one"));
        all.map(|schedule| LaunchConfig { schedule: schedule.parse().unwrap(), ..self.config.clone() }).collect()
    }

    fn histories(&self) -> Vec<History> {
        let module = Module::parse(&self.text).unwrap();
        let record = |config: &LaunchConfig| {
            let mut memory = Memory::new();
            let args = (self.args)(&mut memory);
            let (_, history) = launch_recorded(&mut memory, &module, self.name, config, &args)
                .unwrap_or_else(|e| panic!("{} under {}: {e}", self.name, config.schedule));
            history.unwrap()
        };
        self.configs().iter().map(record).collect()
    }

    fn faults(&self, text: &str) -> Vec<FaultKind> {
        let module = Module::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let fault = |config: &LaunchConfig| {
            let mut memory = Memory::new();
            let args = (self.args)(&mut memory);
            let result = launch(&mut memory, &module, self.name, config, &args);
            result.err().and_then(|error: LaunchError| Some(error.fault()?.kind))
        };
        self.configs().iter().filter_map(fault).collect()
    }

    fn sweep(&self) -> Swept {
        let histories = self.histories();
        for history in &histories {
            assert_eq!(history.check(), Ok(()), "{} as it is", self.name);
            assert!(history.conflicts() > 0);
        }
        let mut swept = Swept(0, 0, 0);
        for deletion in deletions(&self.text) {
            let silence = deletion.silence(&histories);
            if silence == Silence::Unexecuted {
                swept.2 += 1;
                continue;
            }
            let faults = self.faults(&deletion.text);
            let race = |kind: &FaultKind| matches!(kind, FaultKind::Race | FaultKind::InFlight | FaultKind::Lifetime);
            if faults.iter().any(race) {
                assert!(matches!(silence, Silence::Hole(_)), "{}, {deletion}: {faults:?}, but {silence}", self.name);
            }
            match (faults.is_empty(), silence) {
                (false, _) => swept.0 += 1,
                (true, Silence::Redundant) => swept.1 += 1,
                (true, Silence::Unmodelled(_)) => {}
                (true, hole) => panic!("{}, {deletion}: {hole}", self.name),
            }
        }
        swept
    }
}

fn two_arrays(memory: &mut Memory) -> Vec<Arg> {
    let a = memory.alloc_with(&words(0..2048)).unwrap();
    vec![Arg::Ptr(a), Arg::Ptr(memory.alloc(8192).unwrap())]
}

fn flags(memory: &mut Memory) -> Vec<Arg> {
    let flag = memory.alloc_with(&[0; 4]).unwrap();
    vec![Arg::Ptr(flag), Arg::Ptr(memory.alloc(4).unwrap()), Arg::Ptr(memory.alloc(4).unwrap())]
}

#[test]
fn barriers_of_a_block() {
    let text = include_str!("../ptx/reduce.ptx");
    let Swept(noticed, redundant, _) = Kernel::new(text, "reduce", 2, 256, two_arrays).sweep();
    assert!(noticed > 0, "{noticed} {redundant}");
    let twice = text.replacen("bar.sync", "bar.sync 0; bar.sync", 1);
    let Swept(fewer, more, _) = Kernel::new(&twice, "reduce", 2, 256, two_arrays).sweep();
    assert_eq!((fewer, more), (noticed - 1, redundant + 2), "neither of two barriers in a row is needed");
    let text = include_str!("../ptx/mistakes.ptx");
    let out = |memory: &mut Memory| vec![Arg::Ptr(memory.alloc(8192).unwrap())];
    assert_eq!(Kernel::new(text, "with_barrier", 1, 64, out).sweep().0, 1);
}

/// A fence of a map is noticed where it is missing, and is not judged where there are two.
#[test]
fn fences_of_tensor_maps() {
    let text = include_str!("../ptx/maps.ptx");
    let acquire = "fence.proxy.tensormap::generic.acquire.cta [%rd3], 128;";
    let args = |memory: &mut Memory| {
        let data = memory.alloc_with(&[1; 4096]).unwrap();
        let fields: TiledMap = "type=u8,dims=128x32,box=128x16,swizzle=128".parse().unwrap();
        vec![Arg::Map(TensorMap::tiled(TiledMap { base: data.0, ..fields }).unwrap()), Arg::Ptr(data)]
    };
    for (text, silent) in [(text.to_owned(), 0), (text.replace(acquire, &[acquire; 2].join(" ")), 2)] {
        let kernel = Kernel::new(&text, "changed", 2, 64, args);
        let histories = kernel.histories();
        assert!(histories.iter().all(|history| history.check() == Ok(())));
        let (fences, others): (Vec<_>, Vec<_>) =
            deletions(&kernel.text).into_iter().partition(|deletion| deletion.opcode.contains("tensormap"));
        assert!(
            others.iter().all(|deletion| !kernel.faults(&deletion.text).is_empty()
                || deletion.silence(&histories) == Silence::Redundant)
        );
        let unnoticed: Vec<_> = fences.iter().filter(|deletion| kernel.faults(&deletion.text).is_empty()).collect();
        assert!(unnoticed.iter().all(|deletion| matches!(deletion.silence(&histories), Silence::Unmodelled(_))));
        assert_eq!((unnoticed.len(), fences.len()), (silent, 2 + silent / 2));
    }
}

#[test]
fn releases_and_fences() {
    let text = include_str!("../ptx/flags.ptx");
    for (kernel, count) in [("acquire_release", 2), ("fences", 2)] {
        let swept = Kernel { alone: false, ..Kernel::new(text, kernel, 2, 1, flags) }.sweep();
        assert_eq!((swept.0, swept.1), (count, 0), "{kernel}");
    }
    let last = |memory: &mut Memory| {
        let mut args = flags(memory);
        args[1] = Arg::Ptr(memory.alloc(400).unwrap());
        args.push(Arg::U32(20));
        args
    };
    let Swept(noticed, ..) = Kernel::new(text, "last_block", 20, 1, last).sweep();
    assert!(noticed > 0);
}

/// A copy that reads nothing is all that some threads do before a barrier.
#[test]
fn copies_by_threads_that_have_done_nothing_else() {
    let text = ".version 8.0\n.target sm_80\n.address_size 64\n.shared .align 16 .b8 s[1024];\n\
        .visible .entry k(.param .u64 a, .param .u64 b) { .reg .b32 %r<4>; .reg .b64 %d<6>;\n\
        ld.param.b64 %d1, [a]; ld.param.b64 %d2, [b]; mov.u32 %r1, %tid.x; mov.u64 %d3, s; mad.wide.u32 %d4, %r1, 16, %d3;\n\
        cp.async.cg.shared.global [%d4], [%d1], 16, 0;\n\
        cp.async.commit_group;\n\
        cp.async.wait_group 0;\n\
        bar.sync 0;\n\
        mad.wide.u32 %d5, %r1, 4, %d3; ld.shared.b32 %r2, [%d5]; mad.wide.u32 %d5, %r1, 4, %d2; st.global.b32 [%d5], %r2; ret; }";
    let Swept(noticed, redundant, _) = Kernel::new(text, "k", 1, 64, two_arrays).sweep();
    assert!(noticed >= 2, "{noticed} {redundant}");
}

#[test]
fn copies_and_what_waits_for_them() {
    let pipeline = |memory: &mut Memory| [two_arrays(memory), vec![Arg::U32(5)]].concat();
    let Swept(noticed, redundant, _) =
        Kernel::new(include_str!("../ptx/pipeline.ptx"), "right", 1, 256, pipeline).sweep();
    assert!(noticed >= 5, "{noticed} {redundant}");
    for kernel in ["groups", "by_mbarrier"] {
        let Swept(noticed, ..) = Kernel::new(include_str!("../ptx/cp_async.ptx"), kernel, 1, 128, two_arrays).sweep();
        assert!(noticed >= 3, "{kernel}: {noticed}");
    }
}

#[test]
fn clusters() {
    let one = |memory: &mut Memory| vec![Arg::Ptr(memory.alloc(512).unwrap())];
    let mut kernel = Kernel::new(include_str!("../ptx/cluster.ptx"), "exchange", 4, 32, one);
    kernel.config.cluster = Some([2, 1, 1]);
    assert!(kernel.sweep().0 > 0);
}

#[test]
fn tensor_memory() {
    for kernel in ["rows", "multicast"] {
        let Swept(noticed, ..) = Kernel::new(include_str!("../ptx/tensor.ptx"), kernel, 1, 128, two_arrays).sweep();
        assert!(noticed > 2, "{kernel}: {noticed}");
    }
}

#[test]
fn a_read_whose_value_is_never_used_needs_no_order() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry early(.param .u64 out) {\n\
        .shared .align 4 .b8 tile[256];\n.reg .b32 %r<6>;\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, tile;\n\
        shl.b32 %r3, %r1, 2;\nadd.u32 %r4, %r2, %r3;\nst.shared.b32 [%r4], %r1;\nxor.b32 %r3, %r3, 128;\n\
        add.u32 %r4, %r2, %r3;\nld.shared.b32 %r5, [%r4];\nshfl.sync.bfly.b32 %r5, %r5, 1, 31, -1;\nret;\n}\n";
    let kernel = Kernel::new(text, "early", 1, 64, |memory| vec![Arg::Ptr(memory.alloc(4).unwrap())]);
    assert!(kernel.histories().iter().all(|history| history.check().is_ok()));
}
