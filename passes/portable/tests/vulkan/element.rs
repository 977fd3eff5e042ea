//! Elements as numbers, and the results of operators on them.

use tile_portable::{Binary, Scalar};

/// A small whole number as bits.
pub fn encode(scalar: Scalar, value: i64) -> u64 {
    match scalar {
        Scalar::F32 => u64::from((value as f32).to_bits()),
        Scalar::F64 => (value as f64).to_bits(),
        Scalar::Bf16 => u64::from((value as f32).to_bits() >> 16),
        Scalar::F16 => half(value),
        _ => value as u64 & mask(scalar),
    }
}

fn mask(scalar: Scalar) -> u64 {
    u64::MAX >> (64 - scalar.bits())
}

/// A whole number, at most 2048 in magnitude, as an exact binary16.
fn half(value: i64) -> u64 {
    assert!(value.abs() <= 2048);
    let bits = (value as f32).to_bits();
    if value == 0 {
        return 0;
    }
    let exponent = (bits >> 23 & 0xff) + 15 - 127;
    u64::from((bits >> 16 & 0x8000) | exponent << 10 | (bits >> 13 & 0x3ff))
}

/// Numbers that stay exact: small sums, products of ones.
pub fn draw(binary: Binary, random: &mut u64) -> i64 {
    *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let number = (*random >> 33) as i64;
    match binary {
        Binary::Mul => 1 - 2 * (number & 1),
        Binary::Add => number % 3 - 1,
        _ => number % 101 - 50,
    }
}

/// The operator on whole numbers; integers wrap to their type.
pub fn combine(scalar: Scalar, binary: Binary, a: i64, b: i64) -> i64 {
    let unsigned = |value: i64| value as u64 & mask(scalar);
    let value = match binary {
        Binary::Add => a.wrapping_add(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::UMin => return if unsigned(a) < unsigned(b) { a } else { b },
        Binary::UMax => return if unsigned(a) > unsigned(b) { a } else { b },
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Sub | Binary::Div | Binary::MinNum | Binary::MaxNum => unreachable!("no scan has it"),
    };
    let shift = 64 - scalar.bits();
    if scalar.is_float() { value } else { value << shift >> shift }
}
