//! Element types, and the values that memory holds before a kernel runs.

/// An element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// Its name in MLIR.
    pub name: &'static str,
    /// Its bits.
    pub bits: u32,
    /// Its exponent's lowest bit, for floats.
    exponent: Option<u32>,
    /// The bits of 5 and of 7.
    numbers: [u64; 2],
}

/// The types of kernels: integers, and floats that upstream's lowering can execute.
pub const ELEMENTS: [Element; 8] = [
    Element { name: "f32", bits: 32, exponent: Some(23), numbers: [0x40a0_0000, 0x40e0_0000] },
    Element { name: "f16", bits: 16, exponent: Some(10), numbers: [0x4500, 0x4700] },
    Element { name: "bf16", bits: 16, exponent: Some(7), numbers: [0x40a0, 0x40e0] },
    Element { name: "f64", bits: 64, exponent: Some(52), numbers: [0x4014_0000_0000_0000, 0x401c_0000_0000_0000] },
    Element { name: "i8", bits: 8, exponent: None, numbers: [5, 7] },
    Element { name: "i16", bits: 16, exponent: None, numbers: [5, 7] },
    Element { name: "i32", bits: 32, exponent: None, numbers: [5, 7] },
    Element { name: "i64", bits: 64, exponent: None, numbers: [5, 7] },
];

/// The factor of [`Element::initial`].
pub const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
/// The shift of [`Element::initial`].
pub const SHIFT: u32 = 29;

impl Element {
    /// Whether it is a float.
    pub fn is_float(self) -> bool {
        self.exponent.is_some()
    }

    /// The bits that elements have before a kernel runs: all, without the exponent's lowest one. So no float is a NaN, or
    /// infinite.
    pub fn mask(self) -> u64 {
        let all = u64::MAX >> (64 - self.bits);
        all & !self.exponent.map_or(0, |bit| 1 << bit)
    }

    /// The bits of the element at `cell`, in the memory whose first cell counts as `salt`.
    pub fn initial(self, cell: u64, salt: u64) -> u64 {
        let product = cell.wrapping_add(salt).wrapping_mul(FACTOR);
        (product ^ product >> SHIFT) & self.mask()
    }

    /// Bytes.
    pub fn bytes(self) -> usize {
        self.bits as usize / 8
    }

    /// The number 5 (`first`) or 7, as MLIR writes it, and its bits.
    pub fn number(self, first: bool) -> (&'static str, u64) {
        let text = match (self.is_float(), first) {
            (true, true) => "5.0",
            (true, false) => "7.0",
            (false, true) => "5",
            (false, false) => "7",
        };
        (text, self.numbers[usize::from(!first)])
    }

    /// Whether a conversion may have either result: NaNs differ in their payloads, and processors with an instruction for
    /// bf16 have no subnormal numbers of that type.
    pub fn is_alike(self, one: u64, other: u64) -> bool {
        let Some(exponent) = self.exponent else { return false };
        let magnitude = u64::MAX >> (65 - self.bits);
        let fraction = (1 << exponent) - 1;
        let infinity = magnitude & !fraction;
        let nan = |bits: u64| bits & magnitude > infinity;
        let small = |bits: u64| bits & infinity == 0;
        nan(one) && nan(other) || self.name == "bf16" && small(one) && small(other) && (one ^ other) & !magnitude == 0
    }
}
