//! Promises with which a copy would take fewer accesses.

use crate::common::build::{F16, chip, copy, cta, warp};
use tile_isa::Space;
use tile_layout::{Axis, Iter, Layout, OPEN};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::vector::plan::MatchedCopy;
use tile_plan::families::vector::wanted::{RunTimeNumber, Wanted, wanted};
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::{Begin, RunTimeStride, ValueList};

/// Row `values[0]` from column `values[1]` on of a matrix whose rows are `values[2]` elements apart.
fn row(divisors: [i64; 2], align_bytes: i64) -> Operand {
    let at = |value, divisor| Begin::Dynamic { value, divisor, residue: 0 };
    let layout = Layout::new([Iter::new(OPEN, 1, Axis::S0), Iter::memory(OPEN, 1)]);
    let open = Operand {
        begin: vec![at(0, 1), at(1, divisors[0])],
        extent: vec![1, 512],
        strides: vec![RunTimeStride { value: 2, divisor: divisors[1] }],
        ..Operand::whole(Space::Global, layout, &[OPEN; 2], align_bytes)
    };
    open.closed(Role::Src, &[]).unwrap()
}

fn matched(src: Operand) -> MatchedCopy {
    let dst = Operand::whole(Space::Shared, Layout::row_major(&[1, 512]), &[1, 512], 128);
    let (plan, _) = select(&copy(src, dst, F16, cta(64)), &chip("sm_90a")).unwrap();
    let CopyPlan::Partition(plan) = plan else { panic!("no vectors: {plan:?}") };
    plan
}

fn asked(src: Operand) -> Option<(Vec<Wanted>, i64)> {
    wanted(&matched(src), &chip("sm_90a"), 128)
}

fn value(index: usize, multiple: i64) -> Wanted {
    Wanted { number: RunTimeNumber::Value(ValueList::Of(Role::Src), index), multiple }
}

#[test]
fn as_few_and_as_weak_as_suffice() {
    assert_eq!(asked(row([8, 1], 256)), Some((vec![value(2, 8)], 128)));
    assert_eq!(asked(row([1, 8], 256)), Some((vec![value(1, 8)], 128)));
    assert_eq!(asked(row([4, 2], 256)), Some((vec![value(1, 8), value(2, 8)], 128)));
    let address = Wanted { number: RunTimeNumber::Address(Role::Src), multiple: 16 };
    assert_eq!(asked(row([8, 8], 2)), Some((vec![address], 128)));
    assert_eq!(asked(row([8, 4], 8)), Some((vec![value(2, 8), address], 128)));
}

#[test]
fn nothing_where_nothing_helps() {
    assert_eq!(asked(row([8, 8], 256)), None);
    // Runs of one element: no promise makes them longer.
    let columns = Operand::whole(Space::Global, "(64, 8) : (1, 64)".parse().unwrap(), &[64, 8], 2);
    let dst = Operand::whole(Space::Shared, Layout::row_major(&[64, 8]), &[64, 8], 128);
    let (plan, _) = select(&copy(columns, dst, F16, warp()), &chip("sm_90a")).unwrap();
    let CopyPlan::Partition(plan) = plan else { panic!("no vectors: {plan:?}") };
    assert_eq!(wanted(&plan, &chip("sm_90a"), 128), None);
}

#[test]
fn no_wider_than_asked() {
    let copy = matched(row([8, 1], 256));
    assert_eq!(wanted(&copy, &chip("sm_90a"), 32), Some((vec![value(2, 2)], 32)));
    assert_eq!(wanted(&copy, &chip("sm_90a"), 16), None);
}
