//! `--tile-lower-math`: elementary functions as arithmetic, since nothing links libdevice into the printed PTX. An op
//! on vectors becomes its function on each element.
//!
//! The functions are those of [`tile_plan::math`]; [`emit`] writes them, [`function`] maps ops to them.

mod emit;
mod fp8;
mod function;
mod integer;

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Type, TypeLike, Value, ValueLike};
use tile_dialect::emit::Diagnostic;
use tile_dialect::guard;
use tile_dialect::ir::{Ir, Rewriter};
use tile_ops::arith::FastMathFlags;
use tile_ops::{Builder, interface, ub, vector};

use crate::read::name;
use crate::walk;
use emit::MathEmit;
use function::MathFunction;

/// Replaces every math op below the root, and the ops of arith that upstream converts to calls of libdevice; `false`,
/// after errors, if one has no expansion.
pub fn run(ir: &mut Ir<'_>) -> bool {
    let all = |complete, done| complete & done;
    let functions = walk::matching(ir.root(), MathFunction::has).into_iter();
    let complete = functions.map(|op| attempt(op, || lower(op, ir.rewriter()))).fold(true, all);
    // Functions of 8-bit floats convert, so conversions come last.
    let conversions = walk::matching(ir.root(), fp8::converts).into_iter();
    conversions.map(|op| attempt(op, || fp8::lower(op, ir.rewriter()))).fold(complete, all)
}

/// Whether an op was lowered; `false` after an error that says why not.
fn attempt(op: OperationRef<'_, '_>, lower: impl FnOnce() -> Result<(), String>) -> bool {
    let outcome = guard::quiet(lower).unwrap_or_else(|panicked| Err(panicked.into()));
    outcome.map_err(|reason| Diagnostic::error(reason).emit(op)).is_ok()
}

fn lower<'c: 'a, 'a>(op: OperationRef<'c, 'a>, rewriter: Rewriter<'c, 'a>) -> Result<(), String> {
    let precision = precision(op);
    let function = MathFunction::of(name(op), precision >= Precision::Approximate);
    let emit = MathEmit::new(Builder::before(rewriter, op), precision == Precision::Flushing);
    let values = replacements(&emit, op, function)?;
    rewriter.replace(op, &values);
    Ok(())
}

/// What an op's `fastmath` allows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precision {
    /// Nothing.
    Exact,
    /// Approximations.
    Approximate,
    /// Approximations that take subnormal numbers for zero.
    Flushing,
}

fn precision(op: OperationRef<'_, '_>) -> Precision {
    match interface::fast_math(op) {
        Some(flags) if flags.contains(FastMathFlags::FAST) => Precision::Flushing,
        Some(flags) if flags.contains(FastMathFlags::AFN) => Precision::Approximate,
        _ => Precision::Exact,
    }
}

/// The values that replace the op's results.
///
/// # Errors
/// An element type for which the function has no expansion.
fn replacements<'c: 'a, 'a>(
    emit: &MathEmit<'c, 'a>,
    op: OperationRef<'c, 'a>,
    function: MathFunction,
) -> Result<Vec<Value<'c, 'a>>, String> {
    let builder = emit.builder();
    let operands: Vec<Value<'c, 'a>> = op.operands().collect();
    let results: Vec<Type<'c>> = op.results().map(|result| result.r#type()).collect();
    let Some(shape) = shape(results[0])? else { return function.emit(emit, &operands) };
    let poison = |&r#type| ub::poison(builder, r#type).value();
    let mut made: Vec<_> = results.iter().map(poison).collect();
    for position in positions(&shape) {
        let parts: Vec<_> = operands.iter().map(|&operand| element(builder, operand, &position)).collect();
        for (whole, value) in made.iter_mut().zip(function.emit(emit, &parts)?) {
            *whole = vector::insert(builder, value, *whole, &[], &position).value();
        }
    }
    Ok(made)
}

/// The extents of a vector; `None` for a scalar.
///
/// # Errors
/// A scalable vector.
pub fn shape(r#type: Type<'_>) -> Result<Option<Vec<i64>>, String> {
    let raw = r#type.to_raw();
    // SAFETY: extents are read only from a vector type, and only for dimensions that it has.
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

/// Every position in a vector, the last dimension varying fastest.
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

/// One element of an operand; a scalar operand, such as an exponent, applies to every element.
fn element<'c: 'a, 'a>(builder: Builder<'c, 'a>, operand: Value<'c, 'a>, position: &[i64]) -> Value<'c, 'a> {
    // SAFETY: the type is alive.
    let is_vector = unsafe { mlir_sys::mlirTypeIsAVector(operand.r#type().to_raw()) };
    if is_vector { vector::extract(builder, operand, &[], position).value() } else { operand }
}
