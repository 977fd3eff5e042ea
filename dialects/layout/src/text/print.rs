//! Layout to text.

use std::fmt::{self, Display, Write};

use crate::axis::OnAxis;
use crate::{Iter, Layout, OPEN};

impl Display for Layout {
    /// The text form, see [`crate::text`]. Reading it gives the same layout.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}) : ({})", Extents(&self.shard), StrideList(&self.shard))?;
        match &self.replica[..] {
            [] => {}
            iters @ [_] => write!(f, " + R({} : {})", Extents(iters), StrideList(iters))?,
            iters => write!(f, " + R(({}) : ({}))", Extents(iters), StrideList(iters))?,
        }
        for (&axis, &value) in &self.offset {
            write!(f, " + {}", OnAxis(value, axis))?;
        }
        match self.swizzle {
            Some(swizzle) => write!(f, ", {swizzle}"),
            None => Ok(()),
        }
    }
}

/// The extents of iters, separated by commas.
struct Extents<'l>(&'l [Iter]);

impl Display for Extents<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        listed(f, self.0, |f, iter| match iter.extent {
            OPEN => f.write_char('?'),
            extent => write!(f, "{extent}"),
        })
    }
}

/// The strides of iters, separated by commas. Steps of one on the axes `s0`, `s1`, …, in this order, print as `?`.
struct StrideList<'l>(&'l [Iter]);

impl Display for StrideList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let run_time = || self.0.iter().filter(|iter| iter.axis.stride_index().is_some());
        let in_turn = |(index, iter): (usize, &Iter)| iter.axis.stride_index() == Some(index) && iter.stride == 1;
        let marks = run_time().enumerate().all(in_turn);
        listed(f, self.0, |f, iter| match iter.axis.stride_index() {
            Some(_) if marks => f.write_char('?'),
            _ => OnAxis(iter.stride, iter.axis).fmt(f),
        })
    }
}

/// Writes each iter by `item`, separated by commas.
fn listed(
    f: &mut fmt::Formatter<'_>,
    iters: &[Iter],
    item: impl Fn(&mut fmt::Formatter<'_>, &Iter) -> fmt::Result,
) -> fmt::Result {
    for (position, iter) in iters.iter().enumerate() {
        if position > 0 {
            f.write_str(", ")?;
        }
        item(f, iter)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LayoutError;

    /// Reads the text and prints it again.
    fn again(text: &str) -> Result<String, LayoutError> {
        text.parse().map(|layout: Layout| layout.to_string())
    }

    #[test]
    fn prints_what_it_reads() {
        for text in [
            "(8, 2, 4, 2) : (4@laneid, 1@warpid, 1@laneid, 1) + R(2 : 4@warpid) + 5@warpid",
            "(32) : (1)",
            "() : ()",
            "(64, 64) : (64, 1) + 528, swizzle<base = 3, bits = 3, shift = 3>",
            "(8) : (-1) + R((2, 2) : (4@warpid, 8@warpid)) + 7 + 0@laneid + 3@TCol",
            "(512) : (1), swizzle<base = 3, bits = 3, shift = 3, outer>",
            "(?, ?, 64) : (?, 64, 1)",
            "(4, ?) : (1@s1, 1)",
        ] {
            assert_eq!(again(text).as_deref(), Ok(text));
        }
    }

    #[test]
    fn reads_other_spellings() {
        for (text, plain) in [
            ("((2, 2), 3) : ((24, 2), 8)", "(2, 2, 3) : (2, 24, 8)"),
            ("(((2, 3), 4), 5) : (((1, 2), 6), 24)", "(4, 3, 2, 5) : (6, 2, 1, 24)"),
            ("8 : 1", "(8) : (1)"),
            ("8:1@m,swizzle<1,2,3,inner>", "(8) : (1), swizzle<base = 1, bits = 2, shift = 3>"),
            ("(8):(1)+ -1 + R((2,2):(8,16))", "(8) : (1) + R((2, 2) : (8, 16)) + -1"),
            ("(?, 8) : (1@s0, 1)", "(?, 8) : (?, 1)"),
            ("(2, ?) : (1@s1, ?)", "(2, ?) : (1@s1, 1@s0)"),
            (" ( ( ) , 4 ) : ( ( ) , 1 ) ", "(4) : (1)"),
            ("(0x10) : (- 2) + - 0x3@laneid", "(16) : (-2) + -3@laneid"),
            ("(8) // eight (rows)\n : // ?\r\n(1)//", "(8) : (1)"),
            ("8 : 1, swizzle<1, 2, 3>", "(8) : (1), swizzle<base = 1, bits = 2, shift = 3>"),
            ("8 : 1, swizzle<1, 2, 3, outer>", "(8) : (1), swizzle<base = 1, bits = 2, shift = 3, outer>"),
            (
                "8 : 1, swizzle<outer, shift = 3, base = 1, bits = 2>",
                "(8) : (1), swizzle<base = 1, bits = 2, shift = 3, outer>",
            ),
            ("8 : 1, Sw<2, 1, 3>", "(8) : (1), swizzle<base = 1, bits = 2, shift = 3>"),
            ("8 : 1, Sw<2,1,-3>", "(8) : (1), swizzle<base = 1, bits = 2, shift = 3, outer>"),
            (
                "(8) : (1), swizzle<base = 3, bits = 3, shift = 3> + 64",
                "(8) : (1) + 64, swizzle<base = 3, bits = 3, shift = 3>",
            ),
        ] {
            assert_eq!(again(text).as_deref(), Ok(plain));
        }
    }

    #[test]
    fn says_where_it_went_wrong() {
        for (text, message) in [
            ("", "at byte 0: got the end, expected an extent (an integer of 64 bits) or '?'"),
            ("(8, 4 : 1", "at byte 6: got ':', expected ',' or ')'"),
            ("(8, 4) : (1)", "at byte 9: got 1 strides, expected 2, one for each extent"),
            (
                "(8, (4, 2)) : (1, 8, 32)",
                "at byte 14: got strides nested as (x, x, x), expected (x, (x, x)), as the extents are",
            ),
            ("(8) : (1) + 2 + 3", "at byte 16: got a second offset, 3, on axis 'm', expected one for each axis"),
            (
                "(8) : (1) + R(2 : 8) + R(2 : 16)",
                "at byte 23: got a second replica, expected one; several digits go into one, as in R((2, 2) : (4, 16))",
            ),
            (
                "(8) : (1) + ?",
                "at byte 12: got an offset '?', expected a number; run-time offsets belong in the region of a copy",
            ),
            (
                "8 : 9223372036854775808",
                "at byte 4: got '9223372036854775808', expected a stride (an integer of 64 bits) or '?'",
            ),
            (
                "8 : 0x1ffffffffffffffff",
                "at byte 4: got '0x1ffffffffffffffff', expected a stride (an integer of 64 bits) or '?'",
            ),
            ("8 : - x", "at byte 4: got '-', expected a stride (an integer of 64 bits) or '?'"),
            ("8 // : 1", "at byte 8: got the end, expected ':'"),
            (
                "8 : 1, swizzle<base = -1, bits = 3, shift = 3>",
                "at byte 22: got '-1', expected the elements that stay together, as a number of bits from 0 to 61",
            ),
            ("8 : 1, swizzle<base = 1, bits = 3>", "at byte 33: got '>', expected ', shift = …'"),
            ("8 : 1, swizzle<base = 1, base = 3>", "at byte 25: got a second 'base', expected each field once"),
            ("8 : 1, swizzle<len = 1>", "at byte 15: got 'len', expected 'base', 'bits', 'shift', 'inner' or 'outer'"),
            ("8 : 1, swizzle<bits 1>", "at byte 20: got '1', expected '='"),
            ("8 : 1, Sw<1, 1, 99999999999>", "at byte 16: got 99999999999, expected -61 to 61"),
            ("8 : 1x", "at byte 4: got '1x', expected a stride (an integer of 64 bits) or '?'"),
            ("8 : 1, twist", "at byte 7: got 'twist', expected 'swizzle' or 'Sw'"),
            ("8 : 1 * 2", "at byte 6: got '*', expected '+', ', swizzle<..>' once, or the end"),
        ] {
            assert_eq!(again(text).unwrap_err().to_string(), message);
        }
        let error = again("8 : 1@lane").unwrap_err().to_string();
        assert!(error.starts_with("at byte 6: got axis 'lane', expected one of m, bx"), "{error}");
    }
}
