//! The cost of a plan's accesses: sectors of global memory, wavefronts of shared memory.

use tile_layout::{Formula, IndexArith};

use crate::families::composite::LineCost;
use crate::families::family::{Cost, Costs};
use crate::families::vector::address::vector_address;
use crate::families::vector::plan::{MatchedCopy, VectorCopy};
use crate::families::vector::vectorize::vectorize;
use crate::problem::Problem;
use crate::problem::effect::Effect;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::side::Side;
use crate::target::Target;
use crate::traffic::request::WarpRequest;
use crate::traffic::{LINE_BYTES, SECTOR_BYTES};
use tile_isa::{Space, Transfer};

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
    let of = |role| (plan.rounds.saturating_mul(plan.accesses_of(role)), plan.access_bits(role));
    sides.map(of).reduce(|(count, bits), (more, wide)| (count.saturating_add(more), bits.max(wide)))
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
