//! The buffer behind views of it, and the location of a view's region in that buffer.
//!
//! ```mlir
//!   %a = tile.view %A …                                  the root: 64x96 in rows
//!   %p = tile.subview %a[%i, 32] [16, 64] …              a window of it: from %i and 32 on
//!   %t = tile.permute %p [1, 0] …                        the dimensions the other way round
//!   tile.copy %t[8, 0] [8, 16] to …                      root %a with (96, 64) : (1, 96), begins at 40 and %i
//! ```
//! A copy is planned, and done, on the root: views leave nothing behind.

use melior::ir::{OperationRef, Value, ValueLike};
use tile_dialect::BufferType;
use tile_dialect::ir::{Parts, defining_op};
use tile_dialect::ops::{self, Region};
use tile_layout::{Axis, Iter, Layout, OPEN};
use tile_ops::tile;
use tile_plan::problem::operands::Operand;
use tile_plan::problem::role::Role;
use tile_plan::problem::run_time::{Begin, DynamicTerm};

use super::begin::Start;
use super::name;
use super::run_time::RunTime;
use super::values::is_view;
use crate::read::error::ReadError;

/// The chain of views that makes a buffer, the last first.
fn views<'c: 'a, 'a>(buffer: Value<'c, 'a>) -> impl Iterator<Item = OperationRef<'c, 'a>> {
    let view = |buffer| defining_op(buffer).filter(|&op| is_view(op));
    std::iter::successors(view(buffer), move |op| op.operand_at(0).and_then(view))
}

/// The buffer that is not a view of another.
pub fn root<'c: 'a, 'a>(buffer: Value<'c, 'a>) -> Value<'c, 'a> {
    views(buffer).last().and_then(|op| op.operand_at(0)).unwrap_or(buffer)
}

/// Whether a `tile.cast` in the chain that makes a buffer states strides that its source has at run time only.
pub fn states_strides(buffer: Value<'_, '_>) -> bool {
    let run_time = |value: Value<'_, '_>| {
        let layout = BufferType::from_type(value.r#type())?.layout();
        Some(layout.shard.iter().filter(|iter| iter.axis.stride_index().is_some()).count())
    };
    let states = |op: OperationRef<'_, '_>| {
        let counts =
            op.operand_at(0).and_then(run_time).zip(op.result_at(0).and_then(|result| run_time(result.into())));
        name(op) == tile::CastOp::NAME && counts.is_some_and(|(source, result)| result < source)
    };
    views(buffer).any(states)
}

/// The subviews in the chain that makes a buffer, each as its source and the region of that.
pub fn parts<'c: 'a, 'a>(buffer: Value<'c, 'a>) -> Vec<ops::Operand<'c, 'a>> {
    views(buffer).filter_map(part).collect()
}

/// The source of a `tile.subview`, and the region of that.
fn part<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<ops::Operand<'c, 'a>> {
    let part = tile::SubviewOp::cast(op)?;
    let (value, offsets) = (part.source(), part.offsets().collect::<Vec<_>>());
    let buffer = BufferType::from_type(value.r#type())?;
    let region = Region::new(buffer.shape(), &part.static_offsets(), &part.sizes(), &offsets)?;
    Some(ops::Operand { value, buffer, region })
}

/// A region of a buffer, as one of the root.
#[derive(Clone, Debug)]
pub struct Rooted<'c, 'a> {
    /// The buffer that is not a view.
    pub root: Value<'c, 'a>,
    /// The region, before its alignment and its run-time strides are determined; open dimensions are open.
    pub operand: Operand,
    /// The start of the region in each dimension.
    pub begins: Vec<Start<'c, 'a>>,
    /// The run-time values that the operand numbers: terms of its origin, then its begins.
    pub values: Vec<RunTime<'c, 'a>>,
}

/// A region of a buffer, as one of the root. In dimensions that are `masked` it may begin before the buffer.
///
/// # Errors
/// A view that cannot be resolved: got and expected.
pub fn find<'c: 'a, 'a>(
    operand: &ops::Operand<'c, 'a>,
    role: Role,
    masked: impl Fn(usize) -> bool,
) -> Result<Rooted<'c, 'a>, ReadError> {
    let mut window = RootWindow::of(operand.value, role)?;
    window.narrow(&operand.region)?;
    let root = root(operand.value);
    let (operand, values) = window.operand(masked);
    Ok(Rooted { root, operand, begins: window.begins, values })
}

/// A buffer as an operand that is all of a buffer in its root: its start is in the layout's offset and in the origin.
///
/// # Errors
/// As [`find`].
pub fn settled<'c: 'a, 'a>(buffer: Value<'c, 'a>) -> Result<Rooted<'c, 'a>, ReadError> {
    let mut window = RootWindow::of(buffer, Role::Src)?;
    window.settle()?;
    let (operand, values) = window.operand(|_| false);
    Ok(Rooted { root: root(buffer), operand, begins: window.begins, values })
}

/// A part of a buffer, while views are being followed.
struct RootWindow<'c, 'a> {
    role: Role,
    layout: Layout,
    shape: Vec<i64>,
    begins: Vec<Start<'c, 'a>>,
    extent: Vec<i64>,
    origin: Vec<DynamicTerm>,
    /// The run-time values that the origin numbers.
    values: Vec<RunTime<'c, 'a>>,
    space: tile_isa::Space,
}

impl<'c: 'a, 'a> RootWindow<'c, 'a> {
    fn whole(buffer: BufferType<'c>, role: Role) -> Self {
        let shape = buffer.shape().to_vec();
        let begins = vec![Start::at(0); shape.len()];
        let space = buffer.space();
        let (origin, values) = Default::default();
        RootWindow { role, layout: buffer.layout(), extent: shape.clone(), shape, begins, origin, values, space }
    }

    /// The window of a buffer, in its root.
    fn of(buffer: Value<'c, 'a>, role: Role) -> Result<Self, ReadError> {
        let whole = BufferType::from_type(root(buffer).r#type()).ok_or(ReadError::NotABuffer)?;
        let mut window = RootWindow::whole(whole, role);
        let mut views: Vec<_> = views(buffer).collect();
        views.reverse();
        views.into_iter().try_for_each(|op| window.apply(op))?;
        Ok(window)
    }

    fn apply(&mut self, op: OperationRef<'c, 'a>) -> Result<(), ReadError> {
        let malformed = || ReadError::View(name(op).to_owned());
        let result = op.result_at(0).and_then(|result| BufferType::from_type(result.r#type())).ok_or_else(malformed)?;
        match name(op) {
            tile::SubviewOp::NAME => {
                let region = part(op).ok_or_else(malformed)?.region;
                self.narrow(&region)?;
                if region.sizes.len() == result.shape().len() { Ok(()) } else { self.reshape(result.shape()) }
            }
            tile::PermuteOp::NAME => {
                let order = tile::PermuteOp::cast(op).map(|permute| permute.order()).unwrap_or_default();
                let order: Option<Vec<usize>> = order.iter().map(|&from| usize::try_from(from).ok()).collect();
                self.permute(&order.filter(|order| order.len() == self.shape.len()).ok_or_else(malformed)?)
            }
            tile::ReshapeOp::NAME => self.reshape(result.shape()),
            _ => self.cast(result),
        }
    }

    /// Narrows the window to a region of it.
    fn narrow(&mut self, region: &Region<'c, 'a>) -> Result<(), ReadError> {
        for (begin, &offset) in self.begins.iter_mut().zip(&region.offsets) {
            *begin = begin.plus(&Start::of(offset)).ok_or(ReadError::Begin)?;
        }
        self.extent.clone_from(&region.sizes);
        Ok(())
    }

    fn permute(&mut self, order: &[usize]) -> Result<(), ReadError> {
        self.layout = self.layout.transposed(&self.shape, order)?;
        self.shape = order.iter().map(|&from| self.shape[from]).collect();
        self.extent = order.iter().map(|&from| self.extent[from]).collect();
        self.begins = order.iter().map(|&from| self.begins[from].clone()).collect();
        Ok(())
    }

    fn reshape(&mut self, shape: &[i64]) -> Result<(), ReadError> {
        self.settle()?;
        self.begins = vec![Start::at(0); shape.len()];
        (self.shape, self.extent) = (shape.to_vec(), shape.to_vec());
        Ok(())
    }

    /// Applies a cast: its type states extents and strides that the root leaves to run time, or forgets some.
    fn cast(&mut self, result: BufferType<'c>) -> Result<(), ReadError> {
        self.settle()?;
        let agreement = self.layout.agreement(&self.shape, &result.layout(), result.shape());
        for (axis, stride) in agreement.ok_or(ReadError::Cast)?.stated {
            self.layout = self.layout.with_stride(axis, stride)?;
            for term in self.origin.iter_mut().filter(|term| term.axis == axis) {
                term.stride = term.stride.checked_mul(stride).ok_or(ReadError::Stride)?;
                term.axis = Axis::Memory;
            }
        }
        let iters = self.layout.open_iters(&self.shape)?;
        for (dimension, (iter, &extent)) in iters.into_iter().zip(result.shape()).enumerate() {
            if let Some(iter) = iter.filter(|_| extent != OPEN) {
                self.layout.shard[iter] = Iter { extent, ..self.layout.shard[iter] };
                (self.shape[dimension], self.extent[dimension]) = (extent, extent);
            }
        }
        Ok(())
    }

    /// Makes the window all of a buffer, by moving its start into the layout's offset and the origin.
    fn settle(&mut self) -> Result<(), ReadError> {
        let whole = self.extent == self.shape && self.begins.iter().all(|begin| begin.known() == Some(0));
        if whole {
            return Ok(());
        }
        let (operand, values) = self.operand(|_| false);
        let settled = operand.settled(self.role)?;
        self.begins = vec![Start::at(0); settled.shape.len()];
        (self.layout, self.origin, self.values) = (settled.layout, settled.origin, values);
        (self.shape, self.extent) = (settled.shape, settled.extent);
        Ok(())
    }

    /// The window as an operand, and the run-time values that the operand numbers.
    fn operand(&self, masked: impl Fn(usize) -> bool) -> (Operand, Vec<RunTime<'c, 'a>>) {
        let mut values = self.values.clone();
        let begins = self.begins.iter().enumerate();
        let begin = begins.map(|(dimension, start)| begin(start, masked(dimension), &mut values)).collect();
        let operand = Operand {
            space: self.space,
            layout: self.layout.clone(),
            shape: self.shape.clone(),
            extent_divisors: Vec::new(),
            begin,
            extent: self.extent.clone(),
            origin: self.origin.clone(),
            strides: Vec::new(),
            align_bytes: 1,
        };
        (operand, values)
    }
}

/// The begin of one dimension; one that is known only at run time gets the next number. So does a masked one before the buffer:
/// the addresses of layouts begin at 0.
fn begin<'c: 'a, 'a>(start: &Start<'c, 'a>, masked: bool, values: &mut Vec<RunTime<'c, 'a>>) -> Begin {
    let known = start.residue;
    if let Some(constant) = known.constant().filter(|&constant| constant >= 0 || !masked) {
        return Begin::Const(constant);
    }
    let (divisor, residue) = known.modulo();
    values.push(RunTime::Start(start.clone()));
    Begin::Dynamic { value: values.len() - 1, divisor, residue }
}
