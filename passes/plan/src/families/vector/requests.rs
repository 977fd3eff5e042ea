//! The requests of vectors: a load, a store, or both sides of a `cp.async`, for each round, warp and access.

use tile_isa::WARP;
use tile_layout::Formula;

use crate::families::family::Requests;
use crate::families::vector::address::access_of_vector;
use crate::families::vector::plan::{MatchedCopy, VectorCopy};
use crate::families::vector::rotation::rotated;
use crate::families::vector::touched::{constant_bounds, holds};
use crate::families::vector::vectorize::vectorize;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::touch::enumeration::Enumeration;
use crate::traffic::request::{WarpRequest, warps};
use crate::traffic::{NotCounted, check_count};

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
            let mut is_inside = |t: i64| f < copy.rounds_of(t) && bounds.as_mut().is_none_or(|it| holds(it, (f, t)));
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
