//! The vectors of a copy that converts or reduces: each side has its own accesses, the widest that are proven there,
//! and a vector is a whole number of accesses on both sides.
//!
//! ```text
//!   f32 to f16, both sides aligned:   8 elements    2 accesses of 128 bits, then 1 of 128 bits
//!   the same to registers:            4 elements    1 access of 128 bits; registers have no width of their own
//!   i32, reduced, from memory         4 elements    1 access of 128 bits, then 4 reductions of 32 bits
//! ```

use tile_layout::counted;

use crate::families::vector::obstacles::{beside, too_wide, torn, uneven};
use crate::families::vector::plan::MatchedCopy;
use crate::families::vector::split::rounds;
use crate::problem::effect::Effect;
use crate::problem::refusal::Narrowing;
use crate::problem::role::Role;
use crate::target::Target;
use tile_isa::Space;

/// The vectors of a copy.
pub(super) struct Vectors {
    /// Elements of a vector.
    pub vector: i64,
    /// Accesses per vector, on the source and on the destination.
    pub accesses: [i64; 2],
}

const SIDES: [Role; 2] = [Role::Src, Role::Dst];

/// The vectors with the fewest rounds, preferring equal shares, and the obstacles to wider accesses.
pub(super) fn best(copy: &MatchedCopy, target: &Target, max_bits: u32) -> (Vectors, Vec<Narrowing>) {
    let (vectors, mut narrowings) = fewest_rounds(copy, target, max_bits);
    narrowings.splice(..0, reduced_by_less(copy, target, max_bits));
    (vectors, narrowings)
}

/// The narrowing where the chip reduces fewer bits at a time than it could store.
fn reduced_by_less(copy: &MatchedCopy, target: &Target, max_bits: u32) -> Option<Narrowing> {
    let Effect::Reduced(_) = copy.effect else { return None };
    let widest = |widths: &[u32]| limit(copy, Role::Dst, widths, target, max_bits);
    let (reduced, stored) = (widths(copy, Role::Dst, target), widest(copy.transfer.widths()));
    let bits = u32::try_from(stored).unwrap_or(u32::MAX).saturating_mul(copy.bits_of(Role::Dst));
    (widest(&reduced) < stored).then(|| too_wide(bits, &reduced, target))
}

/// Vectors of equal shares, unless others take fewer rounds.
fn fewest_rounds(copy: &MatchedCopy, target: &Target, max_bits: u32) -> (Vectors, Vec<Narrowing>) {
    let equal = widest(copy, target, max_bits, true);
    if copy.thread_iters > 0 || equal.1.is_empty() {
        return equal;
    }
    let any = widest(copy, target, max_bits, false);
    // Shares are equal only if the number of threads divides the number of elements.
    let even = copy.side(Role::Src).layout.size() % copy.threads == 0;
    if even && rounds(copy, equal.0.vector) <= rounds(copy, any.0.vector) { equal } else { any }
}

/// The smallest vectors with which each side in memory has the widest accesses possible, with equal shares or without.
/// A narrowing says why each wider access is not possible.
fn widest(copy: &MatchedCopy, target: &Target, max_bits: u32, even: bool) -> (Vectors, Vec<Narrowing>) {
    let mut narrowings = Vec::new();
    let limits = SIDES.map(|role| limit(copy, role, &widths(copy, role, target), target, max_bits));
    let most = run(copy, even, limits[0].max(limits[1]), &mut narrowings);
    let mut elements = [1, 1];
    for (at, role) in SIDES.into_iter().enumerate() {
        elements[at] = access(copy, role, most.min(limits[at]), &mut narrowings);
    }
    let in_memory = (0..2).filter(|&at| copy.side(SIDES[at]).space != Space::Local).map(|at| elements[at]);
    let vector = in_memory.max().unwrap_or_else(|| elements[0].min(elements[1]));
    (Vectors { vector, accesses: elements.map(|elements| (vector / elements).max(1)) }, narrowings)
}

/// The access widths that a side has, in bits, the widest first.
fn widths(copy: &MatchedCopy, role: Role, target: &Target) -> Vec<u32> {
    let widths = copy.transfer.widths();
    match role {
        Role::Src => widths.to_vec(),
        Role::Dst => copy.effect.widths(widths, |red| target.red_forms(red, copy.dst.space)),
    }
}

/// Elements of the widest access of a side among `widths`, a power of two.
fn limit(copy: &MatchedCopy, role: Role, widths: &[u32], target: &Target, max_bits: u32) -> i64 {
    let (element, space) = (copy.bits_of(role), copy.side(role).space);
    let widest = target.widest_access(space).min(max_bits);
    let fits = |bits: &&u32| **bits <= widest && **bits >= element;
    widths.iter().find(fits).map_or(1, |bits| i64::from(bits / element))
}

/// The most elements, at most `limit`, that divide the runs of both sides, and the threads' equal shares if `even`.
fn run(copy: &MatchedCopy, even: bool, limit: i64, narrowings: &mut Vec<Narrowing>) -> i64 {
    let mut vector = limit;
    while vector > 1 {
        let bits = u32::try_from(vector).unwrap_or(u32::MAX).saturating_mul(copy.widest_element());
        let ragged = || SIDES.into_iter().find_map(|role| short(copy, role, vector, bits));
        let share = if even { uneven(copy, vector, bits) } else { None };
        match share.or_else(ragged).or_else(|| torn(copy, vector)) {
            None => break,
            Some(narrowing) => narrowings.push(narrowing),
        }
        vector /= 2;
    }
    vector
}

/// The narrowing where the last iter of a side is not a multiple of the vector.
fn short(copy: &MatchedCopy, role: Role, vector: i64, bits: u32) -> Option<Narrowing> {
    let run = copy.side(role).layout.shard.last().map_or(1, |iter| iter.extent);
    (run % vector != 0).then(|| {
        let reason = format!("the {role} holds runs of {}; needed a multiple of {vector}", counted(run, "element"));
        Narrowing { bits, cause: "run-too-short", reason, operand: Some(role) }
    })
}

/// Elements of the widest legal access of a side, at most `most`.
fn access(copy: &MatchedCopy, role: Role, most: i64, narrowings: &mut Vec<Narrowing>) -> i64 {
    let mut elements = most;
    while elements > 1 {
        match beside(copy, role, elements) {
            None => break,
            Some(narrowing) => narrowings.push(narrowing),
        }
        elements /= 2;
    }
    elements
}
