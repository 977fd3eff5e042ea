//! The layouts of tiles in registers that no product decides: the elements are divided among the threads, in vectors.
//!
//! ```text
//!   64 x 64 f32 over 128 threads, rows are reduced:    8 lanes read 128 bytes of a row, each thread has 2 vectors of 4 of it
//!     (4, 16, 2, 8, 4) : (8, 8@tx, 4, 1@tx, 1)
//!   1 x 4096 bf16 over 512 threads:                    (1, 512, 8) : (1, 1@tx, 1)
//! ```
//!
//! Of the divisions in which each thread holds the fewest vectors, that is taken by whose copies lanes access the most adjacent bytes,
//! up to a line, then that whose rows are in the fewest warps and lanes, since these exchange what is reduced.

use std::cmp::Reverse;

use thiserror::Error;
use tile_isa::registers::{MAX_THREAD_REGISTERS, REGISTER_BITS};
use tile_isa::{Scope, WARP};
use tile_layout::{Axis, Layout, by_x, gcd};

use crate::elementwise::{PartitionForm, SpareThreads, TilePartition};
use crate::problem::threads::Threads;
use crate::traffic::LINE_BYTES;

/// Bits of the widest access of a thread.
const VECTOR_BITS: i64 = 128;

/// Why the elements of a tile are not divided among threads.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DivisionError {
    /// No op says which threads have the tile.
    #[error("got no op that says which threads have elements of it, expected one")]
    Unused,
    /// Ops of several scopes use the tile.
    #[error("got ops of scope {} and of scope {}, expected one scope", .0[0], .0[1])]
    Scopes([Scope; 2]),
    /// It is not known how many threads a block has.
    #[error("got a block of unknown size, expected known_block_size")]
    BlockSize,
    /// An op that uses the tile does not have all threads of its scope.
    #[error("got threads of which {0}, expected all of a scope")]
    Threads(String),
    /// The extents are divided by few threads.
    #[error(
        "got {shape} elements of {bits} bits over {threads} threads, of which {divided} divide them; expected at most {MAX_THREAD_REGISTERS} \
         registers a thread: extents with larger powers of two, of which a masked copy fills the rest"
    )]
    Uneven {
        /// The extents, `63x61`.
        shape: String,
        /// Bits of an element.
        bits: u32,
        /// Threads of the scope.
        threads: i64,
        /// The most threads that have elements of their own.
        divided: i64,
    },
    /// Another tile, with a layout, has elements in other threads.
    #[error(
        "got other tiles, with layouts by which no division of its elements is in the same threads; expected a layout"
    )]
    Related,
}

/// Adjacent bytes that lanes access, warps and lanes that exchange what is reduced, threads along the dimension of vectors.
type DivisionRank = (Reverse<i64>, i64, i64, Reverse<i64>);

/// A tile that is to be divided.
#[derive(Clone, Copy, Debug)]
pub struct TileDivision<'d> {
    /// The extents.
    pub shape: &'d [i64],
    /// The bits of an element, and of the narrowest element of tiles that are divided alike.
    pub bits: [u32; 2],
    /// The dimensions along which elements are combined.
    pub reduced: &'d [usize],
    /// The threads.
    pub threads: &'d Threads,
    /// What divides the places in memory at which rows begin and end, in elements; 0 where nothing does. No vector is longer.
    pub run: i64,
}

impl<'d> TileDivision<'d> {
    /// The layouts by which the tile may be divided, the best first.
    ///
    /// # Errors
    /// The threads are not all of a scope, or too few divide the extents.
    pub fn layouts(&self) -> Result<Vec<Layout>, DivisionError> {
        let count = self.count()?;
        let order = self.order();
        let partitions = self.form(&order, count, SpareThreads::Copies).partitions();
        let held = partitions.first().map_or(i64::MAX, |partition| registers(&partition.layout));
        if held.saturating_mul(i64::from(self.bits[0])) > MAX_THREAD_REGISTERS * REGISTER_BITS {
            let elements = self.shape.iter().fold(1i64, |all, &extent| all.saturating_mul(extent));
            return Err(DivisionError::Uneven {
                shape: by_x(self.shape),
                bits: self.bits[0],
                threads: count,
                divided: elements / held,
            });
        }
        let mut ranked: Vec<_> =
            partitions.into_iter().filter_map(|all| Some((self.rank(&all, &order)?, all))).collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        Ok(ranked.into_iter().map(|(_, partition)| partition.layout).collect())
    }

    /// The elements that a thread holds.
    ///
    /// # Errors
    /// As [`layouts`](Self::layouts).
    pub fn held(&self) -> Result<i64, DivisionError> {
        self.layouts()?.first().map(registers).ok_or(DivisionError::Related)
    }

    /// The smallest extents that the threads divide well: those of the tile; or larger ones, where each thread then holds at most half
    /// of what it would.
    ///
    /// # Errors
    /// The threads are not all of a scope.
    ///
    /// ```
    /// use tile_isa::Scope;
    /// use tile_plan::linalg::TileDivision;
    /// use tile_plan::problem::threads::Threads;
    ///
    /// let padded = |shape: &[i64], threads| {
    ///     let threads = Threads::all(Scope::Cta, Some(threads));
    ///     TileDivision { shape, bits: [32, 32], reduced: &[1], threads: &threads, run: 0 }.padded().unwrap()
    /// };
    /// assert_eq!(padded(&[4, 1024], 128), [4, 1024]);
    /// assert_eq!(padded(&[4, 1000], 128), [4, 1024]);
    /// assert_eq!(padded(&[3, 1000], 128), [3, 1024]);
    /// assert_eq!(padded(&[37, 61], 128), [38, 64]);
    /// // 50 elements each, one by one: the rows begin anywhere.
    /// assert_eq!(padded(&[1, 50257], 1024), [1, 51200]);
    /// ```
    pub fn padded(&self) -> Result<Vec<i64>, DivisionError> {
        let (count, order) = (self.count()?, self.order());
        let even = self.form(&order, count, SpareThreads::Copies).partitions();
        let beyond = self.form(&order, count, SpareThreads::Beyond).partitions();
        let keeps_units =
            |all: &&TilePartition| self.shape.iter().zip(&all.shape).all(|(&one, &held)| one > 1 || held == 1);
        let elements = |all: &TilePartition| all.shape.iter().product::<i64>();
        let rank = |all: &'_ TilePartition| Some((elements(all), self.rank(all, &order)?));
        let ranked = beyond.iter().filter(keeps_units).filter_map(|all| Some((rank(all)?, all)));
        let least = ranked.min_by_key(|(rank, _)| *rank).map(|(_, all)| all);
        let held = |all: Option<&TilePartition>| all.map_or(i64::MAX, |all| registers(&all.layout));
        let larger = least.filter(|_| held(least) <= held(even.first()) / 2);
        Ok(larger.map_or_else(|| self.shape.to_vec(), |larger| larger.shape.clone()))
    }

    /// What the elements of a vector divide.
    pub fn vector_run(&self) -> i64 {
        gcd(self.run, self.order().first().map_or(1, |&dimension| self.shape[dimension]))
    }

    /// The threads, which have to be all of a scope.
    fn count(&self) -> Result<i64, DivisionError> {
        let count = self.threads.count().ok_or(DivisionError::BlockSize)?;
        match self.threads.narrowed().filter(|_| self.threads.scope != Scope::Thread) {
            Some(narrowed) => Err(DivisionError::Threads(narrowed)),
            None => Ok(count),
        }
    }

    fn form<'f>(&self, order: &'f [usize], count: i64, spare: SpareThreads) -> PartitionForm<'f>
    where
        'd: 'f,
    {
        let (vector, scope) = (self.vector(), (self.threads.scope, count));
        PartitionForm { shape: self.shape, order, vector, scope, spare }
    }

    /// The dimensions, from the last one of several elements.
    fn order(&self) -> Vec<usize> {
        let (long, single): (Vec<usize>, Vec<usize>) =
            (0..self.shape.len()).rev().partition(|&dimension| self.shape[dimension] != 1);
        [long, single].concat()
    }

    /// Elements of the longest vector along the first dimension.
    fn vector(&self) -> i64 {
        let run = self.vector_run();
        let longest = (VECTOR_BITS / i64::from(self.bits[1]).max(1)).max(1);
        std::iter::successors(Some(longest), |vector| Some(vector / 2))
            .find(|vector| *vector <= 1 || run % vector == 0)
            .unwrap_or(1)
    }

    /// Smaller is better.
    fn rank(&self, partition: &TilePartition, order: &[usize]) -> Option<DivisionRank> {
        let (grouped, seps) = partition.layout.group(&partition.shape).ok()?;
        let threads = |dimension: usize| {
            let iters = grouped.shard[seps[dimension]..seps[dimension + 1]].iter();
            iters.filter(|iter| iter.axis.is_thread()).map(|iter| (iter.extent, iter.stride)).collect::<Vec<_>>()
        };
        let lanes = |(extent, stride): (i64, i64)| (WARP / stride.max(1)).clamp(1, extent);
        let along = |dimension: usize| threads(dimension).into_iter().map(|(extent, _)| extent).product::<i64>();
        let first = order.first().copied()?;
        let adjacent = along(first) * self.vector() * i64::from(self.bits[1]) / 8;
        let reduced = || self.reduced.iter().flat_map(|&dimension| threads(dimension));
        // Lanes exchange what is reduced in groups of a power of two, within a warp.
        let is_exchanged = |iter: (i64, i64)| {
            let lanes = lanes(iter);
            (iter.1 >= WARP || WARP % iter.1.max(1) == 0) && WARP % lanes == 0 && iter.0 % lanes == 0
        };
        if !reduced().all(is_exchanged) {
            return None;
        }
        let warps: i64 = reduced().map(|iter| iter.0 / lanes(iter)).product();
        let exchanged: i64 = reduced().map(lanes).product();
        Some((Reverse(adjacent.min(LINE_BYTES)), warps, exchanged, Reverse(along(first))))
    }
}

/// The elements that a thread holds.
pub(super) fn registers(layout: &Layout) -> i64 {
    layout.shard.iter().filter(|iter| iter.axis == Axis::Memory).map(|iter| iter.extent).product()
}
