//! Copies that ops of other dialects state by `TileCopyOpInterface`.

use std::fmt;

use melior::ir::OperationRef;
use melior::ir::operation::Operation;

use crate::shim::{tileMakeStatedCopy, tileStatesCopy};

/// `TileCopyPart`: a part of a copy that an op states.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CopyPart {
    /// The buffer that is read.
    Source,
    /// The buffer that is written.
    Dest,
    /// An offset of the region that is read.
    SourceBegin,
    /// An offset of the region that is written.
    DestBegin,
    /// What elements become whose source is outside.
    Filler,
    /// The mbarrier that completes it.
    Mbarrier,
}

impl fmt::Display for CopyPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CopyPart::Source => "source",
            CopyPart::Dest => "destination",
            CopyPart::SourceBegin => "offset of the source",
            CopyPart::DestBegin => "offset of the destination",
            CopyPart::Filler => "filler",
            CopyPart::Mbarrier => "mbarrier",
        })
    }
}

/// Whether an op states a copy.
pub fn states_copy(op: OperationRef<'_, '_>) -> bool {
    // SAFETY: the op is alive.
    unsafe { tileStatesCopy(op.to_raw()) }
}

/// The copy that an op states, which is not verified and in no block.
///
/// # Errors
/// The part of it that is none of the op's operands.
///
/// # Panics
/// For an op that states none.
pub fn make<'c>(op: OperationRef<'c, '_>) -> Result<Operation<'c>, CopyPart> {
    assert!(states_copy(op), "the op states a copy");
    let mut other = CopyPart::Source;
    // SAFETY: the op implements the interface, which C++ casts it to; the copy is a new op that nothing else has.
    unsafe { Operation::from_option_raw(tileMakeStatedCopy(op.to_raw(), &raw mut other)) }.ok_or(other)
}
