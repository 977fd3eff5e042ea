//! The memory that vectors touch.

use std::collections::{BTreeMap, BTreeSet};

use tile_isa::Transfer;
use tile_layout::Formula;

use crate::families::family::Touches;
use crate::families::vector::address::{access_of_vector, bounded};
use crate::families::vector::plan::{MatchedCopy, VectorCopy};
use crate::families::vector::vectorize::vectorize;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::touch::enumeration::{Enumeration, Places, joined};
use crate::touch::{Bytes, Collective, Engine, NotFollowed, Touched};

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
        Ok::<_, Refusal>(bounded.into_iter().flat_map(|it| [it.place, it.extent]).collect())
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
