//! What the verifiers check. Attribute and type return the reason; ops report it.

mod asynchronous;
mod buffer;
mod copy;
mod memory;
mod scan;
mod stage;
mod tensor;
mod tmem;

pub(crate) use buffer::{buffer, layout};
pub(crate) use copy::copy;
pub(crate) use memory::{alloc, local_view, view};
pub(crate) use scan::scan;
pub(crate) use stage::stage;
pub(crate) use tmem::tmem;

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
