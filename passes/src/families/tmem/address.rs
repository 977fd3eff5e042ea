//! Tensor memory: where a buffer is, its addresses, and descriptors of what is copied into it.

use melior::ir::Value;
use tile_dialect::ops::defining_op;
use tile_ops::llvm_type::{Space, pointer_to};
use tile_ops::{Builder, arith, tile};
use tile_plan::Descriptor;

use super::copy;
use crate::emit::{Emit, Function, Sum, operand};
use crate::read::name;

impl<'c, 'a> Function<'c, 'a> {
    /// The address that a buffer in tensor memory starts from, 32 bits: lane and column.
    ///
    /// # Errors
    /// A buffer whose definition is not in sight.
    pub fn tmem_of(&self, buffer: Value<'c, 'a>) -> Result<Value<'c, 'a>, String> {
        let op = defining_op(buffer).filter(|&op| name(op) == tile::TmemOp::NAME);
        operand(op.ok_or("uses a tensor memory buffer that is a block argument; expected one defined by tile.tmem")?)
    }

    /// The descriptor of a shared buffer; made once, after the op that defines the buffer.
    ///
    /// # Errors
    /// A buffer without storage.
    pub fn descriptor_of(
        &self,
        builder: Builder<'c, 'a>,
        buffer: Value<'c, 'a>,
        descriptor: Descriptor,
    ) -> Result<Value<'c, 'a>, String> {
        let storage = self.storage_of(builder, buffer)?;
        let op = defining_op(buffer).ok_or("uses a buffer that is a block argument")?;
        let key = (op.to_raw().ptr as usize, descriptor);
        if let Some(&known) = self.descriptors.borrow().get(&key) {
            return Ok(known);
        }
        // The storage of a view is made right after it: the descriptor follows both.
        let after = defining_op(storage.memref).filter(|_| name(op) == tile::ViewOp::NAME).unwrap_or(op);
        let made = builder.elsewhere(
            |rewriter| rewriter.set_insertion_point_after(after),
            |builder| copy::encode(builder, storage.memref, descriptor),
        );
        self.descriptors.borrow_mut().insert(key, made);
        Ok(made)
    }
}

impl<'c, 'a> Emit<'c, 'a, '_> {
    /// A pointer into tensor memory: an address and an offset to it.
    pub fn tmem_pointer(&mut self, address: Value<'c, 'a>, offset: Sum<'c, 'a>) -> Value<'c, 'a> {
        let added = match offset.known() {
            Some(0) => None,
            Some(offset) => Some(self.kit.i32(offset)),
            None => {
                let offset = self.materialize(offset);
                Some(arith::index_castui(self.kit.builder, offset, self.kit.int_type(32)).value())
            }
        };
        let sum = added.map_or(address, |added| self.kit.add(address, added));
        pointer_to(self.kit.builder, sum, Space::Tensor)
    }
}
