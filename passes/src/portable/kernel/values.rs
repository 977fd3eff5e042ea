//! The known state of values while a kernel is read, and their types: scalars, and vectors as lanes.

use melior::ir::{Type, TypeLike, Value, ValueLike};
use tile_dialect::ops::ScanElement;
use tile_plan::problem::refusal::Refusal;
use tile_plan::target::Target;
use tile_plan::target::kernels;
use tile_portable::Scalar;

/// The number of a value.
pub(super) type Id = usize;

/// The known state of a value.
#[derive(Clone, Debug)]
pub(super) enum KnownValue {
    /// A constant 64-bit index, which becomes a 32-bit constant where run-time arithmetic uses it.
    Index(i64),
    /// Its lanes.
    Lanes(Vec<Id>),
    /// A memref.
    Memory(View),
}

/// An index: a constant or a run-time value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Term {
    Known(i64),
    Value(Id),
}

/// A memref, in elements.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// The index of its memory.
    pub memory: usize,
    /// Bits of an element.
    pub bits: u32,
    /// The start from which the offset is counted.
    pub base: Term,
    pub offset: Term,
    pub extents: Vec<Term>,
    pub strides: Vec<Term>,
}

/// The type of a run-time index.
pub(super) const INDEX: Scalar = Scalar::I32;

/// The scalar of a type and its number of lanes; floats of 8 bits are moved as integers.
pub(in crate::portable) fn lanes(r#type: Type<'_>, target: &Target) -> Result<(Scalar, usize), Refusal> {
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

/// The scalar of a value's type, and its number of lanes.
pub(super) fn scalar_type(value: Value<'_, '_>, target: &Target) -> Result<(Scalar, usize), Refusal> {
    lanes(value.r#type(), target)
}

/// The scalar of a value, if arithmetic on its type is possible, not only moves. Floats of 64 bits need a target that
/// has them.
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
