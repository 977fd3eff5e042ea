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
    let scope = |clause| integer(op, clause).and_then(Scope::from_code);
    let (divisor, uniform, distinct) = (integer(op, "divisor"), scope("uniform"), scope("distinct"));
    // SAFETY: the type is alive.
    let signless = unsafe {
        mlir_sys::mlirTypeIsAInteger(r#type.to_raw()) && mlir_sys::mlirIntegerTypeIsSignless(r#type.to_raw())
    };
    let is_integer = signless || r#type.is_index();
    match (divisor, uniform, distinct) {
        (None, None, None) => Err("promises nothing, expected divisible_by, uniform or distinct".to_owned()),
        (Some(_), ..) if !is_integer => {
            Err(format!("got divisible_by for {}, expected a signless integer or index", r#type))
        }
        (.., Some(_)) if !is_integer => {
            Err(format!("got distinct for {}, expected a signless integer or index", r#type))
        }
        (_, Some(Scope::Thread), _) => Err("got uniform(thread), expected warp, warpgroup or cta".to_owned()),
        (.., Some(scope)) if scope != Scope::Cta => Err(format!("got distinct({scope}), expected distinct(cta)")),
        _ if BufferType::from_type(r#type).is_some() => {
            Err(format!("got {}, expected the memref or the address that the tile views", r#type))
        }
        _ => Ok(()),
    }
}
