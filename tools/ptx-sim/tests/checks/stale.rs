//! A relaxed read may return what another block has overwritten, unless the write happens before it.

use std::collections::BTreeSet;

use ptx_sim::Schedule;

use super::{Shape, run, text};

const LOAD: &str = "ld.relaxed.gpu.global.b32";
const LOADS: &str = "ld.relaxed.gpu.global.b32 %r3, [%rd0]; ld.relaxed.gpu.global.b32 %r4, [%rd0];";

/// The pairs that block 1 leaves in words 2 and 3, over many schedules.
fn pairs(body: &str) -> BTreeSet<(u64, u64)> {
    let shape = Shape { grid: 2, block: 1, ..Shape::default() };
    let schedules = (0..60).map(Schedule::Random).chain([Schedule::Fair, Schedule::Reversed, Schedule::Starve(0)]);
    let pair = |schedule| {
        let words = run(&text("", body), shape, schedule).unwrap_or_else(|fault| panic!("{schedule}: {fault}\n{body}"));
        (words[2].unwrap(), words[3].unwrap())
    };
    schedules.map(pair).collect()
}

/// What block 1 reads of the payload at byte 0, once it has seen the flag at byte 8: two reads, one after the other.
/// Block 0 writes 7 and then the flag.
fn payloads(between_writes: &str, flag: &str, between_reads: &str, reads: &str) -> BTreeSet<(u64, u64)> {
    pairs(&format!(
        "mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 1; @%p1 bra R;\n\
         st.relaxed.gpu.global.b32 [%rd0], 7; {between_writes} st.relaxed.gpu.global.b32 [%rd0+8], 1; bra E;\n\
         R: {flag} %r2, [%rd0+8]; setp.eq.u32 %p2, %r2, 0; @%p2 bra R; {between_reads} {reads}\n\
         st.global.b32 [%rd0+16], %r3; st.global.b32 [%rd0+24], %r4; E:"
    ))
}

#[test]
fn a_flag_alone_does_not_order_a_payload() {
    // A block that has read the new value does not read the old one.
    let both = BTreeSet::from([(0, 0), (0, 7), (7, 7)]);
    assert_eq!(payloads("", LOAD, "", LOADS), both);
    assert_eq!(payloads("", "ld.volatile.global.b32", "", &LOADS.replace("relaxed.gpu", "volatile")), both);
    assert_eq!(payloads("fence.acq_rel.gpu;", LOAD, "", LOADS), both, "the reader does not acquire");
    assert_eq!(payloads("", LOAD, "fence.acq_rel.gpu;", LOADS), both, "the writer does not release");
    assert_eq!(payloads("", "ld.acquire.gpu.global.b32", "", LOADS), both);
}

#[test]
fn a_payload_that_happens_before_is_read() {
    let new = BTreeSet::from([(7, 7)]);
    assert_eq!(payloads("fence.acq_rel.gpu;", LOAD, "fence.acq_rel.gpu;", LOADS), new);
    assert_eq!(payloads("fence.acq_rel.gpu;", "ld.acquire.gpu.global.b32", "", LOADS), new);
    assert_eq!(payloads("membar.gl;", "ld.volatile.global.b32", "membar.gl;", LOADS), new);
}

#[test]
fn atomics_read_the_newest_value() {
    let reads = "atom.relaxed.gpu.global.add.u32 %r3, [%rd0], 0; ld.relaxed.gpu.global.b32 %r4, [%rd0];";
    assert_eq!(payloads("", LOAD, "", reads), BTreeSet::from([(7, 7)]));
}

#[test]
fn a_flag_and_a_payload_in_one_word_need_no_order() {
    let pair = |word: &str, reads: &str| {
        format!(
            "mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 1; @%p1 bra R;\n\
             mov.b64 %rd1, 0x700000001; mov.b64 {{%r2, %r3}}, %rd1; st.relaxed.gpu.global.{word}; bra E;\n\
             R: {reads} setp.eq.u32 %p2, %r2, 0; @%p2 bra R;\n\
             st.global.b32 [%rd0+16], %r3; st.global.b32 [%rd0+24], %r4; E:"
        )
    };
    let one =
        pair("b64 [%rd0], %rd1", "ld.relaxed.gpu.global.b64 %rd2, [%rd0]; mov.b64 {%r2, %r3}, %rd2; mov.u32 %r4, %r3;");
    assert_eq!(pairs(&one), BTreeSet::from([(7, 7)]));
    // The elements of a vector are words of their own.
    let two = "ld.relaxed.gpu.global.v2.b32 {%r2, %r3}, [%rd0]; mov.u32 %r4, %r3;";
    assert_eq!(pairs(&pair("v2.b32 [%rd0], {%r2, %r3}", two)), BTreeSet::from([(0, 0), (7, 7)]));
}

/// Stores to two words, each followed by a read of the other one (PTX ISA 8.9.4): with fences, one block sees the other's.
#[test]
fn fences_order_stores_before_loads() {
    let body = |fence: &str| {
        format!(
            "mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd1, %r1, 8; add.u64 %rd2, %rd0, %rd1; sub.u64 %rd3, %rd0, %rd1;\n\
             st.relaxed.gpu.global.b32 [%rd2], 1; {fence} ld.relaxed.gpu.global.b32 %r2, [%rd3+8];\n\
             st.global.b32 [%rd2+16], %r2;"
        )
    };
    assert!(pairs(&body("")).contains(&(0, 0)));
    assert!(!pairs(&body("fence.sc.gpu;")).contains(&(0, 0)));
}
