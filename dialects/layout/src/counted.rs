//! Numbers with their nouns, in reasons and errors.

use std::fmt;

/// A number of things: `1 element`, `2 elements`.
#[derive(Clone, Copy, Debug)]
pub struct Counted<N> {
    number: N,
    noun: &'static str,
}

/// `number` of `noun`, which is given in the singular; its plural ends in `s`.
///
/// ```
/// use tile_layout::counted;
///
/// assert_eq!(format!("{} of {}", counted(1, "thread"), counted(32, "bit")), "1 thread of 32 bits");
/// assert_eq!(counted(0usize, "element").to_string(), "0 elements");
/// ```
pub fn counted<N: fmt::Display + PartialEq + From<u8>>(number: N, noun: &'static str) -> Counted<N> {
    Counted { number, noun }
}

impl<N: fmt::Display + PartialEq + From<u8>> fmt::Display for Counted<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ending = if self.number == N::from(1) { "" } else { "s" };
        write!(f, "{} {}{ending}", self.number, self.noun)
    }
}
