//! Layouts: which storage location holds which logical element of a tile.
//!
//! A [`Layout`] maps a logical coordinate to a *set* of locations. It is a list of
//! [`Iter`]s (extent, stride, axis), the *shard*, read like the digits of a mixed-radix number whose
//! last digit is the fastest; a *replica* (the same element is also there, and there); an *offset*
//! per axis; and, on the memory axis, an optional [`Swizzle`].
//!
//! ```text
//!   shard    (8, 4, 2) : (4@laneid, 1@laneid, 1)      an 8x8 fragment: 32 lanes hold 2 elements each
//!
//!   element (row 3, column 5)  ->  linear 3*8 + 5 = 29  ->  digits (3, 2, 1)
//!      laneid = 3*4 + 2*1 = 14        m = 1*1 = 1        lane 14 holds it in its register 1
//! ```
//!
//! All numbers are integers, in elements. Nothing here knows MLIR or a GPU: every operation is a
//! function that returns a value or the reason why there is none ([`LayoutError`]).
//!
//! | module | subject |
//! | --- | --- |
//! | [`axis`] | axes, and the scopes that thread axes count in |
//! | [`iter`] | one digit |
//! | [`layout`] | the layout itself, its checks and sizes |
//! | [`swizzle`] | the XOR of the memory axis |
//! | [`error`] | every reason for a refusal |

pub mod axis;
pub mod error;
pub mod iter;
pub mod layout;
pub mod swizzle;

pub use axis::{Axis, Level};
pub use error::LayoutError;
pub use iter::Iter;
pub use layout::{Layout, Range};
pub use swizzle::Swizzle;
