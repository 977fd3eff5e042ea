//! What keeps a copy from being read.

use melior::ir::{Location, OperationRef};
use tile_dialect::emit::Diagnostic;

/// Why a copy poses no problem: got and expected, and what other places have to do with it.
#[derive(Debug)]
pub struct Unreadable<'c> {
    /// The reason.
    pub reason: String,
    /// Notes.
    pub notes: Vec<(Location<'c>, String)>,
}

impl<'c> Unreadable<'c> {
    /// Reports it at `op`.
    pub fn emit(self, op: OperationRef<'c, '_>) {
        let error = Diagnostic::error(self.reason);
        self.notes.into_iter().fold(error, |error, (place, text)| error.note(place, text)).emit(op);
    }
}

impl<T: Into<String>> From<T> for Unreadable<'_> {
    fn from(reason: T) -> Self {
        Unreadable { reason: reason.into(), notes: Vec::new() }
    }
}
