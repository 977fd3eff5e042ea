//! The roles of operands.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What an operand is to its op.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The source, which is read.
    Src,
    /// The destination, which is written.
    Dst,
}

impl Role {
    /// All of them, in the order in which ops have them.
    pub const ALL: [Role; 2] = [Role::Src, Role::Dst];

    /// `source` or `destination`.
    pub fn name(self) -> &'static str {
        match self {
            Role::Src => "source",
            Role::Dst => "destination",
        }
    }

    /// The other side of a copy.
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
