//! The memory that a copy through tensor maps touches.
//!
//! ```text
//!   shared memory    each box, rows a span apart, from its place on
//!   global memory    each row of the region, by the layout of the tensor; any place, if rows are named at run time, or pixels
//! ```

use tile_layout::Eval;

use super::form::MapForm;
use super::plan::{Part, TensorMapCopy};
use crate::families::family::Touches;
use crate::problem::role::Role;
use crate::sides::side::Side;
use crate::touch::enumeration::Enumeration;
use crate::touch::region::in_region;
use crate::touch::{Arrives, Bytes, Engine, NotFollowed, Touched};

impl Touches for TensorMapCopy {
    /// Boxes and rows, accessed by the first thread of each scope.
    fn touched(&self, by: &Enumeration<'_>) -> Result<Touched, NotFollowed> {
        let global = self.form.global();
        let shared = in_shared(self, by)?;
        let is_known = self.rows == 0 && !self.walks_pixels();
        let in_tensor =
            if is_known { in_region(by, global, &masked(by, global), &issuers(by))? } else { any_rows(by, global)? };
        let sides = [(global, in_tensor), (global.other(), shared)];
        let sides = sides.into_iter().filter_map(|(role, bytes)| Some((role, bytes?)));
        if self.form != MapForm::Multicast {
            return Ok(Touched::new(Engine::TMA, sides));
        }
        // Rows may stand a span apart: fewer bytes are counted than are touched.
        let engine = Engine { arrives: Arrives::Others, ..Engine::TMA };
        Ok(Touched { counted: Some(self.bytes()), ..Touched::new(engine, sides) })
    }
}

/// The threads that issue boxes.
fn issuers(by: &Enumeration<'_>) -> Vec<i64> {
    by.active().iter().filter(|&thread| by.relative(thread) == 0).collect()
}

fn in_shared(copy: &TensorMapCopy, by: &Enumeration<'_>) -> Result<Option<Bytes>, NotFollowed> {
    let (role, issuers) = (copy.form.global().other(), issuers(by));
    let bytes = i64::from(copy.element_bits / 8).max(1);
    let places = |values: &[i64]| {
        let mut places = Vec::new();
        for part in &copy.parts {
            let plain = Side { strides: Vec::new(), ..copy.shared.clone() };
            let part = Part { at: Vec::new(), ..part.clone() };
            for number in 0..part.boxes() {
                let first = part.issue(&mut Eval, number, &plain, [&[], values])?.offset;
                let rows = part.map.box_bytes() / part.map.inner_bytes().max(1) * copy.rows.max(1);
                let end = first + rows * part.map.row_pitch() / bytes;
                places.extend(issuers.iter().map(|&thread| (thread, first, end)));
            }
        }
        Ok(places)
    };
    let count = copy.instructions().saturating_mul(issuers.len() as i64);
    by.side(role, count, by.moved(role, &copy.shared), places)
}

/// All dimensions: the engine leaves out what is outside of the tensor.
fn masked(by: &Enumeration<'_>, role: Role) -> Vec<usize> {
    by.problem.operand(role).map_or_else(|_| Vec::new(), |operand| (0..operand.shape.len()).collect())
}

/// Rows that are known only at run time, as those of pixels: who touches them, and how many bytes of a row, is known.
fn any_rows(by: &Enumeration<'_>, role: Role) -> Result<Option<Bytes>, NotFollowed> {
    let (issuers, extents) = (issuers(by), by.problem.operand(role).map(|operand| operand.extent.clone()));
    let row = extents.ok().and_then(|extents| extents.last().copied()).unwrap_or(1);
    let places = |_: &[i64]| Ok(issuers.iter().map(|&thread| (thread, 0, row)).collect());
    by.side(role, issuers.len() as i64, None, places)
}
