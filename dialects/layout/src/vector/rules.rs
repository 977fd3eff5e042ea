//! The conditions on iters, offset and dynamic terms.

use super::{Blocker, TornGroup, VectorAccess, VectorObstacle};
use crate::{Axis, Iter};

/// Checks the conditions for groups that no swizzle tears. `access.iters` are joined, `width` is at least 2.
///
/// The order matters for the examples: each relies on the preceding conditions.
pub(super) fn check(access: &VectorAccess<'_>, width: i64) -> Result<(), Box<Blocker>> {
    let zeros = vec![0; access.iters.len()];
    check_innermost(access, width, &zeros)?;
    let start = remainder(access, width);
    if start != 0 {
        let proven = saturate(address(access, &zeros, &[]));
        return Err(blocker(access, width, VectorObstacle::Offset, proven, zeros).into());
    }
    for (position, iter) in access.iters.iter().enumerate().filter(|(_, iter)| iter.axis == Axis::Memory) {
        if iter.extent > 1 && iter.stride % width != 0 && position + 1 != access.iters.len() {
            let mut digits = zeros;
            digits[position] = 1;
            return Err(blocker(access, width, VectorObstacle::Stride(*iter), iter.stride, digits).into());
        }
    }
    for (position, term) in access.dynamic.iter().enumerate() {
        let step = i128::from(term.stride) * i128::from(term.divisor);
        if step % i128::from(width) != 0 {
            let mut refusal =
                blocker(access, width, VectorObstacle::Dynamic(position, *term), saturate(step), zeros.clone());
            refusal.example = Some(example(access, zeros, &unit_steps(access, position)));
            return Err(refusal.into());
        }
    }
    Ok(())
}

/// Checks the innermost iter: contiguous in memory, and a whole number of groups.
fn check_innermost(access: &VectorAccess<'_>, width: i64, zeros: &[i64]) -> Result<(), Box<Blocker>> {
    let innermost = access.iters.last().copied().unwrap_or(Iter::memory(1, 1));
    if innermost.extent > 1 && (innermost.stride != 1 || innermost.axis != Axis::Memory) {
        let cause = VectorObstacle::Innermost(innermost);
        let refusal = blocker(access, width, cause, innermost.stride, zeros.to_vec());
        return Err(Blocker { needed: 1, ..refusal }.into());
    }
    if innermost.extent % width != 0 {
        let mut digits = zeros.to_vec();
        if let Some(digit) = digits.last_mut() {
            *digit = innermost.extent - innermost.extent % width;
        }
        return Err(blocker(access, width, VectorObstacle::Extent(innermost), innermost.extent, digits).into());
    }
    Ok(())
}

/// Checks the base: its alignment covers a group.
pub(super) fn check_base(access: &VectorAccess<'_>, width: i64) -> Result<(), Box<Blocker>> {
    let element = access.element_bytes.max(1);
    let proven = access.base_alignment.max(element);
    let needed = i128::from(width) * i128::from(element);
    if i128::from(proven) % needed == 0 {
        return Ok(());
    }
    let mut refusal = blocker(access, width, VectorObstacle::Base, proven, vec![0; access.iters.len()]);
    refusal.needed = saturate(needed);
    if let Some(example) = &mut refusal.example {
        example.base = proven;
    }
    Err(refusal.into())
}

fn blocker(access: &VectorAccess<'_>, width: i64, cause: VectorObstacle, proven: i64, digits: Vec<i64>) -> Blocker {
    Blocker { width, cause, needed: width, proven, example: Some(example(access, digits, &[])) }
}

/// The group at the given digits; `steps` are the `k` of the dynamic terms, 0 for terms beyond its end.
pub(super) fn example(access: &VectorAccess<'_>, digits: Vec<i64>, steps: &[i64]) -> TornGroup {
    let before = saturate(address(access, &digits, steps));
    let linear = access
        .iters
        .iter()
        .zip(&digits)
        .fold(0i64, |linear, (iter, digit)| linear.saturating_mul(iter.extent).saturating_add(*digit));
    let dynamic = access.dynamic.iter().enumerate().map(|(position, term)| {
        let step = steps.get(position).copied().unwrap_or(0);
        saturate(i128::from(term.residue).saturating_add(i128::from(term.divisor) * i128::from(step)))
    });
    let address = access.swizzle.map_or(before, |swizzle| swizzle.apply(before));
    TornGroup { linear, dynamic: dynamic.collect(), digits, address, base: 0 }
}

/// `k` = 1 for one dynamic term, 0 for the others.
pub(super) fn unit_steps(access: &VectorAccess<'_>, position: usize) -> Vec<i64> {
    (0..access.dynamic.len()).map(|index| i64::from(index == position)).collect()
}

/// The address before the swizzle. Saturates.
pub(super) fn address(access: &VectorAccess<'_>, digits: &[i64], steps: &[i64]) -> i128 {
    let moved = access.iters.iter().zip(digits).filter(|(iter, _)| iter.axis == Axis::Memory);
    let moved = moved.map(|(iter, digit)| i128::from(iter.stride) * i128::from(*digit));
    let dynamic = access.dynamic.iter().enumerate().map(|(position, term)| {
        let step = i128::from(steps.get(position).copied().unwrap_or(0));
        let value = i128::from(term.residue).saturating_add(i128::from(term.divisor) * step);
        i128::from(term.stride).saturating_mul(value)
    });
    moved.chain(dynamic).fold(i128::from(access.offset), i128::saturating_add)
}

/// The first element's address modulo the width, exactly.
fn remainder(access: &VectorAccess<'_>, width: i64) -> i128 {
    let width = i128::from(width);
    let residues = access.dynamic.iter().map(|term| i128::from(term.stride) * i128::from(term.residue));
    residues.fold(i128::from(access.offset) % width, |sum, term| (sum + term % width) % width)
}

pub(super) fn saturate(value: i128) -> i64 {
    i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX })
}
