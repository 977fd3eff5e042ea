//! A recorded copy: what is copied, by which threads, and the result of another compiler.

mod expect;
mod issue;
mod json;
mod names;
mod read;
mod wording;

pub use expect::{Expect, Sample, Tiles, Wanted};
pub use issue::Issue;
pub use names::Element;
pub use read::{ReadError, Suite, read, read_text};
pub use wording::{Begin, Enclosing, Open, View, Wording};

use tile_isa::{Scope, Space};
use tile_layout::{Axis, Layout, Range};
use tile_oracle::convert::NumberKind;
use tile_plan::problem::role::Role;

/// One copy to be lowered and checked.
#[derive(Clone, Debug)]
pub struct Case {
    /// Unique name.
    pub id: String,
    /// The threads that copy together.
    pub scope: Scope,
    /// Threads of a block, in one dimension.
    pub block: i64,
    /// The chip: `sm_90a`.
    pub chip: String,
    /// For each thread axis, the range of it that reaches the copy; axes without an entry are not narrowed.
    pub active: Vec<(Axis, Range)>,
    /// Other constructs around the copy, outermost first.
    pub enclosing: Vec<Enclosing>,
    /// The variant that the copy requests.
    pub forced: Option<String>,
    /// The requests of an asynchronous copy; `None` for a synchronous one.
    pub issue: Option<Issue>,
    /// Other options of the copy, known or not.
    pub options: Vec<(String, OptionValue)>,
    /// The source.
    pub src: Side,
    /// The destination.
    pub dst: Side,
    /// How the program expresses what is copied.
    pub wording: Wording,
    /// The conditions for the case to pass.
    pub wanted: Wanted,
}

/// One operand of a copy: a buffer and a region of it.
#[derive(Clone, Debug)]
pub struct Side {
    /// The memory space of the buffer.
    pub space: Space,
    /// Its element type.
    pub element: Element,
    /// Its extents, in elements.
    pub shape: Vec<i64>,
    /// The region that is copied, per dimension.
    pub region: Vec<Range>,
    /// How the program states the start of the region, per dimension; dimensions without an entry are literal numbers.
    pub begins: Vec<Begin>,
    /// What its type leaves to run time, per dimension; nothing if there are no entries. If there are, the layout has
    /// one iter for each dimension, and holds the run-time values.
    pub open: Vec<Open>,
    /// The layout of the whole buffer.
    pub layout: Layout,
}

/// The value of a copy's option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// `"nc"`.
    Text(String),
    /// `3`.
    Integer(i64),
    /// `true`.
    Flag(bool),
    /// A name without a value.
    Unit,
}

impl Case {
    /// Threads that share one copy: 1, 32, 128 or the block.
    pub fn threads(&self) -> i64 {
        match self.scope {
            Scope::Thread => 1,
            Scope::Warp => 32,
            Scope::Warpgroup => 128,
            Scope::Cta => self.block,
        }
    }

    /// Whether a thread of the block reaches the copy.
    pub fn is_active(&self, thread: i64) -> bool {
        self.active.iter().all(|(axis, range)| {
            axis_value(*axis, thread).is_none_or(|value| value >= range.begin && value - range.begin < range.extent)
        })
    }

    /// Whether the copy is executed at all.
    pub fn runs(&self) -> bool {
        self.enclosing.iter().all(|around| around.runs())
    }

    /// One of the operands.
    pub fn side(&self, role: Role) -> &Side {
        match role {
            Role::Src => &self.src,
            Role::Dst => &self.dst,
        }
    }
}

impl Case {
    /// The types of a copy that converts.
    pub fn kinds(&self) -> Option<(NumberKind, NumberKind)> {
        let (from, to) = (self.src.element.mlir, self.dst.element.mlir);
        NumberKind::of(from).zip(NumberKind::of(to)).filter(|_| from != to)
    }
}

impl Side {
    /// Dimensions whose region start is known only at run time: the dimension, how it is stated, and the start.
    pub fn runtime_begins(&self) -> impl Iterator<Item = (usize, Begin, i64)> {
        let all = self.begins.iter().zip(&self.region).enumerate();
        all.filter(|(_, (begin, _))| **begin != Begin::Written).map(|(at, (&begin, range))| (at, begin, range.begin))
    }

    /// The region starts that are known only at run time.
    pub fn values(&self) -> Vec<i64> {
        self.runtime_begins().map(|(_, _, begin)| begin).collect()
    }

    /// The run-time starts that can be other than 0; the others belong to regions that take the whole dimension.
    pub fn moving_values(&self) -> Vec<i64> {
        let moves = |dimension: &usize| self.region[*dimension].extent < self.shape[*dimension];
        self.runtime_begins().filter(|(dimension, ..)| moves(dimension)).map(|(_, _, begin)| begin).collect()
    }

    /// The extents that are known only at run time, by dimension.
    pub fn runtime_extents(&self) -> impl Iterator<Item = (usize, i64)> {
        let all = self.open.iter().zip(&self.shape).enumerate();
        all.filter(|(_, (open, _))| open.extent).map(|(at, (_, &extent))| (at, extent))
    }

    /// The strides that are known only at run time: the dimension, the promised divisor, and the stride.
    pub fn runtime_strides(&self) -> impl Iterator<Item = (usize, i64, i64)> {
        let all = self.open.iter().zip(&self.layout.shard).enumerate();
        all.filter_map(|(at, (open, iter))| Some((at, open.stride?, iter.stride)))
    }

    /// The number of elements in the region.
    pub fn elements(&self) -> i64 {
        self.region.iter().fold(1, |all: i64, range| all.saturating_mul(range.extent))
    }
}

/// The value of a thread axis in a thread of the block; `None` on an axis that does not count a block's threads.
///
/// Thread 75 is lane 11 of warp 2.
pub fn axis_value(axis: Axis, thread: i64) -> Option<i64> {
    match axis {
        Axis::Tx => Some(thread),
        Axis::LaneId => Some(thread % 32),
        Axis::WarpId => Some(thread / 32),
        Axis::WidInWg => Some(thread / 32 % 4),
        Axis::TidInWg => Some(thread % 128),
        Axis::WgId => Some(thread / 128),
        _ => None,
    }
}

/// The number of values of a thread axis in a block; `None` as for [`axis_value`].
pub fn axis_extent(axis: Axis, block: i64) -> Option<i64> {
    (0..block).filter_map(|thread| axis_value(axis, thread)).max().map(|last| last + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_count_threads() {
        let axes = [Axis::Tx, Axis::LaneId, Axis::WarpId, Axis::WidInWg, Axis::TidInWg, Axis::WgId];
        assert_eq!(axes.map(|axis| axis_value(axis, 203)), [203, 11, 6, 2, 75, 1].map(Some));
        assert_eq!(axes.map(|axis| axis_extent(axis, 160)), [160, 32, 5, 4, 128, 2].map(Some));
        assert_eq!(axes.map(|axis| axis_extent(axis, 1)), [1; 6].map(Some));
        assert_eq!((axis_value(Axis::Bx, 0), axis_extent(Axis::Memory, 32)), (None, None));
    }
}
