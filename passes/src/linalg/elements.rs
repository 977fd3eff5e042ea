//! Ops of which no tile op does the whole, as loops over elements: gathers, whose body loads from memory, bodies with conditions or loops,
//! operands that are indexed by more than sums of loops.
//!
//! ```text
//!   linalg.generic ins(%numbers) outs(%rows) {      %i, %j = %thread / 32, %thread % 32
//!     %row = arith.index_cast %number               scf.for %i0 = 0 to 8 step 4 {
//!     %j = linalg.index 1                             scf.for %j0 = 0 to 256 step 32 {
//!     %x = memref.load %table[%row, %j]                 %number = memref.load %numbers[%i0 + %i]
//!     linalg.yield %x                                   %x = memref.load %table[%number, %j0 + %j]
//!   }                                                   memref.store %x, %rows[%i0 + %i, %j0 + %j]
//! ```

use melior::ir::attribute::ArrayAttribute;
use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, Value};
use tile_dialect::emit::RemarkKind;
use tile_dialect::ir::{Parts, as_argument, defining_op};
use tile_dialect::ops::Scope;
use tile_ops::memref;
use tile_plan::linalg::LinalgRefusal;

use super::convert::Converter;
use super::team;
use super::tiles::{self, memref_type};
use crate::read::name;
use crate::read::values::key;
use crate::{report, shim, walk};

impl<'c: 'a, 'a> Converter<'_, '_, 'c, 'a> {
    /// Writes an op that no tile op does as loops over elements, where its memory is no tile; whether it did. Each thread does all elements of
    /// an op of its own; those of an op of a block are divided among its threads.
    pub fn write_loops(&self, op: OperationRef<'c, 'a>, refusal: &LinalgRefusal) -> bool {
        let captured = captured(op);
        if operands(op).iter().chain(&captured).any(|value| tiles::tile(*value).is_some()) {
            return false;
        }
        let made = match team::scope(op) {
            Scope::Thread => self.loops_of_thread(op),
            Scope::Cta if is_by_elements(refusal) => self.loops_of_block(op, &captured, refusal),
            _ => None,
        };
        made.is_some()
    }

    fn loops_of_thread(&self, op: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
        let kernel = self.kernel(op).ok()?;
        let generic = if name(op) == memref::CopyOp::NAME { shim::copy_as_linalg(op)? } else { op };
        let made = shim::loops_of_elements(generic)?;
        self.mark(kernel, made);
        Some(made)
    }

    fn loops_of_block(
        &self,
        op: OperationRef<'c, 'a>,
        captured: &[Value<'c, 'a>],
        refusal: &LinalgRefusal,
    ) -> Option<OperationRef<'c, 'a>> {
        let kernel = self.reached_by_all(op, Scope::Cta).ok()?;
        let block = self.reader.block(op).ok().flatten()?.map(|size| i32::try_from(size).ok());
        let [Some(x), Some(y), Some(z)] = block else { return None };
        let body = walk::matching(op, |_| true).into_iter().filter(|inner| *inner != op);
        let writes = body.into_iter().any(|inner| shim::memory_effects(inner).writes);
        let mut shared = operands(op).into_iter().chain(captured.iter().copied());
        let differs = shared.any(|value| self.differs(kernel, value, Scope::Cta));
        if writes || differs || !self.has_own_results(kernel, op, captured) {
            return None;
        }
        let text = format!("{} is computed element by element", name(op));
        let made = shim::loops_of_threads(op, [x, y, z])?;
        let cause = "element-by-element";
        report::emit(made, RemarkKind::Missed, cause, &text, &[("Reason", refusal.to_string())]);
        self.mark(kernel, made);
        Some(made)
    }

    /// Whether no thread reads what another one writes: a result is no other memory that the op uses, but an operand with the same elements at
    /// the same places.
    fn has_own_results(
        &self,
        kernel: OperationRef<'c, 'a>,
        op: OperationRef<'c, 'a>,
        captured: &[Value<'c, 'a>],
    ) -> bool {
        let Some(raw) = shim::structured(op) else { return false };
        let noalias = self.noalias(kernel);
        let maps = ArrayAttribute::try_from(raw.maps).ok();
        let map = |operand: usize| maps.and_then(|maps| maps.element(operand).ok());
        let operands = operands(op);
        let is_memref = |value: &Value<'c, 'a>| memref_type(*value).is_some();
        operands.iter().enumerate().skip(raw.inputs).all(|(result, to)| {
            let is_apart = |other: &Value<'c, 'a>| {
                !is_memref(other) || !self.root(kernel, *other).may_alias(&self.root(kernel, *to), noalias)
            };
            let mut others = operands.iter().enumerate().filter(|(operand, _)| *operand != result);
            let is_same = |operand: usize| operand < raw.inputs && map(operand) == map(result);
            others.all(|(operand, from)| key(*from) == key(*to) && is_same(operand) || is_apart(from))
                && captured.iter().all(is_apart)
        })
    }
}

/// Whether loops over elements do what a tile op refuses.
fn is_by_elements(refusal: &LinalgRefusal) -> bool {
    matches!(refusal, LinalgRefusal::BodyOp { .. } | LinalgRefusal::OperandMap { .. } | LinalgRefusal::NotCombined)
}

fn operands<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    (0..op.operand_count()).filter_map(|index| op.operand_at(index)).collect()
}

/// What the body of an op uses of what is defined outside.
fn captured<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let is_inside = |value: Value<'c, 'a>| match defining_op(value) {
        Some(made) => made != op && walk::is_inside(made, op),
        None => as_argument(value).is_some_and(|argument| {
            argument.owner().parent_operation().is_some_and(|around| walk::is_inside(around, op))
        }),
    };
    let body = walk::matching(op, |_| true).into_iter().filter(|inner| *inner != op);
    body.flat_map(operands).filter(|value| !is_inside(*value)).collect()
}
