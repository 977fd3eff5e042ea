//! Loops: their trip counts, and which threads go round.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, RegionLike};
use tile_dialect::ir::{Arguments, Parts};
use tile_ops::scf;
use tile_plan::sync::{Item, Loop, Rounds, Together};

use super::KernelReader;
use crate::read::{divisibility, name};

impl<'c: 'a, 'a> KernelReader<'_, 'c, 'a> {
    /// A counted loop.
    pub(super) fn counted(&mut self, op: OperationRef<'c, 'a>) -> Item {
        let bounds = self.bounds(op);
        let open = name(op) == scf::ForOp::NAME && bounds.trips.is_none() && bounds.rounds == Rounds::Together;
        let count = if open { self.count(op) } else { None };
        let variable = op.region_at(0).and_then(|region| region.first_block()?.argument_at(0));
        let variable = variable.map(Into::into);
        let number = self.addresses.values().add_loop(op, Loop { count, ..bounds }, variable);
        if name(op) == scf::ForOp::NAME {
            self.addresses.objects().exchange(op, number);
        }
        self.program.begin_uncertain();
        self.program.enter(op);
        let body = self.region(op, 0);
        self.program.leave();
        self.program.end_uncertain();
        Item::Loop(number, body)
    }

    /// An `scf.while` loop; or one that only waits for a phase of an mbarrier.
    pub(super) fn repeated(&mut self, op: OperationRef<'c, 'a>) -> Vec<Item> {
        if let Some(item) = self.spin(op) {
            return vec![item];
        }
        let rounds = self.threads.rounds(op, 1);
        let number = self.addresses.values().add_loop(op, Loop { rotated: true, rounds, ..Loop::default() }, None);
        self.program.begin_uncertain();
        let mut items = self.region(op, 0);
        self.program.enter(op);
        let mut body = self.region(op, 1);
        body.extend(self.region(op, 0));
        self.program.leave();
        self.program.end_uncertain();
        items.push(Item::Loop(number, body));
        items
    }

    /// A number that loops with equal trip counts share, whatever the count is. `None` where the count may differ each time that
    /// the loop is reached.
    fn count(&mut self, op: OperationRef<'c, 'a>) -> Option<usize> {
        let loops = [scf::ForOp::NAME, scf::WhileOp::NAME];
        let around = self.program.around().iter().copied().filter(|op| loops.contains(&name(*op))).collect::<Vec<_>>();
        let count = self.addresses.values().count(op, &around)?;
        if count.differs {
            self.failures.refuse(op, "is not followed: its trip count may differ between the blocks of a cluster");
        }
        Some(count.number)
    }

    /// The trip count of a counted loop, and which threads go round.
    fn bounds(&self, op: OperationRef<'c, 'a>) -> Loop {
        let rounds = self.threads.rounds(op, 0);
        // One count is that of all threads, whichever of them come here.
        let each = self.threads.reader().trips(op);
        let each = each.filter(|each| each.len() == 1 || rounds.together() == Together::Block);
        let bounds: Option<Vec<_>> = op.operands().take(3).map(|bound| divisibility::infer(bound).constant()).collect();
        let trips = bounds.filter(|_| name(op) == scf::ForOp::NAME).and_then(|bounds| {
            let &[lower, upper, step] = &bounds[..] else { return None };
            let span = upper.checked_sub(lower)?.max(0);
            (step > 0).then(|| span.checked_add(step - 1).map(|span| span / step))?
        });
        let signed = scf::ForOp::cast(op).is_none_or(|for_op| !for_op.unsigned_cmp());
        let trips = each.and_then(|each| each.into_iter().max()).or(trips.filter(|_| signed));
        let entered = rounds == Rounds::Together && trips.is_some_and(|trips| trips > 0);
        Loop { trips, entered, rounds, ..Loop::default() }
    }
}
