//! The region of a copy's operand.

use melior::ir::Value;

/// Where a region starts in one dimension, in elements.
#[derive(Clone, Copy, Debug)]
pub enum Offset<'c, 'a> {
    /// Known now.
    Constant(i64),
    /// Known when the kernel runs; an index.
    Value(Value<'c, 'a>),
}

/// Offset and extent per dimension; the whole buffer when the op names none.
#[derive(Clone, Debug)]
pub struct Region<'c, 'a> {
    /// Where it starts.
    pub offsets: Vec<Offset<'c, 'a>>,
    /// How many elements it has.
    pub sizes: Vec<i64>,
}

impl<'c, 'a> Region<'c, 'a> {
    /// The region of an operand of the given shape from its attributes and run-time offsets.
    ///
    /// `None` when their numbers do not fit each other.
    pub fn new(shape: &[i64], fixed: &[i64], sizes: &[i64], values: &[Value<'c, 'a>]) -> Option<Self> {
        if fixed.is_empty() && sizes.is_empty() && values.is_empty() {
            return Some(Region { offsets: vec![Offset::Constant(0); shape.len()], sizes: shape.to_vec() });
        }
        let mut values = values.iter();
        let offset = |&offset: &i64| match offset {
            i64::MIN => values.next().copied().map(Offset::Value),
            constant => Some(Offset::Constant(constant)),
        };
        let offsets = fixed.iter().map(offset).collect::<Option<Vec<_>>>()?;
        let complete = values.next().is_none() && offsets.len() == shape.len() && sizes.len() == shape.len();
        complete.then(|| Region { offsets, sizes: sizes.to_vec() })
    }

    /// The extents that are not 1, in order: what both sides of a copy must share.
    pub fn extents(&self) -> Vec<i64> {
        self.sizes.iter().copied().filter(|&size| size != 1).collect()
    }
}
