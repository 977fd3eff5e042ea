//! Bits of the numbers in attributes.

use melior::ir::{Attribute, AttributeLike};
use tile_portable::{PortableElement, Scalar};

/// The bits of an integer, a float, or a vector of them, lane by lane; `None` for anything else.
pub(super) fn bits(attribute: Attribute<'_>, element: PortableElement) -> Option<Vec<u64>> {
    let raw = attribute.to_raw();
    // SAFETY: the attribute is alive; each function is called on the kind of attribute that it accepts, and element
    // indices are in range.
    unsafe {
        if mlir_sys::mlirAttributeIsADenseElements(raw) {
            let count = mlir_sys::mlirElementsAttrGetNumElements(raw);
            if count != i64::from(element.lanes) {
                return None;
            }
            let lane = |index: u64| {
                let mut place = [index];
                let value = mlir_sys::mlirElementsAttrGetValue(raw, 1, place.as_mut_ptr());
                scalar(Attribute::from_raw(value), element.scalar)
            };
            return (0..u64::from(element.lanes)).map(lane).collect();
        }
    }
    scalar(attribute, element.scalar).map(|bits| vec![bits])
}

fn scalar(attribute: Attribute<'_>, scalar: Scalar) -> Option<u64> {
    let raw = attribute.to_raw();
    // SAFETY: as above.
    unsafe {
        if mlir_sys::mlirAttributeIsAInteger(raw) {
            return Some(mlir_sys::mlirIntegerAttrGetValueInt(raw) as u64 & (u64::MAX >> (64 - scalar.bits())));
        }
        mlir_sys::mlirAttributeIsAFloat(raw).then(|| float(mlir_sys::mlirFloatAttrGetValueDouble(raw), scalar))
    }
}

/// The bits of a float, which its type holds exactly.
fn float(value: f64, scalar: Scalar) -> u64 {
    match scalar {
        Scalar::F64 => value.to_bits(),
        Scalar::F32 => u64::from((value as f32).to_bits()),
        Scalar::Bf16 => u64::from((value as f32).to_bits() >> 16),
        _ => half(value),
    }
}

/// The bits of a number that a half holds exactly.
fn half(value: f64) -> u64 {
    let sign = u64::from(value.is_sign_negative()) << 15;
    let size = value.abs();
    if size.is_nan() {
        return sign | 0x7e00;
    }
    if size.is_infinite() {
        return sign | 0x7c00;
    }
    // Below the smallest normal number, 2^-14, values are multiples of 2^-24.
    if size < 1.0 / 16384.0 {
        return sign | (size * 16_777_216.0) as u64;
    }
    let bits = size.to_bits();
    sign | ((bits >> 52) + 15 - 1023) << 10 | (bits >> 42 & 0x3ff)
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn halves() {
        let all = [0.0, -0.0, 1.0, -2.0, 65504.0, 1.0 / 16384.0, 1.0 / 16_777_216.0, f64::INFINITY, f64::NEG_INFINITY];
        assert_eq!(all.map(half), [0, 0x8000, 0x3c00, 0xc000, 0x7bff, 0x400, 1, 0x7c00, 0xfc00]);
    }
}
