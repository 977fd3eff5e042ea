//! Elements as numbers and as bytes.

/// A scalar type, by its name in MLIR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar(pub &'static str);

/// All scalar types that a scan accepts.
pub const SCALARS: [Scalar; 8] = [
    Scalar("i8"),
    Scalar("i16"),
    Scalar("i32"),
    Scalar("i64"),
    Scalar("f16"),
    Scalar("bf16"),
    Scalar("f32"),
    Scalar("f64"),
];

impl Scalar {
    /// Whether it is a float.
    pub fn is_float(self) -> bool {
        !self.0.starts_with('i')
    }

    /// Its size in bytes.
    pub fn bytes(self) -> usize {
        match self.0 {
            "i8" => 1,
            "i16" | "f16" | "bf16" => 2,
            "i32" | "f32" => 4,
            _ => 8,
        }
    }

    /// A whole number (small, for a float) as bytes.
    pub fn encode(self, value: i64) -> Vec<u8> {
        match self.0 {
            "f32" => (value as f32).to_le_bytes().to_vec(),
            "f64" => (value as f64).to_le_bytes().to_vec(),
            "bf16" => ((value as f32).to_bits() >> 16).to_le_bytes()[..2].to_vec(),
            "f16" => half(value).to_le_bytes().to_vec(),
            _ => value.to_le_bytes()[..self.bytes()].to_vec(),
        }
    }
}

/// The half with that value; at most 2048 in magnitude, so that it is exact.
fn half(value: i64) -> u16 {
    assert!(value.abs() <= 2048);
    let bits = (value as f32).to_bits();
    if value == 0 {
        return 0;
    }
    let exponent = (bits >> 23 & 0xff) as i32 - 127 + 15;
    ((bits >> 16 & 0x8000) | (exponent as u32) << 10 | (bits >> 13 & 0x3ff)) as u16
}

/// Random numbers.
pub struct Random(pub u64);

impl Random {
    /// Any 64 bits.
    pub fn next(&mut self) -> i64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) as i64
    }
}
