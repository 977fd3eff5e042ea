//! Expansion of prefetches: the threads of the scope share the instructions of each sequence.
//!
//! ```text
//!   128 lines, 96 threads      round 0: line t      round 1: line 96 + t, where that is below 128
//! ```

use melior::ir::Value;
use tile_layout::IndexArith;
use tile_ops::llvm_type::Space;
use tile_ops::nvvm::{self, PrefetchCacheLevel};
use tile_plan::address::{self, Condition, Test};
use tile_plan::families::prefetch::plan::{Hint, Prefetch, Sequence};
use tile_plan::problem::role::Role;

use super::super::{MALFORMED, Staged};
use crate::emit::{Emit, Storage, Sum, run_time};

/// The largest number of rounds that is unrolled; more become a loop.
const MAX_UNROLLED: i64 = 16;

/// A prefetch and the storage of its source.
struct Prefetches<'p, 'c, 'a> {
    plan: &'p Prefetch,
    src: Storage<'c, 'a>,
    values: Vec<Sum<'c, 'a>>,
    thread: Sum<'c, 'a>,
    /// Bytes of a run, for an instruction that takes their number.
    size: Option<Value<'c, 'a>>,
}

/// Writes the prefetch at the emitter's insertion point.
///
/// # Errors
/// A buffer without storage, or a plan that has no address.
pub fn expand<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    staged: &Staged<'_, '_, 'c, 'a>,
    plan: &Prefetch,
) -> Result<(), String> {
    let builder = emit.kit.builder;
    let own = emit.function.thread_in(builder, staged.scope).map_or(Sum::constant(0), Sum::value);
    let (thread, conditions) = staged.number(emit, plan.ranks.as_ref(), own)?;
    let prefetches = Prefetches {
        plan,
        src: emit.function.storage_of(builder, staged.op.buffer(Role::Src).ok_or(MALFORMED)?)?,
        values: run_time(staged.op, Role::Src),
        thread,
        size: (plan.hint == Hint::Chunks).then(|| emit.kit.i32(plan.run_bytes())),
    };
    emit.when(&conditions, |emit| plan.sequences().iter().try_for_each(|sequence| prefetches.rounds(emit, sequence)))
}

impl<'c, 'a> Prefetches<'_, 'c, 'a> {
    fn rounds(&self, emit: &mut Emit<'c, 'a, '_>, sequence: &Sequence) -> Result<(), String> {
        let (count, threads) = (self.plan.count(sequence), self.plan.threads);
        let full = count / threads;
        if full > MAX_UNROLLED {
            emit.repeat(full, |emit, round| self.round(emit, sequence, round))?;
        } else {
            (0..full).try_for_each(|round| self.round(emit, sequence, Sum::constant(round)))?;
        }
        let rest = Condition { value: self.thread, test: Test::Within(count % threads) };
        if count % threads == 0 {
            return Ok(());
        }
        emit.when(&[rest], |emit| self.round(emit, sequence, Sum::constant(full)))
    }

    /// The instruction that the thread issues in a round.
    fn round(&self, emit: &mut Emit<'c, 'a, '_>, sequence: &Sequence, round: Sum<'c, 'a>) -> Result<(), String> {
        let before = emit.scale(round, self.plan.threads);
        let number = emit.add(before, self.thread);
        let address = address::prefetch_address(emit, self.plan, sequence, number, &self.values);
        let pointer = emit.pointer(self.src, address.map_err(|refusal| refusal.reason)?, Space::Global);
        let builder = emit.kit.builder;
        if let Some(size) = self.size {
            nvvm::cp_async_bulk_prefetch(builder, pointer, size).build();
        } else {
            nvvm::prefetch(builder, pointer).cache_level(PrefetchCacheLevel::L2).build();
        }
        Ok(())
    }
}
