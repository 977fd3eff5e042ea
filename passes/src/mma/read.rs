//! Reads a `tile.mma` into a planning problem on integers.

use melior::ir::{Value, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::ops::MmaOp;
use tile_isa::convert::{Clause, NumberFormat};
use tile_isa::tcgen05_mma::SCALE_BITS;
use tile_plan::mma::{MmaOperand, MmaProblem, ScaleOperand};
use tile_plan::problem::operands::Operand;
use tile_plan::target::Target;

use super::error::MmaError;
use crate::read::error::ReadError;
use crate::read::problem::Reader;
use crate::read::{kernel, root, storage};

/// A product in the planner's form.
pub struct MmaReading {
    /// The problem.
    pub problem: MmaProblem,
    /// The chip to plan for.
    pub target: Target,
}

/// Reads an op whose verifier has run.
///
/// # Errors
/// Why the op, where it stands, poses no problem.
pub fn read(op: MmaOp<'_, '_>, reader: &Reader<'_>) -> Result<MmaReading, MmaError> {
    let operands @ [a, b, c] = op.operands().ok_or(MmaError::Tiles)?;
    let function = kernel::function(op.0).ok_or(ReadError::NoFunction)?;
    operands
        .into_iter()
        .chain(op.scales().into_iter().flatten())
        .try_for_each(|operand| storage::is_defined(operand, function))?;
    let scales_of = op.scales().unwrap_or([a, b]);
    for (name, read) in [("a", a), ("b", b), ("scales", scales_of[0]), ("scales", scales_of[1])] {
        if root::root(read) == root::root(c) {
            return Err(MmaError::Overwritten(name));
        }
    }
    let problem = MmaProblem {
        a: operand(a, op.clause_of_a(), reader).ok_or(MmaError::Tiles)?,
        b: operand(b, op.clause_of_b(), reader).ok_or(MmaError::Tiles)?,
        c: operand(c, None, reader).ok_or(MmaError::Tiles)?,
        scales: op.scales().map(|[of_a, of_b]| Ok::<_, MmaError>([scales(of_a)?, scales(of_b)?])).transpose()?,
        threads: reader.threads(op.0, op.scope())?,
        forced: op.variant(),
    };
    Ok(MmaReading { problem, target: reader.target(op.0)? })
}

/// Scales, which may be a part of a tile: its layout begins where the part does.
fn scales(tile: Value<'_, '_>) -> Result<ScaleOperand, MmaError> {
    let Operand { space, layout, shape, origin, .. } = root::settled(tile)?.operand;
    let shape = <[i64; 2]>::try_from(shape).map_err(|_| MmaError::Scales)?;
    let number = NumberFormat::Integer(SCALE_BITS);
    Ok(ScaleOperand { tile: MmaOperand { space, align_bytes: 1, layout, shape, number, clause: None }, origin })
}

fn operand(value: Value<'_, '_>, clause: Option<String>, reader: &Reader<'_>) -> Option<MmaOperand> {
    let buffer = BufferType::from_type(value.r#type())?;
    let shape = <[i64; 2]>::try_from(buffer.shape()).ok()?;
    let number = NumberFormat::named(&buffer.element().to_string())?;
    let clause = clause.and_then(|word| Clause::named(&word));
    let align_bytes = reader.alignment(root::root(value));
    Some(MmaOperand { space: buffer.space(), align_bytes, layout: buffer.layout(), shape, number, clause })
}
