//! Locations in the source from which PTX was generated.

use std::fmt;

/// A location in the source from which the PTX was generated, as given by `.loc` and `.file`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePlace {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1; 0 where none is known.
    pub column: u64,
    /// The call site at which the enclosing function was inlined.
    pub inlined_at: Option<Box<Self>>,
}

impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)?;
        self.inlined_at.iter().try_for_each(|at| write!(f, " inlined at {at}"))
    }
}
