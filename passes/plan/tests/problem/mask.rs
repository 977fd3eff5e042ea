//! Masked copies: what is inside arrives once, what is outside is neither read nor written, or is filled.

use crate::common::build::{chip, copy, laid_out, rows, warp};
use crate::common::generate::{async_copy, converting, memory_copy, private_copy, register_copy};
use crate::common::generate_changes::masked;
use crate::common::oracle::{Values, check};
use crate::common::tape::tapes;
use proptest::prelude::*;
use tile_isa::Space;
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::vector::plan::VectorCopy;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::Problem;
use tile_plan::problem::check::check_copy;
use tile_plan::problem::mask::{Fill, Mask, MaskLimit};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::Begin;
use tile_plan::variants;

/// Columns of a matrix end at `extent`.
fn columns(begin: Begin, extent: Begin) -> Mask {
    let limit = MaskLimit { role: Role::Src, dimension: Some(1), offset: 0, scale: 1, begin, extent };
    Mask::of(&[32, 64], vec![limit], Some(Fill::Zero))
}

fn tile(mask: Mask) -> Problem {
    let problem = copy(rows(Space::Global, &[32, 64]), rows(Space::Shared, &[32, 64]), 16, warp());
    Problem { mask: Some(mask), ..problem }
}

fn vectors(problem: &Problem) -> (VectorCopy, Vec<&'static str>) {
    let (CopyPlan::Partition(copy), _) = select(problem, &chip("sm_90a")).unwrap() else { panic!("no partition") };
    let (plan, narrowings) = vectorize(&copy, &chip("sm_90a"), 128).unwrap();
    plan.verify().unwrap();
    (plan, narrowings.iter().map(|narrowing| narrowing.cause).collect())
}

fn at_run_time(value: usize, divisor: i64) -> Begin {
    Begin::Dynamic { value, divisor, residue: 0 }
}

#[test]
fn vectors_stay_whole_where_limits_are_multiples() {
    let width = |begin, extent| vectors(&tile(columns(begin, extent))).0.vector;
    assert_eq!(width(Begin::Const(0), Begin::Const(40)), 8);
    assert_eq!(width(at_run_time(0, 8), at_run_time(1, 16)), 8);
    assert_eq!(width(at_run_time(0, 8), at_run_time(1, 2)), 2);
    assert_eq!(width(Begin::Const(-4), Begin::Const(40)), 4);
    let (plan, causes) = vectors(&tile(columns(Begin::Const(0), Begin::Const(39))));
    assert_eq!((plan.vector, causes), (1, vec!["mask-not-divisible"; 3]));
}

#[test]
fn rows_that_end_anywhere_keep_vectors() {
    let rows = MaskLimit {
        role: Role::Src,
        dimension: Some(0),
        offset: 0,
        scale: 1,
        begin: at_run_time(0, 1),
        extent: at_run_time(1, 1),
    };
    assert_eq!(vectors(&tile(Mask::of(&[32, 64], vec![rows], None))).0.vector, 8);
    // A vector must not reach into the next row.
    let six = copy(rows_of(6), rows_of(6), 32, warp());
    let mut six = Problem { mask: Some(Mask::of(&[4, 6], vec![rows], None)), ..six };
    six.operands.get_mut(Role::Dst).unwrap().space = Space::Shared;
    assert_eq!(vectors(&six).0.vector, 2);
}

#[test]
fn rows_shorter_than_a_vector_are_joined_where_whole_vectors_end_with_them() {
    let pixels = |extent: Begin, begin: Begin| {
        let limit = MaskLimit { role: Role::Src, dimension: Some(0), offset: 0, scale: 1, begin, extent };
        let problem = copy(rows(Space::Global, &[512, 3]), rows(Space::Shared, &[512, 3]), 8, warp());
        let forced = Some("gmem_smem".to_owned());
        Problem { mask: Some(Mask::of(&[512, 3], vec![limit], None)), forced, ..problem }
    };
    let (plan, causes) = vectors(&pixels(at_run_time(1, 16), at_run_time(0, 16)));
    assert_eq!((plan.vector, causes.len()), (16, 0));
    let limit = plan.mask.as_ref().unwrap().limits[0];
    assert_eq!((limit.scale, plan.mask.as_ref().unwrap().digits.last().unwrap().extent), (3, 16));
    // Multiples of 4 pixels are 12 bytes.
    assert_eq!(vectors(&pixels(at_run_time(1, 4), at_run_time(0, 16))).0.vector, 4);
    let (plan, causes) = vectors(&pixels(at_run_time(1, 1), at_run_time(0, 16)));
    assert_eq!((plan.vector, causes), (1, vec!["run-too-short"; 4]));
    assert_eq!(plan.mask.unwrap().limits[0].scale, 1);
}

fn rows_of(columns: i64) -> Operand {
    rows(Space::Global, &[4, columns])
}

#[test]
fn what_copies_all_of_a_region_declines() {
    let registers = laid_out(Space::Local, &[8, 8], "(8, 4, 2) : (4@laneid, 1@laneid, 1)");
    let mask = Mask::of(&[8, 8], Vec::new(), None);
    let problem = Problem { mask: Some(mask), ..copy(rows(Space::Shared, &[8, 8]), registers, 16, warp()) };
    let refusal = variants::ask(variants::by_name("ldstmatrix").unwrap(), &problem, &chip("sm_90a")).unwrap_err();
    assert_eq!(
        (refusal.cause, refusal.reason.as_str()),
        ("masked-copy", "the copy is masked; needed one that copies all of its region")
    );
}

#[test]
fn a_mask_counts_the_elements_of_the_region() {
    let refusal = check_copy(&tile(Mask::of(&[32, 63], Vec::new(), None))).unwrap_err();
    assert_eq!(
        (refusal.cause, refusal.reason.as_str()),
        ("malformed-mask", "the mask counts the elements of [32, 63]; needed 2048")
    );
}

/// Numbers that plans written by hand may have, and that the planner never makes.
#[test]
fn the_largest_numbers_are_refused_or_narrow() {
    let (CopyPlan::Partition(mut copy), _) =
        select(&tile(columns(Begin::Const(0), Begin::Const(40))), &chip("sm_90a")).unwrap()
    else {
        panic!("no partition")
    };
    let mask = copy.mask.as_mut().unwrap();
    (mask.digits[0].dimension, mask.digits[0].step, mask.limits[0].offset) = (1, -1, i64::MIN);
    assert_eq!(vectorize(&copy, &chip("sm_90a"), 128).unwrap().0.vector, 1);
    copy.mask.as_mut().unwrap().digits[0].extent = i64::MAX;
    assert_eq!(vectorize(&copy, &chip("sm_90a"), 128).unwrap_err().cause, "malformed-matched-copy");
}

/// Where a region may leave its buffer, the elements inside have the addresses that they have in the buffer.
#[test]
fn addresses_are_those_of_the_buffer() {
    let layouts = [
        ("(40, 24) : (24, 1)", [40, 24]),
        ("(5, 8, 24) : (192, 1, 8)", [40, 24]),
        ("(40, 3, 8) : (8, 320, 1), swizzle<base = 1, bits = 2, shift = 3>", [40, 24]),
        ("(1, 24) : (24, 1)", [1, 24]),
    ];
    for (layout, shape) in layouts {
        let whole = laid_out(Space::Global, &shape, layout);
        for begin in [[0, 0], [8, 16], [-8, -8], [32, 8], [40, 0]] {
            let known = begin.map(Begin::Const);
            let run_time = [at_run_time(0, 8), at_run_time(1, 8)];
            for at in [known, run_time] {
                let region = Operand { begin: at.to_vec(), extent: vec![16, 16], ..whole.clone() };
                let closed = region.closed(Role::Src, &[0, 1]).unwrap();
                for element in 0..256 {
                    let [row, column] = [begin[0] + element / 16, begin[1] + element % 16];
                    if (0..shape[0]).contains(&row) && (0..shape[1]).contains(&column) {
                        let expected = address(&whole, [row, column], &[]);
                        let got = address(&closed, [element / 16, element % 16], &begin);
                        assert_eq!(got, expected, "{layout} {begin:?} {element}: {closed:?}");
                    }
                }
            }
        }
    }
}

/// The address of an element of a region that starts at the operand's begin, by the definition of layouts.
fn address(operand: &Operand, place: [i64; 2], values: &[i64]) -> i64 {
    let begin = operand.begin.iter().map(|begin| if let Begin::Const(begin) = begin { *begin } else { panic!() });
    let coordinates = begin.zip(place).map(|(begin, step)| begin + step);
    let x = coordinates.zip(&operand.shape).fold(0, |x, (coordinate, extent)| x * extent + coordinate);
    let origin: i64 = operand.origin.iter().map(|term| values[term.value].div_euclid(term.div) * term.stride).sum();
    let location = crate::common::machine::location(&operand.layout, x, &[(tile_layout::Axis::Memory, origin)]);
    location[&tile_layout::Axis::Memory]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_inside_arrives_once(mut tape in tapes()) {
        let drawn = match tape.below(6) {
            0 | 1 => memory_copy(&mut tape),
            2 => private_copy(&mut tape),
            3 => async_copy(&mut tape),
            _ => register_copy(&mut tape),
        };
        let drawn = if tape.chance(1, 4) && drawn.0.asynchronous.is_none() { converting(&mut tape, drawn) } else { drawn };
        let (problem, values): (Problem, Values) = masked(&mut tape, drawn);
        let target = chip(tape.pick(&["sm_90a", "sm_100a", "sm_80"]));
        if let Ok((aligned, _)) = select(&problem, &target) {
            let checked = check(&problem, &aligned, &target, &values);
            prop_assert_eq!(checked, Ok(()), "{:#?}\n{:#?}", problem, aligned);
        }
    }
}
