//! What keeps a program from having one meaning.

use std::fmt;

/// Why a program means nothing, or must be refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// It reads what no thread has written.
    Undefined,
    /// It leaves a buffer or its memory.
    OutOfBounds,
    /// Two accesses without order; surely by different threads, or perhaps.
    Race {
        /// Surely.
        definite: bool,
    },
    /// An access to what an asynchronous copy still reads or writes.
    InFlight,
    /// Source and destination overlap.
    Overlap,
    /// Threads of a scope begin at different places, or disagree about a predicate.
    NotUniform,
    /// It converts what is no number, or between types without a conversion.
    NotConverted,
    /// No thread that copies holds an element.
    OwnerAbsent,
    /// Those who hold an element have different values of it.
    Ambiguous,
    /// Not all threads of a block come to a barrier.
    Diverged,
    /// More iterations than are worth it, or a step that leads nowhere.
    TooLong,
    /// A promise that is not true.
    BrokenPromise,
    /// A division by zero, or of what is negative; an entry that a table does not have.
    Arithmetic,
    /// Asynchronous copies that no thread has waited for at the end.
    Pending,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Flaw::Undefined => "reads what no thread has written",
            Flaw::OutOfBounds => "leaves a buffer",
            Flaw::Race { definite: true } => "races",
            Flaw::Race { definite: false } => "may race",
            Flaw::InFlight => "touches what is in flight",
            Flaw::Overlap => "copies a region onto itself",
            Flaw::NotUniform => "begins at different places in the threads of a scope",
            Flaw::NotConverted => "converts what has no conversion",
            Flaw::OwnerAbsent => "leaves out who holds an element",
            Flaw::Ambiguous => "has two values for an element",
            Flaw::Diverged => "has a barrier that some threads leave out",
            Flaw::TooLong => "goes round for too long",
            Flaw::BrokenPromise => "promises what is not true",
            Flaw::Arithmetic => "computes what has no value",
            Flaw::Pending => "ends with copies in flight",
        })
    }
}
