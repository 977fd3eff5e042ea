//! Functions that LLVM's SLP vectorizer must leave alone.
//!
//! Where it joins adjacent elements that are converted from unsigned integers, it narrows integers that were sign-extended, and
//! then reads them as unsigned:
//!
//! ```text
//!   %w = sext i16 %x to i64
//!   %f = uitofp i64 %w to half        -1 is 18446744073709551615, and becomes infinity
//!
//!   %f = uitofp <2 x i16> %x to …     after slp-vectorizer, LLVM 22: -1 is 65535
//! ```
//!
//! The vectorizer skips functions that are `noimplicitfloat`. So functions that convert single unsigned integers have this
//! attribute while the passes run. It would also keep the back end from joining loads and stores, so it is removed before that
//! runs. Conversions of vectors, as the widest copies have them, do not need this.

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::types::AnyTypeEnum;
use inkwell::values::{FunctionValue, InstructionOpcode, InstructionValue};

const ATTRIBUTE: &str = "noimplicitfloat";

/// The changes that were made to a module.
#[must_use]
pub(super) struct Guarded {
    attribute: u32,
    /// Functions that had the attribute before.
    before: Vec<String>,
}

/// Makes the vectorizer skip functions that convert single unsigned integers.
pub(super) fn guard<'l>(context: &'l Context, module: &Module<'l>) -> Guarded {
    let attribute = Attribute::get_named_enum_kind_id(ATTRIBUTE);
    let before = module.get_functions().filter(|function| has(*function, attribute)).map(name).collect();
    for function in module.get_functions().filter(|function| instructions(*function).any(is_unsigned)) {
        function.add_attribute(AttributeLoc::Function, context.create_enum_attribute(attribute, 0));
    }
    Guarded { attribute, before }
}

impl Guarded {
    /// Restores the functions, also those into which one was inlined.
    pub(super) fn lift(self, module: &Module<'_>) {
        for function in module.get_functions().filter(|function| !self.before.contains(&name(*function))) {
            function.remove_enum_attribute(AttributeLoc::Function, self.attribute);
        }
    }
}

fn name(function: FunctionValue<'_>) -> String {
    function.get_name().to_string_lossy().into_owned()
}

fn has(function: FunctionValue<'_>, attribute: u32) -> bool {
    function.get_enum_attribute(AttributeLoc::Function, attribute).is_some()
}

/// All instructions of a function, block by block.
pub(super) fn instructions(function: FunctionValue<'_>) -> impl Iterator<Item = InstructionValue<'_>> {
    function.get_basic_block_iter().flat_map(|block| block.get_instructions())
}

fn is_unsigned(instruction: InstructionValue<'_>) -> bool {
    let single = matches!(instruction.get_type(), AnyTypeEnum::FloatType(_));
    single && instruction.get_opcode() == InstructionOpcode::UIToFP
}

#[cfg(test)]
mod tests {
    use super::*;
    use inkwell::AddressSpace;

    /// Functions that convert one integer, signed or not.
    fn converting<'l>(context: &'l Context, names: &[(&str, bool)]) -> Module<'l> {
        let module = context.create_module("m");
        let builder = context.create_builder();
        for (name, signed) in names {
            let parameters = [context.i64_type().into(), context.ptr_type(AddressSpace::default()).into()];
            let function = module.add_function(name, context.void_type().fn_type(&parameters, false), None);
            builder.position_at_end(context.append_basic_block(function, ""));
            let integer = function.get_nth_param(0).unwrap().into_int_value();
            let half = context.f16_type();
            let float = match signed {
                true => builder.build_signed_int_to_float(integer, half, "").unwrap(),
                false => builder.build_unsigned_int_to_float(integer, half, "").unwrap(),
            };
            builder.build_store(function.get_nth_param(1).unwrap().into_pointer_value(), float).unwrap();
            builder.build_return(None).unwrap();
        }
        module
    }

    #[test]
    fn only_what_converts_unsigned_integers_is_guarded_and_only_for_a_while() {
        let context = Context::create();
        let module = converting(&context, &[("signed", true), ("unsigned", false), ("own", false)]);
        let function = |name: &str| module.get_function(name).unwrap();
        let attribute = Attribute::get_named_enum_kind_id(ATTRIBUTE);
        function("own").add_attribute(AttributeLoc::Function, context.create_enum_attribute(attribute, 0));
        let all = || ["signed", "unsigned", "own"].map(|name| has(function(name), attribute));
        let guarded = guard(&context, &module);
        assert_eq!(all(), [false, true, true]);
        guarded.lift(&module);
        assert_eq!(all(), [false, false, true]);
    }
}
