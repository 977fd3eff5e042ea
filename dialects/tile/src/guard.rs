//! Guards that keep panics from unwinding into C++, which would be undefined behaviour.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use melior::ir::OperationRef;
use thiserror::Error;

use crate::emit::Diagnostic;

/// A panic, by its message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("made the compiler fail: {0}")]
pub struct Panicked(pub String);

impl From<Panicked> for String {
    fn from(panicked: Panicked) -> Self {
        panicked.to_string()
    }
}

/// Runs `body`; a panic in it becomes an error on `op` and `fallback` is returned.
pub fn on_op<R>(op: OperationRef<'_, '_>, fallback: R, body: impl FnOnce() -> R) -> R {
    quiet(body).unwrap_or_else(|panicked| {
        Diagnostic::error(panicked).emit(op);
        fallback
    })
}

/// Runs `body`; a panic in it becomes an error.
///
/// # Errors
/// The panic.
pub fn quiet<R>(body: impl FnOnce() -> R) -> Result<R, Panicked> {
    // Captures of `body` are not used again after a panic, or are plain records of reasons.
    catch_unwind(AssertUnwindSafe(body)).map_err(|payload| Panicked(message(&*payload)))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no reason given".to_owned())
}
