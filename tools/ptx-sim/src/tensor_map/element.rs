//! The enumerations of a tensor map, and their names in texts.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A name that none of the values of an enumeration has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("got {what} `{got}`, expected {expected}")]
pub struct UnknownName {
    /// What it should name.
    pub what: &'static str,
    /// The name.
    pub got: String,
    /// The names that there are.
    pub expected: String,
}

/// An enumeration whose values have names: the name of each value, and the number that the driver's interface gives it.
macro_rules! named {
    ($(#[$doc:meta])* $name:ident, $what:literal { $($(#[$value_doc:meta])* $value:ident = $number:literal $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$value_doc])* $value = $number,)*
        }

        impl $name {
            /// Every value.
            pub const ALL: &[Self] = &[$(Self::$value),*];

            /// The number of the value in the driver's interface.
            pub fn number(self) -> u32 {
                self as u32
            }

            /// The name of the value.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $text,)*
                }
            }

            pub(super) fn of(number: u8) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.number() == u32::from(number))
            }
        }

        impl FromStr for $name {
            type Err = UnknownName;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::ALL.iter().copied().find(|value| value.name() == text).ok_or_else(|| {
                    let names: Vec<_> = Self::ALL.iter().map(|value| value.name()).collect();
                    UnknownName { what: $what, got: text.into(), expected: names.join(", ") }
                })
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

named! {
    /// The type of a tensor's elements (`CUtensorMapDataType`). 8-bit floats are `U8`.
    TensorElement, "element type" {
        /// 8 bits.
        U8 = 0 "u8",
        /// 16 bits.
        U16 = 1 "u16",
        /// 32 bits.
        U32 = 2 "u32",
        /// 32 bits, signed in reductions.
        I32 = 3 "i32",
        /// 64 bits.
        U64 = 4 "u64",
        /// 64 bits, signed in reductions.
        I64 = 5 "i64",
        /// Half precision.
        F16 = 6 "f16",
        /// Single precision.
        F32 = 7 "f32",
        /// Double precision.
        F64 = 8 "f64",
        /// bfloat16.
        Bf16 = 9 "bf16",
        /// Single precision; subnormal numbers become zero in reductions.
        F32Ftz = 10 "f32ftz",
        /// Single precision, rounded to tf32 by loads.
        Tf32 = 11 "tf32",
        /// The same; loads keep subnormal numbers, too.
        Tf32Ftz = 12 "tf32ftz",
        /// 16 elements of 4 bits in 8 bytes.
        U4Align8 = 13 "16u4_align8b",
        /// 16 elements of 4 bits in 8 bytes, 16 bytes apart in shared memory.
        U4Align16 = 14 "16u4_align16b",
        /// 16 elements of 6 bits in 12 bytes, 16 bytes apart in shared memory.
        U6Align16 = 15 "16u6_align16b",
    }
}

named! {
    /// How the channels of images are interleaved (`CUtensorMapInterleave`).
    Interleave, "interleave" {
        /// They are not.
        None = 0 "none",
        /// 8 channels of 2 bytes.
        B16 = 1 "16",
        /// 16 channels of 2 bytes.
        B32 = 2 "32",
    }
}

named! {
    /// How 16-byte chunks are permuted in shared memory (`CUtensorMapSwizzle`).
    Swizzle, "swizzle" {
        /// They are not.
        None = 0 "none",
        /// Address bit 4 is combined with bit 7.
        B32 = 1 "32",
        /// Address bits 4 and 5 are combined with bits 7 and 8.
        B64 = 2 "64",
        /// Address bits 4 to 6 are combined with bits 7 to 9.
        B128 = 3 "128",
    }
}

named! {
    /// The size of the pieces in which data come into L2 (`CUtensorMapL2promotion`).
    L2Promotion, "L2 promotion" {
        /// Sectors.
        None = 0 "none",
        /// 64 bytes.
        B64 = 1 "64",
        /// 128 bytes.
        B128 = 2 "128",
        /// 256 bytes.
        B256 = 3 "256",
    }
}

named! {
    /// What elements outside the tensor are read as (`CUtensorMapFloatOOBfill`).
    OutOfBounds, "fill" {
        /// Zeros.
        Zero = 0 "zero",
        /// A NaN.
        Nan = 1 "nan",
    }
}

impl TensorElement {
    /// Bytes of an element.
    pub fn bytes(self) -> u64 {
        match self {
            Self::U8 => 1,
            Self::U16 | Self::F16 | Self::Bf16 => 2,
            Self::U32 | Self::I32 | Self::F32 | Self::F32Ftz | Self::Tf32 | Self::Tf32Ftz => 4,
            Self::U64 | Self::I64 | Self::F64 | Self::U4Align8 | Self::U4Align16 => 8,
            Self::U6Align16 => 12,
        }
    }

    /// Whether elements outside the tensor can be NaN.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32 | Self::F64 | Self::Bf16 | Self::F32Ftz | Self::Tf32 | Self::Tf32Ftz)
    }
}

impl Swizzle {
    /// The bytes within which chunks are permuted.
    pub fn span(self) -> Option<u64> {
        match self {
            Self::None => None,
            Self::B32 => Some(32),
            Self::B64 => Some(64),
            Self::B128 => Some(128),
        }
    }

    /// Where the byte of an address of shared memory is without the permutation.
    pub(crate) fn apply(self, address: u64) -> u64 {
        let chunks = self.span().map_or(1, |span| span / 16);
        address ^ (address >> 7 & (chunks - 1)) << 4
    }
}
