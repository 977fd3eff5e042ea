//! Functions over the 32 lanes of a warp, chosen while decoding and called once for each warp instruction.

/// The values of one register in the 32 lanes; a value narrower than 64 bits is zero-extended.
pub(crate) type Row = [u64; 32];

/// Lanes in a warp.
pub(crate) const LANES: usize = 32;

pub(crate) type Lanes1 = fn(&Row, &mut Row);
pub(crate) type Lanes2 = fn(&Row, &Row, &mut Row);
pub(crate) type Lanes3 = fn(&Row, &Row, &Row, &mut Row);
/// A comparison: the lanes in which it holds.
pub(crate) type Compare = fn(&Row, &Row) -> u32;
/// A function of predicates, 32 lanes in one word.
pub(crate) type Logic = fn(u32, u32) -> u32;

/// A [`Lanes1`] from an expression over one lane.
macro_rules! lanes1 {
    (|$a:ident| $e:expr) => {{
        fn apply(x: &$crate::code::Row, out: &mut $crate::code::Row) {
            for (o, &$a) in out.iter_mut().zip(x) {
                *o = $e;
            }
        }
        apply as $crate::code::Lanes1
    }};
}

/// A [`Lanes2`] from an expression over one lane.
macro_rules! lanes2 {
    (|$a:ident, $b:ident| $e:expr) => {{
        fn apply(x: &$crate::code::Row, y: &$crate::code::Row, out: &mut $crate::code::Row) {
            for i in 0..$crate::code::LANES {
                let ($a, $b) = (x[i], y[i]);
                out[i] = $e;
            }
        }
        apply as $crate::code::Lanes2
    }};
}

/// A [`Lanes3`] from an expression over one lane.
macro_rules! lanes3 {
    (|$a:ident, $b:ident, $c:ident| $e:expr) => {{
        fn apply(x: &$crate::code::Row, y: &$crate::code::Row, z: &$crate::code::Row, out: &mut $crate::code::Row) {
            for i in 0..$crate::code::LANES {
                let ($a, $b, $c) = (x[i], y[i], z[i]);
                out[i] = $e;
            }
        }
        apply as $crate::code::Lanes3
    }};
}

/// A [`Compare`] from a condition on one lane.
macro_rules! compare {
    (|$a:ident, $b:ident| $e:expr) => {{
        fn apply(x: &$crate::code::Row, y: &$crate::code::Row) -> u32 {
            let mut out = 0;
            for i in 0..$crate::code::LANES {
                let ($a, $b) = (x[i], y[i]);
                out |= u32::from($e) << i;
            }
            out
        }
        apply as $crate::code::Compare
    }};
}

pub(crate) use {compare, lanes1, lanes2, lanes3};
