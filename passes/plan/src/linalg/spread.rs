//! How layouts of tiles in registers spread: from each that is known to the tiles that ops relate to it, to its views, and to what it is a
//! view of.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use tile_isa::registers::{MAX_THREAD_REGISTERS, REGISTER_BITS};
use tile_layout::{Layout, gcd};

use super::division::{DivisionError, TileDivision, registers};
use super::product::{FactorTile, ProductPlan, ProductProblem, ProductRegisters};
use super::related::{LocalTile, LocalTiles, RegisterConflict, TileProduct, TileRelation};
use super::views::{TileView, ViewForm, ViewSide};
use crate::distribution::RegisterDistribution;
use crate::elementwise::{ReducedLayouts, TilePartition};
use crate::problem::threads::Threads;

/// The layouts that follow from those of products, and from those that tiles have.
#[derive(Clone)]
pub(super) struct TileSpread<'t> {
    problem: &'t LocalTiles,
    /// The layout of each tile.
    pub tiles: Vec<Option<ProductRegisters>>,
    /// The product from which each of them follows.
    pub origins: Vec<Option<usize>>,
}

impl<'t> TileSpread<'t> {
    /// Those of tiles that have one.
    pub fn new(problem: &'t LocalTiles) -> Self {
        let tiles = problem.tiles.iter().map(|tile| tile.known.clone().map(ProductRegisters::Layout)).collect();
        TileSpread { problem, tiles, origins: vec![None; problem.tiles.len()] }
    }

    /// Gives the tiles of a product the layouts of its plan.
    pub fn multiply(&mut self, number: usize, plan: &ProductPlan) -> Result<(), RegisterConflict> {
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
    pub fn relate(&mut self) -> Result<(), RegisterConflict> {
        let problem = self.problem;
        loop {
            let before = self.tiles.iter().flatten().count();
            (0..problem.views.len()).try_for_each(|view| self.follow(view))?;
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

    /// Gives a side of a view the layout that follows from the other side's, or requires that it has it.
    fn follow(&mut self, view: usize) -> Result<(), RegisterConflict> {
        let TileView { source, view: viewed, form } = &self.problem.views[view];
        let (side, [from, to]) = match [*source, *viewed].map(|tile| self.tiles[tile].is_some()) {
            [true, _] => (ViewSide::Source, [*source, *viewed]),
            [false, true] => (ViewSide::View, [*viewed, *source]),
            [false, false] => return Ok(()),
        };
        let [of_source, of_view] = [*source, *viewed].map(|tile| &self.problem.tiles[tile]);
        let Some(layout) = self.layout(from) else { return Ok(()) };
        let origin = self.origins[from];
        let conflict = |refusal| RegisterConflict::View { view, origin, refusal };
        let needed = form.other(side, &layout, [&of_source.shape, &of_view.shape]).map_err(conflict)?;
        let Some(threads) = of_source.threads.first() else { return Ok(()) };
        self.give(to, ProductRegisters::Layout(needed), (origin, threads))
    }

    fn layout(&self, tile: usize) -> Option<Layout> {
        let LocalTile { shape, bits, .. } = &self.problem.tiles[tile];
        self.tiles[tile].as_ref()?.layout(shape, *bits)
    }

    /// Divides tiles that have no layout among their threads, the largest first, and gives related ones what follows. Of those with as many
    /// elements, views in which some are combined come first.
    pub fn divide(&mut self, members: &[usize]) -> Result<(), RegisterConflict> {
        let order = |&tile: &usize| {
            let LocalTile { shape, reduced, .. } = &self.problem.tiles[tile];
            Reverse((shape.iter().product::<i64>(), reduced.len()))
        };
        let mut tiles = members.to_vec();
        tiles.sort_by_key(order);
        for tile in tiles {
            if self.tiles[tile].is_none() {
                *self = self.divided_by_parts(tile, members)?;
            }
        }
        Ok(())
    }

    /// A tile is divided as its parts are, if no thread holds more elements than otherwise: then all threads have some of each part.
    fn divided_by_parts(&self, tile: usize, members: &[usize]) -> Result<Self, RegisterConflict> {
        let whole = self.divided(tile, members);
        let held = |spread: &Self| spread.layout(tile).as_ref().map_or(i64::MAX, registers);
        let limit = MAX_THREAD_REGISTERS * REGISTER_BITS / i64::from(self.problem.tiles[tile].bits.max(1));
        let most = whole.as_ref().map_or(limit, held);
        let is_part = |view: &&TileView| view.source == tile && matches!(view.form, ViewForm::Part { .. });
        let parts = self.problem.views.iter().filter(is_part).map(|view| self.divided(view.view, members));
        parts.flatten().find(|spread| held(spread) <= most).map_or(whole, Ok)
    }

    /// The layouts with the best division of a tile with which related ones agree.
    fn divided(&self, tile: usize, members: &[usize]) -> Result<Self, RegisterConflict> {
        let undivided = |error| RegisterConflict::Undivided(tile, error);
        let (layouts, threads) = self.divisions(tile, members).map_err(undivided)?;
        let mut refused = undivided(DivisionError::Related);
        for layout in layouts {
            let mut spread = self.clone();
            let given = spread.give(tile, ProductRegisters::Layout(layout), (None, threads));
            match given.and_then(|()| spread.relate()) {
                Ok(()) => return Ok(spread),
                Err(conflict @ RegisterConflict::View { .. }) => refused = conflict,
                Err(_) => (),
            }
        }
        Err(refused)
    }

    /// The layouts by which a tile may be divided among its threads.
    fn divisions(&self, tile: usize, members: &[usize]) -> Result<(Vec<Layout>, &'t Threads), DivisionError> {
        let problem = self.problem;
        let LocalTile { shape, bits, threads, .. } = &problem.tiles[tile];
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
        Ok((division.layouts()?, threads))
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
        let LocalTile { shape, bits, .. } = &self.problem.tiles[tile];
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
        let reason = format!("one needs a tile of {shape:?} elements as {present}, the other as {needed}");
        Err(RegisterConflict::Disagree { tile, origins: [self.origins[tile], origin], reason })
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

impl LocalTiles {
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
