//! Names and small values of a case in JSON; element types by their recorded names.

use serde_json::Value;
use tile_isa::{Scope, Space};
use tile_layout::{Axis, Range};

use super::{OptionValue, axis_extent};

/// An element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its name in MLIR.
    pub mlir: &'static str,
    /// Its width.
    pub bits: u32,
}

/// Integers are signless, because a copy ignores the sign.
const KNOWN: [(&str, &str, u32); 14] = [
    ("float16", "f16", 16),
    ("bfloat16", "bf16", 16),
    ("float32", "f32", 32),
    ("float64", "f64", 64),
    ("int8", "i8", 8),
    ("uint8", "i8", 8),
    ("int16", "i16", 16),
    ("uint16", "i16", 16),
    ("int32", "i32", 32),
    ("uint32", "i32", 32),
    ("int64", "i64", 64),
    ("uint64", "i64", 64),
    ("float8_e4m3fn", "f8E4M3FN", 8),
    ("float8_e5m2", "f8E5M2", 8),
];

impl Element {
    /// The type of a recorded name.
    ///
    /// # Errors
    /// An unknown name; the message lists the known ones.
    pub fn parse(name: &str) -> Result<Self, String> {
        let known = KNOWN.iter().find(|(known, ..)| *known == name);
        known.map(|&(_, mlir, bits)| Element { mlir, bits }).ok_or_else(|| {
            let names: Vec<&str> = KNOWN.iter().map(|(name, ..)| *name).collect();
            format!("got unknown dtype '{name}', expected one of {}", names.join(", "))
        })
    }
}

const MAX_THREADS: i64 = 1024;

/// `if tid == 16:`.
pub(super) fn guard(text: &str) -> Result<i64, String> {
    let thread = text.strip_prefix("if tid == ").and_then(|text| text.strip_suffix(':'));
    let number = thread.and_then(|thread| thread.parse().ok());
    number.ok_or_else(|| format!("expect: got guard '{text}', expected 'if tid == N:'"))
}

/// The threads that copy together.
pub(super) fn scope(name: &str) -> Result<Scope, String> {
    let all = [Scope::Thread, Scope::Warp, Scope::Warpgroup, Scope::Cta];
    all.into_iter()
        .find(|scope| scope.name() == name)
        .ok_or_else(|| format!("got unknown scope '{name}', expected thread, warp, warpgroup or cta"))
}

/// The memory of a buffer.
pub(super) fn space(name: &str) -> Result<Space, String> {
    match name {
        "global" => Ok(Space::Global),
        "shared" | "shared.dyn" => Ok(Space::Shared),
        "local" => Ok(Space::Local),
        "tmem" => Ok(Space::Tmem),
        _ => Err(format!("got unknown scope '{name}', expected global, shared, shared.dyn, local or tmem")),
    }
}

/// An axis of a layout.
pub(super) fn axis(name: &str) -> Result<Axis, String> {
    name.parse().map_err(|_| {
        let names: Vec<&str> = Axis::ALL.iter().map(|axis| axis.name()).collect();
        format!("got unknown axis '{name}', expected one of {}", names.join(", "))
    })
}

/// Threads of a block.
pub(super) fn block(threads: i64) -> Result<i64, String> {
    if (1..=MAX_THREADS).contains(&threads) {
        return Ok(threads);
    }
    Err(format!("got block_threads {threads}, expected 1 to {MAX_THREADS}"))
}

/// The cooperating part of a thread axis.
pub(super) fn active(name: &str, [extent, begin]: [i64; 2]) -> Result<(Axis, Range), String> {
    let axis = axis(name)?;
    let limit = axis_extent(axis, MAX_THREADS).ok_or_else(|| format!("active: '{name}' counts no threads"))?;
    if extent >= 1 && begin >= 0 && begin <= limit && extent <= limit - begin {
        return Ok((axis, Range::new(begin, extent)));
    }
    Err(format!("active: got {extent} of '{name}' from {begin} on, expected a part of [0, {limit})"))
}

/// An option of the copy.
pub(super) fn option(name: &str, value: &Value) -> Result<(String, OptionValue), String> {
    let value = match value {
        Value::String(text) => OptionValue::Text(text.clone()),
        Value::Bool(flag) => OptionValue::Flag(*flag),
        Value::Number(number) if number.is_i64() => OptionValue::Integer(number.as_i64().unwrap_or_default()),
        other => return Err(format!("config: got {other} for '{name}', expected text, an integer or a truth value")),
    };
    Ok((name.to_owned(), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_types() {
        assert_eq!(Element::parse("float8_e5m2"), Ok(Element { mlir: "f8E5M2", bits: 8 }));
        assert_eq!(Element::parse("uint32"), Element::parse("int32"));
        assert_eq!(Element::parse("uint16"), Ok(Element { mlir: "i16", bits: 16 }));
        let error = Element::parse("float17").unwrap_err();
        assert!(error.starts_with("got unknown dtype 'float17', expected one of float16, "), "{error}");
    }
}
