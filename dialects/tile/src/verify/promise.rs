//! `tile.assume` and `tile.version`: there is a promise, the operand's type allows it, and a version's can be tested.

use melior::ir::operation::OperationLike;
use melior::ir::r#type::MemRefType;
use melior::ir::{BlockLike, OperationRef, RegionLike, Type, TypeLike, ValueLike};

use super::outcome;
use crate::BufferType;
use crate::error::{VerifyError, malformed, mismatch};
use crate::ir::{Parts, results_of};
use crate::memref::{DYNAMIC, RowNumber, bit_width, pointer_space, row_numbers, strides_and_offset};
use crate::ops::{Scope, integer, integers, segment};

pub(crate) fn assume(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check_assume(op))
}

fn check_assume(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    let r#type = op.operand_at(0).ok_or(VerifyError::Incomplete)?.r#type();
    let scope = |clause| integer(op, clause).and_then(Scope::from_code);
    let [divisor, bytes] = ["divisor", "alignment"].map(|clause| integer(op, clause));
    let (uniform, distinct) = (scope("uniform"), scope("distinct"));
    divisor.map_or(Ok(()), |divisor| divisible(r#type, divisor))?;
    bytes.map_or(Ok(()), |bytes| aligned(r#type, bytes))?;
    match (divisor.or(bytes), uniform, distinct) {
        (None, None, None) => Err(malformed!("promises nothing";
            expected "divisible_by, aligned, uniform or distinct")),
        (.., Some(_)) if !is_integer(r#type) => {
            Err(mismatch!("distinct for {}", r#type; expected "a signless integer or index"))
        }
        (_, Some(Scope::Thread), _) => Err(mismatch!("uniform(thread)"; expected "warp, warpgroup or cta")),
        (.., Some(scope)) if scope != Scope::Cta => Err(mismatch!("distinct({scope})"; expected "distinct(cta)")),
        _ if BufferType::from_type(r#type).is_some() => {
            Err(mismatch!("{type}"; expected "the memref or the address that the tile views"))
        }
        _ => Ok(()),
    }
}

/// Checks that `divisible_by` can be promised of a value of a type.
///
/// # Errors
/// Got and expected.
pub(super) fn divisible(r#type: Type<'_>, divisor: i64) -> Result<(), VerifyError> {
    if is_integer(r#type) {
        return Ok(());
    }
    let Some(numbers) = MemRefType::try_from(r#type).ok().and_then(row_numbers) else {
        return Err(mismatch!("divisible_by for {type}";
            expected "a signless integer, index, or a memref with a dimension of stride 1"));
    };
    match numbers.into_iter().find(|(_, stated)| *stated != DYNAMIC && stated.checked_rem(divisor) != Some(0)) {
        None => Ok(()),
        Some((number, stated)) => {
            let (what, dimension) = match number {
                RowNumber::Extent(dimension) => ("extent", dimension),
                RowNumber::Stride(dimension) => ("stride", dimension),
            };
            Err(mismatch!("divisible_by {divisor} for {type}, whose {what} in dimension {dimension} is {stated}";
                expected "a divisor of {stated}"))
        }
    }
}

/// Checks that an alignment can be promised of a value of a type.
///
/// # Errors
/// Got and expected.
pub(super) fn aligned(r#type: Type<'_>, bytes: i64) -> Result<(), VerifyError> {
    if bytes < 1 || bytes & (bytes - 1) != 0 {
        return Err(mismatch!("aligned {bytes}"; expected "a power of two"));
    }
    match MemRefType::try_from(r#type).ok().and_then(strides_and_offset) {
        None if pointer_space(r#type).is_none() => {
            Err(mismatch!("aligned for {type}"; expected "a memref with strides, or a pointer"))
        }
        _ => Ok(()),
    }
}

/// Whether a type is a signless integer or index.
fn is_integer(r#type: Type<'_>) -> bool {
    // SAFETY: the type is alive.
    let signless = unsafe {
        mlir_sys::mlirTypeIsAInteger(r#type.to_raw()) && mlir_sys::mlirIntegerTypeIsSignless(r#type.to_raw())
    };
    signless || r#type.is_index()
}

pub(crate) fn version(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check_version(op))
}

fn check_version(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    let promises = |group, numbers| (segment(op, group), integers(op, numbers));
    let ((values, divisors), (addresses, alignments)) = (promises(0, "divisors"), promises(1, "alignments"));
    for (operands, numbers, clause) in [(&values, &divisors, "divisible_by"), (&addresses, &alignments, "aligned")] {
        if operands.len() != numbers.len() {
            let (operands, numbers) = (operands.len(), numbers.len());
            return Err(mismatch!("{numbers} numbers for {operands} operands that are {clause}";
                expected "one for each"));
        }
    }
    if values.is_empty() && addresses.is_empty() {
        return Err(malformed!("promises nothing"; expected "divisible_by or aligned"));
    }
    values.iter().zip(divisors).try_for_each(|(value, divisor)| multiple(value.r#type(), divisor))?;
    addresses.iter().zip(alignments).try_for_each(|(address, bytes)| aligned(address.r#type(), bytes))?;
    yielded(op)
}

fn multiple(r#type: Type<'_>, divisor: i64) -> Result<(), VerifyError> {
    if divisor < 1 {
        return Err(mismatch!("divisible_by {divisor}"; expected "at least 1"));
    }
    let most = bit_width(r#type).and_then(|bits| 1i64.checked_shl(bits.saturating_sub(1)));
    if let Some(most) = most.filter(|&most| most > 0 && divisor >= most) {
        return Err(mismatch!("divisible_by {divisor} for {type}"; expected "less than {most}"));
    }
    divisible(r#type, divisor)
}

/// Checks that the region yields the results.
fn yielded(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
    let end = op.region_at(0).and_then(|region| region.first_block()?.terminator());
    let yielded = end.map(|end| end.operands().map(|value| value.r#type().to_string()).collect());
    let got: Vec<_> = yielded.unwrap_or_default();
    let expected: Vec<_> = results_of(op).into_iter().map(|result| result.r#type().to_string()).collect();
    if got == expected {
        return Ok(());
    }
    let list = |types: &[String]| if types.is_empty() { "nothing".to_owned() } else { types.join(", ") };
    Err(mismatch!("{} from the region", list(&got); expected "{}, as the results", list(&expected)))
}
