//! Reductions by their definition.

use crate::convert::{NumberKind, convert};

/// The operator of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// The sum.
    Add,
    /// The smaller one of signed integers, or of floats.
    Min,
    /// The larger one of signed integers, or of floats.
    Max,
    /// The smaller one of unsigned integers.
    Umin,
    /// The larger one of unsigned integers.
    Umax,
    /// The bits that both have.
    And,
    /// The bits that one has.
    Or,
    /// The bits in which they differ.
    Xor,
    /// One more, up to the source's element, then 0.
    Inc,
    /// One less, down to 0, then the source's element; also from what is greater than this.
    Dec,
}

/// Operators for floats, for integers, and for integers of 32 bits.
const ALL: [Operator; 10] = [
    Operator::Add,
    Operator::Min,
    Operator::Max,
    Operator::Umin,
    Operator::Umax,
    Operator::And,
    Operator::Or,
    Operator::Xor,
    Operator::Inc,
    Operator::Dec,
];

impl Operator {
    /// The operators that elements of this type have.
    pub fn of(element: &str) -> &'static [Operator] {
        match element {
            "f16" | "bf16" | "f32" | "f64" => &ALL[..3],
            "i64" => &ALL[..8],
            "i32" => &ALL,
            _ => &[],
        }
    }

    /// The word in the program.
    pub fn name(self) -> &'static str {
        match self {
            Operator::Add => "add",
            Operator::Min => "min",
            Operator::Max => "max",
            Operator::Umin => "umin",
            Operator::Umax => "umax",
            Operator::And => "and",
            Operator::Or => "or",
            Operator::Xor => "xor",
            Operator::Inc => "inc",
            Operator::Dec => "dec",
        }
    }

    /// Whether several reductions have the same result in any order. Sums of floats are rounded one by one.
    pub fn has_no_order(self, kind: NumberKind) -> bool {
        !matches!(self, Operator::Inc | Operator::Dec) && (kind.is_integer() || self != Operator::Add)
    }

    /// The bits of the result for an element of the destination and one of the source; none where the result depends on
    /// the chip: NaNs, numbers that some instructions flush to zero, zeros with two signs.
    pub fn combine(self, kind: NumberKind, old: u64, new: u64) -> Option<u64> {
        if !kind.is_integer() {
            return self.of_floats(kind, old, new);
        }
        let mask = u64::MAX >> (64 - kind.bits);
        let signed = |code: u64| (code << (64 - kind.bits)) as i64;
        Some(match self {
            Operator::Add => old.wrapping_add(new) & mask,
            Operator::Min if signed(new) < signed(old) => new,
            Operator::Max if signed(new) > signed(old) => new,
            Operator::Min | Operator::Max => old,
            Operator::Umin => old.min(new),
            Operator::Umax => old.max(new),
            Operator::And => old & new,
            Operator::Or => old | new,
            Operator::Xor => old ^ new,
            Operator::Inc => {
                if old >= new {
                    0
                } else {
                    old + 1
                }
            }
            Operator::Dec => {
                if old == 0 || old > new {
                    new
                } else {
                    old - 1
                }
            }
        })
    }

    fn of_floats(self, kind: NumberKind, old: u64, new: u64) -> Option<u64> {
        let [a, b] = [old, new].map(|code| kind.float(code));
        let (a, b) = (a?, b?);
        let double = NumberKind::of("f64")?;
        let is_plain = |value: f64| value == 0.0 || kind.is_normal(value);
        if !is_plain(a) || !is_plain(b) {
            return None;
        }
        match self {
            Operator::Add => {
                let sum = (a + b).to_bits();
                let code = if kind == double { sum } else { convert(double, kind, false, sum) };
                kind.float(code).filter(|sum| is_plain(*sum)).map(|_| code)
            }
            _ if a == 0.0 && b == 0.0 && old != new => None,
            Operator::Min => Some(if b < a { new } else { old }),
            Operator::Max => Some(if b > a { new } else { old }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_have_their_definition() {
        let integer =
            |operator: Operator, old, new| operator.combine(NumberKind::of("i32").unwrap(), old, new).unwrap();
        let minus = u64::from(u32::MAX);
        assert_eq!((integer(Operator::Add, minus, 3), integer(Operator::Min, minus, 3)), (2, minus));
        assert_eq!((integer(Operator::Umin, minus, 3), integer(Operator::Max, minus, 3)), (3, 3));
        assert_eq!([2, 3, 4].map(|old| integer(Operator::Inc, old, 3)), [3, 0, 0]);
        assert_eq!([0, 3, 4].map(|old| integer(Operator::Dec, old, 3)), [3, 2, 3]);
    }

    #[test]
    fn sums_of_floats_are_rounded_once() {
        let half = NumberKind::of("f16").unwrap();
        // 2048 + 1 is halfway to 2050; 1 + 1 is 2.
        assert_eq!(Operator::Add.combine(half, 0x6800, 0x3c00), Some(0x6800));
        assert_eq!(Operator::Add.combine(half, 0x3c00, 0x3c00), Some(0x4000));
        assert_eq!(Operator::Add.combine(half, 0x7c01, 0x3c00), None, "a NaN");
        assert_eq!(Operator::Add.combine(half, 0x0001, 0x3c00), None, "a number that may be flushed");
        assert_eq!(Operator::Min.combine(half, 0x8000, 0x0000), None, "two zeros");
    }
}
