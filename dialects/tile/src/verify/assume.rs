//! `tile.assume`: there is a promise, and the operand's type allows it.

use crate::ir::Parts;
use melior::ir::{OperationRef, TypeLike, ValueLike};

use super::outcome;
use crate::BufferType;
use crate::ops::{Scope, integer};

pub(crate) fn assume(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check(op))
}

fn check(op: OperationRef<'_, '_>) -> Result<(), String> {
    let r#type = op.operand_at(0).ok_or("has too few operands or results")?.r#type();
    let (divisor, scope) = (integer(op, "divisor"), integer(op, "uniform").and_then(Scope::from_code));
    // SAFETY: the type is alive.
    let signless = unsafe {
        mlir_sys::mlirTypeIsAInteger(r#type.to_raw()) && mlir_sys::mlirIntegerTypeIsSignless(r#type.to_raw())
    };
    match (divisor, scope) {
        (None, None) => Err("promises nothing, expected divisible_by, uniform or both".to_owned()),
        (Some(_), _) if !signless && !r#type.is_index() => {
            Err(format!("got divisible_by for {}, expected a signless integer or index", r#type))
        }
        (_, Some(Scope::Thread)) => Err("got uniform(thread), expected warp, warpgroup or cta".to_owned()),
        _ if BufferType::from_type(r#type).is_some() => {
            Err(format!("got {}, expected the memref or the address that the tile views", r#type))
        }
        _ => Ok(()),
    }
}
