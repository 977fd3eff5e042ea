//! The memories that a tile may live in.

use std::fmt;

/// Where a tile lives. The numbers are those of `TileAttrs.td`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Global memory.
    Global = 0,
    /// Shared memory of the CTA.
    Shared = 1,
    /// Registers; the layout's thread axes say which thread holds which element.
    Local = 2,
    /// Tensor memory; only tcgen05 instructions reach it.
    Tmem = 3,
}

impl Space {
    /// All of them.
    pub const ALL: [Space; 4] = [Space::Global, Space::Shared, Space::Local, Space::Tmem];

    /// The space of a number in the dialect's encoding.
    pub fn from_code(code: i64) -> Option<Space> {
        Self::ALL.into_iter().find(|&space| space as i64 == code)
    }

    /// The name in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Tmem => "tmem",
        }
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
