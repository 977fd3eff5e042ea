//! `tile.vector_copy`: loads and stores, or `cp.async`.
//!
//! The loads of several rounds come before their stores, so that they are in flight together:
//!
//! ```text
//!   up to 2 batches of rounds   ld ld ld … st st st …            straight, addresses differ by constants
//!   more                        scf.for { ld … st … }            and what is left over, straight
//!   some threads in the last    ld ld … scf.if { ld st } st st   its load is in flight with those of the rounds before
//!   registers on one side       all rounds straight: an index that is not constant would send the
//!                               registers to memory
//!   lanes exchange              ld ld ld … shfl shfl … st st st …
//! ```

use melior::ir::Value;
use melior::ir::operation::OperationLike;
use tile_dialect::ops::StageOp;
use tile_layout::IndexArith;
use tile_plan::address::{Condition, Test};
use tile_plan::{Space, Transfer, VectorCopy, Which, address};

use super::super::Staged;
use super::cp_async::CpAsync;
use super::exchange::Exchange;
use crate::emit::{Emit, Storage, Sum, Width, run_time};

/// Loads of a thread that are issued before its first store.
const BATCH: i64 = 8;

/// Rounds that registers are unrolled for; a thread has 255 registers of 32 bits.
const MOST_STRAIGHT: i64 = 512;

/// One vector copy and where its sides are.
struct Vectors<'p, 'c, 'a> {
    plan: &'p VectorCopy,
    src: Storage<'c, 'a>,
    dst: Storage<'c, 'a>,
    src_values: Vec<Sum<'c, 'a>>,
    dst_values: Vec<Sum<'c, 'a>>,
    thread: Sum<'c, 'a>,
    width: Width,
    asynchronous: Option<CpAsync<'p, 'c, 'a>>,
    exchange: Option<Exchange<'c, 'a>>,
}

/// Writes the copy at the emitter's insertion point.
///
/// # Errors
/// Buffers without storage, or a plan that has no address.
pub fn expand<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    staged: &Staged<'_, '_, 'c, 'a>,
    plan: &VectorCopy,
) -> Result<(), String> {
    let op = StageOp(staged.op);
    let malformed = "has sides that do not fit its operands";
    let (src, dst) = (op.src().ok_or(malformed)?, op.dst().ok_or(malformed)?);
    let own = emit.function.thread_in(emit.kit.builder, staged.scope).map_or(Sum::constant(0), Sum::value);
    let (thread, mut conditions) = number(emit, staged, plan, own)?;
    let vectors = Vectors {
        plan,
        src: emit.function.storage_of(emit.kit.builder, src.value)?,
        dst: emit.function.storage_of(emit.kit.builder, dst.value)?,
        src_values: run_time(&src),
        dst_values: run_time(&dst),
        thread,
        width: Width::new(plan.vector, plan.element_bits),
        asynchronous: asynchronous(emit, op, plan),
        exchange: (plan.exchange > 1).then(|| Exchange::new(emit, plan, thread)),
    };
    conditions.extend(emit.guard_conditions(&plan.guards, thread));
    let skipped = op.predicate().filter(|_| !op.0.has_attribute("zero_fill"));
    emit.when(&conditions, |emit| match skipped {
        Some(predicate) => emit.when_true(predicate, |emit| vectors.rounds(emit)),
        None => vectors.rounds(emit),
    })
}

/// The number of a thread among those that share the copy, and the conditions under which it has one: none where no other
/// thread gets here.
fn number<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    staged: &Staged<'_, '_, 'c, 'a>,
    plan: &VectorCopy,
    own: Sum<'c, 'a>,
) -> Result<(Sum<'c, 'a>, Vec<Condition<Sum<'c, 'a>>>), String> {
    let Some(ranks) = &plan.ranks else { return Ok((own, Vec::new())) };
    let (number, conditions) = address::rank(emit, ranks, own);
    let alone = ranks.hold_all(&staged.reader.threads(staged.op, staged.scope)?);
    Ok((number, if alone { Vec::new() } else { conditions }))
}

/// How the vectors of an asynchronous copy are issued; `None` for loads and stores.
fn asynchronous<'p, 'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    op: StageOp<'c, 'a>,
    plan: &'p VectorCopy,
) -> Option<CpAsync<'p, 'c, 'a>> {
    if plan.transfer != Transfer::CpAsync {
        return None;
    }
    let width = Width::new(plan.vector, plan.element_bits);
    let filled = op.predicate().filter(|_| op.0.has_attribute("zero_fill"));
    let read = filled.map(|predicate| emit.bytes_where(predicate, width.bytes));
    Some(CpAsync { width, read, prefetch: plan.cache.prefetch_size.as_deref() })
}

impl<'c, 'a> Vectors<'_, 'c, 'a> {
    fn rounds(&self, emit: &mut Emit<'c, 'a, '_>) -> Result<(), String> {
        let (full, all) = (self.plan.full_rounds(), self.plan.rounds);
        let registers = self.plan.src.space == Space::Local || self.plan.dst.space == Space::Local;
        let straight = all <= if registers { MOST_STRAIGHT } else { 2 * BATCH };
        let looped = if straight { 0 } else { full / BATCH };
        if looped > 0 {
            emit.repeat(looped, |emit, turn| {
                let first = emit.scale(turn, BATCH);
                let rounds: Vec<_> = (0..BATCH).map(|round| emit.add(first, Sum::constant(round))).collect();
                self.batch(emit, &rounds, None)
            })?;
        }
        let mut next = looped * BATCH;
        while next < all {
            let end = (next + BATCH).min(full);
            let rounds: Vec<_> = (next..end).map(Sum::constant).collect();
            let partial = (end == full && full < all).then_some(Sum::constant(full));
            self.batch(emit, &rounds, partial)?;
            next = end + i64::from(partial.is_some());
        }
        Ok(())
    }

    /// Loads all of some rounds, then stores them; or issues them. In between comes the `partial` round of some threads.
    fn batch(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        rounds: &[Sum<'c, 'a>],
        partial: Option<Sum<'c, 'a>>,
    ) -> Result<(), String> {
        let mut loaded = self.loads(emit, rounds)?;
        if let Some(round) = partial {
            let first = Condition { value: self.thread, test: Test::Within(self.plan.last) };
            emit.when(&[first], |emit| {
                let loaded = self.loads(emit, &[round])?;
                self.stores(emit, &[round], loaded)
            })?;
        }
        if let Some(exchange) = &self.exchange {
            loaded = exchange.apply(emit, &loaded, self.src.element, self.width);
        }
        self.stores(emit, rounds, loaded)
    }

    /// What some rounds load; nothing where the instruction loads and stores.
    fn loads(&self, emit: &mut Emit<'c, 'a, '_>, rounds: &[Sum<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, String> {
        let mut loaded = Vec::with_capacity(rounds.len());
        for &round in rounds {
            let address = self.address(emit, Which::Src, round)?;
            match &self.asynchronous {
                None => loaded.push(self.load(emit, address)),
                Some(instruction) => {
                    let target = (self.dst, self.address(emit, Which::Dst, round)?);
                    instruction.issue(emit, (self.src, address), target);
                }
            }
        }
        Ok(loaded)
    }

    /// Stores what [`Vectors::loads`] loaded.
    fn stores(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        rounds: &[Sum<'c, 'a>],
        loaded: Vec<Value<'c, 'a>>,
    ) -> Result<(), String> {
        for (&round, value) in rounds.iter().zip(loaded) {
            let address = self.address(emit, Which::Dst, round)?;
            emit.store(value, self.dst, address, self.width);
        }
        Ok(())
    }

    fn load(&self, emit: &mut Emit<'c, 'a, '_>, address: Sum<'c, 'a>) -> Value<'c, 'a> {
        if self.plan.cache.is_empty() || self.plan.src.space != Space::Global {
            emit.load(self.src, address, self.width)
        } else {
            emit.load_cached(self.src, address, self.width, &self.plan.cache)
        }
    }

    fn address(&self, emit: &mut Emit<'c, 'a, '_>, which: Which, round: Sum<'c, 'a>) -> Result<Sum<'c, 'a>, String> {
        let values = if which == Which::Src { &self.src_values } else { &self.dst_values };
        address::carried_address(emit, self.plan, which, round, self.thread, values).map_err(|refusal| refusal.reason)
    }
}
