//! Copies between registers: which thread holds which element afterwards, and which alternative is chosen.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::common::build::{F16, F32, F64, U8, chip, copy, cta, declined, laid_out, only, part, planned, thread, warp};
use crate::common::generate::converting;
use crate::common::generate_registers::register_pair;
use crate::common::oracle::{Values, check};
use crate::common::tape::{Tape, tapes};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use tile_isa::Space;
use tile_plan::choose::SelectError;
use tile_plan::families::composite::Composite;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::registers::plan::RegisterCopy;
use tile_plan::families::registers::steps::RegisterStep;
use tile_plan::families::select;
use tile_plan::problem::Problem;
use tile_plan::problem::operands::Operand;
use tile_plan::problem::threads::Threads;

fn registers(shape: &[i64], layout: &str) -> Operand {
    laid_out(Space::Local, shape, layout)
}

fn forced(problem: &Problem, name: &str) -> Problem {
    Problem { forced: Some(name.to_owned()), ..problem.clone() }
}

fn shuffled(problem: &Problem) -> RegisterCopy {
    match planned(&forced(problem, "shuffle")) {
        CopyPlan::Registers(plan) => plan,
        other => panic!("not in registers: {other:?}"),
    }
}

fn through_scratch(problem: &Problem) -> Composite {
    match planned(&forced(problem, "scratch")) {
        CopyPlan::Composite(plan) => plan,
        other => panic!("not through scratch: {other:?}"),
    }
}

/// Instructions and wavefronts of a plan in registers.
fn cost(problem: &Problem) -> (i64, i64) {
    let cost = shuffled(problem).weighed.shuffle.unwrap();
    (cost.instructions, cost.wavefronts)
}

#[test]
fn what_a_thread_holds_is_renamed() {
    let rows = || registers(&[32, 8], "(32, 8) : (1@laneid, 1)");
    let turned = registers(&[32, 8], "(32, 2, 4) : (1@laneid, 1, 2)");
    assert_eq!(cost(&copy(rows(), turned, F32, warp())), (0, 0));
    assert_eq!(cost(&copy(rows(), rows(), F16, warp())), (0, 0));
    let plain = |layout| registers(&[6], layout);
    assert_eq!(cost(&copy(plain("(6) : (1)"), plain("(6) : (2)"), F64, thread())), (0, 0));
    // Three of four lanes, and threads of all warps of a block whose size is not a power of two.
    let odd = || registers(&[24, 4], "(24, 4) : (1@laneid, 1)");
    assert_eq!(cost(&copy(odd(), odd(), U8, warp())), (0, 0));
    let block = || registers(&[96, 4], "(96, 4) : (1@tx, 1)");
    assert_eq!(cost(&copy(block(), block(), F32, cta(96))), (0, 0));
    // A part of the rows, by lanes that keep the others.
    let part_of = |at| part(rows(), &[(16, 8), (at, 4)]);
    assert_eq!(cost(&copy(part_of(0), part_of(4), F32, warp())), (0, 0));
}

#[test]
fn lanes_that_hold_the_same_select() {
    let all = registers(&[8], "(8) : (1)");
    let one = registers(&[8], "(8) : (1@laneid) + R(4 : 8@laneid)");
    assert_eq!(cost(&copy(all, one, F32, warp())), (7, 0));
}

#[test]
fn lanes_swap_shuffle_and_gather() {
    let held = |layout| registers(&[2, 32], layout);
    // One digit of registers and one of lanes: a shuffle and three selects for each pair of registers.
    let swapped = copy(held("(2, 32) : (1, 1@laneid)"), held("(2, 2, 16) : (16@laneid, 1, 1@laneid)"), F32, warp());
    assert_eq!(cost(&swapped), (4, 1));
    // Lanes in another order: a shuffle of each register.
    let turned = copy(held("(2, 32) : (1, 1@laneid)"), held("(2, 4, 8) : (1, 1@laneid, 4@laneid)"), F32, warp());
    assert_eq!(cost(&turned), (2, 2));
    assert_eq!(cost(&Problem { element: tile_plan::problem::Element::new(F64, "f64"), ..turned.clone() }), (4, 4));
    // A pair of 16 bits is a word.
    assert_eq!(cost(&Problem { element: tile_plan::problem::Element::new(F16, "f16"), ..turned }), (1, 1));
    // Every lane receives everything.
    let spread = copy(registers(&[32], "(32) : (1@laneid)"), registers(&[32], "(32) : (1)"), F32, warp());
    assert_eq!(cost(&spread), (32, 32));
}

#[test]
fn a_chain_of_swaps_or_one_and_a_shuffle() {
    // Rows of an accumulator of mma, to a row a lane.
    let fragment = registers(&[32, 8], "(4, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)");
    let rows = registers(&[32, 8], "(32, 8) : (1@laneid, 1)");
    let problem = copy(fragment, rows, F32, warp());
    let plan = shuffled(&problem);
    let steps = plan.steps().unwrap().steps;
    assert!(matches!(steps.last(), Some(RegisterStep::Shuffle { .. })), "{steps:?}");
    let scratch = through_scratch(&problem);
    let least = [plan.weighed.shuffle, scratch.weighed.scratch].map(|cost| cost.unwrap().cycles());
    let taken = planned(&problem);
    assert_eq!(taken.variant(), if least[0] <= least[1] { "shuffle" } else { "scratch" });
    assert_eq!(scratch.weighed.shuffle, plan.weighed.shuffle);
    assert_eq!(declined(&problem, "reg").cause, "unsupported-spaces");
}

#[test]
fn scratch_is_spread_over_banks() {
    let column = registers(&[32, 32], "(32, 32) : (1, 1@laneid)");
    let row = registers(&[32, 32], "(32, 32) : (1@laneid, 1)");
    let problem = copy(column, row, F32, Threads { block: Some(128), ..warp() });
    let scratch = through_scratch(&problem);
    let cost = scratch.weighed.scratch.unwrap();
    assert_eq!((scratch.buffers.tile.as_ref().unwrap().instances, cost.wavefronts), (4, 64), "{scratch:?}");
    assert_eq!(planned(&problem).variant(), "scratch");
}

#[test]
fn declines() {
    let rows = || registers(&[32, 8], "(32, 8) : (1@laneid, 1)");
    let turned = || registers(&[32, 8], "(4, 8, 8) : (1@laneid, 4@laneid, 1)");
    let problem = copy(rows(), turned(), F32, warp());
    let cause = |problem: &Problem, name| declined(problem, name).cause;
    let some = |problem: &Problem| Problem { threads: only(warp(), |thread| thread < 16), ..problem.clone() };
    assert_eq!(cause(&some(&problem), "shuffle"), "not-all-threads-active");
    assert_eq!(cause(&some(&problem), "scratch"), "not-all-threads-active");
    let warps = |layout| registers(&[64, 4], layout);
    let crossing = copy(warps("(64, 4) : (1@tx, 1)"), warps("(2, 32, 4) : (1@tx, 2@tx, 1)"), F32, cta(64));
    assert_eq!(cause(&crossing, "shuffle"), "crosses-warps");
    assert_eq!(planned(&crossing).variant(), "scratch");
    let small = copy(registers(&[16], "(16) : (1@tx)"), registers(&[16], "(2, 8) : (1@tx, 2@tx)"), F32, cta(16));
    assert_eq!(cause(&small, "shuffle"), "threads-not-whole-warps");
    let odd = |layout| registers(&[3, 8], layout);
    let odd = copy(odd("(3, 8) : (8@laneid, 1@laneid)"), odd("(3, 8) : (1, 1@laneid) + R(4 : 8@laneid)"), F32, warp());
    assert_eq!(cause(&odd, "shuffle"), "not-powers-of-two");
    let large = |layout| registers(&[2048], layout);
    let large = copy(large("(2048) : (1)"), large("(2048) : (2)"), F32, thread());
    assert_eq!(cause(&large, "shuffle"), "too-many-registers");
    assert_eq!(cause(&large, "scratch"), "scope-has-no-warps");
    let unknown = Problem { threads: Threads { block: None, ..warp() }, ..problem.clone() };
    assert_eq!(cause(&unknown, "scratch"), "block-size-unknown");
    let many = Problem {
        threads: Threads { block: Some(1024), ..warp() },
        ..copy(
            registers(&[32, 64], "(32, 64) : (1@laneid, 1)"),
            registers(&[32, 64], "(4, 8, 64) : (1@laneid, 4@laneid, 1)"),
            F32,
            warp(),
        )
    };
    assert_eq!(cause(&many, "scratch"), "scratch-too-large");
    assert_eq!(planned(&many).variant(), "shuffle");
    let column = registers(&[32, 32], "(32, 32) : (1, 1@laneid)");
    let square = copy(column, registers(&[32, 32], "(32, 32) : (1@laneid, 1)"), F32, warp());
    let (_, declines) = select(&square, &chip("sm_90a")).unwrap();
    assert_eq!(declines.last().map(|decline| decline.cause), Some("scratch-cheaper"));
    let alone = Problem { allowed: Some(vec!["shuffle".to_owned()]), ..square };
    assert_eq!(planned(&alone).variant(), "shuffle");
}

/// The variants that take random copies, and the causes of those that none takes.
fn outcomes(generate: impl Fn(&mut Tape) -> (Problem, Values), cases: u32) -> BTreeMap<String, usize> {
    let seen = Mutex::new(BTreeMap::new());
    let config = ProptestConfig { failure_persistence: None, cases, ..ProptestConfig::default() };
    TestRunner::new(config)
        .run(&tapes(), |mut tape| {
            let (problem, values) = generate(&mut tape);
            for name in [None, Some("shuffle"), Some("scratch")] {
                let problem = Problem { forced: name.map(str::to_owned), ..problem.clone() };
                let outcome = match select(&problem, &chip("sm_90a")) {
                    Ok((plan, _)) => {
                        let checked = check(&problem, &plan, &chip("sm_90a"), &values);
                        checked.map_err(|error| TestCaseError::fail(format!("{error}\n{plan:#?}\n{problem:#?}")))?;
                        plan.variant().to_owned()
                    }
                    Err(SelectError::Declined { declines, .. }) => declines.last().unwrap().cause.to_owned(),
                    Err(error) => return Err(TestCaseError::fail(error.to_string())),
                };
                let name = name.unwrap_or("any");
                *seen.lock().unwrap().entry(format!("{name}: {outcome}")).or_insert(0) += 1;
            }
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    let seen = seen.into_inner().unwrap();
    println!("{seen:#?}");
    seen
}

#[test]
fn random_copies_are_exact_or_refused() {
    let seen = outcomes(register_pair, 400);
    for wanted in ["any: shuffle", "any: scratch", "shuffle: shuffle", "scratch: scratch"] {
        assert!(seen.contains_key(wanted), "no copy ended as {wanted}: {seen:?}");
    }
}

#[test]
fn random_conversions_are_exact_or_refused() {
    let seen = outcomes(
        |tape| {
            let pair = register_pair(tape);
            converting(tape, pair)
        },
        150,
    );
    assert!(seen.contains_key("any: shuffle") && seen.contains_key("any: scratch"), "{seen:?}");
}
