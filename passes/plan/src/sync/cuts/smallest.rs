//! The cheapest set of sites that cuts all paths of several orders.
//!
//! For a single order this is a minimum cut. The cuts of several orders may share sites, so the cheapest cut of each
//! need not be the cheapest in total. Cutting one order after the other gives a first solution; a branch-and-bound
//! search then looks for a cheaper one, with minimum cuts as lower bounds of the remaining cost.
//!
//! ```text
//!   B1 and B2 after A:        A ──p0──▶ fork ──p1──▶ B1        two cuts, p1 and p2, cost 15 each
//!                                        └────p2──▶ B2         p0 is in both, and costs 16
//! ```

use std::collections::BTreeSet;

use crate::sync::cuts::ways::{Choice, Ways};

/// The most edges that a search visits for one set of orders that share sites.
const MOST: usize = 100_000;

/// The cheapest sites that cut all paths, and whether they are known to be the cheapest: `false` if the search was
/// given up. `None` where nothing cuts the paths of an order.
///
/// The searches visit at most `edges` edges, and subtract those that they visit.
pub(super) fn smallest(ways: &[Ways], weights: &[u64], edges: &mut usize) -> Option<(Vec<usize>, bool)> {
    let mut all = (Vec::new(), true);
    let mut choices = vec![Choice::Free; weights.len()];
    for component in components(ways, weights.len()) {
        let budget = MOST.min(*edges);
        let mut search = Search { ways: component, weights, choices, best: (0, Vec::new()), budget };
        search.best = search.one_after_the_other()?;
        search.search(0, &mut Vec::new());
        *edges -= budget - search.budget;
        all.0.append(&mut search.best.1);
        all.1 &= search.budget > 0;
        choices = search.choices;
    }
    Some(all)
}

/// Groups orders into components that share no site, which are solved separately.
fn components<'w>(ways: &'w [Ways], points: usize) -> Vec<Vec<&'w Ways>> {
    let mut sets = petgraph::unionfind::UnionFind::new(points + ways.len());
    for (number, of) in ways.iter().enumerate() {
        for &point in &of.sites {
            sets.union(points + number, point);
        }
    }
    let mut found: std::collections::BTreeMap<usize, Vec<&'w Ways>> = std::collections::BTreeMap::new();
    for (number, of) in ways.iter().enumerate() {
        found.entry(sets.find(points + number)).or_default().push(of);
    }
    found.into_values().collect()
}

struct Search<'w> {
    ways: Vec<&'w Ways>,
    weights: &'w [u64],
    choices: Vec<Choice>,
    /// The least cost found so far, and its sites.
    best: (u64, Vec<usize>),
    budget: usize,
}

impl Search<'_> {
    /// A first solution: a minimum cut for each order that the cuts before it leave open, and then without redundant
    /// sites.
    fn one_after_the_other(&mut self) -> Option<(u64, Vec<usize>)> {
        let mut chosen = Vec::new();
        for of in &self.ways {
            if of.open(&self.choices).is_some() {
                for point in of.cut(&self.choices, self.weights)?.1 {
                    self.choices[point] = Choice::Taken;
                    chosen.push(point);
                }
            }
        }
        chosen.sort_by_key(|&point| std::cmp::Reverse((self.weights[point], point)));
        let mut kept = Vec::new();
        for &point in &chosen {
            self.choices[point] = Choice::Free;
            if self.ways.iter().any(|of| of.open(&self.choices).is_some()) {
                self.choices[point] = Choice::Taken;
                kept.push(point);
            }
        }
        chosen.iter().for_each(|&point| self.choices[point] = Choice::Free);
        Some((kept.iter().map(|&point| self.weights[point]).sum(), kept))
    }

    /// Branches over all choices that may be cheaper than the best.
    fn search(&mut self, cost: u64, chosen: &mut Vec<usize>) {
        if self.budget == 0 {
            return;
        }
        let Some((bound, open)) = self.bound() else { return };
        if cost + bound >= self.best.0 {
            return;
        }
        let Some(open) = open else {
            self.best = (cost, chosen.clone());
            return;
        };
        for &point in &open {
            self.choices[point] = Choice::Taken;
            chosen.push(point);
            self.search(cost + self.weights[point], chosen);
            chosen.pop();
            // The remaining branches do without it.
            self.choices[point] = Choice::Barred;
        }
        open.iter().for_each(|&point| self.choices[point] = Choice::Free);
    }

    /// A lower bound of the remaining cost, and the sites of which one has to be chosen: those on the open path that
    /// has the fewest. `None` where no choice cuts all paths.
    fn bound(&mut self) -> Option<(u64, Option<Vec<usize>>)> {
        let (mut sum, mut most, mut counted) = (0, 0, BTreeSet::new());
        let mut fewest: Option<Vec<usize>> = None;
        for of in &self.ways {
            let Some(open) = of.open(&self.choices) else { continue };
            self.budget = self.budget.saturating_sub(of.size());
            let (cost, _) = of.cut(&self.choices, self.weights)?;
            most = most.max(cost);
            if counted.is_disjoint(&of.sites) {
                counted.extend(&of.sites);
                sum += cost;
            }
            if fewest.as_ref().is_none_or(|fewest| open.len() < fewest.len()) {
                fewest = Some(open);
            }
        }
        Some((sum.max(most), fewest))
    }
}
