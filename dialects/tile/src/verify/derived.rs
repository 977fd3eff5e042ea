//! Views of tiles: the type of the result gives the location of each element of the source.

use melior::ir::operation::OperationLike;
use melior::ir::{Location, OperationRef};
use tile_layout::{Layout, OPEN, counted};

use super::{outcome, types};
use crate::memref::{self, DYNAMIC};
use crate::ops::integers;
use crate::{BufferType, LayoutAttr, Space};

pub(crate) fn derived(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check(op))
}

fn check(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (source, result) = types(op).ok_or("has too few operands or results")?;
    let buffer = |r#type| BufferType::from_type(r#type).ok_or_else(|| format!("got {type}, expected a tile.buffer"));
    let (source, result) = (buffer(source)?, buffer(result)?);
    if source.element() != result.element() || source.space() != result.space() {
        let text = |buffer: BufferType<'_>| format!("{} in {} memory", buffer.element(), buffer.space().name());
        return Err(format!("got {}, expected the source's {}", text(result), text(source)));
    }
    let name = op.name();
    let (shape, layout) = match name.as_string_ref().as_str().unwrap_or_default() {
        "tile.subview" => {
            let (begins, sizes) = (integers(op, "staticOffsets"), integers(op, "sizes"));
            let named = begins.iter().filter(|&&begin| begin == DYNAMIC).count();
            if named + 1 != op.operand_count() {
                let values = counted(op.operand_count() - 1, "run-time offset");
                return Err(format!("got {values}, expected {named}, one for each dynamic offset"));
            }
            (sizes.clone(), part(source, &begins, &sizes)?)
        }
        "tile.permute" => {
            let order = integers(op, "order");
            let order: Vec<usize> = order.iter().map(|&from| usize::try_from(from).unwrap_or(usize::MAX)).collect();
            let layout = source.layout().transposed(source.shape(), &order).map_err(|error| error.to_string())?;
            (order.iter().map(|&from| source.shape()[from]).collect(), layout)
        }
        "tile.reshape" => {
            let layout = source.layout();
            layout.open_iters(result.shape()).map_err(|_| elements(source, result))?;
            (result.shape().to_vec(), layout)
        }
        _ => return cast(source, result),
    };
    let exact = layout.agreement(&shape, &result.layout(), result.shape());
    if shape == result.shape() && exact.is_some_and(|found| found.is_exact()) {
        return Ok(());
    }
    Err(format!("got {}, expected {}", result.as_type(), expected(op.location(), source, &shape, &layout)))
}

/// The layout of a part of a tile.
fn part(source: BufferType<'_>, begins: &[i64], sizes: &[i64]) -> Result<Layout, String> {
    let begins: Vec<Option<i64>> = begins.iter().map(|&begin| (begin != DYNAMIC).then_some(begin)).collect();
    let whole = source.layout();
    let part = whole.part(source.shape(), &begins, sizes).map_err(|error| error.to_string())?;
    if source.space() != Space::Local {
        return Ok(part.from_begin(&whole));
    }
    match begins.iter().position(Option::is_none) {
        None => Ok(part),
        Some(dimension) => Err(format!(
            "got a run-time begin of registers in dimension {dimension}, expected a number; the region of a copy may begin \
             at a run-time value"
        )),
    }
}

fn cast(source: BufferType<'_>, result: BufferType<'_>) -> Result<(), String> {
    let found = source.layout().agreement(source.shape(), &result.layout(), result.shape());
    let (got, from) = (result.as_type(), source.as_type());
    found
        .map(drop)
        .ok_or_else(|| format!("got {got}, expected a type that gives each element the same location as {from}"))
}

fn elements(source: BufferType<'_>, result: BufferType<'_>) -> String {
    format!("got {}, expected as many elements as {}, also between dimensions '?'", result.as_type(), source.as_type())
}

/// The expected type, for messages.
fn expected<'c>(location: Location<'c>, source: BufferType<'c>, shape: &[i64], layout: &Layout) -> String {
    let layout = layout.renumbered();
    let dense = Layout::open_row_major(shape).ok();
    let spelled = dense.filter(|dense| layout.agreement(shape, dense, shape).is_some_and(|found| found.is_exact()));
    let attribute = LayoutAttr::new(location, &spelled.unwrap_or(layout));
    let r#type = attribute
        .and_then(|layout| BufferType::new(location, shape, source.element(), source.space(), layout))
        .map(|buffer| buffer.as_type().to_string());
    r#type.unwrap_or_else(|| "a type that cannot be built".to_owned())
}

/// Whether a `tile.subview` of a tile of the first type has the second type.
pub(crate) fn is_part(source: BufferType<'_>, begins: &[i64], sizes: &[i64], result: BufferType<'_>) -> bool {
    let layout = part(source, begins, sizes);
    let exact = layout.ok().and_then(|layout| layout.agreement(sizes, &result.layout(), result.shape()));
    !sizes.contains(&OPEN) && exact.is_some_and(|found| found.is_exact())
}

/// Whether a `tile.cast` may convert the first type to the second.
pub(crate) fn may_cast(source: BufferType<'_>, result: BufferType<'_>) -> bool {
    cast(source, result).is_ok()
}

pub(crate) fn parts(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check_parts(op))
}

fn check_parts(op: OperationRef<'_, '_>) -> Result<(), String> {
    let (source, pointer) = types(op).ok_or("has too few operands or results")?;
    let buffer = BufferType::from_type(source).ok_or_else(|| format!("got {source}, expected a tile.buffer"))?;
    let space = match buffer.space() {
        Space::Global => 1,
        Space::Shared => 3,
        other => return Err(format!("got space {}, expected global or shared", other.name())),
    };
    if memref::pointer_space(pointer) != Some(space) {
        return Err(format!("got {pointer}, expected !llvm.ptr<{space}> of a {} tile", buffer.space().name()));
    }
    let open = buffer.shape().iter().filter(|&&extent| extent == OPEN).count();
    let (got, expected) = (op.result_count() - 1, open + buffer.layout().stride_count());
    if got == expected {
        return Ok(());
    }
    Err(format!("got {}, expected {expected}, one for each '?' of {source}", counted(got, "number")))
}
