//! The run-time numbers of a map by the arguments of its kernel, for launches that no host code makes.

use std::fmt;

use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, OperationRef, ShapedTypeLike, Value, ValueLike};
use tile_dialect::TensorMapType;
use tile_dialect::ir::{Parts, argument_of, defining_op};
use tile_dialect::memref::{DYNAMIC, bit_width, extents, has_no_layout, strides_and_offset};
use tile_ops::{arith, llvm, memref, tile};
use tile_plan::families::tensor_map::{Extent, Stride};

use crate::launches::{MemrefNumber, open_numbers};
use crate::read::run_time::RunTime;
use crate::read::{arithmetic, name, root, run_time};

/// A run-time number of a map, as a launch knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchNumber {
    /// An argument of the kernel.
    Argument(usize),
    /// The extent of a memref argument in a dimension.
    Extent(usize, usize),
    /// The stride of a memref argument in a dimension, in elements.
    Stride(usize, usize),
    /// The same in each launch.
    Constant(i64),
}

/// Bytes from the memory of a memref argument to its first element; `None` for a memref without strides.
pub fn offset(argument: usize, types: &[Option<MemRefType<'_>>], first: &[usize]) -> Option<Product> {
    let Some(memref) = types.get(argument)? else { return Some(Product::constant(0)) };
    let bytes = i64::from(bit_width(memref.element())?.div_ceil(8));
    match strides_and_offset(*memref)?.1 {
        DYNAMIC => {
            Some(Product { factor: bytes, parameters: vec![parameter(argument, MemrefNumber::Offset, types, first)?] })
        }
        offset => Some(Product::constant(offset.checked_mul(bytes)?)),
    }
}

/// The parameter that is a number of a memref argument.
fn parameter(
    argument: usize,
    number: MemrefNumber,
    types: &[Option<MemRefType<'_>>],
    first: &[usize],
) -> Option<usize> {
    let numbers = open_numbers(argument, types.get(argument).copied().flatten()?).ok()?;
    Some(first.get(argument)? + 1 + numbers.iter().position(|it| *it == number)?)
}

impl LaunchNumber {
    /// As three integers of an attribute.
    pub fn to_integers(self) -> [i64; 3] {
        match self {
            LaunchNumber::Argument(argument) => [0, argument as i64, 0],
            LaunchNumber::Extent(argument, dimension) => [1, argument as i64, dimension as i64],
            LaunchNumber::Stride(argument, dimension) => [2, argument as i64, dimension as i64],
            LaunchNumber::Constant(number) => [3, number, 0],
        }
    }

    /// The number that three integers of an attribute mean.
    pub fn from_integers(integers: &[i64]) -> Option<Self> {
        let [kind, argument, dimension] = integers else { return None };
        if *kind == 3 {
            return Some(LaunchNumber::Constant(*argument));
        }
        let (argument, dimension) = (usize::try_from(*argument).ok()?, usize::try_from(*dimension).ok()?);
        match kind {
            0 => Some(LaunchNumber::Argument(argument)),
            1 => Some(LaunchNumber::Extent(argument, dimension)),
            2 => Some(LaunchNumber::Stride(argument, dimension)),
            _ => None,
        }
    }
}

/// The argument that is the memory of a map's tile, and the map's run-time numbers in the order of its dimensions, extents before
/// strides; `None` where they do not come from arguments as they are.
pub fn of_map<'c: 'a, 'a>(
    map: OperationRef<'c, 'a>,
    kernel: OperationRef<'c, 'a>,
) -> Option<(usize, Vec<LaunchNumber>)> {
    let tile = map.operand_at(0)?;
    let fields = TensorMapType::from_type(map.result_at(0)?.r#type())?.map()?;
    let view = defining_op(root::root(tile)).filter(|&op| name(op) == tile::ViewOp::NAME)?;
    let memory = argument(memory(view.operand_at(0)?), kernel)?;
    let (extents, strides) = (run_time::extents(tile), run_time::strides(root::root(tile)));
    let mut numbers = Vec::new();
    for dim in &fields.dims {
        if let Extent::Of(dimension) = dim.extent {
            numbers.push(known(&extents.iter().find(|(of, _)| *of == dimension)?.1, kernel)?);
        }
        if let Stride::Times { stride, .. } = dim.stride {
            numbers.push(known(&strides.get(stride)?.clone().stated(), kernel)?);
        }
    }
    Some((memory, numbers))
}

/// The memref whose address a pointer is.
fn memory<'c: 'a, 'a>(pointer: Value<'c, 'a>) -> Value<'c, 'a> {
    let of = |value: Value<'c, 'a>, wanted: &str| defining_op(value).filter(|&op| name(op) == wanted)?.operand_at(0);
    let address = of(pointer, llvm::IntToPtrOp::NAME).and_then(|word| of(word, arith::IndexCastOp::NAME));
    let memory = address.and_then(|address| of(address, memref::ExtractAlignedPointerAsIndexOp::NAME));
    memory.unwrap_or(pointer)
}

fn known<'c: 'a, 'a>(number: &RunTime<'c, 'a>, kernel: OperationRef<'c, 'a>) -> Option<LaunchNumber> {
    match *number {
        RunTime::Value(value) => {
            let constant = || arithmetic::constant(defining_op(unpromised(value))?).map(LaunchNumber::Constant);
            let number = argument(value, kernel).map(LaunchNumber::Argument);
            number.or_else(|| extent(unpromised(value), kernel)).or_else(constant)
        }
        RunTime::Extent(memref, dimension) => Some(LaunchNumber::Extent(argument(memref, kernel)?, dimension)),
        RunTime::Stride(memref, dimension) => Some(LaunchNumber::Stride(argument(memref, kernel)?, dimension)),
        RunTime::Constant(number) => Some(LaunchNumber::Constant(number)),
        RunTime::Start(_) => None,
    }
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
fn extent<'c: 'a, 'a>(value: Value<'c, 'a>, kernel: OperationRef<'c, 'a>) -> Option<LaunchNumber> {
    let dim = defining_op(value).and_then(memref::DimOp::cast)?;
    let dimension = usize::try_from(arithmetic::constant(defining_op(dim.index())?)?).ok()?;
    Some(LaunchNumber::Extent(argument(dim.source(), kernel)?, dimension))
}

/// A number as a product of kernel parameters, given the memref types of the arguments and where the parameters of each begin.
pub fn product(known: LaunchNumber, types: &[Option<MemRefType<'_>>], first: &[usize]) -> Option<Product> {
    let parameter = |argument, number| parameter(argument, number, types, first);
    match known {
        LaunchNumber::Constant(number) => Some(Product::constant(number)),
        LaunchNumber::Argument(argument) => Some(Product { factor: 1, parameters: vec![*first.get(argument)?] }),
        LaunchNumber::Extent(argument, dimension) => {
            Some(Product { factor: 1, parameters: vec![parameter(argument, MemrefNumber::Extent(dimension))?] })
        }
        LaunchNumber::Stride(argument, dimension) => {
            let memref = types.get(argument).copied().flatten()?;
            if !has_no_layout(memref) {
                return Some(Product {
                    factor: 1,
                    parameters: vec![parameter(argument, MemrefNumber::Stride(dimension))?],
                });
            }
            // Rows are dense: the stride is the product of the extents after it.
            let mut product = Product { factor: 1, parameters: Vec::new() };
            for (inner, extent) in extents(memref).into_iter().enumerate().skip(dimension + 1) {
                if extent == DYNAMIC {
                    product.parameters.push(parameter(argument, MemrefNumber::Extent(inner))?);
                } else {
                    product.factor = product.factor.checked_mul(extent)?;
                }
            }
            Some(product)
        }
    }
}

/// A factor times kernel parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// The factor.
    pub factor: i64,
    /// The numbers of the parameters.
    pub parameters: Vec<usize>,
}

impl Product {
    /// A number that is known.
    pub fn constant(factor: i64) -> Self {
        Product { factor, parameters: Vec::new() }
    }

    /// So many times the number.
    pub fn times(self, factor: i64) -> Option<Self> {
        Some(Product { factor: self.factor.checked_mul(factor)?, ..self })
    }
}

impl fmt::Display for Product {
    /// `2*p1*p2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let factor = (self.factor != 1 || self.parameters.is_empty()).then(|| self.factor.to_string());
        let parameters = self.parameters.iter().map(|parameter| format!("p{parameter}"));
        f.write_str(&factor.into_iter().chain(parameters).collect::<Vec<_>>().join("*"))
    }
}
