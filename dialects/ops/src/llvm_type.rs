//! Types and linkages of LLVM.

use melior::ir::{Attribute, Type, Value};
use tile_dialect::Ctx;
use tile_dialect::memref::pointer_space;

use crate::builder::Builder;
use crate::{llvm, raw};

/// A memory of LLVM's NVPTX target, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Any: resolved by the instruction at run time.
    Generic = 0,
    /// Global.
    Global = 1,
    /// Shared memory of the block.
    Shared = 3,
    /// Constant.
    Constant = 4,
    /// Local memory of one thread.
    Local = 5,
    /// Tensor memory.
    Tensor = 6,
    /// Shared memory of the cluster, which includes that of the block.
    Cluster = 7,
}

impl Space {
    /// The space of an LLVM pointer; `None` for another type, or for a space of another target.
    pub fn of(r#type: Type<'_>) -> Option<Space> {
        let all = [
            Space::Generic,
            Space::Global,
            Space::Shared,
            Space::Constant,
            Space::Local,
            Space::Tensor,
            Space::Cluster,
        ];
        let number = pointer_space(r#type)?;
        all.into_iter().find(|&space| space as u32 == number)
    }

    /// `!llvm.ptr<space>`.
    pub fn pointer(self, context: Ctx<'_>) -> Type<'_> {
        pointer(context, self as u32)
    }
}

/// A pointer into `space`, at an address in bytes: an integer.
pub fn pointer_to<'c: 'a, 'a>(builder: Builder<'c, 'a>, address: Value<'c, 'a>, space: Space) -> Value<'c, 'a> {
    llvm::inttoptr(builder, address, space.pointer(builder.context)).value()
}

/// `!llvm.ptr<space>` for the number of a space, as in TableGen.
pub fn pointer(context: Ctx<'_>, space: u32) -> Type<'_> {
    raw::llvm_pointer(context, space)
}

/// Whether it is a pointer, into any space.
pub fn is_pointer(r#type: Type<'_>) -> bool {
    pointer_space(r#type).is_some()
}

/// `!llvm.struct<(fields)>`.
pub fn r#struct<'c>(context: Ctx<'c>, fields: &[Type<'c>]) -> Type<'c> {
    raw::llvm_struct(context, fields)
}

/// The descriptor of a memref of one dimension: the allocated pointer and the aligned pointer, an offset, an extent and a
/// stride.
pub fn descriptor<'c>(context: Ctx<'c>, pointer: Type<'c>) -> Type<'c> {
    let number = context.integer(64);
    r#struct(context, &[pointer, pointer, number, array(number, 1), array(number, 1)])
}

/// The result type of an NVVM op with `count` results of the same type: the type itself, or a struct.
pub fn several<'c>(context: Ctx<'c>, field: Type<'c>, count: usize) -> Type<'c> {
    if count == 1 { field } else { r#struct(context, &vec![field; count]) }
}

/// `!llvm.func<void (inputs)>`.
pub fn procedure<'c>(context: Ctx<'c>, inputs: &[Type<'c>]) -> Type<'c> {
    raw::llvm_function(context, inputs)
}

/// `!llvm.array<count x element>`.
pub fn array(element: Type<'_>, count: u32) -> Type<'_> {
    raw::llvm_array(element, count)
}

/// The number of elements of an array, and their type; `None` for another type.
pub fn array_parts(r#type: Type<'_>) -> Option<(i64, Type<'_>)> {
    // MLIR's C API cannot query the number.
    let text = r#type.to_string();
    let (count, _) = text.strip_prefix("!llvm.array<")?.split_once(" x ")?;
    Some((count.parse().ok()?, raw::llvm_array_element(r#type)))
}

/// The number of fields of a struct; `None` for another type.
pub fn struct_fields(r#type: Type<'_>) -> Option<i64> {
    // MLIR's C API cannot query whether a type is a struct.
    r#type.to_string().starts_with("!llvm.struct<(").then(|| raw::llvm_struct_fields(r#type))
}

/// `#llvm.linkage<external>`.
pub fn external(context: Ctx<'_>) -> Attribute<'_> {
    raw::llvm_linkage(context, mlir_sys::MlirLLVMLinkage_MlirLLVMLinkageExternal)
}

/// `#llvm.linkage<internal>`.
pub fn internal(context: Ctx<'_>) -> Attribute<'_> {
    raw::llvm_linkage(context, mlir_sys::MlirLLVMLinkage_MlirLLVMLinkageInternal)
}
