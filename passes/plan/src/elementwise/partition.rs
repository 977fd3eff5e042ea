//! Partitions of a tile over the threads of a scope: each thread holds vectors along one dimension.
//!
//! ```text
//!   64 x 64, vectors of 4 along columns, 128 threads: 8 rows of 16 threads      (8, 8, 16, 4) : (4, 16@tx, 1@tx, 1)
//!     rows      8 times 8 threads
//!     columns   16 threads of a vector each
//!   63 x 60                                                                     the same, of 64 x 64: some hold elements beyond
//! ```

use tile_isa::{Scope, WARP};
use tile_layout::{Axis, Iter, Layout};

use super::coordinates::CoordinateLimit;
use crate::problem::refusal::Refusal;

/// Which thread holds which element of a tile in which register.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TilePartition {
    /// The layout of the registers.
    pub layout: Layout,
    /// The extents that it has: those of the tile, or of a part of it, or more where these do not divide.
    pub shape: Vec<i64>,
    /// The extents of the whole tile.
    pub tile: Vec<i64>,
}

impl TilePartition {
    /// The partition of a tile with fewer elements, each of which belongs to several that follow each other in a dimension: 64 columns of
    /// scales to 64 each of 4096, an extent of 1 to all. Each thread has the elements that belong to those that it holds.
    ///
    /// # Errors
    /// `dimension-not-of-iters` for a dimension that does not consist of whole iters, or that they do not divide so.
    ///
    /// ```
    /// use tile_plan::elementwise::TilePartition;
    ///
    /// let whole = TilePartition::whole("(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)".parse().unwrap(), &[16, 8]);
    /// let rows = whole.repeated(&[16, 1]).unwrap();
    /// assert_eq!(rows.layout.to_string(), "(2, 8, 1) : (1, 4@laneid, 1) + R(4 : 1@laneid)");
    /// assert_eq!(rows.shape, [16, 1]);
    /// let pairs = whole.repeated(&[16, 4]).unwrap();
    /// assert_eq!(pairs.layout.to_string(), "(2, 8, 4) : (1, 4@laneid, 1@laneid)");
    /// ```
    pub fn repeated(&self, extents: &[i64]) -> Result<TilePartition, Refusal> {
        let shape: Vec<i64> = (0..extents.len()).map(|dimension| self.owners(dimension, extents[dimension])).collect();
        if shape == self.shape {
            return Ok(self.clone());
        }
        // The elements of the tile, and those of this one that each of them belongs to, in turn.
        let split: Vec<i64> =
            shape.iter().zip(&self.shape).flat_map(|(&owners, &all)| [owners, all / owners]).collect();
        let (grouped, seps) = self
            .layout
            .group(&split)
            .map_err(|error| Refusal::new("dimension-not-of-iters", format!("the partition: {error}")))?;
        let unit = Iter::new(1, 1, Axis::Memory);
        let (mut shard, mut replica) = (Vec::new(), self.layout.replica.clone());
        for (dimension, &owners) in shape.iter().enumerate() {
            let [kept, repeated] =
                [2 * dimension, 2 * dimension + 1].map(|part| &grouped.shard[seps[part]..seps[part + 1]]);
            if owners == 1 {
                shard.push(unit);
            } else {
                shard.extend(kept);
            }
            replica.extend(repeated.iter().filter(|iter| iter.axis.is_thread() && iter.extent != 1));
        }
        renumber(&mut shard);
        let layout = Layout { shard, replica, ..self.layout.clone() };
        Ok(TilePartition { layout, shape, tile: extents.to_vec() })
    }

    /// The partition with the extents of a tile.
    pub fn whole(layout: Layout, shape: &[i64]) -> Self {
        TilePartition { layout, shape: shape.to_vec(), tile: shape.to_vec() }
    }

    /// The extent that the partition of a tile with this one has along a dimension.
    fn owners(&self, dimension: usize, extent: i64) -> i64 {
        let (held, tile) = (self.shape[dimension], self.tile[dimension]);
        if extent == 1 { 1 } else { owner(held, tile, extent) }
    }

    /// The element of a tile with this extent along a dimension to which the one at a coordinate belongs.
    pub(super) fn owner(&self, dimension: usize, extent: i64, coordinate: i64) -> i64 {
        owner(coordinate, self.tile[dimension], extent)
    }

    /// The dimensions in which it has more elements than a tile of these extents.
    pub fn limits(&self, extents: &[i64]) -> Vec<CoordinateLimit> {
        let beyond = |&(dimension, &extent): &(usize, &i64)| extent < self.shape[dimension];
        let limits = extents.iter().enumerate().filter(beyond);
        limits.map(|(dimension, &extent)| CoordinateLimit { dimension, extent }).collect()
    }
}

/// The coordinate of the element to which another one belongs, of `extent` elements to which `all` belong in turn.
pub(super) fn owner(coordinate: i64, all: i64, extent: i64) -> i64 {
    coordinate / (all / extent.max(1)).max(1)
}

/// Numbers registers anew, in the same order and without gaps.
pub(super) fn renumber(iters: &mut [Iter]) {
    let mut registers: Vec<&mut Iter> =
        iters.iter_mut().filter(|iter| iter.axis == Axis::Memory && iter.extent != 1).collect();
    registers.sort_by_key(|iter| iter.stride);
    let mut next = 1;
    for iter in registers {
        iter.stride = next;
        next *= iter.extent;
    }
}

/// What threads hold that a tile has no elements for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpareThreads {
    /// Elements beyond the tile: each element is one thread's.
    Beyond,
    /// Copies of elements; no thread holds one beyond the tile.
    Copies,
    /// Neutral elements beyond the tile, as terms of a reduction. Threads after the last whole warp, whose lanes can exchange nothing with
    /// those of others, hold none.
    Neutral,
}

/// How the elements of a tile are to be divided.
#[derive(Clone, Copy, Debug)]
pub struct PartitionForm<'f> {
    /// The extents of the tile.
    pub shape: &'f [i64],
    /// The dimensions, the one first along which vectors and adjacent threads are.
    pub order: &'f [usize],
    /// Elements of a vector.
    pub vector: i64,
    /// The scope, and its threads.
    pub scope: (Scope, i64),
    /// What threads hold for which there are no elements.
    pub spare: SpareThreads,
}

impl PartitionForm<'_> {
    /// The partitions of this form in which each thread holds as few vectors as possible.
    ///
    /// ```
    /// use tile_isa::Scope;
    /// use tile_plan::elementwise::{PartitionForm, SpareThreads};
    ///
    /// let form = PartitionForm { shape: &[2, 8], order: &[1, 0], vector: 2, scope: (Scope::Warp, 32), spare: SpareThreads::Copies };
    /// let layouts: Vec<String> = form.partitions().iter().map(|partition| partition.layout.to_string()).collect();
    /// assert_eq!(layouts, ["(2, 4, 2) : (4@laneid, 1@laneid, 1) + R(4 : 8@laneid)"]);
    /// ```
    pub fn partitions(&self) -> Vec<TilePartition> {
        let splits = self.splits();
        let least = splits.iter().map(|threads| self.vectors(threads)).min();
        splits.iter().filter(|threads| Some(self.vectors(threads)) == least).map(|threads| self.of(threads)).collect()
    }

    /// All partitions of this form, whatever number of vectors a thread holds.
    pub fn all_partitions(&self) -> Vec<TilePartition> {
        self.splits().iter().map(|threads| self.of(threads)).collect()
    }

    /// Whether the elements can be divided so that each is one thread's, and none is beyond the tile.
    pub(super) fn is_even(&self) -> bool {
        let is_even = |threads: &Vec<i64>| threads.iter().product::<i64>() == self.scope.1;
        self.spare == SpareThreads::Copies && self.splits().iter().any(is_even)
    }

    /// The threads that hold elements.
    fn threads(&self) -> i64 {
        let all = self.scope.1;
        if self.spare == SpareThreads::Neutral && all > WARP { all - all % WARP } else { all }
    }

    /// The threads along each dimension, in every way that they can be divided.
    fn splits(&self) -> Vec<Vec<i64>> {
        let mut splits = Vec::new();
        self.split(self.threads(), &mut vec![1; self.shape.len()], 0, &mut splits);
        splits
    }

    /// Elements of a vector along a dimension.
    fn run(&self, dimension: usize) -> i64 {
        if self.order.first() == Some(&dimension) { self.vector } else { 1 }
    }

    /// The vectors of each thread along a dimension.
    fn rounds(&self, dimension: usize, threads: i64) -> i64 {
        let round = threads * self.run(dimension);
        (self.shape[dimension] + round - 1) / round
    }

    fn vectors(&self, threads: &[i64]) -> i64 {
        threads.iter().enumerate().fold(1, |all, (dimension, &threads)| all * self.rounds(dimension, threads))
    }

    /// Divides `rest` threads among the dimensions from the `place`th on, as many as possible first.
    fn split(&self, rest: i64, threads: &mut Vec<i64>, place: usize, splits: &mut Vec<Vec<i64>>) {
        let Some(&dimension) = self.order.get(place) else {
            if rest == 1 || self.spare == SpareThreads::Copies {
                splits.push(threads.clone());
            }
            return;
        };
        let divides = |count: &i64| rest % count == 0 && self.fits(dimension, *count);
        for count in (1..=rest).rev().filter(divides) {
            threads[dimension] = count;
            self.split(rest / count, threads, place + 1, splits);
        }
        threads[dimension] = 1;
    }

    fn fits(&self, dimension: usize, threads: i64) -> bool {
        self.spare != SpareThreads::Copies || self.shape[dimension] % (threads * self.run(dimension)) == 0
    }

    /// The partition with so many threads along each dimension.
    fn of(&self, threads: &[i64]) -> TilePartition {
        let axis = thread_axis(self.scope.0);
        let mut blocks = vec![Vec::new(); self.shape.len()];
        let (mut register, mut thread) = (self.vector, 1);
        for &dimension in self.order {
            let (run, count, rounds) =
                (self.run(dimension), threads[dimension], self.rounds(dimension, threads[dimension]));
            let iters = [
                Iter::new(rounds, register, Axis::Memory),
                Iter::new(count, thread, axis),
                Iter::new(run, 1, Axis::Memory),
            ];
            blocks[dimension] = iters.into_iter().filter(|iter| iter.extent != 1).collect();
            register *= rounds;
            thread *= count;
        }
        blocks.iter_mut().filter(|block| block.is_empty()).for_each(|block| block.push(Iter::new(1, 1, Axis::Memory)));
        let copies = self.threads() / thread;
        let replica = (copies != 1).then(|| Iter::new(copies, thread, axis));
        let extent =
            |dimension: usize| self.rounds(dimension, threads[dimension]) * threads[dimension] * self.run(dimension);
        TilePartition {
            layout: Layout::new(blocks.concat()).with_replica(replica.into_iter().collect::<Vec<_>>()),
            shape: (0..self.shape.len()).map(extent).collect(),
            tile: self.shape.to_vec(),
        }
    }
}

/// The axis that counts the threads of a scope.
pub(super) fn thread_axis(scope: Scope) -> Axis {
    match scope {
        Scope::Thread | Scope::Warp => Axis::LaneId,
        Scope::Warpgroup => Axis::TidInWg,
        Scope::Cta => Axis::Tx,
    }
}
