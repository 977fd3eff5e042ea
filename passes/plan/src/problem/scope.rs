//! The two operands of a copy.

use std::fmt;

use serde::{Deserialize, Serialize};

pub use tile_isa::{Scope, Space};

/// One of the two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The source.
    Src,
    /// The destination.
    Dst,
}

impl Role {
    /// `source` or `destination`.
    pub fn name(self) -> &'static str {
        match self {
            Role::Src => "source",
            Role::Dst => "destination",
        }
    }

    /// The other operand.
    pub fn other(self) -> Role {
        match self {
            Role::Src => Role::Dst,
            Role::Dst => Role::Src,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
