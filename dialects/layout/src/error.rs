//! Every reason why a layout, or an operation on one, is refused; and numbers with their nouns, for messages.

use std::fmt;

use thiserror::Error;

use crate::{Axis, Iter, Level};

/// The part of a layout that keeps elements from being joined.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PackObstacle {
    /// A layout of fewer elements.
    #[error("got a run of {}", counted(*.0, "element"))]
    Run(i64),
    /// An iter that is not contiguous with those inside it.
    #[error("iter {iter} does not continue the {} before it", counted(*inside, "element"))]
    Gap {
        /// The iter.
        iter: Iter,
        /// Elements inside it.
        inside: i64,
    },
    /// An iter that ends within a group.
    #[error("iter {iter} does not divide into groups of {group}")]
    Group {
        /// The iter.
        iter: Iter,
        /// Its share of the elements that are joined.
        group: i64,
    },
    /// An iter that steps into a group.
    #[error("the stride of iter {iter} is no multiple of {factor}")]
    Stride {
        /// The iter.
        iter: Iter,
        /// Elements joined into one.
        factor: i64,
    },
    /// An offset into a group.
    #[error("the offset {offset} is no multiple of {factor}")]
    Offset {
        /// The offset.
        offset: i64,
        /// Elements joined into one.
        factor: i64,
    },
    /// A swizzle that breaks groups up.
    #[error("{swizzle} keeps only {kept} together")]
    Swizzle {
        /// The swizzle, as text.
        swizzle: String,
        /// Elements that it keeps together.
        kept: i64,
    },
}

/// Why a layout is malformed or an operation has no result. The text says got and expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LayoutError {
    /// An axis that does not exist.
    #[error("got axis '{name}', expected one of {}", axes())]
    UnknownAxis {
        /// The name, as written.
        name: String,
    },
    /// An extent below 1.
    #[error("iter {iter} has extent {extent}; extents are at least 1")]
    BadExtent {
        /// The iter's position in its list.
        iter: usize,
        /// The extent, as given.
        extent: i64,
    },
    /// A size or an address beyond what 62 bits hold.
    #[error("got {what} {got}, expected less than 2^62 = {}", 1i64 << 62)]
    TooLarge {
        /// The name of the number: `size`, `address`.
        what: &'static str,
        /// The value, as a number or as a product.
        got: String,
    },
    /// Swizzle parameters that do not give a permutation of addresses.
    #[error(
        "swizzle<base = {per_element}, bits = {len}, shift = {atom_len}> is malformed: got a shift of {atom_len}, expected at least the {len} bits that change, and all three together below 62"
    )]
    BadSwizzle {
        /// log2 of the elements that stay together.
        per_element: u32,
        /// Number of bits exchanged.
        len: u32,
        /// Distance between the bits.
        atom_len: u32,
    },
    /// A swizzle together with an axis other than memory.
    #[error("a swizzled layout has the memory axis only, but this one uses '{axis}'")]
    SwizzleOnAxis {
        /// The other axis.
        axis: Axis,
    },
    /// Memory addresses below zero.
    #[error("the layout reaches address {lowest} on axis '{axis}'; addresses start at 0")]
    NegativeAddress {
        /// The axis.
        axis: Axis,
        /// The lowest address.
        lowest: i64,
    },
    /// Thread axes that leave a gap in the hierarchy.
    #[error("disconnected scope chain: '{inner_axis}' counts up to a {inner}, but '{outer_axis}' starts at a {outer}")]
    DisconnectedScopes {
        /// The inner axis.
        inner_axis: Axis,
        /// The level it counts within.
        inner: Level,
        /// The outer axis.
        outer_axis: Axis,
        /// The level it counts.
        outer: Level,
    },
    /// Two thread axes that overlap in the hierarchy.
    #[error(
        "conflicting scopes: '{first}' and '{second}' overlap; thread axes must follow one another (laneid, then wid_in_wg or warpid, then wgid)"
    )]
    ConflictingScopes {
        /// One axis.
        first: Axis,
        /// The other.
        second: Axis,
    },
    /// An extent below 1 in a shape.
    #[error("dimension {dim} of the shape is {extent}; extents are at least 1")]
    BadShape {
        /// The dimension.
        dim: usize,
        /// The extent, as given.
        extent: i64,
    },
    /// A shape with a different number of elements.
    #[error("got a shape of {}; expected the layout's {expected}", counted(*got, "element"))]
    SizeMismatch {
        /// Elements of the shape.
        got: i64,
        /// Elements of the layout.
        expected: i64,
    },
    /// A list of the wrong length.
    #[error("got {got} as the number of {what}; expected {expected}")]
    Count {
        /// The things that are counted.
        what: &'static str,
        /// The number given.
        got: usize,
        /// The number needed.
        expected: usize,
    },
    /// A boundary of the shape that falls inside an iter that cannot be split there.
    #[error(
        "the layout can not be grouped by shape: dimension {dim} still needs a factor of {needed}, which iter {iter} neither divides nor is a multiple of"
    )]
    NotGroupable {
        /// The dimension.
        dim: usize,
        /// The rest of its extent.
        needed: i64,
        /// The rest of the iter.
        iter: Iter,
    },
    /// A region that leaves its dimension.
    #[error(
        "dimension {dim} of the region is [{begin}, {begin} + {extent}); expected a non-empty part of [0, {limit})"
    )]
    OutOfBounds {
        /// The dimension.
        dim: usize,
        /// First position.
        begin: i64,
        /// Number of positions.
        extent: i64,
        /// Extent of the dimension.
        limit: i64,
    },
    /// A region that no list of iters describes.
    #[error(
        "dimension {dim}: positions [{begin}, {begin} + {extent}) cross the end of iter {iter} in a way that no list of iters describes"
    )]
    NotSliceable {
        /// The dimension.
        dim: usize,
        /// First position.
        begin: i64,
        /// Number of positions.
        extent: i64,
        /// The iter that is crossed.
        iter: Iter,
    },
    /// A part that is not one of several equal ones.
    #[error(
        "dimension {dim}: positions [{begin}, {begin} + {extent}) are none of equal parts of {limit}; expected a begin and an extent that are multiples of {extent}"
    )]
    UnequalParts {
        /// The dimension.
        dim: usize,
        /// First position.
        begin: i64,
        /// Number of positions.
        extent: i64,
        /// Extent of the whole.
        limit: i64,
    },
    /// Numbers that are no permutation.
    #[error("got {got:?}; expected a permutation of 0 to {len}, exclusive")]
    BadPermutation {
        /// The numbers given.
        got: Vec<usize>,
        /// The number of things to permute.
        len: usize,
    },
    /// A change of the element size that the layout does not allow.
    #[error("can not join {}: {obstacle}", counted(*factor, "element"))]
    NotPackable {
        /// Elements joined into one.
        factor: i64,
        /// The part that does not fit.
        obstacle: PackObstacle,
    },
    /// A factor that is not positive, or not a power of two under a swizzle.
    #[error("got factor {factor}; expected {expected}")]
    BadFactor {
        /// The factor, as given.
        factor: i64,
        /// The allowed factors.
        expected: &'static str,
    },
    /// Text that is no layout.
    #[error("at byte {at}: got {got}, expected {expected}")]
    Parse {
        /// The position, in bytes from the start.
        at: usize,
        /// The text found there.
        got: String,
        /// The text that could be there.
        expected: String,
    },
    /// Text of the right form that describes no valid layout.
    #[error("at byte {at}: {text}")]
    Refused {
        /// The position, in bytes from the start.
        at: usize,
        /// Got and expected.
        text: String,
    },
}

impl LayoutError {
    pub(crate) fn refused(at: usize, text: impl Into<String>) -> Self {
        LayoutError::Refused { at, text: text.into() }
    }

    /// The position in the text, in bytes from the start, and what is wrong there; `None` for errors that are not about text.
    ///
    /// ```
    /// use tile_layout::Layout;
    /// let error = Layout::parse("(8, 4) : (1)").unwrap_err();
    /// assert_eq!(error.in_text(), Some((9, "got 1 strides, expected 2, one for each extent".to_owned())));
    /// ```
    pub fn in_text(&self) -> Option<(usize, String)> {
        match self {
            LayoutError::Parse { at, got, expected } => Some((*at, format!("got {got}, expected {expected}"))),
            LayoutError::Refused { at, text } => Some((*at, text.clone())),
            _ => None,
        }
    }
}

/// Every axis, for messages; the text form omits memory.
fn axes() -> String {
    Axis::ALL.map(Axis::name).join(", ")
}

/// Extents, or other numbers along dimensions.
///
/// ```
/// assert_eq!(tile_layout::by_x([64, 128]), "64x128");
/// ```
pub fn by_x<N: ToString>(numbers: impl IntoIterator<Item = N>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join("x")
}

/// Extents, `?` for one that is not known: `64x?`.
pub fn by_x_where_known(extents: impl IntoIterator<Item = Option<i64>>) -> String {
    by_x(extents.into_iter().map(|extent| extent.map_or_else(|| "?".to_owned(), |extent| extent.to_string())))
}

/// A number of things: `1 element`, `2 elements`.
#[derive(Clone, Copy, Debug)]
pub struct Counted<N> {
    number: N,
    noun: &'static str,
}

/// `number` of `noun`, which is given in the singular; its plural ends in `s`.
///
/// ```
/// use tile_layout::counted;
///
/// assert_eq!(format!("{} of {}", counted(1, "thread"), counted(32, "bit")), "1 thread of 32 bits");
/// assert_eq!(counted(0usize, "element").to_string(), "0 elements");
/// ```
pub fn counted<N: fmt::Display + PartialEq + From<u8>>(number: N, noun: &'static str) -> Counted<N> {
    Counted { number, noun }
}

impl<N: fmt::Display + PartialEq + From<u8>> fmt::Display for Counted<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ending = if self.number == N::from(1) { "" } else { "s" };
        write!(f, "{} {}{ending}", self.number, self.noun)
    }
}
