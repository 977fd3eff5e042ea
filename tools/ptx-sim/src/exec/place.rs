//! A place in memory.

/// A place in memory, inside its bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Global { index: usize, offset: usize },
    Shared { rank: usize, offset: usize },
    Local { offset: usize },
    KernelParam { offset: usize },
    CallParam { offset: usize },
}

impl Place {
    pub(crate) fn offset(self) -> usize {
        match self {
            Self::Global { offset, .. }
            | Self::Shared { offset, .. }
            | Self::Local { offset }
            | Self::KernelParam { offset }
            | Self::CallParam { offset } => offset,
        }
    }

    /// The place some bytes further on.
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
