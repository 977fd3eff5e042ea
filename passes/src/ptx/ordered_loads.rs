//! Atomic and volatile loads, which the back end must not move to the read-only cache.
//!
//! LLVM marks each load from a kernel's argument that is `noalias readonly` as invariant, ordered ones included, and the back end
//! of LLVM 22 makes `ld.global.nc` of every invariant load:
//!
//! ```text
//!   %x = load volatile float, ptr %a            ld.global.nc.b32    not volatile
//!   %y = load atomic float, ptr %a monotonic    ld.global.nc.b32    not atomic; a mask of bytes is read behind the
//!                                                                   operands, and is any number, or the process crashes
//! ```
//!
//! So arguments that such a load may read are not `readonly`, and no such load is invariant. Plain loads that are marked as
//! invariant stay so.

use std::collections::HashSet;
use std::ptr;

use inkwell::AtomicOrdering;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::context::Context;
use inkwell::llvm_sys::core::LLVMSetMetadata;
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::module::Module;
use inkwell::values::{AsValueRef, BasicValue, FunctionValue, InstructionOpcode, InstructionValue};

use super::unsigned::instructions;

/// Removes what would make ordered loads invariant. Both LLVM's passes and its back end infer it from what is left, so this runs
/// before either.
pub(super) fn protect(context: &Context, module: &Module<'_>) {
    let invariant = context.get_kind_id("invariant.load");
    for function in module.get_functions() {
        for load in instructions(function).filter(is_ordered) {
            if load.get_metadata(invariant).is_some() {
                // SAFETY: the instruction is alive, and no metadata is what it may have of each kind.
                unsafe { LLVMSetMetadata(load.as_value_ref(), invariant, ptr::null_mut()) };
            }
            forget_read_only(function, load);
        }
    }
}

fn is_ordered(instruction: &InstructionValue<'_>) -> bool {
    let is_load = instruction.get_opcode() == InstructionOpcode::Load;
    let is_atomic = || instruction.get_atomic_ordering().is_ok_and(|ordering| ordering != AtomicOrdering::NotAtomic);
    is_load && (instruction.get_volatile().unwrap_or(true) || is_atomic())
}

/// Makes no argument `readonly` that the load may read.
fn forget_read_only(function: FunctionValue<'_>, load: InstructionValue<'_>) {
    let readonly = Attribute::get_named_enum_kind_id("readonly");
    let sources = sources(load);
    for (index, parameter) in (0..).zip(function.get_param_iter()) {
        if sources.contains(&parameter.as_value_ref()) {
            function.remove_enum_attribute(AttributeLoc::Param(index), readonly);
        }
    }
}

/// All from which the load's address is computed by instructions that touch no memory.
fn sources(load: InstructionValue<'_>) -> HashSet<LLVMValueRef> {
    let (mut waiting, mut met) = (vec![load], HashSet::new());
    while let Some(instruction) = waiting.pop() {
        for value in instruction.get_operands().flatten().filter_map(|operand| operand.value()) {
            if met.insert(value.as_value_ref()) {
                waiting.extend(value.as_instruction_value());
            }
        }
    }
    met
}
