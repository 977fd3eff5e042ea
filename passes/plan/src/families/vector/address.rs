//! Addresses of the vectors of a partition.

use tile_layout::{AddressStep, IndexArith, Iter, fused};

use crate::families::vector::plan::VectorCopy;
use crate::families::vector::shuffle::LINE_LANES;
use crate::problem::mask::{Bounded, Coordinate};
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::address::{digits, finish};
use crate::sides::side::Guard;
use tile_isa::Space;

/// The address of the first element of the vector that thread `t` holds in round `f`.
///
/// `t` is the scope-relative thread id; it is ignored where one thread does everything.
///
/// # Errors
/// `missing-value` when `values` is too short.
pub fn vector_address<A: IndexArith>(
    a: &mut A,
    copy: &VectorCopy,
    role: Role,
    f: A::Value,
    t: A::Value,
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    within(a, copy, role, (f, t, 0), values)
}

/// The address of the first element of access `access` of a vector on one side.
fn within<A: IndexArith>(
    a: &mut A,
    copy: &VectorCopy,
    role: Role,
    (f, t, access): (A::Value, A::Value, i64),
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    let side = copy.side(role);
    let outer = side.layout.shard.split_last().map_or(&[][..], |(_, outer)| outer);
    let (rounds, threads) = outer.split_at_checked(outer.len().saturating_sub(copy.thread_iters)).unwrap_or_default();
    let mut terms = Vec::new();
    if copy.thread_iters == 0 && copy.threads != 1 {
        shared_digits(a, rounds, (copy.threads, f, t), &mut terms);
    } else {
        digits(a, rounds, f, &mut terms);
        digits(a, threads, t, &mut terms);
    }
    if let Some(last) = side.layout.shard.last().filter(|last| access != 0 && last.axis.is_address()) {
        let digit = a.constant(access.saturating_mul(copy.access(role)));
        terms.push(AddressStep::new(last.stride, last.axis, digit));
    }
    finish(a, side, terms, values)
}

/// Adds the coordinates of `f * threads + t` over the iters, with their strides. A coordinate that does not depend on
/// `f`, or moves by whole steps with it, is computed separately, so that the addresses of rounds differ by constants:
///
/// ```text
///   (33, 8) of 256 threads     row (f * 256 + t) / 8 = 32 * f + t / 8      column t mod 8
/// ```
fn shared_digits<A: IndexArith>(
    a: &mut A,
    iters: &[Iter],
    (threads, f, t): (i64, A::Value, A::Value),
    terms: &mut Vec<AddressStep<A::Value>>,
) {
    let fused = fused(iters);
    let mut inside = 1i64;
    for (index, iter) in fused.iter().enumerate().rev() {
        let around = inside.saturating_mul(iter.extent);
        if iter.axis.is_address() && iter.extent != 1 && iter.stride != 0 {
            let [step, extent] = [inside, iter.extent].map(|number| a.constant(number));
            let digit = match () {
                () if threads % around == 0 => a.div(t.clone(), step),
                () if threads % inside == 0 => {
                    let (moved, digit) = (a.scale(f.clone(), threads / inside), a.div(t.clone(), step));
                    a.add(digit, moved)
                }
                () => {
                    let moved = a.scale(f.clone(), threads);
                    let linear = a.add(t.clone(), moved);
                    a.div(linear, step)
                }
            };
            // The coordinate of the slowest iter is below its extent.
            let digit = if index == 0 { digit } else { a.rem(digit, extent) };
            terms.push(AddressStep::new(iter.stride, iter.axis, digit));
        }
        inside = around;
    }
}

/// The round and the thread that own the vector that thread `t` accesses in round `f`; `f` and `t` themselves where
/// nothing is exchanged.
///
/// Some bits of the round and of the lane are swapped, as in [`VectorCopy::exchange_steps`]:
///
/// ```text
///   2 lanes:  round … f2 f1 f0   lane … t3 t2 t1 t0   ->   round … f2 f1 t2   lane … t3 f0 t1 t0
///   8 lanes:  round … f2 f1 f0   lane … t3 t2 t1 t0   ->   round … t2 t1 t0   lane … t3 f2 f1 f0
/// ```
pub fn exchanged<A: IndexArith>(a: &mut A, copy: &VectorCopy, f: A::Value, t: A::Value) -> (A::Value, A::Value) {
    if copy.exchange <= 1 {
        return (f, t);
    }
    // Bits of the lane below `stay` stay where they are.
    let stay = LINE_LANES / copy.exchange.min(LINE_LANES);
    let [lanes, line, kept] = [copy.exchange, LINE_LANES, stay].map(|number| a.constant(number));
    let (rounds_around, round_bits) = (a.div(f.clone(), lanes.clone()), a.rem(f, lanes.clone()));
    let (lines, low_bits, upper) = (a.div(t.clone(), line), a.rem(t.clone(), kept.clone()), a.div(t, kept));
    let lane_bits = a.rem(upper, lanes);
    let round = a.scale(rounds_around, copy.exchange);
    let (lane, moved) = (a.scale(lines, LINE_LANES), a.scale(round_bits, stay));
    let lane = a.add(lane, low_bits);
    (a.add(round, lane_bits), a.add(lane, moved))
}

/// The address of the first element that thread `t` accesses in round `f`: in global memory, that of another lane's
/// vector where lanes exchange ([`exchanged`]); everywhere else, that of its own. `access` is the index of the access
/// where a vector takes several accesses of a side, else 0.
///
/// # Errors
/// `missing-value` when `values` is too short.
pub fn access_of_vector<A: IndexArith>(
    a: &mut A,
    copy: &VectorCopy,
    role: Role,
    (f, t, access): (A::Value, A::Value, i64),
    values: &[A::Value],
) -> Result<A::Value, Refusal> {
    let (f, t) = if copy.side(role).space == Space::Global { exchanged(a, copy, f, t) } else { (f, t) };
    within(a, copy, role, (f, t, access), values)
}

/// The coordinates of the vector's first element that must be within bounds on one side for thread `t` to access its
/// vector of round `f` there. Empty where the copy is not masked.
///
/// # Errors
/// `missing-value` when `values`, those of the mask, is too short.
pub fn bounded<A: IndexArith>(
    a: &mut A,
    copy: &VectorCopy,
    role: Role,
    (f, t): (A::Value, A::Value),
    values: &[A::Value],
) -> Result<Vec<Bounded<A::Value>>, Refusal> {
    let Some(mask) = &copy.mask else { return Ok(Vec::new()) };
    let digits = mask.digits.split_last().map_or(&[][..], |(_, digits)| digits);
    let coordinate = |a: &mut A, dimension: usize| {
        let step = |digit: &Coordinate| if digit.dimension == dimension { digit.step } else { 0 };
        let iters: Vec<Iter> = digits.iter().map(|digit| Iter::memory(digit.extent, step(digit))).collect();
        let mut terms = Vec::new();
        shared_digits(a, &iters, (copy.threads, f.clone(), t.clone()), &mut terms);
        let terms = terms.into_iter().map(|step| a.scale(step.digit, step.stride)).collect();
        a.sum(terms, 0)
    };
    mask.bounded(a, role, coordinate, values)
}

/// The value that must be 0 for a thread to take part.
pub fn guard_digit<A: IndexArith>(a: &mut A, guard: Guard, t: A::Value) -> A::Value {
    let (div, extent) = (a.constant(guard.div), a.constant(guard.extent));
    let t = a.div(t, div);
    a.rem(t, extent)
}
