//! What kernels print: the formats of `printf` (C, 7.23.6.1), and the order of the lines of a launch.

/// The most bytes of text that a launch keeps.
const MAX_TEXT: usize = 16 << 20;

/// The text that threads have printed and nobody has taken yet.
#[derive(Debug, Default)]
pub(crate) struct Printed {
    /// The number of the launch.
    launch: u32,
    /// Numbers of the launch, of the block, of the thread in it, and the text of one call.
    calls: Vec<(u32, u32, u32, String)>,
    bytes: usize,
    dropped: usize,
}

impl Printed {
    /// A new launch begins.
    pub(crate) fn launch(&mut self) {
        self.launch = self.launch.wrapping_add(1);
    }

    /// The launch begins again from its start.
    pub(crate) fn restart(&mut self) {
        self.calls.retain(|call| call.0 != self.launch);
        self.bytes = self.calls.iter().map(|call| call.3.len()).sum();
    }

    pub(crate) fn add(&mut self, block: u32, thread: u32, text: String) {
        if self.bytes + text.len() > MAX_TEXT {
            self.dropped += 1;
            return;
        }
        self.bytes += text.len();
        self.calls.push((self.launch, block, thread, text));
    }

    /// The text in the order of blocks and threads, and of each thread in the order of its calls: the same under every
    /// schedule.
    pub(crate) fn take(&mut self) -> String {
        let (mut calls, dropped) = (std::mem::take(&mut self.calls), std::mem::take(&mut self.dropped));
        self.bytes = 0;
        calls.sort_by_key(|&(launch, block, thread, _)| (launch, block, thread));
        let mut text: String = calls.into_iter().map(|(.., text)| text).collect();
        if dropped > 0 {
            text.push_str(&format!("[the text of {dropped} further calls was dropped]\n"));
        }
        text
    }
}

/// One conversion: `%[flags][width][.precision][length]letter`.
#[derive(Debug, Default)]
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zeros: bool,
    width: usize,
    precision: Option<usize>,
    long: bool,
    letter: char,
}

/// The most characters of one number: larger widths are cut.
const MAX_WIDTH: usize = 4096;

/// The text of a format. `next` gives the value of the next argument, which has 4 or 8 bytes; `text` reads the text at an
/// address.
pub(crate) fn printed<E>(
    format: &str,
    mut next: impl FnMut(u64) -> Result<u64, E>,
    text: impl Fn(u64) -> String,
) -> Result<String, E> {
    let mut out = String::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some((conversion, after)) = parse(rest, &mut next)? else {
            out.push('%');
            continue;
        };
        rest = after;
        out.push_str(&conversion.text(&mut next, &text)?);
    }
    out.push_str(rest);
    Ok(out)
}

/// The conversion at the start of a text, and what follows it; none if it is not one.
fn parse<'a, E>(
    text: &'a str,
    next: &mut impl FnMut(u64) -> Result<u64, E>,
) -> Result<Option<(Conversion, &'a str)>, E> {
    let mut conversion = Conversion::default();
    let flags = text.len() - text.trim_start_matches(['-', '+', ' ', '#', '0']).len();
    let has = |flag: char| text[..flags].contains(flag);
    (conversion.left, conversion.plus, conversion.space) = (has('-'), has('+'), has(' '));
    (conversion.alternate, conversion.zeros) = (has('#'), has('0'));
    let mut rest = &text[flags..];
    conversion.width = number(&mut rest, next)?.unwrap_or(0);
    if let Some(after) = rest.strip_prefix('.') {
        rest = after;
        conversion.precision = Some(number(&mut rest, next)?.unwrap_or(0));
    }
    let letters = rest.trim_start_matches(['h', 'l', 'L', 'q', 'j', 'z', 't']);
    conversion.long = rest[..rest.len() - letters.len()].contains(['l', 'q', 'j', 'z', 't']);
    let mut characters = letters.chars();
    conversion.letter = characters.next().unwrap_or_default();
    Ok("diouxXcspeEfFgGaA%".contains(conversion.letter).then_some((conversion, characters.as_str())))
}

/// A width or a precision, which may be an argument.
fn number<E>(rest: &mut &str, next: &mut impl FnMut(u64) -> Result<u64, E>) -> Result<Option<usize>, E> {
    if let Some(after) = rest.strip_prefix('*') {
        *rest = after;
        return Ok(Some(usize::try_from(next(4)? as u32 as i32).unwrap_or(0).min(MAX_WIDTH)));
    }
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let width = rest[..digits].parse::<usize>().ok();
    *rest = &rest[digits..];
    Ok(width.map(|number| number.min(MAX_WIDTH)))
}

impl Conversion {
    fn text<E>(&self, next: &mut impl FnMut(u64) -> Result<u64, E>, text: impl Fn(u64) -> String) -> Result<String, E> {
        let bytes = if self.long { 8 } else { 4 };
        Ok(match self.letter {
            '%' => "%".into(),
            'c' => self.padded("", (next(4)? as u8 as char).to_string(), false),
            's' => {
                let text = text(next(8)?);
                self.padded("", text.chars().take(self.precision.unwrap_or(usize::MAX)).collect(), false)
            }
            'p' => self.padded("0x", format!("{:x}", next(8)?), false),
            'd' | 'i' => {
                let bits = next(bytes)?;
                let value = if self.long { bits as i64 } else { i64::from(bits as u32 as i32) };
                self.integer(self.sign(value < 0), value.unsigned_abs().to_string())
            }
            'u' => self.integer("", next(bytes)?.to_string()),
            'o' => self.integer(if self.alternate { "0" } else { "" }, format!("{:o}", next(bytes)?)),
            'x' => self.integer(if self.alternate { "0x" } else { "" }, format!("{:x}", next(bytes)?)),
            'X' => self.integer(if self.alternate { "0X" } else { "" }, format!("{:X}", next(bytes)?)),
            _ => self.float(f64::from_bits(next(8)?)),
        })
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    fn integer(&self, prefix: &str, digits: String) -> String {
        let least = self.precision.unwrap_or(1);
        let digits = if least == 0 && digits == "0" { String::new() } else { digits };
        let zeros = "0".repeat(least.saturating_sub(digits.len()));
        self.padded(prefix, zeros + &digits, self.zeros && self.precision.is_none())
    }

    fn float(&self, value: f64) -> String {
        let prefix = self.sign(value.is_sign_negative());
        let magnitude = value.abs();
        let digits = match self.letter.to_ascii_lowercase() {
            _ if value.is_nan() => "nan".into(),
            _ if value.is_infinite() => "inf".into(),
            'f' => format!("{magnitude:.*}", self.precision.unwrap_or(6)),
            'e' => scientific(magnitude, self.precision.unwrap_or(6)),
            'g' => self.shortest(magnitude),
            _ => hexadecimal(magnitude),
        };
        let digits = if self.letter.is_ascii_uppercase() { digits.to_uppercase() } else { digits };
        self.padded(prefix, digits, self.zeros && value.is_finite())
    }

    /// `%g`: the shorter of `%e` and `%f`, without trailing zeros.
    fn shortest(&self, magnitude: f64) -> String {
        let digits = self.precision.unwrap_or(6).max(1);
        let rounded = scientific(magnitude, digits - 1);
        let exponent = rounded.split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok()).unwrap_or(0);
        let trim = |text: &str| match text.contains('.') && !self.alternate {
            true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
            false => text.to_string(),
        };
        if exponent >= -4 && exponent < digits as i32 {
            return trim(&format!("{magnitude:.*}", (digits as i32 - 1 - exponent) as usize));
        }
        let (mantissa, exponent) = rounded.split_once('e').unwrap_or((&rounded, "+00"));
        format!("{}e{exponent}", trim(mantissa))
    }

    fn padded(&self, prefix: &str, digits: String, zeros: bool) -> String {
        let missing = self.width.saturating_sub(prefix.chars().count() + digits.chars().count());
        match (self.left, zeros) {
            (true, _) => format!("{prefix}{digits}{}", " ".repeat(missing)),
            (_, true) => format!("{prefix}{}{digits}", "0".repeat(missing)),
            _ => format!("{}{prefix}{digits}", " ".repeat(missing)),
        }
    }
}

/// `d.ddde±dd`.
fn scientific(magnitude: f64, digits: usize) -> String {
    let text = format!("{magnitude:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

/// `0xh.hhhp±d`.
fn hexadecimal(magnitude: f64) -> String {
    let bits = magnitude.to_bits();
    let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let (first, exponent) = match (exponent, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        _ => (1, exponent - 1023),
    };
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("0x{first}{point}{digits}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(format: &str, values: &[u64]) -> String {
        let mut values = values.iter();
        let next = |_| Ok::<_, ()>(*values.next().unwrap());
        printed(format, next, |address| format!("text {address}")).unwrap()
    }

    #[test]
    fn integers() {
        assert_eq!(one("%d|%5i|%-5d|%05d|%+d|% d", &[u64::MAX, 42, 42, 42, 42, 42]), "-1|   42|42   |00042|+42| 42");
        assert_eq!(
            one("%u %x %#X %o %lld %llu", &[7, 255, 255, 8, u64::MAX, u64::MAX]),
            format!("7 ff 0XFF 10 -1 {}", u64::MAX)
        );
        assert_eq!(one("%.3d %.0d.", &[5, 0]), "005 .");
        assert_eq!(one("%*d %c%% %s %p", &[4, 7, 65, 9, 16]), "   7 A% text 9 0x10");
    }

    #[test]
    fn floats() {
        let bits = f64::to_bits;
        assert_eq!(one("%f %.2f %8.3f", &[bits(1.5), bits(2.0), bits(-3.25)]), "1.500000 2.00   -3.250");
        assert_eq!(one("%e %.1E", &[bits(12345.678), bits(0.00012)]), "1.234568e+04 1.2E-04");
        assert_eq!(
            one("%g %g %g %g", &[bits(100000.0), bits(1e6), bits(0.0001), bits(1e-5)]),
            "100000 1e+06 0.0001 1e-05"
        );
        assert_eq!(one("%f %F %5g", &[bits(f64::INFINITY), bits(f64::NAN), bits(0.5)]), "inf NAN   0.5");
        assert_eq!(one("%a %a %a", &[bits(1.0), bits(0.75), 0]), "0x1p+0 0x1.8p-1 0x0p+0");
    }

    #[test]
    fn what_is_no_conversion_stays() {
        assert_eq!(one("100%! %k %", &[]), "100%! %k %");
        assert_eq!(one("é%d", &[1]), "é1");
    }

    #[test]
    fn lines_are_in_the_order_of_threads() {
        let mut printed = Printed::default();
        for (block, thread, text) in [(1, 0, "d"), (0, 1, "b"), (0, 0, "a"), (0, 1, "c")] {
            printed.add(block, thread, text.into());
        }
        printed.launch();
        printed.add(0, 0, "gone".into());
        printed.restart();
        printed.add(0, 0, "e".into());
        assert_eq!((printed.take(), printed.take()), ("abcde".into(), String::new()));
        (0..5).for_each(|thread| printed.add(0, thread, "x".repeat(MAX_TEXT / 3)));
        assert!(printed.take().ends_with("[the text of 2 further calls was dropped]\n"));
    }
}
