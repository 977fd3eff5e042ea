//! Expansion of rounds of vectors: loads and stores, or `cp.async`.
//!
//! The loads of several rounds come before their stores, so that they are in flight together:
//!
//! ```text
//!   up to 2 batches of rounds   ld ld ld … st st st …            straight, addresses differ by constants
//!   more                        scf.for { ld … st … }            and the remaining rounds straight
//!   last round for some threads ld ld … scf.if { ld st } st st   its load is in flight with those of the rounds before
//!   registers on one side       all rounds straight: a run-time index would spill the registers
//!                               to local memory
//!   lanes exchange              ld ld ld … shfl shfl … st st st …
//! ```

use melior::ir::Value;
use tile_dialect::ops::PlannedOp;
use tile_isa::{Space, Transfer};
use tile_layout::IndexArith;
use tile_plan::address;
use tile_plan::address::{Condition, Test};
use tile_plan::families::vector::plan::VectorCopy;
use tile_plan::families::vector::rotation::rotated;
use tile_plan::problem::effect::Effect;
use tile_plan::problem::role::Role;
use tile_plan::target::Target;

use super::super::Staged;
use super::cp_async::CpAsync;
use super::exchange::Exchange;
use super::masked::{Masked, RoundAndThread};
use crate::emit::error::EmitError;
use crate::emit::{Convert, Decided, Emit, Storage, Sum, Width, run_time};

/// The number of loads that a thread issues before its first store.
const BATCH: i64 = 8;

/// The largest number of rounds that is unrolled with registers; a thread has 255 registers of 32 bits.
const MAX_UNROLLED: i64 = 512;

/// A vector copy and the storage of its sides.
struct VectorRounds<'p, 'c, 'a> {
    plan: &'p VectorCopy,
    src: Storage<'c, 'a>,
    dst: Storage<'c, 'a>,
    src_values: Vec<Sum<'c, 'a>>,
    dst_values: Vec<Sum<'c, 'a>>,
    thread: Sum<'c, 'a>,
    convert: Option<Convert<'c>>,
    asynchronous: Option<CpAsync<'p, 'c, 'a>>,
    exchange: Option<Exchange<'c, 'a>>,
    masked: Option<Masked<'p, 'c, 'a>>,
    /// The value of every element, where the copy reads nothing.
    filler: Option<Value<'c, 'a>>,
    target: Target,
}

/// Writes the copy at the emitter's insertion point.
///
/// # Errors
/// Buffers without storage, or a plan that has no address.
pub fn expand<'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    staged: &Staged<'_, '_, 'c, 'a>,
    plan: &VectorCopy,
) -> Result<(), EmitError> {
    let (op, [src, dst]) = (staged.op, staged.buffers()?);
    let thread = emit.function.thread_in(emit.kit.builder, staged.scope).map_or(Sum::constant(0), Sum::value);
    let (thread, mut conditions) = staged.number(emit, plan.ranks.as_ref(), thread)?;
    let target = staged.reader.target(staged.op.0)?;
    let (from, to) =
        (emit.function.storage_of(emit.kit.builder, src)?, emit.function.storage_of(emit.kit.builder, dst)?);
    let vectors = VectorRounds {
        plan,
        src: from,
        dst: to,
        src_values: run_time(op, Role::Src),
        dst_values: run_time(op, Role::Dst),
        thread,
        convert: plan.conversion.map(|conversion| Convert::of(conversion, &target, from, to)),
        asynchronous: asynchronous(emit, op, plan),
        exchange: (plan.exchange > 1).then(|| Exchange::new(emit, plan, thread)),
        masked: Masked::of(op, plan),
        filler: op.filler().filter(|_| plan.effect == Effect::Filled),
        target,
    };
    conditions.extend(emit.guard_conditions(&plan.guards, thread));
    let skipped = op.predicate().filter(|_| !op.zero_fills());
    emit.when(&conditions, |emit| match skipped {
        Some(predicate) => emit.when_true(predicate, |emit| vectors.rounds(emit)),
        None => vectors.rounds(emit),
    })
}

/// The instruction of an asynchronous copy; `None` for loads and stores.
fn asynchronous<'p, 'c, 'a>(
    emit: &mut Emit<'c, 'a, '_>,
    op: PlannedOp<'c, 'a>,
    plan: &'p VectorCopy,
) -> Option<CpAsync<'p, 'c, 'a>> {
    if plan.transfer != Transfer::CpAsync {
        return None;
    }
    let width = Width::new(plan.vector, plan.element_bits);
    let filled = op.predicate().filter(|_| op.zero_fills());
    let read = filled.map(|predicate| emit.bytes_where(predicate, width.bytes));
    Some(CpAsync { width, read, prefetch: plan.cache.prefetch_size.as_deref() })
}

impl<'c, 'a> VectorRounds<'_, 'c, 'a> {
    /// The number of rounds whose loads are issued before the first store; lanes exchange within whole batches.
    fn in_flight(&self) -> i64 {
        (BATCH / self.plan.accesses_of(Role::Src)).max(self.plan.exchange).max(1)
    }

    fn rounds(&self, emit: &mut Emit<'c, 'a, '_>) -> Result<(), EmitError> {
        let (full, all) = (self.plan.full_rounds(), self.plan.rounds);
        let batch = self.in_flight();
        let registers = self.plan.side(Role::Src).space == Space::Local || self.plan.dst.space == Space::Local;
        let straight = all <= if registers { MAX_UNROLLED } else { 2 * batch };
        let looped = if straight { 0 } else { full / batch };
        if looped > 0 {
            emit.repeat(looped, |emit, turn| {
                let first = emit.scale(turn, batch);
                let rounds: Vec<_> = (0..batch).map(|round| emit.add(first, Sum::constant(round))).collect();
                self.batch(emit, &rounds, None)
            })?;
        }
        let mut next = looped * batch;
        while next < all {
            let end = (next + batch).min(full);
            let rounds: Vec<_> = (next..end).map(Sum::constant).collect();
            let partial = (end == full && full < all).then_some(Sum::constant(full));
            self.batch(emit, &rounds, partial)?;
            next = end + i64::from(partial.is_some());
        }
        Ok(())
    }

    /// Loads all of some rounds, then stores them; or issues their `cp.async`. The `partial` round of some threads
    /// comes in between.
    fn batch(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        rounds: &[Sum<'c, 'a>],
        partial: Option<Sum<'c, 'a>>,
    ) -> Result<(), EmitError> {
        let loaded = self.loads(emit, rounds)?;
        if let Some(round) = partial {
            let first = Condition { value: self.thread, test: Test::Within(self.plan.last()) };
            emit.when(&[first], |emit| {
                let loaded = self.loads(emit, &[round])?;
                let loaded = self.between(emit, &[round], loaded)?;
                self.stores(emit, &[round], loaded)
            })?;
        }
        let loaded = self.between(emit, rounds, loaded)?;
        self.stores(emit, rounds, loaded)
    }

    /// The values that some rounds load; none where the instruction both loads and stores.
    fn loads(&self, emit: &mut Emit<'c, 'a, '_>, rounds: &[Sum<'c, 'a>]) -> Result<Vec<Value<'c, 'a>>, EmitError> {
        let mut loaded = Vec::with_capacity(rounds.len());
        for &round in rounds {
            match &self.asynchronous {
                None => loaded.push(self.read(emit, round)?),
                Some(instruction) => self.issue(emit, instruction, round)?,
            }
        }
        Ok(loaded)
    }

    /// Issues one `cp.async` for the part that is inside the bounds.
    fn issue(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        instruction: &CpAsync<'_, 'c, 'a>,
        round: Sum<'c, 'a>,
    ) -> Result<(), EmitError> {
        let place = self.place(emit, round)?;
        let written = match &self.masked {
            Some(masked) => masked.is_written(emit, place)?,
            None => Decided::ALWAYS,
        };
        emit.when_decided(written, |emit| {
            let source = (self.src, self.address(emit, Role::Src, (round, 0))?);
            let target = (self.dst, self.address(emit, Role::Dst, (round, 0))?);
            let read = match &self.masked {
                Some(masked) => masked.bytes_read(emit, instruction.width.bytes, place)?,
                None => None,
            };
            instruction.issue(emit, read, source, target);
            Ok(())
        })
    }

    /// The vector of a round, read where it is inside the bounds.
    fn read(&self, emit: &mut Emit<'c, 'a, '_>, round: Sum<'c, 'a>) -> Result<Value<'c, 'a>, EmitError> {
        if let Some(filler) = self.filler {
            return Ok(emit.spread(filler, self.plan.vector));
        }
        let Some(masked) = &self.masked else { return self.vector(emit, round) };
        let place = self.place(emit, round)?;
        let inside = masked.inside(emit, Role::Src, place)?;
        let unread = masked.unread(emit, self.src);
        emit.either(inside, |emit| self.vector(emit, round), unread)
    }

    /// Stores the results of [`VectorRounds::loads`].
    fn stores(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        rounds: &[Sum<'c, 'a>],
        loaded: Vec<Value<'c, 'a>>,
    ) -> Result<(), EmitError> {
        for (&round, value) in rounds.iter().zip(loaded) {
            let place = self.place(emit, round)?;
            let written = match &self.masked {
                Some(masked) => masked.is_written(emit, place)?,
                None => Decided::ALWAYS,
            };
            emit.when_decided(written, |emit| self.put(emit, round, value))?;
        }
        Ok(())
    }

    /// The vector of a round, by one or several loads.
    fn vector(&self, emit: &mut Emit<'c, 'a, '_>, round: Sum<'c, 'a>) -> Result<Value<'c, 'a>, EmitError> {
        let mut parts = Vec::new();
        for access in 0..self.plan.accesses_of(Role::Src) {
            let address = self.address(emit, Role::Src, (round, access))?;
            parts.push(self.load(emit, address));
        }
        Ok(emit.joined(&parts, self.plan.access(Role::Src), self.src.element))
    }

    /// The steps between loads and stores: conversion, filling, and the exchange on the side in global memory.
    fn between(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        rounds: &[Sum<'c, 'a>],
        loaded: Vec<Value<'c, 'a>>,
    ) -> Result<Vec<Value<'c, 'a>>, EmitError> {
        let exchanged = |emit: &mut Emit<'c, 'a, '_>, vectors: Vec<Value<'c, 'a>>, role| match &self.exchange {
            Some(exchange) if self.plan.side(role).space == Space::Global => {
                let element = if role == Role::Src { self.src.element } else { self.dst.element };
                exchange.apply(emit, &vectors, element, self.width(role))
            }
            _ => vectors,
        };
        let mut vectors = exchanged(emit, loaded, Role::Src);
        if let Some(convert) = &self.convert {
            for vector in &mut vectors {
                *vector = emit.kit.converted(*vector, self.plan.vector, convert);
            }
        }
        if let Some(masked) = &self.masked {
            for (vector, &round) in vectors.iter_mut().zip(rounds) {
                let place = self.place(emit, round)?;
                *vector = masked.filled(emit, *vector, place)?;
            }
        }
        Ok(exchanged(emit, vectors, Role::Dst))
    }

    /// Stores the vector of a round.
    fn put(&self, emit: &mut Emit<'c, 'a, '_>, round: Sum<'c, 'a>, value: Value<'c, 'a>) -> Result<(), EmitError> {
        let (elements, width) = (self.plan.access(Role::Dst), self.width(Role::Dst));
        for access in 0..self.plan.accesses_of(Role::Dst) {
            let address = self.address(emit, Role::Dst, (round, access))?;
            let part = emit.part(value, (access, elements, self.plan.vector));
            match self.plan.effect {
                Effect::Reduced(red) => {
                    emit.reduce(part, (self.dst, address), width, (red, self.plan.dst.space, &self.target))?;
                }
                Effect::Stored | Effect::Filled => emit.store(part, self.dst, address, width),
            }
        }
        Ok(())
    }

    fn width(&self, role: Role) -> Width {
        Width::new(self.plan.access(role), self.plan.bits_of(role))
    }

    fn load(&self, emit: &mut Emit<'c, 'a, '_>, address: Sum<'c, 'a>) -> Value<'c, 'a> {
        let width = self.width(Role::Src);
        if self.plan.cache.is_empty() || self.plan.side(Role::Src).space != Space::Global {
            emit.load(self.src, address, width)
        } else {
            emit.load_cached(self.src, address, width, &self.plan.cache)
        }
    }

    /// The address of an access of a round.
    fn address(
        &self,
        emit: &mut Emit<'c, 'a, '_>,
        role: Role,
        (round, access): (Sum<'c, 'a>, i64),
    ) -> Result<Sum<'c, 'a>, EmitError> {
        let values = if role == Role::Src { &self.src_values } else { &self.dst_values };
        let (round, thread) = self.place(emit, round)?;
        Ok(address::access_of_vector(emit, self.plan, role, (round, thread, access), values)?)
    }

    /// The round and the thread whose elements this one moves.
    fn place(&self, emit: &mut Emit<'c, 'a, '_>, round: Sum<'c, 'a>) -> Result<RoundAndThread<'c, 'a>, EmitError> {
        let thread = rotated(emit, self.plan, (round, self.thread), &self.dst_values);
        Ok((round, thread?))
    }
}
