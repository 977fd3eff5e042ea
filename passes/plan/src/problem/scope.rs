//! The two operands of a copy.

use std::fmt;

use serde::{Deserialize, Serialize};

pub use tile_isa::{Scope, Space};

/// One of the two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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
