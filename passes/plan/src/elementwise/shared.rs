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
use tile_layout::{Axis, counted};

use super::map::CoordinateLimit;
use super::operand::RegisterOperand;
use super::partition::{PartitionForm, SpareThreads, TilePartition};
use crate::choose_layout::PlanCost;
use crate::families::select;
use crate::problem::mask::{Limit, Mask};
use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::Begin;
use crate::problem::threads::Threads;
use crate::problem::{Element, Problem};
use crate::target::Target;

/// The alignment of registers that copies are planned with, in bytes.
const REGISTERS_ALIGN_BYTES: i64 = 32;

/// A tile in shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedOperand {
    /// What messages call it.
    pub name: String,
    /// The tile.
    pub tile: Operand,
    /// Its elements.
    pub element: Element,
}

impl SharedOperand {
    /// The extents, without those of a buffer that it is a part of.
    fn extents(&self) -> &[i64] {
        &self.tile.extent
    }
}

/// An operand of an op that computes in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TileOperand {
    /// A tile in registers.
    Registers(RegisterOperand),
    /// A tile that is copied.
    Shared(SharedOperand),
}

impl TileOperand {
    /// Its extents.
    pub fn shape(&self) -> &[i64] {
        match self {
            TileOperand::Registers(tile) => &tile.shape,
            TileOperand::Shared(tile) => tile.extents(),
        }
    }

    /// The operand in registers: itself, or the tile that the shared one is copied from or to.
    ///
    /// # Errors
    /// As [`TilePartition::repeated`]; `no-partition` for a shared tile without one.
    pub fn in_registers(&self, partition: Option<&TilePartition>) -> Result<RegisterOperand, Refusal> {
        match self {
            TileOperand::Registers(tile) => Ok(tile.clone()),
            TileOperand::Shared(tile) => {
                let none = || Refusal::new("no-partition", format!("{} has no partition", tile.name));
                let partition = partition.ok_or_else(none)?;
                let TilePartition { layout, shape } = partition.repeated(tile.extents())?;
                Ok(RegisterOperand { name: tile.name.clone(), layout, shape })
            }
        }
    }
}

/// The search for a partition.
#[derive(Clone, Debug)]
pub struct PartitionProblem<'p> {
    /// The extents of what is divided.
    pub shape: &'p [i64],
    /// The tiles that are read, then those that are written.
    pub tiles: [&'p [TileOperand]; 2],
    /// The threads that compute.
    pub threads: &'p Threads,
    /// What threads hold for which there are no elements.
    pub spare: SpareThreads,
    /// The widest access, in bits.
    pub max_vector_bits: u32,
}

impl PartitionProblem<'_> {
    /// The best partition with which the op can be done, and what `accept` makes of it; none where no tile is shared.
    ///
    /// # Errors
    /// Why the best one cannot, or `no-partition` where no tile of registers can be copied.
    pub fn find<T>(
        &self,
        target: &Target,
        accept: impl Fn(Option<&TilePartition>) -> Result<T, Refusal>,
    ) -> Result<(Option<TilePartition>, T), Refusal> {
        if self.shared().next().is_none() {
            return accept(None).map(|made| (None, made));
        }
        if let Some(given) = self.given() {
            return accept(Some(&given)).map(|made| (Some(given), made));
        }
        let mut refusal = None;
        for partition in self.by_cost(target)? {
            match accept(Some(&partition)) {
                Ok(made) => return Ok((Some(partition), made)),
                Err(reason) => refusal = refusal.or(Some(reason)),
            }
        }
        Err(refusal.unwrap_or_else(|| self.none("none divides the tile")))
    }

    /// The partition that a tile in registers has.
    fn given(&self) -> Option<TilePartition> {
        self.tiles.iter().copied().flatten().find_map(|tile| match tile {
            TileOperand::Registers(RegisterOperand { layout, shape, .. }) if shape == self.shape => {
                Some(TilePartition { layout: layout.clone(), shape: shape.clone() })
            }
            _ => None,
        })
    }

    /// The shared tiles, each with its side in a copy.
    fn shared(&self) -> impl Iterator<Item = (Role, &SharedOperand)> {
        let [read, written] = self.tiles;
        let all = read.iter().map(|tile| (Role::Src, tile)).chain(written.iter().map(|tile| (Role::Dst, tile)));
        all.filter_map(|(role, tile)| match tile {
            TileOperand::Shared(tile) => Some((role, tile)),
            TileOperand::Registers(_) => None,
        })
    }

    /// Partitions with which all tiles can be copied, the cheapest first.
    fn by_cost(&self, target: &Target) -> Result<Vec<TilePartition>, Refusal> {
        let count = self.threads.count();
        let count = count.ok_or_else(|| {
            let name = self.shared().next().map_or("the tile", |(_, tile)| &tile.name);
            let reason = format!("the size of the block is not known, whose threads divide {name} among themselves");
            Refusal::new("block-size-unknown", reason)
        })?;
        let (mut found, mut refusal) = (Vec::new(), None);
        for order in self.orders() {
            for vector in self.vectors() {
                let scope = (self.threads.scope, count);
                let form = PartitionForm { shape: self.shape, order: &order, vector, scope, spare: self.spare };
                for partition in form.partitions() {
                    match self.cost(&partition, target) {
                        Ok(PlanCost { wavefronts, requests, .. }) => {
                            let limits = partition.limits(self.shape).len();
                            found.push(((wavefronts, requests, limits, Reverse(vector)), partition));
                        }
                        Err(reason) => refusal = refusal.or(Some(reason)),
                    }
                }
            }
        }
        found.sort_by_key(|(cost, _)| *cost);
        if found.is_empty() {
            let why = refusal.map_or_else(|| "none divides the tile".to_owned(), |refusal| refusal.reason);
            return Err(self.none(&why));
        }
        Ok(found.into_iter().map(|(_, partition)| partition).collect())
    }

    fn none(&self, why: &str) -> Refusal {
        let extents: Vec<String> = self.shape.iter().map(i64::to_string).collect();
        let threads = counted(self.threads.count().unwrap_or(0), "thread");
        Refusal::new(
            "no-partition",
            format!("no partition of {} over {threads} suits all tiles: {why}", extents.join("x")),
        )
    }

    /// Orders of the dimensions: those of the shared tiles' memory, the dimension first whose elements are closest.
    fn orders(&self) -> Vec<Vec<usize>> {
        let mut orders: Vec<Vec<usize>> = Vec::new();
        for (_, SharedOperand { tile, .. }) in self.shared() {
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
        let bits = self.shared().map(|(_, tile)| tile.element.bits.max(1)).min().unwrap_or(8);
        let most = i64::from(self.max_vector_bits / bits).max(1);
        std::iter::successors(Some(1), |vector| Some(vector * 2)).take_while(|&vector| vector <= most).collect()
    }

    /// What the copies of all shared tiles cost.
    fn cost(&self, partition: &TilePartition, target: &Target) -> Result<PlanCost, Refusal> {
        let mut sum = PlanCost::default();
        for (role, tile) in self.shared() {
            let problem = self.copy(role, tile, &partition.repeated(tile.extents())?)?;
            let (plan, _) =
                select(&problem, target).map_err(|error| Refusal::new("no-partition", error.to_string()))?;
            sum += PlanCost::of(&plan, &problem, target)
                .map_err(|error| Refusal::new("no-partition", error.to_string()))?;
        }
        Ok(sum)
    }

    /// The copy of a shared tile from or to registers.
    fn copy(&self, role: Role, tile: &SharedOperand, part: &TilePartition) -> Result<Problem, Refusal> {
        let registers = Operand::whole(Space::Local, part.layout.clone(), &part.shape, REGISTERS_ALIGN_BYTES);
        let limits = part.limits(tile.extents());
        let masked: Vec<usize> = limits.iter().map(|limit| limit.dimension).collect();
        let memory = Operand { extent: part.shape.clone(), ..tile.tile.clone() }.closed(role, &masked)?;
        let (src, dst) = if role == Role::Src { (memory, registers) } else { (registers, memory) };
        let mut problem = Problem::new(src, dst, tile.element.clone(), self.threads.clone());
        problem.max_vector_bits = self.max_vector_bits;
        if !limits.is_empty() {
            let walked = |dimension: usize| part.shape[..dimension].iter().filter(|&&extent| extent != 1).count();
            let limit = |limit: &CoordinateLimit| Limit {
                role,
                dimension: Some(walked(limit.dimension)),
                offset: 0,
                scale: 1,
                begin: Begin::Const(0),
                extent: Begin::Const(limit.extent),
            };
            let extents: Vec<i64> = part.shape.iter().copied().filter(|&extent| extent != 1).collect();
            problem.mask = Some(Mask::of(&extents, limits.iter().map(limit).collect(), None));
        }
        Ok(problem)
    }
}
