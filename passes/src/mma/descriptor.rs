//! Descriptors of factors in shared memory, as values.

use melior::ir::Value;
use tile_isa::matrix_descriptor::{Field, UNIT_BYTES};
use tile_ops::llvm_type::Space;
use tile_ops::{Builder, arith, llvm, tile};

use crate::emit::Kit;

/// The bits of an address in shared memory that a descriptor has room for. In a cluster, higher ones name the block.
const ADDRESS_BITS: i64 = (Field::START.max() + 1) * UNIT_BYTES - 1;

/// The descriptor of a tile, whose fields but the address are `bits`.
pub fn build<'c: 'a, 'a>(builder: Builder<'c, 'a>, tile: Value<'c, 'a>, bits: u64) -> Value<'c, 'a> {
    let kit = Kit::new(builder);
    let pointer = tile::parts(builder, tile, kit.pointer(Space::Shared), &[]).build().pointer();
    let address = llvm::ptrtoint(builder, pointer, kit.int_type(64)).value();
    let address = arith::andi(builder, address, kit.i64(ADDRESS_BITS)).value();
    let units = arith::shrui(builder, address, kit.i64(UNIT_BYTES.ilog2().into())).value();
    arith::ori(builder, units, kit.i64(bits.cast_signed())).value()
}

/// A descriptor that begins so many units of 16 bytes later.
pub fn at<'c: 'a, 'a>(builder: Builder<'c, 'a>, base: Value<'c, 'a>, units: i64) -> Value<'c, 'a> {
    match units {
        0 => base,
        units => arith::addi(builder, base, Kit::new(builder).i64(units)).value(),
    }
}
