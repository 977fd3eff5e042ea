//! The memory that vectors touch.

use tile_isa::Transfer;
use tile_layout::Eval;

use crate::families::family::Touches;
use crate::families::vector::address::{access_of_vector, bounded};
use crate::families::vector::plan::{MatchedCopy, VectorCopy};
use crate::families::vector::vectorize::vectorize;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::touch::enumeration::{Enumeration, Places};
use crate::touch::{Engine, NotFollowed, Touched};

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
            accesses.extend(side.map(|bytes| (role, bytes)));
        }
        Ok(Touched::new(engine, accesses))
    }
}

fn vector_places(by: &Enumeration<'_>, copy: &VectorCopy, role: Role, values: &[i64]) -> Result<Places, Refusal> {
    let mut places = Vec::new();
    let one = copy.threads == 1 && copy.ranks.is_none();
    for thread in by.active().iter() {
        let number = if one { Some(0) } else { copy.number_of(by.relative(thread)) };
        let Some(t) = number.filter(|&t| copy.guards.iter().all(|guard| guard.admits(t))) else { continue };
        for f in 0..copy.rounds_of(t) {
            if !holds(copy, role, (f, t)) {
                continue;
            }
            for access in 0..copy.accesses_of(role) {
                let first = access_of_vector(&mut Eval, copy, role, (f, t, access), values)?;
                places.push((thread, first, first + copy.access(role)));
            }
        }
    }
    Ok(places)
}

/// Whether a vector may be within the bounds of a masked copy. Only constant limits can rule it out.
fn holds(copy: &VectorCopy, role: Role, place: (i64, i64)) -> bool {
    bounded(&mut Eval, copy, role, place, &[])
        .map_or(true, |bounded| bounded.iter().all(|it| (0..it.extent).contains(&it.place)))
}
