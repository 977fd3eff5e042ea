//! Operations on registers alone, and on what no thread reads: they order nothing.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, ValueLike};
use tile_ops::{gpu, llvm, llvm_type, nvvm};
use tile_plan::sync::Engine;

use super::{AccessedMemory, Effects, MemoryAccess, Participants};
use crate::read::name;

/// Operations without a value that no other thread observes: they print, wait, count or stop for a debugger.
const UNOBSERVED: [&str; 4] =
    [gpu::PrintfOp::NAME, nvvm::Breakpoint::NAME, nvvm::NanosleepOp::NAME, nvvm::PMEventOp::NAME];

/// Instructions of PTX that compute with registers alone, by the first part of their names. Assembly of them has side effects where
/// all lanes of a warp have to execute it together.
const ON_REGISTERS: [&str; 2] = ["mma", "mov"];

/// What a constraint of assembly is called that clobbers memory.
const CLOBBERS: &str = "~{memory}";

/// The prefix of a constraint of assembly by which its operand is an address.
const INDIRECT: char = '*';

/// The effects of an operation that no other table has.
pub(super) fn effects<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<Effects<'c, 'a>> {
    match name(op) {
        // Each warp of a warpgroup has to execute it.
        nvvm::SetMaxRegisterOp::NAME => Some(Effects { by: Participants::Warpgroups, ..Effects::default() }),
        unobserved if UNOBSERVED.contains(&unobserved) => Some(Effects::default()),
        llvm::InlineAsmOp::NAME => of_assembly(llvm::InlineAsmOp::cast(op)?),
        _ => computes(op).then(Effects::default),
    }
}

/// Whether an operation of the NVVM dialect computes a value from others, or reads a special register: those with a result and
/// without an address do no more, once elections, exchanges, barriers and products of shared memory are told apart.
fn computes(op: OperationRef<'_, '_>) -> bool {
    let is_of_dialect = name(op).starts_with(nvvm::PREFIX) && name(op) != nvvm::InlinePtxOp::NAME;
    is_of_dialect && op.result_count() > 0 && !op.operands().any(|operand| llvm_type::is_pointer(operand.r#type()))
}

/// Assembly without side effects reads at most what its pointers point to; instructions on registers do not even that.
fn of_assembly<'c: 'a, 'a>(assembly: llvm::InlineAsmOp<'c, 'a>) -> Option<Effects<'c, 'a>> {
    let constraints = assembly.constraints()?;
    if constraints.contains(CLOBBERS) || constraints.contains(INDIRECT) {
        return None;
    }
    let instruction = |text: &str| ON_REGISTERS.contains(&text.split('.').next().unwrap_or_default());
    let text = assembly.asm_string()?;
    if text.split(';').map(str::trim).filter(|text| !text.is_empty()).all(instruction) {
        return Some(Effects::default());
    }
    if assembly.has_side_effects() {
        return None;
    }
    let pointers = assembly.operands().enumerate().filter(|(_, operand)| llvm_type::is_pointer(operand.r#type()));
    let reads = pointers.map(|(at, _)| MemoryAccess::read(AccessedMemory::Anywhere(at), Engine::THREADS));
    Some(Effects { accesses: reads.collect(), ..Effects::default() })
}
