//! What rules out vectors of a width.

use tile_layout::counted;

use crate::families::vector::plan::MatchedCopy;
use crate::problem::refusal::{Narrowing, Refusal};
use crate::problem::role::Role;
use crate::sides::width;
use crate::target::Target;

/// What prevents all threads from having equally many vectors, if anything.
pub(super) fn uneven(copy: &MatchedCopy, vector: i64, bits: u32) -> Option<Narrowing> {
    let (size, threads) = (copy.side(Role::Src).layout.size(), copy.threads);
    let each = size / threads;
    if size % threads == 0 && each % vector == 0 {
        return None;
    }
    let reason = format!(
        "each of {} has {}; needed a multiple of {vector}",
        counted(threads, "thread"),
        counted(each, "element")
    );
    Some(Narrowing { bits, cause: "elements-per-thread", reason, operand: None })
}

/// What makes a width illegal on one of the sides, if anything.
pub(super) fn obstacle(copy: &MatchedCopy, vector: i64) -> Option<Narrowing> {
    beside(copy, Role::Src, vector).or_else(|| beside(copy, Role::Dst, vector)).or_else(|| torn(copy, vector))
}

/// What prevents vectors from lying entirely inside or outside a masked region, if anything.
pub(super) fn torn(copy: &MatchedCopy, vector: i64) -> Option<Narrowing> {
    let mask = copy.mask.as_ref()?;
    let bits = u32::try_from(vector).unwrap_or(u32::MAX).saturating_mul(copy.widest_element());
    let Refusal { cause, reason, operand } = mask.is_whole(vector, mask.clipped(copy.uses_cp_async())).err()?;
    Some(Narrowing { bits, cause, reason, operand })
}

/// What rules out accesses of `elements` elements on one side, if anything.
pub(super) fn beside(copy: &MatchedCopy, role: Role, elements: i64) -> Option<Narrowing> {
    let element = copy.bits_of(role);
    let bits = u32::try_from(elements).ok().and_then(|elements| elements.checked_mul(element)).unwrap_or(u32::MAX);
    width::obstacle(copy.side(role), role, elements, bits, i64::from(element / 8))
}

/// The narrowing where `bits` bits cannot be reduced at a time.
pub(super) fn too_wide(bits: u32, widths: &[u32], target: &Target) -> Narrowing {
    let widths: Vec<String> = widths.iter().map(ToString::to_string).collect();
    let reason = format!("{target} reduces by {} bits at a time; needed {bits}", widths.join(", "));
    Narrowing { bits, cause: "reduction-width", reason, operand: Some(Role::Dst) }
}
