//! The text of plans: a small format of serde, made for people who read IR.
//!
//! ```text
//!   rounds = 8, threads = 32, src = {layout = (8, 32, 4) : (128, 4, 1), space = global, align = 16}, load
//! ```
//!
//! | value | text |
//! | --- | --- |
//! | struct | `{key = value, …}`; the outermost one without braces |
//! | field that is true | its key alone |
//! | list, tuple | `[1, 2]`, `(1, 2)` |
//! | case of an enum | `word`, `word(value)`, `word{key = value, …}` |
//! | [`Layout`](tile_layout::Layout) | its own notation |
//! | string | `"text"` |
//!
//! A field with its default value is left out, as far as its type says so (`#[serde(default, skip_serializing_if = …)]`).
//! Every mistake in a text has a position. Numbers are checked against their types.

mod header;
mod lexer;
mod mistake;
mod read;
mod write;

pub use header::Header;
pub use mistake::Mistake;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The text of a struct.
///
/// # Errors
/// A value that the format does not have, such as a float.
pub fn write<T: Serialize>(value: &T) -> Result<String, Mistake> {
    let mut writer = write::Writer::default();
    value.serialize(&mut writer)?;
    Ok(writer.finish())
}

/// The struct that all of `text` describes, from byte `start` on.
///
/// # Errors
/// The first mistake.
pub fn read<T: DeserializeOwned>(text: &str, start: usize) -> Result<T, Mistake> {
    let mut reader = read::TextReader::new(text, start);
    let value = T::deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Whether a field has the default value of its type.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The default of fields that are a factor or a divisor.
pub fn one() -> i64 {
    1
}

/// Whether such a field has its default.
pub fn is_one(value: &i64) -> bool {
    *value == 1
}
