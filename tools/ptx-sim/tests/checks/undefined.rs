//! Undefined results in PTX have no value: they may be moved, but must not affect a decision.

use ptx_sim::FaultKind::{self, Undefined, Uninitialized};

use super::{Shape, racy, right};

const WARP: Shape = Shape { grid: 1, block: 32, cluster: 1, words: 32, dynamic: 0, map: None };
/// Stores `%rd9` of each thread.
const STORE: &str = "mul.wide.u32 %rd8, %r0, 8; add.s64 %rd8, %rd0, %rd8; st.global.b64 [%rd8], %rd9;";

/// The results of all lanes, if `value` computes `%rd9`.
fn values(value: &str) -> Vec<Option<u64>> {
    right(WARP, "", &format!("{value} {STORE}"))
}

/// A branch on `%r9` after `value`.
fn decided(value: &str) -> String {
    format!("{value} setp.eq.u32 %p7, %r9, 7; @%p7 bra Z; st.global.b32 [%rd0], 1; Z:")
}

#[test]
fn a_shuffle_from_a_lane_that_does_not_take_part() {
    // Lane 31 has exited; all lanes read it, or the lane before it.
    let gone = |from: u32| {
        format!("setp.eq.u32 %p1, %r0, 31; @%p1 exit; mov.u32 %r1, {from}; shfl.sync.idx.b32 %r9, %r0, %r1, 31, -1;")
    };
    racy(WARP, "", &decided(&gone(31)), Undefined, &["`shfl.sync.idx.b32`", "does not take part"]);
    right(Shape { block: 32, words: 1, ..WARP }, "", &gone(30));
    let left = values(&format!("{} cvt.u64.u32 %rd9, %r9;", gone(31)));
    assert!(left[..31].iter().all(Option::is_none), "{left:?}");
    let left = values(&format!("{} cvt.u64.u32 %rd9, %r9;", gone(30)));
    assert!(left[..31].iter().all(|v| *v == Some(30)), "{left:?}");
    // Lanes 16 to 31 are elsewhere, and not in the mask.
    let half = |from: u32| {
        format!(
            "mov.u64 %rd9, 5; setp.gt.u32 %p1, %r0, 15; @%p1 bra B;\n\
             shfl.sync.idx.b32 %r9, %r0, {from}, 31, 0xffff; cvt.u64.u32 %rd9, %r9; B:"
        )
    };
    let left = values(&half(16));
    assert!(left[..16].iter().all(Option::is_none) && left[16..].iter().all(|v| *v == Some(5)), "{left:?}");
    assert!(values(&half(15))[..16].iter().all(|v| *v == Some(15)));
    // A lane that has no thread at all.
    let partial = Shape { block: 20, ..WARP };
    racy(partial, "", &decided("shfl.sync.idx.b32 %r9, %r0, 20, 31, -1;"), Undefined, &["does not take part"]);
    right(partial, "", "shfl.sync.idx.b32 %r9, %r0, 19, 31, -1; setp.eq.u32 %p7, %r9, 7; @%p7 bra Z; Z:");
}

#[test]
fn a_lane_that_is_out_of_range_keeps_its_own() {
    let left = values("shfl.sync.down.b32 %r9|%p1, %r0, 8, 31, -1; cvt.u64.u32 %rd9, %r9;");
    assert_eq!((left[0], left[23], left[24], left[31]), (Some(8), Some(31), Some(24), Some(31)));
}

#[test]
fn votes_and_reductions_leave_exited_lanes_out() {
    for (what, want) in [
        ("setp.lt.u32 %p2, %r0, 16; vote.sync.all.pred %p3, %p2, -1; selp.b64 %rd9, 1, 0, %p3;", 1),
        ("setp.lt.u32 %p2, %r0, 4; vote.sync.ballot.b32 %r9, %p2, -1; cvt.u64.u32 %rd9, %r9;", 15),
        ("redux.sync.add.u32 %r9, %r0, -1; cvt.u64.u32 %rd9, %r9;", 120),
        ("match.any.sync.b32 %r9, 3, -1; cvt.u64.u32 %rd9, %r9;", 0xffff),
    ] {
        let left = values(&format!("setp.gt.u32 %p1, %r0, 15; @%p1 exit; {what}"));
        assert!(left[..16].iter().all(|v| *v == Some(want)), "{what}: {left:?}");
    }
}

/// Lanes above 15 have no value in `%r9`.
const SOME: &str = "setp.gt.u32 %p1, %r0, 15; mov.u32 %r1, 0; @%p1 bra B; mov.u32 %r9, %r0; B:";

#[test]
fn what_lanes_make_together_of_an_undefined_value() {
    for what in [
        "setp.eq.u32 %p2, %r9, 0; vote.sync.any.pred %p3, %p2, -1; selp.b64 %rd9, 1, 0, %p3;",
        "redux.sync.add.u32 %r8, %r9, -1; cvt.u64.u32 %rd9, %r8;",
        "match.any.sync.b32 %r8, %r9, -1; cvt.u64.u32 %rd9, %r8;",
        "setp.eq.u32 %p2, %r9, 99; vote.sync.all.pred %p3, %p2, -1; selp.b64 %rd9, 1, 0, %p3;",
    ] {
        let left = values(&format!("{SOME} {what}"));
        // One lane may decide a vote alone.
        let decided = what.contains("vote");
        assert!(left.iter().all(|v| if decided { v.is_some() } else { v.is_none() }), "{what}: {left:?}");
    }
    let left = values(&format!("{SOME} shfl.sync.bfly.b32 %r8, %r9, 16, 31, -1; cvt.u64.u32 %rd9, %r8;"));
    assert!(left[..16].iter().all(Option::is_none) && left[16] == Some(0), "{left:?}");
}

#[test]
fn registers_that_were_never_written() {
    for use_it in [
        "setp.eq.u32 %p7, %r9, 7; @%p7 bra Z; Z:",
        "@%p6 bra Z; Z:",
        "@%p6 st.global.b32 [%rd0], 1;",
        "ld.global.b32 %r2, [%rd9];",
        "st.global.b32 [%rd9], 1;",
        "bar.sync %r9;",
        "shfl.sync.idx.b32 %r2, %r0, 0, 31, %r9;",
        "atom.global.add.u32 %r2, [%rd0], %r9;",
    ] {
        racy(WARP, "", use_it, Undefined, &["a register that has not been written"]);
    }
    right(WARP, "", "mov.u32 %r9, 1; setp.eq.u32 %p7, %r9, 7; @%p7 bra Z; Z:");
    // Written on the only path that is taken.
    right(WARP, "", &format!("{SOME} @%p1 bra Z; setp.eq.u32 %p7, %r9, 7; @%p7 bra Z; Z:"));
    racy(WARP, "", &format!("{SOME} setp.eq.u32 %p7, %r9, 7; @%p7 bra Z; Z:"), Undefined, &["thread (16,0,0)"]);
}

#[test]
fn quotients_by_zero() {
    for divide in ["div.u32", "div.s32", "rem.u32", "rem.s32"] {
        racy(WARP, "", &decided(&format!("{divide} %r9, 5, %r0;")), Undefined, &["divides by zero", "thread (0,0,0)"]);
        let left = values(&format!("{divide} %r9, 60, %r0; cvt.u64.u32 %rd9, %r9;"));
        assert!(left[0].is_none() && left[1..].iter().all(Option::is_some), "{divide}: {left:?}");
    }
}

/// Bits that do not depend on undefined ones are ordinary: `%r9` has 16 undefined bits at the top.
#[test]
fn bits_are_followed_one_by_one() {
    const HALF: &str = "mov.b32 %r9, {%h1, %h2};";
    let start = format!("cvt.u16.u32 %h1, %r0; {HALF}");
    for (what, want) in [
        ("and.b32 %r8, %r9, 0xffff;", Some(3)),
        ("and.b32 %r8, %r9, 0x1ffff;", None),
        ("shl.b32 %r8, %r9, 16;", Some(3 << 16)),
        ("shr.u32 %r8, %r9, 1;", None),
        ("or.b32 %r8, %r9, 0xffff0000;", Some(0xffff_0003)),
        ("prmt.b32 %r8, %r9, 0, 0x4410;", Some(3)),
        ("bfe.u32 %r8, %r9, 0, 16;", Some(3)),
        ("bfi.b32 %r8, %r9, 0, 4, 16;", Some(48)),
        ("lop3.b32 %r8, %r9, 0xff, 1, 0xea;", Some(3)),
        ("mov.b32 {%h3, %h4}, %r9; cvt.u32.u16 %r8, %h3;", Some(3)),
        ("mov.b32 {%h3, %h4}, %r9; cvt.u32.u16 %r8, %h4;", None),
        ("add.u32 %r7, %r9, 1; and.b32 %r8, %r7, 0xff;", Some(4)),
        ("mul.lo.u32 %r7, %r9, 3; and.b32 %r8, %r7, 0xffff;", Some(9)),
        ("xor.b32 %r8, %r9, %r9;", None),
        ("selp.b32 %r8, %r0, %r9, %p5;", Some(3)),
        // A register that was never written has 32 undefined bits, not more.
        ("prmt.b32 %r8, %r6, %r0, 0x5554;", Some(3)),
        ("prmt.b32 %r8, %r6, %r0, 0x5550;", None),
        ("shf.l.clamp.b32 %r8, %r6, %r0, 0;", Some(3)),
        ("cvt.u64.u32 %rd8, %r6; shr.u64 %rd8, %rd8, 32; cvt.u32.u64 %r8, %rd8;", Some(0)),
    ] {
        let left = values(&format!("setp.eq.u32 %p5, 1, 1; {start} {what} cvt.u64.u32 %rd9, %r8;"));
        assert_eq!(left[3], want, "{what}");
    }
}

/// A conversion reads only the low bits of a wider register that its type has. `%r9` has 16 undefined bits at the top,
/// `%r7` 24.
#[test]
fn conversions_look_at_their_own_bits() {
    let start = "cvt.u16.u32 %h1, %r0; mov.b32 %r9, {%h1, %h2}; and.b32 %r7, %r0, 0xff; bfi.b32 %r7, %r6, %r7, 8, 24;";
    for (what, want) in [
        ("cvt.s32.s8 %r8, %r9;", Some(3)),
        ("cvt.s32.s8 %r8, %r7;", Some(3)),
        ("cvt.s32.s16 %r8, %r9;", Some(3)),
        ("cvt.s32.s16 %r8, %r7;", None),
        ("cvt.u32.u16 %r8, %r9;", Some(3)),
        ("cvt.u32.u16 %r8, %r7;", None),
        ("cvt.s8.s32 %r8, %r7;", Some(3)),
        ("cvt.s8.s32 %h3, %r7; cvt.u32.u16 %r8, %h3;", Some(3)),
        ("cvt.s16.s32 %r8, %r7;", None),
        ("cvt.s64.s8 %rd8, %r7; cvt.u32.u64 %r8, %rd8;", Some(3)),
        // Copies of an undefined sign bit are undefined.
        (
            "shl.b32 %r8, %r7, 16; cvt.s64.s32 %rd8, %r8; cvt.u32.u64 %r8, %rd8; and.b32 %r8, %r8, 0xff0000;",
            Some(3 << 16),
        ),
        ("shl.b32 %r8, %r7, 16; cvt.s64.s32 %rd8, %r8; shr.u64 %rd8, %rd8, 32; cvt.u32.u64 %r8, %rd8;", None),
        ("cvt.sat.s8.s16 %r8, %r9;", Some(3)),
        ("cvt.sat.s8.s32 %r8, %r9;", None),
        ("cvt.rn.f32.s8 %r8, %r7;", Some(0x4040_0000)),
        ("cvt.rn.f32.u16 %r8, %r9;", Some(0x4040_0000)),
        ("cvt.rn.f32.u16 %r8, %r7;", None),
        ("mov.b64 %rd8, {%r0, %r6}; cvt.rn.f32.s32 %r8, %rd8;", Some(0x4040_0000)),
    ] {
        let left = values(&format!("{start} {what} cvt.u64.u32 %rd9, %r8;"));
        assert_eq!(left[3], want, "{what}");
    }
}

/// Two packed values are converted independently: if one has no value, the other one still has.
#[test]
fn packed_conversions_keep_the_halves_apart() {
    // %r1 is 3.0; %r6 and %h2 were never written.
    let start = "mov.b32 %r1, 0x40400000; mov.b16 %h1, 0x4444; mov.b32 %r2, {%h1, %h2}; mov.b32 %r3, {%h2, %h1};";
    for (what, low, high) in [
        ("cvt.rn.f16x2.f32 %r8, %r6, %r1;", Some(0x4200), None),
        ("cvt.rn.f16x2.f32 %r8, %r1, %r6;", None, Some(0x4200)),
        ("cvt.rn.f16x2.e4m3x2 %r8, %h1;", Some(0x4200), Some(0x4200)),
        ("cvt.rn.satfinite.e4m3x2.f16x2 %h3, %r2; cvt.rn.f16x2.e4m3x2 %r8, %h3;", Some(0x4480), None),
        ("cvt.rn.satfinite.e4m3x2.f16x2 %h3, %r3; cvt.rn.f16x2.e4m3x2 %r8, %h3;", None, Some(0x4480)),
        ("cvt.rn.satfinite.e4m3x2.f32 %h3, %r6, %r1; cvt.rn.f16x2.e4m3x2 %r8, %h3;", Some(0x4200), None),
        ("cvt.rn.satfinite.e4m3x2.f32 %h3, %r1, %r6; cvt.rn.f16x2.e4m3x2 %r8, %h3;", None, Some(0x4200)),
    ] {
        for (half, want) in [("and.b32 %r8, %r8, 0xffff;", low), ("shr.u32 %r8, %r8, 16;", high)] {
            let left = values(&format!("{start} {what} {half} cvt.u64.u32 %rd9, %r8;"));
            assert_eq!(left[3], want, "{what} {half}");
        }
    }
}

#[test]
fn memory_keeps_no_undefined_value() {
    let shared = ".shared .align 8 .b8 s[512];";
    let body = |value: &str, width: u32| {
        format!(
            "mul.wide.u32 %rd1, %r0, 8; mov.u64 %rd2, s; add.s64 %rd1, %rd1, %rd2; {value}\n\
             st.shared.b64 [%rd1], %rd9; ld.shared.b{width} %rd3, [%rd1];"
        )
    };
    let used = format!("{} red.global.add.u64 [%rd0], %rd3;", body("", 64));
    racy(WARP, shared, &used, Uninitialized, &["an undefined one was written at", "`st.shared.b64`"]);
    right(WARP, shared, &body("mov.u64 %rd9, 1;", 64));
    // If half of a stored value is undefined, the other half has a value.
    let half = "mov.b64 %rd9, {%r0, %r9};";
    right(
        WARP,
        shared,
        &format!("{} st.global.b64 [%rd0], %rd3;", body(half, 32))
            .replace("b32 %rd3", "b32 %r3")
            .replace("b64 [%rd0], %rd3", "b32 [%rd8], %r3")
            .replace("mov.u64 %rd2, s;", "mov.u64 %rd2, s; add.s64 %rd8, %rd0, %rd1;"),
    );
}

#[test]
fn some_bytes_of_a_load_may_have_no_value() {
    let shared = ".shared .align 8 .b8 s[8];";
    let one = Shape { block: 1, words: 1, ..WARP };
    let body = |mask: &str| {
        format!(
            "st.shared.b32 [s], 77; ld.shared.b64 %rd1, [s]; and.b64 %rd9, %rd1, {mask}; st.global.b64 [%rd0], %rd9;"
        )
    };
    assert_eq!(right(one, shared, &body("0xffffffff")), [Some(77)]);
    assert_eq!(right(one, shared, &body("0xffffffffff")), [None]);
    let none = "ld.shared.b64 %rd1, [s]; st.global.b64 [%rd0], %rd1;";
    racy(one, shared, none, Uninitialized, &["offset 0 of shared memory"]);
}

#[test]
fn bytes_that_a_pragma_leaves_out_are_not_read() {
    let one = Shape { block: 1, words: 2, ..WARP };
    let shared = ".shared .align 16 .b8 s[31];";
    let load = |pragma: &str, from: &str| {
        format!(
            "mov.u64 %rd1, s; st.shared.v2.b64 [s], {{1, 2}}; st.shared.b64 [s+16], 3; st.shared.b32 [s+24], 4; st.shared.b16 [s+28], 5;\n\
             st.shared.b8 [s+30], 6; {pragma} ld.shared.v4.b32 {{%r1, %r2, %r3, %r4}}, [{from}+16];\n\
             and.b32 %r5, %r4, 0xffffff; st.global.b32 [%rd0], %r5; st.global.b32 [%rd0+4], %r3; st.global.b32 [%rd0+8], %r4;"
        )
    };
    racy(one, shared, &load("", "%rd1"), FaultKind::OutOfBounds, &["an access of 16 B"]);
    for from in ["s", "%rd1"] {
        let left = right(one, shared, &load(".pragma \"used_bytes_mask 0x7fff\";", from));
        assert_eq!(left, [Some(4 << 32 | 0x6_0005), None]);
    }
    // The bytes that are used must exist.
    racy(one, shared, &load(".pragma \"used_bytes_mask 0xffff\";", "%rd1"), FaultKind::OutOfBounds, &[]);
    racy(
        one,
        "",
        &decided(".pragma \"used_bytes_mask 0x7\"; ld.global.b32 %r9, [%rd0];"),
        Undefined,
        &["`ld.global.b32`"],
    );
    right(one, "", &decided(".pragma \"used_bytes_mask 0xf\"; ld.global.b32 %r9, [%rd0];"));
}

#[test]
fn an_argument_without_a_value_may_be_passed_on() {
    let function = |use_it: &str| {
        format!(
            ".func (.param .b32 out) f(.param .b32 in) {{ .reg .b32 %a<3>; .reg .pred %q; ld.param.b32 %a0, [in]; {use_it}\n\
             st.param.b32 [out], %a0; ret; }}"
        )
    };
    let call = "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r9; call (y), f, (x); ld.param.b32 %r8, [y]; }";
    right(WARP, &function(""), call);
    racy(WARP, &function("setp.eq.u32 %q, %a0, 3; @%q bra L; L:"), call, Undefined, &[]);
    // A register of the function itself is undefined, in the second call, too.
    racy(WARP, &function("setp.eq.u32 %q, %a1, 3; @%q bra L; L:"), call, Undefined, &["not been written"]);
}
