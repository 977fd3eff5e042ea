//! Memory spaces, scopes of threads, and the two operands, by name.

use std::fmt;

use tile_isa::{WARP, WARPGROUP};
use tile_layout::Level;

/// Where a buffer lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Global memory.
    Global,
    /// Shared memory of the CTA.
    Shared,
    /// Registers; the layout's thread axes say which thread holds which element.
    Local,
    /// Tensor memory; only tcgen05 instructions reach it.
    Tmem,
}

impl Space {
    /// The name in the text form.
    pub fn name(self) -> &'static str {
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

/// The threads that do one copy together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Every thread that reaches the copy does all of it.
    Thread,
    /// The threads that execute in step.
    Warp,
    /// Four consecutive warps.
    Warpgroup,
    /// The thread block.
    Cta,
}

impl Scope {
    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Scope::Thread => "thread",
            Scope::Warp => "warp",
            Scope::Warpgroup => "warpgroup",
            Scope::Cta => "cta",
        }
    }

    /// Threads of one such scope; `block` is the size of a block.
    pub fn threads(self, block: Option<i64>) -> Option<i64> {
        threads_of(self.level(), block)
    }

    /// The level of threads that it holds.
    pub fn level(self) -> Level {
        match self {
            Scope::Thread => Level::Thread,
            Scope::Warp => Level::Warp,
            Scope::Warpgroup => Level::Warpgroup,
            Scope::Cta => Level::Cta,
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Threads of one group of a level; `block` is the size of a block, and nothing is said of what is larger.
pub(crate) fn threads_of(level: Level, block: Option<i64>) -> Option<i64> {
    match level {
        Level::Thread => Some(1),
        Level::Warp => Some(WARP),
        Level::Warpgroup => Some(WARPGROUP),
        Level::Cta => block,
        Level::Cluster | Level::Grid => None,
    }
}

/// One of the two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Which {
    /// The source.
    Src,
    /// The destination.
    Dst,
}

impl Which {
    /// `source` or `destination`.
    pub fn name(self) -> &'static str {
        match self {
            Which::Src => "source",
            Which::Dst => "destination",
        }
    }

    /// The other operand.
    pub fn other(self) -> Which {
        match self {
            Which::Src => Which::Dst,
            Which::Dst => Which::Src,
        }
    }
}

impl fmt::Display for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
