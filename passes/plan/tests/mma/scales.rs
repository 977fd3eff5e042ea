//! Products with scales: every instruction finds, where it reads tensor memory, the scales of its rows, columns and depths.

use std::collections::BTreeMap;

use tile_isa::convert::NumberFormat;
use tile_isa::fragment::{Fragment, MatrixInstruction, MatrixOperand};
use tile_isa::{Scope, Space};
use tile_layout::{Axis, Layout};
use tile_plan::mma::tensor::{ColumnTerm, ScalePlace, TensorPlan};
use tile_plan::mma::{MmaOperand, MmaPlan, MmaProblem, ScaleOperand};
use tile_plan::problem::run_time::DynamicTerm;
use tile_plan::problem::threads::Threads;

use super::{operand, problem, target};

/// Depths of a scale, and of an instruction.
const DEPTHS: i64 = 32;

fn tensor_layout(operand: MatrixOperand, shape: [i64; 2], bits: u32) -> Layout {
    Fragment::new(MatrixInstruction::Tcgen05, operand).unwrap().layout(&shape, bits).unwrap()
}

/// A product of 8-bit floats, rows and columns of 32 bytes, with scales in these layouts.
fn scaled([m, n, k]: [i64; 3], scales: [Layout; 2]) -> MmaProblem {
    let a: Layout =
        format!("({m}, {}, 32) : (32, {}, 1), swizzle<base = 4, bits = 1, shift = 3>", k / 32, 32 * m).parse().unwrap();
    let b: Layout =
        format!("({}, 32, {n}) : ({}, 1, 32), swizzle<base = 4, bits = 1, shift = 3>", k / 32, 32 * n).parse().unwrap();
    let layouts = [a, b, tensor_layout(MatrixOperand::C, [m, n], 32)];
    let threads = Threads::all(Scope::Cta, Some(128));
    let mut problem = problem(layouts, [m, n, k], NumberFormat::E4m3, NumberFormat::F32, threads);
    for factor in [&mut problem.a, &mut problem.b] {
        (factor.space, factor.align_bytes) = (Space::Shared, 1024);
    }
    problem.c.space = Space::Tmem;
    let [of_a, of_b] = scales;
    let scale = |layout, shape| {
        let tile = operand(layout, shape, NumberFormat::Integer(8));
        ScaleOperand { tile: MmaOperand { space: Space::Tmem, clause: None, ..tile }, origin: Vec::new() }
    };
    problem.scales = Some([scale(of_a, [m, k / DEPTHS]), scale(of_b, [k / DEPTHS, n])]);
    problem
}

fn named([m, n, k]: [i64; 3]) -> [Layout; 2] {
    [
        tensor_layout(MatrixOperand::ScalesA, [m, k / DEPTHS], 8),
        tensor_layout(MatrixOperand::ScalesB, [k / DEPTHS, n], 8),
    ]
}

fn planned(problem: &MmaProblem) -> TensorPlan {
    let (plan, variant, _) = tile_plan::mma::select(problem, &target("sm_100a")).unwrap();
    let MmaPlan::Tensor(plan) = plan else { panic!("{plan:?}") };
    assert_eq!(variant, "tcgen05");
    plan
}

fn refused(problem: &MmaProblem, chip: &str) -> String {
    format!("{:?}", tile_plan::mma::select(problem, &target(chip)).unwrap_err())
}

/// The scales in tensor memory, by lane and byte of its columns, with all copies.
fn filled(operand: &MmaOperand) -> BTreeMap<(i64, i64), [i64; 2]> {
    let mut memory = BTreeMap::new();
    let [rows, columns] = operand.shape;
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let place = operand.layout.apply_linear(row * columns + column);
        let on = |axis| place.get(&axis).copied().unwrap_or(0);
        for copy in 0..4 {
            let other = memory.insert((on(Axis::TLane) + 32 * copy, on(Axis::TCol)), [row, column]);
            assert_eq!(other, None, "one scale in each byte");
        }
    }
    memory
}

/// The scale of a row of A, or column of B, that an instruction reads in the lanes of a warp, as the simulator does.
fn read(memory: &BTreeMap<(i64, i64), [i64; 2]>, place: ScalePlace, line: i64, warp: i64) -> [i64; 2] {
    let at = (32 * warp + line % 32, 4 * (place.column + line / 32) + place.byte);
    memory.get(&at).copied().unwrap_or_else(|| panic!("no scale in lane {}, byte {}", at.0, at.1))
}

fn check(problem: &MmaProblem, [rows, columns]: [i64; 2]) {
    let ([m, n, k], plan) = (problem.sizes(), planned(problem));
    assert_eq!([plan.instruction.rows, plan.instruction.columns, plan.depth], [rows, columns, DEPTHS]);
    let [of_a, of_b] = problem.scales.as_ref().unwrap();
    let (left, right) = (filled(&of_a.tile), filled(&of_b.tile));
    let firsts = (0..m / rows).flat_map(|row| (0..n / columns).map(move |column| (row * rows, column * columns)));
    let firsts: Vec<_> = firsts.collect();
    assert_eq!((plan.parts.len(), firsts.len()), (firsts.len(), plan.parts.len()));
    for (part, (row, column)) in plan.parts.iter().zip(firsts) {
        assert_eq!(part.steps.len() as i64, k / DEPTHS);
        for (at, step) in part.steps.iter().enumerate() {
            let [a, b] = step.scales.expect("scales of each instruction");
            for warp in 0..4 {
                (0..rows).for_each(|line| assert_eq!(read(&left, a, line, warp), [row + line, at as i64]));
                (0..columns).for_each(|line| assert_eq!(read(&right, b, line, warp), [at as i64, column + line]));
            }
        }
    }
}

#[test]
fn each_instruction_finds_the_scales_of_its_rows_and_columns() {
    for (sizes, instruction) in [
        ([128, 8, 32], [128, 8]),
        ([128, 24, 64], [128, 24]),
        ([128, 64, 128], [128, 64]),
        ([128, 96, 96], [128, 96]),
        ([128, 256, 192], [128, 256]),
        ([256, 128, 256], [128, 128]),
        ([128, 320, 64], [128, 160]),
        ([256, 288, 32], [128, 96]),
    ] {
        check(&scaled(sizes, named(sizes)), instruction);
    }
}

/// Each step in columns of its own, in the last byte of each; of B, the second half of the depths first.
#[test]
fn scales_may_be_apart() {
    let of_a = "(4, 32, 4) : (4@TCol, 1@TLane, 16@TCol) + R(4 : 32@TLane)".parse().unwrap();
    let of_b = "(2, 2, 2, 32) : (2@TCol, 9@TCol, 4@TCol, 1@TLane) + R(4 : 32@TLane)".parse().unwrap();
    check(&scaled([128, 64, 128], [of_a, of_b]), [128, 64]);
}

#[test]
fn scales_elsewhere_are_refused() {
    let sizes = [128, 64, 128];
    let [of_a, of_b] = named(sizes);
    let with = |text: &str| scaled(sizes, [text.parse().unwrap(), of_b.clone()]);
    for (text, reason) in [
        (
            "(4, 32, 4) : (4@TCol, 1@TLane, 1@TCol)",
            "the scales of a are not in the lanes of each of four warps; needed R(4 : 32@TLane)",
        ),
        (
            "(4, 32, 4) : (4@TCol, 1@TLane, 1@TCol) + R(2 : 32@TLane)",
            "the scales of a are not in the lanes of each of four warps",
        ),
        (
            "(128, 4) : (1@TLane, 1@TCol) + R(4 : 32@TLane)",
            "element (32, 0) of the scales of a is in lane 32, column 0; an instruction of 128 has it in lane 0, column 4",
        ),
        (
            "(4, 32, 4) : (4@TCol, 1@TLane, 1@TCol) + R(4 : 32@TLane) + 1@TLane",
            "element (0, 0) of the scales of a is in lane 1, column 0; needed lane 0",
        ),
    ] {
        let error = refused(&with(text), "sm_100a");
        assert!(error.contains(reason), "{error}");
        let names = "tcgen05 takes c in #tile.fragment<tcgen05.c>, scales_a in #tile.fragment<tcgen05.scales_a>, scales_b in \
                     #tile.fragment<tcgen05.scales_b>";
        assert!(error.contains(names), "{error}");
    }
    let other = scaled(sizes, [of_a, "(4, 64) : (1@TCol, 1@TLane) + R(4 : 32@TLane)".parse().unwrap()]);
    assert!(refused(&other, "sm_100a").contains("element (0, 32) of the scales of b is in lane 32"));
}

#[test]
fn products_without_such_an_instruction() {
    let sizes = [128, 64, 64];
    let mut problem = scaled(sizes, named(sizes));
    assert!(refused(&problem, "sm_90a").contains("chip-lacks-tcgen05"));
    (problem.a.number, problem.b.number) = (NumberFormat::F16, NumberFormat::F16);
    let reason = "no instruction multiplies f16 x f16 + f32 with scales; needed 8-bit floats";
    assert!(refused(&problem, "sm_100a").contains(reason));
    let plain = |layout: &str| layout.parse().unwrap();
    let layouts = [plain("(2, 64) : (64, 1)"), plain("(64, 2) : (2, 1)"), plain("(2, 2) : (2, 1)")];
    let threads = Threads::all(Scope::Thread, Some(1));
    let mut registers = super::problem(layouts, [2, 2, 64], NumberFormat::F32, NumberFormat::F32, threads);
    registers.scales = problem.scales;
    let error = refused(&registers, "sm_100a");
    assert!(error.contains("by which only tcgen05.mma multiplies; needed none"), "{error}");
}

/// An instruction has 128 rows, and columns beside the first one begin where those of 32 others do.
#[test]
fn sums_of_other_sizes() {
    let sizes = [64, 32, 32];
    let of_a = "(2, 32, 1) : (4@TCol, 1@TLane, 1@TCol) + R(4 : 32@TLane)".parse().unwrap();
    let [_, of_b] = named([128, 32, 32]);
    let error = refused(&scaled(sizes, [of_a, of_b]), "sm_100a");
    let reason = "64 rows and 32 columns; needed rows in multiples of 128 and columns of 8, of more than 256 of 32";
    assert!(error.contains(reason), "{error}");
}

/// A run-time offset moves addresses by whole columns, and never the byte of a column.
#[test]
fn parts_from_a_run_time_step_on() {
    let sizes = [128, 64, 128];
    let with = |stride, axis| {
        let mut problem = scaled(sizes, named(sizes));
        let term = DynamicTerm { value: 0, div: 4, stride, axis, divisor: 1, residue: 0 };
        problem.scales.as_mut().unwrap()[0].origin.push(term);
        problem
    };
    let plan = planned(&with(16, Axis::TCol));
    assert_eq!(plan.scale_origins, [vec![ColumnTerm { value: 0, div: 4, columns: 4 }], vec![]]);
    for other in [with(1, Axis::TCol), with(4, Axis::TLane)] {
        let error = refused(&other, "sm_100a");
        let reason = "the scales of a begin at a run-time byte of a column of tensor memory; needed an offset of steps that is a \
                      multiple of 4, or a constant one";
        assert!(error.contains(reason), "{error}");
    }
}
