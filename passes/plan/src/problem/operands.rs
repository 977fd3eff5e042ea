//! The operands of an op that is planned, each with its role.
//!
//! ```text
//!   tile.copy %a to %b        src, dst
//!   tile.fill %b, %value      dst           a value is written, nothing is read
//! ```

use std::fmt;

use serde::{Deserialize, Serialize};
use tile_isa::Space;
use tile_layout::{Layout, Range};

use crate::problem::refusal::Refusal;
use crate::problem::run_time::{DynamicTerm, RunTimeStride};
use crate::text::{is_default, is_one, one};

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

/// The start of a region in one dimension, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Begin {
    /// Known.
    Const(i64),
    /// Known only at run time, but `value ≡ residue (mod divisor)`.
    ///
    /// With nothing known, `divisor` is 1 and `residue` 0. `8*i + 3` has divisor 8 and residue 3.
    Dynamic {
        /// Index into the operand's list of run-time values.
        value: usize,
        /// At least 1.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        divisor: i64,
        /// In `0..divisor`.
        #[serde(default, skip_serializing_if = "is_default")]
        residue: i64,
    },
}

/// A buffer, and the region of it that takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The memory space of the buffer.
    pub space: Space,
    /// The location of each element of the whole buffer.
    pub layout: Layout,
    /// The buffer's logical shape.
    pub shape: Vec<i64>,
    /// Start of the region, per dimension.
    pub begin: Vec<Begin>,
    /// Extent of the region, per dimension.
    pub extent: Vec<i64>,
    /// The run-time part of the distance from the storage's first element to the start of the buffer.
    pub origin: Vec<DynamicTerm>,
    /// The strides of the layout's axes `s0`, `s1`, ….
    pub strides: Vec<RunTimeStride>,
    /// Proven alignment of the storage's first element, in bytes; a power of two.
    pub align_bytes: i64,
}

impl Operand {
    /// A whole buffer.
    pub fn whole(space: Space, layout: Layout, shape: &[i64], align_bytes: i64) -> Self {
        let begin = vec![Begin::Const(0); shape.len()];
        let (shape, extent) = (shape.to_vec(), shape.to_vec());
        Operand { space, layout, shape, begin, extent, origin: Vec::new(), strides: Vec::new(), align_bytes }
    }

    /// The same buffer with a static region.
    #[must_use]
    pub fn region(mut self, ranges: &[Range]) -> Self {
        self.begin = ranges.iter().map(|range| Begin::Const(range.begin)).collect();
        self.extent = ranges.iter().map(|range| range.extent).collect();
        self
    }

    /// Number of elements that take part. Call it after `check_copy`.
    pub fn elements(&self) -> i64 {
        self.extent.iter().product()
    }
}

/// The operands of an op, in the order of their roles; an op has at most one of each role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operands(Vec<(Role, Operand)>);

impl Operands {
    /// The operands of a copy.
    pub fn copied(src: Operand, dst: Operand) -> Self {
        Operands(vec![(Role::Src, src), (Role::Dst, dst)])
    }

    /// The operand of an op that has one.
    pub fn one(role: Role, operand: Operand) -> Self {
        Operands(vec![(role, operand)])
    }

    /// The operand of that role, if the op has one.
    pub fn get(&self, role: Role) -> Option<&Operand> {
        self.0.iter().find_map(|(of, operand)| (*of == role).then_some(operand))
    }

    /// Likewise, to change it.
    pub fn get_mut(&mut self, role: Role) -> Option<&mut Operand> {
        self.0.iter_mut().find_map(|(of, operand)| (*of == role).then_some(operand))
    }

    /// The operand of that role.
    ///
    /// # Errors
    /// `operand-missing` for an op without one.
    pub fn require(&self, role: Role) -> Result<&Operand, Refusal> {
        self.get(role).ok_or_else(|| Refusal::of(role, "operand-missing", format!("the op has no {role}")))
    }

    /// The same operands, with `operand` in that role.
    #[must_use]
    pub fn with(mut self, role: Role, operand: Operand) -> Self {
        match self.0.binary_search_by_key(&role, |(of, _)| *of) {
            Ok(place) => self.0[place].1 = operand,
            Err(place) => self.0.insert(place, (role, operand)),
        }
        self
    }

    /// The operands with their roles.
    pub fn iter(&self) -> impl Iterator<Item = (Role, &Operand)> {
        self.0.iter().map(|(role, operand)| (*role, operand))
    }

    /// Likewise, to change them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Role, &mut Operand)> {
        self.0.iter_mut().map(|(role, operand)| (*role, operand))
    }
}
