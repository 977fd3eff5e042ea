//! What the compiler says, kept for the report.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use melior::Context;
use melior::diagnostic::{Diagnostic, DiagnosticSeverity};

/// How bad it is.
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
    /// How bad it is.
    pub severity: Severity,
    /// The line of the kernel that it is about.
    pub line: Option<usize>,
    /// What it says.
    pub text: String,
    /// What its notes say.
    pub notes: Vec<String>,
}

impl Said {
    fn new(diagnostic: &Diagnostic<'_>) -> Self {
        let severity = match diagnostic.severity() {
            DiagnosticSeverity::Error => Severity::Error,
            DiagnosticSeverity::Warning => Severity::Warning,
            DiagnosticSeverity::Note | DiagnosticSeverity::Remark => Severity::Remark,
        };
        let notes = (0..diagnostic.note_count()).filter_map(|index| diagnostic.note(index).ok());
        Said {
            severity,
            line: line_of(&diagnostic.location().to_string()),
            text: diagnostic.to_string(),
            notes: notes.map(|note| note.to_string()).filter(|note| !note.starts_with("see current op")).collect(),
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

/// Collects the diagnostics of a context.
pub(super) struct Listener(Rc<RefCell<Vec<Said>>>);

impl Listener {
    /// Listens as long as the context lives.
    pub(super) fn new(context: &Context) -> Self {
        let said = Rc::new(RefCell::new(Vec::new()));
        let heard = said.clone();
        context.attach_diagnostic_handler(move |diagnostic| {
            heard.borrow_mut().push(Said::new(&diagnostic));
            true
        });
        Listener(said)
    }

    /// What was said since the last time.
    pub(super) fn take(&self) -> Vec<Said> {
        self.0.take()
    }
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
