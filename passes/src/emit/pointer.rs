//! Addresses as LLVM pointers.

use melior::ir::r#type::MemRefType;
use melior::ir::{ShapedTypeLike, Value, ValueLike};
use tile_dialect::memref::{DYNAMIC, bit_width, strides_and_offset};
use tile_ops::llvm_type::{Space, pointer_to};
use tile_ops::{Builder, arith, constant, memref};

use super::viewed::run_time_offset;

/// The address of a memref's first element in bytes, as an index.
///
/// A memref's aligned pointer is that of the memory it is a part of: the offset of its type comes on top.
pub fn base_address<'c: 'a, 'a>(builder: Builder<'c, 'a>, memref: Value<'c, 'a>) -> Value<'c, 'a> {
    let base = memref::extract_aligned_pointer_as_index(builder, memref).value();
    let Ok(r#type) = MemRefType::try_from(memref.r#type()) else { return base };
    let offset = match strides_and_offset(r#type) {
        None | Some((_, 0)) => return base,
        Some((_, DYNAMIC)) => run_time_offset(builder, memref),
        Some((_, offset)) => constant::index(builder, offset),
    };
    let size = i64::from(bit_width(r#type.element()).unwrap_or(8).div_ceil(8));
    let bytes = arith::muli(builder, offset, constant::index(builder, size)).value();
    arith::addi(builder, base, bytes).value()
}

/// A 64-bit integer of an index.
pub fn as_i64<'c: 'a, 'a>(builder: Builder<'c, 'a>, index: Value<'c, 'a>) -> Value<'c, 'a> {
    arith::index_castui(builder, index, builder.context.integer(64)).value()
}

/// A pointer to the mbarrier that an op names: the pointer itself, or the first element of a memref.
pub fn pointer_to_barrier<'c: 'a, 'a>(builder: Builder<'c, 'a>, barrier: Value<'c, 'a>) -> Value<'c, 'a> {
    if MemRefType::try_from(barrier.r#type()).is_err() {
        return barrier;
    }
    pointer_to(builder, as_i64(builder, base_address(builder, barrier)), Space::Shared)
}
