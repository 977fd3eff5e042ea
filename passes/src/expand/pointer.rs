//! Addresses as LLVM pointers.

use melior::ir::r#type::MemRefType;
use melior::ir::{Value, ValueLike};
use tile_dialect::memref::{DYNAMIC, strides_and_offset};

use super::storage::run_time_offset;
use crate::build::Builder;

/// The address of a memref's first element in bytes, as an index.
pub fn base_address<'c: 'a, 'a>(builder: Builder<'c, 'a>, memref: Value<'c, 'a>) -> Value<'c, 'a> {
    builder.value("memref.extract_aligned_pointer_as_index", &[memref], builder.context.index(), &[])
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
    let Ok(memref) = MemRefType::try_from(barrier.r#type()) else { return barrier };
    let index = builder.context.index();
    let number =
        |value| builder.value("arith.constant", &[], index, &[("value", builder.context.index_attribute(value))]);
    let base = base_address(builder, barrier);
    let offset = match strides_and_offset(memref) {
        None | Some((_, 0)) => None,
        Some((_, DYNAMIC)) => Some(run_time_offset(builder, barrier, memref)),
        Some((_, offset)) => Some(number(offset)),
    };
    let address = offset.map_or(base, |offset| {
        let bytes = builder.value("arith.muli", &[offset, number(8)], index, &[]);
        builder.value("arith.addi", &[base, bytes], index, &[])
    });
    to_pointer(builder, as_i64(builder, address), "!llvm.ptr<3>")
}
