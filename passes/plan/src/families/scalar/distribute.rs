//! The elements of a register buffer that each thread owns, where the layout does not cover the threads evenly.

use std::cmp::Reverse;

use tile_layout::{Axis, Iter, Layout, Range};

use crate::families::scalar::plan::{Distributed, OwnerDigit, SerialDigit, Window};
use crate::problem::Problem;
use crate::problem::operands::Operand;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::Begin;
use crate::problem::threads::{Active, ThreadSet, Threads};
use crate::sides::chain::{gaps, on_threads, thread_offset};
use crate::sides::registers::copies_in_threads;

/// The ownership of the register operand `local`.
///
/// # Errors
/// A thread's id does not determine what it owns, or an owner does not reach the copy.
pub(crate) fn distribute(problem: &Problem, local: Role) -> Result<Distributed, Refusal> {
    let operand = problem.operand(local)?;
    let threads = &problem.threads;
    let count =
        threads.count().ok_or_else(|| Refusal::new("block-size-unknown", "the size of the block is not known"))?;
    let gaps = gaps(&operand.layout, local, threads, count, true)?;
    let same = copies_in_threads(&operand.layout, gaps.clone());
    let decoded = match static_region(operand) {
        Some(sliced) => ownership(&sliced, &same, local).map(|owned| (owned, true)),
        None => Err(undecodable(local)),
    };
    let (mut owned, sliced) = match decoded {
        Ok(pair) => pair,
        Err(_) => (ownership(&operand.layout, &same, local)?, false),
    };
    let extents = if sliced { &operand.extent } else { &operand.shape };
    owned.domain = extents.clone();
    owned.origin.clone_from(&operand.origin);
    owned.windows = (0..operand.shape.len()).map(|dim| window(operand, dim, sliced)).collect();
    reached(&owned, &gaps, threads, count)?;
    Ok(owned)
}

/// The layout of the region, where it is static and can be sliced.
fn static_region(operand: &Operand) -> Option<Layout> {
    let begins = operand.begin.iter().zip(&operand.extent);
    let ranges: Option<Vec<Range>> = begins
        .map(|(begin, &extent)| match begin {
            Begin::Const(begin) => Some(Range::new(*begin, extent)),
            Begin::Dynamic { .. } => None,
        })
        .collect();
    operand.layout.slice(&operand.shape, &ranges?).ok()
}

fn window(operand: &Operand, dim: usize, sliced: bool) -> Window {
    let (extent, limit) = (operand.extent[dim], operand.shape[dim]);
    if sliced || extent == limit {
        return Window { begin: Begin::Const(0), extent, check: false };
    }
    Window { begin: operand.begin[dim], extent, check: true }
}

/// The digits of a layout, on threads and within them; `same` are the iters of threads that hold the same elements.
fn ownership(layout: &Layout, same: &[Iter], local: Role) -> Result<Distributed, Refusal> {
    let store = local == Role::Src;
    let mut digits: Vec<OwnerDigit> = same
        .iter()
        .map(|iter| OwnerDigit { stride: iter.stride, extent: iter.extent, weight: 0, only_zero: store })
        .collect();
    let mut serial: Vec<SerialDigit> = Vec::new();
    let (mut weight, mut first_element, mut first_thread) = (1i64, 0i64, thread_offset(layout));
    for iter in layout.shard.iter().rev() {
        if iter.extent != 1 {
            match on_threads(*iter) {
                // Counted from the last element on.
                Some(Iter { stride, extent, .. }) if stride < 0 => {
                    first_element = first_element.saturating_add((extent - 1).saturating_mul(weight));
                    first_thread = first_thread.saturating_add((extent - 1).saturating_mul(stride));
                    digits.push(OwnerDigit { stride: -stride, extent, weight: -weight, only_zero: false });
                }
                Some(Iter { stride, extent, .. }) => {
                    digits.push(OwnerDigit { stride, extent, weight, only_zero: false });
                }
                None => serial.push(SerialDigit { extent: iter.extent, stride: iter.stride, weight }),
            }
        }
        weight = weight.saturating_mul(iter.extent);
    }
    let copies = layout.replica.iter().filter(|iter| !store && !iter.axis.is_thread() && iter.extent != 1);
    serial.extend(copies.map(|iter| SerialDigit { extent: iter.extent, stride: iter.stride, weight: 0 }));
    serial.reverse();
    digits.sort_by_key(|digit| Reverse(digit.stride));
    decodable(&digits, local)?;
    Ok(Distributed {
        local,
        thread_offset: first_thread,
        digits,
        first_element,
        serial,
        register_offset: layout.offset_on(Axis::Memory),
        origin: Vec::new(),
        domain: Vec::new(),
        windows: Vec::new(),
    })
}

/// Requires the stride of each digit to exceed the reach of all faster ones, so that a thread id has unique digits.
fn decodable(digits: &[OwnerDigit], local: Role) -> Result<(), Refusal> {
    let mut reach = 0i64;
    for digit in digits.iter().rev() {
        if digit.stride <= reach {
            return Err(undecodable(local));
        }
        reach = reach.saturating_add((digit.extent - 1).saturating_mul(digit.stride));
    }
    Ok(())
}

fn undecodable(local: Role) -> Refusal {
    let reason = format!(
        "thread iters of the {local} overlap, so that a thread's id does not say what it owns; needed each stride above \
         what the smaller ones reach"
    );
    Refusal::of(local, "thread-iters-overlap", reason)
}

/// Requires every owner to reach the copy, in each scope that any thread reaches. In a store, the owner is the first of
/// the threads that hold the same elements. In a load, every replica is an owner, but of the threads that the layout
/// does not distinguish (`gaps`) one is enough.
fn reached(owned: &Distributed, gaps: &[Iter], threads: &Threads, count: i64) -> Result<(), Refusal> {
    let active = match (&threads.active, threads.block) {
        (Active::Known(set), _) => *set,
        (Active::All, Some(block)) => ThreadSet::range(0, block),
        (Active::All, None) => ThreadSet::range(0, count),
        (Active::Unknown { .. }, _) => ThreadSet::new(),
    };
    let mut instances: Vec<i64> = active.iter().map(|thread| thread / count).collect();
    instances.dedup();
    if instances.is_empty() {
        return Err(Refusal::new("no-active-thread", "no thread reaches the copy; needed one at least"));
    }
    let is_gap = |digit: &OwnerDigit| {
        digit.weight == 0 && gaps.iter().any(|gap| (gap.stride, gap.extent) == (digit.stride, digit.extent))
    };
    let (gap_digits, owner_digits): (Vec<OwnerDigit>, Vec<OwnerDigit>) =
        owned.digits.iter().filter(|digit| !digit.only_zero).partition(|digit| is_gap(digit));
    let (owners, equals) = (thread_ids(owned.thread_offset, &owner_digits), thread_ids(0, &gap_digits));
    for instance in instances {
        let is_active = |thread: i64| thread < count && active.contains(instance * count + thread);
        let absent = owners.iter().find(|&owner| !equals.iter().any(|equal| is_active(owner + equal)));
        if let Some(thread) = absent {
            let local = owned.local;
            let reason =
                format!("thread {thread} of the scope owns elements of the {local}, but does not reach the copy");
            return Err(Refusal::of(local, "owner-not-active", reason));
        }
    }
    Ok(())
}

/// The thread ids at all combinations of the digits.
fn thread_ids(first: i64, digits: &[OwnerDigit]) -> Vec<i64> {
    let mut ids = vec![first];
    for digit in digits {
        ids = (0..digit.extent).flat_map(|step| ids.iter().map(move |id| id + step * digit.stride)).collect();
    }
    ids
}
