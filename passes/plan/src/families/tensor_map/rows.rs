//! Boxes of one row each, for rows that are named by their numbers at run time.
//!
//! ```text
//!   row         0     1     2     3     4 …              of the region
//!   number      17    3     3     250   8 …              at run time
//!   box         {column, 17}  {column, 3} …              any chip with tensor maps
//!   gather4     {column, 17, 3, 3, 250}  …               four rows that follow each other in shared memory without gap
//! ```
//!
//! The map is the same for both: a box has one row. Coordinate 1 of a plan counts the region's rows; the expansion replaces it by
//! the rows' numbers.

use tile_layout::Layout;

use super::form::GATHERED_ROWS;
use super::frame::Frame;
use super::pieces::Portion;
use super::pieces::pieces;
use super::plan::Part;
use super::tensor::{Dim, dimensions};
use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;
use crate::target::Target;

/// The boxes of a region of rows, and how many rows an instruction names.
pub(super) fn parts(
    frame: &Frame,
    tensor: &Operand,
    clips: bool,
    (shared, offset): (&Layout, i64),
    target: &Target,
) -> Result<(Vec<Part>, i64), Refusal> {
    let (role, base) = (frame.form.global(), tensor.layout.offset_on(tile_layout::Axis::Memory));
    let dims = dimensions(tensor, role, clips)?;
    if dims.iter().map(|dim| dim.declared).ne(0..2) {
        let reason = format!("the tensor has {} dimensions in a map; needed 2, rows and columns", dims.len());
        return Err(Refusal::of(role, "rows-need-matrix", reason));
    }
    let planned = |frame: &Frame| {
        let mut portions = Vec::new();
        Portion { pieces: pieces(&dims, &shared.shard)?, dims: dims.clone(), offset }.cut(frame, &mut portions);
        frame.rows(portions, base, target)
    };
    // Columns whose number only the host knows are not moved as wider elements.
    match planned(frame) {
        Err(refusal) if frame.widens => planned(&Frame { widens: false, ..*frame }).map_err(|_| refusal),
        outcome => outcome,
    }
}

impl Frame {
    fn rows(&self, portions: Vec<Portion>, base: i64, target: &Target) -> Result<(Vec<Part>, i64), Refusal> {
        let has_form = self.form.reduction().is_none() && target.has_tcgen05();
        let fours: Option<Vec<Portion>> =
            portions.iter().map(|portion| self.in_fours(portion)).collect::<Option<_>>().filter(|_| has_form);
        let at_once = if fours.is_some() { GATHERED_ROWS } else { 1 };
        let part = |portion: &Portion| {
            self.check_innermost(portion)?;
            match portion.pieces.first().filter(|piece| is_of_columns(piece.dim, &portion.dims)) {
                Some(piece) => self.of(portion, &[piece.extent], base),
                None => {
                    let reason = "rows are adjacent in shared memory; needed adjacent columns";
                    Err(Refusal::of(self.form.global().other(), "shared-not-contiguous", reason))
                }
            }
        };
        let parts = fours.as_ref().unwrap_or(&portions).iter().map(part).collect::<Result<_, _>>()?;
        Ok((parts, at_once))
    }

    /// The portion with its rows in fours, where each four follow each other in shared memory as the engine writes them.
    fn in_fours(&self, portion: &Portion) -> Option<Portion> {
        let width = portion.pieces.first()?.extent;
        let pitch = self.swizzle.span().map_or(width, |span| span / self.bytes);
        let is_next = |piece: &&mut super::pieces::Piece| {
            piece.dim == 0 && piece.shared == pitch && piece.step == 1 && piece.extent % GATHERED_ROWS == 0
        };
        let mut fours = portion.clone();
        let rows = fours.pieces.iter_mut().find(is_next)?;
        *rows = rows.split(GATHERED_ROWS).0;
        fours.pieces.retain(|piece| piece.extent != 1);
        Some(fours)
    }
}

fn is_of_columns(dim: usize, dims: &[Dim]) -> bool {
    dims.get(dim).is_some_and(|dim| dim.declared == 1)
}
