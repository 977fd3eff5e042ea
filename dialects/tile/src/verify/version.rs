//! `tile.version`: promises that can be tested, and the results of the region.

use melior::ir::operation::OperationLike;
use melior::ir::{BlockLike, OperationRef, RegionLike, Type, ValueLike};

use super::assume::{aligned, divisible};
use super::outcome;
use crate::error::{VerifyError, malformed, mismatch};
use crate::ir::{Parts, results_of};
use crate::memref::bit_width;
use crate::ops::{integers, segment};

pub(crate) fn version(op: OperationRef<'_, '_>) -> bool {
    outcome(op, check(op))
}

fn check(op: OperationRef<'_, '_>) -> Result<(), VerifyError> {
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
