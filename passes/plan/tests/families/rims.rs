//! Rows that begin or end within a vector: an aligned body and its rims.

use crate::common::build::{F16, F32, chip, copy, cta, laid_out, part, planned_with, rows, thread};
use crate::common::oracle::{Values, check};
use crate::common::tape::tapes;
use proptest::prelude::*;
use tile_isa::Space;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::Problem;
use tile_plan::problem::mask::{Fill, Mask, MaskLimit};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::Begin;

/// Rounds and bits of an access, for each part.
fn parts(problem: &Problem, values: &Values) -> Vec<(i64, i64)> {
    let one = |plan: &CopyPlan| {
        let CopyPlan::Partition(copy) = plan else { panic!("a part by {}", plan.variant()) };
        let (plan, _) = vectorize(copy, &chip("sm_90a"), problem.max_vector_bits).unwrap();
        (plan.rounds, plan.vector_bits())
    };
    match planned_with(problem, values) {
        CopyPlan::Composite(plan) => plan.steps.iter().map(|step| one(&step.plan)).collect(),
        plan => vec![one(&plan)],
    }
}

/// 18 rows of 66 f32 of a matrix of 640 columns, from column 64 i + `residue` on.
fn halo(residue: i64, tile: &str) -> Problem {
    let mut image = part(rows(Space::Global, &[32, 640]), &[(3, 18), (0, 66)]);
    image.begin[1] = Begin::Dynamic { value: 0, divisor: 64, residue };
    copy(image, laid_out(Space::Shared, &[18, 66], tile), F32, cta(256))
}

fn at(column: i64) -> Values {
    Values { src: vec![column], ..Values::default() }
}

const ALIGNED: &str = "(18, 66) : (72, 1) + 3";

#[test]
fn a_halo_is_an_aligned_body_and_its_rims() {
    assert_eq!(parts(&halo(63, ALIGNED), &at(127)), [(2, 128), (1, 32)]);
    // Pairs of both sides, too.
    assert_eq!(parts(&halo(63, "(18, 66) : (72, 1) + 1"), &at(127)), [(3, 64), (1, 32)]);
    assert_eq!(parts(&halo(63, "(18, 66) : (70, 1) + 3"), &at(127)), [(3, 64), (1, 32)]);
}

#[test]
fn rows_stay_whole_where_parts_take_no_fewer_accesses() {
    assert_eq!(parts(&halo(62, "(18, 66) : (72, 1) + 2"), &at(126)), [(3, 64)]);
    assert_eq!(parts(&halo(0, "(18, 66) : (72, 1)"), &at(64)), [(3, 64)]);
}

#[test]
fn sides_that_are_not_cut_alike_stay_whole() {
    assert_eq!(parts(&halo(63, "(18, 66) : (68, 1)"), &at(127)), [(5, 32)]);
    // Every other row begins elsewhere.
    assert_eq!(parts(&halo(63, "(18, 66) : (71, 1) + 3"), &at(127)), [(5, 32)]);
}

#[test]
fn one_thread_copies_rows_as_they_are() {
    assert_eq!(parts(&Problem { threads: thread(), ..halo(63, ALIGNED) }, &at(127)), [(1188, 32)]);
}

#[test]
fn widths_that_are_limited_limit_the_body() {
    let narrow = Problem { max_vector_bits: 64, ..halo(63, ALIGNED) };
    assert_eq!(parts(&narrow, &at(127)), [(3, 64), (1, 32)]);
}

/// The same where the image ends before column `extent`.
fn masked(extent: Begin) -> Problem {
    let begin = Begin::Dynamic { value: 0, divisor: 64, residue: 63 };
    let limit = MaskLimit { role: Role::Src, dimension: Some(1), offset: 0, scale: 1, begin, extent };
    Problem { mask: Some(Mask::of(&[18, 66], vec![limit], Some(Fill::Zero))), ..halo(63, ALIGNED) }
}

#[test]
fn masks_move_with_the_body() {
    let extent = |divisor| Begin::Dynamic { value: 1, divisor, residue: 0 };
    let values = |begin, extent| Values { src: vec![begin], mask: vec![begin, extent], ..Values::default() };
    for (begin, extent_value) in [(127, 640), (127, 160), (-1, 640), (-1, 0), (63, 64), (63, 128), (127, 192)] {
        assert_eq!(parts(&masked(extent(4)), &values(begin, extent_value)), [(2, 128), (1, 32)]);
    }
    assert_eq!(parts(&masked(extent(1)), &values(127, 157)), [(5, 32)]);
}

/// Rows of `length` elements from column `begin` on, to rows that begin alike or not.
fn random_rows(length: i64, (begin, other): (i64, i64), bits: u32, threads: i64) -> Problem {
    let whole = |space, begin: i64| -> Operand { part(rows(space, &[6, 128]), &[(1, 4), (begin, length)]) };
    copy(whole(Space::Global, begin), whole(Space::Shared, other), bits, cta(threads))
}

proptest! {
    #[test]
    fn rows_of_any_begin_and_length_arrive(mut tape in tapes()) {
        let bits = [8, F16, F32, 64][tape.below(4) as usize];
        let (length, begin) = (1 + tape.below(90), tape.below(38));
        let other = if tape.chance(1, 2) { begin % 16 } else { tape.below(38) };
        let problem = random_rows(length, (begin, other), bits, 32 << tape.below(4));
        let (plan, _) = select(&problem, &chip("sm_90a")).unwrap();
        prop_assert!(check(&problem, &plan, &chip("sm_90a"), &Values::default()).is_ok());
        let CopyPlan::Composite(plan) = plan else { return Ok(()) };
        prop_assert!((begin - other) % 2 == 0, "both sides are cut alike");
        prop_assert!(plan.steps.len() <= 3);
    }
}
