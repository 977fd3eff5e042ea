//! A location in memory, and masks of bytes and of their bits.

/// A location in memory, within bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MemoryLocation {
    Global { index: usize, offset: usize },
    Shared { rank: usize, offset: usize },
    Local { offset: usize },
    KernelParam { offset: usize },
    CallParam { offset: usize },
}

impl MemoryLocation {
    pub(crate) fn offset(self) -> usize {
        match self {
            Self::Global { offset, .. }
            | Self::Shared { offset, .. }
            | Self::Local { offset }
            | Self::KernelParam { offset }
            | Self::CallParam { offset } => offset,
        }
    }

    /// The location `bytes` bytes after this one.
    pub(crate) fn moved(mut self, bytes: usize) -> Self {
        match &mut self {
            Self::Global { offset, .. }
            | Self::Shared { offset, .. }
            | Self::Local { offset }
            | Self::KernelParam { offset }
            | Self::CallParam { offset } => *offset += bytes,
        }
        self
    }
}

/// The mask of all of up to 32 bytes.
pub(crate) fn all_bytes(bytes: usize) -> u32 {
    u32::MAX >> (32 - bytes.clamp(1, 32))
}

/// A mask of up to eight bytes, as a mask of the bits of a word.
pub(crate) fn bits_of(bytes: u32) -> u64 {
    (0..8).filter(|i| bytes >> i & 1 == 1).fold(0, |m, i| m | 0xff << (8 * i))
}

/// The bytes of a word that have any bit in the mask.
pub(crate) fn bytes_of(bits: u64) -> u32 {
    (0..8).filter(|i| bits >> (8 * i) & 0xff != 0).fold(0, |m, i| m | 1 << i)
}
