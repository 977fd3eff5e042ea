//! Element types, with the names that arguments use.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::float::Format;

/// The type of a scalar or of a buffer's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element {
    /// Its MLIR name, with `u` for unsigned integers.
    pub name: &'static str,
    /// Bytes of one element.
    pub bytes: usize,
    /// The meaning of its bits.
    pub kind: ElementKind,
}

/// The meaning of an element's bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementKind {
    /// A two's complement integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// A bit, as a byte that is 0 or 1.
    Bit,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// Any narrower floating-point format.
    Small(Format),
}

const ALL: [Element; 16] = [
    Element { name: "i1", bytes: 1, kind: ElementKind::Bit },
    Element { name: "i8", bytes: 1, kind: ElementKind::Signed },
    Element { name: "u8", bytes: 1, kind: ElementKind::Unsigned },
    Element { name: "i16", bytes: 2, kind: ElementKind::Signed },
    Element { name: "u16", bytes: 2, kind: ElementKind::Unsigned },
    Element { name: "i32", bytes: 4, kind: ElementKind::Signed },
    Element { name: "u32", bytes: 4, kind: ElementKind::Unsigned },
    Element { name: "i64", bytes: 8, kind: ElementKind::Signed },
    Element { name: "u64", bytes: 8, kind: ElementKind::Unsigned },
    Element { name: "index", bytes: 8, kind: ElementKind::Signed },
    Element { name: "f16", bytes: 2, kind: ElementKind::Small(Format::F16) },
    Element { name: "bf16", bytes: 2, kind: ElementKind::Small(Format::BF16) },
    Element { name: "f32", bytes: 4, kind: ElementKind::F32 },
    Element { name: "f64", bytes: 8, kind: ElementKind::F64 },
    Element { name: "f8E4M3FN", bytes: 1, kind: ElementKind::Small(Format::F8E4M3FN) },
    Element { name: "f8E5M2", bytes: 1, kind: ElementKind::Small(Format::F8E5M2) },
];

/// A text that is not the name of an element type.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("got element type `{0}`, expected one of {names}", names = ALL.map(|e| e.name).join(", "))]
pub struct UnknownElement(String);

impl FromStr for Element {
    type Err = UnknownElement;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        ALL.into_iter().find(|e| e.name == name).ok_or_else(|| UnknownElement(name.into()))
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Element {
    /// Whether it is an integer, signed or not.
    pub fn is_integer(self) -> bool {
        matches!(self.kind, ElementKind::Signed | ElementKind::Unsigned | ElementKind::Bit)
    }

    /// The bits of the element at the start of `bytes`, which holds at least one.
    pub fn bits(self, bytes: &[u8]) -> u64 {
        let mut word = [0; 8];
        word[..self.bytes].copy_from_slice(&bytes[..self.bytes]);
        u64::from_le_bytes(word)
    }

    /// The mask of all bits of an element.
    pub fn mask(self) -> u64 {
        if self.kind == ElementKind::Bit { 1 } else { u64::MAX >> (64 - 8 * self.bytes) }
    }

    /// Whether the bits are a finite number; integers always are.
    pub fn is_finite(self, bits: u64) -> bool {
        match self.kind {
            ElementKind::Signed | ElementKind::Unsigned | ElementKind::Bit => true,
            ElementKind::F32 => f32::from_bits(bits as u32).is_finite(),
            ElementKind::F64 => f64::from_bits(bits).is_finite(),
            ElementKind::Small(format) => format.is_finite(bits),
        }
    }

    /// The bits of the whole number `count`. Integers wrap; floats restart at 0 where they can no longer count exactly.
    pub fn count(self, count: u64) -> u64 {
        match self.kind {
            ElementKind::Signed | ElementKind::Unsigned | ElementKind::Bit => count & self.mask(),
            ElementKind::F32 => u64::from(((count % (1 << 24)) as f32).to_bits()),
            ElementKind::F64 => ((count % (1 << 53)) as f64).to_bits(),
            ElementKind::Small(format) => format.encode((count % format.exact_counts()) as f64).unwrap_or(0),
        }
    }

    /// The number that the bits represent, as the nearest double: integers beyond 2^53 are rounded.
    pub fn number(self, bits: u64) -> f64 {
        match self.kind {
            ElementKind::Unsigned | ElementKind::Bit => bits as f64,
            ElementKind::Signed => self.signed(bits) as f64,
            ElementKind::F32 => f64::from(f32::from_bits(bits as u32)),
            ElementKind::F64 => f64::from_bits(bits),
            ElementKind::Small(format) => format.decode(bits),
        }
    }

    /// The bits of the type's number nearest to a finite number, ties to even; saturates at the type's range.
    pub fn nearest(self, number: f64) -> u64 {
        let half = (self.mask() / 2) as i64;
        match self.kind {
            ElementKind::Signed => (number.round_ties_even() as i64).clamp(-half - 1, half) as u64 & self.mask(),
            ElementKind::Unsigned | ElementKind::Bit => (number.round_ties_even() as u64).min(self.mask()),
            ElementKind::F32 => u64::from((number as f32).clamp(f32::MIN, f32::MAX).to_bits()),
            ElementKind::F64 => number.to_bits(),
            ElementKind::Small(format) => format.saturate(number),
        }
    }

    /// The smallest and the largest finite number, as the nearest doubles.
    pub fn range(self) -> (f64, f64) {
        let largest = self.number(self.nearest(f64::MAX));
        (self.number(self.nearest(f64::MIN)), largest)
    }

    /// The integer that the bits represent, with its sign.
    pub fn integer(self, bits: u64) -> i128 {
        if self.kind == ElementKind::Signed { self.signed(bits).into() } else { bits.into() }
    }

    fn signed(self, bits: u64) -> i64 {
        let unused = 64 - 8 * self.bytes;
        (bits << unused) as i64 >> unused
    }

    /// The bits of a number in decimal notation, for integers also `0x…`; `None` if it is not a number of this type.
    pub fn parse(self, text: &str) -> Option<u64> {
        match self.kind {
            ElementKind::Signed | ElementKind::Unsigned | ElementKind::Bit => self.parse_integer(text),
            ElementKind::F32 => text.parse::<f32>().ok().map(|v| u64::from(v.to_bits())),
            ElementKind::F64 => text.parse::<f64>().ok().map(f64::to_bits),
            ElementKind::Small(format) => text.parse::<f64>().ok().and_then(|v| format.encode(v)),
        }
    }

    fn parse_integer(self, text: &str) -> Option<u64> {
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let magnitude = match digits.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => digits.parse::<u64>(),
        };
        let value = i128::from(magnitude.ok()?) * if negative { -1 } else { 1 };
        let (top, half) = (i128::from(self.mask()), i128::from(self.mask() / 2));
        let range = if self.kind == ElementKind::Signed { -half - 1..=half } else { 0..=top };
        range.contains(&value).then_some(value as u64 & self.mask())
    }

    /// The number that the bits represent, as text: `-3`, `1.5`, `NaN`.
    pub fn show(self, bits: u64) -> String {
        match self.kind {
            ElementKind::Unsigned | ElementKind::Bit => bits.to_string(),
            ElementKind::Signed => self.signed(bits).to_string(),
            ElementKind::F32 => format!("{:?}", f32::from_bits(bits as u32)),
            ElementKind::F64 => format!("{:?}", f64::from_bits(bits)),
            ElementKind::Small(format) => format!("{:?}", format.decode(bits)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(name: &str) -> Element {
        name.parse().unwrap()
    }

    #[test]
    fn names_round_trip() {
        for e in ALL {
            assert_eq!(element(e.name), e);
        }
        let error = "f31".parse::<Element>().unwrap_err().to_string();
        assert!(error.starts_with("got element type `f31`, expected one of i1, i8, u8"), "{error}");
    }

    #[test]
    fn numbers_parse_within_their_range() {
        assert_eq!(element("i8").parse("-128"), Some(0x80));
        assert_eq!(element("i8").parse("128"), None);
        assert_eq!(["0", "1", "2", "-1"].map(|text| element("i1").parse(text)), [Some(0), Some(1), None, None]);
        assert_eq!(element("u8").parse("0xff"), Some(255));
        assert_eq!(element("u8").parse("-1"), None);
        assert_eq!(element("u64").parse("18446744073709551615"), Some(u64::MAX));
        assert_eq!(element("i64").parse("-9223372036854775808"), Some(1 << 63));
        assert_eq!(element("f32").parse("1.5"), Some(0x3fc0_0000));
        assert_eq!(element("f8E4M3FN").parse("500"), None);
        assert_eq!(element("f16").parse("one"), None);
    }

    #[test]
    fn the_nearest_number_stays_within_the_type() {
        let near = |name: &str, number: f64| element(name).number(element(name).nearest(number));
        assert_eq!(("i8", near("i8", -300.0)), ("i8", -128.0));
        assert_eq!((near("u16", -1.0), near("u16", 1e9)), (0.0, 65535.0));
        assert_eq!((near("i32", 2.5), near("i32", -3.5)), (2.0, -4.0));
        assert_eq!((near("f16", 1e9), near("f16", -1e9)), (65504.0, -65504.0));
        assert_eq!((near("f8E4M3FN", 500.0), near("f32", 1e300)), (448.0, f64::from(f32::MAX)));
        assert_eq!(near("bf16", 1.0 + 2f64.powi(-8)), 1.0);
        assert_eq!(element("i16").range(), (-32768.0, 32767.0));
        assert_eq!(element("i64").integer(u64::MAX), -1);
    }

    #[test]
    fn counts_are_shown_as_themselves() {
        for e in ALL {
            for count in 0..=7.min(e.mask()) {
                let shown = e.show(e.count(count));
                assert_eq!(shown.trim_end_matches(".0"), count.to_string(), "{e}");
            }
        }
        assert_eq!(element("i8").show(element("i8").count(255)), "-1");
        assert_eq!(element("f8E5M2").show(element("f8E5M2").count(8)), "0.0");
        assert_eq!(element("f16").show(element("f16").count(2047)), "2047.0");
    }
}
