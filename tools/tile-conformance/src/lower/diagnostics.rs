//! The compiler's diagnostics, kept for the report.

use std::fmt;

use tile_passes::Diagnostic;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The copy is refused.
    Error,
    /// The copy is slower than it could be.
    Warning,
    /// Anything else.
    Remark,
}

/// One diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The severity of a diagnostic.
    pub severity: Severity,
    /// The line of the kernel that it refers to.
    pub line: Option<usize>,
    /// Its text.
    pub text: String,
    /// The texts of its notes.
    pub notes: Vec<String>,
}

impl From<&Diagnostic> for Said {
    fn from(diagnostic: &Diagnostic) -> Self {
        let severity = match diagnostic.severity {
            tile_passes::Severity::Error => Severity::Error,
            tile_passes::Severity::Warning => Severity::Warning,
            _ => Severity::Remark,
        };
        Said {
            severity,
            line: diagnostic.line().and_then(|line| line.try_into().ok()),
            text: diagnostic.message.clone(),
            notes: diagnostic.notes.iter().map(|note| note.message.clone()).collect(),
        }
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Remark => "remark",
        };
        match self.line {
            Some(line) => write!(f, "line {line}: {severity}: {}", self.text)?,
            None => write!(f, "{severity}: {}", self.text)?,
        }
        self.notes.iter().try_for_each(|note| write!(f, "\n  note: {note}"))
    }
}

/// The line in `loc("-":12:5)`.
pub(super) fn line_of(location: &str) -> Option<usize> {
    let inside = location.strip_prefix("loc(\"")?;
    let (_, place) = inside.rsplit_once("\":")?;
    place.split(':').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_line() {
        assert_eq!(line_of(r#"loc("-":12:5)"#), Some(12));
        assert_eq!(line_of(r#"loc("a\":1:b":3:4)"#), Some(3));
        assert_eq!((line_of("loc(unknown)"), line_of("loc(\"name\")")), (None, None));
    }
}
