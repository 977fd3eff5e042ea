//! Is an aligned copy what stage 1 makes? Stage 2 also reads copies that were written by hand.

use tile_layout::counted;

use crate::chain::on_threads;
use crate::plan::{AlignedCopy, Refusal};
use crate::problem::{Space, Which};
use crate::vectorize::CP_ASYNC_WIDTHS;

/// The elements of each thread, once the copy is known to be well-formed.
pub(super) fn check_aligned(copy: &AlignedCopy) -> Result<i64, Refusal> {
    let malformed = |reason: String| Refusal::new("malformed-aligned-copy", reason);
    for (side, which) in [(&copy.src, Which::Src), (&copy.dst, Which::Dst)] {
        side.layout.validate().map_err(|error| malformed(format!("the {which}'s layout: {error}")))?;
        if side.align_bytes < 1 || side.dynamic.iter().any(|term| term.div < 1 || term.divisor < 1) {
            return Err(malformed(format!("the {which} has an alignment or a divisor below 1")));
        }
    }
    let (size, other) = (copy.src.layout.size(), copy.dst.layout.size());
    if size != other {
        let elements = counted(size, "element");
        return Err(malformed(format!("the source has {elements}, the destination {other}")));
    }
    if !matches!(copy.element_bits, 8 | 16 | 32 | 64 | 128) {
        let bits = counted(copy.element_bits, "bit");
        return Err(malformed(format!("elements have {bits}; needed 8, 16, 32, 64 or 128")));
    }
    if copy.threads < 1 || size % copy.threads != 0 {
        let (elements, threads) = (counted(size, "element"), counted(copy.threads, "thread"));
        return Err(malformed(format!("{threads} cannot have equal shares of {elements}")));
    }
    if let Some(bits) = copy.forced_bits.filter(|bits| *bits < copy.element_bits || bits % copy.element_bits != 0) {
        let width = counted(bits, "bit");
        return Err(malformed(format!("a width of {width} is no multiple of the element's {}", copy.element_bits)));
    }
    check_cp_async(copy).map_err(malformed)?;
    check_thread_part(copy).map_err(malformed)?;
    Ok(size / copy.threads)
}

/// `cp.async` goes one way, in its own widths.
fn check_cp_async(copy: &AlignedCopy) -> Result<(), String> {
    let (src, dst) = (copy.src.space, copy.dst.space);
    if !copy.uses_cp_async() {
        return Ok(());
    }
    if (src, dst) != (Space::Global, Space::Shared) {
        return Err(format!("cp.async copies from global to shared memory; got {src} to {dst}"));
    }
    match copy.forced_bits {
        Some(bits) if !CP_ASYNC_WIDTHS.contains(&bits) => {
            Err(format!("cp.async has no width of {}; needed 32, 64 or 128", counted(bits, "bit")))
        }
        _ => Ok(()),
    }
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
        let threads = counted(copy.threads, "thread");
        return Err(format!("thread parts {src:?} and {dst:?} do not both hold {threads}"));
    }
    let Some(part) = parts.into_iter().find(|part| part.iter().any(|iter| iter.axis.is_thread())) else {
        return Err("neither side's thread part is on thread axes".to_owned());
    };
    let mut inside = 1;
    for iter in part.iter().rev().filter(|iter| iter.extent != 1) {
        if on_threads(*iter).is_none_or(|iter| iter.stride != inside) {
            let threads = counted(inside, "thread");
            return Err(format!("iter {iter} of the thread part does not continue the {threads} inside it"));
        }
        inside *= iter.extent;
    }
    Ok(())
}

impl AlignedCopy {
    /// Is the copy what stage 1 makes: both layouts valid and of one size, that size divisible by the threads, the
    /// thread part complete?
    ///
    /// # Errors
    /// `malformed-aligned-copy`.
    pub fn verify(&self) -> Result<(), Refusal> {
        check_aligned(self).map(drop)
    }
}
