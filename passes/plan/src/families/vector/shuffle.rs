//! Warp-shuffle transposes. A row of 32 bytes or more that one lane holds takes several accesses of 16 bytes, in each
//! of which the lanes of a warp use half a sector of 32 bytes; lanes that fetch parts of each other's rows use whole
//! sectors.
//!
//! ```text
//!   rows of 32 bytes, 8 lanes            as held: a lane its row      exchanged among 2: a line at a time
//!     row 0   | 0.0 | 0.1 |              round 0   0.0 1.0 2.0 … 7.0    round 0   0.0 1.0 2.0 3.0 0.1 1.1 2.1 3.1
//!     row 1   | 1.0 | 1.1 |              round 1   0.1 1.1 2.1 … 7.1    round 1   4.0 5.0 6.0 7.0 4.1 5.1 6.1 7.1
//!     …                                  8 half sectors, twice          4 whole sectors, twice
//! ```
//!
//! The exchange pays off where as many vectors as there are exchanging lanes form one run of memory, aligned to its own
//! size: where a wider access would be legal, if one existed. docs/performance.md has measurements.

use tile_isa::rounds::EXCHANGE_LANES;
use tile_isa::{Space, WARP};
use tile_layout::{Fusion, Iter, Layout};

use crate::families::registers::steps::Swap;
use crate::families::vector::plan::VectorCopy;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::side::Side;
use crate::sides::width::obstacle;
use crate::target::{Target, engine, kernels};

/// Lanes whose vectors of 16 bytes make up one line of global memory, 128 bytes.
///
/// A warp's access of 16 bytes a lane is served 8 lanes at a time, and costs least when these access one line.
pub const LINE_LANES: i64 = EXCHANGE_LANES[0];

impl VectorCopy {
    /// The steps after which each lane holds its own vectors, with a vector of each round as words; none where nothing is
    /// exchanged. Each step swaps a bit of the round with a bit of the lane; stores are preceded by the same steps.
    ///
    /// Among 4 lanes, bit 0 of the round goes to bit 1 of the lane and bit 1 to bit 2: bit 0 of the lane stays, so that
    /// two adjacent rows of 4 vectors are one line.
    pub fn exchange_steps(&self) -> impl Iterator<Item = Swap> + use<> {
        let bits = self.exchange.clamp(1, LINE_LANES).ilog2();
        (0..bits).map(move |bit| Swap { inside: 1 << bit, bit: LINE_LANES.ilog2() - bits + bit })
    }

    /// Shuffles of 32 bits per thread that the exchange takes: in every step, one vector of each pair of rounds.
    pub fn shuffles(&self) -> i64 {
        let words = global_side(self).map_or(0, |role| self.access_bits(role)) / 32;
        self.exchange_steps().map(|_| self.rounds / 2 * words).sum()
    }
}

/// The largest number of lanes for which an exchange of vectors pays off; 1 where none does.
///
/// Chips with accesses of 32 bytes use whole sectors without an exchange: LLVM joins adjacent accesses of 16 bytes
/// there. Portable targets have no warp shuffles.
pub(super) fn lanes(copy: &VectorCopy, target: &Target) -> i64 {
    if target.has(&engine::WIDE_GLOBAL) || kernels::shuffles(target).is_err() {
        return 1;
    }
    EXCHANGE_LANES.into_iter().find(|&lanes| check(copy, lanes).is_ok()).unwrap_or(1)
}

pub(super) fn malformed(reason: impl ToString) -> Refusal {
    Refusal::new("malformed-vector-copy", reason.to_string())
}

/// Checks that `lanes` lanes can exchange vectors, and that it pays off. The error says what was got and what is
/// needed.
pub(super) fn check(copy: &VectorCopy, lanes: i64) -> Result<(), Refusal> {
    let role = global_side(copy)?;
    copy.in_rounds().check_exchange(lanes, copy.mask.is_some()).map_err(malformed)?;
    let access_bits = copy.access_bits(role);
    if access_bits != 128 {
        return Err(malformed(format!("lanes exchange vectors of {access_bits} bits; needed 128")));
    }
    if copy.accesses_of(role) != 1 {
        return Err(malformed(format!("lanes exchange vectors, but one is {} accesses", copy.accesses_of(role))));
    }
    guarded_warps(copy)?;
    let side = copy.side(role);
    let (rounds, threads) = parts(side, copy.thread_iters)
        .ok_or_else(|| malformed("lanes exchange vectors, but rounds and threads share an iter"))?;
    own_rows(threads, lanes)?;
    let run = run_side(side, rounds, threads, copy.vector, lanes).ok_or_else(|| {
        malformed(format!("lanes exchange vectors, but {lanes} rounds of the {role} are not contiguous"))
    })?;
    let bits = u32::try_from(access_bits * lanes).unwrap_or(u32::MAX);
    let blocker = obstacle(&run, role, copy.vector * lanes, bits, i64::from(copy.bits_of(role) / 8));
    blocker
        .map_or(Ok(()), |narrowing| Err(malformed(format!("{lanes} lanes exchange vectors, but {}", narrowing.reason))))
}

/// The side that is in global memory, where the other is in registers.
fn global_side(copy: &VectorCopy) -> Result<Role, Refusal> {
    match (copy.side(Role::Src).space, copy.dst.space) {
        (Space::Global, Space::Local) => Ok(Role::Src),
        (Space::Local, Space::Global) => Ok(Role::Dst),
        (src, dst) => {
            Err(malformed(format!("lanes exchange vectors from {src} to {dst}; needed registers and global memory")))
        }
    }
}

/// Requires all lanes of a warp to take part, or none: a missing lane would supply nothing.
fn guarded_warps(copy: &VectorCopy) -> Result<(), Refusal> {
    match copy.guards.iter().find(|guard| guard.div % WARP != 0) {
        None => Ok(()),
        Some(guard) => {
            let (div, extent) = (guard.div, guard.extent);
            Err(malformed(format!("lanes exchange vectors, but (t / {div}) mod {extent} divides a warp")))
        }
    }
}

/// The iters of a side that count rounds, and those that count threads.
fn parts(side: &Side, thread_iters: usize) -> Option<(&[Iter], &[Iter])> {
    let (_, outer) = side.layout.shard.split_last()?;
    let rounds = outer.len().checked_sub(thread_iters).filter(|_| thread_iters > 0)?;
    Some(outer.split_at(rounds))
}

/// Requires lanes that exchange to hold distinct rows: lanes that hold the same row would each fetch it again.
fn own_rows(threads: &[Iter], lanes: i64) -> Result<(), Refusal> {
    let mut inside = 1i64;
    for iter in threads.iter().rev() {
        let next = inside.saturating_mul(iter.extent);
        if iter.extent != 1 && iter.stride == 0 && inside < LINE_LANES && next > LINE_LANES / lanes {
            return Err(malformed(format!(
                "{lanes} lanes exchange vectors, but {} of them hold the same",
                iter.extent
            )));
        }
        inside = next;
    }
    Ok(())
}

/// The side as runs of `lanes` vectors, `[rounds / lanes, threads, run]`; `None` where these are not contiguous.
fn run_side(side: &Side, rounds: &[Iter], threads: &[Iter], vector: i64, lanes: i64) -> Option<Side> {
    let mut shard = Layout::new(rounds).canonicalize(Fusion::None).shard;
    let next = shard.pop().filter(|iter| iter.stride == vector && iter.extent % lanes == 0)?;
    shard.push(Iter { extent: next.extent / lanes, stride: next.stride.checked_mul(lanes)?, ..next });
    shard.extend(threads);
    shard.push(Iter::memory(vector.checked_mul(lanes)?, 1));
    Some(Side { layout: Layout { shard, ..side.layout.clone() }, ..side.clone() })
}
