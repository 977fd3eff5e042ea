//! Typed handles of the dialect's ops.
//!
//! A handle reads an op whose verifier has run; getters return parts that ODS guarantees.

mod planned;
mod read;
mod scan;

pub use crate::ir::{argument_of, as_argument, defining_op};
pub use planned::PlannedOp;
pub use read::{cache, conversion, integer, integers, places, segment, string, symbol};
pub use scan::{ScanElement, ScanKind, ScanOp, attribute_type};
pub use tile_isa::Scope;

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value, ValueLike};

use crate::BufferType;
use crate::ir::Parts;

/// One side of a copy: the buffer and the region of it.
#[derive(Clone, Debug)]
pub struct Operand<'c, 'a> {
    /// The buffer.
    pub value: Value<'c, 'a>,
    /// Its type.
    pub buffer: BufferType<'c>,
    /// The part of it that is copied.
    pub region: Region<'c, 'a>,
}

/// The start of a region in one dimension, in elements.
#[derive(Clone, Copy, Debug)]
pub enum Offset<'c, 'a> {
    /// Known at compile time.
    Constant(i64),
    /// Known at run time; an index.
    Value(Value<'c, 'a>),
}

/// Offset and extent per dimension; the whole buffer when the op names none.
#[derive(Clone, Debug)]
pub struct Region<'c, 'a> {
    /// The start in each dimension.
    pub offsets: Vec<Offset<'c, 'a>>,
    /// The extent in each dimension, in elements.
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

    /// The extents that are not 1, in order, which must be the same on both sides of a copy.
    pub fn extents(&self) -> Vec<i64> {
        self.sizes.iter().copied().filter(|&size| size != 1).collect()
    }
}

/// `tile.copy`, `tile.copy_async` or `tile.fill`: an op with two buffers and their regions. For a `tile.fill` both sides are the region that it fills.
#[derive(Clone, Copy, Debug)]
pub struct CopyOp<'c, 'a>(pub OperationRef<'c, 'a>);

impl<'c, 'a> CopyOp<'c, 'a> {
    /// The op's name.
    pub const NAME: &'static str = "tile.copy";
    /// The name of the op that issues a copy asynchronously.
    pub const ASYNC: &'static str = "tile.copy_async";
    /// The name of the op that fills.
    pub const FILL: &'static str = "tile.fill";

    /// Whether it is the name of an op that is lowered as a copy.
    pub fn is_name(name: &str) -> bool {
        [Self::NAME, Self::ASYNC, Self::FILL].contains(&name)
    }

    /// Whether the op issues the copy asynchronously.
    pub fn is_async(self) -> bool {
        self.0.name().as_string_ref().as_str() == Ok(Self::ASYNC)
    }

    /// Whether the op only fills the destination and reads nothing.
    pub fn fills(self) -> bool {
        self.0.name().as_string_ref().as_str() == Ok(Self::FILL)
    }

    /// The operator of a copy that reduces, as written.
    pub fn reduce(self) -> Option<String> {
        string(self.0, "reduce")
    }

    /// The mbarrier that completes an asynchronous copy.
    pub fn barrier(self) -> Option<Value<'c, 'a>> {
        self.clause(4)
    }

    /// The CTA of the cluster that an asynchronous copy writes to.
    pub fn remote_cta(self) -> Option<Value<'c, 'a>> {
        self.clause(5)
    }

    /// The predicate that says which threads take part in an asynchronous copy.
    pub fn predicate(self) -> Option<Value<'c, 'a>> {
        self.clause(6)
    }

    /// Whether an asynchronous copy commits a `cp.async` group.
    pub fn group(self) -> bool {
        self.is_async() && self.0.has_attribute("group")
    }

    /// Whether an asynchronous copy commits a bulk group.
    pub fn bulk_group(self) -> bool {
        self.is_async() && self.0.has_attribute("bulk_group")
    }

    /// Whether threads whose predicate is false write zeros.
    pub fn zero_fills(self) -> bool {
        self.0.has_attribute("fill")
    }

    /// The `convert` clause, as written.
    pub fn convert(self) -> Option<String> {
        string(self.0, "convert")
    }

    /// Offsets and sizes of the source's region and of the destination's, as written.
    pub fn regions(self) -> [Vec<i64>; 4] {
        let dst = ["dstStatic", "dstSizes"].map(|name| integers(self.0, name));
        let src = if self.fills() { dst.clone() } else { ["srcStatic", "srcSizes"].map(|name| integers(self.0, name)) };
        let [[src_static, src_sizes], [dst_static, dst_sizes]] = [src, dst];
        [src_static, src_sizes, dst_static, dst_sizes]
    }

    /// Run-time offsets of the source's region and of the destination's, as written.
    pub fn offsets(self) -> [Vec<Value<'c, 'a>>; 2] {
        let dst = self.dst_group() + 1;
        [if self.fills() { dst } else { 1 }, dst].map(|group| self.operands(group))
    }

    /// A group of operands.
    pub(crate) fn operands(self, group: usize) -> Vec<Value<'c, 'a>> {
        if !self.fills() {
            return segment(self.0, group);
        }
        // A `tile.fill` has a single variadic group, so it has no attribute of group sizes.
        let count = if group < 2 { 1 } else { self.0.operand_count().saturating_sub(2) };
        (group..group + count).filter_map(|index| self.0.operand_at(index)).collect()
    }

    /// The operand group of the destination; the next one is its offsets.
    pub(crate) fn dst_group(self) -> usize {
        if self.fills() { 1 } else { 2 }
    }

    /// Whether the regions may extend beyond their buffers.
    pub fn masked(self) -> bool {
        self.0.has_attribute("masked")
    }

    /// The value of destination elements that are filled, or whose source is outside.
    pub fn filler(self) -> Option<Value<'c, 'a>> {
        let group = match () {
            () if self.fills() => 0,
            () if self.is_async() => 7,
            () => 4,
        };
        self.operands(group).first().copied()
    }

    fn clause(self, index: usize) -> Option<Value<'c, 'a>> {
        if self.is_async() { self.operands(index).first().copied() } else { None }
    }

    /// The source; `None` when the region is malformed.
    pub fn src(self) -> Option<Operand<'c, 'a>> {
        if self.fills() { self.dst() } else { self.operand(0, "srcStatic", "srcSizes") }
    }

    /// The destination; `None` when the region is malformed.
    pub fn dst(self) -> Option<Operand<'c, 'a>> {
        self.operand(self.dst_group(), "dstStatic", "dstSizes")
    }

    fn operand(self, group: usize, fixed: &str, sizes: &str) -> Option<Operand<'c, 'a>> {
        let value = *self.operands(group).first()?;
        let buffer = BufferType::from_type(value.r#type())?;
        let values = self.operands(group + 1);
        let region = Region::new(buffer.shape(), &integers(self.0, fixed), &integers(self.0, sizes), &values)?;
        Some(Operand { value, buffer, region })
    }

    /// The threads that copy.
    pub fn scope(self) -> Scope {
        scope(self.0)
    }

    /// The variant that the op requests.
    pub fn variant(self) -> Option<String> {
        string(self.0, "variant")
    }
}

/// The `scope` attribute of any copy op.
pub fn scope(op: OperationRef<'_, '_>) -> Scope {
    integer(op, "scope").and_then(Scope::from_code).expect("ODS verifies the scope")
}
