//! Every reason why a layout, or an operation on one, is refused.

use thiserror::Error;

use crate::{Axis, Level};

/// Why a layout is malformed or an operation has no result. The text says got and expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LayoutError {
    /// An axis that does not exist.
    #[error(
        "unknown axis '{name}'; known axes: m, bx, by, bz, cbx, cby, cbz, tx, warpid, wgid, wid_in_wg, tid_in_wg, laneid, TLane, TCol"
    )]
    UnknownAxis {
        /// As written.
        name: String,
    },
    /// An extent below 1.
    #[error("iter {iter} has extent {extent}; extents are at least 1")]
    BadExtent {
        /// Position in its list.
        iter: usize,
        /// As given.
        extent: i64,
    },
    /// A size or an address beyond what 62 bits hold.
    #[error("the layout's {what} does not fit 62 bits")]
    TooLarge {
        /// `size` or `span`.
        what: &'static str,
    },
    /// Swizzle parameters that make no permutation of bits.
    #[error(
        "swizzle<{per_element}, {len}, {atom_len}> is malformed: atom length {atom_len} must be at least swizzle length {len}, and all three together below 62"
    )]
    BadSwizzle {
        /// log2 of the elements that stay together.
        per_element: u32,
        /// Bits exchanged.
        len: u32,
        /// Distance of the bits.
        atom_len: u32,
    },
    /// A swizzle beside an axis that it says nothing about.
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
    /// Two thread axes that count the same things within different levels.
    #[error(
        "conflicting scopes: '{first}' and '{second}' overlap; thread axes must follow one another (laneid, then wid_in_wg or warpid, then wgid)"
    )]
    ConflictingScopes {
        /// One axis.
        first: Axis,
        /// The other.
        second: Axis,
    },
}
