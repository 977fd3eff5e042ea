//! Stage 2: the widest vector that is proven, and the rounds and threads around it.

use tile_layout::{Iter, Layout};

use crate::chain::on_threads;
use crate::plan::{AlignedCopy, Narrowing, Refusal, Side, VectorCopy};
use crate::problem::{Space, Which};
use crate::target::Target;
use crate::width;

/// Widths that accesses can have, in bits.
pub(crate) const WIDTHS: [u32; 6] = [256, 128, 64, 32, 16, 8];

/// Chooses the widest vector of at most `max_bits` that is proven legal on both sides, and splits the copy into
/// `[rounds, threads, vector]`. A narrowing says why each wider one was not.
///
/// ```text
///   warp, 32x32 f32, both row-major:   (1024) : (1)   ->   (8, 32, 4) : (128, 4, 1)   8 rounds of 128 bits
/// ```
///
/// One element is always legal, unless a width was forced.
///
/// # Errors
/// `malformed-aligned-copy` when `copy` is not what stage 1 makes; the blocker's cause when a forced width is illegal.
pub fn vectorize(copy: &AlignedCopy, target: &Target, max_bits: u32) -> Result<(VectorCopy, Vec<Narrowing>), Refusal> {
    let per_thread = check_aligned(copy)?;
    if let Some(bits) = copy.forced_bits {
        let vector = i64::from(bits / copy.element_bits);
        return match obstacle(copy, per_thread, vector, bits) {
            None => Ok((split(copy, per_thread, vector), Vec::new())),
            Some(narrowing) => {
                Err(Refusal { cause: narrowing.cause, reason: narrowing.reason, operand: narrowing.operand })
            }
        };
    }
    let mut narrowings = Vec::new();
    for bits in widths(copy, target, max_bits) {
        let vector = i64::from(bits / copy.element_bits);
        match obstacle(copy, per_thread, vector, bits) {
            None => return Ok((split(copy, per_thread, vector), narrowings)),
            Some(narrowing) => narrowings.push(narrowing),
        }
    }
    Ok((split(copy, per_thread, 1), narrowings))
}

/// Candidate widths of more than one element, widest first.
fn widths(copy: &AlignedCopy, target: &Target, max_bits: u32) -> impl Iterator<Item = u32> {
    let element = copy.element_bits;
    let wide = target.has_256_bit_global() && copy.src.space != Space::Shared && copy.dst.space != Space::Shared;
    let limit = max_bits.min(if wide { 256 } else { 128 });
    WIDTHS.into_iter().filter(move |&bits| bits <= limit && bits > element && bits.is_multiple_of(element))
}

/// What makes a width illegal, if anything.
fn obstacle(copy: &AlignedCopy, per_thread: i64, vector: i64, bits: u32) -> Option<Narrowing> {
    if per_thread % vector != 0 {
        let threads = copy.threads;
        let reason = format!("each of {threads} threads has {per_thread} elements; needed a multiple of {vector}");
        return Some(Narrowing { bits, cause: "elements-per-thread", reason, operand: None });
    }
    let bytes = i64::from(copy.element_bits / 8);
    width::obstacle(&copy.src, Which::Src, vector, bits, bytes)
        .or_else(|| width::obstacle(&copy.dst, Which::Dst, vector, bits, bytes))
}

/// The elements of each thread, once the copy is known to be well-formed.
fn check_aligned(copy: &AlignedCopy) -> Result<i64, Refusal> {
    let malformed = |reason: String| Refusal::new("malformed-aligned-copy", reason);
    for (side, which) in [(&copy.src, Which::Src), (&copy.dst, Which::Dst)] {
        side.layout.validate().map_err(|error| malformed(format!("the {which}'s layout: {error}")))?;
        if side.align_bytes < 1 || side.dynamic.iter().any(|term| term.div < 1 || term.divisor < 1) {
            return Err(malformed(format!("the {which} has an alignment or a divisor below 1")));
        }
    }
    let (size, other) = (copy.src.layout.size(), copy.dst.layout.size());
    if size != other {
        return Err(malformed(format!("the source has {size} elements, the destination {other}")));
    }
    if !matches!(copy.element_bits, 8 | 16 | 32 | 64 | 128) {
        return Err(malformed(format!("elements have {} bits; needed 8, 16, 32, 64 or 128", copy.element_bits)));
    }
    if copy.threads < 1 || size % copy.threads != 0 {
        return Err(malformed(format!("{size} elements are not divisible by {} threads", copy.threads)));
    }
    if let Some(bits) = copy.forced_bits.filter(|bits| *bits < copy.element_bits || bits % copy.element_bits != 0) {
        return Err(malformed(format!("{bits} bits are not a multiple of the element's {}", copy.element_bits)));
    }
    check_thread_part(copy).map_err(malformed)?;
    Ok(size / copy.threads)
}

/// The leading iters that are the thread part, where there is one, hold each thread id once, in order.
fn check_thread_part(copy: &AlignedCopy) -> Result<(), String> {
    if copy.thread_iters == 0 {
        return Ok(());
    }
    let parts = [&copy.src, &copy.dst].map(|side| side.layout.shard.get(..copy.thread_iters).unwrap_or_default());
    let extents = parts.map(|part| part.iter().map(|iter| iter.extent).collect::<Vec<_>>());
    let threads = extents[0].iter().try_fold(1i64, |all, &extent| all.checked_mul(extent));
    if extents[0] != extents[1] || threads != Some(copy.threads) {
        let [src, dst] = extents;
        return Err(format!("thread parts {src:?} and {dst:?} do not both hold {} threads", copy.threads));
    }
    let Some(part) = parts.into_iter().find(|part| part.iter().any(|iter| iter.axis.is_thread())) else {
        return Err("neither side's thread part is on thread axes".to_owned());
    };
    let mut inside = 1;
    for iter in part.iter().rev().filter(|iter| iter.extent != 1) {
        if on_threads(*iter).is_none_or(|iter| iter.stride != inside) {
            return Err(format!("iter {iter} of the thread part does not continue the {inside} threads inside it"));
        }
        inside *= iter.extent;
    }
    Ok(())
}

fn split(copy: &AlignedCopy, per_thread: i64, vector: i64) -> VectorCopy {
    let shards = [&copy.src, &copy.dst].map(|side| &side.layout.shard);
    let ([src, dst], thread_iters) = match shards.map(|shard| Parts::of(shard, copy, vector)) {
        [Some(src), Some(dst)] if src.threads.len() == dst.threads.len() => {
            let thread_iters = src.threads.len();
            ([src.into_shard(), dst.into_shard()], thread_iters)
        }
        _ => (shards.map(|shard| cut_vector(shard, vector)), 0),
    };
    let side = |side: &Side, shard| Side { layout: Layout { shard, ..side.layout.clone() }, ..side.clone() };
    VectorCopy {
        variant: copy.variant,
        rounds: per_thread / vector,
        threads: copy.threads,
        vector,
        element_bits: copy.element_bits,
        thread_iters,
        src: side(&copy.src, src),
        dst: side(&copy.dst, dst),
        guards: copy.guards.clone(),
        cache: copy.cache.clone(),
    }
}

/// One side's iters by what they count.
struct Parts {
    rounds: Vec<Iter>,
    threads: Vec<Iter>,
    vector: Option<Iter>,
}

impl Parts {
    /// `None` where no cut parts rounds from threads, or one thread does all.
    fn of(shard: &[Iter], copy: &AlignedCopy, vector: i64) -> Option<Parts> {
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
        Some(Parts { rounds, threads, vector })
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

/// The `inner` fastest positions of an iter, and what is around them.
fn cut(iter: Iter, inner: i64) -> (Option<Iter>, Iter) {
    let outer = Iter { extent: iter.extent / inner, stride: iter.stride.saturating_mul(inner), ..iter };
    ((outer.extent != 1).then_some(outer), Iter { extent: inner, ..iter })
}
