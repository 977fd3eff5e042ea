//! The bytes that copies of swizzled tiles touch, where the start of the region is known only at run time: those of every
//! start that there may be, and of no other stage.

use std::collections::BTreeSet;

use crate::common::build::{F16, chip, copy, laid_out, part, rows, warp};
use tile_isa::Space;
use tile_layout::Swizzle;
use tile_plan::families::select;
use tile_plan::problem::Problem;
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::Begin;
use tile_plan::sync::Bytes;

const ROWS: i64 = 16;
const COLUMNS: i64 = 16;

/// Three stages of 64x64, each of eight periods of the swizzle.
fn ring() -> Operand {
    laid_out(Space::Shared, &[3, 64, 64], "(3, 64, 64) : (4096, 64, 1), swizzle<base = 3, bits = 3, shift = 3>")
}

fn at_run_time(value: usize, divisor: i64) -> Begin {
    Begin::Dynamic { value, divisor, residue: 0 }
}

/// A copy of 16x16 elements of a stage, from that stage or to it.
fn of_stage(role: Role, begin: [Begin; 3]) -> Problem {
    let shared = Operand { begin: begin.to_vec(), extent: vec![1, ROWS, COLUMNS], ..ring() };
    let global = rows(Space::Global, &[1, ROWS, COLUMNS]);
    let (src, dst) = if role == Role::Src { (shared, global) } else { (global, shared) };
    copy(src, dst, F16, warp())
}

fn touched(problem: &Problem, role: Role) -> Bytes {
    let target = chip("sm_90a");
    let (plan, _) = select(problem, &target).unwrap();
    plan.touched(problem, &target).unwrap().of(role).unwrap().clone()
}

/// The bytes, where the run-time values are these; `None` where they are not known.
fn bytes(touched: &Bytes, values: &[i64]) -> Option<BTreeSet<i64>> {
    let moved: i64 = touched.moves.as_ref()?.iter().map(|one| values[one.value].div_euclid(one.div) * one.bytes).sum();
    let segments = touched.footprint.as_ref()?.segments();
    Some(segments.iter().flat_map(|segment| segment.begin + moved..segment.end + moved).collect())
}

/// The bytes of the region at a constant start.
fn exactly(role: Role, [stage, row, column]: [i64; 3]) -> BTreeSet<i64> {
    let shared = part(ring(), &[(stage, 1), (row, ROWS), (column, COLUMNS)]);
    let begin: [Begin; 3] = shared.begin.try_into().unwrap();
    bytes(&touched(&of_stage(role, begin), role), &[]).unwrap()
}

#[test]
fn reads_touch_all_that_any_start_does() {
    for (rows, columns) in [(16, 16), (8, 16), (4, 16), (1, 64), (16, 8)] {
        let begin = [at_run_time(0, 1), at_run_time(1, rows), at_run_time(2, columns)];
        let side = touched(&of_stage(Role::Src, begin), Role::Src);
        let starts = (0..3).flat_map(|stage| (0..=48).step_by(rows as usize).map(move |row| (stage, row)));
        for (stage, row) in starts {
            for column in (0..=48).step_by(columns as usize) {
                let reached = bytes(&side, &[stage, row, column]).expect("a stage");
                assert!(
                    exactly(Role::Src, [stage, row, column]).is_subset(&reached),
                    "{rows} {columns}: {row} {column}"
                );
                // What is known of too many starts goes beyond the stage by the rest of a period.
                let of_stage = 8192 * stage..8192 * (stage + 1) + if rows < 4 { 1024 } else { 0 };
                assert!(reached.iter().all(|byte| of_stage.contains(byte)), "{rows} {columns}: {row} {column}");
            }
        }
    }
}

#[test]
fn whole_periods_are_followed_exactly() {
    for role in [Role::Src, Role::Dst] {
        let side = touched(&of_stage(role, [at_run_time(0, 1), at_run_time(1, 8), Begin::Const(32)]), role);
        for (stage, row) in (0..3).flat_map(|stage| (0..=48).step_by(8).map(move |row| (stage, row))) {
            assert_eq!(bytes(&side, &[stage, row]), Some(exactly(role, [stage, row, 32])), "stage {stage}, row {row}");
        }
    }
}

/// What is written by one start, but not by another, must not count as written.
#[test]
fn writes_are_not_followed_where_they_may_be_of_several_starts() {
    let side = touched(&of_stage(Role::Dst, [at_run_time(0, 1), at_run_time(1, 4), Begin::Const(32)]), Role::Dst);
    assert_eq!(side.moves, None);
    let known = Begin::Dynamic { value: 1, divisor: 8, residue: 4 };
    let side = touched(&of_stage(Role::Dst, [at_run_time(0, 1), known, Begin::Const(32)]), Role::Dst);
    assert_eq!(bytes(&side, &[2, 20]), Some(exactly(Role::Dst, [2, 20, 32])));
}

/// The bytes in memory, from those before the swizzle, where the run-time values are these.
fn bytes_through_swizzle(touched: &Bytes, values: &[i64]) -> Option<BTreeSet<i64>> {
    let before = touched.unswizzled.as_ref()?;
    let moved: i64 = before.moves.iter().map(|one| values[one.value].div_euclid(one.div) * one.bytes).sum();
    let swizzle = Swizzle::new(4, 3, 3, true).unwrap();
    let swizzled = before.footprint.shifted(moved).swizzled(swizzle);
    Some(swizzled.segments().iter().flat_map(|segment| segment.begin..segment.end).collect())
}

#[test]
fn every_start_is_followed_exactly_before_the_swizzle() {
    for role in [Role::Src, Role::Dst] {
        for (rows, columns) in [(4, 16), (1, 64), (16, 8), (1, 8)] {
            let begin = [at_run_time(0, 1), at_run_time(1, rows), at_run_time(2, columns)];
            let side = touched(&of_stage(role, begin), role);
            for (stage, row) in (0..3).flat_map(|stage| (0..=48).step_by(rows as usize).map(move |row| (stage, row))) {
                for column in (0..=48).step_by(columns as usize) {
                    let reached = bytes_through_swizzle(&side, &[stage, row, column]);
                    assert_eq!(reached, Some(exactly(role, [stage, row, column])), "{rows} {columns}: {row} {column}");
                }
            }
        }
        let known = Begin::Dynamic { value: 1, divisor: 4, residue: 3 };
        let side = touched(&of_stage(role, [at_run_time(0, 1), known, Begin::Const(32)]), role);
        assert_eq!(bytes_through_swizzle(&side, &[2, 23]), Some(exactly(role, [2, 23, 32])));
    }
}
