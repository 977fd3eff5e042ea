//! The memory that a copy through tensor maps touches.
//!
//! ```text
//!   shared memory    each box, rows a span apart, from its place on
//!   global memory    each row of the region, by the layout of the tensor; any place, if rows are named at run time, or pixels
//! ```
//! The engine touches no more than that: it leaves out what is outside of the tensor.

use tile_layout::{Axis, Eval, Iter};

use super::form::MapForm;
use super::plan::{Part, TensorMapCopy};
use crate::families::family::Touches;
use crate::problem::role::Role;
use crate::sides::address::{digits, finish};
use crate::sides::region::region_side;
use crate::sides::side::Side;
use crate::touch::enumeration::Enumeration;
use crate::touch::{Arrives, Bytes, Collective, Engine, NotFollowed, Touched};

impl Touches for TensorMapCopy {
    /// Boxes and rows, accessed by the first thread of each scope.
    fn touched(&self, by: &Enumeration<'_>) -> Result<Touched, NotFollowed> {
        let global = self.form.global();
        let shared = in_shared(self, by)?;
        let is_known = self.rows == 0 && !self.walks_pixels();
        let in_tensor = if is_known { in_global(by, global)? } else { any_rows(by, global)? };
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

/// Rows that are known only at run time, as those of pixels: who touches them, and how many bytes of a row, is known.
fn any_rows(by: &Enumeration<'_>, role: Role) -> Result<Option<Bytes>, NotFollowed> {
    let (issuers, extents) = (issuers(by), by.problem.operand(role).map(|operand| operand.extent.clone()));
    let row = extents.ok().and_then(|extents| extents.last().copied()).unwrap_or(1);
    let places = |_: &[i64]| Ok(issuers.iter().map(|&thread| (thread, 0, row)).collect());
    by.side(role, issuers.len() as i64, None, places)
}

fn in_global(by: &Enumeration<'_>, role: Role) -> Result<Option<Bytes>, NotFollowed> {
    let masked: Vec<usize> =
        by.problem.operand(role).map(|operand| (0..operand.shape.len()).collect()).unwrap_or_default();
    let side = by.problem.operand(role).and_then(|operand| operand.clone().closed(role, &masked));
    let Ok(side) = side.and_then(|operand| region_side(&operand, role)) else {
        return Ok(Some(Bytes {
            footprint: None,
            collective: Collective::Thread,
            moves: None,
            unswizzled: None,
            strides: by.strides(role),
        }));
    };
    let issuers = issuers(by);
    let iters: Vec<Iter> = side.layout.shard.iter().copied().filter(|iter| iter.extent != 1).collect();
    let is_run = |iter: &&Iter| iter.stride == 1 && iter.axis == Axis::Memory;
    let run = iters.last().filter(is_run).map_or(1, |iter| iter.extent);
    let outer = if run == 1 { &iters[..] } else { &iters[..iters.len() - 1] };
    let count = outer.iter().fold(1i64, |count, iter| count.saturating_mul(iter.extent));
    let places = |values: &[i64]| {
        let mut places = Vec::new();
        for number in 0..count {
            let mut terms = Vec::new();
            digits(&mut Eval, outer, number, &mut terms);
            let first = finish(&mut Eval, &side, terms, values)?;
            places.extend(issuers.iter().map(|&thread| (thread, first, first + run)));
        }
        Ok(places)
    };
    by.side(role, count.saturating_mul(issuers.len() as i64), by.moved(role, &side), places)
}
