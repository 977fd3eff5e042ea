//! The targets of pointers.

use melior::ir::{OperationRef, Type, Value};
use tile_dialect::ir::{Parts, defining_op};
use tile_dialect::memref::bit_width;
use tile_ops::{llvm, llvm_type, nvvm, tile};
use tile_plan::sync::AddressForm;

use super::Addresses;
use crate::read::alias::{self, Root};
use crate::read::name;

/// The target of a pointer.
pub struct Address<'c, 'a> {
    /// The memory.
    pub root: Root,
    /// The byte there, where that is known.
    pub byte: Option<AddressForm>,
    /// The rank of the block that the memory belongs to, in a cluster.
    pub rank: Option<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Addresses<'_, 'c, 'a> {
    /// The memory that a pointer points to, and the byte there.
    pub fn pointer(&mut self, pointer: Value<'c, 'a>) -> Address<'c, 'a> {
        let (mut at, mut moved, mut rank) = (pointer, Some(AddressForm::constant(0)), None);
        while let Some(op) = defining_op(at) {
            match name(op) {
                llvm::GEPOp::NAME => {
                    let steps = self.steps(op);
                    moved = moved.zip(steps).and_then(|(moved, steps)| moved.plus(&steps));
                }
                nvvm::MapaOp::NAME => rank = op.operand_at(1),
                llvm::AddrSpaceCastOp::NAME | llvm::IntToPtrOp::NAME | llvm::PtrToIntOp::NAME => {}
                _ => break,
            }
            let Some(base) = op.operand_at(0) else { break };
            at = base;
        }
        let tile = defining_op(at).filter(|op| name(*op) == tile::PartsOp::NAME).and_then(|op| op.operand_at(0));
        let (root, first) = tile.and_then(|tile| self.memory_of_tile(tile)).unwrap_or_else(|| self.memory(at));
        let byte = moved.zip(first).and_then(|(moved, first)| moved.plus(&first));
        // The pointer may state an address space that the number from which it is made does not.
        let root = if root.is_unknown() && rank.is_none() { alias::root(pointer) } else { root };
        Address { root, byte, rank }
    }

    /// The distance that a `getelementptr` moves, in bytes.
    fn steps(&mut self, op: OperationRef<'c, 'a>) -> Option<AddressForm> {
        let gep = llvm::GEPOp::cast(op)?;
        let (mut dynamic, mut sum) = (gep.dynamic_indices(), AddressForm::constant(0));
        let mut element = gep.elem_type()?;
        for (place, index) in gep.raw_constant_indices().into_iter().enumerate() {
            if place > 0 {
                element = llvm_type::array_parts(element)?.1;
            }
            let index = match index {
                i32::MIN => self.values.of_value(dynamic.next()?)?,
                index => AddressForm::constant(index.into()),
            };
            sum = sum.plus(&index.times(size(element)?)?)?;
        }
        Some(sum)
    }
}

/// Bytes of a type in memory, as pointers are stepped by it.
pub fn size(r#type: Type<'_>) -> Option<i64> {
    match llvm_type::array_parts(r#type) {
        Some((count, element)) => count.checked_mul(size(element)?),
        None => Some(i64::from(bit_width(r#type)?) / 8).filter(|&bytes| bytes > 0),
    }
}
