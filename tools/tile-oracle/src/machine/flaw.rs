//! The reasons that a program does not have a unique meaning.

use std::fmt;

/// The reason that a program has no meaning, or must be refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// It reads a value that no thread has written.
    Undefined,
    /// It exceeds a buffer or its memory.
    OutOfBounds,
    /// Two unordered accesses, which are certainly or possibly made by different threads.
    Race {
        /// Whether the threads are certainly different.
        definite: bool,
    },
    /// An access to a location that an asynchronous copy still reads or writes.
    InFlight,
    /// Source and destination overlap.
    Overlap,
    /// Threads of a scope have different region starts, or disagree about a predicate.
    NotUniform,
    /// It converts a NaN, or between types without a conversion.
    NotConverted,
    /// No thread that copies holds an element.
    OwnerAbsent,
    /// The threads that hold an element have different values of it.
    Ambiguous,
    /// Not all threads of a block reach a barrier.
    Diverged,
    /// Too many iterations, or a loop step that never reaches the end.
    TooLong,
    /// A promise that does not hold.
    BrokenPromise,
    /// A division by zero, or of a negative number; an entry that a table does not have.
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
            Flaw::NotUniform => "starts at different coordinates in the threads of a scope",
            Flaw::NotConverted => "converts what has no conversion",
            Flaw::OwnerAbsent => "leaves out the threads that hold an element",
            Flaw::Ambiguous => "has two values for an element",
            Flaw::Diverged => "has a barrier that some threads do not reach",
            Flaw::TooLong => "iterates for too long",
            Flaw::BrokenPromise => "promises what is not true",
            Flaw::Arithmetic => "computes what has no value",
            Flaw::Pending => "ends with copies in flight",
        })
    }
}
