//! How often loops go round.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef};
use tile_dialect::ir::{argument_of, defining_op, is_inside};
use tile_ops::{affine, scf};
use tile_plan::bounds::Term;
use tile_plan::sync::Loop;

use crate::read::terms::Origin;
use crate::read::{divisibility, name};
use crate::sync::kernel::Kernel;

impl<'c: 'a, 'a> Kernel<'_, 'c, 'a> {
    /// A number of loops that go round equally often, however often that is.
    /// `None` where that may differ each time that the loop is reached.
    pub(super) fn count(&mut self, op: OperationRef<'c, 'a>) -> Option<usize> {
        let bounds: Vec<Term> = op.operands().take(3).map(|it| self.terms.term(it)).collect();
        if bounds.iter().any(|&bound| self.varies(bound)) {
            return None;
        }
        self.same_in_cluster(op, &bounds);
        Some(self.count_of(bounds))
    }

    /// May a term be another number in the next iteration of a loop that is around?
    fn varies(&mut self, term: Term) -> bool {
        let loops = [scf::ForOp::NAME, scf::WhileOp::NAME, affine::AffineForOp::NAME];
        let Some(outermost) = self.level.iter().copied().find(|op| loops.contains(&name(*op))) else { return false };
        let needs = self.terms.question.terms.needs(term).clone();
        let made_inside = |value| {
            let owner = || argument_of(value).and_then(|(block, _)| block.parent_operation());
            defining_op(value).or_else(owner).is_none_or(|op| is_inside(op, outermost))
        };
        let may_vary = |symbol: &Term| match self.terms.origins.get(symbol) {
            Some(Origin::Value(value) | Origin::Extent(value, _)) => made_inside(*value),
            _ => false,
        };
        needs.iter().any(may_vary)
    }

    /// The same of bounds and a step.
    pub(super) fn count_of(&mut self, bounds: Vec<Term>) -> usize {
        let found = self.counts.iter().position(|it| *it == bounds);
        found.unwrap_or_else(|| {
            self.counts.push(bounds);
            self.counts.len() - 1
        })
    }

    pub(super) fn bounds(&self, op: OperationRef<'c, 'a>) -> Loop {
        let bounds: Option<Vec<i64>> = op.operands().take(3).map(|it| divisibility::of(it).constant()).collect();
        let trips = bounds.and_then(|bounds| {
            let &[lower, upper, step] = &bounds[..] else { return None };
            let span = upper.checked_sub(lower)?.max(0);
            (step > 0).then(|| span.checked_add(step - 1).map(|span| span / step))?
        });
        let signed = scf::ForOp::cast(op).is_none_or(|of| !of.unsigned_cmp());
        let trips = trips.filter(|_| signed);
        Loop { trips, entered: trips.is_some_and(|trips| trips > 0), ..Loop::default() }
    }
}
