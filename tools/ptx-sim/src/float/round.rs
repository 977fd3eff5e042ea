//! Rounding modes.

use rustc_apfloat::Round;

use super::format::Format;

/// Rounding modes (PTX ISA 6.5.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// `rn`: to nearest, ties to even.
    Nearest,
    /// `rna`: to nearest, ties away from zero.
    Away,
    /// `rz`.
    Zero,
    /// `rm`.
    Down,
    /// `rp`.
    Up,
}

impl Mode {
    pub(super) fn round(self) -> Round {
        match self {
            Self::Nearest => Round::NearestTiesToEven,
            Self::Away => Round::NearestTiesToAway,
            Self::Zero => Round::TowardZero,
            Self::Down => Round::TowardNegative,
            Self::Up => Round::TowardPositive,
        }
    }

    /// The result of overflow: infinity, or the largest finite value.
    pub(super) fn overflow(self, format: Format, negative: bool) -> u64 {
        let infinite = match self {
            Self::Nearest | Self::Away => true,
            Self::Zero => false,
            Self::Down => negative,
            Self::Up => !negative,
        };
        if infinite { format.infinity(negative) } else { format.largest(negative) }
    }
}
