//! Shapes of `tcgen05.ld` and `tcgen05.st`.

use thiserror::Error;

use crate::access::WARP;
use crate::messages::message_of;
use crate::words::UnknownWord;

/// A shape repeated more often than one instruction can.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("got num {num}, expected a power of two from 1 to {most} for {shape}")]
pub struct NumError {
    /// The repetitions.
    pub num: i64,
    /// The most for that shape.
    pub most: i64,
    /// The shape, as PTX spells it.
    pub shape: &'static str,
}

message_of!(NumError);

/// The lanes and bits that one `tcgen05.ld` or `tcgen05.st` of `.x1` moves per warp (PTX ISA, tcgen05.ld).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum TmemShape {
    /// Each lane of the warp accesses its own lane of tensor memory, 32 bits.
    Lanes32Bits32,
    /// 16 lanes of 64 bits.
    Lanes16Bits64,
    /// 16 lanes of 128 bits.
    Lanes16Bits128,
    /// 16 lanes of 256 bits.
    Lanes16Bits256,
}

impl From<TmemShape> for &'static str {
    fn from(shape: TmemShape) -> Self {
        shape.name()
    }
}

impl TryFrom<String> for TmemShape {
    type Error = UnknownWord;

    fn try_from(name: String) -> Result<Self, UnknownWord> {
        TmemShape::parse(&name)
    }
}

impl TmemShape {
    /// Every shape.
    pub const ALL: [TmemShape; 4] =
        [TmemShape::Lanes32Bits32, TmemShape::Lanes16Bits64, TmemShape::Lanes16Bits128, TmemShape::Lanes16Bits256];

    /// The name, as PTX spells it.
    pub fn name(self) -> &'static str {
        match self {
            TmemShape::Lanes32Bits32 => "32x32b",
            TmemShape::Lanes16Bits64 => "16x64b",
            TmemShape::Lanes16Bits128 => "16x128b",
            TmemShape::Lanes16Bits256 => "16x256b",
        }
    }

    /// The shape of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|shape| shape.name() == name)
    }

    /// The shape of that name.
    ///
    /// # Errors
    /// A shape that does not exist; the message lists those that do.
    pub fn parse(name: &str) -> Result<Self, UnknownWord> {
        Self::named(name).ok_or_else(|| UnknownWord::new("shape", name, Self::ALL.map(Self::name)))
    }

    /// Lanes that one warp moves.
    pub fn lanes(self) -> i64 {
        if self == TmemShape::Lanes32Bits32 { 32 } else { 16 }
    }

    /// The lane and the 32-bit column of a register of a thread of the warpgroup, relative to the instruction's base
    /// (PTX ISA, figures of the tcgen05.ld matrix fragments).
    ///
    /// ```text
    ///              16x64b                  16x128b                 16x256b
    ///   lane 0     t0.r0 t2.r0             t0.r0 t1.r0 t2.r0 t3.r0 t0.r0 t0.r1 t1.r0 t1.r1 …
    ///   lane 1     t4.r0 t6.r0             t4.r0 t5.r0 t6.r0 t7.r0 t4.r0 t4.r1 t5.r0 t5.r1 …
    ///   lane 8     t1.r0 t3.r0             t0.r1 t1.r1 t2.r1 t3.r1 t0.r2 t0.r3 t1.r2 t1.r3 …
    /// ```
    pub fn place(self, thread: i64, register: i64) -> (i64, i64) {
        let (quarter, t) = (thread / WARP * WARP, thread % WARP);
        let (lane, column) = match self {
            TmemShape::Lanes32Bits32 => (t, register),
            TmemShape::Lanes16Bits64 => (t % 2 * 8 + t / 4, register * 2 + t / 2 % 2),
            TmemShape::Lanes16Bits128 => (register % 2 * 8 + t / 4, register / 2 * 4 + t % 4),
            TmemShape::Lanes16Bits256 => (register / 2 % 2 * 8 + t / 4, register / 4 * 8 + t % 4 * 2 + register % 2),
        };
        (quarter + lane, column)
    }

    /// Number of 32-bit registers of a thread at `.x1`.
    pub fn registers(self) -> i64 {
        match self {
            TmemShape::Lanes32Bits32 | TmemShape::Lanes16Bits64 => 1,
            TmemShape::Lanes16Bits128 => 2,
            TmemShape::Lanes16Bits256 => 4,
        }
    }

    /// Number of 32-bit columns at `.x1`.
    pub fn columns(self) -> i64 {
        match self {
            TmemShape::Lanes32Bits32 => 1,
            TmemShape::Lanes16Bits64 => 2,
            TmemShape::Lanes16Bits128 => 4,
            TmemShape::Lanes16Bits256 => 8,
        }
    }

    /// The most times that one instruction repeats the shape: 128 registers of a thread.
    pub fn most_num(self) -> i64 {
        128 / self.registers()
    }

    /// Checks that the instruction exists for `num` times the shape.
    ///
    /// # Errors
    /// Got and expected: a power of two, with at most 128 registers of a thread.
    pub fn check_num(self, num: i64) -> Result<(), NumError> {
        let most = self.most_num();
        if num >= 1 && num.count_ones() == 1 && num <= most {
            return Ok(());
        }
        Err(NumError { num, most, shape: self.name() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_128_registers() {
        for (shape, most) in TmemShape::ALL.into_iter().zip([128, 128, 64, 32]) {
            for num in [-1, 0, 1, 2, 3, 16, 32, 64, 128, 256, i64::MIN, i64::MAX] {
                let fits = [1, 2, 4, 8, 16, 32, 64, 128].contains(&num) && num <= most;
                assert_eq!(shape.check_num(num).is_ok(), fits, "{num} of {}", shape.name());
            }
        }
    }
}
