//! What the planner answers: the two stages of a plan, and why a variant declined.
//!
//! | type | is |
//! | --- | --- |
//! | [`Aligned`] | stage 1: an [`AlignedCopy`], a [`MatrixCopy`], [`TensorCopy`], [`TensorAccess`], [`BulkCopy`] or [`ScalarCopy`] |
//! | [`VectorCopy`] | stage 2, made of an [`AlignedCopy`] |
//! | [`ExchangeStep`] | how lanes exchange vectors of a [`VectorCopy`] |
//! | [`Side`], [`Guard`] | what they are made of |
//! | [`Refusal`], [`Decline`], [`Narrowing`] | why not, in general, by a variant, and for a width |

mod aligned;
mod bulk;
mod exchange;
mod matrix;
mod owner;
mod refusal;
mod scalar;
mod side;
mod tensor_access;
mod tensor_copy;
mod tensor_verify;
mod vector;

pub use aligned::{Aligned, AlignedCopy};
pub use bulk::BulkCopy;
pub use exchange::{ExchangeStep, LINE_LANES};
pub use matrix::MatrixCopy;
pub use owner::{Distributed, Owner, SerialDigit, ThreadDigit, Window};
pub use refusal::{Decline, Narrowing, Refusal};
pub use scalar::{ScalarCopy, ScalarSide};
pub use side::{DynamicTerm, Guard, Side};
pub use tensor_access::TensorAccess;
pub use tensor_copy::{Descriptor, TensorCopy};
pub use tile_isa::{MOST_INSTRUCTIONS, TensorForm, TensorShape};
pub use vector::VectorCopy;
