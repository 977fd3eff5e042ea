//! The emitter: index arithmetic, loops and conditions, accesses, pointers, and what one function shares.

mod access;
mod arith;
mod control;
mod function;
mod pointer;
mod storage;

pub use access::Width;
pub use arith::{Emit, Sum};
pub use function::Function;
pub use pointer::{as_i64, base_address, pointer_to_barrier, to_pointer};
pub use storage::{Storage, check_shared};

use melior::ir::{OperationRef, Value};
use tile_dialect::ir::Parts;
use tile_dialect::ops;

/// The run-time values of a side.
pub fn run_time<'c, 'a>(side: &ops::Side<'c, 'a>) -> Vec<Sum<'c, 'a>> {
    side.terms.iter().map(|&(value, ..)| Sum::value(value)).collect()
}

/// The first operand of an op.
///
/// # Errors
/// An op without operands.
pub fn operand<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Result<Value<'c, 'a>, String> {
    op.operand_at(0).ok_or_else(|| "has too few operands".to_owned())
}
