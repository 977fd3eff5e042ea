//! Who orders the accesses of a kernel: the compiler, unless the kernel says that its author has.

use crate::read::error::ReadError;
use melior::ir::OperationRef;
use melior::ir::attribute::StringAttribute;
use melior::ir::operation::OperationLike;
use tile_dialect::{BY_HAND, ORDER};

/// Whether a kernel is ordered by hand, so that nothing is inserted, and nothing has to be proved.
///
/// # Errors
/// It states something else: got and expected.
pub fn is_by_hand(kernel: OperationRef<'_, '_>) -> Result<bool, ReadError> {
    let Ok(stated) = kernel.attribute(ORDER) else { return Ok(false) };
    match StringAttribute::try_from(stated) {
        Ok(word) if word.value() == BY_HAND => Ok(true),
        _ => Err(ReadError::Order(stated.to_string())),
    }
}
