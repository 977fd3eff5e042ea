//! Attributes that ops of many kinds have under the same name: those that MLIR's op interfaces read from any of them.
//!
//! | interface | here |
//! | --- | --- |
//! | `SymbolOpInterface` | [`symbol_name`] |
//! | `FunctionOpInterface` | [`is_function`], [`function_type`], [`argument_attributes`] |
//! | `ArithFastMathInterface`, `ArithIntegerOverflowFlagsInterface` | [`fast_math`], [`overflow_flags`] |

use melior::ir::attribute::ArrayAttribute;
use melior::ir::{Attribute, OperationRef, Type};
use tile_dialect::Ctx;
use tile_dialect::ir::Rewriter;

use crate::arith::{FastMathFlags, IntegerOverflowFlags};
use crate::{Case, gpu, read};

/// The attribute that names a symbol, on ops whose ODS does not list it.
pub const SYMBOL_NAME: &str = "sym_name";
const FUNCTION_TYPE: &str = "function_type";
const ARGUMENT_ATTRIBUTES: &str = "arg_attrs";

/// The name of the symbol that an op defines, if it defines one.
pub fn symbol_name(op: OperationRef<'_, '_>) -> Option<String> {
    read::string(op, SYMBOL_NAME)
}

/// Whether an op defines a symbol.
pub fn is_symbol(op: OperationRef<'_, '_>) -> bool {
    read::unit(op, SYMBOL_NAME)
}

/// Whether it is a function, of any dialect.
pub fn is_function(op: OperationRef<'_, '_>) -> bool {
    read::unit(op, FUNCTION_TYPE)
}

/// The type of a function.
pub fn function_type<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Option<Type<'c>> {
    read::type_of(function, FUNCTION_TYPE)
}

/// A dictionary for each argument of a function, if it has any.
pub fn argument_attributes<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Option<ArrayAttribute<'c>> {
    ArrayAttribute::try_from(read::attribute(function, ARGUMENT_ATTRIBUTES)?).ok()
}

/// Sets the dictionaries of a function's arguments.
pub fn set_argument_attributes<'c: 'a, 'a>(
    rewriter: Rewriter<'c, 'a>,
    function: OperationRef<'c, 'a>,
    dictionaries: &[Attribute<'c>],
) {
    rewriter.set_attribute(function, ARGUMENT_ATTRIBUTES, Ctx::of(function).array(dictionaries));
}

/// A dictionary for each workgroup attribution of a `gpu.func`, if it has any.
pub fn workgroup_attributes<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> Option<ArrayAttribute<'c>> {
    ArrayAttribute::try_from(gpu::GPUFuncOp::cast(function)?.workgroup_attrib_attrs()?).ok()
}

/// The fast-math flags of a float op.
pub fn fast_math(op: OperationRef<'_, '_>) -> Option<FastMathFlags> {
    FastMathFlags::of(read::attribute(op, "fastmath")?)
}

/// The overflow flags of an integer op.
pub fn overflow_flags(op: OperationRef<'_, '_>) -> Option<IntegerOverflowFlags> {
    IntegerOverflowFlags::of(read::attribute(op, "overflowFlags")?)
}

/// The dimension of a thread's, block's or grid's id or size in the `gpu` dialect.
pub fn dimension(op: OperationRef<'_, '_>) -> Option<gpu::Dimension> {
    gpu::Dimension::of(read::attribute(op, "dimension")?)
}
