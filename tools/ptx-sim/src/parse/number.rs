//! Constants (PTX ISA 4.5): integers in four bases, floats as decimals or as bits (`0f3F800000`, `0d3FF0000000000000`).

/// A constant as it is written; a sign is a separate token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Integer(u64),
    /// The bits of an f32 given as `0f…`.
    Single(u32),
    /// The bits of an f64 given as `0d…` or as a decimal fraction.
    Double(u64),
}

/// The number at the start of `text` and its length in bytes.
pub(crate) fn scan(text: &str) -> Result<(Number, usize), String> {
    let lower = text.get(..2).unwrap_or("").to_ascii_lowercase();
    match lower.as_str() {
        "0f" => bits(text, 8).map(|(v, n)| (Number::Single(v as u32), n)),
        "0d" => bits(text, 16).map(|(v, n)| (Number::Double(v), n)),
        "0x" => integer(text, 2, 16),
        "0b" => integer(text, 2, 2),
        _ => decimal(text),
    }
}

fn digits(text: &str, radix: u32) -> usize {
    text.find(|c: char| !c.is_digit(radix)).unwrap_or(text.len())
}

fn bits(text: &str, count: usize) -> Result<(u64, usize), String> {
    let length = digits(&text[2..], 16);
    if length != count {
        return Err(format!("a float's bits have {length} digits, {count} are expected"));
    }
    let value = u64::from_str_radix(&text[2..2 + count], 16).map_err(|e| e.to_string())?;
    Ok((value, 2 + count))
}

fn integer(text: &str, prefix: usize, radix: u32) -> Result<(Number, usize), String> {
    let length = digits(&text[prefix..], radix);
    let body = &text[prefix..prefix + length];
    let value = u64::from_str_radix(body, radix).map_err(|_| format!("`{body}` is not a 64-bit integer"))?;
    let end = prefix + length;
    let suffix = usize::from(text[end..].starts_with('U'));
    Ok((Number::Integer(value), end + suffix))
}

fn decimal(text: &str) -> Result<(Number, usize), String> {
    let whole = digits(text, 10);
    let rest = &text[whole..];
    let fraction = rest.strip_prefix('.').map_or(0, |tail| 1 + digits(tail, 10));
    let exponent = exponent_length(&rest[fraction..]);
    if fraction + exponent > 0 {
        let end = whole + fraction + exponent;
        let value: f64 = text[..end].parse().map_err(|_| format!("`{}` is not a number", &text[..end]))?;
        return Ok((Number::Double(value.to_bits()), end));
    }
    let octal = whole > 1 && text.starts_with('0');
    integer(text, usize::from(octal), if octal { 8 } else { 10 })
}

fn exponent_length(text: &str) -> usize {
    if !text.starts_with(['e', 'E']) {
        return 0;
    }
    let sign = usize::from(text[1..].starts_with(['+', '-']));
    match digits(&text[1 + sign..], 10) {
        0 => 0,
        n => 1 + sign + n,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form() {
        assert_eq!(scan("17;"), Ok((Number::Integer(17), 2)));
        assert_eq!(scan("0x1Fu"), Ok((Number::Integer(31), 4)));
        assert_eq!(scan("0b101U,"), Ok((Number::Integer(5), 6)));
        assert_eq!(scan("017"), Ok((Number::Integer(15), 3)));
        assert_eq!(scan("0"), Ok((Number::Integer(0), 1)));
        assert_eq!(scan("0f3F800000"), Ok((Number::Single(1f32.to_bits()), 10)));
        assert_eq!(scan("0d3FF0000000000000"), Ok((Number::Double(1f64.to_bits()), 18)));
        assert_eq!(scan("1.5e-1]"), Ok((Number::Double(0.15f64.to_bits()), 6)));
        assert_eq!(scan("18446744073709551615"), Ok((Number::Integer(u64::MAX), 20)));
    }

    #[test]
    fn bad_forms() {
        assert!(scan("0f3F80").is_err());
        assert!(scan("0x").is_err());
        assert!(scan("18446744073709551616").is_err());
        assert!(scan("09").is_err());
    }
}
