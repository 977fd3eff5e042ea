//! Layout to text.

use std::fmt;

use crate::axis::Place;
use crate::{Iter, Layout};

impl fmt::Display for Layout {
    /// The text form, see [`crate::text`]. Reading it gives the same layout.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}) : ({})", extents(&self.shard), strides(&self.shard))?;
        match &self.replica[..] {
            [] => {}
            [iter] => write!(f, " + R({} : {})", iter.extent, Place(iter.stride, iter.axis))?,
            iters => write!(f, " + R(({}) : ({}))", extents(iters), strides(iters))?,
        }
        for (&axis, &value) in &self.offset {
            write!(f, " + {}", Place(value, axis))?;
        }
        match self.swizzle {
            Some(swizzle) => write!(f, ", {swizzle}"),
            None => Ok(()),
        }
    }
}

fn extents(iters: &[Iter]) -> String {
    iters.iter().map(|iter| iter.extent.to_string()).collect::<Vec<_>>().join(", ")
}

fn strides(iters: &[Iter]) -> String {
    iters.iter().map(|iter| Place(iter.stride, iter.axis).to_string()).collect::<Vec<_>>().join(", ")
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
            "(64, 64) : (64, 1) + 528, swizzle<3, 3, 3>",
            "(8) : (-1) + R((2, 2) : (4@warpid, 8@warpid)) + 7 + 0@laneid + 3@TCol",
            "(512) : (1), swizzle<3, 3, 3, outer>",
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
            ("8:1@m,swizzle<1,2,3,inner>", "(8) : (1), swizzle<1, 2, 3>"),
            ("(8):(1)+ -1 + 3 + R(2:8) + R((2):(16))", "(8) : (1) + R((2, 2) : (8, 16)) + 2"),
            (" ( ( ) , 4 ) : ( ( ) , 1 ) ", "(4) : (1)"),
        ] {
            assert_eq!(again(text).as_deref(), Ok(plain));
        }
    }

    #[test]
    fn says_where_it_went_wrong() {
        for (text, message) in [
            ("", "at byte 0: got the end, expected an extent (an integer of 64 bits)"),
            ("(8, 4 : 1", "at byte 6: got ':', expected ',' or ')'"),
            ("(8, 4) : (1)", "at byte 11: got ')', expected ',', as the strides are nested like the extents"),
            (
                "8 : 9223372036854775808",
                "at byte 4: got '9223372036854775808', expected a stride (an integer of 64 bits)",
            ),
            ("8 : 1x", "at byte 4: got '1x', expected a stride (an integer of 64 bits)"),
            ("8 : 1, twist", "at byte 7: got 'twist', expected 'swizzle'"),
            ("8 : 1 * 2", "at byte 6: got '*', expected '+', ', swizzle<..>' once, or the end"),
            (
                "8 : 1 + 9223372036854775807 + 1",
                "at byte 30: got '1', expected an offset that adds up to 64 bits with those before",
            ),
        ] {
            assert_eq!(again(text).unwrap_err().to_string(), message);
        }
        let error = again("8 : 1@lane").unwrap_err().to_string();
        assert!(error.starts_with("at byte 6: got 'lane', expected an axis: m, bx"), "{error}");
    }
}
