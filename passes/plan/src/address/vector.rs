//! Vectors of a partition.

use tile_layout::IndexArith;

use crate::address::{digits, finish};
use crate::plan::{Guard, Refusal, VectorCopy};
use crate::problem::Which;

/// The first element of the vector that thread `t` moves in round `f`.
///
/// `t` is the scope-relative thread id; it is not looked at where one thread does all.
///
/// # Errors
/// `missing-value` when `values` is too short.
pub fn vector_address<A: IndexArith>(
    a: &mut A,
    copy: &VectorCopy,
    which: Which,
    f: A::Value,
    t: A::Value,
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    let side = if which == Which::Src { &copy.src } else { &copy.dst };
    let outer = side.layout.shard.split_last().map_or(&[][..], |(_, outer)| outer);
    let (rounds, threads) = outer.split_at_checked(outer.len().saturating_sub(copy.thread_iters)).unwrap_or_default();
    let mut terms = Vec::new();
    if copy.thread_iters == 0 && copy.threads != 1 {
        let first = a.scale(f, copy.threads);
        let linear = a.add(first, t);
        digits(a, rounds, linear, &mut terms);
    } else {
        digits(a, rounds, f, &mut terms);
        digits(a, threads, t, &mut terms);
    }
    finish(a, side, terms, values)
}

/// Must be 0 for a thread that takes part.
pub fn guard_digit<A: IndexArith>(a: &mut A, guard: Guard, t: A::Value) -> A::Value {
    let (div, extent) = (a.constant(guard.div), a.constant(guard.extent));
    let t = a.div(t, div);
    a.rem(t, extent)
}
