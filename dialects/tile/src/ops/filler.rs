//! What fills a tile, or the elements of a copy that are outside of its source.

use melior::ir::attribute::{FloatAttribute, IntegerAttribute};
use melior::ir::{Attribute, Type, TypeLike, Value};

use super::attribute_type;
use crate::error::{VerifyError, mismatch};
use crate::memref::{bit_width, is_float};

/// A value, or a number that the op states.
#[derive(Clone, Copy, Debug)]
pub enum Filler<'c, 'a> {
    /// This value.
    Value(Value<'c, 'a>),
    /// This number, of the type of the elements.
    Constant(Attribute<'c>),
}

impl<'c, 'a> Filler<'c, 'a> {
    /// The value; `None` for a number that the op states.
    pub fn value(self) -> Option<Value<'c, 'a>> {
        match self {
            Filler::Value(value) => Some(value),
            Filler::Constant(_) => None,
        }
    }
}

/// A number as it is written, of `f64`, of `i64` or of the type of the elements, as one of the type of the elements.
///
/// # Errors
/// A number that the type does not have.
pub(crate) fn constant<'c>(written: Attribute<'c>, element: Type<'c>) -> Result<Attribute<'c>, VerifyError> {
    if attribute_type(written) == element {
        return Ok(written);
    }
    match (FloatAttribute::try_from(written), IntegerAttribute::try_from(written)) {
        (Ok(number), _) if is_default(written) && is_float(element) => float(number.value(), element),
        (_, Ok(number)) if is_default(written) && (element.is_integer() || element.is_index()) => {
            integer(number.value(), element)
        }
        _ => Err(mismatch!("fill of {written}"; expected "a number of {element}, the destination's elements")),
    }
}

/// Whether a number has the type that it has where none is written.
fn is_default(written: Attribute<'_>) -> bool {
    ["f64", "i64"].contains(&attribute_type(written).to_string().as_str())
}

/// The number that is nearest, if there is one that is finite, infinite or no number as `value` is.
fn float(value: f64, element: Type<'_>) -> Result<Attribute<'_>, VerifyError> {
    // SAFETY: the type is a float type.
    let made = unsafe {
        let context = mlir_sys::mlirTypeGetContext(element.to_raw());
        Attribute::from_raw(mlir_sys::mlirFloatAttrDoubleGet(context, element.to_raw(), value))
    };
    let nearest = FloatAttribute::try_from(made).map_or(f64::NAN, |made| made.value());
    if (nearest.is_nan(), nearest.is_infinite()) == (value.is_nan(), value.is_infinite()) {
        return Ok(made);
    }
    Err(mismatch!("fill of {value:?}, which {element} does not have"; expected "a number that it has"))
}

fn integer(value: i64, element: Type<'_>) -> Result<Attribute<'_>, VerifyError> {
    let bits = bit_width(element).unwrap_or(i64::BITS);
    let least = i64::MIN >> (i64::BITS - bits.min(i64::BITS));
    // The largest unsigned number.
    let most = if bits < i64::BITS { (1 << bits) - 1 } else { i64::MAX };
    if (least..=most).contains(&value) {
        return Ok(IntegerAttribute::new(element, value).into());
    }
    Err(mismatch!("fill of {value}, which {element} does not have"; expected "{least} to {most}"))
}
