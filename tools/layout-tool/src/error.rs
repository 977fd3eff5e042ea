//! What is refused: got and expected, with a caret below the place where it is text.

use std::fmt;

use thiserror::Error;
use tile_layout::LayoutError;

/// Why the tool has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ToolError {
    /// Text that is no layout.
    #[error("{}", Caret { text, at: *at, message })]
    Text {
        /// The text.
        text: String,
        /// The place, in bytes.
        at: usize,
        /// Got and expected.
        message: String,
    },
    /// A layout that is not sound, or does not fit its shape.
    #[error("in '{text}': {error}")]
    Layout {
        /// The layout as written.
        text: String,
        /// The reason.
        error: LayoutError,
    },
    /// A picture that nobody could look at.
    #[error(
        "got a picture of {rows} x {columns} = {} cells, expected at most {most}; show a part with --at and --region, or a cell for each chunk with --chunk",
        rows * columns
    )]
    TooLarge {
        /// Rows of the picture.
        rows: i64,
        /// Columns of the picture.
        columns: i64,
        /// The limit.
        most: i64,
    },
    /// Anything else: got and expected.
    #[error("{0}")]
    Refused(String),
    /// A file that can not be written.
    #[error("cannot write '{path}': {reason}")]
    File {
        /// The file.
        path: String,
        /// The system's reason.
        reason: String,
    },
}

/// A message, and the line of the text with a caret below the place.
struct Caret<'c> {
    text: &'c str,
    at: usize,
    message: &'c str,
}

impl fmt::Display for Caret<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.text.get(..self.at).unwrap_or(self.text);
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = self.text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let column = before.get(start..).unwrap_or_default().chars().count();
        write!(f, "{}\n  {line}\n  {:column$}^", self.message, "")
    }
}

impl ToolError {
    /// The refusal of a text, at a place in it if the error has one.
    pub fn of_text(text: &str, error: LayoutError) -> Self {
        match error.in_text() {
            Some((at, message)) => ToolError::Text { text: text.to_owned(), at, message },
            None => ToolError::Layout { text: text.to_owned(), error },
        }
    }
}
