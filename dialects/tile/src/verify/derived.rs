//! Views of tiles: the type of the result gives the location of each element of the source.

use melior::ir::operation::OperationLike;
use melior::ir::{Location, OperationRef};
use tile_layout::{Layout, OPEN, counted};

use super::{outcome, types};
use crate::error::{VerifyError, mismatch};
use crate::memref::{self, DYNAMIC};
use crate::ops::integers;
use crate::{BufferType, LayoutAttr, Space};

pub(crate) fn derived(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check(op))
}

fn check(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    let (source, result) = types(op).ok_or(VerifyError::Incomplete)?;
    let buffer = |r#type| BufferType::from_type(r#type).ok_or_else(|| mismatch!("{type}"; expected "a tile.buffer"));
    let (source, result) = (buffer(source)?, buffer(result)?);
    if source.element() != result.element() || source.space() != result.space() {
        let text = |buffer: BufferType<'_>| format!("{} in {} memory", buffer.element(), buffer.space().name());
        return Err(mismatch!("{}", text(result); expected "the source's {}", text(source)));
    }
    let name = op.name();
    let is_cast = name.as_string_ref().as_str() == Ok("tile.cast");
    if source.is_auto() && is_cast || result.is_auto() != source.is_auto() {
        let (got, from) = (result.as_type(), source.as_type());
        return Err(mismatch!("{got} of {from}";
            expected "views of tiles whose layout is auto to be auto, and no casts of them"));
    }
    let derived = match name.as_string_ref().as_str().unwrap_or_default() {
        "tile.subview" => {
            let (begins, sizes) = (integers(op, "staticOffsets"), integers(op, "sizes"));
            let named = begins.iter().filter(|&&begin| begin == DYNAMIC).count();
            if named + 1 != op.operand_count() {
                let values = counted(op.operand_count() - 1, "run-time offset");
                return Err(mismatch!("{values}"; expected "{named}, one for each dynamic offset"));
            }
            Derived::part(source, &begins, &sizes)?.reduced_to(result.shape())
        }
        "tile.permute" => Derived::permuted(source, &integers(op, "order"))?,
        "tile.reshape" => {
            let layout = source.layout();
            layout.open_iters(result.shape()).map_err(|_| elements(source, result))?;
            Derived { shape: result.shape().to_vec(), layout }
        }
        _ => return cast(source, result),
    };
    let same = if source.is_auto() { result.is_auto() && derived.shape == result.shape() } else { derived.is(result) };
    if same {
        return Ok(());
    }
    let expected = derived.r#type(op.location(), source).map(|buffer| buffer.as_type().to_string());
    let expected = expected.unwrap_or_else(|| "a type that cannot be built".to_owned());
    Err(mismatch!("{}", result.as_type(); expected "{expected}"))
}

/// The shape and the layout of a view, which follow from its source.
struct Derived {
    shape: Vec<i64>,
    layout: Layout,
}

impl Derived {
    /// A part of a tile, with all dimensions.
    fn part(source: BufferType<'_>, begins: &[i64], sizes: &[i64]) -> Result<Self, VerifyError> {
        Ok(Derived { shape: sizes.to_vec(), layout: part(source, begins, sizes)? })
    }

    fn permuted(source: BufferType<'_>, order: &[i64]) -> Result<Self, VerifyError> {
        let order: Vec<usize> = order.iter().map(|&from| usize::try_from(from).unwrap_or(usize::MAX)).collect();
        let layout = source.layout().transposed(source.shape(), &order)?;
        Ok(Derived { shape: order.iter().map(|&from| source.shape()[from]).collect(), layout })
    }

    /// The same without dimensions of extent 1 that a shape lacks; unchanged where the shape differs in another way.
    fn reduced_to(mut self, shape: &[i64]) -> Self {
        let mut kept = shape.iter().peekable();
        let reduces = self.shape.iter().all(|extent| kept.next_if_eq(&extent).is_some() || *extent == 1);
        if reduces && kept.next().is_none() {
            self.shape = shape.to_vec();
        }
        self
    }

    /// Whether a type is that of the view; its layout may be written in another way.
    fn is(&self, result: BufferType<'_>) -> bool {
        let exact = self.layout.agreement(&self.shape, &result.layout(), result.shape());
        self.shape == result.shape() && exact.is_some_and(|agreement| agreement.is_exact())
    }

    /// The type of the view in its shortest spelling; `None`, after an error at the location, if there is none.
    fn r#type<'c>(&self, location: Location<'c>, source: BufferType<'c>) -> Option<BufferType<'c>> {
        if source.is_auto() {
            return source.left_open(location, &self.shape);
        }
        let layout = self.layout.renumbered();
        let dense = Layout::open_row_major(&self.shape).ok();
        let spelled = dense.filter(|dense| {
            layout.agreement(&self.shape, dense, &self.shape).is_some_and(|agreement| agreement.is_exact())
        });
        let layout = LayoutAttr::new(location, &spelled.unwrap_or(layout))?;
        BufferType::new(location, &self.shape, source.element(), source.space(), layout)
    }
}

/// The type of the view that `op` makes of a tile of another type.
///
/// # Errors
/// There is no such view: got and expected.
pub fn derived_type<'c>(op: OperationRef<'c, '_>, source: BufferType<'c>) -> Result<BufferType<'c>, VerifyError> {
    let result = types(op).and_then(|(_, result)| BufferType::from_type(result)).ok_or(VerifyError::Incomplete)?;
    let derived = match op.name().as_string_ref().as_str().unwrap_or_default() {
        "tile.subview" => {
            Derived::part(source, &integers(op, "staticOffsets"), &integers(op, "sizes"))?.reduced_to(result.shape())
        }
        "tile.permute" => Derived::permuted(source, &integers(op, "order"))?,
        "tile.reshape" => Derived { shape: result.shape().to_vec(), layout: source.layout() },
        _ => return Ok(result),
    };
    typed(op.location(), source, derived)
}

/// The type of a part of a tile, with all dimensions.
///
/// # Errors
/// There is no such part: got and expected.
pub(crate) fn part_type<'c>(
    location: Location<'c>,
    source: BufferType<'c>,
    begins: &[i64],
    sizes: &[i64],
) -> Result<BufferType<'c>, VerifyError> {
    typed(location, source, Derived::part(source, begins, sizes)?)
}

/// The type of a tile with its dimensions in another order.
///
/// # Errors
/// The order is no permutation.
pub(crate) fn permuted_type<'c>(
    location: Location<'c>,
    source: BufferType<'c>,
    order: &[i64],
) -> Result<BufferType<'c>, VerifyError> {
    typed(location, source, Derived::permuted(source, order)?)
}

fn typed<'c>(location: Location<'c>, source: BufferType<'c>, derived: Derived) -> Result<BufferType<'c>, VerifyError> {
    derived.r#type(location, source).ok_or(VerifyError::Unbuildable)
}

/// The layout of a part of a tile.
fn part(source: BufferType<'_>, begins: &[i64], sizes: &[i64]) -> Result<Layout, VerifyError> {
    let begins: Vec<Option<i64>> = begins.iter().map(|&begin| (begin != DYNAMIC).then_some(begin)).collect();
    let whole = source.layout();
    let part = whole.part(source.shape(), &begins, sizes)?;
    if source.space() != Space::Local {
        return Ok(part.from_begin(&whole));
    }
    match begins.iter().position(Option::is_none) {
        None => Ok(part),
        Some(dimension) => Err(mismatch!("a run-time begin of registers in dimension {dimension}";
            expected "a number; the region of a copy may begin at a run-time value")),
    }
}

fn cast(source: BufferType<'_>, result: BufferType<'_>) -> Result<(), VerifyError> {
    let agreement = source.layout().agreement(source.shape(), &result.layout(), result.shape());
    let (got, from) = (result.as_type(), source.as_type());
    agreement
        .map(drop)
        .ok_or_else(|| mismatch!("{got}"; expected "a type that gives each element the same location as {from}"))
}

fn elements(source: BufferType<'_>, result: BufferType<'_>) -> VerifyError {
    mismatch!("{}", result.as_type(); expected "as many elements as {}, also between dimensions '?'", source.as_type())
}

/// Whether a `tile.subview` of a tile of the first type has the second type.
pub(crate) fn is_part(source: BufferType<'_>, begins: &[i64], sizes: &[i64], result: BufferType<'_>) -> bool {
    let derived = Derived::part(source, begins, sizes).map(|part| part.reduced_to(result.shape()));
    !sizes.contains(&OPEN) && derived.is_ok_and(|part| part.is(result))
}

/// Whether a `tile.cast` may convert the first type to the second.
pub(crate) fn may_cast(source: BufferType<'_>, result: BufferType<'_>) -> bool {
    cast(source, result).is_ok()
}

pub(crate) fn parts(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check_parts(op))
}

fn check_parts(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    let (source, pointer) = types(op).ok_or(VerifyError::Incomplete)?;
    let buffer = BufferType::from_type(source).ok_or_else(|| mismatch!("{source}"; expected "a tile.buffer"))?;
    let space = match buffer.space() {
        Space::Global => 1,
        Space::Shared => 3,
        other => return Err(mismatch!("space {}", other.name(); expected "global or shared")),
    };
    if memref::pointer_space(pointer) != Some(space) {
        return Err(mismatch!("{pointer}"; expected "!llvm.ptr<{space}> of a {} tile", buffer.space().name()));
    }
    let open = buffer.shape().iter().filter(|&&extent| extent == OPEN).count();
    let (got, expected) = (op.result_count() - 1, open + buffer.layout().stride_count());
    if got == expected {
        return Ok(());
    }
    Err(mismatch!("{}", counted(got, "number"); expected "{expected}, one for each '?' of {source}"))
}
