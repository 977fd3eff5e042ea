//! Numbers of elements.

use std::fmt;
use std::str::FromStr;

/// A number of elements: `1000`, `2^24` or `2^24+3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Length(pub usize);

/// The largest length: its results of 64 bits take 64 GiB.
const MOST: usize = 1 << 33;

impl FromStr for Length {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("got `{text}`, expected a number from 1 to 2^33 such as 1000, 2^24 or 2^24+3");
        let (power, more) = text.split_once('+').unwrap_or((text, "0"));
        let base = match power.split_once('^') {
            Some(("2", exponent)) => exponent.parse().ok().and_then(|exponent| 1usize.checked_shl(exponent)),
            Some(_) => None,
            None => power.parse().ok(),
        };
        let more: Option<usize> = more.parse().ok();
        let sum = base.zip(more).and_then(|(base, more)| base.checked_add(more));
        sum.filter(|n| (1..=MOST).contains(n)).map(Length).ok_or_else(wrong)
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let power = self.0.checked_ilog2().unwrap_or_default();
        match self.0 - (1usize << power).min(self.0) {
            more if power < 10 || more > 999 => write!(f, "{}", self.0),
            0 => write!(f, "2^{power}"),
            more => write!(f, "2^{power}+{more}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_read_as_they_print() {
        for (text, n) in [("1", 1), ("1000", 1000), ("2^20", 1 << 20), ("2^24+3", (1 << 24) + 3), ("100000", 100_000)] {
            assert_eq!(text.parse(), Ok(Length(n)), "{text}");
            assert_eq!(Length(n).to_string(), text);
        }
        for text in ["", "0", "-1", "3^4", "2^64", "2^34", "2^", "1+", "2^33+1", "x"] {
            assert!(text.parse::<Length>().unwrap_err().contains("expected a number from 1"), "{text}");
        }
    }
}
