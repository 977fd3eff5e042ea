//! The arguments of a kernel besides its buffers: starts of regions, extents and strides, and those of the constructs
//! around the copy; and the conditions that let only some threads through.

use tile_layout::{Axis, Range};
use tile_plan::problem::role::Role;

use super::name;
use super::text::{Text, constant};
use crate::case::{Begin, Case, Enclosing, Side, axis_extent};

/// The kernel's arguments with their types: `%src_begin_0: index`, `%src_extent_0: index`, `%src_given_1: index` for a stride,
/// `%around_0: i32`.
pub(crate) fn arguments(case: &Case) -> Vec<String> {
    let begins = [Role::Src, Role::Dst].into_iter().flat_map(|role| {
        let (side, name) = (case.side(role), name(role));
        let begins = side.runtime_begins().map(move |(at, ..)| format!("%{name}_begin_{at}: index"));
        let extents = side.runtime_extents().map(move |(at, _)| format!("%{name}_extent_{at}: index"));
        begins.chain(extents).chain(side.runtime_strides().map(move |(at, ..)| format!("%{name}_given_{at}: index")))
    });
    let around = (0..case.enclosing.len()).map(|number| format!("%around_{number}: i32"));
    begins.chain(around).collect()
}

/// Defines `%src_at_0` and the like, the starts of the regions.
pub(crate) fn begins(text: &mut Text, case: &Case) {
    for role in [Role::Src, Role::Dst] {
        for (dimension, begin, _) in case.side(role).runtime_begins() {
            let (given, at) = (format!("%{}_begin_{dimension}", name(role)), begin_name(role, dimension));
            match begin {
                Begin::Written => continue,
                Begin::Assumed(divisor) => {
                    text.line(&format!("{at} = tile.assume {given} divisible_by {divisor} : index"))
                }
                Begin::Product(factor) => {
                    let factor = constant(text, factor);
                    text.line(&format!("{at} = arith.muli {given}, {factor} : index"))
                }
            };
        }
    }
}

/// The values of the arguments after those for the memory and the predicate, in the order of [`arguments`].
pub(crate) fn values(case: &Case) -> Vec<i64> {
    let numbers = |side: &Side| {
        let mut values: Vec<i64> = side.runtime_begins().filter_map(|(_, begin, at)| begin.argument(at)).collect();
        values.extend(side.runtime_extents().map(|(_, extent)| extent));
        values.extend(side.runtime_strides().map(|(.., stride)| stride));
        values
    };
    [numbers(&case.src), numbers(&case.dst)].concat()
}

/// Defines `%src_stride_0` and the like, which carry a promised divisor.
pub(crate) fn open(text: &mut Text, case: &Case) {
    for role in [Role::Src, Role::Dst] {
        let name = name(role);
        for (at, divisor, _) in case.side(role).runtime_strides() {
            let given = format!("%{name}_given_{at}");
            text.line(&format!("%{name}_stride_{at} = tile.assume {given} divisible_by {divisor} : index"));
        }
    }
}

/// The value for the start of a region in a dimension.
pub(crate) fn begin_name(role: Role, dimension: usize) -> String {
    format!("%{}_at_{dimension}", name(role))
}

/// Opens the constructs around the copy, with one region each.
fn enclose(text: &mut Text, case: &Case) {
    for (number, around) in case.enclosing.iter().enumerate() {
        let argument = format!("%around_{number}");
        match around {
            Enclosing::If(_) | Enclosing::Unless(_) => {
                let zero = text.value("arith.constant 0 : i32");
                let set = text.value(&format!("arith.cmpi ne, {argument}, {zero} : i32"));
                text.open(&format!("scf.if {set} {{"));
                if matches!(around, Enclosing::Unless(_)) {
                    text.close();
                    text.open("else {");
                }
            }
            Enclosing::For(_) => {
                let rounds = text.value(&format!("arith.index_cast {argument} : i32 to index"));
                let (first, step) = (constant(text, 0), constant(text, 1));
                text.open(&format!("scf.for %round_{number} = {first} to {rounds} step {step} {{"));
            }
        }
    }
}

/// Adds the lines of `body` inside the constructs around the copy: `scf.if` and `scf.for` on arguments, and one
/// `scf.if` for each axis that is narrower than the block.
pub(super) fn inside<R>(text: &mut Text, case: &Case, body: impl FnOnce(&mut Text) -> R) -> R {
    enclose(text, case);
    let result = narrowed(text, case, body);
    case.enclosing.iter().for_each(|_| text.close());
    result
}

/// Adds the lines of `body`, under conditions that admit only the threads that reach the copy.
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

/// The condition that the thread is in that range of the axis.
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

/// The value of a thread axis, as [`crate::case::axis_value`] computes it on numbers.
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
