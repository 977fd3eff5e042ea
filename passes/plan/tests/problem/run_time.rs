//! Buffers with run-time strides and extents: what a copy sees of them, and the width of its accesses.

use crate::common::oracle::{Values, check};
use tile_isa::{Scope, Space};
use tile_layout::{Axis, Iter, Layout, OPEN};
use tile_plan::families::copy_plan::CopyPlan;
use tile_plan::families::select;
use tile_plan::families::vector::vectorize::vectorize;
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::{Begin, DynamicTerm, RunTimeStride};
use tile_plan::problem::threads::Threads;
use tile_plan::problem::{Element, Problem};
use tile_plan::target::Target;

/// `(?, ?) : (?, 1)` with 16 rows and 64 columns from `begin` on, its rows a multiple of `divisor` elements apart.
fn region(begin: [Begin; 2], divisor: i64) -> Operand {
    let layout = Layout::new([Iter::new(OPEN, 1, Axis::S0), Iter::memory(OPEN, 1)]);
    Operand {
        begin: begin.to_vec(),
        extent: vec![16, 64],
        strides: vec![RunTimeStride { value: 2, divisor }],
        ..Operand::whole(Space::Global, layout, &[OPEN; 2], 256)
    }
}

fn at_run_time(value: usize, divisor: i64) -> Begin {
    Begin::Dynamic { value, divisor, residue: 0 }
}

fn shared() -> Operand {
    Operand::whole(Space::Shared, Layout::row_major(&[16, 64]), &[16, 64], 128)
}

fn copy(src: Operand) -> Problem {
    Problem::new(src, shared(), Element::new(16, "f16"), Threads::all(Scope::Warp, Some(32)))
}

/// Width of the vectors in bits, and why they are not wider, once the oracle has run the plan.
fn width(problem: &Problem, values: &[i64]) -> (i64, Vec<&'static str>) {
    let target = Target::parse("sm_90a").unwrap();
    let (aligned, _) = select(problem, &target).unwrap();
    check(problem, &aligned, &target, &Values { src: values.to_vec(), dst: vec![], ..Values::default() }).unwrap();
    let CopyPlan::Partition(copy) = aligned else { panic!("no partition") };
    let (plan, narrowings) = vectorize(&copy, &target, 128).unwrap();
    (plan.vector_bits(), narrowings.into_iter().map(|narrowing| narrowing.cause).collect())
}

#[test]
fn where_a_region_begins_moves_the_origin() {
    let operand = region([at_run_time(0, 4), Begin::Const(8)], 8).closed(Role::Src, &[]).unwrap();
    assert_eq!(operand.layout.to_string(), "(16, 64) : (?, 1) + 8");
    assert_eq!((operand.shape, operand.extent), (vec![16, 64], vec![16, 64]));
    assert_eq!(operand.begin, [Begin::Const(0); 2]);
    let moved = DynamicTerm { value: 0, div: 1, stride: 1, axis: Axis::S0, divisor: 4, residue: 0 };
    assert_eq!(operand.origin, [moved]);
}

#[test]
fn closed_buffers_are_left_alone() {
    let closed = Operand {
        layout: Layout::row_major(&[32, 64]),
        shape: vec![32, 64],
        ..region([at_run_time(0, 1), Begin::Const(0)], 1)
    };
    let operand = closed.closed(Role::Src, &[]).unwrap();
    assert_eq!((operand.shape, operand.begin[0], operand.origin), (vec![32, 64], at_run_time(0, 1), vec![]));
}

#[test]
fn what_does_not_fit_is_refused() {
    let begin = [Begin::Const(0), Begin::Const(0)];
    let cause = |region: Operand| region.closed(Role::Dst, &[]).unwrap_err().cause;
    assert_eq!(cause(region([Begin::Const(-1), Begin::Const(0)], 1)), "region-out-of-bounds");
    assert_eq!(cause(Operand { shape: vec![OPEN, 64], ..region(begin, 1) }), "layout-size-differs");
    assert_eq!(cause(Operand { extent: vec![16], ..region(begin, 1) }), "region-rank-differs");
    let far = region([Begin::Const(i64::MAX), Begin::Const(i64::MAX)], 1).closed(Role::Src, &[]).unwrap();
    assert!(select(&copy(far), &Target::parse("sm_90a").unwrap()).is_err());
}

/// A vector needs the row stride, and the region's start in a row, to be multiples of its elements.
#[test]
fn what_divides_a_stride_decides_the_width() {
    let wide = |row, column, divisor| {
        let src = region([at_run_time(0, row), at_run_time(1, column)], divisor).closed(Role::Src, &[]).unwrap();
        width(&copy(src), &[row * 3, column * 5, divisor * 9])
    };
    assert_eq!(wide(1, 8, 8), (128, vec![]));
    assert_eq!(wide(1, 8, 72), (128, vec![]));
    assert_eq!(wide(1, 8, 4), (64, vec!["run-time-stride-not-divisible"]));
    assert_eq!(wide(1, 2, 8), (32, vec!["dynamic-begin-not-divisible"; 2]));
    let (bits, narrowings) = wide(8, 8, 1);
    assert_eq!((bits, narrowings), (16, vec!["run-time-stride-not-divisible"; 3]));
}

/// Columns a run-time stride apart make no vectors, whatever divides the stride.
#[test]
fn run_time_strides_make_no_neighbours() {
    let begin = [Begin::Const(0), Begin::Const(0)];
    let layout = Layout::new([Iter::memory(OPEN, 64), Iter::new(OPEN, 1, Axis::S0)]);
    let src = Operand { layout, ..region(begin, 8) }.closed(Role::Src, &[]).unwrap();
    let (bits, narrowings) = width(&copy(src), &[0, 0, 1024]);
    assert_eq!((bits, narrowings.last()), (16, Some(&"not-contiguous")));
}

#[test]
fn reasons_say_what_would_help() {
    let src = region([Begin::Const(1), Begin::Const(0)], 2).closed(Role::Src, &[]).unwrap();
    let target = Target::parse("sm_90a").unwrap();
    let Ok((CopyPlan::Partition(copy), _)) = select(&copy(src), &target) else { panic!("no partition") };
    let (_, narrowings) = vectorize(&copy, &target, 128).unwrap();
    let widest = &narrowings[0].reason;
    assert!(
        widest.contains("s0, known to be a multiple of 2; needed a multiple of 8, which tile.assume … divisible_by 8"),
        "{widest}"
    );
}
