//! Chains of blocks that wait for each other, with room for only a few of them.

use ptx_sim::{Arg, FaultKind, LaunchConfig, LaunchError, Memory, Module, Schedule, launch, launch_with};

use super::{fault, read_words};

/// Block b waits for block b - 1 (or b + 1), adds b to its result, and passes it on.
fn chain(step: i32) -> Module {
    let text = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {{\n\
         .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;\n\
         ld.param.b64 %rd1, [p]; mov.u32 %r1, %ctaid.x; add.s32 %r2, %r1, {step}; mov.u32 %r3, %nctaid.x;\n\
         mov.b64 %rd2, 0x100000000; setp.ge.u32 %p1, %r2, %r3; @%p1 bra POST; mul.wide.u32 %rd3, %r2, 8; add.s64 %rd3, %rd1, %rd3;\n\
         WAIT: ld.relaxed.gpu.global.b64 %rd2, [%rd3]; setp.eq.s64 %p2, %rd2, 0; @%p2 bra WAIT;\n\
         POST: cvt.u64.u32 %rd4, %r1; add.s64 %rd2, %rd2, %rd4; mul.wide.u32 %rd3, %r1, 8; add.s64 %rd3, %rd1, %rd3;\n\
         st.relaxed.gpu.global.b64 [%rd3], %rd2; ret;\n}}"
    );
    Module::parse(&text).unwrap_or_else(|e| panic!("{e}"))
}

fn run(module: &Module, schedule: &str, resident: usize, blocks: u32) -> Result<Vec<u32>, LaunchError> {
    let mut memory = Memory::new();
    let p = memory.alloc_with(&vec![0; blocks as usize * 8]).unwrap();
    let schedule: Schedule = schedule.parse().unwrap();
    let config = LaunchConfig { schedule, resident_blocks: resident, ..LaunchConfig::new(blocks, 1) };
    launch(&mut memory, module, "k", &config, &[Arg::Ptr(p)])?;
    Ok(read_words(&memory, p, blocks as usize * 2).into_iter().step_by(2).collect())
}

#[test]
fn waiting_for_earlier_blocks_needs_them_to_start_first() {
    let module = chain(-1);
    let want: Vec<u32> = (0..500).map(|b| b * (b + 1) / 2).collect();
    for (schedule, resident) in [
        ("fair", 1024),
        ("fair", 4),
        ("one-block-at-a-time", 1),
        ("reversed", 1024),
        ("random:3", 8),
        ("starve:250", 1024),
    ] {
        let out = run(&module, schedule, resident, 500).unwrap_or_else(|e| panic!("{schedule}: {e}"));
        assert_eq!(out, want, "{schedule}");
    }
    let stuck = fault(run(&module, "reversed", 4, 500));
    assert_eq!((stuck.kind, stuck.waiting.len()), (FaultKind::Livelock, 4), "{stuck}");
    assert_eq!(stuck.waiting[0].thread.block, [499, 0, 0]);
}

#[test]
fn waiting_for_later_blocks_needs_them_all_at_once() {
    let module = chain(1);
    assert!(run(&module, "fair", 100, 100).is_ok());
    assert!(run(&module, "reversed", 4, 100).is_ok());
    for (schedule, resident) in [("fair", 99), ("one-block-at-a-time", 1), ("random:9", 50)] {
        assert_eq!(fault(run(&module, schedule, resident, 100)).kind, FaultKind::Livelock, "{schedule}");
    }
}

#[test]
fn the_same_schedule_gives_the_same_run() {
    let module = super::module(include_str!("../ptx/reduce.ptx"));
    let report = |seed| {
        let mut memory = Memory::new();
        let [a, b] = [memory.alloc_with(&[1; 4096]).unwrap(), memory.alloc(16).unwrap()];
        let config = LaunchConfig { schedule: Schedule::Random(seed), ..LaunchConfig::new(4, 256) };
        let mut steps = Vec::new();
        let report = launch_with(&mut memory, &module, "reduce", &config, &[Arg::Ptr(a), Arg::Ptr(b)], &mut |p| {
            steps.push(p.steps);
            true
        });
        (report.unwrap(), steps)
    };
    assert_eq!(report(5), report(5));
}

#[test]
fn the_progress_callback_can_stop_a_launch() {
    let module = chain(-1);
    let mut memory = Memory::new();
    let p = memory.alloc_with(&vec![0; 4000 * 8]).unwrap();
    let config = LaunchConfig::new(4000, 1);
    let mut last = None;
    let stopped = launch_with(&mut memory, &module, "k", &config, &[Arg::Ptr(p)], &mut |progress| {
        last = Some(progress);
        progress.blocks_done < 1000
    });
    assert_eq!(fault(stopped).kind, FaultKind::Cancelled);
    let last = last.unwrap();
    assert!(last.blocks_done >= 1000 && last.blocks_done < 4000 && last.blocks == 4000, "{last:?}");
}

/// Lanes that have seen their word skip the load: they diverge from the others and reconverge in every iteration.
#[test]
fn polling_by_some_lanes_of_a_warp_is_seen_to_be_stuck() {
    let text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n\
        .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>;\n\
        ld.param.b64 %rd1, [p]; mov.u32 %r1, %laneid; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; mov.u32 %r2, 0;\n\
        POLL: setp.ne.u32 %p1, %r2, 0; @%p1 bra SEEN; nanosleep.u32 20; ld.relaxed.gpu.global.b32 %r2, [%rd3];\n\
        SEEN: setp.ne.u32 %p1, %r2, 0; vote.sync.all.pred %p2, %p1, -1; @!%p2 bra POLL; ret;\n}";
    let module = Module::parse(text).unwrap_or_else(|e| panic!("{e}"));
    for (missing, kind) in [(None, None), (Some(7), Some(FaultKind::Livelock))] {
        let mut memory = Memory::new();
        let words = (0..32).map(|i| u32::from(Some(i) != missing));
        let p = memory.alloc_with(&super::words(words)).unwrap();
        let config = LaunchConfig { step_limit: 100_000, ..LaunchConfig::new(1, 32) };
        let result = launch(&mut memory, &module, "k", &config, &[Arg::Ptr(p)]);
        assert_eq!(result.err().map(|e| e.fault().unwrap().kind), kind);
    }
}
