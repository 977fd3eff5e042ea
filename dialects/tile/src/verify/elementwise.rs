//! `tile.map`, `tile.reduce` and `tile.block_scan`: shapes that fit, and regions that compute what the results hold.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, BlockRef, OperationRef, Type, TypeLike, Value, ValueLike};
use tile_layout::by_x;

use super::outcome;
use crate::error::{VerifyError, malformed, mismatch};
use crate::ir::arguments_of;
use crate::memref::bit_width;
use crate::ops::{BlockScanOp, CombineKind, Extreme, MapOp, ReduceKind, ReduceOp, TotalOp};
use crate::{BufferType, Space, shim};

pub(crate) fn map(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check_map(MapOp(op)))
}

pub(crate) fn reduce(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check_reduce(ReduceOp(op)))
}

pub(crate) fn block_scan(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check_block_scan(BlockScanOp(op)))
}

pub(crate) fn total(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check_total(TotalOp(op)))
}

fn check_map(op: MapOp<'_, '_>) -> Result<(), VerifyError> {
    let (sources, dests) = (tiles(&op.sources())?, tiles(&op.dests())?);
    let first = dests.first().ok_or_else(|| malformed!("writes no tile"; expected "at least one after 'to'"))?;
    let shape = first.shape();
    for (number, dest) in (1..).zip(&dests) {
        if dest.shape() != shape {
            return Err(mismatch!("result {number} of shape {}", sizes(dest); expected "{}", sizes(first)));
        }
        if dests[..number - 1].iter().zip(op.dests()).any(|(_, other)| other == op.dests()[number - 1]) {
            return Err(VerifyError::ResultTaken { number, role: "a result" });
        }
    }
    for (number, source) in (1..).zip(&sources) {
        let fits = |(&got, &extent): (&i64, &i64)| got > 0 && extent % got == 0;
        if source.shape().len() != shape.len() || !source.shape().iter().zip(shape).all(fits) {
            return Err(mismatch!("source {number} of shape {}", sizes(source);
                expected "{}, or divisors of these where each element belongs to several", sizes(first)));
        }
    }
    let body = op.body().ok_or(VerifyError::Incomplete)?;
    let (got, elements) = (types(&arguments_of(body)), elements(&sources));
    let coordinates = vec!["index".to_owned(); shape.len()];
    let with_coordinates: Vec<String> = elements.iter().cloned().chain(coordinates).collect();
    if got != elements && got != with_coordinates {
        return Err(mismatch!("a region on ({})", got.join(", ");
            expected "({}), or ({}) with coordinates", elements.join(", "), with_coordinates.join(", ")));
    }
    region(body, &self::elements(&dests))
}

fn check_reduce(op: ReduceOp<'_, '_>) -> Result<(), VerifyError> {
    let (sources, dests) = (tiles(&op.sources())?, tiles(&op.dests())?);
    let dim = match op.kind() {
        ReduceKind::Combined(_) => dimension(&sources, &dests, op.dim())?,
        ReduceKind::Index(extreme) => indexed_dimension(extreme, &sources, &dests, op.dim())?,
    };
    let mut reduced = sources[0].shape().to_vec();
    reduced[dim] = 1;
    for (number, dest) in (1..).zip(&dests) {
        if dest.shape() != reduced {
            let expected = by_x(&reduced);
            return Err(mismatch!("result {number} of shape {}", sizes(dest);
                expected "{expected}: 1 along dim({dim})"));
        }
        let dests = op.dests();
        if op.sources().contains(&dests[number - 1]) || dests[..number - 1].contains(&dests[number - 1]) {
            return Err(VerifyError::ResultTaken { number, role: "a source or a result" });
        }
    }
    match (op.kind(), op.combine()) {
        (ReduceKind::Combined(kind), body) => operator(kind, body, &sources),
        (ReduceKind::Index(extreme), Some(_)) => {
            Err(malformed!("has operator {} and a region", extreme.name(); expected "only one of them"))
        }
        (ReduceKind::Index(extreme), None) => is_number(extreme.name(), sources[0].element()),
    }
}

fn check_block_scan(op: BlockScanOp<'_, '_>) -> Result<(), VerifyError> {
    let (sources, dests) = (tiles(&op.sources())?, tiles(&op.dests())?);
    dimension(&sources, &dests, op.dim())?;
    for (number, dest) in (1..).zip(&dests) {
        if dest.shape() != sources[0].shape() {
            return Err(mismatch!("result {number} of shape {}", sizes(dest); expected "{}", sizes(&sources[0])));
        }
        if op.dests()[..number - 1].contains(&op.dests()[number - 1]) {
            return Err(VerifyError::ResultTaken { number, role: "a result" });
        }
    }
    let (inits, expected) = (types(&op.inits()), elements(&sources));
    if !inits.is_empty() && inits != expected {
        return Err(mismatch!("init({})", inits.join(", ");
            expected "({}), an element of each source", expected.join(", ")));
    }
    if op.is_exclusive() && op.kind() == CombineKind::Custom && inits.is_empty() {
        return Err(malformed!("is exclusive with operator custom, whose identity is not known"; expected "init(…)"));
    }
    operator(op.kind(), op.combine(), &sources)
}

fn check_total(op: TotalOp<'_, '_>) -> Result<(), VerifyError> {
    let sources = tiles(&op.source().into_iter().collect::<Vec<_>>())?;
    let (source, results) = (sources.first().ok_or(VerifyError::Incomplete)?, op.results());
    let kind = op.kind();
    if op.is_per_warp() && source.space() != Space::Local {
        return Err(malformed!("is per_warp of a tile in shared memory";
            expected "one in registers, whose layout says what a warp holds"));
    }
    if kind == CombineKind::Custom {
        return Err(malformed!("has operator custom"; expected "one that is built in; tile.reduce takes a region"));
    }
    match (op.term(), &results[..]) {
        (_, []) => {
            return Err(malformed!("has no result"; expected "one, or one for each value that its region yields"));
        }
        (None, [result]) if result.r#type() != source.element() => {
            return Err(malformed!("has a result of type {}", result.r#type();
                expected "{}, the elements of the tile", source.element()));
        }
        (None, [_]) => {}
        (None, all) => {
            return Err(malformed!("has {} results", all.len(); expected "a region, which yields a value for each"));
        }
        (Some(body), _) => {
            let (got, expected) = (types(&arguments_of(body)), elements(&sources));
            if got != expected {
                return Err(mismatch!("a region on ({})", got.join(", "); expected "({})", expected.join(", ")));
            }
            region(body, &types(&results))?;
        }
    }
    results.iter().try_for_each(|result| combines(kind, result.r#type()))
}

/// Checks that an operator combines values of a type, and that tiles have that type.
fn combines(kind: CombineKind, result: Type<'_>) -> Result<(), VerifyError> {
    if kind.is_integer_only() && !result.is_integer() {
        return Err(mismatch!("operator {} on {result}", kind.name(); expected "integers"));
    }
    if bit_width(result).is_none() {
        return Err(malformed!("has a result of type {result}"; expected "a type that tiles have"));
    }
    is_number(kind.name(), result)
}

/// The dimension along which tiles are combined, of sources and results that fit each other but for their shapes.
fn dimension(sources: &[BufferType<'_>], dests: &[BufferType<'_>], dim: i64) -> Result<usize, VerifyError> {
    let first = sources.first().ok_or_else(|| malformed!("reads no tile"; expected "at least one"))?;
    if sources.len() != dests.len() {
        return Err(mismatch!("{} sources and {} results", sources.len(), dests.len(); expected "as many"));
    }
    for (number, (source, dest)) in (1..).zip(sources.iter().zip(dests)) {
        if source.shape() != first.shape() {
            return Err(mismatch!("source {number} of shape {}", sizes(source); expected "{}", sizes(first)));
        }
        let (from, to) = (source.element(), dest.element());
        if from != to {
            return Err(mismatch!("result {number} of {to}"; expected "{from}, the elements of its source"));
        }
    }
    dimension_of(first, dim)
}

/// The dimension along which an index is found, of one source, with a result for the index and perhaps one for the element.
fn indexed_dimension(
    extreme: Extreme,
    sources: &[BufferType<'_>],
    dests: &[BufferType<'_>],
    dim: i64,
) -> Result<usize, VerifyError> {
    let name = extreme.name();
    let [source] = sources else {
        return Err(malformed!("has operator {name} on {} tiles", sources.len(); expected "one"));
    };
    let index = match dests {
        [index] => index,
        [value, _] if value.element() != source.element() => {
            let (got, expected) = (value.element(), source.element());
            return Err(mismatch!("result 1 of {got}"; expected "{expected}, the elements of its source"));
        }
        [_, index] => index,
        _ => {
            let got = dests.len();
            return Err(malformed!("has operator {name} with {got} results";
                expected "the indices, or elements and indices"));
        }
    };
    let dim = dimension_of(source, dim)?;
    let (last, element, number) = (source.shape()[dim] - 1, index.element(), dests.len());
    let bits = bit_width(element).filter(|_| element.is_integer());
    let is_wide_enough = bits.is_some_and(|bits| last.checked_ilog2().is_none_or(|log| log + 1 < bits));
    if !is_wide_enough {
        return Err(mismatch!("result {number} of {element}";
            expected "signed integers that hold the indices 0 to {last}"));
    }
    Ok(dim)
}

fn dimension_of(tile: &BufferType<'_>, dim: i64) -> Result<usize, VerifyError> {
    let rank = tile.shape().len();
    let dimension = usize::try_from(dim).ok().filter(|&dim| dim < rank);
    dimension.ok_or_else(|| mismatch!("dim({dim})"; expected "one of the dimensions 0 to {}", rank.max(1) - 1))
}

fn operator(
    kind: CombineKind,
    combine: Option<BlockRef<'_, '_>>,
    sources: &[BufferType<'_>],
) -> Result<(), VerifyError> {
    let elements = elements(sources);
    let element = sources[0].element();
    match (kind, combine) {
        (CombineKind::Custom, None) => Err(malformed!("has operator custom";
            expected "a region that combines two elements")),
        (CombineKind::Custom, Some(body)) => {
            let expected: Vec<String> = [elements.clone(), elements.clone()].concat();
            let got = types(&arguments_of(body));
            if got != expected {
                return Err(mismatch!("a region on ({})", got.join(", "); expected "({})", expected.join(", ")));
            }
            region(body, &elements)
        }
        (_, Some(_)) => Err(malformed!("has operator {} and a region", kind.name(); expected "only one of them")),
        (_, None) if elements.len() != 1 => Err(malformed!("has operator {} on {} tiles", kind.name(), elements.len();
            expected "one, or custom with a region")),
        (_, None) if kind.is_integer_only() && !element.is_integer() => {
            Err(mismatch!("operator {} on {element}", kind.name(); expected "integers"))
        }
        (_, None) => is_number(kind.name(), element),
    }
}

fn is_number(operator: &str, element: Type<'_>) -> Result<(), VerifyError> {
    if element.is_integer() || bit_width(element).is_some_and(|bits| bits >= 16) {
        return Ok(());
    }
    Err(mismatch!("operator {operator} on {element}"; expected "floats of 16 bits or more, or integers"))
}

/// Checks that ops have no effects, and what is passed to the results.
fn region(body: BlockRef<'_, '_>, expected: &[String]) -> Result<(), VerifyError> {
    let end = body.terminator().ok_or(VerifyError::NoYield)?;
    let mut next = body.first_operation();
    while let Some(inner) = next.filter(|&inner| inner != end) {
        // SAFETY: the op is alive.
        let is_free = unsafe { shim::tileIsMemoryEffectFree(inner.to_raw()) };
        if !is_free || inner.regions().next().is_some() {
            let name = inner.name();
            let name = name.as_string_ref();
            let name = name.as_str().unwrap_or_default();
            let got = if is_free { "has regions" } else { "may read or write memory" };
            return Err(mismatch!("'{name}' in the region, which {got}"; expected "ops that only compute values"));
        }
        next = inner.next_in_block();
    }
    let got: Vec<String> = end.operands().map(|value| value.r#type().to_string()).collect();
    if got == expected {
        return Ok(());
    }
    let list = |types: &[String]| if types.is_empty() { "nothing".to_owned() } else { types.join(", ") };
    Err(mismatch!("{} from the region", list(&got); expected "{}, an element of each result", list(expected)))
}

fn tiles<'c>(values: &[Value<'c, '_>]) -> Result<Vec<BufferType<'c>>, VerifyError> {
    let tile = |value: &Value<'c, '_>| BufferType::from_type(value.r#type()).ok_or(VerifyError::NotABuffer);
    values.iter().map(tile).collect()
}

fn elements(tiles: &[BufferType<'_>]) -> Vec<String> {
    tiles.iter().map(|tile| tile.element().to_string()).collect()
}

fn types(values: &[Value<'_, '_>]) -> Vec<String> {
    values.iter().map(|value| value.r#type().to_string()).collect()
}

fn sizes(tile: &BufferType<'_>) -> String {
    by_x(tile.shape())
}
