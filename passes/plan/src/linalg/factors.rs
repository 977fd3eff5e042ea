//! Factors that the body of a product computes, as upstream fuses maps into it: they are computed before it, into tiles.
//!
//! ```text
//!   sums[m, n] += (codes[m, k] * scales[m]) * b[k, n]      factor[m, k] = codes[m, k] * scales[m]
//!                                                          sums[m, n] += factor[m, k] * b[k, n]
//! ```

use std::collections::BTreeSet;

use thiserror::Error;

use super::form::StructuredOp;

/// The part of shared memory that a factor may fill: the other factor is there, too.
const SHARE: i64 = 4;

/// Why a factor is not computed before its product.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum FactorRefusal {
    /// An extent is known only at run time.
    #[error("loop {0} of the factor has an extent that is known only at run time, expected a number")]
    Open(usize),
    /// No tile holds it.
    #[error(
        "got a factor of {bytes} bytes, expected at most {most}, a quarter of shared memory: split its loops before"
    )]
    Large {
        /// Its size in bytes.
        bytes: i64,
        /// The most bytes of a factor.
        most: i64,
    },
}

/// A factor that the body of an op computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComputedFactor<'f> {
    /// The inputs from whose elements it is computed.
    pub inputs: &'f [usize],
    /// The inputs that the other factor is, or is computed from.
    pub others: &'f [usize],
    /// The bits of an element.
    pub bits: u32,
}

impl ComputedFactor<'_> {
    /// The loops of a factor, each with its extent, once it is computed before the op; `None` where the op is no product then, since one of
    /// the factors has no loop of its own.
    ///
    /// # Errors
    /// Tiles do not hold it.
    ///
    /// ```
    /// use tile_plan::linalg::{CombinedTerm, ComputedFactor, FactorRefusal, LinalgBody, StructuredOp, form};
    ///
    /// // sums[m, n] += (codes[m, k] * scales[m]) * b[k, n]
    /// let single = |loops: &[usize]| loops.iter().map(|&number| vec![(number, 1)]).collect::<Vec<_>>();
    /// let indices = vec![single(&[0, 2]), single(&[0]), single(&[2, 1]), single(&[0, 1])];
    /// let op = StructuredOp {
    ///     extents: vec![64, 128, 256],
    ///     ends: vec![64, 128, 256],
    ///     is_open: vec![false; 3],
    ///     reduces: vec![false, false, true],
    ///     maps: form::maps(&indices),
    ///     indices,
    ///     multiplies: false,
    ///     bits: vec![8, 16, 16, 32],
    ///     inputs: 3,
    ///     body: LinalgBody::Combined { is_sum: true, term: CombinedTerm::Function },
    /// };
    /// let factor = ComputedFactor { inputs: &[0, 1], others: &[2], bits: 16 };
    /// assert_eq!(factor.loops(&op, 1 << 17), Some(Ok(vec![(0, 64), (2, 256)])));
    /// assert_eq!(factor.loops(&op, 1 << 16), Some(Err(FactorRefusal::Large { bytes: 1 << 15, most: 1 << 14 })));
    /// assert_eq!(ComputedFactor { inputs: &[1], others: &[0, 2], bits: 16 }.loops(&op, 1 << 17), None);
    /// ```
    pub fn loops(&self, op: &StructuredOp, shared_bytes: i64) -> Option<Result<Vec<(usize, i64)>, FactorRefusal>> {
        let union = |inputs: &[usize]| inputs.iter().flat_map(|&input| op.loops(input)).collect::<BTreeSet<_>>();
        let (loops, others) = (union(self.inputs), union(self.others));
        let has_own = |one: &BTreeSet<usize>, other: &BTreeSet<usize>| {
            one.difference(other).any(|&number| !op.reduces[number] && op.extents[number] > 1)
        };
        if !has_own(&loops, &others) || !has_own(&others, &loops) {
            return None;
        }
        if let Some(&open) = loops.iter().find(|&&number| op.is_open[number]) {
            return Some(Err(FactorRefusal::Open(open)));
        }
        let elements = loops.iter().fold(1i64, |all, &number| all.saturating_mul(op.extents[number]));
        let (bytes, most) = (elements.saturating_mul(i64::from(self.bits)) / 8, shared_bytes / SHARE);
        let is_held = bytes <= most;
        let extents = || loops.iter().map(|&number| (number, op.extents[number])).collect();
        Some(is_held.then(extents).ok_or(FactorRefusal::Large { bytes, most }))
    }
}
