//! Tiles in shared memory that an op computes with in registers: the partition by which they are copied there and back.
//!
//! A tile in registers says which thread holds which element; with one of full shape, there is nothing to choose. Otherwise the
//! partition is searched whose copies cost shared memory the fewest wavefronts, and then the fewest instructions:
//!
//! ```text
//!   64 x 64 f16 and f32, both in rows, 128 threads
//!     vectors of 8   f16 16 bytes a lane    f32 twice 16 bytes, 32 apart: two lanes a bank        2 x 64 + 128 wavefronts
//!     vectors of 4   f16 8 bytes            f32 16 bytes                                          64 + 128
//! ```

use std::cmp::Reverse;

use tile_isa::Space;
use tile_layout::{Axis, by_x, counted};

use super::coordinates::CoordinateLimit;
use super::operand::RegisterOperand;
use super::operand::{SharedTileOperand, TileOperand};
use super::partition::{PartitionForm, SpareThreads, TilePartition};
use super::parts::{MAX_HELD_REGISTERS, PartRegion, TileParts};
use crate::choose_layout::PlanCost;
use crate::families::select;
use crate::problem::Problem;
use crate::problem::mask::{Mask, MaskLimit};
use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::Begin;
use crate::problem::threads::Threads;
use crate::target::Target;

/// The alignment of registers that copies are planned with, in bytes.
const REGISTERS_ALIGN_BYTES: i64 = 32;

/// The search for a partition.
#[derive(Clone, Debug)]
pub struct PartitionProblem<'p> {
    /// The extents of what is divided.
    pub shape: &'p [i64],
    /// The tiles that are read, then those that are written.
    pub tiles: [&'p [TileOperand]; 2],
    /// The threads that compute.
    pub threads: &'p Threads,
    /// What threads may hold for which there are no elements: what comes after the first is tried where the tile is not even.
    pub spare: &'p [SpareThreads],
    /// The widest access, in bits.
    pub max_vector_bits: u32,
    /// The tiles that need not be in registers as a whole.
    pub in_parts: ComputedParts,
}

/// The tiles that need not be in registers all at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComputedParts {
    /// None: all is read before anything is written.
    None,
    /// Those that are read.
    Read,
    /// Those that are read and those that are written.
    All,
}

/// A copy between registers and a part of a shared tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedCopy {
    /// The side of the shared tile.
    pub role: Role,
    /// Its place among the tiles that are read, or among those that are written.
    pub number: usize,
    /// The copy.
    pub problem: Problem,
}

impl PartitionProblem<'_> {
    /// The best partition with which the op can be done, in parts, and what `accept` makes of it; none where no tile is shared. Those in
    /// which threads hold as few vectors as possible come first: a reduction may decline all of these, where the lanes that hold the terms
    /// of an element are in different warps.
    ///
    /// # Errors
    /// Why the best one cannot, or `no-partition` where no tile of registers can be copied.
    pub fn find<T>(
        &self,
        target: &Target,
        accept: impl Fn(Option<&TilePartition>) -> Result<T, Refusal>,
    ) -> Result<(Option<TileParts>, T), Refusal> {
        if self.shared().next().is_none() {
            return accept(None).map(|made| (None, made));
        }
        if let Some(given) = self.given() {
            return accept(Some(&given)).map(|made| (Some(self.parts(given)), made));
        }
        let mut refusal = None;
        let divisions: [fn(&PartitionForm<'_>) -> Vec<TilePartition>; 2] =
            [|form| form.partitions(), |form| form.all_partitions()];
        for divide in divisions {
            let partitions = self.by_cost(target, divide).map_err(|reason| _ = refusal.get_or_insert(reason));
            for partition in partitions.unwrap_or_default() {
                match accept(Some(&partition)) {
                    Ok(made) => return Ok((Some(self.parts(partition)), made)),
                    Err(reason) => _ = refusal.get_or_insert(reason),
                }
            }
        }
        Err(refusal.unwrap_or_else(|| self.none("none divides the tile")))
    }

    /// The parts in which the tiles of a partition are computed.
    pub fn parts(&self, whole: TilePartition) -> TileParts {
        TileParts::new(whole, &self.divided())
    }

    /// The extents and the width of the elements of each tile that is computed in parts.
    fn divided(&self) -> Vec<(&[i64], u32)> {
        let is_divided = |role: Role| match self.in_parts {
            ComputedParts::None => false,
            ComputedParts::Read => role == Role::Src,
            ComputedParts::All => true,
        };
        let divided = self.shared().filter(|(role, ..)| is_divided(*role));
        divided.map(|(_, _, tile)| (tile.extents(), tile.element.bits)).collect()
    }

    /// The copies of all shared tiles that the op becomes, in parts that [`find`](Self::find) has found.
    ///
    /// # Errors
    /// As [`TilePartition::repeated`], and a region that a tile does not have.
    pub fn copies(&self, parts: &TileParts) -> Result<Vec<SharedCopy>, Refusal> {
        let whole = TileParts::one(parts.whole.clone());
        let mut copies = Vec::new();
        for (role, number, tile) in self.shared() {
            let parts = if role == Role::Dst && self.in_parts != ComputedParts::All { &whole } else { parts };
            let mut before = None;
            for begin in parts.begins() {
                let region = parts.region(tile.extents(), &begin)?;
                // What is repeated for the next part stays in registers.
                if role == Role::Src && before.as_ref() == Some(&region) {
                    continue;
                }
                copies.push(SharedCopy { role, number, problem: self.copy(role, tile, &region)? });
                before = Some(region);
            }
        }
        Ok(copies)
    }

    /// What the copies of all shared tiles cost at least, of whatever partition and layouts.
    pub fn least(&self, target: &Target) -> PlanCost {
        let least = |(_, _, tile): (Role, usize, &SharedTileOperand)| {
            let elements = tile.extents().iter().fold(1i64, |all, &extent| all.saturating_mul(extent));
            let bits = elements.saturating_mul(i64::from(tile.element.bits));
            PlanCost::least_of_side(Space::Shared, bits, self.max_vector_bits, target)
        };
        let mut sum = PlanCost::default();
        self.shared().for_each(|tile| sum += least(tile));
        sum
    }

    /// The partition that a tile in registers has.
    fn given(&self) -> Option<TilePartition> {
        self.tiles.iter().copied().flatten().find_map(|tile| match tile {
            TileOperand::Registers(RegisterOperand { layout, shape, .. }) if shape == self.shape => {
                Some(TilePartition::whole(layout.clone(), shape))
            }
            _ => None,
        })
    }

    /// The shared tiles, each with its side in a copy and its place among the operands of that side.
    fn shared(&self) -> impl Iterator<Item = (Role, usize, &SharedTileOperand)> {
        let [read, written] = self.tiles.map(|tiles| tiles.iter().enumerate());
        let all = read.map(|tile| (Role::Src, tile)).chain(written.map(|tile| (Role::Dst, tile)));
        all.filter_map(|(role, (number, tile))| match tile {
            TileOperand::Shared(tile) => Some((role, number, tile)),
            TileOperand::Registers(_) => None,
        })
    }

    /// Partitions of all forms, as `divide` makes them, with which all tiles can be copied; the cheapest first, and last those
    /// whose smallest part already has too many registers: vectors of the narrowest elements are long ones of the others.
    fn by_cost(
        &self,
        target: &Target,
        divide: fn(&PartitionForm<'_>) -> Vec<TilePartition>,
    ) -> Result<Vec<TilePartition>, Refusal> {
        let count = self.threads.count();
        let count = count.ok_or_else(|| {
            let name = self.shared().next().map_or("the tile", |(_, _, tile)| &tile.name);
            let reason = format!("the size of the block is not known, whose threads divide {name} among themselves");
            Refusal::new("block-size-unknown", reason)
        })?;
        let divided = self.divided();
        let (mut ranked, mut refusal) = (Vec::new(), None);
        let (orders, vectors, scope) = (self.orders(), self.vectors(), (self.threads.scope, count));
        let mut is_even = false;
        for &spare in self.spare {
            if is_even {
                break;
            }
            let forms = orders.iter().flat_map(|order| vectors.iter().map(move |&vector| (order, vector)));
            for (order, vector) in forms {
                let form = PartitionForm { shape: self.shape, order, vector, scope, spare };
                is_even |= form.is_even();
                for partition in divide(&form) {
                    match self.cost(&partition, target) {
                        Ok(PlanCost { wavefronts, requests, .. }) => {
                            let limits = partition.limits(self.shape).len();
                            let beyond = (TileParts::least_registers(&partition, &divided) - MAX_HELD_REGISTERS).max(0);
                            ranked.push(((beyond, wavefronts, requests, limits, Reverse(vector)), partition));
                        }
                        Err(reason) => refusal = refusal.or(Some(reason)),
                    }
                }
            }
        }
        ranked.sort_by_key(|(cost, _)| *cost);
        if ranked.is_empty() {
            let why = refusal.map_or_else(|| "none divides the tile".to_owned(), |refusal| refusal.reason);
            return Err(self.none(&why));
        }
        Ok(ranked.into_iter().map(|(_, partition)| partition).collect())
    }

    fn none(&self, why: &str) -> Refusal {
        let threads = counted(self.threads.count().unwrap_or(0), "thread");
        Refusal::new(
            "no-partition",
            format!("no partition of {} over {threads} suits all tiles: {why}", by_x(self.shape)),
        )
    }

    /// Orders of the dimensions: those of the shared tiles' memory, the dimension first whose elements are closest.
    fn orders(&self) -> Vec<Vec<usize>> {
        let mut orders: Vec<Vec<usize>> = Vec::new();
        for (_, _, SharedTileOperand { tile, .. }) in self.shared() {
            let mut order: Vec<usize> = (0..self.shape.len()).rev().collect();
            if let Ok((grouped, seps)) = tile.layout.group(&tile.shape) {
                let stride = |dimension: &usize| {
                    let iters = grouped.shard[seps[*dimension]..seps[dimension + 1]].iter();
                    let steps = iters.filter(|iter| iter.extent != 1 && iter.axis == Axis::Memory);
                    steps.map(|iter| iter.stride.abs()).min().unwrap_or(i64::MAX)
                };
                order.sort_by_key(stride);
            }
            if !orders.contains(&order) {
                orders.push(order);
            }
        }
        orders
    }

    /// Lengths of vectors: powers of two up to the widest access of the narrowest elements.
    fn vectors(&self) -> Vec<i64> {
        let bits = self.shared().map(|(_, _, tile)| tile.element.bits.max(1)).min().unwrap_or(8);
        let most = i64::from(self.max_vector_bits / bits).max(1);
        std::iter::successors(Some(1), |vector| Some(vector * 2)).take_while(|&vector| vector <= most).collect()
    }

    /// What the copies of all shared tiles cost.
    fn cost(&self, partition: &TilePartition, target: &Target) -> Result<PlanCost, Refusal> {
        let mut sum = PlanCost::default();
        let (whole, begin) = (TileParts::one(partition.clone()), vec![0; partition.shape.len()]);
        for (role, _, tile) in self.shared() {
            let problem = self.copy(role, tile, &whole.region(tile.extents(), &begin)?)?;
            let (plan, _) =
                select(&problem, target).map_err(|error| Refusal::new("no-partition", error.to_string()))?;
            sum += PlanCost::of(&plan, &problem, target)
                .map_err(|error| Refusal::new("no-partition", error.to_string()))?;
        }
        Ok(sum)
    }

    /// The copy of a part of a shared tile from or to registers.
    fn copy(&self, role: Role, tile: &SharedTileOperand, part: &PartRegion) -> Result<Problem, Refusal> {
        let shape = &part.partition.shape;
        let registers = Operand::whole(Space::Local, part.partition.layout.clone(), shape, REGISTERS_ALIGN_BYTES);
        let limits = part.limits(tile.extents());
        let masked: Vec<usize> = limits.iter().map(|limit| limit.dimension).collect();
        let begin = tile.tile.begin.iter().zip(&part.begin).map(|(&begin, &more)| begin.plus(more)).collect();
        let memory = Operand { extent: shape.clone(), begin, ..tile.tile.clone() }.closed(role, &masked)?;
        let (src, dst) = if role == Role::Src { (memory, registers) } else { (registers, memory) };
        let mut problem = Problem::new(src, dst, tile.element.clone(), self.threads.clone());
        problem.max_vector_bits = self.max_vector_bits;
        if !limits.is_empty() {
            let walked = |dimension: usize| shape[..dimension].iter().filter(|&&extent| extent != 1).count();
            let limit = |limit: &CoordinateLimit| MaskLimit {
                role,
                dimension: Some(walked(limit.dimension)),
                offset: 0,
                scale: 1,
                begin: Begin::Const(part.begin[limit.dimension]),
                extent: Begin::Const(limit.extent),
            };
            let extents: Vec<i64> = shape.iter().copied().filter(|&extent| extent != 1).collect();
            problem.mask = Some(Mask::of(&extents, limits.iter().map(limit).collect(), None));
        }
        Ok(problem)
    }
}
