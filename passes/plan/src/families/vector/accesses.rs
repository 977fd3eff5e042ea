//! What the vectors of a plan touch, request and cost, by round, warp and access.

use std::collections::{BTreeMap, BTreeSet};

use tile_isa::{Space, Transfer, WARP};
use tile_layout::{Formula, IndexArith};

use crate::families::composite::LineCost;
use crate::families::family::{Cost, Costs, Requests, Touches};
use crate::families::vector::address::{access_of_vector, bounded, vector_address};
use crate::families::vector::plan::{MatchedCopy, VectorCopy};
use crate::families::vector::rotation::rotated;
use crate::families::vector::vectorize::vectorize;
use crate::problem::Problem;
use crate::problem::effect::Effect;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::side::Side;
use crate::target::Target;
use crate::touch::enumeration::{Enumeration, Places, joined};
use crate::touch::{Bytes, Collective, Engine, NotFollowed, Touched};
use crate::traffic::request::{WarpRequest, warps};
use crate::traffic::{LINE_BYTES, NotCounted, SECTOR_BYTES, check_count};

impl Touches for MatchedCopy {
    fn touched(&self, by: &Enumeration<'_>) -> Result<Touched, NotFollowed> {
        let (vectors, _) = vectorize(self, by.target, by.problem.max_vector_bits)?;
        vectors.touched(by)
    }
}

impl Touches for VectorCopy {
    fn touched(&self, by: &Enumeration<'_>) -> Result<Touched, NotFollowed> {
        let engine = if self.transfer == Transfer::CpAsync { Engine::CP_ASYNC } else { Engine::THREADS };
        let mut accesses = Vec::new();
        for role in Role::ALL {
            let count = self.rounds * self.threads * self.accesses_of(role);
            let count = count.saturating_mul(by.active().len() / by.problem.threads.count().unwrap_or(1).max(1) + 1);
            let moved = by.moved(role, self.side(role));
            let side = by.side(role, count, moved, |values| vector_places(by, self, role, values))?;
            // Any thread that shares a rotated row may have any of its elements, but one stores each.
            let is_shared = self.rotation > 1 && role == Role::Dst;
            let side =
                side.map(|bytes| if is_shared { Bytes { collective: Collective::Block, ..bytes } } else { bytes });
            accesses.extend(side.map(|bytes| (role, bytes)));
        }
        Ok(Touched::new(engine, accesses))
    }
}

fn vector_places(by: &Enumeration<'_>, copy: &VectorCopy, role: Role, values: &[i64]) -> Result<Places, Refusal> {
    let first = |access: i64| {
        Formula::new(|a, [f, t]| {
            let values = a.constants(values);
            Ok::<_, Refusal>(vec![access_of_vector(a, copy, role, (f, t, access), &values)?])
        })
    };
    let mut firsts: Vec<Formula<2>> = (0..copy.accesses_of(role)).map(first).collect::<Result<_, _>>()?;
    let mut bounds = constant_bounds(copy, role);
    let mut places = Vec::new();
    let one = copy.threads == 1 && copy.ranks.is_none();
    for thread in by.active().iter() {
        let number = if one { Some(0) } else { copy.number_of(by.relative(thread)) };
        let Some(t) = number.filter(|&t| copy.guards.iter().all(|guard| guard.admits(t))) else { continue };
        for f in 0..copy.rounds_of(t) {
            if bounds.as_mut().is_none_or(|bounds| holds(bounds, (f, t))) {
                let firsts = firsts.iter_mut().map(|first| first.value([f, t]));
                places.extend(firsts.map(|first| (thread, first, first + copy.access(role))));
            }
        }
    }
    Ok(if copy.rotation > 1 { of_rows(copy.rotation, places) } else { places })
}

/// The places of threads that rotate in rows of so many elements: all that the threads of a row have together, for each of them.
fn of_rows(row: i64, places: Places) -> Places {
    let (mut threads, mut ranges) = (BTreeSet::new(), BTreeMap::<i64, Vec<(i64, i64)>>::new());
    for (thread, begin, end) in places {
        threads.insert(thread);
        ranges.entry(thread / row).or_default().push((begin, end));
    }
    let runs: BTreeMap<i64, _> = ranges.into_iter().map(|(number, ranges)| (number, joined(ranges))).collect();
    let of_thread = |thread: i64| runs[&(thread / row)].iter().map(move |&(begin, end)| (thread, begin, end));
    threads.into_iter().flat_map(of_thread).collect()
}

/// For each coordinate that must be within bounds, the place and the extent. Limits that are not constant are left out: a
/// vector may be within them.
pub(super) fn constant_bounds(copy: &VectorCopy, role: Role) -> Option<Formula<2>> {
    let known = VectorCopy { mask: Some(copy.mask.as_ref()?.known()), ..copy.clone() };
    let bounds = Formula::new(|a, [f, t]| {
        let bounded = bounded(a, &known, role, (f, t), &[])?;
        Ok::<_, Refusal>(bounded.into_iter().flat_map(|bound| [bound.place, bound.extent]).collect())
    });
    bounds.ok()
}

/// Whether a vector is within bounds.
pub(super) fn holds(bounds: &mut Formula<2>, (f, t): (i64, i64)) -> bool {
    let mut values = bounds.values([f, t]);
    while let Some((place, extent)) = values.next().zip(values.next()) {
        if !(0..extent).contains(&place) {
            return false;
        }
    }
    true
}

impl Requests for MatchedCopy {
    fn requests(&self, by: &Enumeration<'_>, each: &mut dyn FnMut(&WarpRequest)) -> Result<(), NotCounted> {
        let (vectors, _) = vectorize(self, by.target, by.problem.max_vector_bits)?;
        vectors.requests(by, each)
    }
}

impl Requests for VectorCopy {
    fn requests(&self, by: &Enumeration<'_>, each: &mut dyn FnMut(&WarpRequest)) -> Result<(), NotCounted> {
        let threads = by.active().len();
        for role in Role::ALL.into_iter().filter(|&role| by.is_asked(role)) {
            check_count(self.rounds.saturating_mul(threads).saturating_mul(self.accesses_of(role)))?;
            side(self, role, by, each)?;
        }
        Ok(())
    }
}

/// The requests of one side.
fn side(
    copy: &VectorCopy,
    role: Role,
    by: &Enumeration<'_>,
    each: &mut dyn FnMut(&WarpRequest),
) -> Result<(), NotCounted> {
    let values = by.typical(role);
    let first = |access: i64| {
        Formula::new(|a, [f, t]| {
            let values = a.constants(&values);
            Ok::<_, Refusal>(vec![access_of_vector(a, copy, role, (f, t, access), &values)?])
        })
    };
    let mut firsts: Vec<Formula<2>> = (0..copy.accesses_of(role)).map(first).collect::<Result<_, _>>()?;
    let dst = by.typical(Role::Dst);
    let mut rotated = Formula::new(|a, place: [_; 2]| {
        let values = a.constants(&dst);
        Ok::<_, Refusal>(vec![rotated(a, copy, place.into(), &values)?])
    })?;
    let mut bounds = constant_bounds(copy, role);
    let (space, bytes, element) =
        (copy.side(role).space, copy.access_bits(role) / 8, i64::from(copy.bits_of(role) / 8));
    let (mut inside, mut places) = (Vec::new(), Vec::new());
    let mut request = WarpRequest { space, bytes, lanes: Vec::new() };
    let is_alone = copy.threads == 1 && copy.ranks.is_none();
    for warp in warps(by) {
        let number = |&thread: &i64| {
            let number = if is_alone { Some(0) } else { copy.number_of(by.relative(thread)) };
            Some((thread % WARP, number.filter(|&t| copy.guards.iter().all(|guard| guard.admits(t)))?))
        };
        let lanes: Vec<(i64, i64)> = warp.iter().filter_map(number).collect();
        for f in 0..copy.rounds {
            let mut is_inside =
                |t: i64| f < copy.rounds_of(t) && bounds.as_mut().is_none_or(|bounds| holds(bounds, (f, t)));
            let moved = lanes.iter().map(|&(lane, t)| (lane, rotated.value([f, t])));
            inside.clear();
            inside.extend(moved.filter(|&(_, t)| is_inside(t)).map(|(lane, t)| (lane, [f, t])));
            places.clear();
            places.extend(inside.iter().map(|&(_, place)| place));
            for first in firsts.iter_mut().filter(|_| !inside.is_empty()) {
                let first_bytes = first.column(&places).iter().map(|first| first.saturating_mul(element));
                request.lanes.clear();
                request.lanes.extend(inside.iter().map(|&(lane, _)| lane).zip(first_bytes));
                each(&request);
            }
        }
    }
    Ok(())
}

impl Costs for MatchedCopy {
    fn cost(&self, problem: &Problem, target: &Target) -> Result<Cost, Refusal> {
        vectorize(self, target, problem.max_vector_bits)?.0.cost(problem, target)
    }
}

impl Costs for VectorCopy {
    fn cost(&self, _problem: &Problem, target: &Target) -> Result<Cost, Refusal> {
        let [src, dst] = [Role::Src, Role::Dst].map(|role| of_side(self, role, target));
        // One `cp.async` is the access of both sides; a fill has one side.
        let one = self.transfer == Transfer::CpAsync || self.effect == Effect::Filled;
        Ok(if one { dst } else { src.and(dst) })
    }
}

/// The cost of a warp's loads or stores on one side; registers cost nothing.
fn of_side(copy: &VectorCopy, role: Role, target: &Target) -> Cost {
    let instructions = copy.rounds.saturating_mul(copy.accesses_of(role));
    let wavefronts = || of_first_warp(copy, role, target).saturating_mul(copy.rounds);
    match copy.side(role).space {
        Space::Local => Cost::default(),
        Space::Shared => Cost { instructions, wavefronts: wavefronts() },
        _ => Cost { instructions, wavefronts: 0 },
    }
}

/// The accesses of a thread to memory, and the width of the widest, in bits; `None` where the copy has no vectors.
pub(super) fn accesses(copy: &MatchedCopy, target: &Target, max_bits: u32) -> Option<(i64, i64)> {
    let (plan, _) = vectorize(copy, target, max_bits).ok()?;
    let is_accessed = |role| (role == Role::Dst || plan.src.is_some()) && copy.side(role).space != Space::Local;
    let sides = [Role::Src, Role::Dst].into_iter().filter(|&role| is_accessed(role));
    let counted = |role| (plan.rounds.saturating_mul(plan.accesses_of(role)), plan.access_bits(role));
    sides.map(counted).reduce(|(count, bits), (more, wide)| (count.saturating_add(more), bits.max(wide)))
}

/// Sectors and wavefronts of all loads and stores, assuming that every warp and round takes as many as the first.
pub(super) fn transactions(copy: &VectorCopy, target: &Target) -> i64 {
    let warps = (copy.threads + target.subgroup() - 1) / target.subgroup();
    let once: i64 = [Role::Src, Role::Dst].into_iter().map(|role| of_first_warp(copy, role, target)).sum();
    once.saturating_mul(warps).saturating_mul(copy.rounds)
}

/// What the memories serve of all accesses of one side, assuming that every warp and round takes as much as the first: lines of
/// global memory, wavefronts of shared memory; nothing of registers.
pub(in crate::families) fn line_cost(copy: &VectorCopy, role: Role, target: &Target) -> LineCost {
    let warps = (copy.threads + target.subgroup() - 1) / target.subgroup();
    let all = |once: i64| once.saturating_mul(warps).saturating_mul(copy.rounds);
    let instructions = copy.rounds.saturating_mul(copy.accesses_of(role));
    match copy.side(role).space {
        Space::Local => LineCost::default(),
        Space::Shared => LineCost { lines: 0, wavefronts: all(of_first_warp(copy, role, target)), instructions },
        _ => {
            let lines = first_request(copy, role, target).units(LINE_BYTES).saturating_mul(copy.accesses_of(role));
            LineCost { lines: all(lines), wavefronts: 0, instructions }
        }
    }
}

/// Sectors or wavefronts of the first warp's access of one side in the first round.
fn of_first_warp(copy: &VectorCopy, role: Role, target: &Target) -> i64 {
    let request = first_request(copy, role, target);
    let one = match request.space {
        Space::Shared => request.wavefronts(target.shared_banks()).0,
        _ => request.units(SECTOR_BYTES),
    };
    one.saturating_mul(copy.accesses_of(role))
}

/// The first warp's access of one side in the first round.
fn first_request(copy: &VectorCopy, role: Role, target: &Target) -> WarpRequest {
    let side = copy.side(role);
    let lanes = if copy.full_rounds() == 0 { copy.last() } else { copy.threads }.min(target.subgroup());
    let values = typical(side);
    let first = Formula::new(|a, [lane]| {
        let (round, values) = (a.constant(0), a.constants(&values));
        vector_address(a, copy, role, round, lane, &values).map(|address| vec![address])
    });
    let bytes = i64::from(copy.bits_of(role) / 8);
    let lanes = match first {
        Ok(mut first) => (0..lanes).map(|lane| (lane, first.value([lane]).saturating_mul(bytes))).collect(),
        Err(_) => (0..lanes).map(|lane| (lane, 0)).collect(),
    };
    WarpRequest { space: side.space, bytes: copy.access_bits(role) / 8, lanes }
}

/// Representative run-time values: regions that start at 0, and rows that are far apart.
fn typical(side: &Side) -> Vec<i64> {
    const FAR: i64 = 1 << 12;
    let numbered = side.dynamic.iter().map(|term| term.value).chain(side.strides.iter().map(|stride| stride.value));
    let mut values = vec![0; numbered.map(|value| value + 1).max().unwrap_or(0)];
    side.strides.iter().for_each(|stride| values[stride.value] = stride.divisor.saturating_mul(FAR));
    values
}
