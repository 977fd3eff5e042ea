//! The operands of an op that is planned, each with its role.
//!
//! ```text
//!   tile.copy %a to %b        src, dst
//!   tile.fill %value to %b    dst           a value is written, nothing is read
//! ```

use tile_isa::Space;
use tile_layout::{Layout, Range};

use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::{Begin, DynamicTerm, RunTimeStride};

/// A buffer, and the region of it that takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The memory space of the buffer.
    pub space: Space,
    /// The location of each element of the whole buffer.
    pub layout: Layout,
    /// The buffer's logical shape.
    pub shape: Vec<i64>,
    /// What the extent of each dimension is a multiple of, where that is known only at run time; 1 of dimensions beyond its end.
    pub extent_divisors: Vec<i64>,
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
        let (extent_divisors, origin, strides) = Default::default();
        Operand { space, layout, shape, extent_divisors, begin, extent, origin, strides, align_bytes }
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
        self.0.iter().find_map(|(known, operand)| (*known == role).then_some(operand))
    }

    /// Likewise, to change it.
    pub fn get_mut(&mut self, role: Role) -> Option<&mut Operand> {
        self.0.iter_mut().find_map(|(known, operand)| (*known == role).then_some(operand))
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
        match self.0.binary_search_by_key(&role, |(known, _)| *known) {
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
