//! Attributes that ops of many kinds have under one name: what MLIR's op interfaces read of any of them.
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

/// Does an op define a symbol?
pub fn is_symbol(op: OperationRef<'_, '_>) -> bool {
    read::unit(op, SYMBOL_NAME)
}

/// Is it a function, of whichever dialect?
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

/// Gives a function the dictionaries of its arguments.
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

/// What a float op may assume and approximate.
pub fn fast_math(op: OperationRef<'_, '_>) -> Option<FastMathFlags> {
    FastMathFlags::of(read::attribute(op, "fastmath")?)
}

/// How an integer op does not wrap.
pub fn overflow_flags(op: OperationRef<'_, '_>) -> Option<IntegerOverflowFlags> {
    IntegerOverflowFlags::of(read::attribute(op, "overflowFlags")?)
}

/// The dimension of a thread's, block's or grid's id or size in the `gpu` dialect.
pub fn dimension(op: OperationRef<'_, '_>) -> Option<gpu::Dimension> {
    gpu::Dimension::of(read::attribute(op, "dimension")?)
}
