//! The chosen width, compared with the widest correct one, which is found by enumerating all elements.

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;

use crate::common::build::{F16, F32, chip, copy, laid_out, part, rows, thread, warp};
use crate::common::generate::memory_copy;
use crate::common::machine::{coordinates, count, location};
use crate::common::oracle::{Values, check};
use crate::common::tape::{Tape, tapes};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use tile_isa::Space;
use tile_layout::{Axis, Layout};
use tile_plan::families::composite::Composite;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::vector::plan::MatchedCopy;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::Problem;
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::target::Target;

/// The addresses of the region's elements, in the order of the copy's loop nest.
fn addresses(operand: &Operand) -> Vec<i64> {
    coordinates(operand, &[])
        .iter()
        .map(|coords| {
            let x = coords.iter().zip(&operand.shape).fold(0, |x, (coord, extent)| x * extent + coord);
            location(&operand.layout, x, &[])[&Axis::Memory]
        })
        .collect()
}

/// Whether all elements can be moved `width` at a time, in any order.
fn right(problem: &Problem, places: &HashMap<i64, i64>, width: i64) -> bool {
    let bytes = width * i64::from(problem.element.bits / 8);
    let aligned = [problem.operand(Role::Src).unwrap(), problem.operand(Role::Dst).unwrap()]
        .iter()
        .all(|operand| operand.align_bytes % bytes == 0);
    aligned
        && places.iter().all(|(&to, &from)| {
            let step = to.rem_euclid(width);
            (from - step) % width == 0
                && (0..width).all(|index| places.get(&(to - step + index)) == Some(&(from - step + index)))
        })
}

/// The vector of at most 128 bits, in elements, that takes the fewest rounds: if possible, one that gives all threads
/// equal shares. `places` maps each address of the destination to the source address of its element.
fn widest_of(problem: &Problem, places: &HashMap<i64, i64>, size: i64) -> i64 {
    let widths = [16, 8, 4, 2].into_iter().filter(|width| width * i64::from(problem.element.bits) <= 128);
    let right: Vec<i64> = widths.filter(|&width| right(problem, places, width)).chain([1]).collect();
    let threads = count(problem);
    let rounds = |width: i64| (size / width + threads - 1) / threads;
    let equal = right.iter().copied().find(|width| size % (threads * width) == 0);
    equal.filter(|&equal| rounds(equal) == rounds(right[0])).unwrap_or(right[0])
}

/// The same for a whole region.
fn widest(problem: &Problem) -> i64 {
    // Several elements of a source may be at one address, but not of a destination.
    let places = addresses(problem.operand(Role::Dst).unwrap())
        .into_iter()
        .zip(addresses(problem.operand(Role::Src).unwrap()))
        .collect();
    widest_of(problem, &places, problem.operand(Role::Src).unwrap().elements())
}

/// The same for a part of a region: parts may divide, and be aligned, where the region as a whole is not.
fn widest_part(problem: &Problem, part: &MatchedCopy) -> i64 {
    let address = |layout: &Layout, x| location(layout, x, &[])[&Axis::Memory];
    let size = part.dst.layout.size();
    let places = (0..size).map(|x| (address(&part.dst.layout, x), address(&part.side(Role::Src).layout, x))).collect();
    widest_of(problem, &places, size)
}

/// The planned vector, and what rules out a wider one; 0 where the fallback copies. For a region in parts, that of the
/// part that is narrowest relative to its widest.
fn planned(problem: &Problem) -> (i64, &'static str) {
    let (planned, _, why) =
        compared(problem).into_iter().min_by_key(|(vector, widest, _)| 64 * vector / widest).unwrap();
    (planned, why)
}

/// For each part: the planned vector, the widest correct one, and what rules out the latter.
fn compared(problem: &Problem) -> Vec<(i64, i64, &'static str)> {
    let target = chip("sm_90a");
    let (aligned, declines) = select(problem, &target).unwrap();
    check(problem, &aligned, &target, &Values::default()).unwrap_or_else(|error| panic!("{error}\n{problem:#?}"));
    match &aligned {
        CopyPlan::Partition(copy) => {
            let (vector, why) = vectorized(copy, &target);
            vec![(vector, widest(problem), why)]
        }
        CopyPlan::Composite(plan) => {
            let one = |part: &MatchedCopy| {
                let (vector, why) = vectorized(part, &target);
                (vector, widest_part(problem, part), why)
            };
            parts(plan).iter().map(one).collect()
        }
        // Chunks have no vectors of elements.
        CopyPlan::Realigned(_) => Vec::new(),
        _ => {
            let decline = declines.iter().find(|decline| decline.variant == "gmem_smem");
            vec![(0, widest(problem), decline.map_or("", |decline| decline.cause))]
        }
    }
}

fn vectorized(copy: &MatchedCopy, target: &Target) -> (i64, &'static str) {
    let (plan, narrowings) = vectorize(copy, target, 128).unwrap();
    (plan.vector, narrowings.last().map_or("", |narrowing| narrowing.cause))
}

/// A copy of a static region between global and shared memory, by all threads.
fn shared_out(mut tape: Tape) -> Option<Problem> {
    let (mut problem, values) = memory_copy(&mut tape);
    if problem.operand(Role::Src).unwrap().space == problem.operand(Role::Dst).unwrap().space {
        problem.operands.get_mut(Role::Src).unwrap().space = Space::Global;
        problem.operands.get_mut(Role::Dst).unwrap().space = Space::Shared;
    }
    // Some iters count down.
    for (_, operand) in problem.operands.iter_mut() {
        for iter in operand.layout.shard.iter_mut().filter(|_| tape.chance(1, 8)) {
            let offset = operand.layout.offset.entry(Axis::Memory).or_default();
            *offset += iter.stride * (iter.extent - 1);
            iter.stride = -iter.stride;
        }
    }
    let known = values.src.is_empty() && values.dst.is_empty();
    let once = !problem.operand(Role::Dst).unwrap().layout.replica.iter().any(|iter| iter.extent > 1);
    (known && once && problem.threads.narrowed().is_none()).then_some(problem)
}

/// Swizzles that move nothing still limit vectors to their chunks, so the widest vector is not chosen.
fn settled(problem: &Problem) -> bool {
    [problem.operand(Role::Src).unwrap(), problem.operand(Role::Dst).unwrap()].iter().any(|operand| {
        operand
            .layout
            .swizzle
            .is_some_and(|swizzle| swizzle.len == 0 || operand.layout.span(Axis::Memory) <= swizzle.identity_below())
    })
}

#[test]
fn nothing_wider_is_right() {
    let seen: Mutex<BTreeMap<String, usize>> = Mutex::default();
    let config = ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let result = runner.run(&tapes(), |tape: Tape| {
        let Some(problem) = shared_out(tape) else { return Ok(()) };
        let all = compared(&problem);
        let parts = if all.len() > 1 { "part " } else { "" };
        for (vector, widest, why) in all {
            prop_assert!(vector <= widest, "{vector} of {widest}: {problem:#?}");
            let outcome = match () {
                () if vector == widest => "exact".to_owned(),
                () if settled(&problem) && why == "swizzle-chunk-too-small" => "settled".to_owned(),
                () => format!("{vector} of {widest}: {why}"),
            };
            let known = ["exact", "settled"].contains(&outcome.as_str()) || why == "region-not-sliceable";
            prop_assert!(known, "{parts}{outcome}: {problem:#?}");
            *seen.lock().unwrap().entry(format!("{parts}{outcome}")).or_default() += 1;
        }
        Ok(())
    });
    println!("{:?}", seen.lock().unwrap());
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[test]
fn iters_that_count_down_are_as_wide() {
    let pairs = |space| laid_out(space, &[8, 4], "(4, 2, 4) : (-2, 1, 8) + 6");
    assert_eq!(planned(&copy(pairs(Space::Global), pairs(Space::Shared), F32, thread())), (4, ""));
    let backwards = |space| laid_out(space, &[32, 8], "(32, 8) : (8, -1) + 7");
    assert_eq!(planned(&copy(backwards(Space::Global), backwards(Space::Shared), F16, warp())), (8, ""));
    let forwards = copy(backwards(Space::Global), rows(Space::Shared, &[32, 8]), F16, warp());
    assert_eq!(planned(&forwards), (1, "not-contiguous"));
}

/// 36 rows of blocks of 6 or of 8: a region that is not a list of iters is copied in parts that are.
#[test]
fn uneven_rows_are_copied_in_parts() {
    let rows_from = |layout: &str, first| {
        let tile = part(laid_out(Space::Shared, &[72, 64], layout), &[(first, 36), (0, 64)]);
        let problem = copy(rows(Space::Global, &[36, 64]), tile, F16, warp());
        let (aligned, _) = select(&problem, &chip("sm_90a")).unwrap();
        check(&problem, &aligned, &chip("sm_90a"), &Values::default()).unwrap();
        let CopyPlan::Composite(plan) = aligned else { panic!("no parts") };
        parts(&plan).iter().map(|copy| (copy.dst.layout.size() / 64, planned_bits(copy))).collect::<Vec<_>>()
    };
    assert_eq!(rows_from("(12, 6, 64) : (512, 64, 1)", 2), [(4, 128), (30, 128), (2, 64)]);
    assert_eq!(rows_from("(9, 8, 64) : (640, 64, 1)", 0), [(32, 128), (4, 128)]);
}

/// The plans of a composite of vectors.
fn parts(plan: &Composite) -> Vec<MatchedCopy> {
    let part = |plan: &CopyPlan| match plan {
        CopyPlan::Partition(copy) => copy.clone(),
        other => panic!("a part by {}", other.variant()),
    };
    plan.steps.iter().map(|step| part(&step.plan)).collect()
}

fn planned_bits(copy: &MatchedCopy) -> i64 {
    vectorize(copy, &chip("sm_90a"), 128).unwrap().0.vector_bits()
}

#[test]
fn rows_that_are_read_again_are_as_wide() {
    let again = laid_out(Space::Global, &[8, 64], "(4, 2, 64) : (0, 64, 1)");
    assert_eq!(planned(&copy(again, rows(Space::Shared, &[8, 64]), F32, warp())), (4, ""));
}

/// Under `swizzle<base = 1, bits = 2, shift = 3>` the chunks of 2 in a row of 16 are permuted by row, except in every fourth row.
#[test]
fn a_swizzle_that_tears_nothing_costs_nothing() {
    let tile = laid_out(Space::Shared, &[16, 16], "(16, 16) : (16, 1), swizzle<base = 1, bits = 2, shift = 3>");
    let row = |first| part(tile.clone(), &[(first, 1), (0, 4)]);
    let global = || rows(Space::Global, &[1, 4]);
    assert_eq!(planned(&copy(global(), row(4), F32, thread())), (4, ""));
    assert_eq!(planned(&copy(global(), row(1), F32, thread())), (2, "swizzle-chunk-too-small"));
}
