//! What is known of values while a kernel is read, and what their types are: scalars, and vectors as lanes.

use melior::ir::{Type, TypeLike, Value, ValueLike};
use tile_dialect::ops::ScanElement;
use tile_plan::Target;
use tile_plan::problem::refusal::Refusal;
use tile_plan::target::kernels;
use tile_portable::Scalar;

/// A value's number.
pub(super) type Id = usize;

/// What is known of a value.
#[derive(Clone, Debug)]
pub(super) enum Known {
    /// An index of 64 bits, which becomes a number where it is computed with.
    Index(i64),
    /// Its lanes.
    Lanes(Vec<Id>),
    /// A memref.
    Memory(View),
}

/// An index: known, or a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Term {
    Known(i64),
    Value(Id),
}

/// A memref, in elements.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// The number of its memory.
    pub memory: usize,
    /// Bits of an element.
    pub bits: u32,
    /// Where its memory begins, of which the offset is counted.
    pub base: Term,
    pub offset: Term,
    pub extents: Vec<Term>,
    pub strides: Vec<Term>,
}

/// What an index is.
pub(super) const INDEX: Scalar = Scalar::I32;

/// The scalar of a type, and how many it has; floats of 8 bits are moved as integers.
pub(super) fn lanes(r#type: Type<'_>, target: &Target) -> Result<(Scalar, usize), Refusal> {
    if r#type.is_index() {
        return Ok((INDEX, 1));
    }
    let refused = || kernels::r#type(&r#type.to_string(), target);
    let element = ScanElement::new(r#type).ok_or_else(refused)?;
    let scalar = match Scalar::named(&element.scalar.to_string()) {
        None if element.scalar_bits == 8 => Scalar::I8,
        named => named.ok_or_else(refused)?,
    };
    Ok((scalar, element.lanes as usize))
}

/// The lanes of a value's type.
pub(super) fn of(value: Value<'_, '_>, target: &Target) -> Result<(Scalar, usize), Refusal> {
    lanes(value.r#type(), target)
}

/// Is it of a type that is computed with, and not only moved? Floats of 64 bits need a target that has them.
pub(super) fn computed(value: Value<'_, '_>, target: &Target) -> Result<Scalar, Refusal> {
    let r#type = value.r#type();
    let (scalar, _) = lanes(r#type, target)?;
    let named = ScanElement::new(r#type).is_none_or(|element| Scalar::named(&element.scalar.to_string()).is_some());
    match scalar {
        _ if !named => Err(kernels::r#type(&r#type.to_string(), target)),
        Scalar::F64 => kernels::floats_64(target).map(|()| scalar),
        _ => Ok(scalar),
    }
}
