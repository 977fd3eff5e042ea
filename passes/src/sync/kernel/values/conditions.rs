//! Trip counts, and conditions that all threads decide alike: whether a loop iterates a given number of times, or has iterations
//! left.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, Value};
use tile_dialect::ir::{Parts, argument_of, defining_op, is_inside};
use tile_ops::arith::{self, CmpIPredicate};
use tile_ops::{gpu, nvvm};
use tile_plan::bounds::Term;
use tile_plan::sync::{AddressForm, Below, Limit, Periodic, When};

use super::KernelValues;
use crate::read::terms::Origin;
use crate::read::{divisibility, name};

/// A run-time trip count.
pub struct Count {
    /// Its number, which loops with equal trip counts share.
    pub number: usize,
    /// Whether it may differ between the blocks of a cluster.
    pub differs: bool,
}

impl<'c: 'a, 'a> KernelValues<'_, 'c, 'a> {
    /// The trip count of a loop, whatever it is, in the loops `around`, outer to inner. `None` where it may be another one each time that
    /// the loop is reached, unless that is once in each iteration of a single loop around.
    pub fn count(&mut self, op: OperationRef<'c, 'a>, around: &[OperationRef<'c, 'a>]) -> Option<Count> {
        let bounds: Vec<Term> = op.operands().take(3).map(|bound| self.terms.term(bound)).collect();
        let varies = around.first().is_some_and(|&outermost| bounds.iter().any(|&bound| self.varies(bound, outermost)));
        let within = match around {
            [single] if varies => Some(self.loops.number(*single)?),
            _ if varies => return None,
            _ => None,
        };
        let differs = self.block.rank.is_some() && !self.is_same_in_cluster(&bounds);
        let number = self.loops.count(bounds);
        within.into_iter().for_each(|around| self.loops.enters(number, around));
        Some(Count { number, differs })
    }

    /// Whether a term may have another value in the next iteration of a loop.
    fn varies(&mut self, term: Term, loop_op: OperationRef<'c, 'a>) -> bool {
        let needs = self.terms.question.terms.needs(term).clone();
        let made_inside = |value| {
            let owner = || argument_of(value).and_then(|(block, _)| block.parent_operation());
            defining_op(value).or_else(owner).is_none_or(|op| is_inside(op, loop_op))
        };
        let may_vary = |symbol: &Term| match self.terms.origins.get(symbol) {
            Some(Origin::Value(value) | Origin::Extent(value, _)) => made_inside(*value),
            _ => false,
        };
        needs.iter().any(may_vary)
    }

    /// Whether terms are the same in all blocks of a cluster.
    fn is_same_in_cluster(&mut self, terms: &[Term]) -> bool {
        let symbols: Vec<Term> = terms.iter().flat_map(|&term| self.terms.question.terms.needs(term).clone()).collect();
        let alike = |symbol: Term| match self.terms.origins.get(&symbol) {
            Some(Origin::BlockSize(_) | Origin::GridSize(_) | Origin::Extent(..)) => true,
            Some(&Origin::Value(value)) => self.is_argument(value) || defining_op(value).is_some_and(is_of_clusters),
            Some(Origin::Thread(_) | Origin::Block(_)) | None => false,
        };
        symbols.into_iter().all(alike)
    }

    /// The condition under which each arm of an `scf.if` is taken.
    pub fn when(&mut self, op: OperationRef<'c, 'a>) -> Option<When> {
        let condition = op.operand_at(0)?;
        let by_rank = self.block.rank.and_then(|_| self.of_value(condition)?.as_constant());
        match by_rank {
            Some(takes) => Some(When::of_blocks(vec![takes & 1])),
            None => self.times(condition).or_else(|| self.below(condition).map(|below| When::Below(Box::new(below)))),
        }
    }

    /// A comparison of a number with a constant, or with the upper bound of a loop from 0 by 1. That the number is not negative is for the
    /// execution to say: unsigned comparisons are the same then.
    fn below(&mut self, condition: Value<'c, 'a>) -> Option<Below> {
        let compared = arith::CmpIOp::cast(defining_op(condition)?)?;
        let (lhs, rhs) = (compared.lhs(), compared.rhs());
        let predicate = compared.predicate()?;
        // A number that is fixed may be the trip count of a loop.
        let followed = |form: &AddressForm| form.shift.fixed.is_empty() && !form.shift.unknown;
        if let Some(number) = divisibility::infer(rhs).constant()
            && let Some(value) = self.of_value(lhs).filter(followed)
        {
            let (least, limit, arm) = range_of(predicate, number)?;
            return Some(Below { value, limit: Limit::Number(limit), least, arm });
        }
        let (value, end, arm) = match predicate {
            CmpIPredicate::Slt => (lhs, rhs, 0),
            CmpIPredicate::Sgt => (rhs, lhs, 0),
            CmpIPredicate::Sge => (lhs, rhs, 1),
            CmpIPredicate::Sle => (rhs, lhs, 1),
            _ => return None,
        };
        let value = self.of_value(value)?;
        let end = self.terms.term(end);
        let [first, step] = [0, 1].map(|number| self.terms.question.terms.constant(number));
        Some(Below { value, limit: Limit::Trips(self.loops.count(vec![first, end, step])), least: 0, arm })
    }

    /// A condition that depends only on the trip count of some loops.
    fn times(&mut self, condition: Value<'c, 'a>) -> Option<When> {
        let term = self.terms.term(condition);
        let (count, taken) = self.of_count(term)?;
        let arms: Option<Vec<i64>> = (0..taken.period()).map(|times| Some(i64::from(taken.at(times)? == 0))).collect();
        Some(When::Times { count, arm: Periodic::table(arms?) })
    }
}

/// A comparison of a number that is not negative with a constant, as the least value and the limit of a range, and the arm that is taken
/// there.
fn range_of(predicate: CmpIPredicate, number: i64) -> Option<(i64, i64, usize)> {
    let behind = number.checked_add(1)?;
    match predicate {
        CmpIPredicate::Slt | CmpIPredicate::Ult => Some((0, number, 0)),
        CmpIPredicate::Sle | CmpIPredicate::Ule => Some((0, behind, 0)),
        CmpIPredicate::Sge | CmpIPredicate::Uge => Some((0, number, 1)),
        CmpIPredicate::Sgt | CmpIPredicate::Ugt => Some((0, behind, 1)),
        CmpIPredicate::Eq => Some((number, behind, 0)),
        CmpIPredicate::Ne => Some((number, behind, 1)),
        _ => None,
    }
    .filter(|_| number >= 0)
}

/// Whether an operation reads a register that distinguishes clusters, or counts them.
fn is_of_clusters(op: OperationRef<'_, '_>) -> bool {
    [
        gpu::ClusterIdOp::NAME,
        gpu::ClusterDimOp::NAME,
        nvvm::ClusterIdXOp::NAME,
        nvvm::ClusterIdYOp::NAME,
        nvvm::ClusterIdZOp::NAME,
        nvvm::ClusterDimXOp::NAME,
        nvvm::ClusterDimYOp::NAME,
        nvvm::ClusterDimZOp::NAME,
    ]
    .contains(&name(op))
}
