//! Layouts with one dimension less: what is left of a tile's layout when that dimension is reduced.
//!
//! ```text
//!   C of mma.sync, 16 x 8      (2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)
//!   reduced along columns      (2, 8, 1) : (1, 4@laneid, 1) + R(4 : 1@laneid)       the lanes of a row all hold its result
//! ```
//!
//! Threads keep their rows. Those that held parts of one row hold the same result, so that a map can use it beside the
//! elements of the row. Registers are counted anew, in the same order.

use tile_isa::WARP;
use tile_layout::{Axis, Iter, Layout};

use crate::problem::refusal::Refusal;
use crate::sides::chain::thread_stride;

/// A layout, with the iters of one dimension by what they count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReducedLayouts {
    shape: Vec<i64>,
    dim: usize,
    /// The iters of the other dimensions, by dimension.
    kept: Vec<Vec<Iter>>,
    /// Lanes along the dimension.
    lanes: Vec<Iter>,
    /// Warps along the dimension.
    warps: Vec<Iter>,
    /// The layout as it was.
    layout: Layout,
}

impl ReducedLayouts {
    /// Those of a register tile of that layout and shape, along `dim`.
    ///
    /// # Errors
    /// A dimension that does not consist of whole iters, and an iter whose lanes are no part of each warp.
    pub fn new(layout: &Layout, shape: &[i64], dim: usize, name: &str) -> Result<Self, Refusal> {
        let (grouped, seps) =
            layout.group(shape).map_err(|error| Refusal::new("dimension-not-of-iters", format!("{name}: {error}")))?;
        let mut found = ReducedLayouts {
            shape: shape.to_vec(),
            dim,
            kept: Vec::new(),
            lanes: Vec::new(),
            warps: Vec::new(),
            layout: layout.clone(),
        };
        for dimension in 0..shape.len() {
            let iters = &grouped.shard[seps[dimension]..seps[dimension + 1]];
            if dimension != dim {
                found.kept.push(iters.iter().copied().filter(|iter| iter.extent != 1).collect());
                continue;
            }
            found.kept.push(Vec::new());
            for &iter in iters.iter().filter(|iter| iter.extent != 1) {
                found.classify(iter, name)?;
            }
        }
        Ok(found)
    }

    /// Adds an iter of the dimension to the lanes or the warps.
    fn classify(&mut self, iter: Iter, name: &str) -> Result<(), Refusal> {
        let Some(unit) = thread_stride(iter.axis) else { return Ok(()) };
        let threads = iter.stride.saturating_mul(unit);
        if threads > 0 && threads.saturating_mul(iter.extent) <= WARP {
            self.lanes.push(iter);
            return Ok(());
        }
        if threads > 0 && threads % WARP == 0 {
            self.warps.push(iter);
            return Ok(());
        }
        let inside = if threads > 0 && WARP % threads == 0 { WARP / threads } else { 0 };
        if inside > 0 && iter.extent % inside == 0 {
            let across = iter.stride.saturating_mul(inside);
            self.warps.push(Iter::new(iter.extent / inside, across, iter.axis));
            self.lanes.push(Iter::new(inside, iter.stride, iter.axis));
            return Ok(());
        }
        let reason = format!("{name}: the threads of {iter} are neither lanes of a warp nor whole warps");
        Err(Refusal::new("threads-not-warps", reason))
    }

    /// Lanes along the dimension, as iters of the thread index.
    pub(super) fn lanes(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        self.lanes.iter().map(|iter| (iter.extent, iter.stride * thread_stride(iter.axis).unwrap_or(1)))
    }

    /// The number of warps along the dimension.
    pub fn warps(&self) -> i64 {
        self.warps.iter().map(|iter| iter.extent).product()
    }

    /// The shape with another extent of the dimension.
    pub fn shape(&self, extent: i64) -> Vec<i64> {
        let mut shape = self.shape.clone();
        shape[self.dim] = extent;
        shape
    }

    /// The layout of the result: an extent of 1 along the dimension.
    pub fn result(&self) -> Layout {
        let replicas = self.warps.iter().chain(&self.lanes).copied();
        self.layout_with(1, vec![Iter::new(1, 1, Axis::Memory)], replicas.collect())
    }

    /// The layout of the results of single warps: one for each along the dimension, held by all its lanes.
    pub fn of_warps(&self) -> Layout {
        self.layout_with(1, self.warps.clone(), self.lanes.clone())
    }

    /// The layout of a tile in which each thread has the results of all warps.
    pub fn gathered(&self) -> Layout {
        let replicas = self.warps.iter().chain(&self.lanes).copied();
        let warps = self.warps();
        self.layout_with(warps, vec![Iter::new(warps, 1, Axis::Memory)], replicas.collect())
    }

    /// The layout of a tile in shared memory that warps write and all read: along the dimension it is slowest, so that lanes
    /// of different rows are adjacent.
    pub fn shared(&self) -> Layout {
        let mut stride = 1;
        let mut iters: Vec<Iter> = Vec::new();
        for dimension in (0..self.shape.len()).rev().filter(|&dimension| dimension != self.dim) {
            iters.push(Iter::new(self.shape[dimension], stride, Axis::Memory));
            stride *= self.shape[dimension];
        }
        iters.reverse();
        iters.insert(self.dim, Iter::new(self.warps(), stride, Axis::Memory));
        Layout::new(iters)
    }

    /// The other dimensions with registers in the same order, `unit` apart, and these iters and replicas.
    fn layout_with(&self, unit: i64, along: Vec<Iter>, replicas: Vec<Iter>) -> Layout {
        let mut strides: Vec<Iter> =
            self.kept.iter().flatten().copied().filter(|iter| iter.axis == Axis::Memory).collect();
        strides.sort_by_key(|iter| iter.stride);
        let mut next = unit;
        let renumbered: Vec<(i64, i64)> = strides
            .iter()
            .map(|iter| {
                let now = next;
                next *= iter.extent;
                (iter.stride, now)
            })
            .collect();
        let renumber = |iter: &Iter| match renumbered.iter().find(|(before, _)| *before == iter.stride) {
            Some(&(_, stride)) if iter.axis == Axis::Memory => Iter { stride, ..*iter },
            _ => *iter,
        };
        let mut shard = Vec::new();
        for (dimension, iters) in self.kept.iter().enumerate() {
            if dimension == self.dim {
                shard.extend(along.iter().copied());
            } else if iters.is_empty() {
                shard.push(Iter::new(1, 1, Axis::Memory));
            } else {
                shard.extend(iters.iter().map(renumber));
            }
        }
        let replica = self.layout.replica.iter().copied().chain(replicas).collect::<Vec<_>>();
        let offset = self.layout.offset.iter().filter(|(axis, _)| axis.is_thread());
        let offset = offset.map(|(&axis, &value)| (axis, value)).collect();
        Layout { offset, ..Layout::new(shard).with_replica(replica) }
    }
}
