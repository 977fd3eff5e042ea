//! `tile.scan`: matching arrays, an operator that fits the element, valid options.

use crate::error::{VerifyError, malformed, mismatch};
use crate::ir::arguments_of;
use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, OperationRef, RegionLike, ShapedTypeLike, Type, Value, ValueLike};

use tile_isa::words::one_of;

use super::outcome;
use crate::Space;
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

/// Dialects whose ops a combining region may consist of: pure arithmetic.
const ARITHMETIC: [&str; 4] = ["arith.", "math.", "ub.", "vector."];

/// The largest number in a fault-injection hook: kernels count in 32 bits.
const MAX_NUMBER: i64 = 1 << 30;

/// Widest element, in bytes: its state fits four words.
const MAX_BYTES: u32 = 16;

pub(crate) fn scan(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check(ScanOp(op)))
}

fn check(op: ScanOp<'_, '_>) -> Result<(), VerifyError> {
    options(op)?;
    if op.kernel().is_none() {
        let got = op.0.attribute("kernel").map(|kernel| kernel.to_string()).unwrap_or_default();
        return Err(mismatch!("kernel {got}";
            expected "the names of a gpu.module and of the kernel, as in @kernels::@cumsum"));
    }
    let element = element(array("source", op.source(), ARRAY_STRIDES)?.element())?;
    arrays(op)?;
    operator(op, element)?;
    beginning(op, element)
}

fn options(op: ScanOp<'_, '_>) -> Result<(), VerifyError> {
    for index in 0..op.0.discardable_attribute_count() {
        let Ok((name, _)) = op.0.discardable_attribute_at(index) else { continue };
        let name = name.as_string_ref();
        let name = name.as_str().unwrap_or_default();
        if !name.contains('.') {
            return Err(mismatch!("unknown option '{name}'"; expected "one of {}", OPTIONS.join(", ")));
        }
    }
    let least =
        [("threads", 32), ("items", 1), ("stages", 2), ("max_spin", 1), ("skip_post", 1), ("hold", 1), ("poll_cap", 1)];
    for (name, least) in least {
        if let Some(value) = op.integer(name).filter(|&value| value < least) {
            return Err(mismatch!("{name} = {value}"; expected "at least {least}"));
        }
    }
    for name in ["skip_post", "hold", "poll_cap"] {
        if let Some(value) = op.integer(name).filter(|&value| value > MAX_NUMBER) {
            return Err(mismatch!("{name} = {value}"; expected "at most {MAX_NUMBER}"));
        }
    }
    for (name, known) in [("order", ["ticket", "block_id"]), ("shape", ["ring", "register"])] {
        if let Some(value) = op.string(name) {
            one_of(name, &value, known)?;
        }
    }
    Ok(())
}

/// The strides of a scanned array: from its first element, or from its last.
const ARRAY_STRIDES: &[i64] = &[1, -1];

/// Checks for a one-dimensional array in global memory with one of these strides.
fn array<'c>(name: &str, value: Value<'c, '_>, allowed: &[i64]) -> Result<MemRefType<'c>, VerifyError> {
    let r#type = value.r#type();
    let memref = MemRefType::try_from(r#type).map_err(|_| mismatch!("{type} as {name}"; expected "a ranked memref"))?;
    let strides = memref::strides_and_offset(memref).map(|(strides, _)| strides);
    if memref.rank() != 1 || !strides.is_some_and(|strides| allowed.contains(&strides[0])) {
        let allowed: Vec<_> = allowed.iter().map(i64::to_string).collect();
        return Err(mismatch!("{memref} as {name}"; expected "one dimension with stride {}", allowed.join(" or ")));
    }
    match memref::space(memref) {
        Some(Space::Global) => Ok(memref),
        _ => Err(mismatch!("{memref} as {name}"; expected "global memory")),
    }
}

fn element(r#type: Type<'_>) -> Result<ScanElement<'_>, VerifyError> {
    let element = ScanElement::new(r#type).filter(|element| {
        let known = matches!(
            element.scalar.to_string().as_str(),
            "i8" | "i16" | "i32" | "i64" | "f16" | "bf16" | "f32" | "f64"
        );
        let bytes = element.bits() / 8;
        known && bytes.is_power_of_two() && bytes <= MAX_BYTES
    });
    element.ok_or_else(|| {
        mismatch!("elements of {type}";
            expected "i8, i16, i32, i64, f16, bf16, f32, f64 or a vector of them of up to {MAX_BYTES} bytes, a power of two")
    })
}

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
    let mut next = block.first_operation();
    while let Some(inner) = next {
        let name = inner.name();
        let name = name.as_string_ref();
        let name = name.as_str().unwrap_or_default();
        if name == "tile.yield" {
            let yielded: Vec<_> = inner.operands().map(|value| value.r#type().to_string()).collect();
            return match &yielded[..] {
                [only] if *only == expected => Ok(()),
                [] => Err(mismatch!("nothing from the region"; expected "{expected}")),
                others => Err(mismatch!("{} from the region", others.join(", "); expected "{expected}")),
            };
        }
        let pure = ARITHMETIC.iter().any(|dialect| name.starts_with(dialect));
        if !pure || inner.regions().any(|region| region.first_block().is_some()) {
            return Err(mismatch!("'{name}' in the region"; expected "arithmetic: ops of arith, math, ub and vector"));
        }
        next = inner.next_in_block();
    }
    Err(VerifyError::NoYield)
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
