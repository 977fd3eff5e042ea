//! The text of `#tile.layout`, which C++ extracts from a file and passes here: [`tile_layout::text`] reads and writes it.

use std::borrow::Cow;
use std::ffi::c_void;
use std::fmt;

use tile_layout::Layout;

use crate::guard;
use crate::layout_attr::{self, LayoutParts};
use crate::shim::{LayoutRef, StringCallback, string_ref};

/// A mistake in a text.
pub(crate) struct Mistake {
    /// The position, in bytes from the start.
    pub(crate) at: usize,
    /// Got and expected.
    pub(crate) text: String,
}

/// The parts of the layout that a text describes.
///
/// # Errors
/// The first mistake.
pub(crate) fn read(text: &[u8]) -> Result<LayoutParts, Mistake> {
    let layout = guard::quiet(|| Layout::parse(&printable(text)));
    let at_start = |text| Mistake { at: 0, text };
    match layout {
        Ok(Ok(layout)) => Ok(LayoutParts::of(&layout)),
        Ok(Err(error)) => Err(match error.in_text() {
            Some((at, text)) => Mistake { at, text },
            None => at_start(error.to_string()),
        }),
        Err(panicked) => Err(at_start(panicked.into())),
    }
}

/// The text with each byte that belongs to no character replaced by a sign that no layout has, so that positions stay. MLIR
/// allows such bytes in comments.
pub(crate) fn printable(text: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = str::from_utf8(text) {
        return Cow::Borrowed(text);
    }
    let chunks = text.utf8_chunks();
    Cow::Owned(chunks.flat_map(|chunk| [chunk.valid().to_owned(), "#".repeat(chunk.invalid().len())]).collect())
}

/// Writes the text of a layout, piece by piece. Nothing is written for a malformed layout, which the attribute's verifier
/// rejects.
///
/// # Safety
/// The pointers of `parts` are valid for their sizes; `put` takes each string during the call.
pub(crate) unsafe fn write(parts: LayoutRef, put: StringCallback, user_data: *mut c_void) {
    let mut sink = Sink { put, user_data };
    let written = guard::quiet(|| {
        // SAFETY: by the function's own contract.
        let layout = unsafe { layout_attr::read(parts) }?;
        fmt::write(&mut sink, format_args!("{layout}")).map_err(|error| error.to_string())
    });
    debug_assert!(matches!(written, Ok(Ok(()))), "{written:?}");
}

/// Passes the written text to a callback.
struct Sink {
    put: StringCallback,
    user_data: *mut c_void,
}

impl fmt::Write for Sink {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // SAFETY: by the contract of `write`.
        unsafe { (self.put)(string_ref(text), self.user_data) };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_keep_the_positions() {
        let text = b"(8) // \xff\xc3\n : \xe2\x82(1)";
        assert_eq!(printable(text), "(8) // ##\n : ##(1)");
        let Err(Mistake { at, text }) = read(text) else { panic!("two bytes of a character are no stride") };
        assert_eq!((at, &*text), (13, "got '#', expected a stride (an integer of 64 bits) or '?'"));
        assert!(read(b"(8) // \xff\xc3\n : (1)").is_ok());
    }
}
