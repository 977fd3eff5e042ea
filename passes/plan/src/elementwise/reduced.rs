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

/// What holds a digit of the coordinate along a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DimensionDigit {
    /// Registers of each thread.
    Registers(Iter),
    /// Lanes of each warp.
    Lanes(Iter),
    /// Whole warps.
    Warps(Iter),
}

impl DimensionDigit {
    /// Its iter.
    pub(super) fn iter(self) -> Iter {
        let (DimensionDigit::Registers(iter) | DimensionDigit::Lanes(iter) | DimensionDigit::Warps(iter)) = self;
        iter
    }

    /// The digits of an iter, slowest first: one that extends over several warps is two.
    fn of_iter(iter: Iter, name: &str) -> Result<Vec<DimensionDigit>, Refusal> {
        let Some(unit) = thread_stride(iter.axis) else { return Ok(vec![DimensionDigit::Registers(iter)]) };
        let threads = iter.stride.saturating_mul(unit);
        if threads > 0 && threads.saturating_mul(iter.extent) <= WARP {
            return Ok(vec![DimensionDigit::Lanes(iter)]);
        }
        if threads > 0 && threads % WARP == 0 {
            return Ok(vec![DimensionDigit::Warps(iter)]);
        }
        let inside = if threads > 0 && WARP % threads == 0 { WARP / threads } else { 0 };
        if inside > 0 && iter.extent % inside == 0 {
            let across = iter.stride.saturating_mul(inside);
            return Ok(vec![
                DimensionDigit::Warps(Iter::new(iter.extent / inside, across, iter.axis)),
                DimensionDigit::Lanes(Iter::new(inside, iter.stride, iter.axis)),
            ]);
        }
        let reason = format!("{name}: the threads of {iter} are neither lanes of a warp nor whole warps");
        Err(Refusal::new("threads-not-warps", reason))
    }
}

/// Tiles by which warps exchange what they have along the dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarpTiles {
    /// Their shape: that of the source, with fewer elements along the dimension.
    pub shape: Vec<i64>,
    /// What each warp has, in registers.
    pub partial: Layout,
    /// The tile in shared memory.
    pub shared: Layout,
    /// What all warps have, in the registers of each thread.
    pub gathered: Layout,
}

/// A layout, with the iters of one dimension by what they count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReducedLayouts {
    shape: Vec<i64>,
    dim: usize,
    /// The iters of the other dimensions, by dimension.
    kept: Vec<Vec<Iter>>,
    /// The digits of the dimension, slowest first.
    digits: Vec<DimensionDigit>,
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
        let mut reduced =
            ReducedLayouts { shape: shape.to_vec(), dim, kept: Vec::new(), digits: Vec::new(), layout: layout.clone() };
        for dimension in 0..shape.len() {
            let iters = &grouped.shard[seps[dimension]..seps[dimension + 1]];
            if dimension != dim {
                reduced.kept.push(iters.iter().copied().filter(|iter| iter.extent != 1).collect());
                continue;
            }
            reduced.kept.push(Vec::new());
            for &iter in iters.iter().filter(|iter| iter.extent != 1) {
                reduced.digits.extend(DimensionDigit::of_iter(iter, name)?);
            }
        }
        Ok(reduced)
    }

    /// The digits of the dimension, slowest first.
    pub(super) fn digits(&self) -> &[DimensionDigit] {
        &self.digits
    }

    /// Lanes along the dimension, as iters of the thread index.
    pub(super) fn lanes(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        let lanes = self.digits.iter().filter(|digit| matches!(digit, DimensionDigit::Lanes(_)));
        lanes.map(|digit| digit.iter()).map(|iter| (iter.extent, iter.stride * thread_stride(iter.axis).unwrap_or(1)))
    }

    /// The warps along the dimension.
    fn warps(&self) -> Vec<Iter> {
        let warps = self.digits.iter().filter(|digit| matches!(digit, DimensionDigit::Warps(_)));
        warps.map(|digit| digit.iter()).collect()
    }

    /// The shape with another extent of the dimension.
    fn shape(&self, extent: i64) -> Vec<i64> {
        let mut shape = self.shape.clone();
        shape[self.dim] = extent;
        shape
    }

    /// The layout of the result: an extent of 1 along the dimension.
    pub fn result(&self) -> Layout {
        self.layout_with(1, vec![Iter::new(1, 1, Axis::Memory)], &thread_iters(&self.digits))
    }

    /// The tiles by which all warps along the dimension exchange a result each; `None` if there is one warp.
    pub(super) fn tiles_of_warps(&self) -> Option<WarpTiles> {
        let (warps, rest): (Vec<_>, Vec<_>) =
            self.digits.iter().partition(|digit| matches!(digit, DimensionDigit::Warps(_)));
        (!warps.is_empty()).then(|| self.tiles(&[], &self.warps(), &rest))
    }

    /// The tiles by which all threads that hold `result`, of one element, receive it, whether they hold terms or not.
    pub(super) fn tiles_for_all(&self, result: &Layout) -> WarpTiles {
        let rest: Vec<_> =
            self.digits.iter().copied().filter(|digit| !matches!(digit, DimensionDigit::Warps(_))).collect();
        let tiles = self.tiles(&[], &self.warps(), &rest);
        let count = tiles.shape[self.dim];
        WarpTiles { gathered: Layout { shard: vec![Iter::new(count, 1, Axis::Memory)], ..result.clone() }, ..tiles }
    }

    /// The tiles by which the warps of one digit exchange totals of all faster digits. The slower digits stay where they are.
    pub(super) fn tiles_of_digit(&self, digit: usize) -> WarpTiles {
        self.tiles(&self.digits[..digit], &[self.digits[digit].iter()], &self.digits[digit + 1..])
    }

    fn tiles(&self, slower: &[DimensionDigit], warps: &[Iter], faster: &[DimensionDigit]) -> WarpTiles {
        let count: i64 = warps.iter().map(|iter| iter.extent).product();
        let extent = count * slower.iter().map(|digit| digit.iter().extent).product::<i64>();
        let (unit, partial) = registers_renumbered(slower, 1);
        let (unit_gathered, gathered) = registers_renumbered(slower, count);
        let replicas = thread_iters(faster);
        let every_warp = [warps, &replicas].concat();
        WarpTiles {
            shape: self.shape(extent),
            partial: self.layout_with(unit, [&partial[..], warps].concat(), &replicas),
            shared: self.shared(extent),
            gathered: self.layout_with(
                unit_gathered,
                [&gathered[..], &[Iter::new(count, 1, Axis::Memory)]].concat(),
                &every_warp,
            ),
        }
    }

    /// The layout of a tile in shared memory that warps write and all read: along the dimension it is slowest, so that lanes
    /// of different rows are adjacent.
    fn shared(&self, extent: i64) -> Layout {
        let mut stride = 1;
        let mut iters: Vec<Iter> = Vec::new();
        for dimension in (0..self.shape.len()).rev().filter(|&dimension| dimension != self.dim) {
            iters.push(Iter::new(self.shape[dimension], stride, Axis::Memory));
            stride *= self.shape[dimension];
        }
        iters.reverse();
        iters.insert(self.dim, Iter::new(extent, stride, Axis::Memory));
        Layout::new(iters)
    }

    /// The other dimensions with registers in the same order, `unit` apart, and these iters and replicas.
    fn layout_with(&self, unit: i64, along: Vec<Iter>, replicas: &[Iter]) -> Layout {
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
            if dimension == self.dim && !along.is_empty() {
                shard.extend(along.iter().copied());
            } else if iters.is_empty() {
                shard.push(Iter::new(1, 1, Axis::Memory));
            } else {
                shard.extend(iters.iter().map(renumber));
            }
        }
        let replica = self.layout.replica.iter().chain(replicas).copied().collect::<Vec<_>>();
        let offset = self.layout.offset.iter().filter(|(axis, _)| axis.is_thread());
        let offset = offset.map(|(&axis, &value)| (axis, value)).collect();
        Layout { offset, ..Layout::new(shard).with_replica(replica) }
    }
}

/// The iters of digits that threads hold.
fn thread_iters(digits: &[DimensionDigit]) -> Vec<Iter> {
    digits.iter().map(|digit| digit.iter()).filter(|iter| iter.axis != Axis::Memory).collect()
}

/// The iters of digits, their registers counted anew from a stride of `unit`; the stride after the last.
fn registers_renumbered(digits: &[DimensionDigit], unit: i64) -> (i64, Vec<Iter>) {
    let mut next = unit;
    let mut iters: Vec<Iter> = digits
        .iter()
        .rev()
        .map(|digit| match *digit {
            DimensionDigit::Registers(iter) => {
                let stride = next;
                next *= iter.extent;
                Iter { stride, ..iter }
            }
            threads => threads.iter(),
        })
        .collect();
    iters.reverse();
    (next, iters)
}
