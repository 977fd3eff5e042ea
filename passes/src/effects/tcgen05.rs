//! `tcgen05`: products and the management of tensor memory. [`super::groups`] has its waits, [`super::fences`] its fences.

use melior::ir::{OperationRef, ValueLike};
use tile_dialect::ir::Parts;
use tile_ops::nvvm::{self, CTAGroupKind, Tcgen05MMAKind};
use tile_ops::{llvm_type, tile};
use tile_plan::sync::{Effect, Engine, Pipe, TensorProduct};
use tile_plan::touch::Collective;

use super::{
    AccessedMemory, Described, Effects, MbarrierAct, MbarrierEffect, MemoryAccess, Participants, TensorPart, inherent,
};
use crate::read::{divisibility, name};

/// Bytes of an address of tensor memory.
const ADDRESS_BYTES: i64 = 4;

/// The kind whose operands' bytes are known even where the rows of A, or the columns of B, are contiguous: elements of 16 bits.
const HALVES: Tcgen05MMAKind = Tcgen05MMAKind::F16;

/// The effects of an operation of `tcgen05`.
pub(super) fn effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Result<Effects<'c, 'a>, String>> {
    let of_warps = |access: MemoryAccess<'c, 'a>| {
        let accesses = vec![MemoryAccess { collective: Collective::Warp, ..access }];
        Ok(Effects { accesses, ..Effects::default() })
    };
    Some(match name(op) {
        nvvm::Tcgen05RelinquishAllocPermitOp::NAME | nvvm::Tcgen05MmaSmemDescOp::NAME | tile::TmemOp::NAME => {
            Ok(Effects::default())
        }
        nvvm::Tcgen05MMAOp::NAME => nvvm::Tcgen05MMAOp::cast(op).map(product)?,
        nvvm::Tcgen05AllocOp::NAME => {
            let memory = AccessedMemory::Shared { pointer: op.operand_at(0)?, bytes: ADDRESS_BYTES };
            of_warps(MemoryAccess::write(memory, Engine::THREADS))
        }
        nvvm::Tcgen05DeallocOp::NAME => {
            let columns = op.operand_at(1).and_then(|it| divisibility::infer(it).constant());
            let memory = AccessedMemory::Tensor { address: op.operand_at(0)?, part: TensorPart::Columns(columns) };
            of_warps(MemoryAccess::write(memory, Engine::THREADS))
        }
        nvvm::Tcgen05CommitOp::NAME => commit(nvvm::Tcgen05CommitOp::cast(op)?, op),
        _ => return None,
    })
}

/// An arrival on an mbarrier after the thread's copies by `tcgen05.cp` and its products.
fn commit<'c: 'a, 'a>(of: nvvm::Tcgen05CommitOp<'c, 'a>, op: OperationRef<'c, 'a>) -> Result<Effects<'c, 'a>, String> {
    let others = of.multicast_mask().is_some() || of.group() == Some(CTAGroupKind::Cta2);
    let barrier = op.operand_at(0).filter(|_| !others).ok_or("it arrives on mbarriers of other blocks")?;
    let mbarrier = Some(MbarrierEffect { barrier, act: MbarrierAct::Commit });
    Ok(Effects { mbarrier, ..Effects::order(Effect::TensorCommit) })
}

/// A product, which the next `tcgen05.commit` of its thread completes; or the wait that is inherent in its op.
fn product<'c: 'a, 'a>(of: nvvm::Tcgen05MMAOp<'c, 'a>) -> Result<Effects<'c, 'a>, String> {
    let engine = if inherent::is_marked(of.operation()) { Engine::AWAITED_TCGEN05 } else { Engine::TCGEN05 };
    if of.cta_group() != Some(CTAGroupKind::Cta1) {
        return Err("it is one of two blocks, expected cta_group<cta_1>".to_owned());
    }
    let kind = of.kind().ok_or("its kind is not known")?;
    let instruction = divisibility::infer(of.idesc()).constant();
    let instruction = instruction.ok_or("its instruction descriptor is not a constant")?;
    let product = TensorProduct::new(instruction).map_err(|unsupported| unsupported.to_string())?;
    let mut accesses = Vec::new();
    let operands = [("A", of.matrix_a(), product.rows), ("B", of.matrix_b(), product.columns)];
    for ((name, value, rows), transposed) in operands.into_iter().zip(product.transposed) {
        if llvm_type::is_pointer(value.r#type()) {
            let memory = AccessedMemory::Tensor { address: value, part: TensorPart::Left(product) };
            accesses.push(MemoryAccess { pipe: Some(Pipe::Operand), ..MemoryAccess::read(memory, engine) });
            continue;
        }
        let is_known = !transposed || kind == HALVES;
        let of = Described { name, descriptor: value, rows, transposed, is_of_tensor: true, is_known };
        accesses.push(MemoryAccess::read(AccessedMemory::Descriptor(of), engine));
    }
    let memory = AccessedMemory::Tensor { address: of.matrix_d(), part: TensorPart::Sum(product) };
    let pipe = Some(Pipe::Sum(product.pipe(kind as u64)));
    accesses.push(MemoryAccess { pipe, ..MemoryAccess::write(memory, engine) });
    Ok(Effects { by: Participants::One, accesses, ..Effects::default() })
}
