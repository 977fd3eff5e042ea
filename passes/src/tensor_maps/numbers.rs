//! The run-time numbers of a map by the arguments of its kernel, for launches that no host code makes.

use std::fmt;

use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, OperationRef, ShapedTypeLike, Value, ValueLike};
use tile_dialect::TensorMapType;
use tile_dialect::ir::{Parts, argument_of, defining_op};
use tile_dialect::memref::{DYNAMIC, bit_width, extents, has_no_layout, strides_and_offset};
use tile_ops::{arith, index, llvm, memref, tile};
use tile_plan::families::tensor_map::Stride;

use crate::launches::{MemrefNumber, open_numbers};
use crate::read::run_time::RunTime;
use crate::read::{arithmetic, name, root, run_time};

/// A run-time number of a map, as a launch knows it: a factor times numbers of its arguments, such as `9 * extent 3 of argument 0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchProduct {
    factor: i64,
    numbers: Vec<LaunchNumber>,
}

/// A number that an argument of a launch is or has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchNumber {
    /// An argument of the kernel.
    Argument(usize),
    /// The extent of a memref argument in a dimension.
    Extent(usize, usize),
    /// The stride of a memref argument in a dimension, in elements.
    Stride(usize, usize),
}

/// Bytes from the memory of a memref argument to its first element; `None` for a memref without strides.
pub fn offset(argument: usize, types: &[Option<MemRefType<'_>>], first: &[usize]) -> Option<Product> {
    let Some(memref) = types.get(argument)? else { return Some(Product::constant(0)) };
    let bytes = i64::from(bit_width(memref.element())?.div_ceil(8));
    match strides_and_offset(*memref)?.1 {
        DYNAMIC => Some(Product::of(bytes, vec![parameter(argument, MemrefNumber::Offset, types, first)?])),
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

impl LaunchProduct {
    fn constant(factor: i64) -> Self {
        LaunchProduct { factor, numbers: Vec::new() }
    }

    fn times(self, other: Self) -> Option<Self> {
        let factor = self.factor.checked_mul(other.factor)?;
        Some(LaunchProduct { factor, numbers: self.numbers.into_iter().chain(other.numbers).collect() })
    }

    /// As integers of an attribute: the factor, how many numbers there are, and three integers for each.
    pub fn to_integers(&self) -> Vec<i64> {
        let numbers = self.numbers.iter().flat_map(|number| match *number {
            LaunchNumber::Argument(argument) => [0, argument as i64, 0],
            LaunchNumber::Extent(argument, dimension) => [1, argument as i64, dimension as i64],
            LaunchNumber::Stride(argument, dimension) => [2, argument as i64, dimension as i64],
        });
        [self.factor, self.numbers.len() as i64].into_iter().chain(numbers).collect()
    }

    /// Takes the next product from such integers.
    pub fn take(integers: &mut &[i64]) -> Option<Self> {
        let (&[factor, count], rest) = integers.split_first_chunk()?;
        let (own, rest) = rest.split_at_checked(usize::try_from(count).ok()?.checked_mul(3)?)?;
        *integers = rest;
        let number = |own: &[i64]| {
            let (argument, dimension) = (usize::try_from(own[1]).ok()?, usize::try_from(own[2]).ok()?);
            match own[0] {
                0 => Some(LaunchNumber::Argument(argument)),
                1 => Some(LaunchNumber::Extent(argument, dimension)),
                2 => Some(LaunchNumber::Stride(argument, dimension)),
                _ => None,
            }
        };
        Some(LaunchProduct { factor, numbers: own.chunks_exact(3).map(number).collect::<Option<_>>()? })
    }
}

impl From<LaunchNumber> for LaunchProduct {
    fn from(number: LaunchNumber) -> Self {
        LaunchProduct { factor: 1, numbers: vec![number] }
    }
}

/// The argument that is the memory of a map's tile, and the map's run-time numbers in the order of its dimensions, extents before
/// strides; `None` where they are no products of numbers of arguments.
pub fn of_map<'c: 'a, 'a>(
    map: OperationRef<'c, 'a>,
    kernel: OperationRef<'c, 'a>,
) -> Option<(usize, Vec<LaunchProduct>)> {
    let tile = map.operand_at(0)?;
    let fields = TensorMapType::from_type(map.result_at(0)?.r#type())?.map()?;
    let view = defining_op(root::root(tile)).filter(|&op| name(op) == tile::ViewOp::NAME)?;
    let memory = argument(memory(view.operand_at(0)?), kernel)?;
    let (extents, strides) = (run_time::extents(tile), run_time::strides(root::root(tile)));
    let mut numbers = Vec::new();
    for dim in &fields.dims {
        if let Some((dimension, _)) = dim.extent.open() {
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

fn known<'c: 'a, 'a>(number: &RunTime<'c, 'a>, kernel: OperationRef<'c, 'a>) -> Option<LaunchProduct> {
    Some(match *number {
        RunTime::Value(value) => computed(value, kernel)?,
        RunTime::Extent(memref, dimension) => LaunchNumber::Extent(argument(memref, kernel)?, dimension).into(),
        RunTime::Stride(memref, dimension) => LaunchNumber::Stride(argument(memref, kernel)?, dimension).into(),
        RunTime::Constant(number) => LaunchProduct::constant(number),
        RunTime::Start(_) => return None,
    })
}

/// An argument, an extent of one, a constant, or the product of two such numbers.
fn computed<'c: 'a, 'a>(value: Value<'c, 'a>, kernel: OperationRef<'c, 'a>) -> Option<LaunchProduct> {
    let value = unpromised(value);
    if let Some(argument) = argument(value, kernel) {
        return Some(LaunchNumber::Argument(argument).into());
    }
    let op = defining_op(value)?;
    match name(op) {
        memref::DimOp::NAME => extent(op, kernel).map(LaunchProduct::from),
        arith::MulIOp::NAME | index::MulOp::NAME => {
            computed(op.operand_at(0)?, kernel)?.times(computed(op.operand_at(1)?, kernel)?)
        }
        _ => arithmetic::constant(op).map(LaunchProduct::constant),
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
fn extent<'c: 'a, 'a>(op: OperationRef<'c, 'a>, kernel: OperationRef<'c, 'a>) -> Option<LaunchNumber> {
    let dim = memref::DimOp::cast(op)?;
    let dimension = usize::try_from(arithmetic::constant(defining_op(dim.index())?)?).ok()?;
    Some(LaunchNumber::Extent(argument(dim.source(), kernel)?, dimension))
}

/// A number as a product of kernel parameters, given the memref types of the arguments and where the parameters of each begin.
pub fn product(known: &LaunchProduct, types: &[Option<MemRefType<'_>>], first: &[usize]) -> Option<Product> {
    let own = |&number: &LaunchNumber| parameters(number, types, first);
    known.numbers.iter().map(own).try_fold(Product::constant(known.factor), |all, own| all.times(own?))
}

/// A number of an argument as a product of kernel parameters.
fn parameters(number: LaunchNumber, types: &[Option<MemRefType<'_>>], first: &[usize]) -> Option<Product> {
    let parameter = |argument, number| Some(Product::parameter(parameter(argument, number, types, first)?));
    match number {
        LaunchNumber::Argument(argument) => Some(Product::parameter(*first.get(argument)?)),
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
                    extent => Some(Product::constant(extent)),
                })
                .try_fold(Product::constant(1), |all, own| all.times(own?))
        }
    }
}

/// A factor times kernel parameters, over a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// The factor.
    pub factor: i64,
    /// The numbers of the parameters.
    pub parameters: Vec<usize>,
    /// The number that the product is divided by, rounding up; at least 1.
    pub divisor: i64,
}

impl Product {
    /// A number that is known.
    pub fn constant(factor: i64) -> Self {
        Product::of(factor, Vec::new())
    }

    fn parameter(parameter: usize) -> Self {
        Product::of(1, vec![parameter])
    }

    /// A factor times parameters.
    fn of(factor: i64, parameters: Vec<usize>) -> Self {
        Product { factor, parameters, divisor: 1 }
    }

    /// The product of both, which no number divides; `None` where the factor overflows.
    pub fn times(self, other: Self) -> Option<Self> {
        let factor = self.factor.checked_mul(other.factor).filter(|_| self.divisor == 1 && other.divisor == 1)?;
        Some(Product::of(factor, self.parameters.into_iter().chain(other.parameters).collect()))
    }

    /// The number over another one, at least 1, rounding up.
    pub fn over(self, divisor: i64) -> Option<Self> {
        if self.parameters.is_empty() {
            return Some(Product::constant(self.factor.checked_add(divisor - 1)?.div_euclid(divisor)));
        }
        Some(Product { divisor: self.divisor.checked_mul(divisor)?, ..self })
    }
}

impl fmt::Display for Product {
    /// `2*p1*p2`, `p1/64`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let factor = (self.factor != 1 || self.parameters.is_empty()).then(|| self.factor.to_string());
        let parameters = self.parameters.iter().map(|parameter| format!("p{parameter}"));
        f.write_str(&factor.into_iter().chain(parameters).collect::<Vec<_>>().join("*"))?;
        if self.divisor == 1 { Ok(()) } else { write!(f, "/{}", self.divisor) }
    }
}
