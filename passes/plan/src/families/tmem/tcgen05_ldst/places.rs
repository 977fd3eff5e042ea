//! Registers and tensor memory in one order.

use std::cmp::Reverse;

use tile_isa::WARPGROUP;
use tile_layout::{Axis, Fusion, Iter, counted};

use crate::families::tmem::region::{COLUMN_BITS, LANE_BITS, tensor_side};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::chain::{gaps, on_threads, thread_offset};
use crate::sides::order::{Pair, refine};
use crate::sides::region::region_side;
use crate::sides::registers::copies_in_threads;
use crate::sides::require::unreplicated;
use crate::sides::side::Side;

/// The common iters of the copy. The leading side counts threads (axis `tid_in_wg`) or bits of a thread's registers
/// (axis memory); the other side counts bits of columns, with lanes [`LANE_BITS`] apart.
///
/// ```text
///   f16, registers (128, 8) : (1@tid_in_wg, 1)    tensor memory (128, 8) : (1@TLane, 1@TCol)
///     128 : 1@tid_in_wg   LANE_BITS
///     8 : 16              16
/// ```
pub(super) struct Places {
    pub load: bool,
    pub bits: u32,
    pub pairs: Vec<Pair>,
    /// The register operand.
    pub local: Role,
    /// The register side; its iters are replaced later.
    pub registers: Side,
    /// The tensor-memory side; likewise.
    pub tmem: Side,
}

impl Places {
    /// Brings the operands into one order; `local` is the register operand.
    pub(super) fn of(problem: &Problem, local: Role) -> Result<Places, Refusal> {
        let tmem = tensor_side(problem.operand(local.other())?, local.other(), problem.element.bits, 32)?;
        Places::with(problem, local, tmem)
    }

    /// Likewise, with a given side in tensor memory.
    pub(super) fn with(problem: &Problem, local: Role, tmem: Side) -> Result<Places, Refusal> {
        let (operand, bits) = (problem.operand(local)?, problem.element.bits);
        let mut registers = region_side(operand, local)?;
        registers.layout.swizzle = None;
        check_registers(&registers, local)?;
        let held = register_iters(&registers.layout.shard, bits);
        let mut pairs = refine(&held, &tensor_iters(&tmem.layout.shard, bits)).ok_or_else(|| {
            let reason = "the iters of the two sides have no common refinement";
            Refusal::new("no-common-refinement", reason)
        })?;
        pairs.extend(copies(problem, local)?);
        check_threads(&pairs, local)?;
        let words = i64::from(bits) / COLUMN_BITS;
        if words > 1 {
            let unit = Pair {
                extent: 0,
                lead: COLUMN_BITS,
                axis: Axis::Memory,
                follow: COLUMN_BITS,
                follow_axis: Axis::Memory,
                moves: (0, 0),
            };
            pairs.push(Pair { extent: words, ..unit });
        }
        registers.layout.offset.retain(|axis, _| !axis.is_thread());
        Ok(Places { load: local == Role::Dst, bits, pairs, local, registers, tmem })
    }
}

/// Requires known registers of known threads: registers have names, not addresses.
fn check_registers(registers: &Side, local: Role) -> Result<(), Refusal> {
    if !registers.dynamic.is_empty() {
        let reason = format!("the {local}'s registers begin at a run-time value; needed a known register");
        return Err(Refusal::of(local, "dynamic-register", reason));
    }
    let first = thread_offset(&registers.layout);
    if first != 0 {
        let reason =
            format!("the {local}'s region begins at thread {first}; needed all threads of a warpgroup, from 0");
        return Err(Refusal::of(local, "threads-not-covered", reason));
    }
    Ok(())
}

fn register_iters(iters: &[Iter], bits: u32) -> Vec<Iter> {
    let place = |iter: &Iter| match on_threads(*iter) {
        Some(iter) => Iter { axis: Axis::TidInWg, ..iter },
        None => Iter::memory(iter.extent, iter.stride.saturating_mul(i64::from(bits))),
    };
    iters.iter().map(place).collect()
}

fn tensor_iters(iters: &[Iter], bits: u32) -> Vec<Iter> {
    let unit = |iter: &Iter| if iter.axis == Axis::TLane { LANE_BITS } else { i64::from(bits) };
    iters.iter().map(|iter| Iter::memory(iter.extent, iter.stride.saturating_mul(unit(iter)))).collect()
}

/// The copies of each element: copies in other threads come from, or go to, copies in other lanes.
///
/// ```text
///   tmem (32, 4) : (1@TLane, 1@TCol) + R(4 : 32@TLane)       registers (32, 4) : (1@laneid, 1) + R(4 : 1@wid_in_wg)
///     warp w reads the copy in its own lanes:                 4 : 32@tid_in_wg   32 * LANE_BITS
/// ```
fn copies(problem: &Problem, local: Role) -> Result<Vec<Pair>, Refusal> {
    let (operand, threads) = (problem.operand(local)?, &problem.threads);
    let mut held = copies_in_threads(&operand.layout, gaps(&operand.layout, local, threads, WARPGROUP, true)?);
    held.iter_mut().for_each(|iter| iter.axis = Axis::TidInWg);
    let tensor = problem.operand(local.other())?.layout.canonicalize(Fusion::None).replica;
    let mut lanes = tensor_iters(&tensor, problem.element.bits);
    let load = local == Role::Dst;
    if load {
        unreplicated(operand, local)?;
    }
    // A source with copies need not be read at all of them.
    if if load { held.is_empty() } else { lanes.is_empty() } {
        return Ok(Vec::new());
    }
    held.sort_by_key(|iter| Reverse(iter.stride));
    lanes.sort_by_key(|iter| Reverse(iter.stride));
    refine(&held, &lanes).ok_or_else(|| {
        let count = |iters: &[Iter]| iters.iter().fold(1i64, |all, iter| all.saturating_mul(iter.extent));
        let reason = format!(
            "every element is in {} and in {} of tensor memory; needed the same number",
            counted(count(&held), "thread"),
            counted(count(&lanes), "place")
        );
        Refusal::of(Role::Dst, "replica-unmatched", reason)
    })
}

/// Requires every thread of the warpgroup to hold elements: an instruction moves the registers of all of them.
fn check_threads(pairs: &[Pair], local: Role) -> Result<(), Refusal> {
    let threads = pairs.iter().filter(|pair| pair.axis != Axis::Memory);
    let count = threads.fold(1i64, |all, pair| all.saturating_mul(pair.extent));
    if count == WARPGROUP {
        return Ok(());
    }
    let threads = counted(count, "thread");
    let reason = format!("the {local}'s region is spread over {threads}; needed the {WARPGROUP} of a warpgroup");
    Err(Refusal::of(local, "threads-not-covered", reason))
}
