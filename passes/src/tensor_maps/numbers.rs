//! The run-time numbers of a map by the arguments of its kernel, for launches that no host code makes.

use std::fmt;

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, OperationRef, ShapedTypeLike, Value, ValueLike};
use tile_dialect::TensorMapType;
use tile_dialect::ir::{Parts, argument_of, defining_op};
use tile_dialect::memref::{DYNAMIC, bit_width, extents, has_no_layout, strides_and_offset};
use tile_ops::{arith, llvm, memref, tile};
use tile_plan::families::tensor_map::Stride;
use tile_plan::integer::{LaunchExpression, LaunchFunction, LaunchNumber};

use crate::launches::{MemrefNumber, open_numbers};
use crate::read::run_time::RunTime;
use crate::read::{arithmetic, name, root, run_time};

/// Bytes from the memory of a memref argument to its first element; `None` for a memref without strides.
pub fn offset(
    argument: usize,
    types: &[Option<MemRefType<'_>>],
    first: &[usize],
) -> Option<LaunchExpression<Parameter>> {
    let Some(memref) = types.get(argument)? else { return Some(LaunchExpression::Constant(0)) };
    let bytes = i64::from(bit_width(memref.element())?.div_ceil(8));
    match strides_and_offset(*memref)?.1 {
        DYNAMIC => {
            let offset = LaunchExpression::Number(parameter(argument, MemrefNumber::Offset, types, first)?);
            Some(LaunchExpression::apply(LaunchFunction::Mul, LaunchExpression::Constant(bytes), offset))
        }
        offset => Some(LaunchExpression::Constant(offset.checked_mul(bytes)?)),
    }
}

/// The parameter that is a number of a memref argument.
fn parameter(
    argument: usize,
    number: MemrefNumber,
    types: &[Option<MemRefType<'_>>],
    first: &[usize],
) -> Option<Parameter> {
    let numbers = open_numbers(argument, types.get(argument).copied().flatten()?).ok()?;
    Some(Parameter(first.get(argument)? + 1 + numbers.iter().position(|known| *known == number)?))
}

/// The argument that is the memory of a map's tile, and the map's run-time numbers in the order of its dimensions, extents before
/// strides; `None` where the launch cannot compute them.
pub fn of_map<'c: 'a, 'a>(
    map: OperationRef<'c, 'a>,
    kernel: OperationRef<'c, 'a>,
) -> Option<(usize, Vec<LaunchExpression<LaunchNumber>>)> {
    let tile = map.operand_at(0)?;
    let fields = TensorMapType::from_type(map.result_at(0)?.r#type())?.map()?;
    let view = defining_op(root::root(tile)).filter(|&op| name(op) == tile::ViewOp::NAME)?;
    let memory = argument(memory(view.operand_at(0)?), kernel)?;
    let (extents, strides) = (run_time::extents(tile), run_time::strides(root::root(tile)));
    let (mut numbers, mut ops) = (Vec::new(), MAX_OPS);
    for dim in &fields.dims {
        if let Some((dimension, _)) = dim.extent.open() {
            let (_, extent) = extents.iter().find(|(open, _)| *open == dimension)?;
            numbers.push(known(extent.clone(), kernel, &mut ops)?);
        }
        if let Stride::Times { stride, .. } = dim.stride {
            numbers.push(known(strides.get(stride)?.clone(), kernel, &mut ops)?);
        }
    }
    Some((memory, numbers))
}

/// The memref whose address a pointer is.
fn memory<'c: 'a, 'a>(pointer: Value<'c, 'a>) -> Value<'c, 'a> {
    let from = |value: Value<'c, 'a>, wanted: &str| defining_op(value).filter(|&op| name(op) == wanted)?.operand_at(0);
    let address = from(pointer, llvm::IntToPtrOp::NAME).and_then(|word| from(word, arith::IndexCastOp::NAME));
    let memory = address.and_then(|address| from(address, memref::ExtractAlignedPointerAsIndexOp::NAME));
    memory.unwrap_or(pointer)
}

/// More than the numbers of tiles are made of.
const MAX_OPS: usize = 64;

fn known<'c: 'a, 'a>(
    number: RunTime<'c, 'a>,
    kernel: OperationRef<'c, 'a>,
    ops: &mut usize,
) -> Option<LaunchExpression<LaunchNumber>> {
    let number = match number.stated() {
        RunTime::Value(value) => return computed(value, kernel, ops),
        RunTime::Extent(memref, dimension) => LaunchNumber::Extent(argument(memref, kernel)?, dimension),
        RunTime::Stride(memref, dimension) => LaunchNumber::Stride(argument(memref, kernel)?, dimension),
        RunTime::Constant(number) => return Some(LaunchExpression::Constant(number)),
        RunTime::Start(_) => return None,
    };
    Some(LaunchExpression::Number(number))
}

/// An argument, an extent of one, a constant, or what ops on integers compute of such numbers.
fn computed<'c: 'a, 'a>(
    value: Value<'c, 'a>,
    kernel: OperationRef<'c, 'a>,
    ops: &mut usize,
) -> Option<LaunchExpression<LaunchNumber>> {
    let value = unpromised(value);
    if let Some(argument) = argument(value, kernel) {
        let number = LaunchExpression::Number(LaunchNumber::Argument(argument));
        return Some(number.fitting(arithmetic::bits(value.r#type())?));
    }
    let op = defining_op(value)?;
    if name(op) == memref::DimOp::NAME {
        return extent(op, kernel).map(LaunchExpression::Number);
    }
    if let Some(constant) = arithmetic::constant(op) {
        return Some(LaunchExpression::Constant(constant));
    }
    *ops = ops.checked_sub(1)?;
    let operands = op.operands().map(|operand| known(RunTime::Value(operand), kernel, ops)).collect::<Option<_>>()?;
    LaunchExpression::computed(&arithmetic::computation(op)?, operands)
}

/// The argument of a kernel that a value is, whatever is promised of it.
fn argument<'c: 'a, 'a>(value: Value<'c, 'a>, kernel: OperationRef<'c, 'a>) -> Option<usize> {
    let (block, number) = argument_of(unpromised(value))?;
    (block.parent_operation() == Some(kernel)).then_some(number)
}

/// The value of which something is promised.
fn unpromised<'c: 'a, 'a>(value: Value<'c, 'a>) -> Value<'c, 'a> {
    let promised = |value: &Value<'c, 'a>| {
        defining_op(*value).filter(|&op| name(op) == tile::AssumeOp::NAME).and_then(|op| op.operand_at(0))
    };
    std::iter::successors(Some(value), promised).last().unwrap_or(value)
}

/// The extent of a memref argument that a `memref.dim` gives.
fn extent<'c: 'a, 'a>(op: OperationRef<'c, 'a>, kernel: OperationRef<'c, 'a>) -> Option<LaunchNumber> {
    let dim = memref::DimOp::cast(op)?;
    let dimension = usize::try_from(arithmetic::constant(defining_op(dim.index())?)?).ok()?;
    Some(LaunchNumber::Extent(argument(dim.source(), kernel)?, dimension))
}

/// A parameter of a kernel, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter(usize);

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", self.0)
    }
}

/// A number of an argument by the kernel's parameters, given the memref types of the arguments and where the parameters of each begin.
pub fn by_parameters(
    number: LaunchNumber,
    types: &[Option<MemRefType<'_>>],
    first: &[usize],
) -> Option<LaunchExpression<Parameter>> {
    let parameter = |argument, number| Some(LaunchExpression::Number(parameter(argument, number, types, first)?));
    match number {
        LaunchNumber::Argument(argument) => Some(LaunchExpression::Number(Parameter(*first.get(argument)?))),
        LaunchNumber::Extent(argument, dimension) => parameter(argument, MemrefNumber::Extent(dimension)),
        LaunchNumber::Stride(argument, dimension) => {
            let memref = types.get(argument).copied().flatten()?;
            if !has_no_layout(memref) {
                return parameter(argument, MemrefNumber::Stride(dimension));
            }
            // Rows are dense: the stride is the product of the extents after it.
            let inner = extents(memref).into_iter().enumerate().skip(dimension + 1);
            inner
                .map(|(inner, extent)| match extent {
                    DYNAMIC => parameter(argument, MemrefNumber::Extent(inner)),
                    extent => Some(LaunchExpression::Constant(extent)),
                })
                .try_fold(LaunchExpression::Constant(1), |all, inner| {
                    Some(LaunchExpression::apply(LaunchFunction::Mul, all, inner?))
                })
        }
    }
}
