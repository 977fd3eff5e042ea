//! What the planner answers: the two stages of a plan, and why a variant declined.
//!
//! | type | is |
//! | --- | --- |
//! | [`Aligned`] | stage 1: an [`AlignedCopy`], a [`MatrixCopy`] or a [`ScalarCopy`] |
//! | [`VectorCopy`] | stage 2, made of an [`AlignedCopy`] |
//! | [`Side`], [`Guard`] | what they are made of |
//! | [`Refusal`], [`Decline`], [`Narrowing`] | why not, in general, by a variant, and for a width |

mod aligned;
mod matrix;
mod owner;
mod refusal;
mod scalar;
mod side;
mod vector;

pub use aligned::{Aligned, AlignedCopy};
pub use matrix::MatrixCopy;
pub use owner::{Distributed, Owner, SerialDigit, ThreadDigit, Window};
pub use refusal::{Decline, Narrowing, Refusal};
pub use scalar::{ScalarCopy, ScalarSide};
pub use side::{DynamicTerm, Guard, Side};
pub use vector::VectorCopy;
