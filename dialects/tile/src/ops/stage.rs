//! The stage ops, between the passes, except `tile.scalar_copy`.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value, ValueLike};
use tile_layout::{Axis, Layout};

use super::{integer, integers, segment, string};
use crate::{BufferType, LayoutAttr};

/// One side of a staged copy.
#[derive(Clone, Debug)]
pub struct Side<'c, 'a> {
    /// The buffer.
    pub value: Value<'c, 'a>,
    /// Its type.
    pub buffer: BufferType<'c>,
    /// Layout of the region, in the order of the copy.
    pub layout: Layout,
    /// Run-time offsets.
    pub terms: Vec<Term<'c, 'a>>,
    /// The strides that the axes `s0`, `s1`, … of the layout step by.
    pub strides: Vec<Value<'c, 'a>>,
}

impl<'c, 'a> Side<'c, 'a> {
    /// The run-time offsets, then the strides, in the op's order.
    pub fn values(&self) -> impl Iterator<Item = Value<'c, 'a>> + '_ {
        self.terms.iter().map(|term| term.value).chain(self.strides.iter().copied())
    }
}

/// A run-time offset: `floor(value / div) * stride` positions on an axis.
#[derive(Clone, Copy, Debug)]
pub struct Term<'c, 'a> {
    /// The value, an index.
    pub value: Value<'c, 'a>,
    /// The divisor.
    pub div: i64,
    /// Positions per step of the quotient.
    pub stride: i64,
    /// The axis of the positions.
    pub axis: Axis,
}

/// The numbers of an op's run-time values: divisor, stride and axis of each; only the first two where all are on the memory
/// axis. A divisor of 0 marks the stride that an axis steps by.
pub fn term_numbers(terms: &[(i64, i64, Axis)], strides: usize) -> Vec<i64> {
    if strides == 0 && terms.iter().all(|&(.., axis)| axis == Axis::Memory) {
        return terms.iter().flat_map(|&(div, stride, _)| [div, stride]).collect();
    }
    let steps = Axis::STRIDES.into_iter().take(strides).map(|axis| (0, 0, axis));
    terms.iter().copied().chain(steps).flat_map(|(div, stride, axis)| [div, stride, axis.code()]).collect()
}

/// A stage op, between the passes; its attributes depend on the op.
#[derive(Clone, Copy, Debug)]
pub struct StageOp<'c, 'a>(pub OperationRef<'c, 'a>);

impl<'c, 'a> StageOp<'c, 'a> {
    /// The variant that was chosen for the copy.
    pub fn variant(self) -> String {
        string(self.0, "variant").unwrap_or_default()
    }

    /// The source; `None` when the op is malformed.
    pub fn src(self) -> Option<Side<'c, 'a>> {
        self.side(0, "srcTerms", "srcLayout")
    }

    /// The destination; `None` when the op is malformed.
    pub fn dst(self) -> Option<Side<'c, 'a>> {
        self.side(2, "dstTerms", "dstLayout")
    }

    /// The buffer that a copy of any kind writes.
    pub fn dst_value(self) -> Option<Value<'c, 'a>> {
        segment(self.0, 2).first().copied()
    }

    /// The predicate that says which threads take part in a `tile.matched_copy` or `tile.vector_copy`.
    pub fn predicate(self) -> Option<Value<'c, 'a>> {
        segment(self.0, 4).first().copied()
    }

    /// The begin and the extent of each limit of a masked `tile.matched_copy` or `tile.vector_copy`.
    pub fn limits(self) -> Vec<Value<'c, 'a>> {
        segment(self.0, 5)
    }

    /// The fill value of a masked `tile.matched_copy` or `tile.vector_copy`.
    pub fn filler(self) -> Option<Value<'c, 'a>> {
        segment(self.0, 6).first().copied()
    }

    /// The operator of a copy that reduces, as written.
    pub fn reduce(self) -> Option<String> {
        string(self.0, "reduce")
    }

    /// Whether threads whose predicate is false write zeros.
    pub fn zero_fills(self) -> bool {
        self.0.has_attribute("zero_fill")
    }

    /// The `convert` clause, as written.
    pub fn convert(self) -> Option<String> {
        string(self.0, "convert")
    }

    /// Whether the op only fills the destination and reads nothing.
    pub fn fills(self) -> bool {
        self.0.has_attribute("filled")
    }

    /// An integer attribute.
    pub(crate) fn integer(self, name: &str) -> Option<i64> {
        integer(self.0, name)
    }

    fn side(self, group: usize, terms: &str, layout: &str) -> Option<Side<'c, 'a>> {
        let value = *segment(self.0, group).first()?;
        let buffer = BufferType::from_type(value.r#type())?;
        let layout = LayoutAttr::from_attribute(self.0.attribute(layout).ok()?)?.layout();
        let values = segment(self.0, group + 1);
        let numbers = integers(self.0, terms);
        let (mut terms, mut strides) = (Vec::new(), Vec::new());
        let each = if numbers.len() == 2 * values.len() { 2 } else { 3 };
        if numbers.len() != each * values.len() {
            return None;
        }
        for (&value, numbers) in values.iter().zip(numbers.chunks_exact(each)) {
            let axis = numbers.get(2).map_or(Some(Axis::Memory), |&code| Axis::from_code(code))?;
            match (numbers[0], axis.stride_index()) {
                (0, index) if each == 3 => {
                    // Strides are the last values, in the order of their axes.
                    if index != Some(strides.len()) {
                        return None;
                    }
                    strides.push(value);
                }
                _ if !strides.is_empty() => return None,
                (div, _) => terms.push(Term { value, div, stride: numbers[1], axis }),
            }
        }
        Some(Side { value, buffer, layout, terms, strides })
    }
}
