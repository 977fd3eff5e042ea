//! The layouts of tiles in registers that leave them open, from the products and the ops between them.
//!
//! ```text
//!   mma %a, %b, %s     s: the sums of the instruction that multiplies on this chip
//!   copy %s to %half   the same lanes and registers
//!   reduce %s to %r    a value for each row: the layout of the sums without their columns
//!   mma %half, %v, %o  the same warps for both products, where the left factor is what the first one summed
//! ```
//!
//! Tiles that no product decides are [divided](super::division) among their threads.
//!
//! All products that share tiles, or tiles that ops relate, are done by one instruction over the same warps: the first in the order of the
//! first product's candidates that all of them can take, and with which the ops between find each element where they need it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use tile_layout::{Layout, gcd};

use super::division::{DivisionError, TileDivision};
use super::product::{FactorTile, ProductPlan, ProductProblem, ProductRegisters};
use super::schedule::{LinalgSchedule, ProductInstruction};
use crate::distribution::RegisterDistribution;
use crate::elementwise::{ReducedLayouts, TilePartition};
use crate::problem::refusal::Refusal;
use crate::problem::threads::Threads;
use crate::target::Target;

/// A tile in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterTile {
    /// Its extents.
    pub shape: Vec<i64>,
    /// The bits of an element.
    pub bits: u32,
    /// Its layout, where that is not open.
    pub known: Option<Layout>,
    /// The threads of each op that uses it.
    pub threads: Vec<Threads>,
    /// The dimensions along which an op combines its elements.
    pub reduced: Vec<usize>,
    /// What divides the places at which its rows begin and end in global memory, in elements; 0 where nothing is known.
    pub run: i64,
    /// Whether it has only what a shared tile has, so that a product may read that instead.
    pub is_copy: bool,
}

/// Two tiles of which an op needs elements in the same threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileRelation {
    /// The number of the tile with all dimensions.
    pub whole: usize,
    /// That of the other one.
    pub other: usize,
    /// The dimensions in which the other one has the extent 1. In others it may have a divisor: each element belongs to several.
    pub reduced: Vec<usize>,
    /// The threads of the op.
    pub threads: Threads,
}

/// A product with tiles in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileProduct {
    /// What is multiplied.
    pub problem: ProductProblem,
    /// How, as far as it is stated.
    pub schedule: LinalgSchedule,
    /// The numbers of the factors and of the sums, as far as they are in registers.
    pub tiles: [Option<usize>; 3],
}

/// All tiles in registers of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegisterTiles {
    /// The tiles.
    pub tiles: Vec<RegisterTile>,
    /// What relates them.
    pub relations: Vec<TileRelation>,
    /// What decides.
    pub products: Vec<TileProduct>,
}

/// The layouts, and how each product is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterChoice {
    /// The layout of each tile; `None` of one whose elements are read from shared memory.
    pub tiles: Vec<Option<ProductRegisters>>,
    /// Whether each tile has the layout that a product needs; others are divided among their threads.
    pub is_of_product: Vec<bool>,
    /// The plan of each product.
    pub plans: Vec<ProductPlan>,
}

/// Why a tile has no layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegisterConflict {
    /// No product says which thread has an element of this tile, and it cannot be divided.
    Undivided(usize, DivisionError),
    /// A product cannot be done.
    Product(usize, Refusal),
    /// Two products are not done alike, or not with what is between them.
    Disagree {
        /// The products.
        products: [usize; 2],
        /// What each of them can be done by, or what they need of a tile.
        reason: String,
    },
}

/// How all products of a group are done: by which instruction, over which rows and columns of warps.
type Way = (ProductInstruction, Option<[i64; 2]>);

impl RegisterTiles {
    /// The layout of each tile.
    ///
    /// # Errors
    /// A tile has none: the first conflict of each group of tiles.
    pub fn choose(&self, target: &Target) -> Result<RegisterChoice, Vec<RegisterConflict>> {
        let groups = self.groups();
        let mut tiles = vec![None; self.tiles.len()];
        let mut is_of_product = vec![false; self.tiles.len()];
        let mut plans = vec![None; self.products.len()];
        let mut conflicts = Vec::new();
        for group in 0..self.tiles.len() {
            let members: Vec<usize> = (0..groups.len()).filter(|&tile| groups[tile] == group).collect();
            let is_of_group = |product: &TileProduct| product.tiles.iter().flatten().any(|&tile| groups[tile] == group);
            let products: Vec<usize> =
                (0..self.products.len()).filter(|&number| is_of_group(&self.products[number])).collect();
            if members.is_empty() {
                continue;
            }
            match self.choose_group(&products, target) {
                Ok((mut spread, chosen)) => {
                    let is_read_elsewhere = |tile: usize| !products.is_empty() && self.tiles[tile].is_copy;
                    let open = members.iter().copied().filter(|&tile| !is_read_elsewhere(tile)).collect::<Vec<_>>();
                    conflicts.extend(spread.divide(&open).err());
                    for &tile in &members {
                        tiles[tile] = spread.tiles[tile].clone();
                        is_of_product[tile] = spread.origins[tile].is_some();
                    }
                    products.iter().zip(chosen).for_each(|(&number, plan)| plans[number] = Some(plan));
                }
                Err(conflict) => conflicts.push(conflict),
            }
        }
        if conflicts.is_empty() {
            Ok(RegisterChoice { tiles, is_of_product, plans: plans.into_iter().flatten().collect() })
        } else {
            Err(conflicts)
        }
    }

    /// The first tile of the group that each tile is in: those that products and relations connect.
    fn groups(&self) -> Vec<usize> {
        let mut groups: Vec<usize> = (0..self.tiles.len()).collect();
        let related = self.relations.iter().map(|relation| vec![relation.whole, relation.other]);
        let multiplied = self.products.iter().map(|product| product.tiles.iter().flatten().copied().collect());
        for connected in related.chain(multiplied) {
            let of_connected: Vec<usize> = connected.iter().map(|&tile| groups[tile]).collect();
            let Some(&first) = of_connected.iter().min() else { continue };
            groups.iter_mut().filter(|group| of_connected.contains(group)).for_each(|group| *group = first);
        }
        groups
    }

    fn choose_group(
        &self,
        products: &[usize],
        target: &Target,
    ) -> Result<(TileSpread<'_>, Vec<ProductPlan>), RegisterConflict> {
        let mut plans: Vec<Vec<ProductPlan>> = Vec::new();
        for &number in products {
            let TileProduct { problem, schedule, .. } = &self.products[number];
            let all: Vec<_> = problem.plans(target, schedule).collect();
            if all.is_empty() {
                return Err(RegisterConflict::Product(number, problem.not_multiplied(target, schedule)));
            }
            plans.push(all);
        }
        let Some(first) = plans.first() else {
            let mut spread = TileSpread::new(self);
            return spread.relate().map(|()| (spread, Vec::new()));
        };
        let mut conflict = None;
        for way in first.iter().map(way) {
            let of_way = |all: &Vec<ProductPlan>| all.iter().find(|plan| self::way(plan) == way).cloned();
            let Some(chosen) = plans.iter().map(of_way).collect::<Option<Vec<_>>>() else { continue };
            let mut spread = TileSpread::new(self);
            let mut pairs = products.iter().zip(&chosen);
            match pairs.try_for_each(|(&number, plan)| spread.multiply(number, plan)).and_then(|()| spread.relate()) {
                Ok(()) => return Ok((spread, chosen)),
                Err(reason) => conflict = conflict.or(Some(reason)),
            }
        }
        Err(conflict.unwrap_or_else(|| apart(products, &plans)))
    }
}

fn way(plan: &ProductPlan) -> Way {
    (plan.instruction, plan.over)
}

/// Two products with nothing in common that they can be done by.
fn apart(products: &[usize], plans: &[Vec<ProductPlan>]) -> RegisterConflict {
    let is_apart = |all: &Vec<ProductPlan>| !all.iter().any(|plan| plans[0].iter().any(|one| way(one) == way(plan)));
    let other = plans.iter().position(is_apart).unwrap_or(plans.len() - 1);
    let list = |all: &[ProductPlan]| {
        let ways: BTreeSet<String> = all.iter().map(ToString::to_string).collect();
        ways.into_iter().collect::<Vec<_>>().join("; ")
    };
    let reason = format!("one can be done by {}, the other by {}", list(&plans[0]), list(&plans[other]));
    RegisterConflict::Disagree { products: [products[0], products[other]], reason }
}

/// The layouts that follow from products.
#[derive(Clone)]
struct TileSpread<'t> {
    problem: &'t RegisterTiles,
    tiles: Vec<Option<ProductRegisters>>,
    /// The product from which the layout of each tile follows.
    origins: Vec<Option<usize>>,
}

impl<'t> TileSpread<'t> {
    /// Those of tiles that have one.
    fn new(problem: &'t RegisterTiles) -> Self {
        let tiles = problem.tiles.iter().map(|tile| tile.known.clone().map(ProductRegisters::Layout)).collect();
        TileSpread { problem, tiles, origins: vec![None; problem.tiles.len()] }
    }

    /// Gives the tiles of a product the layouts of its plan.
    fn multiply(&mut self, number: usize, plan: &ProductPlan) -> Result<(), RegisterConflict> {
        let factor = |factor: &FactorTile| match factor {
            FactorTile::Registers(registers) if plan.depth == plan.size[2] => Some(registers.clone()),
            _ => None,
        };
        let needed = [factor(&plan.factors[0]), factor(&plan.factors[1]), Some(plan.sums.clone())];
        let TileProduct { tiles, problem: ProductProblem { threads, .. }, .. } = &self.problem.products[number];
        let pairs = tiles.iter().zip(needed).filter_map(|(tile, needed)| tile.zip(needed));
        pairs.into_iter().try_for_each(|(tile, needed)| self.give(tile, needed, (Some(number), threads)))
    }

    /// Gives related tiles the layouts that follow, until none is left that has one from which another's follows.
    fn relate(&mut self) -> Result<(), RegisterConflict> {
        let problem = self.problem;
        loop {
            let before = self.tiles.iter().flatten().count();
            for TileRelation { whole, other, reduced, threads } in &problem.relations {
                if let Some(registers) = &self.tiles[*whole] {
                    let origin = self.origins[*whole];
                    if let Some(needed) = problem.reduced(registers, *whole, *other, reduced) {
                        self.give(*other, needed, (origin, threads))?;
                    }
                } else if let (Some(registers), []) = (&self.tiles[*other], &reduced[..])
                    && problem.tiles[*other].shape == problem.tiles[*whole].shape
                    && let Some(needed) = problem.reduced(registers, *other, *whole, &[])
                {
                    let origin = self.origins[*other];
                    self.give(*whole, needed, (origin, threads))?;
                }
            }
            if self.tiles.iter().flatten().count() == before {
                return Ok(());
            }
        }
    }

    /// Divides tiles that have no layout among their threads, the largest first, and gives related ones what follows.
    fn divide(&mut self, members: &[usize]) -> Result<(), RegisterConflict> {
        let elements = |tile: usize| self.problem.tiles[tile].shape.iter().product::<i64>();
        let mut tiles = members.to_vec();
        tiles.sort_by_key(|&tile| Reverse(elements(tile)));
        for tile in tiles {
            if self.tiles[tile].is_none() {
                *self = self.divided(tile, members).map_err(|error| RegisterConflict::Undivided(tile, error))?;
            }
        }
        Ok(())
    }

    /// The layouts with the best division of a tile with which related ones agree.
    fn divided(&self, tile: usize, members: &[usize]) -> Result<Self, DivisionError> {
        let problem = self.problem;
        let RegisterTile { shape, bits, threads, .. } = &problem.tiles[tile];
        let first = threads.first().ok_or(DivisionError::Unused)?;
        if let Some(other) = threads.iter().find(|other| other.scope != first.scope) {
            return Err(DivisionError::Scopes([first.scope, other.scope]));
        }
        let threads = threads.iter().find(|threads| threads.narrowed().is_some()).unwrap_or(first);
        let alike = || members.iter().map(|&member| &problem.tiles[member]).filter(|member| member.shape == *shape);
        let narrowest = alike().map(|member| member.bits).min().unwrap_or(*bits);
        let reduced: BTreeSet<usize> = alike().flat_map(|member| member.reduced.iter().copied()).collect();
        let reduced: Vec<usize> = reduced.into_iter().collect();
        let run = alike().fold(0, |run, member| gcd(run, member.run));
        let division = TileDivision { shape, bits: [*bits, narrowest], reduced: &reduced, threads, run };
        let agreed = division.layouts()?.into_iter().find_map(|layout| {
            let mut spread = self.clone();
            spread.give(tile, ProductRegisters::Layout(layout), (None, threads)).and_then(|()| spread.relate()).ok()?;
            Some(spread)
        });
        agreed.ok_or(DivisionError::Related)
    }

    /// Gives a tile a layout, or requires the one that it has to have each element in the same threads.
    fn give(
        &mut self,
        tile: usize,
        needed: ProductRegisters,
        (origin, threads): (Option<usize>, &Threads),
    ) -> Result<(), RegisterConflict> {
        let Some(present) = &self.tiles[tile] else {
            self.tiles[tile] = Some(needed);
            self.origins[tile] = origin;
            return Ok(());
        };
        let RegisterTile { shape, bits, .. } = &self.problem.tiles[tile];
        let layouts = [present, &needed].map(|registers| registers.layout(shape, *bits));
        let is_same = match &layouts {
            [Some(present), Some(needed)] => present == needed || holds_alike([present, needed], shape, threads),
            _ => false,
        };
        if is_same {
            return Ok(());
        }
        let text = |layout: &Option<Layout>| layout.as_ref().map_or("none".to_owned(), Layout::to_string);
        let [present, needed] = [text(&layouts[0]), text(&layouts[1])];
        let products = [self.origins[tile], origin].map(|product| product.or(origin).unwrap_or_default());
        let reason = format!("one needs a tile of {shape:?} elements as {present}, the other as {needed}");
        Err(RegisterConflict::Disagree { products, reason })
    }
}

/// Whether each thread holds the same elements with both layouts.
fn holds_alike(layouts: [&Layout; 2], shape: &[i64], threads: &Threads) -> bool {
    let [one, other] = layouts.map(|layout| RegisterDistribution::new(layout, shape, "the tile", threads));
    let (Ok(one), Ok(other)) = (one, other) else { return false };
    let held = |all: &RegisterDistribution, thread| {
        let mut held: Vec<i64> = all.elements(thread).map(|(_, element)| element).collect();
        held.sort_unstable();
        held
    };
    one.threads() == other.threads() && (0..one.threads()).all(|thread| held(&one, thread) == held(&other, thread))
}

impl RegisterTiles {
    /// The layout of a tile that is related to one with these registers; `None` where it follows from none.
    fn reduced(
        &self,
        registers: &ProductRegisters,
        from: usize,
        to: usize,
        dims: &[usize],
    ) -> Option<ProductRegisters> {
        let (from, to) = (&self.tiles[from], &self.tiles[to]);
        let is_as_before =
            |named: &Layout| !dims.is_empty() || Some(named) == registers.layout(&from.shape, from.bits).as_ref();
        let named = registers
            .reduced(dims)
            .filter(|named| named.layout(&to.shape, to.bits).is_some_and(|layout| is_as_before(&layout)));
        named.or_else(|| {
            let mut layout = registers.layout(&from.shape, from.bits)?;
            let mut shape = from.shape.clone();
            for &dim in dims {
                layout = ReducedLayouts::new(&layout, &shape, dim, "the tile").ok()?.result();
                shape[dim] = 1;
            }
            TilePartition::whole(layout, &shape)
                .repeated(&to.shape)
                .ok()
                .map(|part| ProductRegisters::Layout(part.layout))
        })
    }
}
