//! The schedules of ops: `#tile.schedule`, or an attribute of another dialect that says the same (`cpp/Schedule.cpp`).

use melior::ir::{Attribute, OperationRef};
use mlir_sys::MlirAttribute;
use tile_plan::linalg::{LinalgSchedule, ScheduleMistake};

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
    let attribute = MlirAttribute { ptr: std::ptr::null() };
    let mut raw =
        ScheduleRef { instruction: empty, over: std::ptr::null(), over_size: 0, stages: 0, epilogue: empty, attribute };
    // SAFETY: the op is alive.
    if !unsafe { shim::tileScheduleOf(op.to_raw(), &raw mut raw) } {
        return Ok(None);
    }
    // SAFETY: the words are constants of C++; the list and the attribute live as long as the context.
    let (instruction, over, epilogue, attribute) = unsafe {
        let attribute = Attribute::from_option_raw(raw.attribute);
        (bytes(raw.instruction), slice(raw.over, raw.over_size), bytes(raw.epilogue), attribute)
    };
    let schedule = LinalgSchedule::of_fields(&printable(instruction), over, raw.stages, &printable(epilogue))?;
    Ok(attribute.map(|attribute| (schedule, attribute)))
}
