//! `tile.tensor_copy`: `tcgen05.cp`.
//!
//! The descriptor of a shared buffer is made once, where the buffer is; each tile adds its offset in units of 16
//! bytes to the address in the descriptor's low bits:
//!
//! ```text
//!   bits  0..13   address / 16            of the buffer; + offset of the tile
//!        16..29   leading offset / 16
//!        32..45   stride offset / 16
//!        46..48   0b001
//!        61..63   0 none, 2 128-byte, 4 64-byte, 6 32-byte swizzle      (PTX ISA, shared memory descriptor)
//! ```

use melior::ir::{Attribute, Value};
use tile_dialect::ops::StageOp;
use tile_plan::{Descriptor, TensorCopy, TensorForm, address};

use crate::build::Builder;
use crate::emit::{Emit, Sum, as_i64, base_address, run_time};

/// Writes the copy at the emitter's insertion point.
///
/// # Errors
/// Buffers without storage, or a plan that has no address.
pub fn expand<'c, 'a>(emit: &mut Emit<'c, 'a, '_>, op: StageOp<'c, 'a>, plan: &TensorCopy) -> Result<(), String> {
    let malformed = "has sides that do not fit its operands";
    let (src, dst) = (op.src().ok_or(malformed)?, op.dst().ok_or(malformed)?);
    let descriptor = emit.function.descriptor_of(emit.builder, src.value, plan.descriptor)?;
    let tmem = emit.function.tmem_of(dst.value)?;
    let (src_values, dst_values) = (run_time(&src), run_time(&dst));
    let attributes = attributes(emit.builder, plan);
    for tile in 0..plan.tiles() {
        let units = address::tensor_descriptor_units(emit, plan, Sum::constant(tile), &src_values);
        let units = units.map_err(|refusal| refusal.reason)?;
        let moved = emit.advance(descriptor, units);
        let offset = address::tensor_address(emit, plan, Sum::constant(tile), &dst_values);
        let pointer = emit.tmem_pointer(tmem, offset.map_err(|refusal| refusal.reason)?);
        emit.builder.op("nvvm.tcgen05.cp", &[pointer, moved], &[], &attributes);
    }
    Ok(())
}

fn attributes<'c>(builder: Builder<'c, '_>, plan: &TensorCopy) -> [(&'static str, Attribute<'c>); 3] {
    let multicast = match plan.form {
        TensorForm::Rows64Warpx2Split02 => "warpx2_02_13",
        TensorForm::Rows64Warpx2Split01 => "warpx2_01_23",
        TensorForm::Rows32Warpx4 => "warpx4",
        _ => "none",
    };
    [
        ("shape", builder.parse(&format!("#nvvm.tcgen05_cp_shape<shape_{}>", plan.form.shape()))),
        ("group", builder.parse(&format!("#nvvm.cta_group<cta_{}>", plan.cta_group))),
        ("multicast", builder.parse(&format!("#nvvm.tcgen05_cp_multicast<{multicast}>"))),
    ]
}

/// The descriptor of a shared buffer whose storage is `memref`, as 64 bits.
pub(super) fn encode<'c: 'a, 'a>(
    builder: Builder<'c, 'a>,
    memref: Value<'c, 'a>,
    descriptor: Descriptor,
) -> Value<'c, 'a> {
    let i64_type = builder.context.integer(64);
    let number = |value: i64| builder.value("arith.constant", &[], i64_type, &[("value", builder.i64(value))]);
    let address = as_i64(builder, base_address(builder, memref));
    let units = builder.value("arith.shrui", &[address, number(4)], i64_type, &[]);
    let field = builder.value("arith.andi", &[units, number(0x3fff)], i64_type, &[]);
    builder.value("arith.ori", &[field, number(fields(descriptor))], i64_type, &[])
}

/// All of a descriptor but the address.
fn fields(Descriptor { leading, stride, swizzle }: Descriptor) -> i64 {
    let mode = [0i64, 6, 4, 2].get(swizzle as usize).copied().unwrap_or(0);
    leading << 16 | stride << 32 | 1 << 46 | mode << 61
}

impl<'c, 'a> Emit<'c, 'a, '_> {
    /// A descriptor with `units` of 16 bytes added to its address.
    fn advance(&mut self, descriptor: Value<'c, 'a>, units: Sum<'c, 'a>) -> Value<'c, 'a> {
        let i64_type = self.builder.context.integer(64);
        let added = match units.known() {
            Some(0) => return descriptor,
            Some(units) => self.builder.value("arith.constant", &[], i64_type, &[("value", self.builder.i64(units))]),
            None => {
                let units = self.materialize(units);
                as_i64(self.builder, units)
            }
        };
        self.builder.value("arith.addi", &[descriptor, added], i64_type, &[])
    }
}
