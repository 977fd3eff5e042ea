//! Conditions that let only some threads through.

use tile_layout::{Axis, Range};

use super::runtime;
use super::text::{Text, constant};
use crate::case::{Case, axis_extent};

/// Adds what `body` adds, inside what encloses the copy: `scf.if` and `scf.for` on arguments, and one `scf.if` per axis
/// that is narrower than the block.
pub(crate) fn inside<R>(text: &mut Text, case: &Case, body: impl FnOnce(&mut Text) -> R) -> R {
    runtime::enclose(text, case);
    let result = narrowed(text, case, body);
    case.enclosing.iter().for_each(|_| text.close());
    result
}

/// Adds what `body` adds, for the threads that reach the copy.
fn narrowed<R>(text: &mut Text, case: &Case, body: impl FnOnce(&mut Text) -> R) -> R {
    let narrowed = |(axis, range): &&(Axis, Range)| {
        axis_extent(*axis, case.block).is_some_and(|full| range.begin != 0 || range.extent < full)
    };
    let conditions: Vec<String> =
        case.active.iter().filter(narrowed).map(|(axis, range)| condition(text, *axis, *range)).collect();
    nested(text, &conditions, body)
}

fn nested<R>(text: &mut Text, conditions: &[String], body: impl FnOnce(&mut Text) -> R) -> R {
    match conditions {
        [] => body(text),
        [first, rest @ ..] => text.block(&format!("scf.if {first} {{"), |text| nested(text, rest, body)),
    }
}

/// Is the thread in that part of the axis?
fn condition(text: &mut Text, axis: Axis, range: Range) -> String {
    let value = thread(text, axis);
    let compare = |text: &mut Text, predicate: &str, bound: i64| {
        let bound = constant(text, bound);
        text.value(&format!("arith.cmpi {predicate}, {value}, {bound} : index"))
    };
    let below = compare(text, "ult", range.begin + range.extent);
    if range.begin == 0 {
        return below;
    }
    let from = compare(text, "uge", range.begin);
    text.value(&format!("arith.andi {from}, {below} : i1"))
}

/// The value of a thread axis; [`crate::case::axis_value`] on numbers.
fn thread(text: &mut Text, axis: Axis) -> String {
    if axis == Axis::LaneId {
        return text.value("gpu.lane_id");
    }
    let tid = text.value("gpu.thread_id x");
    match axis {
        Axis::WarpId => apply(text, "divui", &tid, 32),
        Axis::WgId => apply(text, "divui", &tid, 128),
        Axis::TidInWg => apply(text, "remui", &tid, 128),
        Axis::WidInWg => {
            let warp = apply(text, "divui", &tid, 32);
            apply(text, "remui", &warp, 4)
        }
        _ => tid,
    }
}

fn apply(text: &mut Text, op: &str, value: &str, number: i64) -> String {
    let number = constant(text, number);
    text.value(&format!("arith.{op} {value}, {number} : index"))
}
