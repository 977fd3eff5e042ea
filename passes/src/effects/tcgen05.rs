//! `tcgen05`: products and the management of tensor memory. [`super::groups`] has its waits, [`super::fences`] its fences.

use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::ir::Parts;
use tile_ops::nvvm::{self, CTAGroupKind, MMABlockScaleKind, Tcgen05MMAKind};
use tile_ops::{llvm_type, tile};
use tile_plan::sync::{Effect, Engine, Pipe, TensorProduct};
use tile_plan::touch::Collective;

use super::error::UnknownEffects;
use super::{
    AccessedMemory, Described, Effects, MbarrierAct, MbarrierEffect, MemoryAccess, Participants, TensorPart, inherent,
};
use crate::read::{divisibility, name};

/// Bytes of an address of tensor memory.
const ADDRESS_BYTES: i64 = 4;

/// The kind whose operands' bytes are known even where the rows of A, or the columns of B, are contiguous: elements of 16 bits.
const HALVES: Tcgen05MMAKind = Tcgen05MMAKind::F16;

/// The number of the kind of products with scales, which is none of the others'.
const SCALED_KIND: u64 = 4;

/// The effects of an operation of `tcgen05`.
pub(super) fn effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Result<Effects<'c, 'a>, UnknownEffects>> {
    let of_warps = |access: MemoryAccess<'c, 'a>| {
        let accesses = vec![MemoryAccess { collective: Collective::Warp, ..access }];
        Ok(Effects { accesses, ..Effects::default() })
    };
    Some(match name(op) {
        nvvm::Tcgen05RelinquishAllocPermitOp::NAME | nvvm::Tcgen05MmaSmemDescOp::NAME | tile::TmemOp::NAME => {
            Ok(Effects::default())
        }
        nvvm::Tcgen05MMAOp::NAME => nvvm::Tcgen05MMAOp::cast(op).map(plain)?,
        nvvm::Tcgen05MMABlockScaleOp::NAME => nvvm::Tcgen05MMABlockScaleOp::cast(op).map(with_scales)?,
        nvvm::Tcgen05AllocOp::NAME => {
            let memory = AccessedMemory::Shared { pointer: op.operand_at(0)?, bytes: ADDRESS_BYTES };
            of_warps(MemoryAccess::write(memory, Engine::THREADS))
        }
        nvvm::Tcgen05DeallocOp::NAME => {
            let columns = op.operand_at(1).and_then(|value| divisibility::infer(value).constant());
            let memory = AccessedMemory::Tensor { address: op.operand_at(0)?, part: TensorPart::Columns(columns) };
            of_warps(MemoryAccess::write(memory, Engine::THREADS))
        }
        nvvm::Tcgen05CommitOp::NAME => commit(nvvm::Tcgen05CommitOp::cast(op)?, op),
        _ => return None,
    })
}

/// An arrival on an mbarrier after the thread's copies by `tcgen05.cp` and its products.
fn commit<'c: 'a, 'a>(
    commit: nvvm::Tcgen05CommitOp<'c, 'a>,
    op: OperationRef<'c, 'a>,
) -> Result<Effects<'c, 'a>, UnknownEffects> {
    let others = commit.multicast_mask().is_some() || commit.group() == Some(CTAGroupKind::Cta2);
    let barrier = op.operand_at(0).filter(|_| !others).ok_or(UnknownEffects::OtherBlocks)?;
    let mbarrier = Some(MbarrierEffect { barrier, act: MbarrierAct::Commit });
    Ok(Effects { mbarrier, ..Effects::order(Effect::TensorCommit) })
}

fn plain<'c: 'a, 'a>(mma: nvvm::Tcgen05MMAOp<'c, 'a>) -> Result<Effects<'c, 'a>, UnknownEffects> {
    let kind = mma.kind().ok_or(UnknownEffects::Kind)?;
    let shape = TensorProduct::new(instruction(mma.cta_group(), mma.idesc())?);
    let shape = shape?;
    let (factors, sum) = ([mma.matrix_a(), mma.matrix_b()], mma.matrix_d());
    Ok(Product { op: mma.operation(), shape, kind: kind as u64, is_of_halves: kind == HALVES, factors, sum }.effects())
}

/// A product with scales, of 8-bit floats. Those of 4 bits have other scales.
fn with_scales<'c: 'a, 'a>(mma: nvvm::Tcgen05MMABlockScaleOp<'c, 'a>) -> Result<Effects<'c, 'a>, UnknownEffects> {
    if mma.kind() != Some(MMABlockScaleKind::Mxf8f6f4) {
        return Err(UnknownEffects::NarrowFloats);
    }
    let shape = TensorProduct::with_scales(instruction(mma.cta_group(), mma.idesc())?);
    let shape = shape?;
    let (factors, sum) = ([mma.matrix_a(), mma.matrix_b()], mma.matrix_d());
    let product = Product { op: mma.operation(), shape, kind: SCALED_KIND, is_of_halves: false, factors, sum };
    let mut effects = product.effects();
    for (address, lines) in [(mma.scale_a(), shape.rows), (mma.scale_b(), shape.columns)] {
        effects.accesses.push(product.operand(address, TensorPart::Scales(lines)));
    }
    Ok(effects)
}

/// The instruction descriptor of a product of one block.
fn instruction(group: Option<CTAGroupKind>, descriptor: Value<'_, '_>) -> Result<i64, UnknownEffects> {
    if group != Some(CTAGroupKind::Cta1) {
        return Err(UnknownEffects::TwoBlocks);
    }
    let known = divisibility::infer(descriptor).constant();
    known.ok_or(UnknownEffects::Descriptor)
}

/// A product, which the next `tcgen05.commit` of its thread completes; or the wait that is inherent in its op.
struct Product<'c, 'a> {
    op: OperationRef<'c, 'a>,
    shape: TensorProduct,
    /// A number of the kind.
    kind: u64,
    /// Whether elements have 16 bits.
    is_of_halves: bool,
    factors: [Value<'c, 'a>; 2],
    sum: Value<'c, 'a>,
}

impl<'c: 'a, 'a> Product<'c, 'a> {
    fn engine(&self) -> Engine {
        if inherent::is_marked(self.op) { Engine::AWAITED_TCGEN05 } else { Engine::TCGEN05 }
    }

    /// The read of an operand in tensor memory.
    fn operand(&self, address: Value<'c, 'a>, part: TensorPart) -> MemoryAccess<'c, 'a> {
        let memory = AccessedMemory::Tensor { address, part };
        MemoryAccess { pipe: Some(Pipe::Operand), ..MemoryAccess::read(memory, self.engine()) }
    }

    fn effects(&self) -> Effects<'c, 'a> {
        let (shape, engine) = (self.shape, self.engine());
        let mut accesses = Vec::new();
        let operands = [("A", self.factors[0], shape.rows), ("B", self.factors[1], shape.columns)];
        for ((name, value, rows), transposed) in operands.into_iter().zip(shape.transposed) {
            if llvm_type::is_pointer(value.r#type()) {
                accesses.push(self.operand(value, TensorPart::Left(shape)));
                continue;
            }
            let is_known = !transposed || self.is_of_halves;
            let described = Described { name, descriptor: value, rows, transposed, is_of_tensor: true, is_known };
            accesses.push(MemoryAccess::read(AccessedMemory::Descriptor(described), engine));
        }
        let memory = AccessedMemory::Tensor { address: self.sum, part: TensorPart::Sum(shape) };
        let pipe = Some(Pipe::Sum(shape.pipe(self.kind)));
        accesses.push(MemoryAccess { pipe, ..MemoryAccess::write(memory, engine) });
        Effects { by: Participants::One, accesses, ..Effects::default() }
    }
}
