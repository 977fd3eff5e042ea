//! The verifiers. Those of the attribute and the type return the reason; those of ops report it.

mod asynchronous;
mod attribute;
mod block_order;
mod buffer;
mod chain;
mod chained;
mod copy;
mod derived;
mod elementwise;
mod extents;
mod im2col;
mod memory;
mod mma;
mod planned;
mod promise;
mod return_if;
mod scan;
mod sort;
mod tensor_map;
mod view;

pub(crate) use attribute::attribute;
pub(crate) use block_order::block_order;
pub(crate) use buffer::{buffer, layout, row_major};
pub(crate) use chained::chained;
pub(crate) use copy::copy;
pub use derived::derived_type;
pub(crate) use derived::{derived, is_part, may_cast, part_type, parts, permuted_type};
pub(crate) use elementwise::{block_scan, map, reduce, total};
pub(crate) use extents::extents;
pub(crate) use memory::{alloc, local_view, tmem};
pub(crate) use mma::{mma, warpgroup_mma};
pub(crate) use planned::planned_copy;
pub(crate) use promise::{assume, version};
pub(crate) use return_if::return_if;
pub(crate) use scan::scan;
pub(crate) use sort::sort;
pub(crate) use tensor_map::{tensor_map, update_map};
pub(crate) use view::{unwritten, view, view_type};

use melior::ir::{OperationRef, Type, ValueLike};

use crate::emit::Diagnostic;
use crate::error::VerifyError;
use crate::ir::Parts;
use crate::ops::cache;

/// Reports `reason` at `op`, if there is one.
fn outcome(op: OperationRef<'_, '_>, result: Result<(), impl ToString>) -> bool {
    match result {
        Ok(()) => true,
        Err(reason) => {
            Diagnostic::error(reason.to_string()).emit(op);
            false
        }
    }
}

/// The types of the first operand and of the result.
fn types<'c>(op: OperationRef<'c, '_>) -> Option<(Type<'c>, Type<'c>)> {
    Some((op.operand_at(0)?.r#type(), op.result_at(0)?.r#type()))
}

/// Checks that cache hints are known words.
fn hints(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    cache(op).map(drop)
}
