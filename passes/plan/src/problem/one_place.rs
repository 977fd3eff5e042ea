//! That each element of a destination has a place of its own.

use tile_layout::{Iter, Places, Range};

use crate::problem::Problem;
use crate::problem::effect::Effect;
use crate::problem::mask::Mask;
use crate::problem::overlap::unravel;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::problem::run_time::Begin;

/// Requires each element of the destination to have its own place: which of several would be stored last is undefined. All elements of a
/// reduction take effect.
///
/// # Errors
/// `destination-overlaps`, with two elements in one place.
pub(crate) fn check_one_place_each(problem: &Problem) -> Result<(), Refusal> {
    let is_reduced = matches!(problem.effect, Effect::Reduced(_));
    let Some(dst) = problem.operands.get(Role::Dst).filter(|_| !is_reduced) else { return Ok(()) };
    let Places::Shared(in_buffer) = dst.layout.places() else { return Ok(()) };
    // The region, or what a mask leaves of it, may have only one of these elements.
    let stored = stored(&dst.extent, problem.mask.as_ref());
    let begins = dst.begin.iter().map(|begin| match *begin {
        Begin::Const(begin) => begin.max(0),
        Begin::Dynamic { residue, .. } => residue,
    });
    let ranges: Vec<Range> = begins.zip(&stored).map(|(begin, &extent)| Range::new(begin, extent)).collect();
    let (shared, shape) = match dst.layout.slice(&dst.shape, &ranges).map(|region| region.places()) {
        Ok(Places::Shared(in_region)) => (in_region, &stored),
        Ok(_) => return Ok(()),
        Err(_) => (in_buffer, &dst.shape),
    };
    let elements = shared.elements.map(|element| at_coordinates(&unravel(element, shape)));
    let iters: Vec<String> = shared.iters.iter().map(Iter::to_string).collect();
    let noun = if iters.len() == 1 { "iter" } else { "iters" };
    let reason = format!(
        "the destination has several elements in one place, as {} ({noun} {}); needed one",
        elements.join(" and "),
        iters.join(" and ")
    );
    Err(Refusal::of(Role::Dst, "destination-overlaps", reason))
}

/// The elements of each dimension that a mask may leave, at least one: how many a run-time extent leaves is not known.
fn stored(extents: &[i64], mask: Option<&Mask>) -> Vec<i64> {
    let mut walked = 0;
    let each = extents.iter().map(|&extent| {
        let own = (extent != 1).then_some(walked);
        walked += usize::from(extent != 1);
        let limits =
            mask.iter().flat_map(|mask| mask.limits.iter().filter(|limit| limit.dimension == own && own.is_some()));
        limits.fold(extent, |stored, limit| match limit.extent {
            Begin::Const(end) if limit.scale == 1 => stored.min(end.max(1)),
            _ => 1,
        })
    });
    each.collect()
}

fn at_coordinates(coordinates: &[i64]) -> String {
    let numbers: Vec<String> = coordinates.iter().map(i64::to_string).collect();
    format!("({})", numbers.join(", "))
}
