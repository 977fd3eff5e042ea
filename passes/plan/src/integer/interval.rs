//! Ranges of integers, and how arithmetic propagates them.

use super::{Computation, Operation};

/// Least and largest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least.
    pub least: i128,
    /// The largest.
    pub most: i128,
}

impl Interval {
    /// All numbers of 64 bits.
    pub const ALL: Interval = Interval::new(i64::MIN as i128, i64::MAX as i128);

    /// From the least to the largest.
    pub const fn new(least: i128, most: i128) -> Self {
        Interval { least, most }
    }

    /// One number.
    pub fn at(value: i64) -> Self {
        Interval::new(value.into(), value.into())
    }

    /// The range of an integer type of `bits` bits: signed, except for a single bit.
    pub fn of_bits(bits: u32) -> Self {
        match bits {
            0 => Interval::at(0),
            1 => Interval::new(0, 1),
            2..64 => Interval::new(-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            _ => Interval::ALL,
        }
    }

    /// The number, where the interval has only one.
    pub fn constant(self) -> Option<i128> {
        (self.least == self.most).then_some(self.least)
    }

    /// Whether the interval has no number.
    pub fn is_empty(self) -> bool {
        self.least > self.most
    }

    /// Whether this interval contains all numbers of the other.
    pub fn contains(self, other: Interval) -> bool {
        self.least <= other.least && other.most <= self.most
    }

    /// The intersection of both.
    #[must_use]
    pub fn and(self, other: Interval) -> Self {
        Interval::new(self.least.max(other.least), self.most.min(other.most))
    }

    /// The smallest interval that contains both.
    #[must_use]
    pub fn or(self, other: Interval) -> Self {
        Interval::new(self.least.min(other.least), self.most.max(other.most))
    }

    /// The smallest interval that contains the results of a function at the ends of both.
    fn corners(self, other: Interval, apply: impl Fn(i128, i128) -> i128) -> Self {
        let all =
            [(self.least, other.least), (self.least, other.most), (self.most, other.least), (self.most, other.most)];
        let values = all.map(|(a, b)| apply(a, b));
        Interval::new(values.into_iter().fold(values[0], i128::min), values.into_iter().fold(values[0], i128::max))
    }
}

impl Computation {
    /// An interval that contains all results for operands in those ranges; `None` where the type may be too narrow for
    /// the result, or nothing is known about it.
    ///
    /// ```
    /// use tile_plan::integer::{Computation, Interval, Operation};
    /// let product = Computation::wide(Operation::Mul);
    /// let (block, sixteen) = (Interval::new(0, 5), Interval::at(16));
    /// assert_eq!(product.interval(&[block, sixteen]), Some(Interval::new(0, 80)));
    /// assert_eq!(product.interval(&[Interval::ALL, sixteen]), None);
    /// ```
    pub fn interval(&self, operands: &[Interval]) -> Option<Interval> {
        if operands.iter().any(|operand| operand.is_empty()) || operands.len() != self.operand_bits.len() {
            return None;
        }
        let exact = self.exact_interval(operands)?;
        Interval::of_bits(self.result_bits).contains(exact).then_some(exact)
    }

    fn exact_interval(&self, operands: &[Interval]) -> Option<Interval> {
        let a = *operands.first()?;
        let b = operands.get(1).copied().unwrap_or(a);
        // A single bit is 0 or 1 here, but 0 or -1 to a signed op.
        let narrow = self.operand_bits.contains(&1);
        let natural = a.least >= 0 && b.least >= 0;
        Some(match self.operation {
            Operation::Compare(_) => Interval::new(0, 1),
            Operation::Select => b.or(*operands.get(2)?),
            Operation::Unsigned if a.least >= 0 => a,
            Operation::Unsigned => unsigned(a, *self.operand_bits.first()?)?,
            _ if narrow => return None,
            Operation::Signed => a,
            Operation::Add => Interval::new(a.least + b.least, a.most + b.most),
            Operation::Sub => Interval::new(a.least - b.most, a.most - b.least),
            Operation::Mul => a.corners(b, |a, b| a * b),
            Operation::ShiftLeft => {
                let bits = b.constant().filter(|bits| (0..62).contains(bits))?;
                Interval::new(a.least << bits, a.most << bits)
            }
            Operation::ShiftRightSigned => shifted(a, b)?,
            Operation::ShiftRight if natural => shifted(a, b)?,
            Operation::DivFloor if b.least > 0 => a.corners(b, i128::div_euclid),
            Operation::DivSigned if b.least > 0 => a.corners(b, |a, b| a / b),
            Operation::DivUnsigned if natural && b.least > 0 => a.corners(b, |a, b| a / b),
            Operation::DivCeil if b.least > 0 => a.corners(b, |a, b| -(-a).div_euclid(b)),
            Operation::DivCeilUnsigned if natural && b.least > 0 => a.corners(b, |a, b| -(-a).div_euclid(b)),
            Operation::RemUnsigned if b.least > 0 => {
                let most = if a.least >= 0 { a.most.min(b.most - 1) } else { b.most - 1 };
                Interval::new(0, most)
            }
            Operation::RemSigned if b.least > 0 => {
                Interval::new((1 - b.most).max(a.least.min(0)), (b.most - 1).min(a.most.max(0)))
            }
            Operation::And if natural => Interval::new(0, a.most.min(b.most)),
            Operation::And if b.least >= 0 => Interval::new(0, b.most),
            Operation::And if a.least >= 0 => Interval::new(0, a.most),
            Operation::Or | Operation::Xor if natural => {
                let bits = 128 - (a.most | b.most).leading_zeros();
                let least = if self.operation == Operation::Or { a.least.max(b.least) } else { 0 };
                Interval::new(least, (1 << bits) - 1)
            }
            Operation::MinSigned => Interval::new(a.least.min(b.least), a.most.min(b.most)),
            Operation::MaxSigned => Interval::new(a.least.max(b.least), a.most.max(b.most)),
            Operation::MinUnsigned if natural => Interval::new(a.least.min(b.least), a.most.min(b.most)),
            Operation::MinUnsigned if b.least >= 0 => Interval::new(0, b.most),
            Operation::MinUnsigned if a.least >= 0 => Interval::new(0, a.most),
            Operation::MaxUnsigned if natural => Interval::new(a.least.max(b.least), a.most.max(b.most)),
            _ => return None,
        })
    }
}

/// The range of numbers of `bits` bits, some of them negative, read without a sign.
fn unsigned(a: Interval, bits: u32) -> Option<Interval> {
    let numbers = 1i128 << Some(bits).filter(|&bits| bits < 64)?;
    let negative = Interval::new(a.least + numbers, a.most + numbers);
    Some(if a.most < 0 { negative } else { Interval::new(0, numbers - 1) })
}

fn shifted(a: Interval, bits: Interval) -> Option<Interval> {
    let bits = bits.constant().filter(|bits| (0..64).contains(bits))?;
    Some(Interval::new(a.least >> bits, a.most >> bits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integer::Predicate;

    const ALL: [Operation; 25] = [
        Operation::Add,
        Operation::Sub,
        Operation::Mul,
        Operation::DivSigned,
        Operation::DivFloor,
        Operation::DivCeil,
        Operation::RemSigned,
        Operation::DivUnsigned,
        Operation::DivCeilUnsigned,
        Operation::RemUnsigned,
        Operation::And,
        Operation::Or,
        Operation::Xor,
        Operation::ShiftLeft,
        Operation::ShiftRight,
        Operation::ShiftRightSigned,
        Operation::MinSigned,
        Operation::MaxSigned,
        Operation::MinUnsigned,
        Operation::MaxUnsigned,
        Operation::Compare(Predicate::Slt),
        Operation::Select,
        Operation::Unsigned,
        Operation::Signed,
        Operation::Compare(Predicate::Ult),
    ];

    #[test]
    fn a_negative_number_without_its_sign_is_large() {
        let cast = |bits, least, most| {
            Computation::new(Operation::Unsigned, vec![bits], 64).interval(&[Interval::new(least, most)])
        };
        assert_eq!(cast(32, -5, 7), Some(Interval::new(0, (1 << 32) - 1)));
        assert_eq!(cast(32, -5, -1), Some(Interval::new((1 << 32) - 5, (1 << 32) - 1)));
        assert_eq!(cast(32, 3, 7), Some(Interval::new(3, 7)));
        assert_eq!(cast(64, -5, 7), None);
    }

    /// Where an interval is returned, it contains the result for all values of the operands.
    #[test]
    fn results_are_inside() {
        let ends = [-8i64, -5, -1, 0, 1, 3, 7];
        let intervals: Vec<(i64, i64)> =
            ends.iter().flat_map(|&a| ends.iter().filter(move |&&b| a <= b).map(move |&b| (a, b))).collect();
        for operation in ALL {
            let mut known = 0;
            for (&(a, b), &(c, d)) in intervals.iter().flat_map(|x| intervals.iter().map(move |y| (x, y))) {
                let select = operation == Operation::Select;
                let casts = matches!(operation, Operation::Unsigned | Operation::Signed);
                let count = if select { 3 } else { 2 - usize::from(casts) };
                let mut computation = Computation::new(operation, vec![4; count], 4);
                if let Operation::Compare(_) = operation {
                    computation.result_bits = 1;
                }
                let range = |a: i64, b: i64| Interval::new(a.into(), b.into());
                let mut operands = vec![range(a, b), range(c, d), range(0, 0)];
                operands.truncate(count);
                if select {
                    computation.operand_bits[0] = 1;
                    operands = vec![range(0, 1), range(a, b), range(c, d)];
                }
                let Some(found) = computation.interval(&operands) else { continue };
                known += 1;
                for (x, y) in (a..=b).flat_map(|x| (c..=d).map(move |y| (x, y))) {
                    let sets = if select { vec![vec![0, x, y], vec![1, x, y]] } else { vec![vec![x, y]] };
                    for set in sets {
                        let Some(value) = computation.at(&set) else { continue };
                        assert!(found.contains(Interval::at(value)), "{operation:?} {set:?} {value} {found:?}");
                    }
                }
            }
            assert!(known > 0, "{operation:?} has no range at all");
        }
    }
}
