//! `tile.scan`: matching arrays, an operator that fits the element, valid options.

use crate::ir::arguments_of;
use melior::ir::{BlockLike, OperationRef, ShapedTypeLike, Type, ValueLike};

use tile_isa::words::one_of;

use super::chain::{self, array};
use super::outcome;
use crate::memref::{self, DYNAMIC};
use crate::ops::{CombineKind, ScanElement, ScanOp, attribute_type};

const OPTIONS: [&str; 13] = [
    "strategy",
    "shape",
    "threads",
    "items",
    "stages",
    "order",
    "max_spin",
    "deterministic",
    "skip_post",
    "hold",
    "reverse",
    "poll_cap",
    "counters",
];

pub(crate) fn scan(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check(ScanOp(op)))
}

fn check(op: ScanOp<'_, '_>) -> Result<(), String> {
    chain::options(op.0, &OPTIONS)?;
    if let Some(shape) = op.string("shape") {
        one_of("shape", &shape, ["ring", "register"])?;
    }
    chain::kernel(op.0)?;
    let element = chain::element(array("source", op.source(), ARRAY_STRIDES)?.element())?;
    arrays(op)?;
    operator(op, element)?;
    beginning(op, element)
}

/// The strides of a scanned array: from its first element, or from its last.
const ARRAY_STRIDES: &[i64] = &[1, -1];

fn arrays(op: ScanOp<'_, '_>) -> Result<(), String> {
    let (source, dest) =
        (array("source", op.source(), ARRAY_STRIDES)?, array("destination", op.dest(), ARRAY_STRIDES)?);
    array("workspace", op.workspace(), &[1])?;
    if source.element() != dest.element() {
        return Err(format!(
            "scans one element type: got {} from the source, {} in the destination",
            source.element(),
            dest.element()
        ));
    }
    let (from, to) = (memref::extents(source)[0], memref::extents(dest)[0]);
    if from != to && from != DYNAMIC && to != DYNAMIC {
        return Err(format!("got {from} elements in the source and {to} in the destination, expected the same"));
    }
    if op.source() == op.dest() {
        return Err("scans in place, expected a separate destination: \
                    a block may read elements that another block has overwritten"
            .to_owned());
    }
    for (name, array) in [("source", op.source()), ("destination", op.dest())] {
        if op.workspace() == array {
            return Err(format!(
                "got the {name} as workspace, expected separate memory: states of tiles are written there"
            ));
        }
    }
    Ok(())
}

fn operator(op: ScanOp<'_, '_>, element: ScanElement<'_>) -> Result<(), String> {
    let kind = op.kind();
    match (kind, op.combine()) {
        (CombineKind::Custom, None) => {
            Err("has operator custom, expected a region that combines two elements".to_owned())
        }
        (CombineKind::Custom, Some(_)) => region(op, element),
        (_, Some(_)) => Err(format!("has operator {} and a region, expected only one of them", kind.name())),
        (_, None) if kind.is_integer_only() && element.float => {
            Err(format!("got operator {} on {}, expected integers", kind.name(), element.r#type))
        }
        (_, None) => Ok(()),
    }
}

fn region(op: ScanOp<'_, '_>, element: ScanElement<'_>) -> Result<(), String> {
    let block = op.combine().ok_or("has no block")?;
    if block.next_in_region().is_some() {
        return Err("has a region of several blocks, expected one".to_owned());
    }
    let arguments: Vec<String> =
        arguments_of(block).into_iter().map(|argument| argument.r#type().to_string()).collect();
    let expected = element.r#type.to_string();
    if arguments != [expected.clone(), expected.clone()] {
        return Err(format!("got a region on ({}), expected two {expected}", arguments.join(", ")));
    }
    let yielded: Vec<_> = chain::yielded(block)?.iter().map(Type::to_string).collect();
    match &yielded[..] {
        [only] if *only == expected => Ok(()),
        [] => Err(format!("got nothing from the region, expected {expected}")),
        others => Err(format!("got {} from the region, expected {expected}", others.join(", "))),
    }
}

/// Checks the value that an exclusive scan starts with.
fn beginning(op: ScanOp<'_, '_>, element: ScanElement<'_>) -> Result<(), String> {
    if let Some(init) = op.init().map(|init| init.r#type()).filter(|&init| init != element.r#type) {
        return Err(format!("got an initial value of {init}, expected {}", element.r#type));
    }
    let identity = op.identity().map(attribute_type);
    if let Some(identity) = identity.filter(|&identity| identity != element.r#type) {
        return Err(format!("got an identity of {identity}, expected {}", element.r#type));
    }
    let custom = op.kind() == CombineKind::Custom;
    if identity.is_some() && !custom {
        return Err(format!("has an identity, but operator {} has its own", op.kind().name()));
    }
    if custom && op.is_exclusive() && op.init().is_none() && identity.is_none() {
        return Err("is exclusive with a custom operator, expected init(…) or identity(…): its first result".to_owned());
    }
    Ok(())
}
