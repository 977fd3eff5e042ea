//! Addresses as LLVM pointers.

use melior::ir::r#type::MemRefType;
use melior::ir::{ShapedTypeLike, Value, ValueLike};
use tile_dialect::memref::{DYNAMIC, bit_width, strides_and_offset};

use super::storage::run_time_offset;
use crate::build::Builder;

/// The address of a memref's first element in bytes, as an index.
///
/// A memref's aligned pointer is that of the memory it is a part of: the offset of its type comes on top.
pub fn base_address<'c: 'a, 'a>(builder: Builder<'c, 'a>, memref: Value<'c, 'a>) -> Value<'c, 'a> {
    let index = builder.context.index();
    let number =
        |value| builder.value("arith.constant", &[], index, &[("value", builder.context.index_attribute(value))]);
    let base = builder.value("memref.extract_aligned_pointer_as_index", &[memref], index, &[]);
    let Ok(r#type) = MemRefType::try_from(memref.r#type()) else { return base };
    let offset = match strides_and_offset(r#type) {
        None | Some((_, 0)) => return base,
        Some((_, DYNAMIC)) => run_time_offset(builder, memref, r#type),
        Some((_, offset)) => number(offset),
    };
    let size = i64::from(bit_width(r#type.element()).unwrap_or(8).div_ceil(8));
    let bytes = builder.value("arith.muli", &[offset, number(size)], index, &[]);
    builder.value("arith.addi", &[base, bytes], index, &[])
}

/// A 64-bit integer of an index.
pub fn as_i64<'c: 'a, 'a>(builder: Builder<'c, 'a>, index: Value<'c, 'a>) -> Value<'c, 'a> {
    builder.value("arith.index_castui", &[index], builder.context.integer(64), &[])
}

/// A pointer, of a type in MLIR's syntax, to an address.
///
/// # Panics
/// When the text is no type.
pub fn to_pointer<'c: 'a, 'a>(builder: Builder<'c, 'a>, address: Value<'c, 'a>, r#type: &str) -> Value<'c, 'a> {
    let pointer = builder.context.parse_type(r#type).expect("a pointer type");
    builder.value("llvm.inttoptr", &[address], pointer, &[])
}

/// A pointer to the mbarrier that an op names: the pointer itself, or the first element of a memref.
pub fn pointer_to_barrier<'c: 'a, 'a>(builder: Builder<'c, 'a>, barrier: Value<'c, 'a>) -> Value<'c, 'a> {
    if MemRefType::try_from(barrier.r#type()).is_err() {
        return barrier;
    }
    to_pointer(builder, as_i64(builder, base_address(builder, barrier)), "!llvm.ptr<3>")
}
