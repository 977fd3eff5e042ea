//! Loads that LLVM issues early or too wide: their problems are reported once their values are used.

use ptx_sim::FaultKind::{InFlight, Race, Uninitialized};
use ptx_sim::{Arg, LaunchConfig, Memory, Module, launch_with};

use super::{Shape, racy, right};

const BLOCK: Shape = Shape { grid: 1, block: 64, cluster: 1, words: 64, dynamic: 0, map: None };
const SHARED: &str = ".shared .align 16 .b8 s[1024];";

/// Each thread of the second half copies 8 bytes with `cp.async`, loads them while the copy is in flight, and executes
/// `then`.
fn early(then: &str) -> String {
    format!(
        "mul.wide.u32 %rd1, %r0, 8; mov.u64 %rd2, s; add.s64 %rd2, %rd2, %rd1; add.s64 %rd3, %rd0, %rd1;\n\
         st.shared.b64 [%rd2], 0; setp.lt.u32 %p1, %r0, 32; @%p1 bra L;\n\
         cp.async.ca.shared.global [%rd2], [%rd3], 8; L: ld.shared.b64 %rd4, [%rd2];\n\
         {then} cp.async.wait_all;"
    )
}

#[test]
fn a_load_hoisted_over_a_condition() {
    // Only threads without a copy use what they have loaded.
    right(BLOCK, SHARED, &early("@%p1 st.global.b64 [%rd3], %rd4;"));
    right(BLOCK, SHARED, &early("selp.b64 %rd5, %rd4, 0, %p1; and.b64 %rd5, %rd5, 0; mov.b64 %rd6, %rd4;"));
    let words = ["`ld.shared.b64`", "asynchronously"];
    racy(BLOCK, SHARED, &early("st.shared.b64 [%rd2+512], %rd4;"), InFlight, &words);
    racy(BLOCK, SHARED, &early("add.s64 %rd5, %rd4, 1; setp.eq.s64 %p2, %rd5, 0; @%p2 bra E; E:"), InFlight, &words);
    racy(BLOCK, SHARED, &early("add.s64 %rd5, %rd2, %rd4; ld.shared.b64 %rd6, [%rd5];"), InFlight, &words);
    racy(
        BLOCK,
        SHARED,
        &early("shfl.sync.idx.b32 %r4, %r3, 0, 31, -1;")
            .replace("ld.shared.b64 %rd4, [%rd2];", "ld.shared.b32 %r3, [%rd2];")
            .replace("31, -1;", "31, -1; st.shared.b32 [%rd2+512], %r4;"),
        InFlight,
        &["`ld.shared.b32`"],
    );
}

#[test]
fn a_load_of_what_another_warp_writes() {
    // The flag is relaxed, so a thread that sees it is not ordered after the store.
    let body = |then: &str| {
        format!(
            "setp.ne.u32 %p1, %r0, 0; setp.ge.u32 %p2, %r0, 32; @%p2 bra W; @%p1 bra E;\n\
             st.shared.b64 [s], 5; red.relaxed.gpu.global.add.u32 [%rd0], 1; bra E;\n\
             W: nanosleep.u32 1; atom.relaxed.gpu.global.add.u32 %r1, [%rd0], 0; setp.eq.u32 %p3, %r1, 0; @%p3 bra W;\n\
             ld.shared.b64 %rd1, [s]; {then} E:"
        )
    };
    right(BLOCK, SHARED, &body("add.s64 %rd2, %rd1, 1;"));
    racy(BLOCK, SHARED, &body("red.global.add.u64 [%rd0+8], %rd1;"), Race, &["`ld.shared.b64`", "`st.shared.b64`"]);
}

/// Two bytes of a word belong to another thread; the load reads all four.
#[test]
fn a_load_of_neighbours_of_what_is_needed() {
    let body = |mask: &str| {
        format!(
            "mul.wide.u32 %rd1, %r0, 4; mov.u64 %rd2, s; add.s64 %rd2, %rd2, %rd1; mov.b16 %h1, 3; st.shared.b16 [%rd2], %h1;\n\
             shr.u32 %r2, %r0, 5; setp.eq.u32 %p1, %r2, 0; xor.b32 %r3, %r0, 32; mul.wide.u32 %rd3, %r3, 4; mov.u64 %rd4, s;\n\
             add.s64 %rd3, %rd3, %rd4; @%p1 bra E; st.shared.b16 [%rd3+2], %h1; nanosleep.u32 1; bra E;\n\
             E: atom.relaxed.gpu.global.add.u32 %r4, [%rd0], 1; @!%p1 bra F;\n\
             W: nanosleep.u32 1; atom.relaxed.gpu.global.add.u32 %r4, [%rd0], 0; setp.lt.u32 %p2, %r4, 64; @%p2 bra W;\n\
             ld.shared.b32 %r5, [%rd2]; and.b32 %r5, %r5, {mask}; st.shared.b32 [%rd2+512], %r5; F:"
        )
    };
    right(BLOCK, SHARED, &body("0xffff"));
    racy(BLOCK, SHARED, &body("0xffffff"), Race, &["`ld.shared.b32`", "`st.shared.b16`"]);
}

#[test]
fn a_load_wider_than_needed() {
    let body = |then: &str| {
        format!(
            "mov.u64 %rd1, s; st.shared.b32 [%rd1], 7; ld.shared.v2.b32 {{%r1, %r2}}, [%rd1]; \
        ld.shared.b32 %r3, [%rd1+4]; {then} st.global.b32 [%rd0], %r1;"
        )
    };
    let one = Shape { block: 1, words: 1, ..BLOCK };
    right(one, SHARED, &body("shf.l.wrap.b32 %r4, %r3, %r1, 0;"));
    // Only bits that have a value are used.
    right(one, SHARED, &body("prmt.b32 %r1, %r1, %r3, 0x3210;"));
    racy(one, SHARED, &body("prmt.b32 %r1, %r1, %r3, 0x3214;"), Uninitialized, &["`ld.shared.b32`", "offset 4"]);
    racy(one, SHARED, &body("st.shared.b32 [%rd1+8], %r3;"), Uninitialized, &["`ld.shared.b32`", "offset 4"]);
    // Local memory is treated like registers.
    let through = ".local .align 4 .b8 own[8]; mov.u64 %rd2, own; add.u32 %r4, %r3, 1; st.local.b32 [%rd2], %r4; ld.local.b32 %r5, [%rd2];";
    right(one, SHARED, &body(through));
    let from = &["`ld.shared.b32`", "offset 4"];
    racy(one, SHARED, &body(&format!("{through} st.shared.b32 [%rd1+8], %r5;")), Uninitialized, from);
    // Also if half of what is loaded from it has a value.
    let half = ".local .align 4 .b8 own[8]; mov.u64 %rd2, own; st.local.b32 [%rd2], 9; cvt.u16.u32 %h1, %r3;\n\
        st.local.b16 [%rd2+2], %h1; ld.local.b32 %r5, [%rd2];";
    right(one, SHARED, &body(half));
    right(one, SHARED, &body(&format!("{half} and.b32 %r5, %r5, 0xffff; st.shared.b32 [%rd1+8], %r5;")));
    racy(one, SHARED, &body(&format!("{half} st.shared.b32 [%rd1+8], %r5;")), Uninitialized, from);
    // But no longer once it has been overwritten.
    let mended = format!("{through} st.local.b32 [%rd2], 4; ld.local.b32 %r5, [%rd2]; st.shared.b32 [%rd1+8], %r5;");
    right(one, SHARED, &body(&mended));
    // A store uses only the lower bits of a register.
    let both = "prmt.b32 %r4, %r1, %r3, 0x4440; cvt.u16.u32 %h1, %r4;";
    right(one, SHARED, &body(&format!("{both} st.shared.b8 [%rd1+8], %h1;")));
    racy(one, SHARED, &body(&format!("{both} st.shared.b16 [%rd1+8], %h1;")), Uninitialized, &["`ld.shared.b32`"]);
}

/// Warp 1 loads before warp 0 writes, unordered. Only warp 0 stores what it loaded itself, before it wrote.
#[test]
fn an_early_load_that_a_write_follows() {
    let body = |then: &str| {
        format!(
            "mov.u64 %rd1, s; shr.u32 %r2, %r0, 5; setp.eq.u32 %p1, %r2, 0; setp.eq.u32 %p2, %r0, 0;\n\
             @%p2 st.shared.b32 [%rd1], 7; bar.sync 0; ld.shared.b32 %r5, [%rd1];\n\
             @!%p1 atom.relaxed.gpu.global.add.u32 %r4, [%rd0], 1; @!%p2 bra F;\n\
             W: nanosleep.u32 1; atom.relaxed.gpu.global.add.u32 %r4, [%rd0], 0; setp.lt.u32 %p3, %r4, 32; @%p3 bra W;\n\
             st.shared.b32 [%rd1], 8; st.shared.b32 [%rd1+4], %r5;\n\
             F: {then}"
        )
    };
    right(BLOCK, SHARED, &body(""));
    right(BLOCK, SHARED, &body("add.u32 %r6, %r5, 1;"));
    let read = &["`st.shared.b32`", "the bytes were read by block (0,0,0) thread (3", "`ld.shared.b32`"];
    // One thread of the other warp stores it, or takes another path because of it.
    racy(BLOCK, SHARED, &body("setp.eq.u32 %p4, %r0, 39; @%p4 st.shared.b32 [%rd1+64], %r5;"), Race, read);
    racy(
        BLOCK,
        SHARED,
        &body("setp.eq.u32 %p4, %r5, 9; @!%p1 and.pred %p4, %p4, %p4; @%p1 bra G; @%p4 bra G; G:"),
        Race,
        read,
    );
}

/// The same with a vector of which only the second element is written: the first one may be used.
#[test]
fn an_early_load_of_more_than_a_write_touches() {
    let body = |then: &str| {
        format!(
            "mov.u64 %rd1, s; shr.u32 %r2, %r0, 5; setp.eq.u32 %p1, %r2, 0; setp.eq.u32 %p2, %r0, 0;\n\
             @%p2 st.shared.v2.b32 [%rd1], {{7, 7}}; bar.sync 0; ld.shared.v2.b32 {{%r5, %r6}}, [%rd1];\n\
             @!%p1 atom.relaxed.gpu.global.add.u32 %r4, [%rd0], 1; @!%p2 bra F;\n\
             W: nanosleep.u32 1; atom.relaxed.gpu.global.add.u32 %r4, [%rd0], 0; setp.lt.u32 %p3, %r4, 32; @%p3 bra W;\n\
             st.shared.b32 [%rd1+4], 8;\n\
             F: mul.wide.u32 %rd2, %r0, 4; add.s64 %rd3, %rd1, %rd2; {then}"
        )
    };
    right(BLOCK, SHARED, &body("st.shared.b32 [%rd3+64], %r5;"));
    right(BLOCK, SHARED, &body("selp.b32 %r5, %r5, %r6, %p2; @%p2 st.shared.b32 [%rd3+64], %r5;"));
    let read = &["`st.shared.b32`", "the bytes were read by block (0,0,0) thread (3", "`ld.shared.v2.b32`"];
    racy(BLOCK, SHARED, &body("@!%p1 st.shared.b32 [%rd3+64], %r6;"), Race, read);
}

/// Both warps load, by several instructions, what the other one writes later, unordered: each lane of a store races
/// with each of these loads, of which only the last one's value is used, or none.
#[test]
fn many_early_loads_that_writes_follow() {
    const LOADS: usize = 5;
    let loads: String = (0..LOADS).map(|number| format!("ld.shared.b32 %r{}, [%rd5]; ", 10 + number)).collect();
    let body = |then: &str| {
        format!(
            "mov.u64 %rd1, s; mul.wide.u32 %rd2, %r0, 4; add.s64 %rd3, %rd1, %rd2; st.shared.b32 [%rd3], 7; bar.sync 0;\n\
             xor.b32 %r7, %r0, 32; mul.wide.u32 %rd4, %r7, 4; add.s64 %rd5, %rd1, %rd4; {loads}\n\
             atom.relaxed.gpu.global.add.u32 %r4, [%rd0], 1;\n\
             W: nanosleep.u32 1; atom.relaxed.gpu.global.add.u32 %r4, [%rd0], 0; setp.lt.u32 %p3, %r4, 64; @%p3 bra W;\n\
             st.shared.b32 [%rd3], 8; {then}"
        )
    };
    const TILE: &str = ".shared .align 16 .b8 s[512];";
    right(BLOCK, TILE, &body(""));
    let read = &["`st.shared.b32`", "the bytes were read by block (0,0,0) thread (", "`ld.shared.b32`"];
    racy(BLOCK, TILE, &body("st.shared.b32 [%rd3+256], %r14;"), Race, read);
}

/// In a loop without its second barrier, each warp of each block races in each iteration, and what is loaded is used at the end: the
/// second run sees it.
#[test]
fn a_race_of_each_iteration_takes_two_runs() {
    let text = super::text(
        SHARED,
        "mov.u64 %rd1, s; mul.wide.u32 %rd2, %r0, 4; add.s64 %rd3, %rd1, %rd2; mov.u32 %r4, 0; mov.u32 %r5, 0;\n\
         L: st.shared.b32 [%rd3], %r4; bar.sync 0; ld.shared.b32 %r6, [%rd1]; add.u32 %r5, %r5, %r6;\n\
         add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 40; @%p1 bra L;\n\
         atom.relaxed.gpu.global.add.u32 %r6, [%rd0], %r5;",
    );
    let (mut memory, module) = (Memory::new(), Module::parse(&text).unwrap());
    let sum = memory.alloc_with(&[0; 4]).unwrap();
    let config = LaunchConfig::new(64, 256);
    let mut reports = 0;
    let ended = launch_with(&mut memory, &module, "k", &config, &[Arg::Ptr(sum)], &mut |_| {
        reports += 1;
        true
    });
    assert_eq!(ended.unwrap_err().fault().map(|fault| fault.kind), Some(Race));
    assert!(reports < 30, "{reports} reports of progress");
}
