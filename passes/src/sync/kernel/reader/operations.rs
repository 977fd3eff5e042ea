//! Operations without regions, by their [effects](crate::effects).

use melior::ir::OperationRef;
use tile_isa::Space;
use tile_plan::sync::{Access, Completion, Effect, Engine, Item, Op, Queue};

use super::super::addresses::Peer;
use super::KernelReader;
use crate::effects::{self, Effects, MemoryAccess, fences};
use crate::read::name;

impl<'c: 'a, 'a> KernelReader<'_, 'c, 'a> {
    /// An operation without regions that is not a tile copy.
    pub(super) fn operation(&mut self, op: OperationRef<'c, 'a>) -> Vec<Item> {
        let mut does = self.threads.reaching(op);
        let unknown = || format!("the effect of '{}' on memory and order is not known", name(op));
        let effects = effects::known_effects(op).map_or_else(|| Err(unknown()), |known| known.map_err(String::from));
        match effects.and_then(|effects| self.apply(op, &mut does, effects)) {
            Ok(()) if does.accesses.is_empty() && does.effects.is_empty() => Vec::new(),
            Ok(()) => vec![self.push(op, does)],
            Err(why) => {
                self.failures.refuse(op, format!("is not followed: {why}"));
                vec![self.push(op, does)]
            }
        }
    }

    /// Adds effects to the operation of the program that has them.
    ///
    /// # Errors
    /// The part of them that is not followed.
    fn apply(&mut self, op: OperationRef<'c, 'a>, does: &mut Op, effects: Effects<'c, 'a>) -> Result<(), String> {
        if !self.meet(op, does, effects.by)? {
            return Ok(());
        }
        let mut accesses = Vec::new();
        for access in &effects.accesses {
            accesses.extend(self.accesses(op, does, access)?);
        }
        let barrier = effects.mbarrier.as_ref();
        let phase = barrier.and_then(|barrier| self.arrival(op, does, barrier));
        let by_phase = barrier.map(|_| phase.map_or(Completion::Never, Completion::Phase));
        for (access, engine) in accesses {
            let completion = match completion(engine) {
                Completion::Group(queue) => by_phase.unwrap_or(Completion::Group(queue)),
                completion => completion,
            };
            does.accesses.push(Access { completion, ..access });
        }
        // Only blocks of a cluster access mbarriers of each other.
        let order = effects.order.into_iter().filter(|order| *order != Effect::MbarrierFence || self.rank.is_some());
        does.effects.extend(order);
        self.communicates(op, does);
        if effects.accesses.iter().any(|access| completion(access.engine) == Completion::Commit) {
            self.commits.issued(self.program.next());
        }
        if let Some(barrier) = barrier {
            self.on_mbarrier(op, does, barrier, phase);
        }
        Ok(())
    }

    /// Adds the effect of an operation by which blocks communicate through global memory.
    pub(super) fn communicates(&self, op: OperationRef<'c, 'a>, does: &mut Op) {
        let global = || does.accesses.iter().filter(|access| access.space == Space::Global);
        if global().next().is_some() {
            let effect = fences::of_global_access(op, global().any(|access| access.atomic));
            does.effects.extend(effect);
        }
    }

    /// The accesses to memory that an operation names, each with the engine that performs it.
    fn accesses(
        &mut self,
        op: OperationRef<'c, 'a>,
        does: &Op,
        access: &MemoryAccess<'c, 'a>,
    ) -> Result<Vec<(Access, Engine)>, String> {
        let MemoryAccess { ref memory, write, atomic, collective, engine, pipe } = *access;
        let mut all = Vec::new();
        for (rank, found) in self.addresses.accesses(op, memory, &does.active)? {
            let through_async_proxy = engine.async_proxy && found.space != Space::Local;
            let access = Access { write, atomic, collective, pipe, through_async_proxy, ..found };
            all.extend(self.at(op, rank.map(Peer::Value), access).into_iter().map(|access| (access, engine)));
        }
        Ok(all)
    }

    /// The read of accumulators by an operation that is neither a product nor a loop.
    pub(super) fn reads_of_accumulators(&mut self, op: OperationRef<'c, 'a>) -> Option<Item> {
        let accumulators = self.addresses.packed_sums().read_accumulators(op);
        if accumulators.is_empty() {
            return None;
        }
        let mut does = self.threads.reaching(op);
        does.accesses.extend(accumulators.into_iter().map(|key| self.addresses.accumulator(key, &does.active)));
        Some(self.push(op, does))
    }
}

/// When the accesses of an engine are complete that no mbarrier completes.
pub(super) fn completion(engine: Engine) -> Completion {
    match engine.queue {
        None => Completion::Now,
        Some(Queue::TmemCopy) => Completion::Commit,
        Some(queue) => Completion::Group(queue),
    }
}
