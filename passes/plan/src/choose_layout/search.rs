//! The choice: the steps in their order, until one reaches what is proved to be the least.

use tile_layout::Layout;

use super::access::{Prepared, Total};
use super::best::Best;
use super::bound::bounds;
use super::candidate::Candidate;
use super::certificate::{AccessCost, Certificate, LayoutChoice};
use super::matching::try_bit_orders;
use super::orders::try_orders;
use super::orders::{try_dense, try_padding};
use super::problem::ChooseError;
use super::problem::{LayoutFamily, LayoutProblem};
use super::tile::Tile;

/// Chooses the layout with the fewest wavefronts of all accesses, and says what is proved of it.
///
/// # Errors
/// Numbers that describe no accesses to the tile, or no layout that fits.
pub fn choose(problem: &LayoutProblem) -> Result<LayoutChoice, ChooseError> {
    problem.validate()?;
    let tile = Tile::new(problem, problem.elements()?);
    let most = problem.max_elements.unwrap_or(i64::MAX);
    if most < tile.elements {
        return Err(ChooseError::TooSmall { most, elements: tile.elements });
    }
    let accesses: Vec<Prepared<'_>> =
        problem.accesses.iter().map(|access| Prepared::new(problem, &tile, access)).collect();
    match &problem.family {
        LayoutFamily::Free => Ok(free(&tile, &accesses, most)),
        LayoutFamily::Modes { engine, layouts } => of_modes(problem, &tile, &accesses, engine, layouts),
    }
}

/// What is proved of a layout that was found by looking at `tried` layouts.
///
/// # Errors
/// As [`choose`].
pub fn certify(problem: &LayoutProblem, layout: &Layout, tried: usize) -> Result<LayoutChoice, ChooseError> {
    let only = LayoutFamily::Modes { engine: "the caller", layouts: vec![layout.clone()] };
    let choice = choose(&LayoutProblem { family: only, ..problem.clone() })?;
    if choice.certificate == Certificate::NoConflicts {
        return Ok(choice);
    }
    let tried = Certificate::LeastOfTried { layouts: tried };
    let is_free = problem.family == LayoutFamily::Free;
    if is_free && problem.accesses.len() > MAX_BOUNDED {
        return Ok(LayoutChoice { certificate: tried, ..choice });
    }
    let least = choose(problem)?;
    let wavefronts = |choice: &LayoutChoice| choice.costs.iter().map(|cost| cost.wavefronts).sum::<i64>();
    let certificate = if wavefronts(&choice) <= wavefronts(&least) { least.certificate } else { tried };
    Ok(LayoutChoice { certificate, ..choice })
}

/// The most accesses for which bounds are looked for: the sets that meet all triples among them are enumerated.
const MAX_BOUNDED: usize = 16;

/// The cost of accesses without conflicts.
fn ideal(accesses: &[Prepared<'_>]) -> Total {
    accesses.iter().fold(Total::default(), |sum, access| sum.and(access.least))
}

/// A dense layout always spans as little as the tile, so there is one.
fn free(tile: &Tile, accesses: &[Prepared<'_>], max_elements: i64) -> LayoutChoice {
    let ideal = ideal(accesses);
    let mut best = Best::new(ideal, max_elements);
    if tile.odd > 1 {
        try_dense(tile, accesses, &mut best);
    }
    // Where accesses cross odd parts, no swizzle spreads them: padding does.
    if !best.is_ideal() && (tile.odd == 1 || accesses.iter().all(|access| access.linear.is_some())) {
        try_orders(tile, accesses, &mut best);
    }
    if !best.is_ideal() {
        try_bit_orders(tile, accesses, &mut best);
    }
    let is_free = |best: &Best| best.total.wavefronts == ideal.wavefronts;
    let bounds = if is_free(&best) { Vec::new() } else { bounds(tile, accesses) };
    let is_least = |best: &Best| !bounds.is_empty() && bounds.iter().all(|bound| best.total.wavefronts <= bound.least);
    if !is_free(&best) && !is_least(&best) {
        try_padding(tile, accesses, &mut best);
    }
    let candidate = best.candidate.clone().unwrap_or(Candidate::Strides(dense(tile)));
    let certificate = if is_free(&best) {
        Certificate::NoConflicts
    } else if is_least(&best) {
        Certificate::Unavoidable { bounds }
    } else {
        Certificate::LeastOfTried { layouts: best.tried }
    };
    LayoutChoice {
        layout: candidate.layout(tile),
        elements: candidate.span(tile),
        costs: costs(tile, accesses, &candidate),
        certificate,
    }
}

/// What each access costs.
fn costs(tile: &Tile, accesses: &[Prepared<'_>], candidate: &Candidate) -> Vec<AccessCost> {
    let cost = |access: &Prepared<'_>| {
        let (total, bytes) = access.cost_and_bytes(tile, candidate).unwrap_or_default();
        AccessCost { wavefronts: total.wavefronts, ideal: access.ideal(), bytes }
    };
    accesses.iter().map(cost).collect()
}

/// The best of an engine's layouts.
fn of_modes(
    problem: &LayoutProblem,
    tile: &Tile,
    accesses: &[Prepared<'_>],
    engine: &'static str,
    layouts: &[Layout],
) -> Result<LayoutChoice, ChooseError> {
    let most = problem.max_elements.unwrap_or(i64::MAX);
    let ideal = ideal(accesses);
    let mut best = Best::new(ideal, most);
    for layout in layouts {
        best.offer(tile, accesses, Candidate::given(tile, layout)?);
    }
    let candidate = best.candidate.ok_or(ChooseError::NoModes { engine, most })?;
    let costs = costs(tile, accesses, &candidate);
    let certificate = if best.total.wavefronts == ideal.wavefronts {
        Certificate::NoConflicts
    } else {
        let free: i64 = free(tile, accesses, most).costs.iter().map(AccessCost::conflicts).sum();
        Certificate::LeastOfModes { engine, modes: layouts.len(), free }
    };
    Ok(LayoutChoice { layout: candidate.layout(tile), elements: candidate.span(tile), costs, certificate })
}

/// The strides of the tile's rows without gaps.
pub(super) fn dense(tile: &Tile) -> Vec<i64> {
    let mut inside = tile.elements;
    let mut stride = |extent: i64| {
        inside /= extent;
        inside
    };
    tile.dimensions.iter().map(|dimension| stride(dimension.extent)).collect()
}
