//! Element types by their recorded names.

/// An element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// As MLIR writes it.
    pub mlir: &'static str,
    /// Its width.
    pub bits: u32,
}

/// Signless integers: a copy does not look at the sign.
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
    /// A name that is not known; the message lists those that are.
    pub fn parse(name: &str) -> Result<Self, String> {
        let known = KNOWN.iter().find(|(known, ..)| *known == name);
        known.map(|&(_, mlir, bits)| Element { mlir, bits }).ok_or_else(|| {
            let names: Vec<&str> = KNOWN.iter().map(|(name, ..)| *name).collect();
            format!("got unknown dtype '{name}', expected one of {}", names.join(", "))
        })
    }
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
