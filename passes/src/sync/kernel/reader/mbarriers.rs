//! Operations on mbarriers: initialization, arrivals and waits.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value};
use tile_dialect::ir::{Parts, defining_op};
use tile_ops::{arith, scf};
use tile_plan::problem::threads::ThreadSet;
use tile_plan::sync::{Access, Act, Completion, Effect, Item, Mbarrier, Op};

use super::KernelReader;
use crate::effects::inherent;
use crate::effects::mbarriers::{self, Wait};
use crate::effects::{MbarrierAct, MbarrierEffect, Release};
use crate::read::alias::Root;
use crate::read::effects::touches_nothing;
use crate::read::{divisibility, name};
use crate::sync::kernel::addresses::Peer;
use crate::sync::kernel::completions::{Arrival, Fault, Phases};
use crate::sync::kernel::failures::KernelError;

impl<'c: 'a, 'a> KernelReader<'_, 'c, 'a> {
    /// The access to an mbarrier, in the block of a peer where one is given: a store for `mbarrier.init`, else an atomic access.
    pub(super) fn mbarrier(
        &mut self,
        op: OperationRef<'c, 'a>,
        (barrier, peer): (Value<'c, 'a>, Option<Peer<'c, 'a>>),
        init: bool,
        by: ThreadSet,
    ) -> Vec<Access> {
        let (rank, found) = self.addresses.shared(barrier, Some(tile_isa::mbarrier::BYTES), &by);
        self.at(op, rank.map(Peer::Value).or(peer), Access { write: true, atomic: !init, ..found })
    }

    /// Adds an operation's effect on an mbarrier, for checks that follow it by executing the program.
    pub(super) fn acts(
        &mut self,
        op: OperationRef<'c, 'a>,
        does: &mut Op,
        (barrier, peer): (Value<'c, 'a>, Option<Peer<'c, 'a>>),
        act: Act,
    ) {
        let address = self.addresses.pointer(barrier);
        let peer = address.rank.map(Peer::Value).or(peer);
        let object = self.addresses.object_in_block((op, &mut self.failures), address.root, peer);
        match address.byte {
            Some(byte) => does.effects.push(Effect::Mbarrier(Box::new(Mbarrier { object, byte, act }))),
            None => self.failures.refuse(op, "is not followed: which mbarrier it names is not known"),
        }
    }

    /// The memory of an mbarrier and its byte, if that is a constant.
    fn known_mbarrier(&mut self, barrier: Value<'c, 'a>) -> Option<(Root, i64)> {
        let address = self.addresses.pointer(barrier);
        Some((address.root, address.byte?.as_constant()?))
    }

    /// The phase in which an operation arrives, where it is known.
    pub(super) fn arrival(
        &mut self,
        op: OperationRef<'c, 'a>,
        does: &Op,
        MbarrierEffect { barrier, act }: &MbarrierEffect<'c, 'a>,
    ) -> Option<usize> {
        let all = |each: i64| each.saturating_mul(does.active.len());
        let arrival = match *act {
            MbarrierAct::Init { count } => {
                let place = self.known_mbarrier(*barrier)?;
                match count.filter(|_| self.program.is_certain() && does.exact && does.active.len() == 1) {
                    Some(count) => self.phases.init(&place, count, self.program.next()),
                    None => self.phases.lose(&place),
                }
                return None;
            }
            MbarrierAct::Arrive { count, bytes, .. } => Arrival { arrivals: all(count), bytes: all(bytes) },
            MbarrierAct::Commit => Arrival { arrivals: all(1), bytes: 0 },
        };
        self.arrives(op, *barrier, does, arrival)
    }

    /// Adds what an operation does to an mbarrier, and its access to that; it arrives in `phase`, where that is known.
    pub(super) fn on_mbarrier(
        &mut self,
        op: OperationRef<'c, 'a>,
        does: &mut Op,
        MbarrierEffect { barrier, act }: &MbarrierEffect<'c, 'a>,
        phase: Option<usize>,
    ) {
        let (at, by) = ((*barrier, None), does.active);
        let mut completion = Completion::Now;
        match *act {
            MbarrierAct::Init { count: Some(count) } => self.acts(op, does, at, Act::Init { count }),
            MbarrierAct::Init { count: None } => {
                self.failures.only_executed(op, "is not followed: its count is not a constant");
            }
            MbarrierAct::Arrive { count, bytes, releases } => {
                let releases = match releases {
                    Release::None => false,
                    // An arrival at another block releases only if its scope is the cluster.
                    Release::Block => self.addresses.pointer(*barrier).rank.is_none(),
                    Release::Cluster => true,
                };
                self.acts(op, does, at, Act::Arrive { by, count, bytes, releases });
            }
            MbarrierAct::Commit => {
                // The arrival is asynchronous. The operations before it that it completes carry its phase; if there are none, it
                // does itself.
                let phase = phase.filter(|_| by.len() == 1);
                let done =
                    phase.and_then(|phase| self.commits.commit((phase, &mut self.phases), by, &mut self.program));
                completion = done.unwrap_or(Completion::Now);
                if by.len() == 1 {
                    self.commits.arrives(self.program.next());
                }
                self.acts(op, does, at, Act::Arrive { by, count: 1, bytes: 0, releases: true });
            }
        }
        let init = matches!(act, MbarrierAct::Init { .. });
        let accesses = self.mbarrier(op, at, init, by);
        does.accesses.extend(accesses.into_iter().map(|access| Access { completion, ..access }));
    }

    /// Records arrivals on an mbarrier; the phase that they are in, where it is known.
    pub(super) fn arrives(
        &mut self,
        op: OperationRef<'c, 'a>,
        barrier: Value<'c, 'a>,
        does: &Op,
        arrival: Arrival,
    ) -> Option<usize> {
        let place = self.known_mbarrier(barrier);
        let Some(place) = place.filter(|_| self.program.is_certain() && does.exact) else {
            self.in_ring(op);
            return None;
        };
        match self.phases.arrive(&place, arrival, self.program.next()) {
            Ok(phase) => phase,
            Err(fault) => {
                self.out_of_phase(op, fault);
                None
            }
        }
    }

    /// An error of an mbarrier, with notes at earlier operations on it.
    fn out_of_phase(&mut self, op: OperationRef<'c, 'a>, fault: Fault) {
        let notes = fault.notes.into_iter().filter_map(|(at, note)| Some((self.program.site(at)?, note))).collect();
        self.failures.error_in_text_order(KernelError { op, text: fault.text, notes });
    }

    /// From here on phases are followed only by executing the program.
    fn in_ring(&mut self, op: OperationRef<'c, 'a>) {
        self.phases = Phases::default();
        self.failures.only_executed(op, "is not followed: phases of mbarriers in loops and under conditions are not");
    }

    /// A loop that does nothing but wait for a phase of an mbarrier.
    pub(super) fn spin(&mut self, op: OperationRef<'c, 'a>) -> Option<Item> {
        let mut wait = None;
        for region in 0..2 {
            let mut next = op.region_at(region)?.first_block()?.first_operation();
            while let Some(inner) = next {
                match mbarriers::wait(inner).filter(|_| wait.is_none() && region == 0) {
                    Some(phase) => wait = Some((inner, phase)),
                    None if [scf::ConditionOp::NAME, scf::YieldOp::NAME].contains(&name(inner)) => {}
                    None if touches_nothing(inner) && inner.region_count() == 0 => {}
                    None => return None,
                }
                next = inner.next_in_block();
            }
        }
        let does = self.threads.reaching(op);
        Some(self.waits(op, wait?, does))
    }

    fn waits(
        &mut self,
        op: OperationRef<'c, 'a>,
        (wait, parts): (OperationRef<'c, 'a>, Wait<'c, 'a>),
        mut does: Op,
    ) -> Item {
        let Wait { barrier: Some(barrier), parity: Some(parity) } = parts else {
            self.failures.refuse(op, "is not followed: it waits for a token of an mbarrier, expected a parity");
            return self.push(op, does);
        };
        let access = self.mbarrier(op, (barrier, None), false, does.active);
        does.accesses.extend(access);
        if let Some(effect) = inherent::awaits(wait) {
            does.effects.push(effect);
            return self.push(op, does);
        }
        if !goes_on_until(op, wait) {
            self.failures.refuse(op, "is not followed: expected a loop that repeats while its wait fails");
        }
        match self.addresses.values().of_value(parity) {
            Some(parity) => self.acts(op, &mut does, (barrier, None), Act::Wait { parity }),
            None => self.failures.refuse(op, "is not followed: which parity it waits for is not known"),
        }
        let known = divisibility::infer(parity).constant().zip(self.known_mbarrier(barrier));
        let Some((parity, place)) = known.filter(|_| self.program.is_certain() && does.exact) else {
            self.in_ring(op);
            return self.push(op, does);
        };
        match self.phases.wait(&place, parity, &does.active) {
            Ok(Some(phases)) => does.effects.push(Effect::PhaseWait(phases)),
            Ok(None) => self.in_ring(op),
            Err(fault) => self.out_of_phase(op, fault),
        }
        self.push(op, does)
    }
}

/// Whether a loop repeats while the result of its wait is false.
fn goes_on_until(op: OperationRef<'_, '_>, wait: OperationRef<'_, '_>) -> bool {
    let again = || {
        let end = op.region_at(0)?.first_block()?.terminator()?;
        let condition = defining_op(end.operand_at(0)?)?;
        let inverts = name(condition) == arith::XOrIOp::NAME
            && divisibility::infer(condition.operand_at(1)?).constant().is_some_and(|mask| mask & 1 == 1);
        let waits = defining_op(condition.operand_at(0)?)?;
        Some(inverts && waits.to_raw().ptr == wait.to_raw().ptr)
    };
    again().unwrap_or(false)
}
