//! Long integer sums, products and extremes, which the back end must not take apart.
//!
//! Its analysis of integers (`ScalarEvolution`) reads a chain or a tree of one such operation as one expression of all its terms, and
//! its pass for addresses (`separate-const-offset-from-gep`, `slsr`) asks of each pair of instructions that use it whether every term
//! may be poison: in LLVM 22 that takes time cubic in the terms, 46 s for the maximum of 384 bytes of a thread, which is added to each.
//! A `freeze` is a term by itself, and no instruction:
//!
//! ```text
//!   %m = call i8 @llvm.umax.i8(i8 %l, i8 %r)        32 terms                       2 terms
//!                                                    %f = freeze i8 %m
//!   %y = add i8 %x, %m                               %y = add i8 %x, %f            1 term
//! ```
//!
//! Addresses have fewer terms than that, so they stay what they are.

use std::collections::HashMap;

use inkwell::builder::Builder;
use inkwell::context::Context;
use inkwell::llvm_sys::core::{LLVMBuildFreeze, LLVMGetUndef, LLVMReplaceAllUsesWith, LLVMSetOperand, LLVMTypeOf};
use inkwell::llvm_sys::prelude::LLVMValueRef;
use inkwell::module::Module;
use inkwell::types::AnyTypeEnum;
use inkwell::values::{AsValueRef, BasicValue, CallSiteValue, InstructionOpcode, InstructionValue};

use tile_ops::llvm;

use super::unsigned::instructions;

/// The most terms of an expression that the back end may take apart.
const MAX_TERMS: usize = 16;

/// What combines terms.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Combination {
    Sum,
    Product,
    Extreme,
}

/// Freezes each integer of more terms than [`MAX_TERMS`].
pub(super) fn freeze(context: &Context, module: &Module<'_>) {
    let builder = context.create_builder();
    for function in module.get_functions() {
        let mut terms: HashMap<LLVMValueRef, (Combination, usize)> = HashMap::new();
        let all: Vec<_> = instructions(function).collect();
        for instruction in all {
            let Some(combination) = combination(instruction) else { continue };
            let of_operand = |operand: LLVMValueRef| match terms.get(&operand) {
                Some((known, count)) if *known == combination => *count,
                _ => 1,
            };
            let operands = instruction.get_operands().flatten().filter_map(|operand| operand.value());
            let operands = operands.filter(|operand| !operand.is_const()).map(|operand| operand.as_value_ref());
            let count = operands.map(of_operand).fold(0, usize::saturating_add);
            let value = instruction.as_value_ref();
            let value = if count > MAX_TERMS { frozen(&builder, instruction).unwrap_or(value) } else { value };
            terms.insert(value, (combination, count));
        }
    }
}

/// A frozen copy of an instruction, which all its users take instead.
fn frozen(builder: &Builder<'_>, instruction: InstructionValue<'_>) -> Option<LLVMValueRef> {
    let value = instruction.as_value_ref();
    builder.position_before(&instruction.get_next_instruction()?);
    // SAFETY: the instruction is alive and no terminator. The copy is made of another value of its type, so that it is not among the users.
    unsafe {
        let copy = LLVMBuildFreeze(builder.as_mut_ptr(), LLVMGetUndef(LLVMTypeOf(value)), c"".as_ptr());
        LLVMReplaceAllUsesWith(value, copy);
        LLVMSetOperand(copy, 0, value);
        Some(copy)
    }
}

/// What an instruction on single integers combines its operands to, if it does.
fn combination(instruction: InstructionValue<'_>) -> Option<Combination> {
    if !matches!(instruction.get_type(), AnyTypeEnum::IntType(_)) {
        return None;
    }
    match instruction.get_opcode() {
        InstructionOpcode::Add | InstructionOpcode::Sub => Some(Combination::Sum),
        InstructionOpcode::Mul => Some(Combination::Product),
        InstructionOpcode::Call => is_extreme(instruction).then_some(Combination::Extreme),
        _ => None,
    }
}

/// Whether it calls an intrinsic for the smaller or larger of two integers. LLVM's name of it, such as `llvm.smax.i8`, has the last word
/// of the op's in the second place.
fn is_extreme(instruction: InstructionValue<'_>) -> bool {
    const OPS: [&str; 4] = [llvm::SMaxOp::NAME, llvm::SMinOp::NAME, llvm::UMaxOp::NAME, llvm::UMinOp::NAME];
    let called = CallSiteValue::try_from(instruction).ok().and_then(CallSiteValue::get_called_fn_value);
    called.is_some_and(|called| {
        let name = called.get_name().to_string_lossy();
        let word = name.split('.').nth(1);
        called.get_intrinsic_id() != 0 && OPS.iter().any(|op| op.rsplit('.').next() == word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use inkwell::values::{BasicValueEnum, FunctionValue, IntValue};

    /// A function of as many integers, combined one after the other or as a tree, whose result is added to the first.
    fn combined<'l>(context: &'l Context, name: &str, count: usize, is_tree: bool) -> Module<'l> {
        let module = context.create_module("m");
        let builder = context.create_builder();
        let byte = context.i8_type();
        let function = module.add_function("f", byte.fn_type(&vec![byte.into(); count], false), None);
        builder.position_at_end(context.append_basic_block(function, ""));
        let extreme = module.add_function(name, byte.fn_type(&[byte.into(), byte.into()], false), None);
        let both = |one: IntValue<'l>, other: IntValue<'l>| -> IntValue<'l> {
            let call = builder.build_call(extreme, &[one.into(), other.into()], "").unwrap();
            call.try_as_basic_value().unwrap_basic().into_int_value()
        };
        let mut values: Vec<_> = function.get_param_iter().map(BasicValueEnum::into_int_value).collect();
        let first = values[0];
        while values.len() > 1 {
            let paired = if is_tree { values.len() } else { 2 };
            let rest = values.split_off(paired);
            let pairs = values.chunks(2).map(|pair| pair.iter().copied().reduce(both).unwrap());
            values = pairs.collect::<Vec<_>>().into_iter().chain(rest).collect();
        }
        let sum = builder.build_int_add(first, values[0], "").unwrap();
        builder.build_return(Some(&sum)).unwrap();
        module
    }

    fn freezes(function: FunctionValue<'_>) -> usize {
        instructions(function).filter(|instruction| instruction.get_opcode() == InstructionOpcode::Freeze).count()
    }

    #[test]
    fn what_has_more_terms_is_frozen_where_it_is_used() {
        let context = Context::create();
        for (count, is_tree, expected) in [(16, false, 0), (17, false, 1), (20, false, 4), (16, true, 0), (64, true, 3)]
        {
            let module = combined(&context, "llvm.umax.i8", count, is_tree);
            freeze(&context, &module);
            let function = module.get_function("f").unwrap();
            assert_eq!(freezes(function), expected, "{count} terms");
            assert!(module.verify().is_ok());
            let sum = instructions(function).find(|op| op.get_opcode() == InstructionOpcode::Add).unwrap();
            let used = sum.get_operand(1).unwrap().unwrap_value().as_instruction_value().unwrap();
            assert_eq!(used.get_opcode() == InstructionOpcode::Freeze, expected > 0);
        }
    }

    #[test]
    fn other_calls_are_terms() {
        let context = Context::create();
        let module = combined(&context, "other", 40, false);
        freeze(&context, &module);
        assert_eq!(freezes(module.get_function("f").unwrap()), 0);
    }
}
