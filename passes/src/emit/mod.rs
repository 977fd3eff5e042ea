//! The emitter.
//!
//! ```text
//!   Kit    makes ops at one insertion point: numbers, control flow, memory, warps    scans use it as it is
//!   Emit   a Kit, values shared by a function, and sums of index values              planners' address formulas use it
//! ```
//!
//! A [`Kit`] computes with plain `i32` and `i64`; its pointers are LLVM's, since states need atomic accesses that
//! memrefs do not have.

mod access;
mod asynchronous;
mod conditions;
mod control;
mod convert;
mod element;
pub mod error;
mod function;
mod index;
mod memory;
mod numbers;
mod operator;
mod pointer;
mod reduce;
mod registers;
mod scope;
mod storage;
mod warp;

pub use access::Width;
pub use conditions::Decided;
pub use convert::{Convert, several};
pub use element::EmittedElement;
pub use function::{Function, Storage};
pub use index::{Emit, Sum};
pub use numbers::Cmp;
pub use operator::{combined, identity, inlined, neutral};
pub use pointer::{as_i64, base_address, pointer_to_barrier};
pub use registers::RegisterTile;
pub use scope::{scope_barrier, scope_number};
pub use storage::{STATIC_SHARED_BYTES, attribution_bytes, buffer_bytes, check_shared, padded_bytes};
pub use warp::Special;

use crate::emit::error::EmitError;
use melior::ir::{OperationRef, Type, Value};
use tile_dialect::ir::Parts;
use tile_dialect::ops::PlannedOp;
use tile_ops::Builder;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::ValueList;

/// A value of the kernel.
pub type Val<'c, 'a> = Value<'c, 'a>;

/// Makes ops of a kernel.
#[derive(Clone, Copy)]
pub struct Kit<'c, 'a> {
    /// The builder, with the insertion point of the ops.
    pub builder: Builder<'c, 'a>,
}

impl<'c: 'a, 'a> Kit<'c, 'a> {
    /// A kit at the builder's insertion point.
    pub fn new(builder: Builder<'c, 'a>) -> Self {
        Kit { builder }
    }

    /// `i<bits>`.
    pub fn int_type(self, bits: u32) -> Type<'c> {
        self.builder.context.integer(bits)
    }
}

/// The run-time values of a side.
pub fn run_time<'c, 'a>(op: PlannedOp<'c, 'a>, role: Role) -> Vec<Sum<'c, 'a>> {
    op.values(ValueList::Of(role)).into_iter().map(Sum::value).collect()
}

/// The first operand of an op.
///
/// # Errors
/// An op without operands.
pub fn operand<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<Value<'c, 'a>, EmitError> {
    op.operand_at(0).ok_or(EmitError::Operands)
}
