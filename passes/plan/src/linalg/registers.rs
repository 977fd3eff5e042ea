//! The layouts of tiles in registers that leave them open, from the products and the ops between them.
//!
//! ```text
//!   mma %a, %b, %s     s: the sums of the instruction that multiplies on this chip
//!   copy %s to %half   the same lanes and registers
//!   reduce %s to %r    a value for each row: the layout of the sums without their columns
//!   mma %half, %v, %o  the same warps for both products, where the left factor is what the first one summed
//! ```
//!
//! Tiles that no product decides are [divided](super::division) among their threads. How layouts [spread](super::spread) is the same for both.
//!
//! All products that share tiles, or tiles that ops relate, are done by one instruction over the same warps: the first in the order of the
//! first product's candidates that all of them can take, and with which the ops between find each element where they need it.

use std::collections::BTreeSet;

use super::product::{ProductPlan, ProductRegisters};
use super::related::{LocalTiles, RegisterConflict, TileProduct};
use super::schedule::ProductInstruction;
use super::spread::TileSpread;
use crate::target::Target;

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

/// How all products of a group are done: by which instruction, over which rows and columns of warps.
type Way = (ProductInstruction, Option<[i64; 2]>);

impl LocalTiles {
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
        let viewed = self.views.iter().map(|view| vec![view.source, view.view]);
        let multiplied = self.products.iter().map(|product| product.tiles.iter().flatten().copied().collect());
        for connected in related.chain(viewed).chain(multiplied) {
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
    RegisterConflict::Apart { products: [products[0], products[other]], reason }
}
