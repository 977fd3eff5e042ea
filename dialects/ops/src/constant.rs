//! Numbers as ops and attributes, and attributes with neither an enum nor a constructor in MLIR's C API.

use melior::ir::attribute::IntegerAttribute;
use melior::ir::{Attribute, Type, Value};
use tile_dialect::Ctx;
use tile_dialect::ops::Filler;

use crate::builder::Builder;
use crate::{arith, raw};

/// A constant of `index`.
pub fn index<'c: 'a, 'a>(builder: Builder<'c, 'a>, value: i64) -> Value<'c, 'a> {
    let context = builder.context;
    arith::constant(builder, context.index_attribute(value), context.index()).value()
}

/// A constant of `i<bits>`.
pub fn integer<'c: 'a, 'a>(builder: Builder<'c, 'a>, bits: u32, value: i64) -> Value<'c, 'a> {
    let context = builder.context;
    arith::constant(builder, context.integer_attribute(bits, value), context.integer(bits)).value()
}

/// A constant that is an attribute with a type.
pub fn typed<'c: 'a, 'a>(builder: Builder<'c, 'a>, value: Attribute<'c>) -> Value<'c, 'a> {
    arith::constant(builder, value, tile_dialect::ops::attribute_type(value)).value()
}

/// What fills, as a value.
pub fn filler<'c: 'a, 'a>(builder: Builder<'c, 'a>, filler: Filler<'c, 'a>) -> Value<'c, 'a> {
    match filler {
        Filler::Value(value) => value,
        Filler::Constant(number) => typed(builder, number),
    }
}

/// A number of any type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConstantNumber {
    /// A number of an integer type, or an index.
    Integer(i64),
    /// A number of a float type, which may have fewer bits.
    Float(f64),
}

/// A number as an attribute of a scalar type; for a vector type, a splat of this number.
pub fn number<'c>(r#type: Type<'c>, number: ConstantNumber) -> Attribute<'c> {
    let (scalar, is_vector) = raw::scalar(r#type);
    let value = match number {
        ConstantNumber::Integer(value) => IntegerAttribute::new(scalar, value).into(),
        ConstantNumber::Float(value) => raw::float(scalar, value),
    };
    if is_vector { raw::splat(r#type, value) } else { value }
}

/// `strided<[strides], offset: offset>`; an offset that is `i64::MIN` is known at run time.
pub fn strided<'c>(context: Ctx<'c>, offset: i64, strides: &[i64]) -> Attribute<'c> {
    raw::strided_layout(context, offset, strides)
}

/// `#nvvm.ld_st_matrix_shape<m = rows, n = columns>`.
pub fn ld_st_matrix_shape(context: Ctx<'_>, rows: i64, columns: i64) -> Attribute<'_> {
    raw::parse_attribute(context, &format!("#nvvm.ld_st_matrix_shape<m = {rows}, n = {columns}>"))
}

/// `#nvvm.shape<m = m, n = n, k = k>`.
pub fn mma_shape(context: Ctx<'_>, [m, n, k]: [i64; 3]) -> Attribute<'_> {
    raw::parse_attribute(context, &format!("#nvvm.shape<m = {m}, n = {n}, k = {k}>"))
}

/// `#nvvm.target<chip = chip>`.
pub fn nvvm_target<'c>(context: Ctx<'c>, chip: &str) -> Attribute<'c> {
    raw::parse_attribute(context, &format!("#nvvm.target<chip = \"{chip}\">"))
}
