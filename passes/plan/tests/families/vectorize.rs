//! Stage 2: the widest legal width, no wider and no narrower, also for copies that were written by hand.

use crate::common::build::{F32, U8, chip, copy, laid_out, rows, warp};
use crate::common::generate::{memory_copy, register_copy};
use crate::common::oracle::Values;
use crate::common::tape::{Tape, tapes};
use proptest::prelude::*;
use tile_isa::{Cache, Space, Transfer};
use tile_layout::{Axis, Layout};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::vector::plan::{MatchedCopy, VectorCopy};
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::Problem;
use tile_plan::problem::effect::Effect;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::DynamicTerm;
use tile_plan::sides::side::Side;
use tile_plan::target::Target;

fn side(space: Space, layout: &str) -> Side {
    let layout: Layout = layout.parse().unwrap();
    Side { space, layout, dynamic: vec![], strides: vec![], align_bytes: 128 }
}

fn by_hand(src: &str, dst: &str, threads: i64, thread_iters: usize) -> MatchedCopy {
    MatchedCopy {
        variant: "gmem_smem",
        transfer: Transfer::LoadStore,
        threads,
        thread_iters,
        ranks: None,
        element_bits: 16,
        conversion: None,
        effect: Effect::Stored,
        mask: None,
        src: Some(side(Space::Global, src)),
        dst: side(Space::Shared, dst),
        rotates: false,
        forced_bits: None,
        guards: vec![],
        cache: Cache::default(),
    }
}

fn widest(copy: &MatchedCopy) -> VectorCopy {
    vectorize(copy, &chip("sm_90a"), 128).unwrap().0
}

fn shard(side: &Side) -> String {
    side.layout.to_string()
}

#[test]
fn rounds_then_threads_then_the_vector() {
    let plan = widest(&by_hand("(2048) : (1)", "(2048) : (1)", 32, 0));
    assert_eq!((plan.rounds, plan.vector, plan.thread_iters), (8, 8, 1));
    assert_eq!(shard(plan.side(Role::Src)), "(8, 32, 8) : (256, 8, 1)");
    let plan = widest(&by_hand("(32, 16) : (16, 1)", "(32, 16) : (24, 1)", 32, 0));
    assert_eq!(shard(&plan.dst), "(2, 16, 2, 8) : (384, 24, 8, 1)");
    let one = widest(&by_hand("(32) : (1)", "(32) : (3)", 32, 0));
    assert_eq!(shard(&one.dst), "(32, 1) : (3, 1)");
}

#[test]
fn the_thread_part_moves_behind_the_rounds() {
    let registers = "(8, 4, 4, 2) : (4@laneid, 1@laneid, 2, 1)";
    let copy = MatchedCopy {
        src: Some(side(Space::Local, registers)),
        ..by_hand("(256) : (1)", "(8, 4, 4, 2) : (32, 2, 8, 1)", 32, 2)
    };
    let plan = widest(&copy);
    assert_eq!((plan.rounds, plan.vector, plan.thread_iters), (4, 2, 2));
    assert_eq!(shard(plan.side(Role::Src)), "(4, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)");
    assert_eq!(shard(&plan.dst), "(4, 8, 4, 2) : (8, 32, 2, 1)");
}

#[test]
fn runs_of_several_iters_are_not_cut_in_the_wrong_place() {
    // Joined, 64 positions in a row; as they stand, only pairs can be cut off.
    let plan = widest(&by_hand("(8, 4, 2) : (8, 2, 1)", "(8, 4, 2) : (8, 2, 1)", 4, 0));
    assert_eq!((plan.vector, plan.rounds), (2, 8));
    assert_eq!(shard(plan.side(Role::Src)), "(8, 4, 2) : (8, 2, 1)");
}

#[test]
fn what_stage_1_does_not_make_is_refused() {
    let refused = |copy: &MatchedCopy| {
        let refusal = vectorize(copy, &chip("sm_90a"), 128).unwrap_err();
        assert_eq!((refusal.cause, copy.verify().unwrap_err()), ("malformed-matched-copy", refusal.clone()));
        refusal.reason
    };
    let good = || by_hand("(64) : (1)", "(64) : (1)", 32, 0);
    assert_eq!(good().verify(), Ok(()));
    assert!(
        refused(&by_hand("(64) : (1)", "(32) : (1)", 32, 0)).contains("source has 64 elements, the destination 32")
    );
    assert!(refused(&MatchedCopy { threads: 0, ..good() }).contains("got 0 threads, expected 1 to 1024"));
    assert!(refused(&MatchedCopy { element_bits: 12, ..good() }).contains("elements of 12 bits"));
    assert!(refused(&MatchedCopy { forced_bits: Some(24), ..good() }).contains("got forced_bits = 24 for elements of"));
    assert!(refused(&by_hand("(64) : (-1)", "(64) : (1)", 32, 0)).contains("the source's layout"));
    let mut unaligned = good();
    unaligned.dst.align_bytes = 0;
    assert!(refused(&unaligned).contains("got an alignment of 0 bytes of the destination, expected at least 1"));
    let term = DynamicTerm { value: 0, div: 1, stride: 8, axis: tile_layout::Axis::Memory, divisor: 0, residue: 0 };
    let mut moving = good();
    moving.src.as_mut().unwrap().dynamic.push(term);
    assert!(refused(&moving).contains("got divisor 0 in the"));
    let thread_part = |registers: &str, memory: &str, threads, iters| MatchedCopy {
        src: Some(side(Space::Local, registers)),
        ..by_hand(memory, memory, threads, iters)
    };
    assert!(
        refused(&thread_part("(16, 2) : (2@laneid, 1)", "(16, 2) : (2, 1)", 16, 1))
            .contains("does not continue the 1 thread")
    );
    assert!(
        refused(&thread_part("(32, 2) : (1@laneid, 1)", "(16, 4) : (4, 1)", 32, 1))
            .contains("do not both hold 32 threads")
    );
    assert!(
        refused(&thread_part("(32, 2) : (2, 1)", "(32, 2) : (2, 1)", 32, 1)).contains("neither side's thread part")
    );
}

#[test]
fn widths_above_128_bits_need_the_wish_and_the_chip() {
    let registers = laid_out(Space::Local, &[32, 16], "(32, 16) : (1@laneid, 1)");
    let problem = Problem { max_vector_bits: 256, ..copy(rows(Space::Global, &[32, 16]), registers, F32, warp()) };
    let bits = |target: &Target| {
        let Ok((CopyPlan::Partition(copy), _)) = select(&problem, target) else { panic!("no partition") };
        vectorize(&copy, target, problem.max_vector_bits).unwrap().0.vector_bits()
    };
    assert_eq!((bits(&chip("sm_90a")), bits(&chip("sm_100a"))), (128, 256));
    let shared = copy(rows(Space::Global, &[32, 16]), rows(Space::Shared, &[32, 16]), U8, warp());
    let Ok((CopyPlan::Partition(copy), _)) = select(&shared, &chip("sm_100a")) else { panic!("no partition") };
    assert_eq!(vectorize(&copy, &chip("sm_100a"), 256).unwrap().0.vector_bits(), 128);
}

/// The memory address of a position, by the layout's definition.
fn address(side: &Side, x: i64) -> i64 {
    side.layout.apply_linear(x).get(&Axis::Memory).copied().unwrap_or(0)
}

/// Whether every group of `width` positions may be one access on this side, by enumeration.
fn is_legal(side: &Side, width: i64, element_bytes: i64) -> bool {
    let chunk = side.layout.swizzle.is_none_or(|swizzle| swizzle.chunk() % width == 0);
    let groups = 0..side.layout.size() / width;
    chunk
        && side.align_bytes % (width * element_bytes) == 0
        && groups.clone().all(|group| address(side, group * width) % width == 0)
        && groups.into_iter().all(|group| {
            let first = address(side, group * width);
            (1..width).all(|step| address(side, group * width + step) == first + step)
        })
}

fn no_wider_width_is_legal(problem: &Problem) -> Result<(), String> {
    let target = chip("sm_90a");
    let Ok((CopyPlan::Partition(copy), _)) = select(problem, &target) else { return Ok(()) };
    let (plan, narrowings) = vectorize(&copy, &target, 128).map_err(|error| error.to_string())?;
    let moves = |side: &Side| !side.dynamic.is_empty() || !side.strides.is_empty();
    if moves(copy.side(Role::Src)) || moves(&copy.dst) {
        return Ok(());
    }
    let (bytes, per_thread) = (i64::from(copy.element_bits / 8), plan.rounds * plan.vector);
    let mut width = 16 / bytes;
    while width > plan.vector {
        let legal = per_thread % width == 0
            && is_legal(copy.side(Role::Src), width, bytes)
            && is_legal(&copy.dst, width, bytes);
        if legal {
            return Err(format!("width {width} is legal, {} was chosen: {narrowings:?}", plan.vector));
        }
        if !narrowings.iter().any(|narrowing| i64::from(narrowing.bits) == width * bytes * 8) {
            return Err(format!("no reason against width {width}"));
        }
        width /= 2;
    }
    Ok(())
}

fn property(problem: (Problem, Values)) -> Result<(), TestCaseError> {
    no_wider_width_is_legal(&problem.0).map_err(|error| TestCaseError::fail(format!("{error}\n{:#?}", problem.0)))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn widths_of_partitions_are_the_widest(mut tape in tapes()) {
        let tape: &mut Tape = &mut tape;
        property(memory_copy(tape))?;
        property(register_copy(tape))?;
    }
}
