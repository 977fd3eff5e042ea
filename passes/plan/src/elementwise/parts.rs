//! Shared tiles that are computed with part by part, so that few of their elements are in registers at once.
//!
//! ```text
//!   128 x 128 f32, read and written by 128 threads      (32, 4, 32, 4) : (4, 32@tx, 1@tx, 1)     2 x 128 registers of each
//!     in 4 parts of 8 of the 32 rounds                  rows 0 to 31, 32 to 63, …                2 x 32
//! ```
//!
//! A part is a box of the tile: some of the rounds of each dimension, which are the slowest digits of its coordinates. Every thread has the
//! same rounds, so a part is all threads' work, and a register of the whole tile belongs to one part.

use tile_layout::{Axis, Iter, Layout};

use super::coordinates::{CoordinateLimit, digits_of, element_at};
use super::operand::{SharedTileOperand, TileOperand};
use super::partition::{TilePartition, renumber};
use crate::problem::refusal::Refusal;
use crate::problem::threads::Threads;

/// The most 32-bit registers of a thread that hold elements of shared tiles at once, where parts can be that small: a quarter of the 255
/// that a thread may have. Tiles that live in registers across the op, addresses and what the function computes need others, and the 16
/// accesses of 128 bits that fill them are enough in flight.
pub const MAX_HELD_REGISTERS: i64 = 64;

/// Parts of a partition, of equal extents; the last of a dimension may extend beyond the tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileParts {
    /// The partition of the whole tile.
    pub whole: TilePartition,
    /// That of one part.
    part: TilePartition,
    /// The number of parts along each dimension.
    counts: Vec<i64>,
}

/// The rounds of a dimension, and the registers that a round of it has.
#[derive(Clone, Copy, Debug)]
struct Rounds {
    rounds: i64,
    registers: i64,
}

impl TileParts {
    /// The whole tile as one part.
    pub fn one(whole: TilePartition) -> Self {
        TileParts { part: whole.clone(), counts: vec![1; whole.shape.len()], whole }
    }

    /// The fewest parts with which these tiles fit the registers, or the smallest parts.
    ///
    /// ```
    /// use tile_plan::elementwise::{TileParts, TilePartition};
    ///
    /// let whole = TilePartition::whole("(32, 4, 32, 4) : (4, 32@tx, 1@tx, 1)".parse().unwrap(), &[128, 128]);
    /// let parts = TileParts::new(whole, &[(&[128, 128], 32), (&[1, 128], 32), (&[128, 128], 32)]);
    /// assert_eq!(parts.begins(), [[0, 0], [28, 0], [56, 0], [84, 0], [112, 0]]);
    /// ```
    pub fn new(whole: TilePartition, tiles: &[(&[i64], u32)]) -> Self {
        let Some(rounds) = rounds(&whole) else { return TileParts::one(whole) };
        let held = |part: &[i64]| tiles.iter().map(|&tile| held_registers(&whole, &rounds, part, tile)).sum::<i64>();
        let all: Vec<i64> = rounds.iter().map(|dimension| dimension.rounds).collect();
        if held(&all) <= MAX_HELD_REGISTERS {
            return TileParts::one(whole);
        }
        let count = |part: &[i64]| part.iter().zip(&all).map(|(part, all)| (all + part - 1) / part).product::<i64>();
        let beyond = |part: &[i64]| (held(part) - MAX_HELD_REGISTERS).max(0);
        let best = divisions(&all).into_iter().min_by_key(|part| (beyond(part), count(part), held(part)));
        let part = best.unwrap_or(all.clone());
        let counts = part.iter().zip(&all).map(|(part, all)| (all + part - 1) / part).collect();
        match shortened(&whole, &all, &part) {
            Some(part) => TileParts { whole, part, counts },
            None => TileParts::one(whole),
        }
    }

    /// The 32-bit registers of these tiles in the smallest parts that a partition has.
    pub(super) fn least_registers(whole: &TilePartition, tiles: &[(&[i64], u32)]) -> i64 {
        let one = vec![1; whole.shape.len()];
        let held = |rounds: &[Rounds]| tiles.iter().map(|&tile| held_registers(whole, rounds, &one, tile)).sum();
        rounds(whole).map_or(0, |rounds| held(&rounds))
    }

    /// The number of parts.
    pub fn count(&self) -> usize {
        self.counts.iter().product::<i64>() as usize
    }

    /// Where each part begins, in row-major order.
    pub fn begins(&self) -> Vec<Vec<i64>> {
        let begin = |part: usize| {
            let digits = digits_of(part as i64, &self.counts);
            digits.iter().zip(&self.part.shape).map(|(digit, extent)| digit * extent).collect()
        };
        (0..self.count()).map(begin).collect()
    }

    /// The part that holds an element, by its row-major number in the whole partition.
    pub fn part_of(&self, element: i64) -> usize {
        let digits = digits_of(element, &self.whole.shape).into_iter().zip(&self.part.shape);
        let parts: Vec<i64> = digits.map(|(digit, extent)| digit / extent).collect();
        element_at(&parts, &self.counts) as usize
    }

    /// The part of a tile of these extents, whose elements are [repeated](TilePartition::repeated), that belongs to the part that begins there.
    ///
    /// # Errors
    /// As [`TilePartition::repeated`].
    pub fn region(&self, extents: &[i64], begin: &[i64]) -> Result<PartRegion, Refusal> {
        let partition = self.part.repeated(extents)?;
        let begin = begin.iter().zip(extents).enumerate();
        let begin = begin.map(|(dimension, (&begin, &extent))| self.part.owner(dimension, extent, begin)).collect();
        Ok(PartRegion { partition, begin })
    }

    /// By register of a tile in the whole partition: its register in a part. `None` for a tile that lives in registers, whose registers
    /// are what they are.
    ///
    /// # Errors
    /// As [`TileOperand::in_registers`], and layouts that are not of registers.
    pub(super) fn registers(&self, tile: &TileOperand, threads: &Threads) -> Result<Option<Vec<usize>>, Refusal> {
        let TileOperand::Shared(SharedTileOperand { name, .. }) = tile else { return Ok(None) };
        let whole = tile.in_registers(Some(&self.whole))?;
        let part = tile.in_registers(Some(&self.part))?;
        let in_part = super::operand::of_first_thread(&part.distribution(threads)?);
        let held = whole.distribution(threads)?;
        let mut part_registers = vec![0; held.registers()];
        for (register, element) in held.elements(0) {
            let within =
                digits_of(element, &whole.shape).into_iter().zip(&part.shape).map(|(digit, extent)| digit % extent);
            let within = element_at(&within.collect::<Vec<_>>(), &part.shape);
            let lost =
                || Refusal::new("no-partition", format!("a part of {name} has no register for element {element}"));
            part_registers[register] = *in_part.get(&within).ok_or_else(lost)?;
        }
        Ok(Some(part_registers))
    }
}

/// The region of a tile that a part reads or writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartRegion {
    /// The partition of it, whose extents are those of the region.
    pub partition: TilePartition,
    /// Where it begins.
    pub begin: Vec<i64>,
}

impl PartRegion {
    /// The dimensions in which it extends beyond a tile of these extents.
    pub fn limits(&self, extents: &[i64]) -> Vec<CoordinateLimit> {
        let ends = self.begin.iter().zip(&self.partition.shape).map(|(begin, extent)| begin + extent);
        let beyond = ends.zip(extents).enumerate().filter(|(_, (end, extent))| end > *extent);
        beyond.map(|(dimension, (_, &extent))| CoordinateLimit { dimension, extent }).collect()
    }
}

/// The rounds of each dimension; `None` for a partition whose dimensions are not whole iters.
fn rounds(whole: &TilePartition) -> Option<Vec<Rounds>> {
    let (grouped, seps) = whole.layout.group(&whole.shape).ok()?;
    let of_dimension = |dimension: usize| {
        let iters = || grouped.shard[seps[dimension]..seps[dimension + 1]].iter().filter(|iter| iter.extent != 1);
        let registers: i64 = iters().filter(|iter| iter.axis == Axis::Memory).map(|iter| iter.extent).product();
        let rounds = iters().next().filter(|iter| iter.axis == Axis::Memory).map_or(1, |iter| iter.extent);
        Rounds { rounds, registers: registers / rounds }
    };
    Some((0..whole.shape.len()).map(of_dimension).collect())
}

/// The registers that a tile needs for so many rounds of each dimension.
fn held_registers(whole: &TilePartition, rounds: &[Rounds], part: &[i64], (extents, bits): (&[i64], u32)) -> i64 {
    let of_dimension = |dimension: usize| {
        let held = rounds[dimension].registers * part[dimension];
        if extents[dimension] == 1 { 1 } else { whole.owner(dimension, extents[dimension], held - 1) + 1 }
    };
    let elements: i64 = (0..extents.len()).map(of_dimension).product();
    (elements * i64::from(bits) + 31) / 32
}

/// Rounds of a part along each dimension, in all ways that differ in the number of parts.
fn divisions(all: &[i64]) -> Vec<Vec<i64>> {
    let mut combinations = vec![Vec::new()];
    for &rounds in all {
        let mut counts: Vec<i64> = (1..=rounds).map(|parts| (rounds + parts - 1) / parts).collect();
        counts.dedup();
        combinations = combinations
            .into_iter()
            .flat_map(|begun: Vec<i64>| counts.iter().map(move |&count| [&begun[..], &[count]].concat()))
            .collect();
    }
    combinations
}

/// The partition with fewer rounds.
fn shortened(whole: &TilePartition, all: &[i64], part: &[i64]) -> Option<TilePartition> {
    let (grouped, seps) = whole.layout.group(&whole.shape).ok()?;
    let mut shard: Vec<Iter> = Vec::new();
    for (dimension, (&all, &count)) in all.iter().zip(part).enumerate() {
        let mut iters = grouped.shard[seps[dimension]..seps[dimension + 1]].to_vec();
        if let Some(slowest) = iters.iter_mut().find(|iter| iter.extent != 1).filter(|_| count != all) {
            slowest.extent = count;
        }
        shard.extend(iters);
    }
    renumber(&mut shard);
    let extents = whole.shape.iter().zip(all).zip(part);
    Some(TilePartition {
        layout: Layout { shard, ..whole.layout.clone() },
        shape: extents.map(|((extent, all), count)| extent / all * count).collect(),
        tile: whole.tile.clone(),
    })
}
