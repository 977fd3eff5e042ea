//! The meaning of each bit of the thread id on one side of a copy.

use thiserror::Error;
use tile_layout::{Axis, IndexArith, Iter, Layout};

use crate::sides::chain::{on_threads, thread_offset};
use crate::sides::side::{Condition, Test};

/// The meaning of a bit of the thread id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ThreadBit {
    /// The bit is this digit.
    Digit(usize),
    /// The bit is one of several bits of this digit, whose extent is not a power of two.
    Part(usize),
    /// Threads that differ in the bit hold the same elements.
    Same,
    /// Only threads in which the bit has this value hold anything.
    Fixed(bool),
}

/// Threads that are not bits of the thread id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ThreadBitError {
    /// A first thread that the scope does not have.
    #[error("thread {offset} is not one of {threads} threads")]
    Offset {
        /// The first thread.
        offset: i64,
        /// The threads of the scope.
        threads: i64,
    },
    /// Copies of elements in another number of threads than a power of two.
    #[error("{copies} copies in threads, {stride} apart; needed a power of two")]
    Copies {
        /// The number of copies.
        copies: i64,
        /// Threads from one copy to the next.
        stride: i64,
    },
    /// A stride that is no power of two.
    #[error("threads {iter} are not bits of the thread id")]
    NoBits {
        /// The iter.
        iter: Iter,
    },
    /// Bits that another iter, or the offset, has.
    #[error("threads {iter} are counted twice, or start inside an iter")]
    Twice {
        /// The iter.
        iter: Iter,
    },
}

/// The meaning of all bits of the ids of `threads` threads, the least significant first.
///
/// # Errors
/// Digits that are not bits of the thread id, or that share bits.
pub fn thread_bits(layout: &Layout, threads: i64) -> Result<Vec<ThreadBit>, ThreadBitError> {
    let offset = thread_offset(layout);
    let count = bits(threads);
    let mut places: Vec<ThreadBit> = (0..count).map(|bit| ThreadBit::Fixed(offset >> bit & 1 == 1)).collect();
    if offset < 0 || offset >> count != 0 {
        return Err(ThreadBitError::Offset { offset, threads });
    }
    for (digit, iter) in layout.shard.iter().enumerate().filter(|(_, iter)| is_thread(iter)) {
        let place = if iter.extent == 2 { ThreadBit::Digit(digit) } else { ThreadBit::Part(digit) };
        claim(&mut places, *iter, place)?;
    }
    for iter in layout.replica.iter().filter(|iter| is_thread(iter)) {
        let whole = iter.extent & (iter.extent - 1) == 0
            || on_threads(*iter).is_some_and(|on| on.stride * iter.extent == threads);
        if !whole {
            return Err(ThreadBitError::Copies { copies: iter.extent, stride: iter.stride });
        }
        claim(&mut places, *iter, ThreadBit::Same)?;
    }
    Ok(places)
}

fn is_thread(iter: &Iter) -> bool {
    iter.axis != Axis::Memory && iter.extent != 1
}

/// The number of bits of the numbers below `count`.
pub(super) fn bits(count: i64) -> u32 {
    i64::BITS - (count - 1).leading_zeros()
}

fn claim(places: &mut [ThreadBit], iter: Iter, place: ThreadBit) -> Result<(), ThreadBitError> {
    let on = on_threads(iter).filter(|on| on.stride >= 1 && on.stride & (on.stride - 1) == 0);
    let first = on.ok_or(ThreadBitError::NoBits { iter })?.stride.trailing_zeros();
    for bit in first..first.saturating_add(bits(iter.extent)) {
        match places.get_mut(bit as usize) {
            Some(free @ ThreadBit::Fixed(false)) => *free = place,
            _ => return Err(ThreadBitError::Twice { iter }),
        }
    }
    Ok(())
}

/// The conditions under which thread `t` holds anything.
///
/// # Errors
/// As [`thread_bits`].
pub fn holders<A: IndexArith>(
    a: &mut A,
    layout: &Layout,
    threads: i64,
    t: A::Value,
) -> Result<Vec<Condition<A::Value>>, ThreadBitError> {
    let places = thread_bits(layout, threads)?;
    let mut conditions = Vec::new();
    let mut bit = 0;
    while bit < places.len() {
        let run = |same: &dyn Fn(&ThreadBit) -> bool| places[bit..].iter().take_while(|place| same(place)).count();
        let length = match places[bit] {
            ThreadBit::Fixed(_) => run(&|place| matches!(place, ThreadBit::Fixed(_))),
            ThreadBit::Part(digit) => run(&|place| *place == ThreadBit::Part(digit)),
            ThreadBit::Digit(_) | ThreadBit::Same => 1,
        };
        match places[bit] {
            ThreadBit::Fixed(_) => {
                let set = |at: usize| i64::from(places[bit + at] == ThreadBit::Fixed(true)) << at;
                let value = (0..length).map(set).sum();
                let digit = field(a, t.clone(), (bit, length, places.len()));
                let value = a.constant(value);
                conditions.push(Condition { value: a.xor(digit, value), test: Test::Zero });
            }
            ThreadBit::Part(digit) => {
                let extent = layout.shard[digit].extent;
                let fills = bit + length == places.len() && extent << bit == threads;
                if !fills {
                    let value = field(a, t.clone(), (bit, length, places.len()));
                    conditions.push(Condition { value, test: Test::Within(extent) });
                }
            }
            ThreadBit::Digit(_) | ThreadBit::Same => {}
        }
        bit += length;
    }
    Ok(conditions)
}

/// The `length` bits from bit `first` on, of a number of `all` bits.
fn field<A: IndexArith>(a: &mut A, t: A::Value, (first, length, all): (usize, usize, usize)) -> A::Value {
    let divisor = a.constant(1 << first);
    let high = if first == 0 { t } else { a.div(t, divisor) };
    if first + length == all {
        return high;
    }
    let modulus = a.constant(1 << length);
    a.rem(high, modulus)
}
