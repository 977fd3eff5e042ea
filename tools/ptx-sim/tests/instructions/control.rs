//! Branches, calls, barriers.

use super::{lanes, run_words};

#[test]
fn loops_with_different_trip_counts() {
    let body = "mov.u64 %rd9, 0; mov.u32 %r1, 0;\n\
        LOOP: setp.ge.u32 %p1, %r1, %r60; @%p1 bra DONE; add.u32 %r1, %r1, 1; cvt.u64.u32 %rd2, %r1; add.s64 %rd9, %rd9, %rd2; bra.uni LOOP;\n\
        DONE:";
    assert_eq!(lanes("", body), (0..32u64).map(|n| n * (n + 1) / 2).collect::<Vec<_>>());
}

#[test]
fn jump_tables() {
    let body = "rem.u32 %r1, %r60, 3; mov.u64 %rd9, 0;\n\
        LIST: .branchtargets A, B, C;\n brx.idx %r1, LIST;\n\
        C: add.s64 %rd9, %rd9, 100; bra END;\n A: add.s64 %rd9, %rd9, 1;\n B: add.s64 %rd9, %rd9, 10;\n END:";
    assert_eq!(lanes("", body), (0..32).map(|i| [11, 10, 100][i % 3]).collect::<Vec<_>>());
    let error = run_words(1, 1, "", "mov.b32 %r1, 2; L: .branchtargets A; brx.idx %r1, L; A:").unwrap_err();
    assert!(error.to_string().contains("index 2 of 1"), "{error}");
}

#[test]
fn assertions_say_what_and_where() {
    let module = ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e) .noreturn;\n\
        .global .align 1 .b8 message[5] = {111, 104, 32, 110, 111}; .global .align 1 .b8 file[4] = {97, 46, 98};\n";
    let call = |first: &str| {
        format!(
            "mov.u32 %r60, %tid.x; setp.lt.u32 %p1, %r60, 7; @%p1 bra FINE;\n\
             {{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e; .reg .b64 %x;\n\
             mov.b64 %x, {first}; cvta.global.u64 %x, %x; st.param.b64 [a], %x;\n\
             mov.b64 %x, file; cvta.global.u64 %x, %x; st.param.b64 [b], %x; st.param.b64 [d], %x;\n\
             st.param.b64 [e], 1; st.param.b32 [c], 12; call.uni __assertfail, (a, b, c, d, e); }}\n FINE:"
        )
    };
    let error = run_words(32, 1, module, &call("message")).unwrap_err().to_string();
    assert!(error.contains("thread (7,0,0)") && error.ends_with("trap: a.b:12: oh no"), "{error}");
    assert!(run_words(7, 1, module, &call("message")).is_ok());
}

const FUNCTIONS: &str = ".func (.param .b64 r) square(.param .b32 a) { .reg .b32 %x; .reg .b64 %y; ld.param.b32 %x, [a];\n\
        mul.wide.u32 %y, %x, %x; st.param.b64 [r], %y; ret; }\n\
    .func (.param .b64 r) twice(.param .b32 a) { .reg .b32 %x; .reg .b64 %y; .reg .pred %p; ld.param.b32 %x, [a];\n\
        setp.lt.u32 %p, %x, 4; @%p bra SMALL;\n\
        { .param .b32 p; .param .b64 q; st.param.b32 [p], %x; call.uni (q), square, (p); ld.param.b64 %y, [q]; }\n\
        add.s64 %y, %y, %y; st.param.b64 [r], %y; ret;\n\
        SMALL: st.param.b64 [r], 7; ret; }";

#[test]
fn calls_in_diverged_code() {
    let body = "mov.u64 %rd9, 5; setp.gt.u32 %p1, %r60, 20; @%p1 bra SKIP;\n\
        { .param .b32 p; .param .b64 q; st.param.b32 [p], %r60; call (q), twice, (p); ld.param.b64 %rd9, [q]; }\n SKIP: bar.warp.sync -1;";
    let want = |i: u64| match i {
        0..4 => 7,
        4..=20 => 2 * i * i,
        _ => 5,
    };
    assert_eq!(lanes(FUNCTIONS, body), (0..32).map(want).collect::<Vec<_>>());
}

#[test]
fn inline_assembly_scopes_hide_outer_names() {
    let body = "mov.b32 %r1, 3; mov.u64 %rd9, 0;\n\
        { .reg .b32 %r1; .reg .pred p; mov.b32 %r1, 10; L: add.u32 %r1, %r1, 1; setp.lt.u32 p, %r1, 15; @p bra L; cvt.u64.u32 %rd9, %r1; }\n\
        { .reg .pred p; L: sub.u32 %r1, %r1, 1; setp.ne.u32 p, %r1, 0; @p bra L; add.s64 %rd9, %rd9, 1; }";
    assert_eq!(lanes("", body), [16; 32]);
}

#[test]
fn barriers_with_counts_and_reductions() {
    // Warps 0 and 1 meet at barrier 1, warps 2 and 3 at barrier 2; then all meet at 0, where 66 threads vote.
    let body = "mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 6; add.u32 %r2, %r2, 1; bar.sync %r2, 64;\n\
        setp.lt.u32 %p1, %r1, 66; bar.red.popc.u32 %r3, 0, %p1; bar.red.and.pred %p2, 0, %p1; bar.red.or.pred %p3, 0, %p1;\n\
        selp.b32 %r4, 1000, 0, %p2; add.u32 %r3, %r3, %r4; selp.b32 %r4, 2000, 0, %p3; add.u32 %r3, %r3, %r4;\n\
        setp.ne.u32 %p4, %r1, 127; @%p4 ret; cvt.u64.u32 %rd1, %r3; st.global.b64 [%rd0], %rd1;";
    assert_eq!(run_words(128, 1, "", body).unwrap(), [2066]);
}

#[test]
fn producers_arrive_and_consumers_wait() {
    let body = "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; @%p1 bra PRODUCE;\n\
        bar.sync 3, 64; ld.shared.b64 %rd2, [s]; setp.eq.u32 %p2, %r1, 63; @%p2 st.global.b64 [%rd0], %rd2; ret;\n\
        PRODUCE: setp.eq.u32 %p2, %r1, 0; @%p2 st.shared.b64 [s], 99; bar.arrive 3, 64;";
    assert_eq!(run_words(64, 1, ".shared .align 8 .b8 s[8];", body).unwrap(), [99]);
}

/// Lanes reach a barrier that is not aligned one after the other.
#[test]
fn barriers_of_diverged_threads() {
    let body = "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 7; @%p1 bra A; barrier.sync 0; bra END; A: barrier.sync 0; END:\n\
        setp.eq.u32 %p1, %r1, 0; @%p1 st.global.b64 [%rd0], 4;";
    assert_eq!(run_words(64, 1, "", body).unwrap(), [4]);
}
