//! Boxes for pieces: as many pieces as possible make a box, the others are loops over boxes.
//!
//! Shared memory holds a box densely, innermost dimension first. So the pieces that follow each other there without gap
//! can be one box; the first that does not fit begins the loops. A piece in a box needs a dimension of the map of its own:
//! the dimensions of the tensor are cut where the pieces are.

use tile_layout::Axis;

use super::frame::Frame;
use super::map::Extent;
use super::pieces::Piece;
use super::pieces::Portion;
use super::plan::{Coordinate, Part};
use super::shape::{DimDraft, MapShape};
use super::swizzle::{ATOM_BYTES, BOX_ALIGN, MapSwizzle};
use super::tensor::Dim;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;

/// The boxes of a portion, and why they are not larger.
pub(super) struct LargestBoxes {
    pub part: Part,
    pub larger: Option<Refusal>,
}

impl Frame {
    /// The boxes of a portion, with the largest box that is legal.
    pub(super) fn part(&self, portion: &Portion, base: i64) -> Result<LargestBoxes, Refusal> {
        self.check_innermost(portion)?;
        let boxes = self.dense(portion);
        let mut larger = portion.pieces.get(boxes.len()).map(|piece| self.apart(portion, piece));
        let mut first = None;
        for count in (1..=boxes.len().max(1)).rev() {
            match self.of(portion, &boxes[..count.min(boxes.len())], base) {
                Ok(part) => return Ok(LargestBoxes { part, larger: first.or(larger) }),
                Err(refusal) => first = first.or(Some(refusal)),
            }
            larger = None;
        }
        Err(first.unwrap_or_else(|| Refusal::new("map-rank", "the region has no dimension")))
    }

    /// Why a piece is in no box with those before it.
    fn apart(&self, portion: &Portion, piece: &Piece) -> Refusal {
        let reason = format!(
            "boxes are {} elements apart in shared memory along dimension {} of the tensor; needed ones that follow each other",
            piece.shared, portion.dims[piece.dim].declared
        );
        Refusal::of(self.form.global().other(), "shared-not-contiguous", reason)
    }

    /// The innermost piece must be adjacent on both sides.
    pub(super) fn check_innermost(&self, portion: &Portion) -> Result<(), Refusal> {
        let Some(piece) = portion.pieces.first() else { return Ok(()) };
        let dim = &portion.dims[piece.dim];
        let (shared, step) = (piece.shared, dim.stride.saturating_mul(piece.step));
        if shared != 1 {
            let reason = format!(
                "adjacent elements of the region are {shared} apart in shared memory; needed a run of stride 1"
            );
            return Err(Refusal::of(self.form.global().other(), "shared-not-contiguous", reason));
        }
        if step != 1 || dim.axis != Axis::Memory {
            let far =
                if dim.axis == Axis::Memory { format!("{step} elements") } else { "a run-time stride".to_owned() };
            let reason = format!(
                "elements that are adjacent in shared memory are {far} apart in the tensor; needed adjacent ones"
            );
            return Err(Refusal::of(self.form.global(), "map-inner-stride", reason));
        }
        Ok(())
    }

    /// The extents of the boxes of those pieces that are dense in shared memory.
    fn dense(&self, portion: &Portion) -> Vec<i64> {
        let mut boxes: Vec<i64> = Vec::with_capacity(portion.pieces.len());
        let mut end = 1;
        for (index, piece) in portion.pieces.iter().enumerate() {
            if index == 1 {
                end = self.swizzle.span().map_or(end, |span| end.max(span / self.bytes));
            }
            if piece.shared != end {
                let Some(padded) = self.padded(portion, index, end, &boxes) else { break };
                if let Some(last) = boxes.last_mut() {
                    *last = padded;
                }
                end = piece.shared;
            }
            boxes.push(piece.extent);
            end *= piece.extent;
        }
        boxes
    }

    /// The extent of the last box with which it reaches piece `index`, if the map clips what is between: stores leave out
    /// the padding of rows.
    fn padded(&self, portion: &Portion, index: usize, end: i64, boxes: &[i64]) -> Option<i64> {
        let (piece, before) = (portion.pieces[index], portion.pieces[index.checked_sub(1)?]);
        let inner = end / boxes.last()?;
        let padded = piece.shared / inner;
        let clips = portion.dims[before.dim].splits(before.step * before.extent)
            || portion.dims[before.dim].size == Some(before.step * before.extent);
        // Of a row, the engine writes whole chunks.
        let ends = before.step > 1 || before.extent * self.bytes % ATOM_BYTES == 0;
        let fits = padded > before.extent
            && ends
            && piece.shared % inner == 0
            && self.form.is_store()
            && clips
            && self.swizzle == MapSwizzle::None;
        // What is read behind the buffer is within its last 128 bytes.
        let last = portion.pieces[..index].iter().fold(0, |last, piece| last + (piece.extent - 1) * piece.shared);
        let past = (piece.shared - last - 1) * self.bytes;
        let rest = (-self.shared_end * self.bytes).rem_euclid(BOX_ALIGN);
        (fits && past <= rest).then_some(padded)
    }

    /// The boxes where the first pieces make a box of these extents.
    pub(super) fn of(&self, portion: &Portion, boxes: &[i64], base: i64) -> Result<Part, Refusal> {
        let looped = &portion.pieces[boxes.len()..];
        let mut sections = Vec::with_capacity(portion.dims.len() + 2);
        for (number, dim) in portion.dims.iter().enumerate() {
            let cuts = cuts(number, dim, &portion.pieces, boxes, self.form.global())?;
            push_sections(number, dim, &cuts, looped.len(), &mut sections);
        }
        for (place, piece) in portion.pieces.iter().enumerate() {
            let holds = |section: &&mut Section| section.number == piece.dim && section.low <= piece.step;
            let Some(section) = sections.iter_mut().rev().find(holds) else { continue };
            match place.checked_sub(boxes.len()) {
                Some(turn) => section.draft.steps[turn] = piece.step / section.low,
                None => section.draft.boxed = boxes[place],
            }
            section.order = section.order.min(place);
        }
        // In the order of shared memory; then those in which the region has one position.
        sections.sort_by_key(|section| section.order);
        let drafts = sections.into_iter().map(|section| section.draft).collect();
        MapShape::new(self, drafts).part(self, looped, portion.offset, base)
    }
}

/// A dimension of the tensor from one cut to the next.
#[derive(Debug)]
struct Section {
    /// The dimension.
    number: usize,
    /// Elements of it in one step.
    low: i64,
    /// The first piece in it.
    order: usize,
    draft: DimDraft,
}

/// Where a dimension is cut, in ascending order: at the pieces in the box, and at the end of rows that are padded.
fn cuts(number: usize, dim: &Dim, pieces: &[Piece], boxes: &[i64], global: Role) -> Result<Vec<i64>, Refusal> {
    let mut cuts = Vec::new();
    for (piece, &boxed) in pieces.iter().zip(boxes).filter(|(piece, _)| piece.dim == number) {
        let end = piece.step * piece.extent;
        cuts.extend((piece.step > 1).then_some(piece.step));
        cuts.extend((boxed > piece.extent && dim.size != Some(end)).then_some(end));
    }
    cuts.sort_unstable();
    cuts.dedup();
    match cuts.last() {
        Some(&cut) if !dim.splits(cut) => Err(unsplit(dim, cut, global)),
        _ => Ok(cuts),
    }
}

/// Why a dimension is not one of blocks of `cut` elements.
fn unsplit(dim: &Dim, cut: i64, global: Role) -> Refusal {
    let dimension = dim.declared;
    let why = match dim.size {
        _ if dim.ends_with_block(cut) => format!("the region begins at a multiple of {}", dim.at.multiple()),
        Some(size) => format!("the tensor has {size}"),
        None => format!("the tensor has a run-time number of them, known to be a multiple of {}", dim.multiple),
    };
    let reason = format!(
        "shared memory takes dimension {dimension} of the tensor in blocks of {cut} elements; {why}; needed a \
         multiple of {cut} for one box of several blocks"
    );
    Refusal::of(global, "map-block", reason)
}

/// The sections of a dimension, innermost first.
fn push_sections(number: usize, dim: &Dim, cuts: &[i64], loops: usize, into: &mut Vec<Section>) {
    let lows = std::iter::once(1).chain(cuts.iter().copied());
    let highs = cuts.iter().copied().map(Some).chain([None]);
    for (low, high) in lows.zip(highs) {
        let (size, at) = match high {
            Some(high) => (Some(high / low), Coordinate::fixed(0)),
            None => (dim.size.map(|size| size / low), dim.at.over(low)),
        };
        let (extent, multiple) = (Extent::of(dim.declared, low), dim.multiple / low);
        let (axis, stride) = (dim.axis, dim.stride.saturating_mul(low));
        let inside = dim.inside || high.is_some();
        let draft = DimDraft { size, extent, multiple, stride, axis, boxed: 1, at, inside, steps: vec![0; loops] };
        into.push(Section { number, low, order: usize::MAX, draft });
    }
}
