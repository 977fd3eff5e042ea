//! The residues of the strides and extents of memrefs.

use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::ir::{Parts, defining_op};
use tile_dialect::memref::{DYNAMIC, RowNumber, strides_and_offset};
use tile_ops::{Values, memref, name, tile};

use super::super::rows::{DEPTH, ExtentNumber, MemrefExtent, is_of_rows, rank, source_dimension};
use crate::read::affine_map::is_identity;
use tile_plan::integer::Residue;

/// The residue of a result of `memref.extract_strided_metadata`.
pub fn metadata(op: OperationRef<'_, '_>, result: usize) -> Residue {
    let Some(source) = op.operand_at(0) else { return Residue::ANY };
    match (result.checked_sub(2 + rank(source)), result.checked_sub(2)) {
        (Some(dimension), _) => stride(source, dimension),
        (None, Some(dimension)) => extent(source, dimension),
        (None, None) => Residue::ANY,
    }
}

/// The residue of a memref's stride in one dimension.
pub fn stride(memref: Value<'_, '_>, dimension: usize) -> Residue {
    at_depth(memref, dimension, DEPTH)
}

/// The residue of a memref's extent in one dimension.
pub fn extent(memref: Value<'_, '_>, dimension: usize) -> Residue {
    let MemrefExtent { number, divisors } = MemrefExtent::of(memref, dimension);
    let known = match number {
        ExtentNumber::Constant(number) => Residue::exactly(number),
        ExtentNumber::Value(value) => super::infer(value),
        ExtentNumber::Memref(..) => Residue::ANY,
    };
    divisors.into_iter().fold(known, Residue::promised)
}

fn at_depth(memref: Value<'_, '_>, dimension: usize, depth: usize) -> Residue {
    let strides = MemRefType::try_from(memref.r#type()).ok().and_then(strides_and_offset);
    let Some(&stated) = strides.as_ref().and_then(|(strides, _)| strides.get(dimension)) else { return Residue::ANY };
    match defining_op(memref) {
        _ if stated != DYNAMIC => Residue::exactly(stated),
        _ if is_row_major(memref) => {
            (dimension + 1..rank(memref)).fold(Residue::exactly(1), |stride, inner| stride.times(extent(memref, inner)))
        }
        Some(op) if depth > 0 => of_op(op, rank(memref), dimension, depth - 1),
        _ => Residue::ANY,
    }
}

/// Whether the type has no layout of its own: then each stride is the product of the extents behind it.
fn is_row_major(memref: Value<'_, '_>) -> bool {
    MemRefType::try_from(memref.r#type()).is_ok_and(|memref| is_identity(memref.layout()))
}

fn of_op(op: OperationRef<'_, '_>, rank_of_result: usize, dimension: usize, depth: usize) -> Residue {
    // The source is the first operand of all of these.
    let Some(source) = op.operand_at(0) else { return Residue::ANY };
    let of_source = || if rank(source) == rank_of_result { at_depth(source, dimension, depth) } else { Residue::ANY };
    match name(op) {
        memref::CastOp::NAME | memref::MemorySpaceCastOp::NAME | memref::AssumeAlignmentOp::NAME => of_source(),
        tile::AssumeOp::NAME => {
            let divisor = tile::AssumeOp::cast(op).and_then(|assume| assume.divisor()).unwrap_or(1);
            let is_promised = divisor > 1 && is_of_rows(source, RowNumber::Stride(dimension));
            of_source().promised(if is_promised { divisor } else { 1 })
        }
        memref::SubViewOp::NAME => {
            let residue = || {
                let (part, dimension) = (memref::SubViewOp::cast(op)?, source_dimension(op, dimension)?);
                let step = step(&part.static_strides(), part.strides(), dimension);
                Some(step.times(at_depth(source, dimension, depth)))
            };
            residue().unwrap_or(Residue::ANY)
        }
        memref::ReinterpretCastOp::NAME => {
            let cast = memref::ReinterpretCastOp::cast(op);
            cast.map_or(Residue::ANY, |cast| step(&cast.static_strides(), cast.strides(), dimension))
        }
        _ => Residue::ANY,
    }
}

/// The stride that an op of offsets, sizes and strides states in one dimension.
fn step(stated: &[i64], mut values: Values<'_, '_>, dimension: usize) -> Residue {
    match stated.get(dimension) {
        Some(&DYNAMIC) => {
            let before = stated[..dimension].iter().filter(|&&stride| stride == DYNAMIC).count();
            values.nth(before).map_or(Residue::ANY, super::infer)
        }
        Some(&stride) => Residue::exactly(stride),
        None => Residue::ANY,
    }
}
