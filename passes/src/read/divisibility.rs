//! What is known of an index value's remainders: `value ≡ residue (mod divisor)`.
//!
//! ```mlir
//!   %o = arith.muli %i, %c8        8, 0
//!   %p = arith.addi %o, %c3        8, 3
//!   %q = tile.assume %n divisible_by 16
//! ```

use melior::ir::attribute::IntegerAttribute;
use melior::ir::block::BlockArgument;
use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, Value, ValueLike};
use tile_dialect::ops::{defining_op, integer};

use super::affine;
use super::name;

/// How many definitions are looked at along one chain.
const DEPTH: u32 = 64;

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

    fn new(divisor: i64, residue: i64) -> Self {
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

    /// The largest power of two (up to `limit`) that divides the value for sure.
    pub fn power_of_two(self, limit: i64) -> i64 {
        let common = gcd(self.divisor, self.residue);
        if common == 0 { limit } else { (common & common.wrapping_neg()).min(limit) }
    }

    fn combine(self, other: Self, residue: Option<i64>) -> Self {
        residue.map_or(Residue::ANY, |residue| Residue::new(gcd(self.divisor, other.divisor), residue))
    }

    /// Of a sum.
    pub fn plus(self, other: Self) -> Self {
        self.combine(other, self.residue.checked_add(other.residue))
    }

    fn minus(self, other: Self) -> Self {
        self.combine(other, self.residue.checked_sub(other.residue))
    }

    /// Of a product: `(dk + r)(ej + s) = dekj + dks + ejr + rs`.
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

    /// Of a value that is one of the two.
    pub fn either(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        let distance = self.residue.checked_sub(other.residue).unwrap_or(1);
        Residue::new(gcd(gcd(self.divisor, other.divisor), distance), self.residue)
    }

    /// Of a quotient, rounded down, by a known divisor.
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

    /// Of a remainder by a known divisor.
    pub fn remainder(self, by: i64) -> Self {
        match self.constant() {
            _ if by < 1 => Residue::ANY,
            Some(value) => Residue::exactly(value.rem_euclid(by)),
            None if self.divisor % by == 0 => Residue::exactly(self.residue % by),
            None => Residue::new(gcd(self.divisor, by), self.residue),
        }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}

/// What the definitions of `value` say.
pub fn of(value: Value<'_, '_>) -> Residue {
    find(value, DEPTH)
}

fn find(value: Value<'_, '_>, depth: u32) -> Residue {
    if depth == 0 {
        return Residue::ANY;
    }
    match defining_op(value) {
        Some(op) => of_op(op, depth - 1),
        None => of_argument(value, depth - 1),
    }
}

fn operand(op: OperationRef<'_, '_>, index: usize, depth: u32) -> Residue {
    op.operand(index).map_or(Residue::ANY, |value| find(value, depth))
}

fn of_op(op: OperationRef<'_, '_>, depth: u32) -> Residue {
    let at = |index| operand(op, index, depth);
    match name(op).as_str() {
        "arith.constant" | "index.constant" => {
            let value = op.attribute("value").ok().and_then(|value| IntegerAttribute::try_from(value).ok());
            value.map_or(Residue::ANY, |value| Residue::exactly(value.value()))
        }
        "arith.addi" | "index.add" => at(0).plus(at(1)),
        "arith.subi" | "index.sub" => at(0).minus(at(1)),
        "arith.muli" | "index.mul" => at(0).times(at(1)),
        "arith.shli" | "index.shl" => match at(1).constant() {
            Some(bits @ 0..=61) => at(0).times(Residue::exactly(1 << bits)),
            _ => Residue::ANY,
        },
        "arith.divui" | "arith.divsi" | "arith.floordivsi" | "index.divu" | "index.floordivs" => {
            exact_quotient(at(0), at(1))
        }
        "arith.remui" | "index.remu" => at(1).constant().map_or(Residue::ANY, |by| at(0).remainder(by)),
        "arith.andi" | "index.and" => at(0).mask(at(1)).or_else(|| at(1).mask(at(0))).unwrap_or(Residue::ANY),
        "arith.select" => at(1).either(at(2)),
        "arith.minsi" | "arith.minui" | "arith.maxsi" | "arith.maxui" => at(0).either(at(1)),
        "arith.index_cast" | "arith.index_castui" | "arith.extsi" | "arith.extui" | "index.casts" | "index.castu" => {
            at(0)
        }
        "tile.assume" => integer(op, "divisor").map_or(at(0), |divisor| stronger(at(0), divisor)),
        "affine.apply" => affine::residue(op, &|index| at(index)),
        _ => Residue::ANY,
    }
}

impl Residue {
    /// Of `self & mask` for a known mask of the form `…1110…0`.
    fn mask(self, mask: Residue) -> Option<Residue> {
        let low = mask.constant()?.trailing_zeros();
        (low < 62).then(|| Residue::multiple_of(1 << low))
    }
}

/// Truncating and flooring quotients agree where nothing is left over.
fn exact_quotient(value: Residue, by: Residue) -> Residue {
    let Some(by) = by.constant().filter(|&by| by > 0) else { return Residue::ANY };
    let exact = value.divisor % by == 0 && value.residue % by == 0;
    if exact { value.floor_div(by) } else { Residue::ANY }
}

/// A promise, unless the definition already says more.
fn stronger(known: Residue, divisor: i64) -> Residue {
    let implied = known.divisor % divisor == 0 && known.residue % divisor == 0;
    if implied { known } else { Residue::multiple_of(divisor) }
}

/// The induction variable of an `scf.for` is its lower bound plus a multiple of its step.
fn of_argument(value: Value<'_, '_>, depth: u32) -> Residue {
    let Ok(argument) = BlockArgument::try_from(value) else { return Residue::ANY };
    let index = argument.argument_number();
    match argument.owner().parent_operation() {
        Some(op) if name(op) == "scf.for" && index == 0 => {
            let (lower, step) = (operand(op, 0, depth), operand(op, 2, depth));
            lower.plus(step.times(Residue::ANY))
        }
        _ => Residue::ANY,
    }
}

/// Type-independent identity of a value.
pub fn key(value: Value<'_, '_>) -> usize {
    value.to_raw().ptr as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair of small values that two facts allow must satisfy the fact about the result.
    fn check(fact: impl Fn(Residue, Residue) -> Residue, operation: impl Fn(i64, i64) -> i64) {
        let facts: Vec<Residue> = (0..7).flat_map(|d| (0..7).map(move |r| Residue::new(d, r))).collect();
        let holds = |fact: Residue, v: i64| {
            fact.constant().map_or_else(|| (v - fact.residue).rem_euclid(fact.divisor) == 0, |constant| constant == v)
        };
        for &a in &facts {
            for &b in &facts {
                let result = fact(a, b);
                for x in (0..30).filter(|&x| holds(a, x)) {
                    for y in (0..30).filter(|&y| holds(b, y)) {
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
        check(Residue::either, |x, y| if (x + y) % 2 == 0 { x } else { y });
        for by in 1..9 {
            check(|a, _| a.floor_div(by), |x, _| x.div_euclid(by));
            check(|a, _| a.remainder(by), |x, _| x.rem_euclid(by));
        }
    }

    #[test]
    fn sharp_where_it_matters() {
        assert_eq!(Residue::ANY.times(Residue::exactly(8)), Residue::multiple_of(8));
        assert_eq!(Residue::multiple_of(8).plus(Residue::exactly(3)).parts(), (8, 3));
        assert_eq!(Residue::multiple_of(12).power_of_two(16), 4);
        assert_eq!(Residue::exactly(0).power_of_two(16), 16);
        assert_eq!(Residue::exactly(i64::MAX).times(Residue::exactly(4)), Residue::ANY);
    }
}
