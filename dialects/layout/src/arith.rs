//! Integer arithmetic that can be either evaluated or emitted.
//!
//! The address of an element is computed twice: here, to plan and to check, and in the emitted
//! program. Both run the same formula ([`Layout::locate`](crate::Layout::locate)) over an
//! [`IndexArith`]: [`Eval`] computes numbers, the compiler's implementation creates operations.

/// The greatest common divisor, not negative; 0 for two zeros. Where it would be 2^63, which does not fit, the result
/// is 1, which is also a divisor.
///
/// ```
/// assert_eq!((tile_layout::gcd(-12, 18), tile_layout::gcd(0, 5), tile_layout::gcd(i64::MIN, 0)), (6, 5, 1));
/// ```
pub fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}

/// How many multiples of a positive divisor make every value from -2^61 on non-negative, so that an unsigned division
/// can be used: `(a + steps * by) / by - steps` is `a / by`, rounded down. `steps * by` is less than 2^63.
///
/// ```
/// let (a, by) = (-5, 3);
/// let steps = tile_layout::arith::floor_steps(by);
/// assert_eq!((a + steps * by) / by - steps, -2);
/// ```
pub fn floor_steps(by: i64) -> i64 {
    // Of a divisor larger than 2^62, one is enough.
    ((1 << 62) / by.max(1)).max(1)
}

/// Index arithmetic over some kind of value. All values are signed integers of at least 32 bits.
pub trait IndexArith {
    /// A number, or a stand-in for one.
    type Value: Clone;

    /// The number itself.
    fn constant(&mut self, value: i64) -> Self::Value;
    /// `a + b`.
    fn add(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a - b`.
    fn sub(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a * b`.
    fn mul(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a / b`, rounded down. Formulas of this crate divide by positive constants only.
    fn div(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a / b`, rounded down, where `a` may be negative.
    fn floor_div(&mut self, a: Self::Value, b: i64) -> Self::Value {
        let b = self.constant(b);
        self.div(a, b)
    }
    /// `a - b * (a / b)`, not negative for positive `b`.
    fn rem(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// Bitwise exclusive or.
    fn xor(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// Bitwise and.
    fn and(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a * 2^b`.
    fn shl(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a / 2^b`, rounded down.
    fn shr(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;

    /// `a * factor`; nothing is computed for a factor of 1.
    fn scale(&mut self, a: Self::Value, factor: i64) -> Self::Value {
        if factor == 1 {
            return a;
        }
        let factor = self.constant(factor);
        self.mul(a, factor)
    }

    /// Whether a value is known to be a number. That decides how formulas are written, not what they give.
    fn is_constant(&self, _: &Self::Value) -> bool {
        false
    }

    /// The same value as a summand that is added last. What is emitted without it may be computed once for many values of it.
    fn last(&mut self, a: Self::Value) -> Self::Value {
        a
    }

    /// The sum of the terms and of `constant`, which is left out when it is 0 and there are terms.
    fn sum(&mut self, terms: Vec<Self::Value>, constant: i64) -> Self::Value {
        let total = terms.into_iter().reduce(|a, b| self.add(a, b));
        match total {
            Some(total) if constant == 0 => total,
            Some(total) => {
                let constant = self.constant(constant);
                self.add(total, constant)
            }
            None => self.constant(constant),
        }
    }
}

/// Evaluates in 64 bits, wrapping as the machine does; division by 0 gives 0.
///
/// Nothing wraps for a valid layout and a coordinate inside it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Eval;

impl IndexArith for Eval {
    type Value = i64;

    fn constant(&mut self, value: i64) -> i64 {
        value
    }

    fn is_constant(&self, _: &i64) -> bool {
        true
    }

    fn add(&mut self, a: i64, b: i64) -> i64 {
        a.wrapping_add(b)
    }

    fn sub(&mut self, a: i64, b: i64) -> i64 {
        a.wrapping_sub(b)
    }

    fn mul(&mut self, a: i64, b: i64) -> i64 {
        a.wrapping_mul(b)
    }

    fn div(&mut self, a: i64, b: i64) -> i64 {
        if b == 0 {
            return 0;
        }
        let rounded_up = self.rem(a, b) != 0 && (a < 0) != (b < 0);
        a.wrapping_div(b) - i64::from(rounded_up)
    }

    fn rem(&mut self, a: i64, b: i64) -> i64 {
        if b == 0 {
            return 0;
        }
        let rest = a.wrapping_rem(b);
        if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
    }

    fn xor(&mut self, a: i64, b: i64) -> i64 {
        a ^ b
    }

    fn and(&mut self, a: i64, b: i64) -> i64 {
        a & b
    }

    fn shl(&mut self, a: i64, b: i64) -> i64 {
        u32::try_from(b).ok().and_then(|b| a.checked_shl(b)).unwrap_or(0)
    }

    fn shr(&mut self, a: i64, b: i64) -> i64 {
        u32::try_from(b).ok().and_then(|b| a.checked_shr(b)).unwrap_or(if a < 0 { -1 } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_unsigned_division_rounds_down(a in -(1i64 << 61).., near in -3i64..3, by in 1i64.., bits in 0u32..62) {
            for by in [by, by >> bits, (1 << bits) + near, (1 << bits) - 1].into_iter().filter(|&by| by > 0) {
                let steps = floor_steps(by);
                prop_assert!(steps.checked_mul(by).is_some());
                for a in [a, a >> bits, near, near.wrapping_mul(by), near.wrapping_mul(by) + 1] {
                    if a >= -(1 << 61) {
                        let quotient = a.wrapping_add(steps * by).cast_unsigned() / by.cast_unsigned();
                        prop_assert_eq!(quotient.cast_signed().wrapping_sub(steps), Eval.div(a, by), "{} by {}", a, by);
                    }
                }
            }
        }
    }

    #[test]
    fn division_rounds_down() {
        assert_eq!([7, -7, -8, 8].map(|a| Eval.div(a, 4)), [1, -2, -2, 2]);
        assert_eq!([7, -7, -8, 8].map(|a| Eval.rem(a, 4)), [3, 1, 0, 0]);
        assert_eq!((Eval.div(7, -4), Eval.rem(7, -4)), (-2, -1));
    }

    #[test]
    fn extremes_have_a_value() {
        let ends = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];
        for a in ends {
            for b in ends {
                let (quotient, rest) = (Eval.div(a, b), Eval.rem(a, b));
                if b != 0 {
                    assert_eq!(quotient.wrapping_mul(b).wrapping_add(rest), a);
                }
                let _ = (Eval.add(a, b), Eval.sub(a, b), Eval.mul(a, b), Eval.shl(a, b), Eval.shr(a, b));
            }
        }
        assert_eq!((Eval.shr(-5, 100), Eval.shr(5, 64), Eval.shl(1, 64)), (-1, 0, 0));
    }
}
