//! The ops between the passes, apart from `tile.scalar_copy`.

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value, ValueLike};
use tile_layout::Layout;

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
    /// Run-time offsets: value, divisor and stride of each.
    pub terms: Vec<(Value<'c, 'a>, i64, i64)>,
}

/// A copy between the passes; which numbers it has depends on the op.
#[derive(Clone, Copy, Debug)]
pub struct StageOp<'c, 'a>(pub OperationRef<'c, 'a>);

impl<'c, 'a> StageOp<'c, 'a> {
    /// The variant that took the copy.
    pub fn variant(self) -> String {
        string(self.0, "variant").unwrap_or_default()
    }

    /// Where the elements come from; `None` when the op is malformed.
    pub fn src(self) -> Option<Side<'c, 'a>> {
        self.side(0, "srcTerms", "srcLayout")
    }

    /// Where they go; `None` when the op is malformed.
    pub fn dst(self) -> Option<Side<'c, 'a>> {
        self.side(2, "dstTerms", "dstLayout")
    }

    /// Which threads take part in a `tile.aligned_copy` or `tile.vector_copy`.
    pub fn predicate(self) -> Option<Value<'c, 'a>> {
        segment(self.0, 4).first().copied()
    }

    /// The mbarrier of a `tile.bulk_copy`.
    pub fn barrier(self) -> Option<Value<'c, 'a>> {
        segment(self.0, 4).first().copied()
    }

    /// The CTA that a `tile.bulk_copy` goes to.
    pub fn remote_cta(self) -> Option<Value<'c, 'a>> {
        segment(self.0, 5).first().copied()
    }

    /// An integer attribute.
    pub fn integer(self, name: &str) -> Option<i64> {
        integer(self.0, name)
    }

    fn side(self, group: usize, terms: &str, layout: &str) -> Option<Side<'c, 'a>> {
        let value = *segment(self.0, group).first()?;
        let buffer = BufferType::from_type(value.r#type())?;
        let layout = LayoutAttr::from_attribute(self.0.attribute(layout).ok()?)?.layout();
        let values = segment(self.0, group + 1);
        let numbers = integers(self.0, terms);
        let pairs = numbers.chunks_exact(2).map(|pair| (pair[0], pair[1]));
        let complete = numbers.len() == 2 * values.len();
        let terms = values.iter().zip(pairs).map(|(&value, (divisor, stride))| (value, divisor, stride)).collect();
        complete.then_some(Side { value, buffer, layout, terms })
    }
}
