//! Numbers of a map by the kernel's parameters, as texts: signed integers of 64 bits.
//!
//! ```text
//!   sum     = product { ("+" | "-") product }
//!   product = number { "*" number }
//!   number  = digits | "p" digits | "(" sum ")" | "i" digits "(" sum ")" | function "(" sum ";" sum ")"
//! ```
//! `p1` is the value of parameter 1, from 0 to 2^63 - 1; `i32(…)` has to fit 32 bits. `div` and `rem` are towards zero, `floordiv` and
//! `ceildiv` round down and up.

use thiserror::Error;

/// Why a text has no value.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NumberError {
    /// A text that is no expression.
    #[error("got `{0}`, expected numbers, parameters p0, p1, …, and what is computed of them")]
    Form(String),
    /// A parameter that there is not, or that is not a number.
    #[error("got no number for parameter {0}")]
    Parameter(usize),
    /// A number of too many bits.
    #[error("got `{text}`, which is beyond {bits} bits")]
    Range {
        /// Its text.
        text: String,
        /// The bits that it may have.
        bits: u32,
    },
    /// A division by 0.
    #[error("got `{0}`, which divides by 0")]
    Divisor(String),
}

/// A text that is read from its front, given the values of the parameters.
pub(super) struct Numbers<'t> {
    text: &'t str,
    rest: &'t str,
    parameters: &'t [Option<u64>],
}

type Function = fn(i64, i64) -> Option<i64>;

const FUNCTIONS: [(&str, Function); 6] = [
    ("div(", i64::checked_div),
    ("rem(", i64::checked_rem),
    ("floordiv(", |a, b| Some(a.checked_div(b)? - i64::from(a % b != 0 && (a < 0) != (b < 0)))),
    ("ceildiv(", |a, b| Some(a.checked_div(b)? + i64::from(a % b != 0 && (a < 0) == (b < 0)))),
    ("min(", |a, b| Some(a.min(b))),
    ("max(", |a, b| Some(a.max(b))),
];

impl<'t> Numbers<'t> {
    /// The values of expressions with an `x` between them.
    ///
    /// # Errors
    /// A text that has no value.
    pub(super) fn list(text: &'t str, parameters: &'t [Option<u64>]) -> Result<Vec<i64>, NumberError> {
        let (mut numbers, mut values) = (Numbers { text, rest: text, parameters }, Vec::new());
        while !numbers.rest.is_empty() {
            if !values.is_empty() {
                numbers.expect("x")?;
            }
            values.push(numbers.sum()?);
        }
        Ok(values)
    }

    fn sum(&mut self) -> Result<i64, NumberError> {
        let start = self.rest;
        let mut sum = self.product()?;
        loop {
            let next = if self.eat("+") {
                sum.checked_add(self.product()?)
            } else if self.eat("-") {
                sum.checked_sub(self.product()?)
            } else {
                return Ok(sum);
            };
            sum = next.ok_or_else(|| self.beyond(start, 64))?;
        }
    }

    fn product(&mut self) -> Result<i64, NumberError> {
        let start = self.rest;
        let mut product = self.number()?;
        while self.eat("*") {
            let factor = self.number()?;
            product = product.checked_mul(factor).ok_or_else(|| self.beyond(start, 64))?;
        }
        Ok(product)
    }

    fn number(&mut self) -> Result<i64, NumberError> {
        let start = self.rest;
        if self.eat("(") {
            let sum = self.sum()?;
            return self.expect(")").map(|()| sum);
        }
        if self.eat("p") {
            let number = self.digits()? as usize;
            let value = self.parameters.get(number).copied().flatten().ok_or(NumberError::Parameter(number))?;
            return i64::try_from(value).map_err(|_| self.beyond(start, 63));
        }
        if self.eat("i") {
            let bits = u32::try_from(self.digits()?).ok().filter(|bits| (1..=64).contains(bits));
            let bits = bits.ok_or_else(|| self.malformed())?;
            self.expect("(")?;
            let (number, unused) = (self.sum()?, 64 - bits);
            self.expect(")")?;
            return if number << unused >> unused == number { Ok(number) } else { Err(self.beyond(start, bits)) };
        }
        let Some((_, function)) = FUNCTIONS.into_iter().find(|(name, _)| self.eat(name)) else { return self.digits() };
        let a = self.sum()?;
        self.expect(";")?;
        let b = self.sum()?;
        self.expect(")")?;
        function(a, b).ok_or_else(|| match b {
            0 => NumberError::Divisor(self.since(start)),
            _ => self.beyond(start, 64),
        })
    }

    fn digits(&mut self) -> Result<i64, NumberError> {
        let (digits, rest) =
            self.rest.split_at(self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len()));
        self.rest = rest;
        digits.parse().map_err(|_| self.malformed())
    }

    fn eat(&mut self, token: &str) -> bool {
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, token: &str) -> Result<(), NumberError> {
        if self.eat(token) { Ok(()) } else { Err(self.malformed()) }
    }

    fn malformed(&self) -> NumberError {
        NumberError::Form(self.text.to_owned())
    }

    fn beyond(&self, start: &str, bits: u32) -> NumberError {
        NumberError::Range { text: self.since(start), bits }
    }

    /// The text from `start` to here.
    fn since(&self, start: &str) -> String {
        start[..start.len() - self.rest.len()].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Result<Vec<i64>, NumberError> {
        Numbers::list(text, &[Some(0x1000), Some(130), Some(7), None, Some(u64::MAX - 7)])
    }

    #[test]
    fn expressions_have_values() {
        assert_eq!(list("64xp1x2*p1*p2x128"), Ok(vec![64, 130, 1820, 128]));
        assert_eq!(list("ceildiv(p1;64)xfloordiv(p1;64)xdiv(p1;64)xrem(p1;64)"), Ok(vec![3, 2, 2, 2]));
        assert_eq!(list("floordiv(0-p2;2)xceildiv(0-p2;2)xdiv(0-p2;2)xrem(0-p2;2)"), Ok(vec![-4, -3, -3, -1]));
        assert_eq!(list("max(p2-8;0)xmin(p1;p2)x(p1+7-p2)*2xi16(p1+7)"), Ok(vec![0, 7, 260, 137]));
        assert_eq!(list(""), Ok(Vec::new()));
    }

    #[test]
    fn what_has_no_value_is_refused() {
        let range = |text: &str, bits| Err(NumberError::Range { text: text.to_owned(), bits });
        assert_eq!(list("3xi8(2*p1)"), range("i8(2*p1)", 8));
        assert_eq!(list("3xp4"), range("p4", 63));
        assert_eq!(list("p1+9223372036854775807-1"), range("p1+9223372036854775807", 64));
        assert_eq!(list("p1*9223372036854775807"), range("p1*9223372036854775807", 64));
        assert_eq!(list("2*rem(p1;p2-7)"), Err(NumberError::Divisor("rem(p1;p2-7)".to_owned())));
        assert_eq!([list("p3"), list("p9")], [3, 9].map(|number| Err(NumberError::Parameter(number))));
        for text in ["p", "4/2", "(p1", "div(p1)", "2x", "x2", "9223372036854775808", "i0(1)", "i65(1)", "-1", "é"] {
            assert_eq!(list(text), Err(NumberError::Form(text.to_owned())), "{text}");
        }
    }
}
