//! A model of matrices in the registers of a warp, element by element as in the ISA's figures.

/// A numeric type, with functions between its bits and numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Type {
    pub name: &'static str,
    pub bits: u32,
    /// Exponent bits; 0 for an integer.
    exponent: u32,
}

impl Type {
    pub fn of(name: &'static str) -> Self {
        let (bits, exponent) = match name {
            "f16" => (16, 5),
            "bf16" => (16, 8),
            "tf32" | "f32" => (32, 8),
            "f64" => (64, 11),
            "e4m3" => (8, 4),
            "e5m2" => (8, 5),
            "s4" | "u4" => (4, 0),
            "s8" | "u8" => (8, 0),
            "s32" => (32, 0),
            other => panic!("{other}"),
        };
        Self { name, bits, exponent }
    }

    pub fn is_integer(self) -> bool {
        self.exponent == 0
    }

    fn mantissa(self) -> u32 {
        self.bits - 1 - self.exponent
    }

    /// The number that finite bits represent.
    pub fn number(self, bits: u64) -> f64 {
        let bits = bits & u64::MAX >> (64 - self.bits);
        if self.is_integer() {
            let signed = self.name.starts_with('s') && bits >> (self.bits - 1) == 1;
            return bits as f64 - if signed { 2f64.powi(self.bits as i32) } else { 0.0 };
        }
        let bias = (1 << (self.exponent - 1)) - 1;
        let (fraction, top) =
            (bits & ((1 << self.mantissa()) - 1), bits >> self.mantissa() & ((1 << self.exponent) - 1));
        let (lead, scale) = if top == 0 { (0.0, 1 - bias) } else { (1.0, top as i32 - bias) };
        let size = (lead + fraction as f64 / 2f64.powi(self.mantissa() as i32)) * 2f64.powi(scale);
        if bits >> (self.bits - 1) == 1 { -size } else { size }
    }

    /// The bits of a number that the type represents.
    pub fn bits_of(self, number: f64) -> u64 {
        if self.is_integer() {
            return number as i64 as u64 & u64::MAX >> (64 - self.bits);
        }
        let sign = u64::from(number.is_sign_negative()) << (self.bits - 1);
        if number == 0.0 {
            return sign;
        }
        let (bias, scale) = ((1i32 << (self.exponent - 1)) - 1, number.abs().log2().floor() as i32);
        let fraction = (number.abs() / 2f64.powi(scale) - 1.0) * 2f64.powi(self.mantissa() as i32);
        let bits = sign | ((scale + bias) as u64) << self.mantissa() | fraction as u64;
        assert_eq!(self.number(bits), number, "{}", self.name);
        bits
    }

    /// Bits of a number of moderate size; for tf32, with zeros where it has no bits. An integer is any.
    pub fn random(self, random: &mut Random) -> u64 {
        let bits = random.next() & u64::MAX >> (64 - self.bits);
        if self.is_integer() {
            return bits;
        }
        let bias = (1u64 << (self.exponent - 1)) - 1;
        let top = bias - 2 + random.next() % 5;
        let zeros = if self.name == "tf32" { 13 } else { 0 };
        let kept = bits >> zeros << zeros & !(((1 << self.exponent) - 1) << self.mantissa());
        kept | top << self.mantissa()
    }
}

pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33 ^ self.0 << 31
    }
}

/// The row and k of element `i` of a lane's part of A, which has `rows` rows.
pub fn left(rows: usize, depth: usize, bits: u32, lane: usize, i: usize) -> (usize, usize) {
    let (group, thread) = (lane >> 2, lane % 4);
    let below = |low: bool| if low { group } else { group + 8 };
    let far = |far: bool, distance: usize| if far { distance } else { 0 };
    match (rows, depth, bits) {
        (16, 8, 16) => (below(i < 2), thread * 2 + (i & 1)),
        (16, 16, 16) => (below(i < 2 || (4..6).contains(&i)), thread * 2 + (i & 1) + far(i >= 4, 8)),
        (16, 4, 32) => (below(i == 0), thread),
        (16, 8, 32) => (below(i == 0 || i == 2), thread + far(i >= 2, 4)),
        (8, 16, 8) => (group, thread * 4 + i),
        (16, 16, 8) => (below(i < 4), thread * 4 + (i & 3)),
        (16, 32, 8) => (below(i < 4 || (8..12).contains(&i)), thread * 4 + (i & 3) + far(i >= 8, 16)),
        (8, 32, 4) => (group, thread * 8 + i),
        (16, 32, 4) => (below(i < 8), thread * 8 + (i & 7)),
        (16, 64, 4) => (below(i < 8 || (16..24).contains(&i)), thread * 8 + (i & 7) + far(i >= 16, 32)),
        (8, 4, 64) => (group, thread),
        (16, 4, 64) => (below(i == 0), thread),
        (16, 8, 64) => (below(i.is_multiple_of(2)), thread + far(i >= 2, 4)),
        (16, 16, 64) if i.is_multiple_of(2) => (group, i * 2 + thread),
        (16, 16, 64) => (group + 8, i * 2 - 2 + thread),
        other => panic!("{other:?}"),
    }
}

/// The k of element `i` of a lane's part of B; its column is the lane's group.
pub fn right(depth: usize, bits: u32, lane: usize, i: usize) -> usize {
    let thread = lane % 4;
    match (depth, bits) {
        (8, 16) => thread * 2 + i,
        (16, 16) => thread * 2 + (i & 1) + if i < 2 { 0 } else { 8 },
        (4 | 8, 32) | (_, 64) => thread + i * 4,
        (16, 8) => thread * 4 + i,
        (32, 8) => thread * 4 + (i & 3) + if i < 4 { 0 } else { 16 },
        (32, 4) => thread * 8 + i,
        (64, 4) => thread * 8 + (i & 7) + if i < 8 { 0 } else { 32 },
        other => panic!("{other:?}"),
    }
}

/// The row and column of element `i` of a lane's part of C and D.
pub fn sum(lane: usize, i: usize) -> (usize, usize) {
    (if i < 2 { lane >> 2 } else { (lane >> 2) + 8 }, (lane % 4) * 2 + (i & 1))
}
