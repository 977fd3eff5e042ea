//! Reading IR: from a `tile.copy` and its surroundings to a problem on integers, or [what prevents that](Unreadable).

pub mod activity;
pub mod affine_map;
pub mod alias;
pub mod alignment;
pub mod arithmetic;
pub mod begin;
pub mod calls;
pub mod conditions;
pub mod conflicts;
pub mod distance;
pub mod effects;
pub mod error;
pub mod joins;
pub mod kernel;
pub mod mask;
pub mod order;
pub mod parts;
pub mod place;
pub mod problem;
pub mod ranges;
pub mod reading;
pub mod role;
pub mod root;
pub mod run_time;
pub mod spread;
pub mod storage;
pub mod target;
pub mod tensor_map;
pub mod terms;
pub mod traffic;
pub mod trips;
pub mod uniformity;
pub mod values;
pub mod ways;

pub use terms::{divisibility, rows};
pub use tile_ops::name;

use melior::ir::{Location, OperationRef};
use tile_dialect::emit::Diagnostic;

/// Why a copy poses no problem: got and expected, with notes at other locations that are involved.
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
