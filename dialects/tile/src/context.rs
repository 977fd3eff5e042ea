//! Types and attributes of a context, given only an op in it.
//!
//! melior builds them from a `&'c Context`, which a pass, called from C++ with an op, does not have.

use std::marker::PhantomData;

use melior::ir::attribute::IntegerAttribute;
use melior::ir::{Attribute, AttributeLike, Identifier, OperationRef, Type};
use mlir_sys::{MlirContext, MlirNamedAttribute};

use crate::shim::string_ref;

/// The context of some IR.
#[derive(Clone, Copy, Debug)]
pub struct Ctx<'c> {
    raw: MlirContext,
    _context: PhantomData<&'c melior::Context>,
}

// SAFETY (of all below): the context outlives 'c, and MLIR copies strings and lists.
impl<'c> Ctx<'c> {
    /// The context that an op is in.
    pub fn of(op: OperationRef<'c, '_>) -> Self {
        Ctx { raw: unsafe { mlir_sys::mlirOperationGetContext(op.to_raw()) }, _context: PhantomData }
    }

    /// For MLIR's C API.
    pub fn to_raw(self) -> MlirContext {
        self.raw
    }

    /// `index`.
    pub fn index(self) -> Type<'c> {
        unsafe { Type::from_raw(mlir_sys::mlirIndexTypeGet(self.raw)) }
    }

    /// `i<bits>`.
    pub fn integer(self, bits: u32) -> Type<'c> {
        unsafe { Type::from_raw(mlir_sys::mlirIntegerTypeGet(self.raw, bits)) }
    }

    /// `f32`.
    pub fn f32(self) -> Type<'c> {
        unsafe { Type::from_raw(mlir_sys::mlirF32TypeGet(self.raw)) }
    }

    /// `f64`.
    pub fn f64(self) -> Type<'c> {
        unsafe { Type::from_raw(mlir_sys::mlirF64TypeGet(self.raw)) }
    }

    /// `f16`.
    pub fn f16(self) -> Type<'c> {
        unsafe { Type::from_raw(mlir_sys::mlirF16TypeGet(self.raw)) }
    }

    /// `bf16`.
    pub fn bf16(self) -> Type<'c> {
        unsafe { Type::from_raw(mlir_sys::mlirBF16TypeGet(self.raw)) }
    }

    /// An attribute from its text.
    pub fn parse_attribute(self, text: &str) -> Option<Attribute<'c>> {
        unsafe { Attribute::from_option_raw(mlir_sys::mlirAttributeParseGet(self.raw, string_ref(text))) }
    }

    /// An integer attribute of `i<bits>`.
    pub fn integer_attribute(self, bits: u32, value: i64) -> Attribute<'c> {
        IntegerAttribute::new(self.integer(bits), value).into()
    }

    /// An index attribute.
    pub fn index_attribute(self, value: i64) -> Attribute<'c> {
        IntegerAttribute::new(self.index(), value).into()
    }

    /// A string attribute.
    pub fn string(self, text: &str) -> Attribute<'c> {
        unsafe { Attribute::from_raw(mlir_sys::mlirStringAttrGet(self.raw, string_ref(text))) }
    }

    /// `true` or `false`.
    pub fn boolean(self, value: bool) -> Attribute<'c> {
        unsafe { Attribute::from_raw(mlir_sys::mlirBoolAttrGet(self.raw, i32::from(value))) }
    }

    /// `unit`.
    pub fn unit(self) -> Attribute<'c> {
        unsafe { Attribute::from_raw(mlir_sys::mlirUnitAttrGet(self.raw)) }
    }

    /// `array<i64: …>`.
    pub fn i64_array(self, values: &[i64]) -> Attribute<'c> {
        let size = values.len() as isize;
        unsafe { Attribute::from_raw(mlir_sys::mlirDenseI64ArrayGet(self.raw, size, values.as_ptr())) }
    }

    /// `array<i32: …>`.
    pub fn i32_array(self, values: &[i32]) -> Attribute<'c> {
        let size = values.len() as isize;
        unsafe { Attribute::from_raw(mlir_sys::mlirDenseI32ArrayGet(self.raw, size, values.as_ptr())) }
    }

    /// A list of attributes.
    pub fn array(self, values: &[Attribute<'c>]) -> Attribute<'c> {
        let raw: Vec<_> = values.iter().map(|value| value.to_raw()).collect();
        unsafe { Attribute::from_raw(mlir_sys::mlirArrayAttrGet(self.raw, raw.len() as isize, raw.as_ptr())) }
    }

    /// A dictionary.
    pub fn dictionary(self, entries: &[(Identifier<'c>, Attribute<'c>)]) -> Attribute<'c> {
        let raw: Vec<MlirNamedAttribute> = entries
            .iter()
            .map(|(name, value)| unsafe { mlir_sys::mlirNamedAttributeGet(name.to_raw(), value.to_raw()) })
            .collect();
        unsafe { Attribute::from_raw(mlir_sys::mlirDictionaryAttrGet(self.raw, raw.len() as isize, raw.as_ptr())) }
    }

    /// A name.
    pub fn identifier(self, name: &str) -> Identifier<'c> {
        unsafe { Identifier::from_raw(mlir_sys::mlirIdentifierGet(self.raw, string_ref(name))) }
    }
}
