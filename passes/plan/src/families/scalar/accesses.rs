//! The memory that scalar copies touch, and their cost.

use tile_layout::Eval;

use crate::families::family::{Cost, Costs, Touches};
use crate::families::scalar::address::{owned_element, owned_part, region_position, scalar_address};
use crate::families::scalar::plan::{Distributed, Owner, ScalarCopy, ScalarSide};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::Begin;
use crate::target::Target;
use crate::touch::enumeration::{Enumeration, Places};
use crate::touch::{Engine, NotFollowed, Touched};

impl Touches for ScalarCopy {
    /// Elements, accessed by the threads that own them.
    fn touched(&self, by: &Enumeration<'_>) -> Result<Touched, NotFollowed> {
        let mut accesses = Vec::new();
        for role in Role::ALL {
            let of = self.side(role);
            let fixed = of.begin.iter().all(|begin| matches!(begin, Begin::Const(_)))
                && of.origin.is_empty()
                && (of.layout.stride_count() == 0 || !by.strides(role).is_empty());
            let own = if let Owner::Distributed(owned) = &self.owner { owned.origin.is_empty() } else { true };
            let moved = (fixed && own).then(|| by.unmoved(role));
            let elements = self.extents.iter().fold(1i64, |all, &extent| all.saturating_mul(extent));
            // Which thread owns what depends on where the region starts.
            let vague = moved.is_none() && matches!(self.owner, Owner::Distributed(_));
            let count = if vague { i64::MAX } else { elements.saturating_mul(by.active().len()) };
            let side = by.side(role, count, moved, |values| scalar_places(by, self, of, (role, values)))?;
            accesses.extend(side.map(|bytes| (role, bytes)));
        }
        Ok(Touched::new(Engine::THREADS, accesses))
    }
}

fn scalar_places(
    by: &Enumeration<'_>,
    copy: &ScalarCopy,
    side: &ScalarSide,
    (role, values): (Role, &[i64]),
) -> Result<Places, Refusal> {
    let mut places = Vec::new();
    let copies: Vec<i64> = if role == Role::Dst { side.copies().map(|iter| iter.extent).collect() } else { Vec::new() };
    let mut at = |thread: i64, walk: &[i64]| -> Result<(), Refusal> {
        for digits in grid(&copies) {
            let first = scalar_address(&mut Eval, side, walk, &digits, values)?;
            places.push((thread, first, first + 1));
        }
        Ok(())
    };
    for thread in by.active().iter() {
        let t = by.relative(thread);
        match &copy.owner {
            Owner::ScopeThread(owner) if *owner != t => {}
            Owner::BlockThreads(owners) if !owners.contains(&thread) => {}
            Owner::Distributed(owned) => {
                for walk in owned_walks(by, copy, owned, t)? {
                    at(thread, &walk)?;
                }
            }
            _ => grid(&copy.extents).iter().try_for_each(|walk| at(thread, walk))?,
        }
    }
    Ok(places)
}

/// The loop coordinates of the elements that a thread owns.
fn owned_walks(by: &Enumeration<'_>, copy: &ScalarCopy, owned: &Distributed, t: i64) -> Result<Vec<Vec<i64>>, Refusal> {
    let (part, conditions) = owned_part(&mut Eval, owned, t);
    let mut walks = Vec::new();
    if !conditions.iter().all(|condition| condition.holds()) {
        return Ok(walks);
    }
    let (values, local) = (by.values(owned.local), by.problem.operand(owned.local)?);
    let extents: Vec<i64> = owned.serial.iter().map(|digit| digit.extent).collect();
    for digits in grid(&extents) {
        let (x, _) = owned_element(&mut Eval, owned, part, &digits, &values)?;
        let place = region_position(&mut Eval, owned, x, &values)?;
        if place.conditions.iter().all(|condition| condition.holds()) {
            let walk = place.positions.iter().zip(&local.extent).filter(|(_, extent)| **extent != 1);
            walks.push(walk.map(|(position, _)| *position).collect());
        }
    }
    assert!(walks.iter().all(|walk: &Vec<i64>| walk.len() == copy.extents.len()));
    Ok(walks)
}

/// All coordinates of a loop nest.
fn grid(extents: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for &extent in extents {
        let extend = |walk: Vec<i64>| (0..extent).map(move |step| [walk.clone(), vec![step]].concat());
        all = all.into_iter().flat_map(extend).collect();
    }
    all
}

/// Instructions of an element: an address, a condition, and an access.
const INSTRUCTIONS: i64 = 3;

/// Wavefronts of an access of a warp, whose lanes may access any addresses.
const WAVEFRONTS: i64 = 8;

impl Costs for ScalarCopy {
    /// The cost of all elements that a thread copies.
    fn cost(&self, _problem: &Problem, _target: &Target) -> Result<Cost, Refusal> {
        let extents: Vec<i64> = match &self.owner {
            Owner::Distributed(owned) => owned.serial.iter().map(|digit| digit.extent).collect(),
            _ => self.extents.clone(),
        };
        let elements = extents.iter().fold(1i64, |all, &extent| all.saturating_mul(extent));
        let (instructions, wavefronts) = (elements.saturating_mul(INSTRUCTIONS), elements.saturating_mul(WAVEFRONTS));
        Ok(Cost { instructions, wavefronts })
    }
}
