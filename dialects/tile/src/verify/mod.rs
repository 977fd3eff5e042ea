//! What the verifiers check. Attribute and type return the reason; ops report it.

mod assume;
mod asynchronous;
mod buffer;
mod bulk;
mod copy;
mod derived;
mod memory;
mod scan;
mod sides;
mod stage;
mod tensor;
mod tmem;
mod view;

pub(crate) use assume::assume;
pub(crate) use buffer::{buffer, layout, row_major};
pub(crate) use copy::{copy, fill};
pub(crate) use derived::{derived, is_part, may_cast, parts};
pub(crate) use memory::{alloc, local_view};
pub(crate) use scan::scan;
pub(crate) use stage::stage;
pub(crate) use tmem::tmem;
pub(crate) use view::view;

use melior::ir::{OperationRef, Type, ValueLike};
use tile_isa::Cache;

use crate::emit::Diagnostic;
use crate::ir::Parts;
use crate::ops::string;

/// Reports `reason` at `op`, if there is one.
fn outcome(op: OperationRef<'_, '_>, result: Result<(), String>) -> bool {
    match result {
        Ok(()) => true,
        Err(reason) => {
            Diagnostic::error(reason).emit(op);
            false
        }
    }
}

/// Types of the first operand and of the result.
fn types<'c>(op: OperationRef<'c, '_>) -> Option<(Type<'c>, Type<'c>)> {
    Some((op.operand_at(0)?.r#type(), op.result_at(0)?.r#type()))
}

/// The cache hints of any copy, by the names that they have on all of them.
fn hints(op: OperationRef<'_, '_>) -> Result<(), String> {
    let names = ["cache", "l1_evict", "l2_evict", "prefetch_size"];
    let given: Vec<_> = names.into_iter().filter_map(|name| Some((name, string(op, name)?))).collect();
    let options = given.iter().map(|(name, value)| (*name, value.as_str()));
    Cache::from_options(options).map(drop).map_err(|error| error.to_string())
}
