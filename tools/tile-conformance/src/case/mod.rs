//! A recorded copy: what is copied, by whom, and what became of it elsewhere.

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

use tile_layout::{Axis, Layout, Range};
use tile_oracle::convert::Kind;
use tile_plan::{Scope, Space, Which};

/// One copy to be lowered and checked.
#[derive(Clone, Debug)]
pub struct Case {
    /// Unique name.
    pub id: String,
    /// Who copies together.
    pub scope: Scope,
    /// Threads of a block, in one dimension.
    pub block: i64,
    /// The chip: `sm_90a`.
    pub chip: String,
    /// Per thread axis the part of it that reaches the copy; axes that are not there are not narrowed.
    pub active: Vec<(Axis, Range)>,
    /// What else is around the copy, outermost first.
    pub enclosing: Vec<Enclosing>,
    /// The variant that the copy requests.
    pub forced: Option<String>,
    /// What it requests beyond a synchronous copy; `None` for a synchronous one.
    pub issue: Option<Issue>,
    /// Other options of the copy, known or not.
    pub options: Vec<(String, OptionValue)>,
    /// Where the elements come from.
    pub src: Side,
    /// Where they go.
    pub dst: Side,
    /// How the program says what is copied.
    pub wording: Wording,
    /// What makes the case pass.
    pub wanted: Wanted,
}

/// One operand of a copy: a buffer and the region of it.
#[derive(Clone, Debug)]
pub struct Side {
    /// Where the buffer lives.
    pub space: Space,
    /// Its element type.
    pub element: Element,
    /// Its extents, in elements.
    pub shape: Vec<i64>,
    /// What is copied, per dimension.
    pub region: Vec<Range>,
    /// How the program states where the region begins, per dimension; dimensions without an entry are written.
    pub begins: Vec<Begin>,
    /// What its type leaves to the run, per dimension; nothing where there are no entries. The layout has an iter for each
    /// dimension then, and says what the run has.
    pub open: Vec<Open>,
    /// Which location holds which element of the whole buffer.
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
    /// Nothing but the name.
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

    /// Does a thread of the block reach the copy?
    pub fn is_active(&self, thread: i64) -> bool {
        self.active.iter().all(|(axis, range)| {
            axis_value(*axis, thread).is_none_or(|value| value >= range.begin && value - range.begin < range.extent)
        })
    }

    /// Is the copy done at all?
    pub fn runs(&self) -> bool {
        self.enclosing.iter().all(|around| around.runs())
    }

    /// One of the operands.
    pub fn side(&self, which: Which) -> &Side {
        match which {
            Which::Src => &self.src,
            Which::Dst => &self.dst,
        }
    }
}

impl Case {
    /// The types of a copy that converts.
    pub fn kinds(&self) -> Option<(Kind, Kind)> {
        let (from, to) = (self.src.element.mlir, self.dst.element.mlir);
        Kind::of(from).zip(Kind::of(to)).filter(|_| from != to)
    }
}

impl Side {
    /// Dimensions whose begin is known at run time only: the dimension, how, and where the region begins.
    pub fn runtime_begins(&self) -> impl Iterator<Item = (usize, Begin, i64)> {
        let all = self.begins.iter().zip(&self.region).enumerate();
        all.filter(|(_, (begin, _))| **begin != Begin::Written).map(|(at, (&begin, range))| (at, begin, range.begin))
    }

    /// The begins that are known at run time only.
    pub fn values(&self) -> Vec<i64> {
        self.runtime_begins().map(|(_, _, begin)| begin).collect()
    }

    /// Those that can be anything but 0: the others are of regions that take the whole dimension.
    pub fn moving_values(&self) -> Vec<i64> {
        let moves = |dimension: &usize| self.region[*dimension].extent < self.shape[*dimension];
        self.runtime_begins().filter(|(dimension, ..)| moves(dimension)).map(|(_, _, begin)| begin).collect()
    }

    /// The extents that are known at run time only, by dimension.
    pub fn runtime_extents(&self) -> impl Iterator<Item = (usize, i64)> {
        let all = self.open.iter().zip(&self.shape).enumerate();
        all.filter(|(_, (open, _))| open.extent).map(|(at, (_, &extent))| (at, extent))
    }

    /// The strides that are known at run time only: the dimension, what they are promised to be a multiple of, and the stride.
    pub fn runtime_strides(&self) -> impl Iterator<Item = (usize, i64, i64)> {
        let all = self.open.iter().zip(&self.layout.shard).enumerate();
        all.filter_map(|(at, (open, iter))| Some((at, open.stride?, iter.stride)))
    }

    /// Elements that take part.
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

/// How many values a thread axis has in a block; `None` as for [`axis_value`].
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
