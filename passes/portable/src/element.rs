//! Elements as 32-bit words, and scalars as the values that a shader computes with.

/// Functions on integers of 64 bits, and on floats of 16 and 32.
pub(crate) const NUMBERS: &str = include_str!("wgsl/numbers.wgsl");
/// Functions on floats of 32 bits with one rounding; they need [`NUMBERS`].
pub(crate) const FLOATS_32: &str = include_str!("wgsl/floats32.wgsl");
/// Functions on floats of 64 bits.
pub(crate) const FLOATS_64: &str = include_str!("wgsl/floats64.wgsl");

/// A scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// A bit, the result of a comparison; never an element of an array.
    Bool,
    /// An integer of 8 bits.
    I8,
    /// An integer of 16 bits.
    I16,
    /// An integer of 32 bits.
    I32,
    /// An integer of 64 bits.
    I64,
    /// IEEE binary16.
    F16,
    /// The upper half of an IEEE binary32.
    Bf16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
}

impl Scalar {
    /// The scalar with this MLIR type name.
    ///
    /// ```
    /// # use tile_portable::Scalar;
    /// assert_eq!((Scalar::named("bf16"), Scalar::named("i1"), Scalar::named("f8E5M2")), (Some(Scalar::Bf16), Some(Scalar::Bool), None));
    /// ```
    pub fn named(name: &str) -> Option<Scalar> {
        Some(match name {
            "i1" => Scalar::Bool,
            "i8" => Scalar::I8,
            "i16" => Scalar::I16,
            "i32" => Scalar::I32,
            "i64" => Scalar::I64,
            "f16" => Scalar::F16,
            "bf16" => Scalar::Bf16,
            "f32" => Scalar::F32,
            "f64" => Scalar::F64,
            _ => return None,
        })
    }

    /// Bits in memory.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::I8 => 8,
            Scalar::I16 | Scalar::F16 | Scalar::Bf16 => 16,
            Scalar::I32 | Scalar::F32 => 32,
            Scalar::I64 | Scalar::F64 => 64,
        }
    }

    /// Whether it is a float.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::Bf16 | Scalar::F32 | Scalar::F64)
    }

    /// The WGSL type that it is computed in: narrow integers in the low bits of a word, other bits zero; integers of 64
    /// bits as two words, low one first; narrow floats as `f32`, which holds them exactly, rounded to their type after
    /// each operation.
    pub fn register(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 | Scalar::I16 | Scalar::I32 => "u32",
            Scalar::I64 => "vec2<u32>",
            Scalar::F16 | Scalar::Bf16 | Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// The value in registers for the given bits (one word or two).
    pub(crate) fn of_bits(self, bits: &str) -> String {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => bits.to_owned(),
            Scalar::F16 => format!("f16_value({bits})"),
            Scalar::Bf16 => format!("bitcast<f32>({bits} << 16u)"),
            Scalar::F32 => format!("bitcast<f32>({bits})"),
            Scalar::F64 => format!("f64_value({bits})"),
        }
    }

    /// The inverse of [`Scalar::of_bits`].
    pub(crate) fn to_bits(self, value: &str) -> String {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => value.to_owned(),
            Scalar::F16 => format!("f16_bits({value})"),
            Scalar::Bf16 => format!("bf16_bits({value})"),
            Scalar::F32 => format!("bitcast<u32>({value})"),
            Scalar::F64 => format!("f64_bits({value})"),
        }
    }
}

/// An element of an array: a scalar, or a short vector that is combined as a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PortableElement {
    /// The type of its lanes.
    pub scalar: Scalar,
    /// The number of lanes.
    pub lanes: u32,
}

impl PortableElement {
    /// Bits in memory; a power of two from 8 to 128.
    pub fn bits(self) -> u32 {
        self.scalar.bits() * self.lanes
    }

    /// 32-bit words in registers: 1, 2 or 4.
    pub fn words(self) -> u32 {
        (self.bits() / 32).max(1)
    }

    /// Elements in a word of memory.
    pub fn per_word(self) -> u32 {
        (32 / self.bits()).max(1)
    }

    /// The WGSL type of its words.
    pub(crate) fn r#type(self) -> &'static str {
        words_type(self.words())
    }

    /// The bits of one lane of the element named `name`: one word or two.
    pub(crate) fn lane(self, name: &str, lane: u32) -> String {
        let bits = self.scalar.bits();
        let word = |index: u32| if self.words() == 1 { name.to_owned() } else { format!("{name}[{index}]") };
        match bits {
            64 if self.words() == 2 => name.to_owned(),
            64 => format!("vec2<u32>({}, {})", word(2 * lane), word(2 * lane + 1)),
            32 => word(lane),
            _ if self.bits() == bits => name.to_owned(),
            _ => format!("extractBits({}, {}u, {bits}u)", word(lane * bits / 32), lane * bits % 32),
        }
    }

    /// The element with the given bits of its lanes.
    pub(crate) fn of_lanes(self, lanes: &[String]) -> String {
        let bits = self.scalar.bits();
        let words: Vec<String> = match bits {
            64 if self.words() == 2 => return lanes[0].clone(),
            64 => lanes.iter().flat_map(|lane| [format!("({lane}).x"), format!("({lane}).y")]).collect(),
            32 => lanes.to_vec(),
            _ => lanes
                .chunks((32 / bits) as usize)
                .map(|lanes| {
                    let shifted = |(place, lane): (usize, &String)| match place {
                        0 => lane.clone(),
                        _ => format!("({lane} << {}u)", place as u32 * bits),
                    };
                    lanes.iter().enumerate().map(shifted).collect::<Vec<_>>().join(" | ")
                })
                .collect(),
        };
        match words.as_slice() {
            [only] => only.clone(),
            several => format!("{}({})", self.r#type(), several.join(", ")),
        }
    }
}

/// The WGSL type of `words` words.
pub(crate) fn words_type(words: u32) -> &'static str {
    match words {
        1 => "u32",
        2 => "vec2<u32>",
        _ => "vec4<u32>",
    }
}
