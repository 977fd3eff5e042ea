//! Safe wrappers of MLIR's C API: all `unsafe` code of the crate is here.

use melior::ir::operation::Operation;
use melior::ir::{Attribute, AttributeLike, Location, OperationRef, Region, Type, TypeLike};
use mlir_sys::{MlirType, MlirValue};
use tile_dialect::{Ctx, create, string_ref};

/// The name of an op.
pub fn name<'c>(op: OperationRef<'c, '_>) -> &'c str {
    // SAFETY: the op is alive; its name is interned in the context, which lives for 'c.
    let bytes = unsafe {
        let text = mlir_sys::mlirIdentifierStr(mlir_sys::mlirOperationGetName(op.to_raw()));
        std::slice::from_raw_parts(text.data.cast::<u8>(), text.length)
    };
    std::str::from_utf8(bytes).unwrap_or_default()
}

/// An attribute of an op, inherent or not.
pub fn attribute<'c>(op: OperationRef<'c, '_>, name: &str) -> Option<Attribute<'c>> {
    // SAFETY: the op is alive; MLIR does not keep the text; null is none.
    unsafe { Attribute::from_option_raw(mlir_sys::mlirOperationGetAttributeByName(op.to_raw(), string_ref(name))) }
}

/// The parts of an op, other than its name and location.
pub struct State<'s, 'c> {
    /// Operands of all groups.
    pub operands: &'s [MlirValue],
    /// Types of the results.
    pub results: &'s [MlirType],
    /// Attributes by name.
    pub attributes: &'s [(&'static str, Attribute<'c>)],
    /// Regions.
    pub regions: Vec<Region<'c>>,
    /// Whether MLIR infers the types of the results.
    pub infers_result: bool,
}

/// Makes an op; `None` where MLIR cannot.
pub fn create<'c>(name: &str, location: Location<'c>, parts: State<'_, 'c>) -> Option<Operation<'c>> {
    if parts.infers_result {
        return infer(name, location, parts);
    }
    let State { operands, results, attributes, regions, .. } = parts;
    // SAFETY: values and types are alive.
    Some(unsafe { create::create(name, location, create::Parts { operands, results, attributes, regions }) })
}

/// Makes an op whose result's type MLIR infers.
fn infer<'c>(name: &str, location: Location<'c>, parts: State<'_, 'c>) -> Option<Operation<'c>> {
    // SAFETY: MLIR copies the lists that it is given, each as long as is said, and takes the regions; values, types and
    // attributes are alive. The op belongs to nothing else.
    unsafe {
        let mut state = mlir_sys::mlirOperationStateGet(string_ref(name), location.to_raw());
        if !parts.operands.is_empty() {
            let count = parts.operands.len() as isize;
            mlir_sys::mlirOperationStateAddOperands(&mut state, count, parts.operands.as_ptr());
        }
        if !parts.results.is_empty() {
            let count = parts.results.len() as isize;
            mlir_sys::mlirOperationStateAddResults(&mut state, count, parts.results.as_ptr());
        }
        if !parts.attributes.is_empty() {
            let context = mlir_sys::mlirLocationGetContext(location.to_raw());
            let named = |&(name, value): &(&str, Attribute<'c>)| {
                let name = mlir_sys::mlirIdentifierGet(context, string_ref(name));
                mlir_sys::mlirNamedAttributeGet(name, value.to_raw())
            };
            let attributes: Vec<_> = parts.attributes.iter().map(named).collect();
            mlir_sys::mlirOperationStateAddAttributes(&mut state, attributes.len() as isize, attributes.as_ptr());
        }
        if !parts.regions.is_empty() {
            let regions: Vec<_> = parts.regions.into_iter().map(Region::into_raw).collect();
            mlir_sys::mlirOperationStateAddOwnedRegions(&mut state, regions.len() as isize, regions.as_ptr());
        }
        mlir_sys::mlirOperationStateEnableResultTypeInference(&mut state);
        Operation::from_option_raw(mlir_sys::mlirOperationCreate(&mut state))
    }
}

/// An attribute parsed from its text, for those that MLIR's C API cannot build otherwise.
///
/// # Panics
/// When the text is no attribute: the callers build it from TableGen's words.
pub fn parse_attribute<'c>(context: Ctx<'c>, text: &str) -> Attribute<'c> {
    context.parse_attribute(text).unwrap_or_else(|| panic!("'{text}' is an attribute"))
}

/// `@name`.
pub fn symbol<'c>(context: Ctx<'c>, name: &str) -> Attribute<'c> {
    // SAFETY: the context is alive, and MLIR copies the text.
    unsafe { Attribute::from_raw(mlir_sys::mlirFlatSymbolRefAttrGet(context.to_raw(), string_ref(name))) }
}

/// `@module::@name`.
pub fn nested_symbol<'c>(context: Ctx<'c>, module: &str, name: &str) -> Attribute<'c> {
    let inner = symbol(context, name).to_raw();
    // SAFETY: the context and the inner symbol are alive, and MLIR copies text and list.
    unsafe { Attribute::from_raw(mlir_sys::mlirSymbolRefAttrGet(context.to_raw(), string_ref(module), 1, &inner)) }
}

/// A type as an attribute.
pub fn type_attribute(r#type: Type<'_>) -> Attribute<'_> {
    melior::ir::attribute::TypeAttribute::new(r#type).into()
}

fn raw_types(types: &[Type<'_>]) -> Vec<mlir_sys::MlirType> {
    types.iter().map(|r#type| r#type.to_raw()).collect()
}

/// `!llvm.func<void (inputs)>`.
pub fn llvm_function<'c>(context: Ctx<'c>, inputs: &[Type<'c>]) -> Type<'c> {
    let raw: Vec<_> = inputs.iter().map(|input| input.to_raw()).collect();
    // SAFETY: the types are of the context, and the list is as long as stated.
    unsafe {
        let none = mlir_sys::mlirLLVMVoidTypeGet(context.to_raw());
        Type::from_raw(mlir_sys::mlirLLVMFunctionTypeGet(none, raw.len() as isize, raw.as_ptr(), false))
    }
}

/// `(inputs) -> (results)`.
pub fn function_type<'c>(context: Ctx<'c>, inputs: &[Type<'c>], results: &[Type<'c>]) -> Type<'c> {
    let (inputs, results) = (raw_types(inputs), raw_types(results));
    let (input_count, result_count) = (inputs.len() as isize, results.len() as isize);
    // SAFETY: the types are alive, and MLIR copies the lists.
    unsafe {
        Type::from_raw(mlir_sys::mlirFunctionTypeGet(
            context.to_raw(),
            input_count,
            inputs.as_ptr(),
            result_count,
            results.as_ptr(),
        ))
    }
}

/// LLVM's pointer into a space.
pub fn llvm_pointer(context: Ctx<'_>, space: u32) -> Type<'_> {
    // SAFETY: the context is alive and has the LLVM dialect, which the passes depend on.
    unsafe { Type::from_raw(mlir_sys::mlirLLVMPointerTypeGet(context.to_raw(), space)) }
}

/// LLVM's struct of those fields.
pub fn llvm_struct<'c>(context: Ctx<'c>, fields: &[Type<'c>]) -> Type<'c> {
    let fields = raw_types(fields);
    // SAFETY: the types are alive, and MLIR copies the list.
    unsafe {
        let count = fields.len() as isize;
        Type::from_raw(mlir_sys::mlirLLVMStructTypeLiteralGet(context.to_raw(), count, fields.as_ptr(), false))
    }
}

/// LLVM's array.
pub fn llvm_array(element: Type<'_>, count: u32) -> Type<'_> {
    // SAFETY: the element type is alive.
    unsafe { Type::from_raw(mlir_sys::mlirLLVMArrayTypeGet(element.to_raw(), count)) }
}

/// The number of fields of an LLVM struct, which the type must be.
pub fn llvm_struct_fields(r#struct: Type<'_>) -> i64 {
    // SAFETY: the caller has seen from the type's text that it is a struct.
    unsafe { mlir_sys::mlirLLVMStructTypeGetNumElementTypes(r#struct.to_raw()) as i64 }
}

/// The element type of LLVM's array, which the type must be.
pub fn llvm_array_element(array: Type<'_>) -> Type<'_> {
    // SAFETY: the caller has seen from the type's text that it is an array.
    unsafe { Type::from_raw(mlir_sys::mlirLLVMArrayTypeGetElementType(array.to_raw())) }
}

/// LLVM's linkage.
pub fn llvm_linkage(context: Ctx<'_>, linkage: mlir_sys::MlirLLVMLinkage) -> Attribute<'_> {
    // SAFETY: the context is alive, and the number is one of the C API's own.
    unsafe { Attribute::from_raw(mlir_sys::mlirLLVMLinkageAttrGet(context.to_raw(), linkage)) }
}

/// `strided<[strides], offset: offset>`.
pub fn strided_layout<'c>(context: Ctx<'c>, offset: i64, strides: &[i64]) -> Attribute<'c> {
    let count = strides.len() as isize;
    // SAFETY: the context is alive, and MLIR copies the list.
    unsafe {
        Attribute::from_raw(mlir_sys::mlirStridedLayoutAttrGet(context.to_raw(), offset, count, strides.as_ptr()))
    }
}

/// A vector's element type, or the type itself; and whether it is a vector.
pub fn scalar(r#type: Type<'_>) -> (Type<'_>, bool) {
    // SAFETY: the element type is queried for vectors only, and lives as long as its context.
    unsafe {
        let raw = r#type.to_raw();
        match mlir_sys::mlirTypeIsAVector(raw) {
            true => (Type::from_raw(mlir_sys::mlirShapedTypeGetElementType(raw)), true),
            false => (r#type, false),
        }
    }
}

/// A float attribute; the value is rounded to the type.
pub fn float(r#type: Type<'_>, value: f64) -> Attribute<'_> {
    let raw = r#type.to_raw();
    // SAFETY: the type is alive; MLIR reports a type that is no float, of which the callers have none.
    unsafe { Attribute::from_raw(mlir_sys::mlirFloatAttrDoubleGet(mlir_sys::mlirTypeGetContext(raw), raw, value)) }
}

/// A vector with the same element in every position.
pub fn splat<'c>(vector: Type<'c>, element: Attribute<'c>) -> Attribute<'c> {
    // SAFETY: the type is a vector of the element's type.
    unsafe { Attribute::from_raw(mlir_sys::mlirDenseElementsAttrSplatGet(vector.to_raw(), element.to_raw())) }
}
