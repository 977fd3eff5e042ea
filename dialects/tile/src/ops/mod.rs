//! Typed handles of the dialect's ops.
//!
//! A handle reads an op whose verifier has run; getters return parts that ODS guarantees.

mod chained;
mod combine;
mod elementwise;
mod filler;
mod mma;
mod planned;
mod read;
mod scan;
mod sort;
mod tensor_map;

pub use crate::ir::{argument_of, as_argument, defining_op};
pub use chained::ChainedOp;
pub use combine::{CombineKind, Extreme, ReduceKind};
pub use elementwise::{BlockScanOp, MapOp, ReduceOp, TotalOp};
pub use filler::Filler;
pub use mma::MmaOp;
pub use planned::PlannedOp;
pub use read::{cache, conversion, integer, integers, places, segment, string, symbol, text_of};
pub use scan::{ScanElement, ScanOp, attribute_type, chain_hooks, chain_requests, kernel_names};
pub use sort::SortOp;
pub use tensor_map::UpdateMapOp;
pub use tile_isa::Scope;

use melior::ir::operation::OperationLike;
use melior::ir::{OperationRef, Value, ValueLike};

use tile_plan::problem::Request;
use tile_plan::problem::asynchronous::Completion;
use tile_plan::problem::role::Role;
use tile_plan::problem::tensor_map::PixelBox;

use crate::BufferType;
use crate::error::{VerifyError, mismatch};

/// Ops on arrays, which become kernels of their own.
pub const ARRAY_OPS: [&str; 3] = [ScanOp::NAME, ChainedOp::NAME, SortOp::NAME];

/// The most dimensions of pixels that images have.
pub const MAX_PIXEL_DIMENSIONS: usize = 3;

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

impl<'c, 'a> Operand<'c, 'a> {
    /// All of a buffer.
    ///
    /// # Errors
    /// A value that is none.
    pub fn whole(value: Value<'c, 'a>) -> Result<Self, VerifyError> {
        let buffer = BufferType::from_type(value.r#type()).ok_or(VerifyError::NotABuffer)?;
        let region = Region::new(buffer.shape(), &[], &[], &[]).ok_or(VerifyError::Region)?;
        Ok(Operand { value, buffer, region })
    }
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

/// A region as an op states it.
#[derive(Clone, Debug)]
pub struct WrittenRegion<'c, 'a> {
    /// The buffer.
    pub buffer: Value<'c, 'a>,
    /// The run-time offsets.
    pub values: Vec<Value<'c, 'a>>,
    /// The offsets in each dimension, [`DYNAMIC`](crate::memref::DYNAMIC) for a run-time one; none for the whole buffer.
    pub offsets: Vec<i64>,
    /// The extents in each dimension; none for the whole buffer.
    pub sizes: Vec<i64>,
}

/// The op of a [`Request`], such as `tile.copy` or `tile.fill`: an op with a region of one or of several buffers, each in a
/// role.
#[derive(Clone, Copy, Debug)]
pub struct CopyOp<'c, 'a>(pub OperationRef<'c, 'a>);

impl<'c, 'a> CopyOp<'c, 'a> {
    /// Whether it is the name of an op that is lowered as a copy.
    pub fn is_name(name: &str) -> bool {
        Request::of_op(name).is_some()
    }

    /// What the op requests; `None` for another op.
    pub fn request(self) -> Option<Request> {
        Request::of_op(self.0.name().as_string_ref().as_str().ok()?)
    }

    /// Whether the op issues the copy asynchronously.
    pub fn is_async(self) -> bool {
        self.request() == Some(Request::CopyAsync)
    }

    /// Whether the op only fills the destination and reads nothing.
    pub fn fills(self) -> bool {
        self.request() == Some(Request::Fill)
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

    /// The CTAs of the cluster that an asynchronous copy writes to, one bit for each.
    pub fn cta_mask(self) -> Option<Value<'c, 'a>> {
        self.clause(6)
    }

    /// The tensor maps that an asynchronous copy goes through.
    pub fn maps(self) -> Vec<Value<'c, 'a>> {
        if self.is_async() { segment(self.0, 9) } else { Vec::new() }
    }

    /// The numbers of the rows of a matrix in global memory that an asynchronous copy goes from or to.
    pub fn rows(self) -> Vec<Value<'c, 'a>> {
        if self.is_async() { segment(self.0, 10) } else { Vec::new() }
    }

    /// The end of the first dimension of the matrix in global memory, where an asynchronous copy states another one.
    pub fn until(self) -> Option<Value<'c, 'a>> {
        self.clause(11)
    }

    /// The offsets of a filter from the pixel of images that it begins at, outermost first.
    pub fn filter(self) -> Vec<Value<'c, 'a>> {
        if self.is_async() { segment(self.0, 12) } else { Vec::new() }
    }

    /// The pixels that an asynchronous copy walks through, with lists that fit its images; `None` for a copy of a box.
    pub fn im2col(self) -> Option<PixelBox> {
        let list = |name| {
            let outermost: Vec<i64> = integers(self.0, name);
            (outermost.len() <= MAX_PIXEL_DIMENSIONS).then_some(outermost)
        };
        let innermost = |list: Vec<i64>, fill| {
            let at = |place: usize| list.len().checked_sub(place + 1).map_or(fill, |place| list[place]);
            std::array::from_fn(at)
        };
        if !self.is_async() || !self.0.has_attribute("lower") {
            return None;
        }
        let (lower, upper, step) = (list("lower")?, list("upper")?, list("steps")?);
        Some(PixelBox { lower: innermost(lower, 0), upper: innermost(upper, 0), step: innermost(step, 1) })
    }

    /// The rows, for the matrix that has them; none for another operand.
    pub fn rows_of(self, role: Role) -> Vec<Value<'c, 'a>> {
        let space = self.operand(role).map(|operand| operand.buffer.space());
        if space == Some(tile_isa::Space::Global) { self.rows() } else { Vec::new() }
    }

    /// The predicate that says which threads take part in an asynchronous copy.
    pub fn predicate(self) -> Option<Value<'c, 'a>> {
        self.clause(7)
    }

    /// The clauses that say what completes an asynchronous copy, of which a valid op has one at most.
    pub fn completions(self) -> impl Iterator<Item = Completion> {
        let requested = move |completion: &Completion| match completion {
            Completion::Barrier => self.barrier().is_some(),
            other => self.is_async() && other.clause().is_some_and(|clause| self.0.has_attribute(clause)),
        };
        Completion::ALL.into_iter().filter(requested)
    }

    /// What completes an asynchronous copy.
    pub fn completion(self) -> Completion {
        self.completions().next().unwrap_or(Completion::Caller)
    }

    /// Whether threads whose predicate is false write zeros.
    pub fn zero_fills(self) -> bool {
        self.0.has_attribute("fill")
    }

    /// The `convert` clause, as written.
    pub fn convert(self) -> Option<String> {
        string(self.0, "convert")
    }

    /// The roles that the op has operands for, each with the group of the buffer, which that of its offsets follows, and
    /// with the attributes of its region.
    fn groups(self) -> &'static [(Role, usize, [&'static str; 2])] {
        const SRC: [&str; 2] = ["srcStatic", "srcSizes"];
        const DST: [&str; 2] = ["dstStatic", "dstSizes"];
        match self.request() {
            Some(Request::Fill) => &[(Role::Dst, 1, DST)],
            _ => &[(Role::Src, 0, SRC), (Role::Dst, 2, DST)],
        }
    }

    /// The roles that the op has operands for.
    pub fn roles(self) -> impl Iterator<Item = Role> {
        self.groups().iter().map(|(role, ..)| *role)
    }

    /// The region of an operand as it is written; `None` for a role that the op does not have.
    pub fn written(self, role: Role) -> Option<WrittenRegion<'c, 'a>> {
        let (_, group, [fixed, sizes]) = *self.groups().iter().find(|(known, ..)| *known == role)?;
        let (values, offsets, sizes) = (segment(self.0, group + 1), integers(self.0, fixed), integers(self.0, sizes));
        Some(WrittenRegion { buffer: *segment(self.0, group).first()?, values, offsets, sizes })
    }

    /// Whether the regions may extend beyond their buffers.
    pub fn masked(self) -> bool {
        self.0.has_attribute("masked")
    }

    /// What destination elements become that are filled, or whose source is outside.
    pub fn filler(self) -> Option<Filler<'c, 'a>> {
        self.checked_filler().ok().flatten()
    }

    /// The same, before the verifier has run.
    pub(crate) fn checked_filler(self) -> Result<Option<Filler<'c, 'a>>, VerifyError> {
        let written = self.0.attribute("constant").ok();
        match (self.filling_value(), written.zip(self.dst())) {
            (Some(_), Some(_)) => Err(mismatch!("fill of a value and of a constant"; expected "one of them")),
            (value, None) => Ok(value.map(Filler::Value)),
            (None, Some((written, dst))) => {
                filler::constant(written, dst.buffer.element()).map(Filler::Constant).map(Some)
            }
        }
    }

    fn filling_value(self) -> Option<Value<'c, 'a>> {
        let group = match self.request()? {
            Request::Fill => 0,
            Request::CopyAsync => 8,
            Request::Copy => 4,
        };
        segment(self.0, group).first().copied()
    }

    fn clause(self, index: usize) -> Option<Value<'c, 'a>> {
        if self.is_async() { segment(self.0, index).first().copied() } else { None }
    }

    /// The operand of that role; `None` where the op has none, or the region is malformed.
    pub fn operand(self, role: Role) -> Option<Operand<'c, 'a>> {
        let WrittenRegion { buffer: value, values, offsets, sizes } = self.written(role)?;
        let buffer = BufferType::from_type(value.r#type())?;
        let region = Region::new(buffer.shape(), &offsets, &sizes, &values)?;
        Some(Operand { value, buffer, region })
    }

    /// All operands with their roles; `None` when a region is malformed.
    pub fn sides(self) -> Option<Vec<(Role, Operand<'c, 'a>)>> {
        self.roles().map(|role| Some((role, self.operand(role)?))).collect()
    }

    /// The source; `None` where nothing is read.
    pub fn src(self) -> Option<Operand<'c, 'a>> {
        self.operand(Role::Src)
    }

    /// The destination; `None` where nothing is written.
    pub fn dst(self) -> Option<Operand<'c, 'a>> {
        self.operand(Role::Dst)
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
