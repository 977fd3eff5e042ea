//! What the verifiers check. Attribute and type return the reason; ops report it.

mod buffer;
mod copy;
mod memory;
mod stage;

pub(crate) use buffer::{buffer, layout};
pub(crate) use copy::copy;
pub(crate) use memory::{alloc, local_view, view};
pub(crate) use stage::stage;

use melior::ir::OperationRef;

use crate::emit::Diagnostic;

/// Reports `reason` at `op`, if there is one.
fn outcome(op: OperationRef<'_, '_>, result: Result<(), String>) -> bool {
    match result {
        Ok(()) => true,
        Err(reason) => {
            Diagnostic::error(reason).emit(op);
            false
        }
    }
}
