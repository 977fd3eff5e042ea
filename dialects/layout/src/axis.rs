//! Axes of storage, the levels that thread axes count in, and the iter: a digit of a layout, with a stride on an axis.

use std::fmt;

/// A level of the thread hierarchy, inner to outer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// One thread.
    Thread,
    /// 32 threads in lockstep.
    Warp,
    /// Four consecutive warps.
    Warpgroup,
    /// A thread block.
    Cta,
    /// Thread blocks that share distributed shared memory.
    Cluster,
    /// The whole grid.
    Grid,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Thread => "thread",
            Level::Warp => "warp",
            Level::Warpgroup => "warpgroup",
            Level::Cta => "cta",
            Level::Cluster => "cluster",
            Level::Grid => "grid",
        })
    }
}

/// A dimension of storage, on which an iter's stride counts.
///
/// Thread axes index one level inside another: `laneid` counts threads in a warp, `warpid` warps in
/// a CTA. Memory axes count elements.
///
/// Stride axes count strides whose length in elements is known only at run time. The address of an element is its
/// position on the memory axis plus, for each stride axis, the position on that axis times its stride:
///
/// ```text
///   (64, 32) : (1@s0, 1)      element (r, c) is at  r * ld + c,  where s0 steps by ld elements
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Axis {
    /// Linear memory, or the register index of a thread.
    #[default]
    Memory,
    /// Block index in the grid, x.
    Bx,
    /// Block index in the grid, y.
    By,
    /// Block index in the grid, z.
    Bz,
    /// CTA in the cluster, x.
    Cbx,
    /// CTA in the cluster, y.
    Cby,
    /// CTA in the cluster, z.
    Cbz,
    /// Thread in the CTA.
    Tx,
    /// Warp in the CTA.
    WarpId,
    /// Warpgroup in the CTA.
    WgId,
    /// Warp in the warpgroup, 0 to 3.
    WidInWg,
    /// Thread in the warpgroup, 0 to 127.
    TidInWg,
    /// Lane in the warp, 0 to 31.
    LaneId,
    /// Lane of tensor memory, 0 to 127.
    TLane,
    /// Column of tensor memory, in elements.
    TCol,
    /// Memory, in steps of the buffer's first run-time stride.
    S0,
    /// Memory, in steps of the second run-time stride.
    S1,
    /// Memory, in steps of the third run-time stride.
    S2,
    /// Memory, in steps of the fourth run-time stride.
    S3,
    /// Memory, in steps of the fifth run-time stride.
    S4,
    /// Memory, in steps of the sixth run-time stride.
    S5,
    /// Memory, in steps of the seventh run-time stride.
    S6,
    /// Memory, in steps of the eighth run-time stride.
    S7,
}

impl Axis {
    /// Every axis, in the order of their codes (see [`Axis::code`]).
    pub const ALL: [Axis; 23] = [
        Axis::Memory,
        Axis::Bx,
        Axis::By,
        Axis::Bz,
        Axis::Cbx,
        Axis::Cby,
        Axis::Cbz,
        Axis::Tx,
        Axis::WarpId,
        Axis::WgId,
        Axis::WidInWg,
        Axis::TidInWg,
        Axis::LaneId,
        Axis::TLane,
        Axis::TCol,
        Axis::S0,
        Axis::S1,
        Axis::S2,
        Axis::S3,
        Axis::S4,
        Axis::S5,
        Axis::S6,
        Axis::S7,
    ];

    /// The axes of run-time strides, in their order.
    pub const STRIDES: [Axis; 8] = [Axis::S0, Axis::S1, Axis::S2, Axis::S3, Axis::S4, Axis::S5, Axis::S6, Axis::S7];

    /// The name in the text form; `m` for memory, which the text form leaves out.
    pub fn name(self) -> &'static str {
        match self {
            Axis::Memory => "m",
            Axis::Bx => "bx",
            Axis::By => "by",
            Axis::Bz => "bz",
            Axis::Cbx => "cbx",
            Axis::Cby => "cby",
            Axis::Cbz => "cbz",
            Axis::Tx => "tx",
            Axis::WarpId => "warpid",
            Axis::WgId => "wgid",
            Axis::WidInWg => "wid_in_wg",
            Axis::TidInWg => "tid_in_wg",
            Axis::LaneId => "laneid",
            Axis::TLane => "TLane",
            Axis::TCol => "TCol",
            Axis::S0 => "s0",
            Axis::S1 => "s1",
            Axis::S2 => "s2",
            Axis::S3 => "s3",
            Axis::S4 => "s4",
            Axis::S5 => "s5",
            Axis::S6 => "s6",
            Axis::S7 => "s7",
        }
    }

    /// A small integer that stands for the axis where only integers can be stored.
    pub fn code(self) -> i64 {
        self as i64
    }

    /// The inverse of [`Axis::code`].
    pub fn from_code(code: i64) -> Option<Axis> {
        usize::try_from(code).ok().and_then(|code| Self::ALL.get(code).copied())
    }

    /// The levels that a thread axis counts and counts within: `(counted, within)`; `None` on a memory axis.
    ///
    /// `laneid` counts threads within a warp: `(Thread, Warp)`.
    pub fn levels(self) -> Option<(Level, Level)> {
        Some(match self {
            Axis::Bx | Axis::By | Axis::Bz => (Level::Cta, Level::Grid),
            Axis::Cbx | Axis::Cby | Axis::Cbz => (Level::Cta, Level::Cluster),
            Axis::Tx => (Level::Thread, Level::Cta),
            Axis::WarpId => (Level::Warp, Level::Cta),
            Axis::WgId => (Level::Warpgroup, Level::Cta),
            Axis::WidInWg => (Level::Warp, Level::Warpgroup),
            Axis::TidInWg => (Level::Thread, Level::Warpgroup),
            Axis::LaneId => (Level::Thread, Level::Warp),
            _ => return None,
        })
    }

    /// The index of the run-time stride that a stride axis steps by; `None` on other axes.
    pub fn stride_index(self) -> Option<usize> {
        Self::STRIDES.iter().position(|&axis| axis == self)
    }

    /// Whether a position on the axis moves the address in memory.
    pub fn is_address(self) -> bool {
        self == Axis::Memory || self.stride_index().is_some()
    }

    /// Whether the axis indexes threads (or groups of them) rather than storage cells.
    pub fn is_thread(self) -> bool {
        self.levels().is_some()
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A number on an axis: `4@laneid`, and `4` on memory.
pub(crate) struct OnAxis(pub(crate) i64, pub(crate) Axis);

impl fmt::Display for OnAxis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        if self.1 == Axis::Memory { Ok(()) } else { write!(f, "@{}", self.1) }
    }
}

/// One digit: `extent` positions, `stride` apart on `axis`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Iter {
    /// Number of positions, at least 1.
    pub extent: i64,
    /// Distance between adjacent positions on `axis`, in elements (or threads).
    pub stride: i64,
    /// The axis that the stride counts on.
    pub axis: Axis,
}

impl Iter {
    /// An iter on a given axis.
    pub const fn new(extent: i64, stride: i64, axis: Axis) -> Self {
        Iter { extent, stride, axis }
    }

    /// An iter on the memory axis.
    pub const fn memory(extent: i64, stride: i64) -> Self {
        Iter::new(extent, stride, Axis::Memory)
    }
}

impl fmt::Display for Iter {
    /// `extent:stride`, and `@axis` unless it is memory.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.extent, OnAxis(self.stride, self.axis))
    }
}
