//! The two sides of a copy: what holds each element before and after.

use tile_layout::counted;

use crate::described::Described;
use crate::error::ToolError;
use crate::picture::{Picture, View, holders};

/// The most arrows: more are no picture.
const MAX_ARROWS: usize = 64;

/// Both sides as tables, with arrows from the first cells, in the order of the elements.
///
/// # Errors
/// Tiles of different shapes, or too many cells.
pub fn sides(src: &Described, dst: &Described, view: &View, arrows: usize) -> Result<Picture, ToolError> {
    if src.shape != dst.shape {
        return Err(ToolError::Refused(format!(
            "got a copy of shape {:?} to one of shape {:?}, expected the same shape",
            src.shape, dst.shape
        )));
    }
    if arrows > MAX_ARROWS {
        return Err(ToolError::Refused(format!("got {arrows} arrows, expected at most {MAX_ARROWS}")));
    }
    let tables = vec![holders(src, view)?, holders(dst, view)?];
    let mut picture = Picture { tables, ..Picture::default() };
    let [from, to] = &picture.tables[..] else { return Ok(picture) };
    let cells =
        from.cells.iter().enumerate().flat_map(|(row, cells)| (0..cells.len()).map(move |column| (row, column)));
    for (row, column) in cells.take(arrows) {
        picture.arrows.push(((row, column), (row, column)));
        let text = |table: &crate::picture::Table| table.cells[row][column].text.clone();
        let name = from.rows[row].trim_start_matches("row ");
        picture.notes.push(format!(
            "({name}{}{column}): {} -> {}",
            if name.is_empty() { "" } else { ", " },
            text(from),
            text(to)
        ));
    }
    let all: usize = from.cells.iter().map(Vec::len).sum();
    if arrows > 0 && all > arrows {
        picture.notes.push(format!("and {} more", counted((all - arrows) as i64, "element")));
    }
    Ok(picture)
}
