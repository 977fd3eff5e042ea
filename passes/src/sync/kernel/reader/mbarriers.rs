//! Operations on mbarriers: initialization, arrivals and waits.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::ir::{Parts, defining_op};
use tile_ops::{arith, nvvm, scf};
use tile_plan::sync::{Access, Act, Effect, Item, Mbarrier, Op};
use tile_plan::{Space, ThreadSet};

use super::KernelReader;
use crate::read::alias::Root;
use crate::read::sources::touches_nothing;
use crate::read::{divisibility, name};
use crate::sync::kernel::access::{access, each};
use crate::sync::kernel::completions::{Arrival, Fault, Phases};
use crate::sync::kernel::failures::Wrong;

/// Bytes of an mbarrier.
const BYTES: i64 = 8;

impl<'c: 'a, 'a> KernelReader<'_, 'c, 'a> {
    /// The access to an mbarrier, in the block of a rank where one is given: a store for `mbarrier.init`, else an atomic access.
    pub(super) fn mbarrier(
        &mut self,
        op: OperationRef<'c, 'a>,
        (barrier, rank): (Value<'c, 'a>, Option<Value<'c, 'a>>),
        init: bool,
        by: ThreadSet,
    ) -> Vec<Access> {
        let address = self.addresses.pointer(barrier);
        let object = self.addresses.object(address.root);
        let place = address.byte.map(|form| each(&form, &by, BYTES));
        let found = Access { atomic: !init, ..access(object, Space::Shared, true, place) };
        self.at(op, address.rank.or(rank), found)
    }

    /// Adds an operation's effect on an mbarrier, for checks that follow it by executing the program.
    pub(super) fn acts(
        &mut self,
        op: OperationRef<'c, 'a>,
        does: &mut Op,
        (barrier, rank): (Value<'c, 'a>, Option<Value<'c, 'a>>),
        act: Act,
    ) {
        let address = self.addresses.pointer(barrier);
        let object = self.addresses.object_in_block((op, &mut self.failures), address.root, address.rank.or(rank));
        match address.byte {
            Some(byte) => does.effects.push(Effect::Mbarrier(Box::new(Mbarrier { object, byte, act }))),
            None => self.failures.refuse(op, "is not followed: which mbarrier it names is not known"),
        }
    }

    /// The memory of an mbarrier and its byte, if that is a constant.
    fn place(&mut self, barrier: Value<'c, 'a>) -> Option<(Root, i64)> {
        let address = self.addresses.pointer(barrier);
        Some((address.root, address.byte?.as_constant()?))
    }

    pub(super) fn initialize(&mut self, op: OperationRef<'c, 'a>, mut does: Op) -> Vec<Item> {
        let (barrier, count) = (op.operand_at(0), op.operand_at(1));
        let Some(barrier) = barrier else { return Vec::new() };
        let count = count.and_then(|count| divisibility::of(count).constant());
        if let Some(place) = self.place(barrier) {
            match count.filter(|_| self.program.is_certain() && does.exact && does.active.len() == 1) {
                Some(count) => self.phases.init(&place, count, self.program.next()),
                None => self.phases.lose(&place),
            }
        }
        does.accesses.extend(self.mbarrier(op, (barrier, None), true, does.active));
        match count {
            Some(count) => self.acts(op, &mut does, (barrier, None), Act::Init { count }),
            None => self.failures.only_executed(op, "is not followed: its count is not a constant"),
        }
        vec![self.push(op, does)]
    }

    /// Arrivals of the threads that reach an operation, or bytes that they expect, or both.
    pub(super) fn arrive(&mut self, op: OperationRef<'c, 'a>, mut does: Op) -> Vec<Item> {
        let Some(barrier) = op.operand_at(0) else { return Vec::new() };
        let given = op.operand_at(1).map(|given| divisibility::of(given).constant());
        let each = match (name(op), given) {
            (_, Some(None)) => None,
            (nvvm::MBarrierArriveOp::NAME, given) => Some((given.flatten().unwrap_or(1), 0)),
            (nvvm::MBarrierExpectTxOp::NAME, given) => Some((0, given.flatten().unwrap_or(0))),
            (_, given) => Some((1, given.flatten().unwrap_or(0))),
        };
        match each {
            Some((count, bytes)) => {
                let all = |each: i64| each.saturating_mul(does.active.len());
                self.arrives(op, barrier, &does, Arrival { arrivals: all(count), bytes: all(bytes) });
                let relaxed = nvvm::MBarrierArriveOp::cast(op).is_some_and(|it| it.relaxed() == Some(true))
                    || nvvm::MBarrierArriveExpectTxOp::cast(op).is_some_and(|it| it.relaxed() == Some(true));
                // An arrival at another block releases only if its scope is the cluster.
                let narrow = self.addresses.pointer(barrier).rank.is_some() && !is_of_cluster(op);
                let releases = count > 0 && !relaxed && !narrow;
                let by = does.active;
                self.acts(op, &mut does, (barrier, None), Act::Arrive { by, count, bytes, releases });
            }
            None => self
                .failures
                .refuse(op, "is not followed: how much it adds to the phase of its mbarrier is not a constant"),
        }
        let access = self.mbarrier(op, (barrier, None), false, does.active);
        does.accesses.extend(access);
        vec![self.push(op, does)]
    }

    /// Records arrivals on an mbarrier; the phase that they are in, where it is known.
    pub(super) fn arrives(
        &mut self,
        op: OperationRef<'c, 'a>,
        barrier: Value<'c, 'a>,
        does: &Op,
        arrival: Arrival,
    ) -> Option<usize> {
        let place = self.place(barrier);
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
        self.failures.wrong_in_text_order(Wrong { op, text: fault.text, notes });
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
                match name(inner) {
                    nvvm::MBarrierTryWaitOp::NAME | nvvm::MBarrierTestWaitOp::NAME if wait.is_none() && region == 0 => {
                        wait = Some(inner);
                    }
                    scf::ConditionOp::NAME | scf::YieldOp::NAME => {}
                    _ if touches_nothing(inner) && inner.region_count() == 0 => {}
                    _ => return None,
                }
                next = inner.next_in_block();
            }
        }
        let wait = wait?;
        let does = self.threads.reaching(op);
        Some(self.waits(op, wait, does))
    }

    fn waits(&mut self, op: OperationRef<'c, 'a>, wait: OperationRef<'c, 'a>, mut does: Op) -> Item {
        let (barrier, parity) = (wait.operand_at(0), wait.operand_at(1));
        let of_parity = parity.filter(|parity| crate::read::arithmetic::bits(parity.r#type()) == Some(32));
        let (Some(barrier), Some(parity)) = (barrier, of_parity) else {
            self.failures.refuse(op, "is not followed: it waits for a token of an mbarrier, expected a parity");
            return self.push(op, does);
        };
        let access = self.mbarrier(op, (barrier, None), false, does.active);
        does.accesses.extend(access);
        if !goes_on_until(op, wait) {
            self.failures.refuse(op, "is not followed: expected a loop that repeats while its wait fails");
        }
        match self.addresses.values().of_value(parity) {
            Some(parity) => self.acts(op, &mut does, (barrier, None), Act::Wait { parity }),
            None => self.failures.refuse(op, "is not followed: which parity it waits for is not known"),
        }
        let known = divisibility::of(parity).constant().zip(self.place(barrier));
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

/// Whether an arrival releases to all threads of the cluster.
fn is_of_cluster(op: OperationRef<'_, '_>) -> bool {
    let scope = nvvm::MBarrierArriveOp::cast(op).and_then(|it| it.scope());
    let scope = scope.or_else(|| nvvm::MBarrierArriveExpectTxOp::cast(op).and_then(|it| it.scope()));
    scope == Some(nvvm::MemScopeKind::Cluster)
}

/// Whether a loop repeats while the result of its wait is false.
fn goes_on_until(op: OperationRef<'_, '_>, wait: OperationRef<'_, '_>) -> bool {
    let again = || {
        let end = op.region_at(0)?.first_block()?.terminator()?;
        let condition = defining_op(end.operand_at(0)?)?;
        let inverts = name(condition) == arith::XOrIOp::NAME
            && divisibility::of(condition.operand_at(1)?).constant().is_some_and(|mask| mask & 1 == 1);
        let waits = defining_op(condition.operand_at(0)?)?;
        Some(inverts && waits.to_raw().ptr == wait.to_raw().ptr)
    };
    again().unwrap_or(false)
}
