//! The memories that a tile may live in, and the threads that perform a copy together.

use std::fmt;

use tile_layout::Level;

use crate::access::{WARP, WARPGROUP};

/// The memory that a tile lives in. The numbers are those of `TileAttrs.td`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
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

    /// The space with that number in the dialect's encoding.
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

/// The threads that perform a copy together. The numbers are those of `TileAttrs.td`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Every thread that reaches the copy performs all of it.
    Thread = 0,
    /// 32 threads, which may share one instruction.
    Warp = 1,
    /// Four consecutive warps.
    Warpgroup = 2,
    /// The thread block.
    Cta = 3,
}

impl Scope {
    /// All of them, from the smallest.
    pub const ALL: [Scope; 4] = [Scope::Thread, Scope::Warp, Scope::Warpgroup, Scope::Cta];

    /// The scope with that number in the dialect's encoding.
    pub fn from_code(code: i64) -> Option<Scope> {
        Self::ALL.into_iter().find(|&scope| scope as i64 == code)
    }

    /// The scope of that name.
    pub fn named(name: &str) -> Option<Scope> {
        Self::ALL.into_iter().find(|scope| scope.name() == name)
    }

    /// The name in the text form.
    pub const fn name(self) -> &'static str {
        match self {
            Scope::Thread => "thread",
            Scope::Warp => "warp",
            Scope::Warpgroup => "warpgroup",
            Scope::Cta => "cta",
        }
    }

    /// The level of the thread hierarchy that the scope is.
    pub fn level(self) -> Level {
        match self {
            Scope::Thread => Level::Thread,
            Scope::Warp => Level::Warp,
            Scope::Warpgroup => Level::Warpgroup,
            Scope::Cta => Level::Cta,
        }
    }

    /// The number of threads of one such scope; `block` is the number of threads of a block.
    pub fn threads(self, block: Option<i64>) -> Option<i64> {
        threads_of(self.level(), block)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The number of threads of one group of a level; `block` is that of a block, and `None` is returned for larger levels.
pub fn threads_of(level: Level, block: Option<i64>) -> Option<i64> {
    match level {
        Level::Thread => Some(1),
        Level::Warp => Some(WARP),
        Level::Warpgroup => Some(WARPGROUP),
        Level::Cta => block,
        Level::Cluster | Level::Grid => None,
    }
}
