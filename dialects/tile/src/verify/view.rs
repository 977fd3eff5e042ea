//! `tile.view`: the source has the tile's elements, and gives or is given all run-time extents and strides of the type.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{Location, OperationRef, ShapedTypeLike, Type};
use tile_layout::{Axis, Iter, Layout, OPEN, counted};

use super::promise::{aligned, divisible};
use super::{outcome, types};
use crate::error::{VerifyError, mismatch};
use crate::memref::{self, DYNAMIC};
use crate::ops::integer;
use crate::{BufferType, LayoutAttr, Space};

pub(crate) fn view(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check(op))
}

fn check(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    let (source, result) = types(op).ok_or(VerifyError::Incomplete)?;
    let buffer = BufferType::from_type(result).ok_or_else(|| mismatch!("{result}"; expected "a tile.buffer"))?;
    if buffer.is_auto() {
        return Err(mismatch!("{result} of memory that it does not own";
            expected "a layout; a tile.alloc may have auto"));
    }
    integer(op, "divisor").map_or(Ok(()), |divisor| divisible(source, divisor))?;
    integer(op, "alignment").map_or(Ok(()), |bytes| aligned(source, bytes))?;
    let given = Given::of(op, buffer)?;
    match MemRefType::try_from(source) {
        Ok(memref) => of_memref(memref, buffer, given),
        Err(_) => of_pointer(source, buffer, given),
    }
}

/// The type of the tile that has a memref's shape, strides and space.
///
/// # Errors
/// The memref does not say them.
pub(crate) fn view_type<'c>(location: Location<'c>, source: Type<'c>) -> Result<BufferType<'c>, VerifyError> {
    let unknown = || VerifyError::UnknownTile(source.to_string());
    let memref = MemRefType::try_from(source).map_err(|_| unknown())?;
    let space = memref::space(memref).ok_or_else(unknown)?;
    let (strides, _) = memref::strides_and_offset(memref).ok_or_else(unknown)?;
    let shape: Vec<i64> =
        memref::extents(memref).iter().map(|&size| if size == DYNAMIC { OPEN } else { size }).collect();
    let dense = || Layout::open_row_major(&shape);
    let layout =
        if memref::has_no_layout(memref) { dense()? } else { strided(&shape, &strides).ok_or_else(unknown)? };
    let layout = LayoutAttr::new(location, &layout);
    let buffer = layout.and_then(|layout| BufferType::new(location, &shape, memref.element(), space, layout));
    buffer.ok_or_else(unknown)
}

/// The layout of a shape with these strides; `None` for more run-time strides than layouts have. The addresses of a layout start at 0, so
/// that a negative stride is one of run time, which the memref says.
pub(super) fn strided(shape: &[i64], strides: &[i64]) -> Option<Layout> {
    let mut run_time = Axis::STRIDES.iter();
    let iters = shape.iter().zip(strides).map(|(&extent, &stride)| match stride {
        0.. => Some(Iter::memory(extent, stride)),
        _ => run_time.next().map(|&axis| Iter::new(extent, 1, axis)),
    });
    iters.collect::<Option<Vec<_>>>().map(Layout::new)
}

/// Whether the op passes the run-time extents and strides of the type.
#[derive(Clone, Copy)]
struct Given {
    extents: bool,
    strides: bool,
}

impl Given {
    fn of(op: OperationRef<'_, '_>, buffer: BufferType<'_>) -> Result<Given, VerifyError> {
        let got = op.operand_count() - 1;
        let extents = buffer.shape().iter().filter(|&&extent| extent == OPEN).count();
        let strides = buffer.layout().stride_count();
        if got != 0 && got != strides && got != extents + strides {
            let got = counted(got, "run-time number");
            let expected = format!("{extents} extents and {strides} strides, or the strides alone");
            return Err(mismatch!("{got}"; expected "{expected}{}", unwritten(buffer)));
        }
        Ok(Given { extents: extents == 0 || got == extents + strides, strides: strides == 0 || got >= strides })
    }

    /// Checks that all run-time numbers are passed.
    fn complete(self, source: Type<'_>) -> Result<(), VerifyError> {
        match self {
            Given { extents: true, strides: true } => Ok(()),
            Given { extents, .. } => {
                let missing = if extents { "strides(…)" } else { "extents(…)" };
                Err(VerifyError::NotPassed { missing, source_type: source.to_string() })
            }
        }
    }
}

/// Where the strides that a type leaves to run time come from, if it states no layout; else nothing.
pub(crate) fn unwritten(buffer: BufferType<'_>) -> String {
    let layout = buffer.layout();
    let dense = Layout::open_row_major(buffer.shape()).is_ok_and(|dense| dense == layout);
    if !dense || layout.stride_count() == 0 {
        return String::new();
    }
    format!("; the type states no layout, which is then {layout}: outer rows are a run-time stride apart")
}

fn of_memref(memref: MemRefType<'_>, buffer: BufferType<'_>, given: Given) -> Result<(), VerifyError> {
    if memref.element() != buffer.element() {
        return Err(mismatch!("a memref of {}", memref.element(); expected "the tile's {}", buffer.element()));
    }
    let space = memref::space(memref).ok_or_else(|| {
        let got = memref.memory_space().map_or("none".to_owned(), |space| space.to_string());
        mismatch!("a memref in memory space {got}";
            expected "none, #gpu.address_space<global> or 1, #gpu.address_space<workgroup> or 3, #gpu.address_space<private> or 5")
    })?;
    in_space(&format!("a memref in the {} space", space.name()), space, buffer)?;
    let extents = memref::extents(memref);
    let (strides, _) = memref::strides_and_offset(memref).ok_or_else(|| mismatch!("{memref}"; expected "strides"))?;
    if extents.len() == buffer.shape().len() && is_alike(&extents, &strides, buffer) {
        same_strides(&strides, memref, buffer, given)
    } else if extents.len() == 1 {
        flat(extents[0], &strides, buffer)?;
        given.complete(memref.into())
    } else {
        Err(mismatch!("shape {}", shape_text(&extents);
            expected "the tile's {} or one dimension that holds all of it", shape_text(buffer.shape())))
    }
}

fn in_space(got: &str, space: Space, buffer: BufferType<'_>) -> Result<(), VerifyError> {
    if space == buffer.space() {
        return Ok(());
    }
    Err(mismatch!("{got}"; expected "the tile's {}", buffer.space().name()))
}

/// Whether the memref has the tile's dimensions. The tile's type may have `?` where the memref's type has a number.
fn is_alike(extents: &[i64], strides: &[i64], buffer: BufferType<'_>) -> bool {
    // A memref<?xf32> may be the storage of a tile, or the tile itself. It has stride 1, so it is the storage of a tile
    // with a '?' stride.
    let storage = extents == [DYNAMIC] && buffer.layout().stride_count() > 0 && strides == [1];
    !storage && extents.iter().zip(buffer.shape()).all(|(&got, &expected)| expected == OPEN || got == expected)
}

fn shape_text(extents: &[i64]) -> String {
    let text = |&extent: &i64| if extent == DYNAMIC { "?".to_owned() } else { extent.to_string() };
    format!("[{}]", extents.iter().map(text).collect::<Vec<_>>().join(", "))
}

/// Checks storage without a separate shape: only the layout gives the location of an element.
fn flat(extent: i64, strides: &[i64], buffer: BufferType<'_>) -> Result<(), VerifyError> {
    if strides != [1] {
        return Err(mismatch!("strides {strides:?} from a memref of one dimension"; expected "[1]"));
    }
    let layout = buffer.layout();
    if extent == DYNAMIC || layout.is_open() || layout.stride_count() > 0 {
        return Ok(());
    }
    let needed = layout.memory_span();
    if extent < needed {
        return Err(mismatch!("a memref of {}", counted(extent, "element"); expected "at least the layout's {needed}"));
    }
    Ok(())
}

/// Checks that the memref's own strides are those of the layout: both give the location of an element.
fn same_strides(
    strides: &[i64],
    memref: MemRefType<'_>,
    buffer: BufferType<'_>,
    given: Given,
) -> Result<(), VerifyError> {
    let layout = buffer.layout();
    if layout.stride_count() > 0 || layout.is_open() {
        return run_time_strides(strides, memref, buffer, given);
    }
    if let Some(dimension) = strides.iter().position(|&stride| stride == DYNAMIC) {
        return Err(mismatch!("a dynamic stride in dimension {dimension} of {memref}";
            expected "'?' for it in the tile's layout"));
    }
    let dense = Layout::row_major(buffer.shape());
    let most = || mismatch!("{memref}"; expected "at most {} strides below 0", Axis::STRIDES.len());
    let implied = strided(buffer.shape(), strides).ok_or_else(most)?;
    let (needed, there) = (layout.memory_span(), implied.span(Axis::Memory));
    if implied != dense
        && implied.canonicalize(tile_layout::Fusion::None) != layout.canonicalize(tile_layout::Fusion::None)
    {
        return Err(mismatch!("strides {strides:?} from the memref";
            expected "the tile's layout ({implied} says the same)"));
    }
    if needed > there {
        return Err(VerifyError::Span { needed: counted(needed, "element").to_string(), there });
    }
    Ok(())
}

/// Checks run-time strides. For each one of the tile, the memref has a dimension whose stride, or a passed stride, is its
/// value. Where the tile's stride is a number, the memref's must be the same.
fn run_time_strides(
    strides: &[i64],
    memref: MemRefType<'_>,
    buffer: BufferType<'_>,
    given: Given,
) -> Result<(), VerifyError> {
    let layout = buffer.layout();
    let iters: Vec<&Iter> = layout.shard.iter().collect();
    if iters.len() != strides.len() || iters.iter().zip(buffer.shape()).any(|(iter, &extent)| iter.extent != extent) {
        let (got, expected) = (counted(iters.len(), "iter"), strides.len());
        return Err(mismatch!("a layout of {got}"; expected "{expected}, one for each dimension of {memref}"));
    }
    for (dimension, (iter, &stride)) in iters.into_iter().zip(strides).enumerate() {
        match (iter.axis.stride_index(), stride) {
            (None, DYNAMIC) => {
                return Err(mismatch!("a dynamic stride in dimension {dimension} of {memref}";
                    expected "'?' for it in the tile's layout"));
            }
            (None, stride) if stride != iter.stride && iter.extent != 1 => {
                return Err(mismatch!("stride {stride} in dimension {dimension} of the memref";
                    expected "the tile's {}", iter.stride));
            }
            (Some(_), _) if iter.stride != 1 && !given.strides => {
                let steps = iter.stride;
                return Err(mismatch!("dimension {dimension} of {steps} run-time strides";
                    expected "strides(…) that says it"));
            }
            _ => {}
        }
    }
    Ok(())
}

fn of_pointer(source: Type<'_>, buffer: BufferType<'_>, given: Given) -> Result<(), VerifyError> {
    let space = match memref::pointer_space(source) {
        Some(0 | 1) => Space::Global,
        Some(3) => Space::Shared,
        _ => return Err(mismatch!("{source}"; expected "a ranked memref, !llvm.ptr, !llvm.ptr<1> or !llvm.ptr<3>")),
    };
    in_space(&source.to_string(), space, buffer)?;
    given.complete(source)
}
