//! The bits of a result that depend on undefined bits of the arguments.

use super::super::poison::any;
use crate::code::{LANES, Logic, Row, Spread};

/// All bits of the lanes of a mask.
pub(super) fn whole(mask: u32) -> Row {
    std::array::from_fn(|i| if mask >> i & 1 == 1 { u64::MAX } else { 0 })
}

/// All bits from the lowest set one upwards.
pub(super) fn up(bits: u64) -> u64 {
    if bits == 0 { 0 } else { u64::MAX << bits.trailing_zeros() }
}

/// All bits of every part of `bits` bits that has any bit set.
pub(super) fn parts(value: u64, bits: u32) -> u64 {
    let part = u64::MAX >> (64 - bits.clamp(1, 64));
    (0..64 / bits.clamp(1, 64)).map(|n| part << (n * bits)).filter(|p| value & p != 0).fold(0, |m, p| m | p)
}

/// The result bits of a function of three arguments that depend on undefined bits, if each bit of the result depends on
/// one bit of each argument.
pub(super) fn vary(values: [Row; 3], undefined: [Row; 3], f: impl Fn(&[Row; 3]) -> Row) -> Row {
    let mut first = None;
    let mut out = [0; LANES];
    let moves = undefined.map(|row| any(&row) != 0);
    for combination in (0..8u32).filter(|c| (0..3).all(|i| moves[i] || c >> i & 1 == 0)) {
        let pick = |i: usize, lane: usize| {
            let fixed = values[i][lane] & !undefined[i][lane];
            if combination >> i & 1 == 1 { fixed | undefined[i][lane] } else { fixed }
        };
        let arguments = std::array::from_fn(|i| std::array::from_fn(|lane| pick(i, lane)));
        let result = f(&arguments);
        let first = *first.get_or_insert(result);
        (0..LANES).for_each(|lane| out[lane] |= first[lane] ^ result[lane]);
    }
    out
}

/// The lanes in which a function of two predicates depends on undefined values.
pub(super) fn vary_logic(f: Logic, a: (u32, u32), b: (u32, u32)) -> u32 {
    let at = |x: u32, y: u32| f(a.0 & !a.1 | x & a.1, b.0 & !b.1 | y & b.1);
    let first = at(0, 0);
    [at(0, u32::MAX), at(u32::MAX, 0), at(u32::MAX, u32::MAX)].iter().fold(0, |m, v| m | first ^ v)
}

pub(super) fn spread_whole(spread: Spread, bits: u64) -> u64 {
    match spread {
        _ if bits == 0 => 0,
        Spread::Up => up(bits),
        Spread::Low(n) if bits & u64::MAX >> (64 - n.clamp(1, 64)) == 0 => 0,
        Spread::Parts(n) => parts(bits, n),
        _ => u64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(value: u64) -> Row {
        [value; LANES]
    }

    #[test]
    fn each_bit_depends_on_its_own() {
        let f = |f: fn(u64, u64) -> u64, a, b, x, y| {
            let both = |v: &[Row; 3]| -> Row { std::array::from_fn(|i| f(v[0][i], v[1][i])) };
            vary([row(a), row(b), row(0)], [row(x), row(y), row(0)], both)[0]
        };
        assert_eq!(f(|a, b| a & b, 0, 0x0f, 0xff, 0), 0x0f);
        assert_eq!(f(|a, b| a | b, 0, 0x0f, 0xff, 0), 0xf0);
        assert_eq!(f(|a, b| a ^ b, 0, 0, 0xf0, 0x3c), 0xfc);
        assert_eq!(f(|a, b| a >> b, 0, 8, 0xff00, 0), 0xff);
    }

    #[test]
    fn sums_and_parts() {
        assert_eq!((up(0), up(0x10), up(1)), (0, !0xf, u64::MAX));
        assert_eq!(parts(0x0001_0000, 16), 0xffff_0000);
        assert_eq!(parts(1 << 63, 64), u64::MAX);
    }

    #[test]
    fn one_side_may_decide() {
        let and = |a: u32, b: u32| a & b;
        // Lane 0: false and unknown; lane 1: true and unknown.
        assert_eq!(vary_logic(and, (0b10, 0), (0, 0b11)), 0b10);
    }
}
