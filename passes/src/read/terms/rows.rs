//! What is promised of the rows of a memref: of its extents and strides.

use melior::ir::r#type::MemRefType;
use melior::ir::{Value, ValueLike};
use tile_dialect::ir::{Parts, defining_op};
use tile_dialect::memref::{RowNumber, row_numbers};
use tile_ops::{memref, name, tile};

/// Whether a promise about the rows of a memref is about this number of it.
pub fn is_of_rows(memref: Value<'_, '_>, number: RowNumber) -> bool {
    let numbers = MemRefType::try_from(memref.r#type()).ok().and_then(row_numbers);
    numbers.is_some_and(|numbers| numbers.iter().any(|(of, _)| *of == number))
}

/// The memrefs that a memref is another name of, each with the divisor that is promised of its rows, 1 for none.
pub fn names<'c: 'a, 'a>(memref: Value<'c, 'a>) -> impl Iterator<Item = (Value<'c, 'a>, i64)> {
    let next = |memref: Value<'c, 'a>| {
        let op = defining_op(memref)?;
        let divisor = match name(op) {
            tile::AssumeOp::NAME => tile::AssumeOp::cast(op)?.divisor().unwrap_or(1),
            memref::AssumeAlignmentOp::NAME => 1,
            _ => return None,
        };
        Some((op.operand_at(0)?, divisor))
    };
    std::iter::successors(next(memref), move |(source, _)| next(*source))
}
