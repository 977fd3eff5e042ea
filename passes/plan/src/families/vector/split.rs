//! Splits both sides into rounds, threads and the vector.

use tile_layout::{Iter, Layout};

use crate::families::vector::plan::{MatchedCopy, VectorCopy};
use crate::problem::mask::{Coordinate, Mask};
use crate::problem::role::Role;
use crate::sides::side::Side;

/// The copy in vectors of `vector` elements, which must have been proven legal.
pub(crate) fn split(copy: &MatchedCopy, vector: i64) -> VectorCopy {
    let rounds = rounds(copy, vector);
    let last = copy.side(Role::Src).layout.size() / vector - (rounds - 1) * copy.threads;
    let shards = [copy.side(Role::Src), &copy.dst].map(|side| &side.layout.shard);
    let ([src, dst], thread_iters) = match shards.map(|shard| VectorParts::of(shard, copy, vector)) {
        [Some(src), Some(dst)] if last == copy.threads && src.threads.len() == dst.threads.len() => {
            let thread_iters = src.threads.len();
            ([src.into_shard(), dst.into_shard()], thread_iters)
        }
        _ => (shards.map(|shard| cut_vector(shard, vector)), 0),
    };
    let side = |side: &Side, shard| Side { layout: Layout { shard, ..side.layout.clone() }, ..side.clone() };
    VectorCopy {
        variant: copy.variant,
        transfer: copy.transfer,
        rounds,
        threads: copy.threads,
        last_threads: (last != copy.threads).then_some(last),
        vector,
        accesses: [1, 1],
        element_bits: copy.element_bits,
        conversion: copy.conversion,
        effect: copy.effect,
        mask: copy.mask.as_ref().map(|mask| Mask { digits: cut_mask(mask, copy, vector), ..mask.clone() }),
        thread_iters,
        ranks: copy.ranks.clone(),
        exchange: 1,
        rotation: 1,
        src: copy.src.as_ref().map(|operand| side(operand, src)),
        dst: side(&copy.dst, dst),
        guards: copy.guards.clone(),
        cache: copy.cache.clone(),
    }
}

/// Number of rounds in which the threads move all vectors of `vector` elements.
pub(super) fn rounds(copy: &MatchedCopy, vector: i64) -> i64 {
    let vectors = copy.side(Role::Src).layout.size() / vector;
    vectors / copy.threads + i64::from(vectors % copy.threads != 0)
}

/// The digits of a mask in the order of the rounds, the threads and the vector.
fn cut_mask(mask: &Mask, copy: &MatchedCopy, vector: i64) -> Vec<Coordinate> {
    let mut digits: Vec<Coordinate> = mask.digits.iter().filter(|digit| digit.extent != 1).copied().collect();
    let inner = match digits.pop().filter(|_| vector != 1) {
        Some(last) => {
            let outer = last.extent / vector;
            digits.extend((outer != 1).then(|| Coordinate {
                extent: outer,
                step: last.step.saturating_mul(vector),
                ..last
            }));
            Coordinate { extent: vector, ..last }
        }
        None => {
            digits = mask.digits.iter().filter(|digit| digit.extent != 1).copied().collect();
            Coordinate { extent: 1, dimension: 0, step: 0 }
        }
    };
    // A thread part was slowest before, and is inside the rounds now.
    let mut counted = 1i64;
    let threads = |digit: &&Coordinate| {
        counted = counted.saturating_mul(digit.extent);
        counted <= copy.threads
    };
    let part = if copy.thread_iters == 0 { 0 } else { digits.iter().take_while(threads).count() };
    digits.rotate_left(part);
    digits.push(inner);
    digits
}

/// The iters of one side, grouped by what they count.
struct VectorParts {
    rounds: Vec<Iter>,
    threads: Vec<Iter>,
    vector: Option<Iter>,
}

impl VectorParts {
    /// `None` where no cut separates rounds from threads, or where one thread does everything.
    fn of(shard: &[Iter], copy: &MatchedCopy, vector: i64) -> Option<VectorParts> {
        if copy.threads == 1 {
            return None;
        }
        let (threads, rest) = shard.split_at_checked(copy.thread_iters)?;
        let mut rounds = cut_vector(rest, vector);
        let vector = rounds.pop();
        let threads = match copy.thread_iters {
            0 => cut_threads(&mut rounds, copy.threads)?,
            _ => threads.to_vec(),
        };
        Some(VectorParts { rounds, threads, vector })
    }

    fn into_shard(self) -> Vec<Iter> {
        self.rounds.into_iter().chain(self.threads).chain(self.vector).collect()
    }
}

/// The iters without units, the last one cut to `vector` positions (a unit where `vector` is 1).
fn cut_vector(shard: &[Iter], vector: i64) -> Vec<Iter> {
    let mut iters: Vec<Iter> = shard.iter().filter(|iter| iter.extent != 1).copied().collect();
    if vector == 1 {
        iters.push(Iter::memory(1, 1));
    } else if let Some(last) = iters.pop() {
        let (outer, inner) = cut(last, vector);
        iters.extend(outer);
        iters.push(inner);
    }
    iters
}

/// Takes `threads` positions off the end of `outer`, splitting one iter at most.
fn cut_threads(outer: &mut Vec<Iter>, threads: i64) -> Option<Vec<Iter>> {
    let mut left = threads;
    let mut taken = Vec::new();
    while left > 1 {
        let iter = outer.pop()?;
        if left % iter.extent == 0 {
            left /= iter.extent;
            taken.push(iter);
        } else if iter.extent % left == 0 {
            let (rest, inner) = cut(iter, left);
            outer.extend(rest);
            taken.push(inner);
            left = 1;
        } else {
            return None;
        }
    }
    taken.reverse();
    Some(taken)
}

/// Splits an iter into the part around its `inner` fastest positions, and these.
fn cut(iter: Iter, inner: i64) -> (Option<Iter>, Iter) {
    let outer = Iter { extent: iter.extent / inner, stride: iter.stride.saturating_mul(inner), ..iter };
    ((outer.extent != 1).then_some(outer), Iter { extent: inner, ..iter })
}
