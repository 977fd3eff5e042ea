//! `--convert-copies-to-tile`: whether the compiler can do the tile copy that was made from an upstream copy, and why an upstream
//! copy stays. The pass itself is C++, which reads upstream's ops (`cpp/Copy*.cpp`).

use melior::ir::OperationRef;
use tile_dialect::emit::RemarkKind;
use tile_dialect::ops::CopyOp;
use tile_plan::choose::SelectError;
use tile_plan::families::select;
use tile_plan::problem::threads::Active;

use crate::options::LoweringOptions;
use crate::read::name;
use crate::read::problem::Reader;
use crate::report;

/// Why an upstream copy stays: `TileStays`.
#[repr(C)]
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "C++ makes them")]
pub(crate) enum NotConverted {
    Memory,
    Elements,
    Tensors,
    Unbounded,
    Broadcast,
    Scalable,
    Mask,
    Used,
    Between,
    Overlap,
    Layout,
    Extent,
    Large,
    Empty,
    Fill,
    Outside,
    Refused,
}

impl NotConverted {
    pub(crate) fn name(self) -> &'static str {
        match self {
            NotConverted::Memory => "stays-other-memory",
            NotConverted::Elements => "stays-other-elements",
            NotConverted::Tensors => "stays-tensors",
            NotConverted::Unbounded => "stays-unbounded",
            NotConverted::Broadcast => "stays-broadcast",
            NotConverted::Scalable => "stays-scalable",
            NotConverted::Mask => "stays-masked",
            NotConverted::Used => "stays-used-elsewhere",
            NotConverted::Between => "stays-written-between",
            NotConverted::Overlap => "stays-overlapping",
            NotConverted::Layout => "stays-not-strided",
            NotConverted::Extent => "stays-shared-extent",
            NotConverted::Large => "stays-too-large",
            NotConverted::Empty => "stays-empty",
            NotConverted::Fill => "stays-fill",
            NotConverted::Outside => "stays-in-no-kernel",
            NotConverted::Refused => "stays-refused",
        }
    }
}

/// Reports that a copy stays.
pub(crate) fn report(op: OperationRef<'_, '_>, why: NotConverted, reason: &str) {
    if report::is_remark_enabled(op, RemarkKind::Missed) {
        let text = format!("{} stays as it is", name(op));
        report::emit(op, RemarkKind::Missed, why.name(), &text, &[("Reason", reason.to_owned())]);
    }
}

/// Checks that a variant takes the copy.
///
/// # Errors
/// Why none does.
pub(crate) fn can_copy(op: OperationRef<'_, '_>, options: &LoweringOptions) -> Result<(), String> {
    let reading = Reader::new(options).read(CopyOp(op)).map_err(|unreadable| unreadable.reason)?;
    if matches!(&reading.problem.threads.active, Active::Known(threads) if threads.is_empty()) {
        return Ok(());
    }
    match select(&reading.problem, &reading.target) {
        Err(SelectError::Declined { declines, .. }) => {
            declines.last().map_or(Ok(()), |decline| Err(decline.reason.clone()))
        }
        Err(unknown) => Err(unknown.to_string()),
        Ok(_) => Ok(()),
    }
}
