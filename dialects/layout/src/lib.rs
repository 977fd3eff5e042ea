//! Layouts: the storage locations of the logical elements of a tile.
//!
//! A [`Layout`] maps a logical coordinate to a *set* of locations. It is a list of
//! [`Iter`]s (extent, stride, axis), the *shard*, read like the digits of a mixed-radix number whose
//! last digit is the fastest; a *replica* (further locations of the same element); an *offset*
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
//! | [`axis`] | axes, the levels that thread axes count, and the iter |
//! | [`layout`] | the layout itself |
//! | [`swizzle`] | the XOR of the memory axis |
//! | [`check`] | well-formedness; sizes and spans |
//! | [`scope`] | the chain of thread axes |
//! | [`arith`], [`address`] | the location of an element, as a number or as a program |
//! | [`formula`] | the same formula, evaluated for many numbers |
//! | [`canonical`] | the shortest form of a layout |
//! | [`group`] | cutting at the boundaries of a shape |
//! | [`mod@slice`] | the part that a region covers |
//! | [`reshape`] | the storage of a thread, and permutations |
//! | [`open`] | dimensions whose extent is known only at run time |
//! | [`view`], [`same`] | the layouts of views, and whether two layouts agree |
//! | [`places`] | whether each element has a place of its own |
//! | [`pack`] | several elements as one, and back |
//! | [`vector`] | the widest vector, with a proof or a counter-example |
//! | [`text`] | reading and printing |
//! | [`mod@error`] | every reason for a refusal, and numbers with their nouns |

pub mod address;
pub mod arith;
pub mod axis;
pub mod canonical;
pub mod check;
pub mod error;
pub mod formula;
pub mod group;
pub mod layout;
pub mod open;
pub mod pack;
pub mod places;
pub mod reshape;
pub mod same;
pub mod scope;
mod serial;
pub mod slice;
pub mod swizzle;
pub mod text;
pub mod vector;
pub mod view;

// The example of the page that describes the crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

// The tests are compiled into the library's test program: separate programs would need the library built once more. They
// use the names that users do.
#[cfg(test)]
extern crate self as tile_layout;
pub use address::{AddressStep, Location};
pub use arith::{Eval, IndexArith, gcd};
pub use axis::{Axis, Iter, Level};
pub use canonical::{Fusion, fused};
pub use error::{LayoutError, PackObstacle, by_x, by_x_where_known, counted};
pub use formula::Formula;
pub use layout::{Layout, Range};
pub use open::OPEN;
pub use places::{Places, SharedPlace};
pub use same::Agreement;
pub use swizzle::Swizzle;
