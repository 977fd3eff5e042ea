//! The extents of memrefs as ops state them, and what is promised of their rows.
//!
//! ```mlir
//!   %r = tile.assume %m divisible_by 8                          the extent of the argument %m, a multiple of 8
//!   %p = memref.subview %r[%b, 0, 0] [1, %n, 64] [1, 1, 1]      as memref<?x?xf16, …>: %n, and 64
//!   %q = memref.cast %p                                         the same
//! ```

use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, ShapedTypeLike, Value, ValueLike};
use tile_dialect::ir::{Parts, defining_op};
use tile_dialect::memref::{DYNAMIC, RowNumber, extents, row_numbers};
use tile_ops::{Values, memref, name, tile};

/// The maximum number of definitions of memrefs that are followed along one chain.
pub const DEPTH: usize = 32;

/// The number that an extent of a memref is.
#[derive(Clone, Copy, Debug)]
pub enum ExtentNumber<'c, 'a> {
    /// This number.
    Constant(i64),
    /// This value.
    Value(Value<'c, 'a>),
    /// That of a memref in one dimension, which nothing states.
    Memref(Value<'c, 'a>, usize),
}

/// An extent of a memref, and the divisors that are promised of it.
#[derive(Clone, Debug)]
pub struct MemrefExtent<'c, 'a> {
    /// The number.
    pub number: ExtentNumber<'c, 'a>,
    /// The divisors, none of them 1, the first promise first.
    pub divisors: Vec<i64>,
}

impl<'c: 'a, 'a> MemrefExtent<'c, 'a> {
    /// The extent of a memref in one dimension.
    pub fn of(memref: Value<'c, 'a>, dimension: usize) -> Self {
        let (mut at, mut divisors) = ((memref, dimension), Vec::new());
        let mut number = ExtentNumber::Memref(memref, dimension);
        for _ in 0..DEPTH {
            divisors.extend(promise(at));
            number = stated(at).unwrap_or(ExtentNumber::Memref(at.0, at.1));
            match number {
                ExtentNumber::Memref(source, dimension) if (source, dimension) != at => at = (source, dimension),
                _ => break,
            }
        }
        if matches!(number, ExtentNumber::Constant(_)) {
            // An exact number takes precedence over what is promised.
            divisors.clear();
        }
        divisors.reverse();
        MemrefExtent { number, divisors }
    }
}

/// Whether a promise about the rows of a memref is about this number of it.
pub fn is_of_rows(memref: Value<'_, '_>, number: RowNumber) -> bool {
    let numbers = MemRefType::try_from(memref.r#type()).ok().and_then(row_numbers);
    numbers.is_some_and(|numbers| numbers.iter().any(|row| row.0 == number))
}

/// The value that another one is only another name of: what promises are about.
pub fn unpromised<'c: 'a, 'a>(value: Value<'c, 'a>) -> Value<'c, 'a> {
    const PROMISES: [&str; 2] = [tile::AssumeOp::NAME, memref::AssumeAlignmentOp::NAME];
    let next = |value: &Value<'c, 'a>| {
        defining_op(*value).filter(|op| PROMISES.contains(&name(*op))).and_then(|op| op.operand_at(0))
    };
    std::iter::successors(Some(value), next).last().unwrap_or(value)
}

/// The divisor that the op which makes a memref promises of an extent.
fn promise((memref, dimension): (Value<'_, '_>, usize)) -> Option<i64> {
    let divisor = tile::AssumeOp::cast(defining_op(memref)?)?.divisor()?;
    (divisor > 1 && is_of_rows(memref, RowNumber::Extent(dimension))).then_some(divisor)
}

/// An extent, by the type of the memref or by the op that makes it.
fn stated<'c: 'a, 'a>((memref, dimension): (Value<'c, 'a>, usize)) -> Option<ExtentNumber<'c, 'a>> {
    let shape = extents(MemRefType::try_from(memref.r#type()).ok()?);
    if let Some(&extent) = shape.get(dimension).filter(|&&extent| extent != DYNAMIC) {
        return Some(ExtentNumber::Constant(extent));
    }
    let op = defining_op(memref)?;
    match name(op) {
        tile::AssumeOp::NAME
        | memref::AssumeAlignmentOp::NAME
        | memref::CastOp::NAME
        | memref::MemorySpaceCastOp::NAME => Some(ExtentNumber::Memref(op.operand_at(0)?, dimension)),
        memref::SubViewOp::NAME => {
            let part = memref::SubViewOp::cast(op)?;
            mixed(&part.static_sizes(), part.sizes(), source_dimension(op, dimension)?)
        }
        memref::ReinterpretCastOp::NAME => {
            let cast = memref::ReinterpretCastOp::cast(op)?;
            mixed(&cast.static_sizes(), cast.sizes(), dimension)
        }
        memref::ExpandShapeOp::NAME => {
            let expand = memref::ExpandShapeOp::cast(op)?;
            mixed(&expand.static_output_shape(), expand.output_shape(), dimension)
        }
        memref::AllocOp::NAME => mixed(&shape, memref::AllocOp::cast(op)?.dynamic_sizes(), dimension),
        memref::AllocaOp::NAME => mixed(&shape, memref::AllocaOp::cast(op)?.dynamic_sizes(), dimension),
        memref::ViewOp::NAME => mixed(&shape, memref::ViewOp::cast(op)?.sizes(), dimension),
        _ => None,
    }
}

/// A number of a list that has a value for each number that is known only at run time.
fn mixed<'c, 'a>(numbers: &[i64], mut values: Values<'c, 'a>, dimension: usize) -> Option<ExtentNumber<'c, 'a>> {
    match *numbers.get(dimension)? {
        DYNAMIC => {
            let before = numbers[..dimension].iter().filter(|&&number| number == DYNAMIC).count();
            values.nth(before).map(ExtentNumber::Value)
        }
        number => Some(ExtentNumber::Constant(number)),
    }
}

/// The number of dimensions of a memref.
pub fn rank(memref: Value<'_, '_>) -> usize {
    MemRefType::try_from(memref.r#type()).map_or(0, |memref| memref.rank())
}

/// The dimension of a subview's source of which a dimension of the subview is a part; `None` where several might be, because some,
/// but not all, of those with one element are left out.
pub fn source_dimension(op: OperationRef<'_, '_>, dimension: usize) -> Option<usize> {
    let part = memref::SubViewOp::cast(op)?;
    let (sizes, rank) = (part.static_sizes(), rank(op.result_at(0)?.into()));
    if sizes.len() == rank {
        return Some(dimension);
    }
    let mut kept = (0..sizes.len()).filter(|&source| sizes[source] != 1);
    if kept.clone().count() == rank { kept.nth(dimension) } else { None }
}
