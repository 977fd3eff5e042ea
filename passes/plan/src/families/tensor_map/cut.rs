//! Cuts pieces that are too long for a box: at the swizzle's span, and at 256 elements.
//!
//! ```text
//!   512 rows from a multiple of 256 on     (2, 256): two dimensions of one box
//!   512 rows from any row on               2 boxes of 256
//!   300 rows                               (2, 150) or 2 boxes of 150
//!   257 rows, a prime number               256, and 1 by a second map: `Portion`s
//!   4096 bytes                             (2, 2048), of elements of 8 bytes
//! ```

use super::frame::Frame;
use super::map::MAX_BOX;
use super::pieces::Piece;
use super::swizzle::ATOM_BYTES;
use super::tensor::Dim;

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
