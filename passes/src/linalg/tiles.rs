//! Memrefs and the tiles that they stand for.

use melior::ir::r#type::{DimSize, MemRefType, RankedTensorType};
use melior::ir::{OperationRef, ShapedTypeLike, Type, Value, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::ir::{Parts, defining_op};
use tile_dialect::memref::{self as memrefs, DYNAMIC, bit_width};
use tile_ops::{arith, builtin, memref, tile};
use tile_plan::integer::Residue;

use crate::read::divisibility::infer;
use crate::read::name;
use crate::read::values::is_view;

/// The type of a memref; `None` for another value.
pub fn memref_type<'c>(value: Value<'c, '_>) -> Option<MemRefType<'c>> {
    MemRefType::try_from(value.r#type()).ok()
}

/// The extents and elements of a memref or a tensor.
pub fn shape<'c>(value: Value<'c, '_>) -> Option<(Vec<i64>, Type<'c>)> {
    if let Some(memref) = memref_type(value) {
        return Some((memrefs::extents(memref), memref.element()));
    }
    let tensor = RankedTensorType::try_from(value.r#type()).ok()?;
    let extent = |dimension| match tensor.dim_size(dimension) {
        Ok(DimSize::Static(extent)) => i64::try_from(extent).unwrap_or(DYNAMIC),
        _ => DYNAMIC,
    };
    Some(((0..tensor.rank()).map(extent).collect(), tensor.element()))
}

/// The elements of a memref.
pub fn element_of(memref: MemRefType<'_>) -> Type<'_> {
    memref.element()
}

/// The tile that a memref stands for, if its memory has become one.
pub fn tile<'c: 'a, 'a>(memref: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    defining_op(memref).and_then(tile_of_cast)
}

/// The tile that an op presents as a memref.
pub fn tile_of_cast<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    builtin::UnrealizedConversionCastOp::cast(op)?;
    op.operand_at(0).filter(|value| buffer(*value).is_some())
}

/// The type of a tile.
pub fn buffer<'c>(value: Value<'c, '_>) -> Option<BufferType<'c>> {
    BufferType::from_type(value.r#type())
}

/// The memory that a `memref.subview` views from its begin on, in steps of 1 and all its dimensions.
pub fn viewed_from_begin<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    let view = memref::SubViewOp::cast(op)?;
    let is_rank_kept = memref_type(view.source())?.rank() == memref_type(view.result())?.rank();
    let all = |numbers: Vec<i64>, wanted: i64| numbers.iter().all(|one| *one == wanted);
    (is_rank_kept && all(view.static_offsets(), 0) && all(view.static_strides(), 1)).then(|| view.source())
}

/// The memory that a `memref.subview` of numbers as extents views in steps of 1.
pub fn viewed_part<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    let view = memref::SubViewOp::cast(op)?;
    let is_plain = view.static_strides().iter().all(|stride| *stride == 1) && view.sizes().len() == 0;
    is_plain.then(|| view.source())
}

/// The bits from whose multiples on instructions of products read rows of shared memory.
const ROW_BITS: i64 = 128;

/// Whether a tile is a part of another one that may begin where no instruction of products reads a row, such as at a tap of a window.
pub fn begins_anywhere(tile: Value<'_, '_>) -> bool {
    let Some(op) = defining_op(tile).filter(|op| is_view(*op)) else { return false };
    let Some(source) = op.operand_at(0) else { return false };
    let is_cut = tile::SubviewOp::cast(op).zip(buffer(source)).zip(buffer(tile)).is_some_and(|((view, from), to)| {
        let elements = ROW_BITS / i64::from(bit_width(to.element()).unwrap_or(1)).max(1);
        let mut values = view.offsets();
        let begins = view.static_offsets().into_iter().map(|begin| match begin {
            DYNAMIC => values.next().map_or(Residue::ANY, infer),
            begin => Residue::exactly(begin),
        });
        let begins: Vec<_> = begins.collect();
        let parts = to.shape().iter().zip(from.shape());
        begins
            .into_iter()
            .zip(parts)
            .any(|(begin, (size, extent))| *size > 1 && size != extent && begin.factor() % elements != 0)
    });
    is_cut || begins_anywhere(source)
}

/// The shape of the tile that a memref is in, from its first element on, if that has the memref's dimensions; or of the memory of the
/// kernel's own that may become one.
pub fn room(value: Value<'_, '_>) -> Option<Vec<i64>> {
    if let Some(tile) = tile(value).and_then(buffer) {
        let rank = memref_type(value).map(|memref| memref.rank());
        return Some(tile.shape().to_vec()).filter(|shape| Some(shape.len()) == rank);
    }
    let op = defining_op(value)?;
    let memory = viewed_from_begin(op).unwrap_or(value);
    let made =
        defining_op(memory).filter(|made| [memref::AllocOp::NAME, memref::AllocaOp::NAME].contains(&name(*made)));
    let shape = made.and_then(|_| memref_type(memory)).map(memrefs::extents)?;
    shape.iter().all(|&extent| extent != DYNAMIC).then_some(shape)
}

/// Whether a value is the constant 0.
pub fn is_zero(value: Value<'_, '_>) -> bool {
    let constant = defining_op(value).and_then(arith::ConstantOp::cast);
    constant.is_some_and(|constant| {
        let number = constant.value_attribute().map(|number| number.to_string()).unwrap_or_default();
        number.split(' ').next().and_then(|number| number.parse::<f64>().ok()) == Some(0.0)
    })
}
