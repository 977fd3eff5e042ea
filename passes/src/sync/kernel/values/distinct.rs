//! Values that are not known, of which a promise says that no execution of an op gives one twice.
//!
//! ```mlir
//!   %own = tile.assume %row uniform(warp) distinct(cta) : index
//!   %first = arith.muli %own, %c64 : index
//!   %at = arith.addi %first, %lane : index                  64 * (a number of this warp and iteration alone) + lane
//! ```
//!
//! Accesses through two executions touch different rows, whatever the rows are. So the analysis takes numbers of its own in
//! place of the values: any that differ between executions will do, as long as such accesses are compared with each other alone.
//! A value that is equal in all threads of a block needs no other numbers: it is followed, and known to differ between iterations.

use std::collections::BTreeMap;

use melior::ir::{OperationRef, Value};
use tile_dialect::ir::Parts;
use tile_dialect::ops::Scope;
use tile_isa::{WARP, WARPGROUP};
use tile_ops::{scf, tile};
use tile_plan::bounds::{Node, Term};
use tile_plan::sync::{AddressForm, Periodic, Shift};
use tile_plan::terms::{Promise, linear};

use super::KernelValues;
use crate::read::run_time::RunTime;
use crate::read::values::key;
use crate::read::{kernel, name};
use crate::walk;

/// A number that selects coordinates of its own in each execution of an op.
pub struct Distinct {
    /// The op, by its result.
    pub op: usize,
    /// How many coordinates belong to each execution.
    pub width: i64,
    /// A number with these properties.
    pub stand_in: AddressForm,
}

/// The ops of a function that make such a promise, by their results.
pub(super) fn promises<'c: 'a, 'a>(function: OperationRef<'c, 'a>) -> BTreeMap<usize, OperationRef<'c, 'a>> {
    let ops = walk::matching(function, |name| name == tile::AssumeOp::NAME).into_iter();
    ops.filter_map(|op| {
        let _ = tile::AssumeOp::cast(op)?.distinct()?;
        Some((key(Value::from(op.result_at(0)?)), op))
    })
    .collect()
}

/// How much further the iterations of an outer loop are apart than those of the loop inside it.
const ITERATIONS: i64 = 1 << 10;

impl<'c: 'a, 'a> KernelValues<'_, 'c, 'a> {
    /// Whether no op of the function makes such a promise.
    pub fn promises_nothing(&self) -> bool {
        self.promises.is_empty()
    }

    /// A run-time number that is the first of `extent` coordinates, where these belong to one execution of an op.
    pub fn distinct_number(&mut self, number: &RunTime<'c, 'a>, extent: i64) -> Option<Distinct> {
        let term = self.terms.number(number);
        self.distinct(term, extent)
    }

    /// Likewise for a term: `width` times a value that is promised to be distinct, plus a number for each thread which is such
    /// that the coordinates end before the next multiple of `width`.
    pub fn distinct(&mut self, term: Term, extent: i64) -> Option<Distinct> {
        let terms = &self.terms.question.terms;
        let promise = |term: Term| match terms.node(term) {
            Node::Promised(_, Promise::Distinct(op)) => Some(*op),
            _ => None,
        };
        let sum = linear::linearize_over(terms, term, |part| promise(part).is_some());
        let parts: Vec<_> = sum.factors.iter().map(|(&part, &factor)| (part, promise(part), factor)).collect();
        let mut rest = AddressForm::constant(i64::try_from(sum.constant).ok()?);
        let mut selected = None;
        for (part, op, factor) in parts {
            let factor = i64::try_from(factor).ok()?;
            match op {
                Some(_) if selected.is_some() => return None,
                Some(op) => selected = Some((op, factor)),
                None => rest = rest.plus(&self.of_term(part)?.times(factor)?)?,
            }
        }
        let (op, width) = selected?;
        let last = width.checked_sub(extent)?;
        let inside = rest.shift == Shift::none() && rest.each.iter().all(|first| (0..=last).contains(first));
        let stand_in = self.executions(op).filter(|_| inside)?.times(width)?.plus(&rest)?;
        Some(Distinct { op, width, stand_in })
    }

    /// Records of the fixed values in a term which of them are promised to differ between the iterations that compute them anew.
    pub(super) fn learn_distinct(&mut self, term: Term) {
        if self.promises_nothing() || self.block.rank.is_some() {
            return;
        }
        let terms = &self.terms.question.terms;
        let promised = terms.cone([term]).into_iter().filter_map(|part| match terms.node(part) {
            Node::Promised(value, Promise::Distinct(op)) => Some((*value, *op)),
            _ => None,
        });
        let distinct = promised.filter_map(|(value, op)| {
            let form = AddressForm::of(terms, value, &self.sources)?;
            let mut fixed = form.shift.fixed.keys();
            let value = *fixed.next().filter(|_| fixed.next().is_none())?;
            let is_alone = form.each.len() == 1 && form.shift.loops.is_empty();
            Some((value, self.loops_of(op).filter(|_| is_alone)?))
        });
        for (value, loops) in distinct.collect::<Vec<_>>() {
            loops.into_iter().for_each(|number| self.loops.differs(number, value));
        }
    }

    /// The loops around the op of a promise, where each of their iterations executes it.
    fn loops_of(&self, op: usize) -> Option<Vec<usize>> {
        let op = *self.promises.get(&op)?;
        let around = kernel::ancestors(op).take_while(|around| around.to_raw().ptr != self.function.to_raw().ptr);
        around.map(|around| self.loops.number(around)).collect()
    }

    /// A number for each execution of the op of a promise; `None` where a loop around it is not followed, and where the blocks of a
    /// cluster are compared: another block may have the same values.
    fn executions(&self, op: usize) -> Option<AddressForm> {
        if self.block.rank.is_some() {
            return None;
        }
        let op = *self.promises.get(&op)?;
        let threads = self.block.threads().len();
        let together = match tile::AssumeOp::cast(op)?.uniform() {
            None | Some(Scope::Thread) => 1,
            Some(Scope::Warp) => WARP,
            Some(Scope::Warpgroup) => WARPGROUP,
            Some(_) => threads,
        };
        let each: Vec<i64> = (0..threads).map(|thread| thread / together).collect();
        let (mut loops, mut gain) = (BTreeMap::new(), each.last()? + 1);
        for around in kernel::ancestors(op) {
            match name(around) {
                _ if around.to_raw().ptr == self.function.to_raw().ptr => break,
                scf::IfOp::NAME | scf::ExecuteRegionOp::NAME => {}
                _ => {
                    loops.insert(self.loops.number(around)?, Periodic::line(0, gain));
                    gain = gain.checked_mul(ITERATIONS)?;
                }
            }
        }
        Some(AddressForm { each, shift: Shift { loops, ..Shift::none() } })
    }
}
