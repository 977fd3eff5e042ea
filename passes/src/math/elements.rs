//! From an op on vectors to its function on each element.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Type, TypeLike, Value, ValueLike};

use tile_ops::{Builder, ub, vector};

use super::emit::Emit;
use super::function::Function;

/// What the op's results are replaced by.
///
/// # Errors
/// An element type that the function is not expanded for.
pub fn lower<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    op: OperationRef<'c, 'a>,
    function: Function,
) -> Result<Vec<Value<'c, 'a>>, String> {
    let operands: Vec<Value<'c, 'a>> = op.operands().collect();
    let results: Vec<Type<'c>> = op.results().map(|result| result.r#type()).collect();
    let Some(shape) = shape(results[0])? else { return function.emit(&Emit::new(builder), &operands) };
    let poison = |&r#type| ub::poison(builder, r#type).value();
    let mut made: Vec<_> = results.iter().map(poison).collect();
    for position in positions(&shape) {
        let parts: Vec<_> = operands.iter().map(|&operand| element(builder, operand, &position)).collect();
        for (whole, value) in made.iter_mut().zip(function.emit(&Emit::new(builder), &parts)?) {
            *whole = vector::insert(builder, value, *whole, &[], &position).value();
        }
    }
    Ok(made)
}

/// The extents of a vector; `None` for a scalar.
///
/// # Errors
/// A vector whose size only the chip knows.
pub fn shape(r#type: Type<'_>) -> Result<Option<Vec<i64>>, String> {
    let raw = r#type.to_raw();
    // SAFETY: the type is asked for extents only when it is a vector, for each dimension that it has.
    unsafe {
        if !mlir_sys::mlirTypeIsAVector(raw) {
            return Ok(None);
        }
        if mlir_sys::mlirVectorTypeIsScalable(raw) {
            return Err(format!("is on {}, expected a vector of fixed size", r#type));
        }
        let rank = mlir_sys::mlirShapedTypeGetRank(raw) as isize;
        Ok(Some((0..rank).map(|dimension| mlir_sys::mlirShapedTypeGetDimSize(raw, dimension)).collect()))
    }
}

/// Every place of a vector, the last dimension fastest.
fn positions(shape: &[i64]) -> impl Iterator<Item = Vec<i64>> {
    (0..shape.iter().product::<i64>()).map(|index| {
        let mut rest = index;
        let mut position: Vec<i64> = shape
            .iter()
            .rev()
            .map(|extent| {
                let here = rest % extent;
                rest /= extent;
                here
            })
            .collect();
        position.reverse();
        position
    })
}

/// One element; a scalar operand, such as an exponent, is every element's.
fn element<'c: 'a, 'a>(builder: Builder<'c, 'a>, operand: Value<'c, 'a>, position: &[i64]) -> Value<'c, 'a> {
    // SAFETY: the type is alive.
    let is_vector = unsafe { mlir_sys::mlirTypeIsAVector(operand.r#type().to_raw()) };
    if is_vector { vector::extract(builder, operand, &[], position).value() } else { operand }
}
