//! What orders of a copy between places in global memory cost, where they are compared.

use std::fmt;

use serde::{Deserialize, Serialize};
use tile_layout::counted;

use crate::text::is_default;

/// What the memories serve, for all threads of a copy, and what each thread issues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineCost {
    /// Lines of 128 bytes of global memory, counted for each request of a warp.
    pub lines: i64,
    /// Passes over the banks of shared memory.
    #[serde(default, skip_serializing_if = "is_default")]
    pub wavefronts: i64,
    /// Instructions of a thread.
    pub instructions: i64,
}

/// What a line costs: the sectors of 32 bytes that it has. A wavefront costs one.
const SECTORS: i64 = 4;

impl LineCost {
    /// The measure by which costs are compared: sectors of the lines, and wavefronts.
    pub fn weight(&self) -> i64 {
        self.lines.saturating_mul(SECTORS).saturating_add(self.wavefronts)
    }

    /// The sum of two costs.
    #[must_use]
    pub fn and(self, other: LineCost) -> LineCost {
        LineCost {
            lines: self.lines.saturating_add(other.lines),
            wavefronts: self.wavefronts.saturating_add(other.wavefronts),
            instructions: self.instructions.saturating_add(other.instructions),
        }
    }
}

impl fmt::Display for LineCost {
    /// `256 lines, 256 wavefronts`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", counted(self.lines, "line"), counted(self.wavefronts, "wavefront"))
    }
}

/// The cost of a plan, and of vectors that are the same elements on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineComparison {
    /// Of the plan.
    #[serde(rename = "own")]
    pub plan: LineCost,
    /// Of loads and stores of elements as they are.
    pub direct: LineCost,
}
