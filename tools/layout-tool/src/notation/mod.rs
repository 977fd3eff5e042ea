//! Layouts in any of the notations: the project's, CuTe's, the types of CuTe IR, and Triton's linear layouts.
//!
//! ```text
//!   tile      (8, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>      #tile.fragment<mma.m16n8k16.a>
//!   cute      Sw<3,3,3> o 0 o (8,64):(64,1)
//!   cute-ir   !cute.layout<"(8,64):(64,1)">      !cute.composed_layout<"S<3,3,3> o 0 o (8,64):(64,1)">
//!   triton    {register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [], block = []}
//! ```

mod cute;
mod lexer;
mod triton;

use tile_isa::Fragment;
use tile_isa::fragment::FragmentMistake;
use tile_layout::Layout;

use crate::described::Described;
use crate::error::ToolError;
use crate::modes::Modes;

/// A notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Notation {
    /// This project's: the text between `#tile.layout<` and `>`.
    Tile,
    /// What CuTe prints.
    Cute,
    /// The types of CuTe IR.
    CuteIr,
    /// Triton's linear layouts: bases by dimension of the hardware.
    Triton,
}

/// Reads a layout in the notation that its text is in. `shape` is the tile's, where the text does not say: the project's notation has one
/// dimension for each entry of the outer tuple. `element_bits` are those of fragments, whose layouts depend on them.
///
/// # Errors
/// Malformed text, with the place; a layout that is not sound, or not of the shape.
pub fn read(text: &str, shape: Option<&[i64]>, element_bits: u32) -> Result<Described, ToolError> {
    let parsed = match text.trim_start() {
        trimmed if trimmed.starts_with("#tile.fragment") => fragment(text, shape, element_bits)?,
        trimmed if trimmed.starts_with("#tile.layout") => tile(text, shape)?,
        trimmed if trimmed.starts_with(['{', '#']) => triton::read(text)?,
        trimmed if trimmed.starts_with(['S', '!', '_']) || cute::is_cute(trimmed) => cute::read(text)?.described(),
        _ => tile(text, shape)?,
    };
    let shape = shape.map_or(parsed.shape, <[i64]>::to_vec);
    let described = Described { layout: parsed.layout, shape };
    let sound = described.layout.validate().and_then(|()| tile_layout::check::shape_size(&described.shape));
    let expected = sound.map_err(|error| ToolError::of_text(text, error))?;
    if expected != described.layout.size() {
        let error = tile_layout::LayoutError::SizeMismatch { got: expected, expected: described.layout.size() };
        return Err(ToolError::of_text(text, error));
    }
    Ok(described)
}

/// The text of a layout in a notation.
///
/// # Errors
/// A layout that the notation can not express.
pub fn write(described: &Described, notation: Notation) -> Result<String, ToolError> {
    Ok(match notation {
        Notation::Tile => described.layout.to_string(),
        Notation::Cute => Modes::of(described)?.to_string(),
        Notation::CuteIr => {
            let text = Modes::of(described)?.to_string();
            let kind = if text.contains(" o ") { "composed_layout" } else { "layout" };
            format!("!cute.{kind}<\"{}\">", text.replace("Sw<", "S<"))
        }
        Notation::Triton => triton::write(described)?,
    })
}

/// The text between the brackets of an attribute, and where it starts.
fn inside<'t>(text: &'t str, name: &str) -> Result<(&'t str, usize), ToolError> {
    let refused = |at: usize, expected: &str| {
        let got = text.get(at..).and_then(|rest| rest.chars().next());
        let got = got.map_or("the end".to_owned(), |got| format!("'{got}'"));
        ToolError::Text { text: text.to_owned(), at, message: format!("got {got}, expected {expected}") }
    };
    let start = text.find(name).map_or(0, |at| at + name.len());
    let rest = text[start..].trim_start();
    let open = text.len() - rest.len();
    let rest = rest.strip_prefix('<').ok_or_else(|| refused(open, "'<'"))?;
    let body = rest.trim_end().strip_suffix('>').ok_or_else(|| refused(text.trim_end().len(), "'>'"))?;
    Ok((body, open + 1))
}

/// An error in a part of a text, at its place in the whole.
fn moved(error: ToolError, text: &str, by: usize) -> ToolError {
    match error {
        ToolError::Text { at, message, .. } => ToolError::Text { text: text.to_owned(), at: at + by, message },
        ToolError::Layout { error, .. } => ToolError::Layout { text: text.to_owned(), error },
        other => other,
    }
}

fn tile(text: &str, shape: Option<&[i64]>) -> Result<Described, ToolError> {
    let (body, start) = if text.trim_start().starts_with('#') { inside(text, "#tile.layout")? } else { (text, 0) };
    let layout = Layout::parse(body).map_err(|error| moved(ToolError::of_text(body, error), text, start))?;
    if layout.shard.iter().any(|iter| iter.extent == tile_layout::OPEN) {
        let at = text.find('?').unwrap_or(start);
        let message = "got an extent '?', expected a number".to_owned();
        return Err(ToolError::Text { text: text.to_owned(), at, message });
    }
    let shape = shape.map_or_else(|| cute::shape_of(body, &layout), <[i64]>::to_vec);
    Ok(Described { layout, shape })
}

fn fragment(text: &str, shape: Option<&[i64]>, element_bits: u32) -> Result<Described, ToolError> {
    let (body, start) = inside(text, "#tile.fragment")?;
    let refused = |at: usize, message: String| ToolError::Text { text: text.to_owned(), at: start + at, message };
    let fragment: Fragment =
        body.parse().map_err(|mistake: FragmentMistake| refused(mistake.at, mistake.error.to_string()))?;
    let no_shape = || refused(0, "got a fragment without a shape, expected --shape, such as 16x16".to_owned());
    let shape = shape.ok_or_else(no_shape)?;
    let layout = fragment.layout(shape, element_bits).map_err(|error| refused(0, error.to_string()))?;
    Ok(Described { layout, shape: shape.to_vec() })
}
