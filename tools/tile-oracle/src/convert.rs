//! Conversions by their definition: the exact value, rounded to the nearest one of the other type.

use std::cmp::Ordering;

/// An element type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberKind {
    /// Its name in MLIR.
    pub name: &'static str,
    /// Its width.
    pub bits: u32,
    /// Bits of exponent and of mantissa; none for an integer.
    float: Option<(u32, u32)>,
}

/// The types that convert.
pub const KINDS: [NumberKind; 10] = [
    NumberKind { name: "f64", bits: 64, float: Some((11, 52)) },
    NumberKind { name: "f32", bits: 32, float: Some((8, 23)) },
    NumberKind { name: "f16", bits: 16, float: Some((5, 10)) },
    NumberKind { name: "bf16", bits: 16, float: Some((8, 7)) },
    NumberKind { name: "f8E4M3FN", bits: 8, float: Some((4, 3)) },
    NumberKind { name: "f8E5M2", bits: 8, float: Some((5, 2)) },
    NumberKind { name: "i64", bits: 64, float: None },
    NumberKind { name: "i32", bits: 32, float: None },
    NumberKind { name: "i16", bits: 16, float: None },
    NumberKind { name: "i8", bits: 8, float: None },
];

/// The value of an element.
#[derive(Clone, Copy, Debug)]
enum Value {
    Nan,
    /// A float, or an infinity.
    Float(f64),
    Integer(i128),
}

impl NumberKind {
    /// The type of that name.
    pub fn of(name: &str) -> Option<Self> {
        KINDS.into_iter().find(|kind| kind.name == name)
    }

    /// Whether this type converts to the other one.
    pub fn converts_to(self, other: NumberKind) -> bool {
        let wide = |kind: NumberKind| kind.is_integer() || kind.name == "f64";
        self != other && !(self.is_fp8() && wide(other) || other.is_fp8() && wide(self))
    }

    /// Whether it is an integer.
    pub fn is_integer(self) -> bool {
        self.float.is_none()
    }

    /// Whether it is a float of 8 bits.
    pub fn is_fp8(self) -> bool {
        self.bits == 8 && !self.is_integer()
    }

    /// The code itself, or, for a NaN, a similar code that is a number.
    pub fn number(self, code: u64) -> u64 {
        match self.float {
            Some((_, mantissa)) if self.is_nan(code) => code ^ 1 << mantissa,
            _ => code,
        }
    }

    fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    fn value(self, code: u64, signed: bool) -> Value {
        let Some((exponent, mantissa)) = self.float else {
            let value = i128::from(code);
            let negative = signed && code >> (self.bits - 1) == 1;
            return Value::Integer(if negative { value - (1 << self.bits) } else { value });
        };
        let sign = if code >> (self.bits - 1) == 1 { -1.0 } else { 1.0 };
        let magnitude = code & (self.mask() >> 1);
        let (field, fraction) = (magnitude >> mantissa, magnitude & ((1 << mantissa) - 1));
        if self.name == "f8E4M3FN" {
            if magnitude == 0x7f {
                return Value::Nan;
            }
        } else if field == (1 << exponent) - 1 {
            return if fraction == 0 { Value::Float(sign * f64::INFINITY) } else { Value::Nan };
        }
        if self.bits == 64 {
            return Value::Float(f64::from_bits(code));
        }
        let bias = (1i32 << (exponent - 1)) - 1;
        let whole = if field == 0 { fraction } else { fraction | 1 << mantissa };
        let power = field.max(1) as i32 - bias - mantissa as i32;
        Value::Float(sign * whole as f64 * 2f64.powi(power))
    }

    /// The number that a code of a float stands for; none for a NaN, or an integer.
    pub fn float(self, code: u64) -> Option<f64> {
        match self.value(code, false) {
            Value::Float(value) => Some(value),
            _ => None,
        }
    }

    /// Whether a number is not too small for the full precision of this type of floats.
    pub fn is_normal(self, value: f64) -> bool {
        self.float.is_some_and(|(exponent, _)| value.abs() >= 2f64.powi(2 - (1 << (exponent - 1))))
    }

    /// Whether the code is a NaN.
    pub fn is_nan(self, code: u64) -> bool {
        matches!(self.value(code, false), Value::Nan)
    }

    fn largest(self) -> u64 {
        match self.name {
            "f8E4M3FN" => 0x7e,
            "f8E5M2" => 0x7b,
            "f16" => 0x7bff,
            _ => 0x7f7f,
        }
    }

    /// The nearest code, for types of at most 16 bits: the nearer of the two adjacent values, or the even one of a tie.
    fn nearest(self, value: Value) -> u64 {
        let (negative, magnitude) = match value {
            Value::Nan => return self.mask() >> 1,
            Value::Float(value) => (value.is_sign_negative(), Value::Float(value.abs())),
            Value::Integer(value) => (value < 0, Value::Integer(value.abs())),
        };
        let sign = u64::from(negative) << (self.bits - 1);
        let number = |code| match self.value(code, false) {
            Value::Float(number) => number,
            _ => f64::INFINITY,
        };
        let most = self.largest();
        let (mut low, mut high) = (0, most + 1);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if compare(magnitude, number(middle)) == Ordering::Less {
                high = middle;
            } else {
                low = middle;
            }
        }
        // Rounding above the largest number uses the value that would follow it with a larger exponent.
        let above = if low == most { 2.0 * number(most) - number(most - 1) } else { number(low + 1) };
        let code = match compare(magnitude, (number(low) + above) / 2.0) {
            Ordering::Less => low,
            Ordering::Greater => low + 1,
            Ordering::Equal => low + (low & 1),
        };
        sign | if code > most && self.is_fp8() { most } else { code }
    }
}

/// Compares exactly, also if the integer has more bits than the float.
fn compare(value: Value, other: f64) -> Ordering {
    match value {
        Value::Integer(value) if other < 1e30 => {
            let twice = (other * 2.0).floor();
            let order = (2 * value).cmp(&(twice as i128));
            if order == Ordering::Equal && twice != other * 2.0 { Ordering::Less } else { order }
        }
        Value::Integer(_) => Ordering::Less,
        Value::Float(value) => value.partial_cmp(&other).unwrap_or(Ordering::Less),
        Value::Nan => Ordering::Less,
    }
}

/// The result of a conversion; a NaN becomes some NaN.
pub fn convert(from: NumberKind, to: NumberKind, signed: bool, code: u64) -> u64 {
    let value = from.value(code, signed);
    match (to.name, value) {
        (_, Value::Integer(value)) if to.is_integer() => value as u64 & to.mask(),
        (_, Value::Nan) if to.is_integer() => 0,
        (_, Value::Float(value)) if to.is_integer() => integer(to.bits, signed, value) as u64 & to.mask(),
        ("f64", Value::Integer(value)) => (value as f64).to_bits(),
        ("f64", Value::Float(value)) => value.to_bits(),
        ("f64", Value::Nan) => f64::NAN.to_bits(),
        ("f32", Value::Integer(value)) => (value as f32).to_bits().into(),
        ("f32", Value::Float(value)) => (value as f32).to_bits().into(),
        ("f32", Value::Nan) => f32::NAN.to_bits().into(),
        _ => to.nearest(value),
    }
}

/// Rounds towards zero, and clamps to the range of the integer.
fn integer(bits: u32, signed: bool, value: f64) -> i128 {
    let (low, high) =
        if signed { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
    (value.trunc() as i128).clamp(low, high)
}

/// Rounds an `f32` to the nearest value of `tf32`, which has 10 bits of mantissa.
pub fn tf32(code: u64) -> u64 {
    let value = f32::from_bits(code as u32);
    if !value.is_finite() {
        return if value.is_nan() { 0x7fff_e000 } else { code };
    }
    let low = code & !0x1fff;
    let number = |code: u64| f64::from(f32::from_bits(code as u32 & 0x7fff_ffff));
    let next = low + 0x2000;
    let above = if next & 0x7fff_ffff == 0x7f80_0000 { 2f64.powi(128) } else { number(next) };
    let middle = (number(low) + above) / 2.0;
    match f64::from(value.abs()).partial_cmp(&middle) {
        Some(Ordering::Less) => low,
        Some(Ordering::Equal) => low + (low & 0x2000),
        _ => next,
    }
}
