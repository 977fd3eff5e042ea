//! Expansion of `tcgen05.cp`, and addresses of buffers in tensor memory.
//!
//! The [descriptor](tile_isa::matrix_descriptor) of a shared buffer is made once, after the buffer's definition; each tile
//! adds its offset in units of 16 bytes to the address in the descriptor's low bits.

use melior::ir::Value;
use tile_dialect::ops::defining_op;
use tile_isa::TmemForm;
use tile_isa::matrix_descriptor::{Field, UNIT_BYTES};
use tile_ops::llvm_type::{Space, pointer_to};
use tile_ops::nvvm::{self, CTAGroupKind, Tcgen05CpMulticast, Tcgen05CpShape};
use tile_ops::{Builder, arith, tile};
use tile_plan::address;
use tile_plan::families::tmem::copy::{Descriptor, TmemCopy};
use tile_plan::problem::role::Role;

use super::super::Staged;
use crate::emit::error::EmitError;
use crate::emit::{Emit, Function, Kit, Sum, as_i64, base_address, operand, run_time};
use crate::read::name;

/// Writes the copy at the emitter's insertion point.
///
/// # Errors
/// Buffers without storage, or a plan that has no address.
pub fn expand<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    staged: &Staged<'_, '_, 'c, 'a>,
    plan: &TmemCopy,
) -> Result<(), EmitError> {
    let (op, [src, dst]) = (staged.op, staged.buffers()?);
    let descriptor = emit.function.descriptor_of(emit.kit.builder, src, plan.descriptor)?;
    let tmem = emit.function.tmem_of(dst)?;
    let (src_values, dst_values) = (run_time(op, Role::Src), run_time(op, Role::Dst));
    let (shape, multicast) = form(plan.form);
    let group = if plan.cta_group == 2 { CTAGroupKind::Cta2 } else { CTAGroupKind::Cta1 };
    for tile in 0..plan.tiles() {
        let units = address::tensor_descriptor_units(emit, plan, Sum::constant(tile), &src_values);
        let units = units?;
        let moved = emit.advance(descriptor, units);
        let offset = address::tensor_address(emit, plan, Sum::constant(tile), &dst_values);
        let pointer = emit.tmem_pointer(tmem, offset?);
        nvvm::tcgen05_cp(emit.kit.builder, pointer, moved, shape).group(group).multicast(multicast).build();
    }
    Ok(())
}

/// The rows and bits that the instruction copies, and the warps that receive them.
fn form(form: TmemForm) -> (Tcgen05CpShape, Tcgen05CpMulticast) {
    use {Tcgen05CpMulticast as Multicast, Tcgen05CpShape as Shape};
    match form {
        TmemForm::Rows128Bits256 => (Shape::Shape128x256b, Multicast::None),
        TmemForm::Rows4Bits256 => (Shape::Shape4x256b, Multicast::None),
        TmemForm::Rows128Bits128 => (Shape::Shape128x128b, Multicast::None),
        TmemForm::Rows64Warpx2Split02 => (Shape::Shape64x128b, Multicast::Warpx20213),
        TmemForm::Rows64Warpx2Split01 => (Shape::Shape64x128b, Multicast::Warpx20123),
        TmemForm::Rows32Warpx4 => (Shape::Shape32x128b, Multicast::Warpx4),
    }
}

impl<'c, 'a> Function<'c, 'a> {
    /// The start address of a buffer in tensor memory, 32 bits: lane and column.
    ///
    /// # Errors
    /// A buffer whose definition is not visible.
    pub fn tmem_of(&self, buffer: Value<'c, 'a>) -> Result<Value<'c, 'a>, EmitError> {
        let op = defining_op(buffer).filter(|&op| name(op) == tile::TmemOp::NAME);
        operand(op.ok_or(EmitError::TmemArgument)?)
    }

    /// The descriptor of a shared buffer; made once, after the op that defines the buffer.
    ///
    /// # Errors
    /// A buffer without storage.
    fn descriptor_of(
        &self,
        builder: Builder<'c, 'a>,
        buffer: Value<'c, 'a>,
        descriptor: Descriptor,
    ) -> Result<Value<'c, 'a>, EmitError> {
        let storage = self.storage_of(builder, buffer)?;
        let op = defining_op(buffer).ok_or(EmitError::BlockArgument)?;
        let key = (op.to_raw().ptr as usize, descriptor);
        if let Some(&known) = self.descriptors.borrow().get(&key) {
            return Ok(known);
        }
        // The storage of a view is made right after the view: the descriptor follows both.
        let after = defining_op(storage.memref).filter(|_| name(op) == tile::ViewOp::NAME).unwrap_or(op);
        let fields = descriptor.matrix()?.tcgen05().ok_or(EmitError::DescriptorFields)?;
        let made = builder.elsewhere(
            |rewriter| rewriter.set_insertion_point_after(after),
            |builder| encode(builder, storage.memref, fields),
        );
        self.descriptors.borrow_mut().insert(key, made);
        Ok(made)
    }
}

/// The descriptor of a shared buffer whose storage is `memref`, with all fields but the start.
fn encode<'c: 'a, 'a>(builder: Builder<'c, 'a>, memref: Value<'c, 'a>, fields: u64) -> Value<'c, 'a> {
    let kit = Kit::new(builder);
    let units = kit.shr(as_i64(builder, base_address(builder, memref)), UNIT_BYTES.ilog2().into());
    kit.or(kit.mask(units, Field::START.max()), kit.i64(fields as i64))
}

impl<'c, 'a> Emit<'c, 'a, '_> {
    /// A descriptor with `units` of 16 bytes added to its address.
    fn advance(&mut self, descriptor: Value<'c, 'a>, units: Sum<'c, 'a>) -> Value<'c, 'a> {
        let added = match units.known() {
            Some(0) => return descriptor,
            Some(units) => self.kit.i64(units),
            None => {
                let units = self.materialize(units);
                as_i64(self.kit.builder, units)
            }
        };
        self.kit.add(descriptor, added)
    }

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
