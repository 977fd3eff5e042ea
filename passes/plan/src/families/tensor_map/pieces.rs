//! Both sides of a copy cut into pieces: runs of elements that are evenly spaced in one dimension of the tensor and in
//! shared memory.
//!
//! ```text
//!   tensor   64 rows, 128 columns of 512         shared  (64, 2, 64) : (64, 4096, 1)
//!     64 columns    step 1 in dimension 1        stride 1
//!     64 rows       step 1 in dimension 0        stride 64
//!      2 halves     step 64 in dimension 1       stride 4096
//! ```

use tile_layout::Iter;

use super::frame::Frame;
use super::map::MAX_BOX;
use super::swizzle::ATOM_BYTES;
use super::tensor::Dim;
use crate::problem::mask::Coordinate as Digit;
use crate::problem::refusal::Refusal;
use crate::sides::order::{join, refine_digits};

/// A run of elements, evenly spaced on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// Its number of elements.
    pub extent: i64,
    /// From one of them to the next in shared memory.
    pub shared: i64,
    /// The dimension that it moves in, by its number in the list, …
    pub dim: usize,
    /// … and how far.
    pub step: i64,
}

/// The pieces by ascending distance in shared memory.
///
/// # Errors
/// `no-common-refinement` for sides that are cut at positions that do not divide each other.
pub(super) fn pieces(dims: &[Dim], shared: &[Iter]) -> Result<Vec<Piece>, Refusal> {
    let global: Vec<Iter> = dims.iter().map(|dim| Iter::new(dim.extent, dim.stride, dim.axis)).collect();
    let digit = |(dimension, dim): (usize, &Dim)| Digit { extent: dim.extent, dimension, step: 1 };
    let digits: Vec<Digit> = dims.iter().enumerate().map(digit).collect();
    let pairs = refine_digits(shared, &global, &digits)
        .ok_or_else(|| Refusal::new("no-common-refinement", "the iters of the two sides have no common refinement"))?;
    let piece = |pair: crate::sides::order::Pair| Piece {
        extent: pair.extent,
        shared: pair.lead,
        dim: pair.moves.0,
        step: pair.moves.1,
    };
    let mut pieces: Vec<Piece> = join(&pairs).into_iter().map(piece).collect();
    pieces.sort_by_key(|piece| piece.shared);
    Ok(pieces)
}

impl Piece {
    /// The piece as `(outer, inner)`, of which the inner has `count` elements.
    pub(super) fn split(self, count: i64) -> (Piece, Piece) {
        let outer = Piece { extent: self.extent / count, shared: self.shared * count, step: self.step * count, ..self };
        (outer, Piece { extent: count, ..self })
    }
}

impl Dim {
    /// Whether the dimension can be two of a map, of which the inner has `count` elements: the region starts at a
    /// multiple of it, and so does what is outside, unless nothing is.
    pub(super) fn splits(&self, count: i64) -> bool {
        self.at.multiple() % count == 0 && self.ends_with_block(count)
    }

    /// Whether no block of `count` elements that is partly outside is in the region.
    pub(super) fn ends_with_block(&self, count: i64) -> bool {
        match self.size {
            Some(size) => size % count == 0 || self.inside && size > count,
            None => self.multiple % count == 0,
        }
    }
}

/// A part of the region that boxes of one shape tile.
#[derive(Clone, Debug)]
pub(super) struct Portion {
    /// By ascending distance in shared memory.
    pub pieces: Vec<Piece>,
    /// The dimensions, with the start of the portion.
    pub dims: Vec<Dim>,
    /// Where it starts in shared memory, in elements.
    pub offset: i64,
}

/// The least bytes of a row for which a shorter row is worth an instruction less.
const SHORT_ROW: i64 = 128;

impl Portion {
    /// The portion with all pieces cut, after which portions of other boxes follow.
    pub(super) fn cut(self, frame: &Frame, into: &mut Vec<Portion>) {
        for index in 0..self.pieces.len() {
            let piece = self.pieces[index];
            let limit = frame.longest(index == 0);
            if piece.extent <= limit {
                continue;
            }
            let grain = if index == 0 { (ATOM_BYTES / frame.bytes).max(1) } else { 1 };
            match self.length(frame, index, limit, grain) {
                Some(length) => return self.with_cut(index, length).cut(frame, into),
                None => {
                    let [main, rest] = self.apart(index, piece.extent / limit * limit);
                    main.cut(frame, into);
                    return rest.cut(frame, into);
                }
            }
        }
        into.push(self);
    }

    /// The length to cut a piece at; `None` where no length near the limit divides it.
    fn length(&self, frame: &Frame, index: usize, limit: i64, grain: i64) -> Option<i64> {
        let Piece { extent, dim, step, .. } = self.pieces[index];
        let divides = |length: &i64| extent % length == 0 && length % grain == 0;
        let longest = (1..=limit).rev().find(divides);
        let short = if index == 0 { SHORT_ROW / frame.bytes } else { 1 };
        let one_box = |length: &i64| {
            divides(length) && *length >= short && extent / length <= MAX_BOX && self.dims[dim].splits(length * step)
        };
        let boxed = (1..=limit).rev().find(one_box);
        let least = (extent + limit - 1) / limit;
        boxed.or(longest.filter(|length| extent / length <= 2 * least || frame.swizzle.span().is_some() && index == 0))
    }

    fn with_cut(mut self, index: usize, length: i64) -> Portion {
        let (outer, inner) = self.pieces[index].split(length);
        self.pieces[index] = inner;
        self.pieces.push(outer);
        self.pieces.sort_by_key(|piece| piece.shared);
        self
    }

    /// The first `count` elements of a piece, and the others.
    fn apart(self, index: usize, count: i64) -> [Portion; 2] {
        let (mut main, mut rest) = (self.clone(), self);
        let Piece { extent, shared, dim, step } = main.pieces[index];
        main.pieces[index].extent = count;
        rest.pieces[index].extent = extent - count;
        if rest.pieces[index].extent == 1 {
            rest.pieces.remove(index);
        }
        rest.dims[dim].at.constant += count * step;
        rest.offset += count * shared;
        [main, rest]
    }
}
