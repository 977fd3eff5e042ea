//! The defects of a copy that are refused whichever variant would take it: one cause each, with the operand.

use crate::common::build::{F32, copy, cta, laid_out, rows, thread, warp};
use tile_isa::{Cache, Scope, Space};
use tile_layout::{Axis, Iter, Layout, counted};
use tile_plan::problem::check::check_copy;
use tile_plan::problem::mask::{Mask, MaskLimit};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::{Begin, RunTimeStride};
use tile_plan::problem::threads::Threads;
use tile_plan::problem::{Element, Problem};

const G: Space = Space::Global;
const S: Space = Space::Shared;
const L: Space = Space::Local;

fn good() -> Problem {
    copy(rows(G, &[32, 32]), rows(S, &[32, 32]), F32, warp())
}

/// The cause, the operand and the text of the refusal.
fn wrong(problem: &Problem) -> (&'static str, Option<Role>, String) {
    let refusal = check_copy(problem).unwrap_err();
    (refusal.cause, refusal.operand, refusal.reason)
}

fn wrong_source(src: Operand) -> (&'static str, String) {
    let (cause, operand, text) = wrong(&good().with_operand(Role::Src, src));
    assert_eq!(operand, Some(Role::Src), "{text}");
    (cause, text)
}

#[test]
fn a_good_copy() {
    assert_eq!(check_copy(&good()), Ok(()));
}

#[test]
fn elements() {
    for bits in [0, 1, 4, 12, 24, 256] {
        let problem = Problem { element: Element::new(bits, "odd"), ..good() };
        let (cause, _, text) = wrong(&problem);
        assert_eq!(cause, "element-width-unsupported");
        assert!(text.contains(&format!("have {}; needed 8, 16, 32, 64 or 128", counted(bits, "bit"))), "{text}");
    }
}

#[test]
fn threads() {
    let cause = |threads| wrong(&Problem { threads, ..good() }).0;
    assert_eq!(cause(Threads::all(Scope::Cta, None)), "block-size-unknown");
    for block in [0, -32, 1025, i64::MAX] {
        assert_eq!(cause(Threads::all(Scope::Warp, Some(block))), "block-size-out-of-range");
        assert_eq!(cause(cta(block)), "block-size-out-of-range");
    }
    assert_eq!(check_copy(&Problem { threads: Threads::all(Scope::Warp, None), ..good() }), Ok(()));
}

#[test]
fn layouts() {
    let negative = Operand::whole(G, Layout::new([Iter::memory(32, -1)]), &[32], 16);
    let (cause, text) = wrong_source(negative);
    assert_eq!(cause, "invalid-layout");
    assert!(text.contains("addresses start at 0"), "{text}");
    let (cause, text) = wrong_source(laid_out(G, &[32, 16], "(32, 32) : (32, 1)"));
    assert_eq!(cause, "layout-size-differs");
    assert!(text.contains("shape [32, 16] does not have the 1024 elements"), "{text}");
    assert_eq!(wrong_source(Operand { shape: vec![-32, -32], ..rows(G, &[32, 32]) }).0, "layout-size-differs");
    assert_eq!(wrong_source(Operand { shape: vec![i64::MAX; 3], ..rows(G, &[32, 32]) }).0, "layout-size-differs");
}

#[test]
fn axes() {
    let lanes = |space| laid_out(space, &[32, 32], "(32, 32) : (1@laneid, 1)");
    for space in [G, S, Space::Tmem] {
        assert_eq!(wrong_source(lanes(space)).0, "axis-not-of-space");
    }
    assert_eq!(wrong_source(laid_out(L, &[32, 32], "(32, 32) : (1@bx, 1)")).0, "axis-not-of-space");
    assert_eq!(wrong_source(laid_out(L, &[32, 32], "(32, 32) : (1@TLane, 1)")).0, "axis-not-of-space");
    let (cause, text) = wrong_source(laid_out(L, &[32, 32], "(32, 32) : (2@laneid, 1)"));
    assert_eq!(
        (cause, text.as_str()),
        ("thread-axis-too-long", "the source's layout counts to 63 on 'laneid'; there are 32")
    );
    let beyond = laid_out(L, &[32, 32], "(32, 32) : (1@tx, 1) + 1@tx");
    assert_eq!(wrong_source(beyond.clone()).0, "thread-axis-too-long");
    let roomy = Problem { threads: Threads::all(Scope::Cta, Some(64)), ..good().with_operand(Role::Src, beyond) };
    assert_eq!(check_copy(&roomy), Ok(()));
    let gap = Layout::new([Iter::new(2, 1, Axis::WgId), Iter::new(32, 1, Axis::LaneId), Iter::memory(16, 1)]);
    let gap = Problem { threads: cta(256), ..good().with_operand(Role::Src, Operand::whole(L, gap, &[32, 32], 16)) };
    assert_eq!(wrong(&gap).0, "invalid-layout");
}

#[test]
fn regions() {
    let at = |begin: Begin, extent: i64| {
        let begin = vec![begin, Begin::Const(0)];
        Operand { begin, extent: vec![extent, 32], ..rows(G, &[32, 32]) }
    };
    for (begin, extent) in [(1, 32), (0, 33), (-1, 32), (0, 0), (0, -1), (i64::MAX, 32), (i64::MAX, i64::MAX)] {
        let (cause, text) = wrong_source(at(Begin::Const(begin), extent));
        assert_eq!(cause, "region-out-of-bounds");
        assert!(
            text.contains(&format!("{extent} elements from {begin} on; needed a non-empty part of [0, 32)")),
            "{text}"
        );
    }
    for (divisor, residue) in [(0, 0), (-8, 0), (8, 8), (8, -1), (8, 1)] {
        let (cause, _) = wrong_source(at(Begin::Dynamic { value: 0, divisor, residue }, 32));
        assert_eq!(cause, "region-out-of-bounds");
    }
    let short = Operand { extent: vec![32], ..rows(G, &[32, 32]) };
    let (cause, text) = wrong_source(short);
    assert_eq!(
        (cause, text.as_str()),
        ("region-rank-differs", "got 2 begins and 1 extent for the source; its rank is 2")
    );
}

#[test]
fn alignment() {
    for align in [0, -4, 1, 2, 6] {
        let (cause, text) = wrong_source(Operand { align_bytes: align, ..rows(G, &[32, 32]) });
        assert_eq!(cause, "element-misaligned");
        let align = counted(align, "byte");
        assert!(text.contains(&format!("aligned to {align}; needed a multiple of the element's 4")), "{text}");
    }
}

#[test]
fn both_operands_together() {
    let (cause, _, text) = wrong(&copy(rows(G, &[32, 1, 8]), rows(S, &[8, 32]), F32, warp()));
    assert_eq!(cause, "extents-differ");
    assert!(text.contains("[32, 8] without unit extents, the destination region [8, 32]"), "{text}");
    assert_eq!(check_copy(&copy(rows(G, &[32, 1, 8]), rows(S, &[32, 8]), F32, warp())), Ok(()));
    let hinted =
        Problem { cache: Cache { nc: true, ..Cache::default() }, ..copy(rows(S, &[8]), rows(G, &[8]), F32, thread()) };
    assert_eq!(wrong(&hinted).0, "cache-needs-global-source");
}

#[test]
fn one_place_for_each_element_of_a_destination() {
    let stacked = || laid_out(S, &[4, 8], "(4, 8) : (0, 1)");
    let (cause, operand, text) = wrong(&copy(rows(G, &[4, 8]), stacked(), F32, warp()));
    assert_eq!((cause, operand), ("destination-overlaps", Some(Role::Dst)));
    assert!(text.contains("several elements in one place, as (0, 0) and (1, 0) (iter 4:0)"), "{text}");
    assert_eq!(check_copy(&copy(stacked(), rows(G, &[4, 8]), F32, warp())), Ok(()));
    let one = crate::common::build::part(stacked(), &[(2, 1), (0, 8)]);
    assert_eq!(check_copy(&copy(rows(G, &[8]), one, F32, warp())), Ok(()));
    let closer = || laid_out(G, &[8, 64], "(8, 64) : (60, 1)");
    let (cause, _, text) = wrong(&copy(rows(S, &[8, 64]), closer(), F32, warp()));
    assert_eq!(cause, "destination-overlaps");
    assert!(text.contains("as (0, 60) and (1, 0) (iters 8:60 and 64:1); needed one"), "{text}");
    let narrow = crate::common::build::part(closer(), &[(0, 8), (4, 60)]);
    assert_eq!(check_copy(&copy(rows(S, &[8, 60]), narrow, F32, warp())), Ok(()));
    // Sums of strides may be equal that are different by themselves, in registers, in run-time strides and in tensor memory.
    let strided = |operand: Operand| {
        let strides = (0..operand.layout.stride_count()).map(|value| RunTimeStride { value, divisor: 1 });
        Operand { strides: strides.collect(), ..operand }
    };
    for (space, layout) in [
        (L, "(8, 4) : (1, 2)"),
        (L, "(8, 4) : (2@laneid, 4@laneid)"),
        (G, "(8, 4) : (1@s0, 1@s0)"),
        (Space::Tmem, "(8, 4) : (1@TLane, 4@TLane)"),
    ] {
        let (cause, ..) = wrong(&copy(rows(S, &[8, 4]), strided(laid_out(space, &[8, 4], layout)), F32, warp()));
        assert_eq!(cause, "destination-overlaps", "{layout}");
    }
    // Rows have room for 64 columns, and a mask leaves no more.
    let wide = || laid_out(G, &[8, 80], "(8, 80) : (64, 1)");
    let problem = copy(rows(S, &[8, 80]), wide(), F32, warp());
    assert_eq!(wrong(&problem).0, "destination-overlaps");
    let limit =
        |extent| MaskLimit { role: Role::Dst, dimension: Some(1), offset: 0, scale: 1, begin: Begin::Const(0), extent };
    let masked = |extent| Problem { mask: Some(Mask::of(&[8, 80], vec![limit(extent)], None)), ..problem.clone() };
    assert_eq!(check_copy(&masked(Begin::Const(64))), Ok(()));
    assert_eq!(wrong(&masked(Begin::Const(65))).0, "destination-overlaps");
    assert_eq!(check_copy(&masked(Begin::Dynamic { value: 0, divisor: 1, residue: 0 })), Ok(()));
}
