//! `tile.sort`.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{OperationRef, ShapedTypeLike, Type, Value, ValueLike};

use super::segment;

/// A `tile.sort`.
#[derive(Clone, Copy, Debug)]
pub struct SortOp<'c, 'a>(pub OperationRef<'c, 'a>);

impl<'c: 'a, 'a> SortOp<'c, 'a> {
    /// The op's name.
    pub const NAME: &'static str = "tile.sort";

    /// The most elements of an array, plus one: counts have 30 bits.
    pub const LENGTH_LIMIT: i64 = 1 << 30;

    /// The keys and, where there are any, the values.
    pub fn sources(self) -> Vec<Value<'c, 'a>> {
        segment(self.0, 0)
    }

    /// The same, sorted.
    pub fn dests(self) -> Vec<Value<'c, 'a>> {
        segment(self.0, 1)
    }

    /// The memory for counts, and for elements between passes.
    pub fn workspace(self) -> Value<'c, 'a> {
        segment(self.0, 2)[0]
    }

    /// The number of the launch, an i32.
    pub fn epoch(self) -> Value<'c, 'a> {
        segment(self.0, 3)[0]
    }

    /// The types of a key and, where there are any, of a value.
    pub fn elements(self) -> Vec<Type<'c>> {
        let arrays = self.sources().into_iter();
        arrays.filter_map(|array| Some(MemRefType::try_from(array.r#type()).ok()?.element())).collect()
    }

    /// Whether the largest key comes first.
    pub fn is_descending(self) -> bool {
        self.0.has_attribute("descending")
    }

    /// Whether integers are not negative.
    pub fn is_unsigned(self) -> bool {
        self.0.has_attribute("unsigned_keys")
    }
}
