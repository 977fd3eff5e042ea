//! A tensor whose rows end where only the kernel knows: at the end of one batch of many that follow each other.
//!
//! A map has the extents that the host gave it. So the rows are a dimension of a fixed extent, `L`, and the box begins where the
//! `end - row` rows that are left are the last ones of it. Two more dimensions move the box back to its place; each has one element
//! of a box. Addresses wrap at 2^64:
//!
//! ```text
//!   dimension    stride          coordinate                   bytes
//!   rows         s               L - end + row                  (L - end + row) * s        row `end` is outside
//!   back         s               end + 2^30 - L               + (end + 2^30 - L) * s
//!   wrap         2^34 - s        2^30                         + 2^64 - 2^30 * s            = row * s
//! ```
//!
//! No coordinate is negative where `row` and `end` are not, and `end` is at most `L`: stores may not begin before a tensor.

use tile_layout::{Axis, Layout};

use super::frame::Frame;
use super::map::{Extent, MapDim, Stride, UNTIL_ROWS};
use super::pieces::Portion;
use super::pieces::pieces;
use super::plan::{Coordinate, Part};
use super::tensor::dimensions;
use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;

/// The coordinate that makes addresses wrap, and the step by which it does.
const WRAP: [i64; 2] = [1 << 30, 1 << 34];
/// The extents of the other two: more than any coordinate.
const MOST: i64 = (1 << 31) - 1;

/// The boxes of a region of a tensor that ends at a run-time row.
pub(super) fn parts(frame: &Frame, tensor: &Operand, shared: &Layout, offset: i64) -> Result<Vec<Part>, Refusal> {
    let (role, base) = (frame.form.global(), tensor.layout.offset_on(Axis::Memory));
    let mut dims = dimensions(tensor, role, true)?;
    let refused = |reason: String| Err(Refusal::of(role, "until-needs-matrix", reason));
    if dims.iter().map(|dim| dim.declared).ne(0..2) {
        return refused(format!("the tensor has {} dimensions in a map; needed 2, rows and columns", dims.len()));
    }
    if dims[0].axis != Axis::Memory {
        return refused("the rows of the tensor are a run-time number of bytes apart; needed a known one".to_owned());
    }
    let stride = dims[0].stride.saturating_mul(frame.bytes);
    (dims[0].size, dims[0].inside) = (Some(UNTIL_ROWS), false);
    let mut portions = Vec::new();
    Portion { pieces: pieces(&dims, &shared.shard)?, dims, offset }.cut(frame, &mut portions);
    let part = |portion: &Portion| {
        let mut part = frame.part(portion, base)?.part;
        let dim = |bytes: i64| MapDim::new(Extent::Const(MOST), Stride::Bytes(bytes), 1);
        part.map.dims.extend([dim(stride), dim(WRAP[1] - stride)]);
        part.map.check().map_err(|refusal| Refusal { operand: Some(role), ..refusal })?;
        part.at.extend([Coordinate::fixed(WRAP[0] - UNTIL_ROWS), Coordinate::fixed(WRAP[0])]);
        part.loops.iter_mut().for_each(|turn| turn.steps.extend([0, 0]));
        if let Some([rows, _]) = part.map.until() {
            part.at[rows].constant += UNTIL_ROWS;
        }
        Ok(part)
    };
    portions.iter().map(part).collect()
}
