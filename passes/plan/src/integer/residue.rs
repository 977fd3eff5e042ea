//! The known remainder of a number, and how arithmetic propagates it.

use tile_layout::gcd;

/// `value ≡ residue (mod divisor)`; divisor 0 means that the value is `residue`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Residue {
    divisor: i64,
    residue: i64,
}

impl Residue {
    /// Nothing is known.
    pub const ANY: Residue = Residue { divisor: 1, residue: 0 };

    /// The value itself is known.
    pub fn exactly(value: i64) -> Self {
        Residue { divisor: 0, residue: value }
    }

    /// A multiple of `divisor`.
    pub fn multiple_of(divisor: i64) -> Self {
        Residue::new(divisor, 0)
    }

    /// A value congruent to `residue` modulo `divisor`; exactly `residue` for divisor 0.
    pub fn new(divisor: i64, residue: i64) -> Self {
        let divisor = divisor.saturating_abs();
        match divisor {
            0 => Residue::exactly(residue),
            i64::MAX => Residue::ANY,
            _ => Residue { divisor, residue: residue.rem_euclid(divisor) },
        }
    }

    /// The value, where it is known.
    pub fn constant(self) -> Option<i64> {
        (self.divisor == 0).then_some(self.residue)
    }

    /// Divisor (at least 1) and residue (in `0..divisor`) of a value that is not known.
    pub fn parts(self) -> (i64, i64) {
        if self.divisor == 0 { (1, 0) } else { (self.divisor, self.residue) }
    }

    /// Divisor and residue of any value; for a known value, modulo a number that all small numbers divide.
    pub fn modulo(self) -> (i64, i64) {
        /// 2^16 * 3^2 * 5 * 7
        const MANY: i64 = 20_643_840;
        self.constant().map_or_else(|| self.parts(), |constant| (MANY, constant.rem_euclid(MANY)))
    }

    /// The largest number that divides every value; 0 where the value is 0.
    pub fn factor(self) -> i64 {
        match gcd(self.divisor, self.residue) {
            // The least number has no absolute value.
            i64::MAX => 1,
            factor => factor,
        }
    }

    /// The largest power of two (up to `limit`) that provably divides the value.
    pub fn power_of_two(self, limit: i64) -> i64 {
        let common = self.factor();
        if common == 0 { limit } else { (common & common.wrapping_neg()).min(limit) }
    }

    /// What is still known of a run-time value that may have wrapped at `bits` bits: its remainder by powers of two.
    #[must_use]
    pub fn wrapped(self, bits: u32) -> Self {
        let period = if bits < 63 { 1 << bits } else { 1 << 62 };
        if self.divisor == 0 { self } else { Residue::new(gcd(self.divisor, period), self.residue) }
    }

    fn combine(self, other: Self, residue: Option<i64>) -> Self {
        residue.map_or(Residue::ANY, |residue| Residue::new(gcd(self.divisor, other.divisor), residue))
    }

    /// The residue of the sum.
    pub fn plus(self, other: Self) -> Self {
        self.combine(other, self.residue.checked_add(other.residue))
    }

    /// The residue of the difference.
    pub fn minus(self, other: Self) -> Self {
        self.combine(other, self.residue.checked_sub(other.residue))
    }

    /// The residue of the product: `(dk + r)(ej + s) = dekj + dks + ejr + rs`.
    pub fn times(self, other: Self) -> Self {
        let product = |a: i64, b: i64| a.checked_mul(b);
        let divisor = [
            product(self.divisor, other.divisor),
            product(self.divisor, other.residue),
            product(other.divisor, self.residue),
        ]
        .into_iter()
        .try_fold(0, |common, term| Some(gcd(common, term?)));
        match (divisor, product(self.residue, other.residue)) {
            (Some(divisor), Some(residue)) => Residue::new(divisor, residue),
            _ => Residue::ANY,
        }
    }

    /// The residue of a value that is one of the two.
    pub fn either(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        let distance = self.residue.checked_sub(other.residue).unwrap_or(1);
        Residue::new(gcd(gcd(self.divisor, other.divisor), distance), self.residue)
    }

    /// Of two facts about the same value, the one that says more.
    pub fn sharper(self, other: Self) -> Self {
        let period = |fact: Self| if fact.divisor == 0 { i64::MAX } else { fact.divisor };
        if period(other) > period(self) { other } else { self }
    }

    /// The residue of the quotient by a known divisor, rounded down.
    pub fn floor_div(self, by: i64) -> Self {
        if by < 1 {
            return Residue::ANY;
        }
        match self.constant() {
            Some(value) => Residue::exactly(value.div_euclid(by)),
            None if self.divisor % by == 0 => Residue::new(self.divisor / by, self.residue / by),
            None => Residue::ANY,
        }
    }

    /// The residue of the quotient, rounded in either direction: known only where the division is exact.
    pub fn exact_div(self, by: Self) -> Self {
        let Some(by) = by.constant().filter(|&by| by > 0) else { return Residue::ANY };
        let exact = self.divisor % by == 0 && self.residue % by == 0;
        if exact { self.floor_div(by) } else { Residue::ANY }
    }

    /// The residue of the remainder by a known divisor.
    pub fn remainder(self, by: i64) -> Self {
        match self.constant() {
            _ if by < 1 => Residue::ANY,
            Some(value) => Residue::exactly(value.rem_euclid(by)),
            None if self.divisor % by == 0 => Residue::exactly(self.residue % by),
            None => Residue::new(gcd(self.divisor, by), self.residue),
        }
    }

    /// The residue of `self & other`: a mask `…11000` clears low bits, and low bits known of both operands are known.
    pub fn and(self, other: Self) -> Self {
        let cleared = |mask: Self| mask.constant().map_or(0, |mask| mask.trailing_zeros().min(61));
        let clear = cleared(self).max(cleared(other));
        if clear > self.low_bits().min(other.low_bits()) {
            return Residue::multiple_of(1 << clear);
        }
        self.bitwise(other, |a, b| a & b)
    }

    /// The residue of a bitwise op: each bit of the result depends on the same bit of the operands only.
    pub fn bitwise(self, other: Self, apply: impl FnOnce(i64, i64) -> i64) -> Self {
        match (self.constant(), other.constant()) {
            (Some(a), Some(b)) => Residue::exactly(apply(a, b)),
            _ => Residue::new(1 << self.low_bits().min(other.low_bits()), apply(self.residue, other.residue)),
        }
    }

    /// The number of lowest bits that are known.
    fn low_bits(self) -> u32 {
        if self.divisor == 0 { 61 } else { self.divisor.trailing_zeros() }
    }

    /// The residue of a value that is also promised to be a multiple of `divisor`: this one where it implies the
    /// promise, else the promise.
    pub fn promised(self, divisor: i64) -> Self {
        let divisor = divisor.max(1);
        let implied = self.divisor % divisor == 0 && self.residue % divisor == 0;
        if implied { self } else { Residue::multiple_of(divisor) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(fact: Residue, v: i64) -> bool {
        fact.constant().map_or_else(|| (v - fact.residue).rem_euclid(fact.divisor) == 0, |constant| constant == v)
    }

    /// Every pair of small values that two facts allow must satisfy the fact about the result.
    fn check(fact: impl Fn(Residue, Residue) -> Residue, operation: impl Fn(i64, i64) -> i64) {
        let facts: Vec<Residue> = (0..7).flat_map(|d| (0..7).map(move |r| Residue::new(d, r))).collect();
        for &a in &facts {
            for &b in &facts {
                let result = fact(a, b);
                for x in (0..20).filter(|&x| holds(a, x)) {
                    for y in (0..20).filter(|&y| holds(b, y)) {
                        assert!(holds(result, operation(x, y)), "{a:?} {b:?} {x} {y} -> {result:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn facts_follow_the_arithmetic() {
        check(Residue::plus, |x, y| x + y);
        check(Residue::minus, |x, y| x - y);
        check(Residue::times, |x, y| x * y);
        check(Residue::and, |x, y| x & y);
        check(|a, b| a.bitwise(b, |x, y| x | y), |x, y| x | y);
        check(|a, b| a.bitwise(b, |x, y| x ^ y), |x, y| x ^ y);
        check(Residue::either, |x, y| if (x + y) % 2 == 0 { x } else { y });
        for by in 1..9 {
            check(|a, _| a.floor_div(by), |x, _| x.div_euclid(by));
            check(|a, _| a.exact_div(Residue::exactly(by)), |x, _| -(-x).div_euclid(by));
            check(|a, _| a.exact_div(Residue::exactly(by)), |x, _| x.div_euclid(by));
            check(|a, _| a.remainder(by), |x, _| x.rem_euclid(by));
        }
    }

    #[test]
    fn wrapped_values_keep_powers_of_two() {
        for bits in 1..5 {
            for (d, r) in (1..40).flat_map(|d| (0..d).map(move |r| (d, r))) {
                let fact = Residue::new(d, r).wrapped(bits);
                let period = 1 << bits;
                let wrapped = (0..200).filter(|&x| holds(Residue::new(d, r), x)).map(|x| x % period);
                wrapped.for_each(|x| assert!(holds(fact, x), "{x} of {d}, {r} at {bits} bits: {fact:?}"));
            }
        }
        assert_eq!(Residue::multiple_of(24).wrapped(32), Residue::multiple_of(8));
    }

    #[test]
    fn promises_hold_for_every_value_that_they_allow() {
        for (d, r, promise) in (0..9).flat_map(|d| (0..9).flat_map(move |r| (1..9).map(move |p| (d, r, p)))) {
            let (known, both) = (Residue::new(d, r), Residue::new(d, r).promised(promise));
            let kept = (0..200).filter(|&x| holds(known, x) && x % promise == 0);
            kept.for_each(|x| assert!(holds(both, x), "{x}: {known:?} and a multiple of {promise} gave {both:?}"));
        }
    }

    #[test]
    fn sharp_where_it_matters() {
        assert_eq!(Residue::ANY.times(Residue::exactly(8)), Residue::multiple_of(8));
        assert_eq!(Residue::multiple_of(8).plus(Residue::exactly(3)).parts(), (8, 3));
        assert_eq!(Residue::ANY.and(Residue::exactly(-8)), Residue::multiple_of(8));
        assert_eq!(Residue::multiple_of(8).and(Residue::exactly(7)).parts(), (8, 0));
        assert_eq!(Residue::multiple_of(8).bitwise(Residue::exactly(3), |a, b| a | b).parts(), (8, 3));
        assert_eq!(Residue::multiple_of(12).power_of_two(16), 4);
        assert_eq!(Residue::exactly(0).power_of_two(16), 16);
        assert_eq!(Residue::exactly(i64::MAX).times(Residue::exactly(4)), Residue::ANY);
        assert_eq!(Residue::multiple_of(32).promised(8), Residue::multiple_of(32));
    }
}
