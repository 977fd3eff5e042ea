//! Fills and reductions: every location of the destination once, by accesses that exist.

use crate::common::build::{chip, copy, laid_out, rows, warp};
use crate::common::generate::{memory_copy, private_copy, register_copy};
use crate::common::generate_changes::masked;
use crate::common::oracle::{Values, check};
use crate::common::tape::{Tape, tapes};
use proptest::prelude::*;
use tile_isa::{Red, Space};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::vector::plan::VectorCopy;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::effect::Effect;
use tile_plan::problem::mask::Mask;
use tile_plan::problem::operands::Operands;
use tile_plan::problem::role::Role;
use tile_plan::problem::{Element, Problem};
use tile_plan::variants;

fn vectors(problem: &Problem, name: &str) -> VectorCopy {
    let (CopyPlan::Partition(copy), _) = select(problem, &chip(name)).unwrap() else { panic!("no partition") };
    let (plan, _) = vectorize(&copy, &chip(name), 128).unwrap();
    plan.verify().unwrap();
    plan
}

fn red(word: &str, element: &str) -> Effect {
    Effect::Reduced(Red::of(word, element).unwrap())
}

fn reducing(word: &str, element: (&str, u32), to: Space) -> Problem {
    let from = if to == Space::Global { Space::Shared } else { Space::Global };
    let problem = copy(rows(from, &[32, 64]), rows(to, &[32, 64]), element.1, warp());
    Problem { element: Element::new(element.1, element.0), effect: red(word, element.0), ..problem }
}

#[test]
fn loads_are_wide_and_reductions_as_wide_as_there_are() {
    let accesses = |word, element, to, name| {
        let plan = vectors(&reducing(word, element, to), name);
        (plan.vector, plan.accesses)
    };
    use Space::{Global, Shared};
    assert_eq!(accesses("add", ("f32", 32), Global, "sm_90a"), (4, [1, 1]));
    assert_eq!(accesses("add", ("f32", 32), Global, "sm_80"), (4, [1, 4]));
    assert_eq!(accesses("add", ("f32", 32), Shared, "sm_90a"), (4, [1, 4]));
    assert_eq!(accesses("add", ("f16", 16), Global, "sm_80"), (8, [1, 4]));
    assert_eq!(accesses("max", ("f16", 16), Global, "sm_90a"), (8, [1, 1]));
    assert_eq!(accesses("max", ("f16", 16), Global, "sm_80"), (8, [1, 8]));
    assert_eq!(accesses("add", ("bf16", 16), Shared, "sm_80"), (8, [1, 8]));
    assert_eq!(accesses("add", ("bf16", 16), Shared, "sm_90"), (8, [1, 4]));
    assert_eq!(accesses("and", ("i64", 64), Global, "sm_100a"), (2, [1, 2]));
}

#[test]
fn a_forced_width_is_that_of_one_reduction() {
    let mut problem = reducing("add", ("f32", 32), Space::Global);
    for (_, operand) in problem.operands.iter_mut() {
        operand.extent = vec![1, 4];
    }
    problem.threads = crate::common::build::thread();
    problem.forced = Some("vec_128b".to_owned());
    assert_eq!(vectors(&problem, "sm_90a").accesses, [1, 1]);
    let refused = select(&problem, &chip("sm_80")).unwrap_err().to_string();
    assert!(refused.contains("sm_80 reduces by 32 bits at a time; needed 128"), "{refused}");
}

#[test]
fn registers_are_not_reduced_into() {
    let registers = laid_out(Space::Local, &[8, 8], "(8, 4, 2) : (4@laneid, 1@laneid, 1)");
    let problem = copy(rows(Space::Shared, &[8, 8]), registers, 32, warp());
    let problem = Problem { element: Element::new(32, "i32"), effect: red("add", "i32"), ..problem };
    let refusal = variants::ask(variants::by_name("reg").unwrap(), &problem, &chip("sm_90a")).unwrap_err();
    assert_eq!(refusal.cause, "reducing-copy");
}

#[test]
fn who_moves_bytes_declines() {
    let fragment = laid_out(Space::Local, &[8, 8], "(8, 4, 2) : (4@laneid, 1@laneid, 1)");
    let problem = copy(fragment, rows(Space::Shared, &[8, 8]), 16, warp());
    let problem = Problem { element: Element::new(16, "f16"), effect: red("add", "f16"), ..problem };
    let refusal = variants::ask(variants::by_name("ldstmatrix").unwrap(), &problem, &chip("sm_90a")).unwrap_err();
    assert_eq!(refusal.reason, "the copy reduces by add; needed one that stores what it reads");
    let filled = Problem { effect: Effect::Filled, ..problem };
    let refusal = variants::ask(variants::by_name("reg").unwrap(), &filled, &chip("sm_90a")).map(drop);
    assert!(refusal.is_ok() || refusal.is_err_and(|refusal| refusal.cause == "no-fill"));
}

/// All elements of a row go to one location.
#[test]
fn places_may_be_reduced_into_by_many() {
    let mut problem = reducing("add", ("i32", 32), Space::Global);
    problem = problem.with_operand(Role::Dst, laid_out(Space::Global, &[32, 64], "(32, 64) : (1, 0)"));
    let (aligned, _) = select(&problem, &chip("sm_90a")).unwrap();
    check(&problem, &aligned, &chip("sm_90a"), &Values::default()).unwrap();
    let stored = Problem { effect: Effect::Stored, ..problem };
    assert!(select(&stored, &chip("sm_90a")).is_err());
}

/// A copy with another effect: a reduction where its element has one.
fn with_effect(tape: &mut Tape, (problem, values): (Problem, Values)) -> (Problem, Values) {
    let reductions = match problem.element.bits {
        16 => [("add", "f16"), ("max", "bf16"), ("add", "bf16")],
        32 => [("add", "f32"), ("min", "f32"), ("umax", "i32")],
        64 => [("add", "f64"), ("xor", "i64"), ("add", "i64")],
        _ => return filled(problem, values),
    };
    let (word, element) = tape.pick(&reductions);
    let reduced =
        matches!(problem.operand(Role::Dst).unwrap().space, Space::Global | Space::Shared) && tape.chance(1, 2);
    if !reduced {
        return filled(problem, values);
    }
    let mask = problem.mask.clone().map(|mask| Mask { fill: None, ..mask });
    let element = Element::new(problem.element.bits, element);
    let effect = red(word, &element.name);
    (Problem { mask, element, effect, conversion: None, ..problem }, values)
}

fn filled(problem: Problem, values: Values) -> (Problem, Values) {
    let mask = problem.mask.clone().map(|mask| Mask {
        limits: mask.limits.into_iter().filter(|limit| limit.role == Role::Dst).collect(),
        fill: None,
        ..mask
    });
    let operands = Operands::one(Role::Dst, problem.operand(Role::Dst).unwrap().clone());
    let problem = Problem { operands, mask, effect: Effect::Filled, cache: Default::default(), ..problem };
    (problem, Values { src: values.dst.clone(), ..values })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_place_is_written_once(mut tape in tapes()) {
        let drawn = match tape.below(5) {
            0 | 1 => memory_copy(&mut tape),
            2 => private_copy(&mut tape),
            _ => register_copy(&mut tape),
        };
        let drawn = if tape.chance(1, 3) { masked(&mut tape, drawn) } else { drawn };
        let (problem, values) = with_effect(&mut tape, drawn);
        let target = chip(tape.pick(&["sm_90a", "sm_100a", "sm_80"]));
        if let Ok((aligned, _)) = select(&problem, &target) {
            let checked = check(&problem, &aligned, &target, &values);
            prop_assert_eq!(checked, Ok(()), "{:#?}\n{:#?}", problem, aligned);
        }
    }
}
