//! Operations of the lanes of a warp together.

use super::{lanes, run_words};
use ptx_sim::FaultKind;

/// The lane number in `%r1`, its square in `%r2`.
const START: &str = "mov.u32 %r1, %laneid; mul.lo.u32 %r2, %r1, %r1;";

fn run(body: &str) -> Vec<u64> {
    lanes("", &format!("{START}\n{body}\ncvt.u64.u32 %rd9, %r9;"))
}

fn expect(body: &str, want: impl Fn(u64) -> u64) {
    let got = run(body);
    let want: Vec<u64> = (0..32).map(want).collect();
    assert_eq!(got, want, "{body}");
}

#[test]
fn shuffles() {
    expect("shfl.sync.down.b32 %r9, %r2, 3, 31, -1;", |i| if i + 3 < 32 { (i + 3).pow(2) } else { i * i });
    expect("shfl.sync.up.b32 %r9, %r2, 5, 0, 0xffffffff;", |i| if i >= 5 { (i - 5).pow(2) } else { i * i });
    expect("shfl.sync.bfly.b32 %r9, %r2, 9, 31, -1;", |i| (i ^ 9).pow(2));
    expect("shfl.sync.idx.b32 %r9, %r2, %r1, 31, -1;", |i| i * i);
    expect("xor.b32 %r3, %r1, 1; shfl.sync.idx.b32 %r9, %r2, %r3, 31, -1;", |i| (i ^ 1).pow(2));
    // Segments of eight lanes: mask 24, clamp 31.
    expect("shfl.sync.idx.b32 %r9, %r2, 2, 6175, -1;", |i| (i / 8 * 8 + 2).pow(2));
    expect("shfl.sync.down.b32 %r9|%p1, %r2, 4, 6175, -1; selp.b32 %r9, %r9, 7, %p1;", |i| {
        if i % 8 < 4 { (i + 4).pow(2) } else { 7 }
    });
}

#[test]
fn votes() {
    let odd = "and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 1;";
    let bit = |p: &str| format!("selp.b32 %r9, 1, 0, {p};");
    expect(&format!("{odd} vote.sync.ballot.b32 %r9, %p1, -1;"), |_| 0xaaaa_aaaa);
    expect(&format!("{odd} vote.sync.ballot.b32 %r9, !%p1, -1;"), |_| 0x5555_5555);
    expect(&format!("{odd} vote.sync.any.pred %p2, %p1, -1; {}", bit("%p2")), |_| 1);
    expect(&format!("{odd} vote.sync.all.pred %p2, %p1, -1; {}", bit("%p2")), |_| 0);
    expect(&format!("{odd} vote.sync.uni.pred %p2, %p1, -1; {}", bit("%p2")), |_| 0);
    // Only odd lanes take part: for them the vote is unanimous.
    let some =
        format!("{odd} mov.b32 %r9, 5; @!%p1 bra OUT; vote.sync.all.pred %p2, %p1, 0xaaaaaaaa; {} OUT:", bit("%p2"));
    expect(&some, |i| if i % 2 == 1 { 1 } else { 5 });
}

#[test]
fn matches_and_reductions() {
    let third = "rem.u32 %r3, %r1, 3;";
    expect(&format!("{third} match.any.sync.b32 %r9, %r3, -1;"), |i| {
        (0..32).filter(|j| j % 3 == i % 3).fold(0, |m, j| m | 1 << j)
    });
    expect("mov.b32 %r3, 9; match.all.sync.b32 %r9|%p1, %r3, -1; @!%p1 mov.b32 %r9, 1;", |_| 0xffff_ffff);
    expect(&format!("{third} match.all.sync.b32 %r9|%p1, %r3, -1; @!%p1 add.u32 %r9, %r9, 1;"), |_| 1);
    expect("redux.sync.add.u32 %r9, %r2, -1;", |_| (0..32).map(|i| i * i).sum());
    expect("sub.s32 %r3, 5, %r1; redux.sync.min.s32 %r9, %r3, -1;", |_| u64::from(-26i32 as u32));
    expect("sub.s32 %r3, 5, %r1; redux.sync.max.u32 %r9, %r3, -1;", |_| 0xffff_ffff);
    expect("redux.sync.xor.b32 %r9, %r2, -1;", |_| (0..32).fold(0, |x, i| x ^ (i * i)));
}

#[test]
fn elect_and_masks() {
    expect("elect.sync %r9|%p1, -1; @%p1 add.u32 %r9, %r9, 100;", |i| if i == 0 { 100 } else { 0 });
    let upper = "setp.ge.u32 %p2, %r1, 20; mov.b32 %r9, 1; @!%p2 bra OUT; elect.sync %r9|%p1, 0xfff00000; @%p1 mov.b32 %r9, 99; OUT:";
    expect(upper, |i| match i {
        0..20 => 1,
        20 => 99,
        _ => 20,
    });
    expect("setp.lt.u32 %p1, %r1, 4; activemask.b32 %r9; @!%p1 bra OUT; activemask.b32 %r9; OUT:", |i| {
        if i < 4 { 15 } else { 0xffff_ffff }
    });
    for (name, want) in [
        ("eq", (|i| 1 << i) as fn(u64) -> u64),
        ("lt", |i| (1 << i) - 1),
        ("le", |i| (2 << i) - 1),
        ("gt", |i| 0xffff_ffff & !((2 << i) - 1)),
        ("ge", |i| 0xffff_ffff & !((1 << i) - 1)),
    ] {
        expect(&format!("mov.u32 %r9, %lanemask_{name};"), want);
    }
}

/// Both arms of a branch shuffle, each among its own lanes; then all meet.
#[test]
fn diverged_lanes_shuffle_among_themselves() {
    let body = "setp.lt.u32 %p1, %r1, 16; @%p1 bra LOW;\n\
        shfl.sync.bfly.b32 %r9, %r2, 1, 31, 0xffff0000; bra JOIN;\n\
        LOW: shfl.sync.bfly.b32 %r9, %r2, 2, 31, 0x0000ffff;\n\
        JOIN: bar.warp.sync -1; shfl.sync.idx.b32 %r3, %r9, 31, 31, -1; add.u32 %r9, %r9, %r3;";
    expect(body, |i| (if i < 16 { i ^ 2 } else { i ^ 1 }).pow(2) + 900);
}

/// One instruction, two member masks: each group continues when it is complete.
#[test]
fn member_masks_may_differ_in_one_instruction() {
    let body = "setp.lt.u32 %p1, %r1, 8; selp.b32 %r3, 0x000000ff, 0xffffff00, %p1;\n\
        redux.sync.add.u32 %r9, %r1, %r3;";
    expect(body, |i| if i < 8 { 28 } else { 496 - 28 });
}

#[test]
fn a_mask_without_the_lane_itself_is_an_error() {
    let error = run_words(32, 1, "", "mov.b32 %r1, 0xfffffffe; redux.sync.add.u32 %r2, %r1, %r1;").unwrap_err();
    let fault = error.fault().unwrap();
    assert_eq!((fault.kind, fault.thread.unwrap().thread), (FaultKind::Invalid, [0, 0, 0]));
}

#[test]
fn a_partial_warp_waits_for_its_own_lanes_only() {
    let body = "mov.u32 %r1, %tid.x; redux.sync.add.u32 %r2, 1, -1; bar.sync 0; setp.ne.u32 %p1, %r1, 32; @%p1 ret;\n\
        cvt.u64.u32 %rd1, %r2; st.global.b64 [%rd0], %rd1;";
    assert_eq!(run_words(40, 1, "", body).unwrap(), [8]);
}
