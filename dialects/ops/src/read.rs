//! Operands, results and attributes of an op whose verifier has run.

use melior::ir::attribute::{BoolAttribute, DenseI32ArrayAttribute, TypeAttribute};
use melior::ir::operation::OperationLike;
use melior::ir::{Attribute, OperationRef, Type, Value};
use tile_dialect::ir::Parts;

use crate::case::Case;
use crate::raw;

pub(crate) use tile_dialect::ops::{integer, string, symbol};

/// A group of an op's operands.
#[derive(Clone, Debug)]
pub struct Values<'c, 'a> {
    op: OperationRef<'c, 'a>,
    next: usize,
    end: usize,
}

impl<'c: 'a, 'a> Iterator for Values<'c, 'a> {
    type Item = Value<'c, 'a>;

    fn next(&mut self) -> Option<Value<'c, 'a>> {
        let value = if self.next < self.end { self.op.operand_at(self.next) } else { None };
        self.next += 1;
        value
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.end.saturating_sub(self.next);
        (left, Some(left))
    }
}

impl<'c: 'a, 'a> ExactSizeIterator for Values<'c, 'a> {}

/// Operand `index`.
pub(crate) fn operand<'c: 'a, 'a>(op: OperationRef<'c, 'a>, index: usize) -> Value<'c, 'a> {
    op.operand_at(index).expect("ODS verifies the operands")
}

/// The operand with `after` operands after it.
pub(crate) fn operand_from_end<'c: 'a, 'a>(op: OperationRef<'c, 'a>, after: usize) -> Value<'c, 'a> {
    op.operand_count().checked_sub(after + 1).and_then(|index| op.operand_at(index)).expect("ODS verifies the operands")
}

/// The operands without the first `before` and the last `after`.
pub(crate) fn between<'c: 'a, 'a>(op: OperationRef<'c, 'a>, before: usize, after: usize) -> Values<'c, 'a> {
    Values { op, next: before, end: op.operand_count().saturating_sub(after) }
}

/// The operands of group `index` of an op with `AttrSizedOperandSegments`.
pub(crate) fn segment<'c: 'a, 'a>(op: OperationRef<'c, 'a>, index: usize) -> Values<'c, 'a> {
    let places = tile_dialect::ops::places(op, index);
    Values { op, next: places.start, end: places.end }
}

/// The value of a group of one.
pub(crate) fn only<'c: 'a, 'a>(mut values: Values<'c, 'a>) -> Value<'c, 'a> {
    values.next().expect("ODS verifies the operands")
}

/// Result `index`.
pub(crate) fn result<'c: 'a, 'a>(op: OperationRef<'c, 'a>, index: usize) -> Value<'c, 'a> {
    op.result_at(index).expect("ODS verifies the results").into()
}

/// Result `index`, where the op has that many.
pub(crate) fn maybe_result<'c: 'a, 'a>(op: OperationRef<'c, 'a>, index: usize) -> Option<Value<'c, 'a>> {
    Some(op.result_at(index)?.into())
}

pub(crate) fn attribute<'c: 'a, 'a>(op: OperationRef<'c, 'a>, name: &str) -> Option<Attribute<'c>> {
    raw::attribute(op, name)
}

pub(crate) fn boolean(op: OperationRef<'_, '_>, name: &str) -> Option<bool> {
    Some(BoolAttribute::try_from(raw::attribute(op, name)?).ok()?.value())
}

pub(crate) fn unit(op: OperationRef<'_, '_>, name: &str) -> bool {
    raw::attribute(op, name).is_some()
}

pub(crate) fn type_of<'c: 'a, 'a>(op: OperationRef<'c, 'a>, name: &str) -> Option<Type<'c>> {
    Some(TypeAttribute::try_from(raw::attribute(op, name)?).ok()?.value())
}

pub(crate) fn i32s(op: OperationRef<'_, '_>, name: &str) -> Vec<i32> {
    let Some(array) = raw::attribute(op, name).and_then(|array| DenseI32ArrayAttribute::try_from(array).ok()) else {
        return Vec::new();
    };
    (0..array.len()).filter_map(|index| array.element(index).ok()).collect()
}

pub(crate) fn i64s(op: OperationRef<'_, '_>, name: &str) -> Vec<i64> {
    tile_dialect::ops::integers(op, name)
}

pub(crate) fn case<T: Case>(op: OperationRef<'_, '_>, name: &str) -> Option<T> {
    T::of(raw::attribute(op, name)?)
}
