//! `--convert-copies-to-tile`: whether the compiler can do the tile copy that was made from an upstream copy, and why an upstream
//! copy stays. The pass itself is C++, which reads upstream's ops (`cpp/Copy*.cpp`).

use melior::ir::OperationRef;
use tile_dialect::emit::RemarkKind;
use tile_dialect::ops::CopyOp;
use tile_plan::{Active, SelectError, select};

use crate::options::Options;
use crate::read::name;
use crate::read::problem::Reader;
use crate::report;

/// Why an upstream copy stays: `TileStays`.
#[repr(C)]
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "C++ makes them")]
pub(crate) enum Stays {
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
    Refused,
}

impl Stays {
    fn name(self) -> &'static str {
        match self {
            Stays::Memory => "stays-other-memory",
            Stays::Elements => "stays-other-elements",
            Stays::Tensors => "stays-tensors",
            Stays::Unbounded => "stays-unbounded",
            Stays::Broadcast => "stays-broadcast",
            Stays::Scalable => "stays-scalable",
            Stays::Mask => "stays-masked",
            Stays::Used => "stays-used-elsewhere",
            Stays::Between => "stays-written-between",
            Stays::Overlap => "stays-overlapping",
            Stays::Layout => "stays-not-strided",
            Stays::Extent => "stays-shared-extent",
            Stays::Large => "stays-too-large",
            Stays::Empty => "stays-empty",
            Stays::Refused => "stays-refused",
        }
    }
}

/// Reports that a copy stays.
pub(crate) fn report(op: OperationRef<'_, '_>, why: Stays, reason: &str) {
    if report::is_heard(op, RemarkKind::Missed) {
        let text = format!("{} stays as it is", name(op));
        report::emit(op, RemarkKind::Missed, why.name(), &text, &[("Reason", reason.to_owned())]);
    }
}

/// Checks that a variant takes the copy.
///
/// # Errors
/// Why none does.
pub(crate) fn can_copy(op: OperationRef<'_, '_>) -> Result<(), String> {
    let options = Options::default();
    let reading = Reader::new(&options).read(CopyOp(op)).map_err(|unreadable| unreadable.reason)?;
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
