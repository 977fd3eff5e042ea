//! How ops are done, as programs state it.

use melior::ir::OperationRef;
use tile_dialect::schedule_of;
use tile_plan::linalg::{LinalgRefusal, LinalgSchedule, ProductInstruction, ScheduleFields};
use tile_plan::problem::refusal::Refusal;

/// The schedule of an op; what it leaves open is that of the pass.
///
/// # Errors
/// What states it is no schedule.
pub fn of(op: OperationRef<'_, '_>, default: &LinalgSchedule) -> Result<LinalgSchedule, LinalgRefusal> {
    let mistaken =
        |mistake: tile_plan::linalg::ScheduleMistake| Refusal::new("schedule-not-taken", mistake.to_string());
    let stated = schedule_of(op).map_err(|mistake| LinalgRefusal::Product(mistaken(mistake)))?;
    Ok(stated.map_or(*default, |(schedule, _)| schedule.or(default)))
}

/// The schedule of options of a pass; empty words leave a field open.
///
/// # Errors
/// A word is none of a schedule: got and expected.
pub fn of_words(instruction: &str, epilogue: &str) -> Result<LinalgSchedule, String> {
    let schedule = LinalgSchedule::of_fields(&ScheduleFields { instruction, epilogue, ..ScheduleFields::default() })
        .map_err(|mistake| mistake.to_string())?;
    if schedule.instruction.is_none() && !instruction.is_empty() {
        let names = ProductInstruction::ALL.map(ProductInstruction::name).join(", ");
        return Err(format!("in the options of the pass: got instruction = {instruction}, expected one of {names}"));
    }
    if schedule.epilogue.is_none() && !epilogue.is_empty() {
        return Err(format!("in the options of the pass: got epilogue = {epilogue}, expected direct or shared"));
    }
    Ok(schedule)
}
