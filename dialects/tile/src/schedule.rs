//! The schedules of ops: `#tile.schedule`, or an attribute of another dialect that says the same (`cpp/Schedule.cpp`).

use melior::ir::{Attribute, OperationRef};
use mlir_sys::MlirAttribute;
use tile_plan::linalg::{LinalgSchedule, ScheduleFields, ScheduleMistake};

use crate::Ctx;
use crate::layout_attr::slice;
use crate::layout_text::printable;
use crate::shim::{self, ScheduleRef, bytes, string_ref};

/// The attribute of an op of linalg, and of the product that it becomes, that says how it is done: one that implements
/// `TileScheduleAttrInterface`.
pub const SCHEDULE: &str = "tile.schedule";

/// The schedule of an op, with its attribute; `None` where it has none.
///
/// # Errors
/// An attribute of another dialect has fields that are none of a schedule.
pub fn schedule_of<'c>(op: OperationRef<'c, '_>) -> Result<Option<(LinalgSchedule, Attribute<'c>)>, ScheduleMistake> {
    let empty = string_ref("");
    let mut raw = ScheduleRef {
        instruction: empty,
        over: std::ptr::null(),
        over_size: 0,
        stages: 0,
        epilogue: empty,
        tile: std::ptr::null(),
        tile_size: 0,
        threads: 0,
        group: 0,
        attribute: MlirAttribute { ptr: std::ptr::null() },
    };
    // SAFETY: the op is alive.
    if !unsafe { shim::tileScheduleOf(op.to_raw(), &raw mut raw) } {
        return Ok(None);
    }
    let schedule = read(&raw)?;
    // SAFETY: the attribute lives as long as the context.
    let attribute = unsafe { Attribute::from_option_raw(raw.attribute) };
    Ok(attribute.map(|attribute| (schedule, attribute)))
}

/// The schedule of fields that C++ passes.
///
/// # Errors
/// They are none of a schedule.
pub(crate) fn read(raw: &ScheduleRef) -> Result<LinalgSchedule, ScheduleMistake> {
    // SAFETY: the words are empty or constants of C++; the lists live as long as the context.
    let (words, over, tile) = unsafe {
        let words = [raw.instruction, raw.epilogue].map(|word| printable(bytes(word)));
        (words, slice(raw.over, raw.over_size), slice(raw.tile, raw.tile_size))
    };
    let ScheduleRef { stages, threads, group, .. } = *raw;
    let [instruction, epilogue] = words.each_ref().map(|word| &**word);
    LinalgSchedule::of_fields(&ScheduleFields { instruction, over, stages, epilogue, tile, threads, group })
}

/// The schedule that a text states, as a record of measured times has it; `None` for a text that is no attribute.
pub fn schedule_of_text<'c>(context: Ctx<'c>, text: &str) -> Option<Attribute<'c>> {
    context.parse_attribute(text)
}
