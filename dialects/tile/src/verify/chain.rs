//! What the verifiers of host-side passes over arrays share: options, arrays, and regions of arithmetic.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, BlockRef, OperationRef, RegionLike, ShapedTypeLike, Type, Value, ValueLike};
use tile_isa::words::one_of;

use crate::Space;
use crate::error::{VerifyError, mismatch};
use crate::memref;
use crate::ops::{ScanElement, integer, kernel_names, string};

/// Dialects whose ops a region may consist of: pure arithmetic.
const ARITHMETIC: [&str; 4] = ["arith.", "math.", "ub.", "vector."];

/// The largest number in a fault-injection hook: kernels count in 32 bits.
const MAX_NUMBER: i64 = 1 << 30;

/// Widest element, in bytes: its state fits four words.
pub(super) const MAX_BYTES: u32 = 16;

/// The options of all ops on arrays: how they are planned, and what tests inject.
const SHARED_OPTIONS: [&str; 8] =
    ["strategy", "items", "max_spin", "skip_post", "hold", "reverse", "poll_cap", "counters"];

/// Checks the attributes of an op: their names, `more` beside those of all ops on arrays, and the numbers of those that it has.
pub(super) fn options(op: OperationRef<'_, '_>, more: &[&str]) -> Result<(), VerifyError> {
    for index in 0..op.discardable_attribute_count() {
        let Ok((name, _)) = op.discardable_attribute_at(index) else { continue };
        let name = name.as_string_ref();
        let name = name.as_str().unwrap_or_default();
        if !name.contains('.') {
            return Err(
                mismatch!("unknown option '{name}'"; expected "one of {}", [more, &SHARED_OPTIONS].concat().join(", ")),
            );
        }
    }
    let least =
        [("threads", 32), ("items", 1), ("stages", 2), ("max_spin", 1), ("skip_post", 1), ("hold", 1), ("poll_cap", 1)];
    for (name, least) in least {
        if let Some(value) = integer(op, name).filter(|&value| value < least) {
            return Err(mismatch!("{name} = {value}"; expected "at least {least}"));
        }
    }
    for name in ["skip_post", "hold", "poll_cap"] {
        if let Some(value) = integer(op, name).filter(|&value| value > MAX_NUMBER) {
            return Err(mismatch!("{name} = {value}"; expected "at most {MAX_NUMBER}"));
        }
    }
    for (name, words) in [("shape", ["ring", "register"]), ("order", ["ticket", "block_id"])] {
        if let Some(word) = string(op, name) {
            one_of(name, &word, words)?;
        }
    }
    Ok(())
}

/// Checks that the symbol names a module and a kernel.
pub(super) fn kernel(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    kernel_names(op).map(drop).ok_or_else(|| {
        let got = op.attribute("kernel").map(|kernel| kernel.to_string()).unwrap_or_default();
        mismatch!("kernel {got}"; expected "the names of a gpu.module and of the kernel, as in @kernels::@cumsum")
    })
}

/// Checks for a one-dimensional array in global memory with one of these strides.
pub(super) fn array<'c>(name: &str, value: Value<'c, '_>, allowed: &[i64]) -> Result<MemRefType<'c>, VerifyError> {
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

/// An array, and what messages call it.
pub(super) type NamedArray<'c, 'a> = (String, Value<'c, 'a>);

/// The arrays of one kind, by number.
pub(super) fn numbered<'c, 'a>(what: &str, values: Vec<Value<'c, 'a>>) -> Vec<NamedArray<'c, 'a>> {
    values.into_iter().enumerate().map(|(index, value)| (format!("{what} {index}"), value)).collect()
}

/// Checks that an array that is written is no other one.
pub(super) fn separate([read, written]: &[Vec<NamedArray<'_, '_>>; 2]) -> Result<(), VerifyError> {
    for (index, (name, value)) in written.iter().enumerate() {
        let mut others = read.iter().chain(&written[..index]);
        if let Some((other, _)) = others.find(|(_, other)| other == value) {
            return Err(mismatch!("{name}, which is {other}, too"; expected "separate memory: {WHY_SEPARATE}"));
        }
    }
    Ok(())
}

/// Why arrays must not overlap.
const WHY_SEPARATE: &str = "a block may read elements after another block has written its results";

/// Checks for a number, or a short vector of numbers.
pub(super) fn element(r#type: Type<'_>) -> Result<ScanElement<'_>, VerifyError> {
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

/// The types that a region of one block yields.
///
/// # Errors
/// Ops that are no arithmetic, or a block that yields nothing.
pub(super) fn yielded<'c>(block: BlockRef<'c, '_>) -> Result<Vec<Type<'c>>, VerifyError> {
    let mut next = block.first_operation();
    while let Some(inner) = next {
        let name = inner.name();
        let name = name.as_string_ref();
        let name = name.as_str().unwrap_or_default();
        if name == "tile.yield" {
            return Ok(inner.operands().map(|value| value.r#type()).collect());
        }
        let pure = ARITHMETIC.iter().any(|dialect| name.starts_with(dialect));
        if !pure || inner.regions().any(|region| region.first_block().is_some()) {
            return Err(mismatch!("'{name}' in the region"; expected "arithmetic: ops of arith, math, ub and vector"));
        }
        next = inner.next_in_block();
    }
    Err(VerifyError::NoYield)
}
