//! Tensor memory, and the registers that something asynchronous writes.

use melior::ir::{OperationRef, Value};
use tile_dialect::ir::{Parts, defining_op};
use tile_dialect::ops::CopyOp;
use tile_ops::{arith, llvm, memref, nvvm, tile};
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{Access, AddressForm, TENSOR_COLUMN_BYTES};

use super::Addresses;
use crate::effects::wgmma;
use crate::read::alias::{self, Root};
use crate::read::name;
use crate::read::place::Anchor;
use crate::read::values::key;
use crate::walk;

/// What is known of a kernel's tensor memory before its operations are read.
#[derive(Default)]
pub(super) struct TensorMemory {
    /// Locations that hold addresses of allocations: the memory and the byte.
    slots: Vec<(Root, i64)>,
    /// Tiles of registers that loads from tensor memory, or products, write.
    written: Vec<Root>,
}

impl<'c: 'a, 'a> Addresses<'_, 'c, 'a> {
    /// Finds allocations of tensor memory, and tiles of registers that are loaded from it or that products add to or take
    /// their left factors from.
    pub(super) fn find_tensor_memory(&mut self, function: OperationRef<'c, 'a>) {
        for op in walk::matching(function, |name| name == nvvm::Tcgen05AllocOp::NAME) {
            let Some(slot) = op.operand_at(0) else { continue };
            let address = self.pointer(slot);
            let byte = address.byte.and_then(|byte| byte.as_constant());
            self.tensor.slots.extend(byte.map(|byte| (address.root, byte)));
        }
        for op in walk::matching(function, wgmma::is_product_name) {
            let tiles = [wgmma::tile_of_sums(op), wgmma::tile_of_left_factor(op)];
            self.tensor.written.extend(tiles.into_iter().flatten().map(Root::of_allocation));
        }
        for op in walk::matching(function, |name| name == tile::CopyAsyncOp::NAME) {
            let (src, dst) = (CopyOp(op).src(), CopyOp(op).dst());
            let from = src.is_some_and(|src| src.buffer.space() == tile_dialect::Space::Tmem);
            let dst = dst.filter(|_| from).map(|dst| alias::root(dst.value));
            self.tensor.written.extend(dst.iter().flat_map(Root::each).cloned());
        }
    }

    /// The tensor memory that an address points to, and the byte there.
    pub fn tensor(&mut self, address: Value<'c, 'a>) -> (Root, Option<AddressForm>) {
        let (mut at, mut columns) = (address, Some(AddressForm::constant(0)));
        while let Some(op) = defining_op(at) {
            let (Some(first), second) = (op.operand_at(0), op.operand_at(1)) else { break };
            match name(op) {
                llvm::IntToPtrOp::NAME | llvm::PtrToIntOp::NAME | tile::AssumeOp::NAME => at = first,
                arith::AddIOp::NAME | llvm::AddOp::NAME => {
                    let Some(second) = second else { break };
                    let (base, moved) = match (self.values.of_value(first), self.values.of_value(second)) {
                        (_, Some(moved)) => (first, moved),
                        (Some(moved), None) => (second, moved),
                        (None, None) => break,
                    };
                    (at, columns) = (base, columns.and_then(|columns| columns.plus(&moved)));
                }
                _ => break,
            }
        }
        let bytes = columns.and_then(|columns| columns.times(TENSOR_COLUMN_BYTES));
        match self.slot(at).filter(|slot| self.tensor.slots.contains(slot)) {
            Some((root, byte)) => (Root::Tensor(Box::new(root), byte), bytes),
            None => {
                let start = self.values.start(Anchor::Pointer(at));
                (Root::SomeTensor(key(at)), bytes.zip(start).and_then(|(bytes, start)| bytes.plus(&start)))
            }
        }
    }

    /// The memory that a value is loaded from, and the byte there.
    fn slot(&mut self, value: Value<'c, 'a>) -> Option<(Root, i64)> {
        let op = defining_op(value)?;
        let from = op.operand_at(0)?;
        match name(op) {
            llvm::LoadOp::NAME => {
                let address = self.pointer(from);
                Some((address.root, address.byte?.as_constant()?))
            }
            memref::LoadOp::NAME => {
                let element = self.element(op, from, 0).filter(|one| one.pitch.is_none() && one.selection.is_none())?;
                Some((self.memory(from).0, element.form.as_constant()?))
            }
            _ => None,
        }
    }

    /// The reads of the tiles of registers that a tile or memref may be of; none of those that nothing asynchronous
    /// touches.
    pub fn registers(&mut self, memory: Value<'c, 'a>, by: &ThreadSet) -> Vec<Access> {
        let root = alias::root(memory);
        let written = root.each().iter().filter(|root| self.tensor.written.contains(root)).cloned().collect::<Vec<_>>();
        let read = |root| {
            let object = self.object(root);
            self.registers.read(object, by)
        };
        written.into_iter().map(read).collect()
    }
}
