//! `tile.scan`: matching arrays, an operator that fits the element, valid options.

use crate::error::{VerifyError, malformed, mismatch};
use crate::ir::arguments_of;
use melior::ir::{BlockLike, OperationRef, ShapedTypeLike, Type, ValueLike};

use super::chain::{self, array};
use super::outcome;
use crate::memref::{self, DYNAMIC};
use crate::ops::{CombineKind, ScanElement, ScanOp, attribute_type};

const OPTIONS: [&str; 5] = ["shape", "threads", "stages", "order", "deterministic"];

pub(crate) fn scan(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check(ScanOp(op)))
}

fn check(op: ScanOp<'_, '_>) -> Result<(), VerifyError> {
    chain::options(op.0, &OPTIONS)?;
    chain::kernel(op.0)?;
    let element = chain::element(array("source", op.source(), ARRAY_STRIDES)?.element())?;
    arrays(op)?;
    operator(op, element)?;
    beginning(op, element)
}

/// The strides of a scanned array: from its first element, or from its last.
const ARRAY_STRIDES: &[i64] = &[1, -1];

fn arrays(op: ScanOp<'_, '_>) -> Result<(), VerifyError> {
    let (source, dest) =
        (array("source", op.source(), ARRAY_STRIDES)?, array("destination", op.dest(), ARRAY_STRIDES)?);
    array("workspace", op.workspace(), &[1])?;
    if source.element() != dest.element() {
        let (src, dst) = (source.element().to_string(), dest.element().to_string());
        return Err(VerifyError::ElementTypes { src, dst });
    }
    let (from, to) = (memref::extents(source)[0], memref::extents(dest)[0]);
    if from != to && from != DYNAMIC && to != DYNAMIC {
        return Err(mismatch!("{from} elements in the source and {to} in the destination"; expected "the same"));
    }
    if op.source() == op.dest() {
        return Err(malformed!("scans in place";
            expected "a separate destination: a block may read elements that another block has overwritten"));
    }
    for (name, array) in [("source", op.source()), ("destination", op.dest())] {
        if op.workspace() == array {
            return Err(mismatch!("the {name} as workspace";
                expected "separate memory: states of tiles are written there"));
        }
    }
    Ok(())
}

fn operator(op: ScanOp<'_, '_>, element: ScanElement<'_>) -> Result<(), VerifyError> {
    let kind = op.kind();
    match (kind, op.combine()) {
        (CombineKind::Custom, None) => Err(malformed!("has operator custom";
            expected "a region that combines two elements")),
        (CombineKind::Custom, Some(_)) => region(op, element),
        (_, Some(_)) => Err(malformed!("has operator {} and a region", kind.name(); expected "only one of them")),
        (_, None) if kind.is_integer_only() && element.float => {
            Err(mismatch!("operator {} on {}", kind.name(), element.r#type; expected "integers"))
        }
        (_, None) => Ok(()),
    }
}

fn region(op: ScanOp<'_, '_>, element: ScanElement<'_>) -> Result<(), VerifyError> {
    let block = op.combine().ok_or(VerifyError::Incomplete)?;
    if block.next_in_region().is_some() {
        return Err(malformed!("has a region of several blocks"; expected "one"));
    }
    let arguments: Vec<String> =
        arguments_of(block).into_iter().map(|argument| argument.r#type().to_string()).collect();
    let expected = element.r#type.to_string();
    if arguments != [expected.clone(), expected.clone()] {
        return Err(mismatch!("a region on ({})", arguments.join(", "); expected "two {expected}"));
    }
    let yielded: Vec<_> = chain::yielded(block)?.iter().map(Type::to_string).collect();
    match &yielded[..] {
        [only] if *only == expected => Ok(()),
        [] => Err(mismatch!("nothing from the region"; expected "{expected}")),
        others => Err(mismatch!("{} from the region", others.join(", "); expected "{expected}")),
    }
}

/// Checks the value that an exclusive scan starts with.
fn beginning(op: ScanOp<'_, '_>, element: ScanElement<'_>) -> Result<(), VerifyError> {
    if let Some(init) = op.init().map(|init| init.r#type()).filter(|&init| init != element.r#type) {
        return Err(mismatch!("an initial value of {init}"; expected "{}", element.r#type));
    }
    let identity = op.identity().map(attribute_type);
    if let Some(identity) = identity.filter(|&identity| identity != element.r#type) {
        return Err(mismatch!("an identity of {identity}"; expected "{}", element.r#type));
    }
    let custom = op.kind() == CombineKind::Custom;
    if identity.is_some() && !custom {
        return Err(VerifyError::OwnIdentity(op.kind().name()));
    }
    if custom && op.is_exclusive() && op.init().is_none() && identity.is_none() {
        return Err(malformed!("is exclusive with a custom operator";
            expected "init(…) or identity(…): its first result"));
    }
    Ok(())
}
