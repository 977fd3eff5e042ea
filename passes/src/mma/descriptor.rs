//! Descriptors of factors in shared memory, as values.

use melior::ir::Value;
use tile_isa::matrix_descriptor::{Field, UNIT_BYTES};
use tile_ops::llvm_type::Space;
use tile_ops::{Builder, arith, llvm, tile};

use crate::emit::Kit;

/// The bits of an address in shared memory that a descriptor has room for. In a cluster, higher ones name the block.
const ADDRESS_BITS: i64 = (Field::START.max() + 1) * UNIT_BYTES - 1;

/// A descriptor in its two words. Only the lower one says where the tile is: what is computed for each instruction has 32 bits.
#[derive(Clone, Copy)]
pub struct Descriptor<'c, 'a> {
    low: Value<'c, 'a>,
    high: u32,
}

impl<'c: 'a, 'a> Descriptor<'c, 'a> {
    /// That of a tile, whose fields but the address are `bits`.
    pub fn of(builder: Builder<'c, 'a>, tile: Value<'c, 'a>, bits: u64) -> Self {
        let kit = Kit::new(builder);
        let pointer = tile::parts(builder, tile, kit.pointer(Space::Shared), &[]).build().pointer();
        let address = llvm::ptrtoint(builder, pointer, kit.int_type(32)).value();
        let address = arith::andi(builder, address, kit.i32(ADDRESS_BITS)).value();
        let units = arith::shrui(builder, address, kit.i32(UNIT_BYTES.ilog2().into())).value();
        let low = arith::ori(builder, units, kit.i32((bits & u64::from(u32::MAX)).cast_signed())).value();
        Descriptor { low, high: (bits >> 32) as u32 }
    }

    /// One that begins `units` of 16 bytes later, an integer of 32 bits.
    pub fn plus(self, builder: Builder<'c, 'a>, units: Value<'c, 'a>) -> Self {
        Descriptor { low: arith::addi(builder, self.low, units).value(), ..self }
    }

    /// The 64 bits of one that begins so many units of 16 bytes later.
    pub fn at(self, builder: Builder<'c, 'a>, units: i64) -> Value<'c, 'a> {
        let kit = Kit::new(builder);
        let low = if units == 0 { self.low } else { self.plus(builder, kit.i32(units)).low };
        let low = arith::extui(builder, low, kit.int_type(64)).value();
        arith::ori(builder, low, kit.i64((u64::from(self.high) << 32).cast_signed())).value()
    }
}
