//! The number of contiguous elements that one instruction may move: a proof, or what prevents it.
//!
//! A width of `v` elements is legal when each group of `v` consecutive logical elements, the first of them a multiple
//! of `v`, is contiguous in memory, at an address that is a multiple of `v * element_bytes`. For iters that are joined as
//! far as possible ([`Layout::canonicalize`](crate::Layout::canonicalize)) this holds exactly when
//!
//! ```text
//!   (4, 2, 16) : (96, 40, 1) + 8 + 24 * n           v = 8
//!    |  |   |          |       |    |
//!    |  |   |          |       |    24 * n: v divides stride * divisor, with n = residue (mod divisor)
//!    |  |   |          |       8: v divides the offset, residues included
//!    |  |   |          stride 1
//!    |  |   v divides the innermost extent
//!    v divides the stride of every other iter
//! ```
//!
//! and `v * element_bytes` divides the proven alignment of the base. Each condition is necessary: where one fails, the
//! group at some coordinate is misaligned or torn, and the refusal names it. A swizzle keeps chunks of
//! [`Swizzle::chunk`](crate::Swizzle::chunk) elements whole, so nothing changes for widths that divide the chunk.
//! Wider ones are legal only where enumeration shows it: up to [`ENUMERATED`] elements are checked one by one, which is
//! exact as well.

mod groups;
mod rules;

use std::fmt;

use crate::canonical::{fuse_adjacent, without_units};
use crate::{Iter, Swizzle, counted};

pub use groups::ENUMERATED;

/// One side of a copy.
#[derive(Clone, Copy, Debug)]
pub struct VectorAccess<'a> {
    /// The iters of the logical index, slowest first. Iters on axes other than memory do not move the address.
    pub iters: &'a [Iter],
    /// Constant part of the address, in elements.
    pub offset: i64,
    /// Parts of the address that are known at run time only.
    pub dynamic: &'a [ResidueTerm],
    /// Applied to the complete address.
    pub swizzle: Option<Swizzle>,
    /// Size of an element, in bytes, at least 1.
    pub element_bytes: i64,
    /// Proven alignment of address 0, in bytes. Each element is taken to be aligned to its own size.
    pub base_alignment: i64,
}

/// `stride * n`, where only `n mod divisor = residue` is known of `n`.
///
/// Divisor 1 and residue 0 mean that nothing is known; divisor 0 and residue `n` that the value is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ResidueTerm {
    /// The stride, in elements.
    pub stride: i64,
    /// `n` is `residue + divisor * k` for some `k` that is not negative.
    pub divisor: i64,
    /// The remainder.
    pub residue: i64,
}

/// The widest legal width, and why the next one is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The width in elements, a power of two, at least 1.
    pub width: i64,
    /// What prevents twice the width; `None` when nothing wider was requested.
    pub blocker: Option<Blocker>,
}

/// What prevents a width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocker {
    /// The width that is refused, in elements.
    pub width: i64,
    /// The part of the address that prevents it.
    pub cause: VectorObstacle,
    /// The number that `proven` would have to be a multiple of (for [`VectorObstacle::Innermost`]: equal to; for
    /// [`VectorObstacle::Swizzle`]: at least).
    pub needed: i64,
    /// The number that was found.
    pub proven: i64,
    /// A group for which the access would be wrong; `None` only for a swizzle with too many groups to enumerate.
    pub example: Option<TornGroup>,
}

/// The part of an address that prevents a width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VectorObstacle {
    /// Elements are not contiguous: the innermost iter's stride is not 1.
    Innermost(Iter),
    /// The innermost iter does not divide into groups of the width.
    Extent(Iter),
    /// The constant offset, residues of dynamic terms included.
    Offset,
    /// The stride of an outer iter.
    Stride(Iter),
    /// A dynamic term, with its position.
    Dynamic(usize, ResidueTerm),
    /// The swizzle tears groups wider than its chunk.
    Swizzle(Swizzle),
    /// The base address. Needed and proven are in bytes.
    Base,
}

/// A group of elements that is torn or misaligned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TornGroup {
    /// Logical index of the group's first element.
    pub linear: i64,
    /// The same index as digits of the iters, joined as far as possible.
    pub digits: Vec<i64>,
    /// Values of the `n` of the dynamic terms.
    pub dynamic: Vec<i64>,
    /// The first element's address in elements, after the swizzle.
    pub address: i64,
    /// Address 0 in bytes.
    pub base: i64,
}

impl<'a> VectorAccess<'a> {
    /// An access with only iters and an offset, on a base aligned to `base_alignment` bytes.
    pub fn new(iters: &'a [Iter], offset: i64, element_bytes: i64, base_alignment: i64) -> Self {
        VectorAccess { iters, offset, dynamic: &[], swizzle: None, element_bytes, base_alignment }
    }
}

/// The widest power of two, up to `max_width` elements, that is legal for an access.
///
/// Rows of 16 that are 12 apart: width 4, as 8 does not divide the stride.
///
/// ```
/// use tile_layout::{Iter, vector::{VectorAccess, max_vector}};
/// let rows = [Iter::memory(4, 12), Iter::memory(8, 1)];
/// let proof = max_vector(&VectorAccess::new(&rows, 0, 2, 16), 8);
/// assert_eq!(proof.width, 4);
/// assert_eq!(
///     proof.blocker.unwrap().to_string(),
///     "8 elements at a time: iter 4:12 needs a stride that is a multiple of 8, not 12; element 8 at (1, 0) is at address 12"
/// );
/// ```
pub fn max_vector(access: &VectorAccess<'_>, max_width: i64) -> Proof {
    let mut width = 1;
    while width <= max_width / 2 {
        if let Err(blocker) = check_width(access, width * 2) {
            return Proof { width, blocker: Some(*blocker) };
        }
        width *= 2;
    }
    Proof { width, blocker: None }
}

/// Checks that `width` elements (any number, not only a power of two) may be moved at a time. One always may.
///
/// # Errors
/// What prevents it.
pub fn check_width(access: &VectorAccess<'_>, width: i64) -> Result<(), Box<Blocker>> {
    if width <= 1 {
        return Ok(());
    }
    let iters = fuse_adjacent(&without_units(access.iters));
    let access = VectorAccess { iters: &iters, ..*access };
    match access.swizzle.filter(|swizzle| groups::tears(&access, *swizzle, width)) {
        Some(swizzle) => groups::check(&access, swizzle, width)?,
        None => rules::check(&access, width)?,
    }
    rules::check_base(&access, width)
}

impl fmt::Display for Blocker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Blocker { width, needed, proven, .. } = self;
        write!(f, "{width} elements at a time: ")?;
        match &self.cause {
            VectorObstacle::Innermost(iter) => {
                write!(f, "innermost iter {iter} needs stride 1 in memory, not {proven}")?
            }
            VectorObstacle::Extent(iter) => {
                write!(f, "innermost iter {iter} needs an extent that is a multiple of {needed}, not {proven}")?;
            }
            VectorObstacle::Offset => write!(f, "the offset needs to be a multiple of {needed}, not {proven}")?,
            VectorObstacle::Stride(iter) => {
                write!(f, "iter {iter} needs a stride that is a multiple of {needed}, not {proven}")?
            }
            VectorObstacle::Dynamic(position, term) => write!(
                f,
                "dynamic term {position}, {term}, needs to move in multiples of {}, not {proven}",
                counted(*needed, "element")
            )?,
            VectorObstacle::Swizzle(swizzle) => {
                write!(f, "{swizzle} keeps {} together, not {needed}", counted(*proven, "element"))?
            }
            VectorObstacle::Base => {
                write!(f, "the base needs an alignment of {}; proven is {proven}", counted(*needed, "byte"))?
            }
        }
        match &self.example {
            Some(example) => write!(f, "; {example}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ResidueTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} * n with n = {} mod {}", self.stride, self.residue, self.divisor)
    }
}

impl fmt::Display for TornGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        write!(f, "element {} at ({})", self.linear, list(&self.digits))?;
        if !self.dynamic.is_empty() {
            write!(f, " with n = {}", list(&self.dynamic))?;
        }
        write!(f, " is at address {}", self.address)?;
        if self.base != 0 { write!(f, " from byte {} on", self.base) } else { Ok(()) }
    }
}
