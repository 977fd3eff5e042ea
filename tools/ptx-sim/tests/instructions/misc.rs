//! Miscellaneous instructions: exits, fences of older chips, hints, and the memories of a cluster.

use ptx_sim::{Arg, FaultKind, LaunchConfig, Memory, Module, Schedule, launch};

use super::{kernel, lanes, run_words};
use crate::support::launch_text;

/// `exit` ends the thread, also inside a function; the remaining threads continue.
#[test]
fn exit_ends_the_thread() {
    let functions = ".func leave(.param .b32 a) { .reg .b32 %x; .reg .pred %p; ld.param.b32 %x, [a];\n\
        setp.gt.u32 %p, %x, 20; @%p exit; ret; }";
    let body = "mov.u64 %rd9, 7; and.b32 %r1, %r60, 1; setp.eq.u32 %p1, %r1, 1; @%p1 exit;\n\
        { .param .b32 p; st.param.b32 [p], %r60; call leave, (p); }\n\
        activemask.b32 %r2; cvt.u64.u32 %rd9, %r2;";
    let left = (0..=20).step_by(2).fold(0u64, |mask, lane| mask | 1 << lane);
    let want = |lane: u64| if lane.is_multiple_of(2) && lane <= 20 { left } else { 0 };
    assert_eq!(lanes(functions, body), (0..32).map(want).collect::<Vec<_>>());
}

/// Thread 0 writes a number and sets a flag; thread 32, of another warp, waits for the flag and reads. `between` is
/// inserted between the two writes, and between the two reads.
fn message(between: &str) -> Result<Vec<u64>, FaultKind> {
    let body = format!(
        "mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, 32; @%p1 st.shared.b32 [s+8], 0; bar.sync 0;\n\
         @%p2 bra READ; @!%p1 bra END;\n\
         st.shared.b64 [s], 99; {between} st.relaxed.cta.shared.b32 [s+8], 1; bra END;\n\
         READ: ld.relaxed.cta.shared.b32 %r2, [s+8]; setp.eq.u32 %p3, %r2, 0; @%p3 bra READ;\n\
         {between} ld.shared.b64 %rd2, [s]; st.global.b64 [%rd0], %rd2;\n\
         END:"
    );
    run_words(64, 1, ".shared .align 8 .b8 s[16];", &body).map_err(|error| error.fault().unwrap().kind)
}

#[test]
fn membar_orders() {
    for level in ["cta", "gl", "sys"] {
        assert_eq!(message(&format!("membar.{level};")), Ok(vec![99]), "{level}");
    }
    assert_eq!(message(""), Err(FaultKind::Race));
}

#[test]
fn uniform_loads() {
    let declarations = ".global .align 16 .b32 g[4] = {5, 6, 7, 8};";
    let body = "ldu.global.v4.b32 {%r1, %r2, %r3, %r4}, [g]; ldu.global.u32 %r5, [g+8]; mad.lo.u32 %r1, %r4, %r5, %r1;\n\
        cvt.u64.u32 %rd9, %r1;";
    assert_eq!(lanes(declarations, body), [8 * 7 + 5; 32]);
}

/// Hints to caches, to the launch of dependent grids, and to the allocation of registers. Not recorded for a GPU, which
/// requires registers to be released before they are requested.
#[test]
fn hints_change_nothing() {
    let hints = [
        "prefetch.global.L1 [%rd0];",
        "prefetch.global.L2::evict_last [%rd0];",
        "prefetchu.L1 [%rd0];",
        "applypriority.global.L2::evict_normal [%rd0], 128;",
        "griddepcontrol.wait;",
        "griddepcontrol.launch_dependents;",
        "setmaxnreg.inc.sync.aligned.u32 128;",
        "setmaxnreg.dec.sync.aligned.u32 64;",
    ];
    let run = |text: &str| {
        let body = format!(
            "ld.param.b64 %rd0, [p0]; st.global.b64 [%rd0], 3; {text} ld.global.b64 %rd1, [%rd0];\n\
            add.s64 %rd1, %rd1, 1; st.global.b64 [%rd0+8], %rd1;"
        );
        let module = Module::parse(&kernel("sm_90a", 1, "", &body)).map_err(|error| error.to_string())?;
        let mut memory = Memory::new();
        let out = memory.alloc(256).unwrap();
        launch(&mut memory, &module, "k", &LaunchConfig::new(1, 1), &[Arg::Ptr(out)]).map_err(|e| e.to_string())?;
        Ok::<_, String>(memory.read(out, 16).unwrap().to_vec())
    };
    let want = [3u64, 4].map(u64::to_le_bytes).concat();
    for hint in hints {
        assert_eq!(run(hint).as_ref(), Ok(&want), "{hint}");
    }
    for unknown in [
        "discard.global.L2 [%rd0], 128;",
        "prefetch.global.L3 [%rd0];",
        "griddepcontrol.skip;",
        "setmaxnreg.u32 64;",
        "setmaxnreg.inc.sync.aligned.u32 100;",
    ] {
        assert!(run(unknown).is_err(), "{unknown}");
    }
}

/// Warp 0 releases registers, for which warp 1 waits; with more than there are it would wait for ever.
#[test]
fn registers_move_between_warps() {
    let run = |directives: &str, actions: [&str; 2]| {
        let [first, second] = actions;
        let text = format!(
            ".version 8.6 .target sm_90a .address_size 64 .visible .entry k() {directives} {{ .reg .pred %p; .reg .b32 %r;\n\
             mov.u32 %r, %tid.x; setp.lt.u32 %p, %r, 32; @!%p bra Second;\n\
             setmaxnreg.{first}; ret;\nSecond: setmaxnreg.{second}; ret; }}"
        );
        let module = Module::parse(&text).map_err(|error| error.to_string())?;
        let schedules = [Schedule::Fair, Schedule::Random(1), Schedule::Random(2)];
        schedules.into_iter().try_for_each(|schedule| {
            let config = LaunchConfig { schedule, ..LaunchConfig::new(1, 64) };
            launch(&mut Memory::new(), &module, "k", &config, &[]).map(drop).map_err(|error| error.to_string())
        })
    };
    let (dec, inc) = ("dec.sync.aligned.u32 24", "inc.sync.aligned.u32 104");
    for directives in [".reqntid 64 .maxnreg 64", ".reqntid 64 .minnctapersm 16"] {
        assert_eq!(run(directives, [dec, inc]), Ok(()));
        let starved = run(directives, [dec, "inc.sync.aligned.u32 112"]).unwrap_err();
        assert!(starved.contains("waits for registers, of which the block has 1280 free"), "{starved}");
        let grown = run(directives, ["dec.sync.aligned.u32 72", inc]).unwrap_err();
        assert!(grown.contains("`setmaxnreg.dec` to 72 registers of 64"), "{grown}");
    }
    // ptxas ignores the instruction where it cannot tell how many registers a thread begins with.
    assert_eq!(run(".reqntid 64", [inc, inc]), Ok(()));
}

/// Each block writes its rank into its shared memory and reads the other's through a mapped address.
#[test]
fn addresses_of_other_blocks() {
    let body = "ld.param.b64 %rd0, [p0]; mov.u32 %r1, %cluster_ctarank; xor.b32 %r2, %r1, 1; mov.u32 %r3, s;\n\
        add.u32 %r4, %r1, 10; st.shared.b32 [s+4], %r4; barrier.cluster.arrive; barrier.cluster.wait;\n\
        mapa.shared::cluster.u32 %r5, %r3, %r2; ld.shared::cluster.b32 %r6, [%r5+4];\n\
        getctarank.shared::cluster.u32 %r7, %r5; getctarank.shared::cluster.u32 %r8, %r3;\n\
        mov.u64 %rd1, s; cvta.shared.u64 %rd1, %rd1; mapa.u64 %rd2, %rd1, %r2; ld.b32 %r9, [%rd2+4]; getctarank.u64 %r10, %rd2;\n\
        mul.wide.u32 %rd3, %r1, 32; add.s64 %rd0, %rd0, %rd3; st.global.v2.b32 [%rd0], {%r6, %r7};\n\
        st.global.v2.b32 [%rd0+8], {%r8, %r9}; st.global.v2.b32 [%rd0+16], {%r10, 0}; barrier.cluster.arrive; barrier.cluster.wait;";
    let text = kernel("sm_90a", 1, ".shared .align 8 .b8 s[8];", body);
    let mut memory = Memory::new();
    let out = memory.alloc_with(&[0; 64]).unwrap();
    let config = LaunchConfig { cluster: Some([2, 1, 1]), ..LaunchConfig::new(2, 1) };
    launch_text(&mut memory, &text, "k", &config, &[Arg::Ptr(out)]).unwrap_or_else(|error| panic!("{error}"));
    let bytes = memory.read(out, 64).unwrap();
    for (mine, row) in bytes.chunks(32).enumerate() {
        let (mine, other) = (mine as u32, 1 - mine as u32);
        let row: Vec<u32> = row.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
        assert_eq!(row[..5], [other + 10, other, mine, other + 10, other], "block {mine}");
    }
}
