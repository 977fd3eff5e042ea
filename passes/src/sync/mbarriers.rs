//! What is done to mbarriers: made, arrived at, waited for.

use std::rc::Rc;

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Value, ValueLike};
use tile_dialect::ir::Parts;
use tile_ops::{arith, nvvm, scf};
use tile_plan::ThreadSet;
use tile_plan::sync::{Access, Effect, Footprint, Item, Op};

use crate::read::sources::touches_nothing;
use crate::read::{divisibility, name};
use crate::sync::copies::{access, memory};
use crate::sync::kernel::{Kernel, Wrong};
use crate::sync::phases::{Arrival, Fault};

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// The access to an mbarrier: of `mbarrier.init` a store, of all others an atomic one.
    pub(super) fn mbarrier(&mut self, barrier: Value<'c, 'a>, init: bool, by: ThreadSet) -> Option<Access> {
        let (root, first) = memory(barrier);
        let object = self.object(root);
        let place =
            first.map(|first| (Rc::new(Footprint::all(first, first.saturating_add(8), by)), Default::default()));
        Some(Access { atomic: !init, ..access(object, true, true, place) })
    }

    pub(super) fn initialize(&mut self, op: OperationRef<'c, 'a>, mut does: Op) -> Vec<Item> {
        let (barrier, count) = (op.operand_at(0), op.operand_at(1));
        let Some(barrier) = barrier else { return Vec::new() };
        let (root, first) = memory(barrier);
        let count = count.and_then(|count| divisibility::of(count).constant());
        if let Some(first) = first {
            match count.filter(|_| self.around == 0 && does.exact && does.active.len() == 1) {
                Some(count) => self.phases.init(&(root, first), count, self.program.ops.len()),
                None => self.phases.lose(&(root, first)),
            }
        }
        does.accesses.extend(self.mbarrier(barrier, true, does.active));
        vec![self.push(op, does)]
    }

    /// Arrivals of the threads that get there, or bytes that they expect, or both.
    pub(super) fn arrive(&mut self, op: OperationRef<'c, 'a>, mut does: Op) -> Vec<Item> {
        let Some(barrier) = op.operand_at(0) else { return Vec::new() };
        let each = op.operand_at(1).map_or(Some(0), |each| divisibility::of(each).constant());
        let threads = does.active.len();
        let arrival = each.and_then(|each| {
            let all = each.checked_mul(threads)?;
            Some(match name(op) {
                nvvm::MBarrierArriveOp::NAME if op.operand_at(1).is_some() => Arrival { arrivals: all, bytes: 0 },
                nvvm::MBarrierExpectTxOp::NAME => Arrival { arrivals: 0, bytes: all },
                _ => Arrival { arrivals: threads, bytes: all },
            })
        });
        match arrival {
            Some(arrival) => drop(self.arrives(op, barrier, &does, arrival)),
            None => self.refuse(op, "is not followed: how much it adds to the phase of its mbarrier is not a constant"),
        }
        does.accesses.extend(self.mbarrier(barrier, false, does.active));
        vec![self.push(op, does)]
    }

    /// Arrivals on an mbarrier, and the phase that they are in, where that is known.
    pub(super) fn arrives(
        &mut self,
        op: OperationRef<'c, 'a>,
        barrier: Value<'c, 'a>,
        does: &Op,
        arrival: Arrival,
    ) -> Option<usize> {
        let (root, first) = memory(barrier);
        let Some(first) = first else {
            self.refuse(op, "is not followed: which mbarrier it arrives on is not known");
            return None;
        };
        let place = (root, first);
        if self.around > 0 || !does.exact {
            self.phases.lose(&place);
            self.refuse(op, "is not followed: phases of mbarriers in loops and under conditions are not");
            return None;
        }
        match self.phases.arrive(&place, arrival, self.program.ops.len()) {
            Ok(phase) => phase,
            Err(fault) => {
                self.out_of_phase(op, fault);
                None
            }
        }
    }

    /// An error of an mbarrier, with notes at what else was done to it.
    fn out_of_phase(&mut self, op: OperationRef<'c, 'a>, fault: Fault) {
        let notes = fault.notes.into_iter().filter_map(|(at, note)| Some((*self.ops.get(at)?, note))).collect();
        self.wrong.push(Wrong { op, text: fault.text, notes });
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
        let does = self.reached(op);
        Some(self.waits(op, wait, does))
    }

    fn waits(&mut self, op: OperationRef<'c, 'a>, wait: OperationRef<'c, 'a>, mut does: Op) -> Item {
        let (barrier, parity) = (wait.operand_at(0), wait.operand_at(1));
        let of_parity = parity.filter(|parity| crate::read::arithmetic::bits(parity.r#type()) == Some(32));
        let (Some(barrier), Some(parity)) = (barrier, of_parity) else {
            self.refuse(op, "is not followed: it waits for a token of an mbarrier, expected a parity");
            return self.push(op, does);
        };
        does.accesses.extend(self.mbarrier(barrier, false, does.active));
        let (root, first) = memory(barrier);
        let goes_on = goes_on_until(op, wait);
        let known =
            divisibility::of(parity).constant().zip(first).filter(|_| self.around == 0 && does.exact && goes_on);
        let Some((parity, first)) = known else {
            self.refuse(op, "is not followed: phases of mbarriers in loops and under conditions are not");
            return self.push(op, does);
        };
        match self.phases.wait(&(root, first), parity, &does.active) {
            Ok(Some(phases)) => does.effects.push(Effect::PhaseWait(phases)),
            Ok(None) => self.refuse(op, "is not followed: which phase of the mbarrier it waits for is not known"),
            Err(fault) => self.out_of_phase(op, fault),
        }
        self.push(op, does)
    }
}

/// Does a loop go on while the result of its wait is false?
fn goes_on_until(op: OperationRef<'_, '_>, wait: OperationRef<'_, '_>) -> bool {
    let again = || {
        let end = op.region_at(0)?.first_block()?.terminator()?;
        let condition = tile_dialect::ir::defining_op(end.operand_at(0)?)?;
        let inverts = name(condition) == arith::XOrIOp::NAME
            && divisibility::of(condition.operand_at(1)?).constant().is_some_and(|mask| mask & 1 == 1);
        let waits = tile_dialect::ir::defining_op(condition.operand_at(0)?)?;
        Some(inverts && waits.to_raw().ptr == wait.to_raw().ptr)
    };
    again().unwrap_or(false)
}
