//! The threads that reach a copy and its trip counts, the variant that it requests, and the run-time parts of its
//! regions.

use tile_isa::{Scope, Space};
use tile_layout::{Axis, Range};

use super::draw::Rng;
use crate::case::{Begin, Enclosing, axis_extent};

/// One case in four runs under conditions on its threads: a range of one axis, or of two.
pub(super) fn active(rng: &mut Rng, scope: Scope, block: i64) -> Vec<(Axis, Range)> {
    if scope == Scope::Thread || rng.below(4) != 0 {
        return Vec::new();
    }
    const AXES: [Axis; 6] = [Axis::WarpId, Axis::LaneId, Axis::Tx, Axis::WgId, Axis::WidInWg, Axis::TidInWg];
    let first = rng.below(AXES.len() as u64) as usize;
    let second = (rng.below(5) == 0).then(|| (first + 1 + rng.below(5) as usize) % AXES.len());
    let parts = [Some(first), second].into_iter().flatten().filter_map(|axis| {
        let full = axis_extent(AXES[axis], block)?;
        Some((AXES[axis], part(rng, full)))
    });
    let mut parts: Vec<(Axis, Range)> = parts.collect();
    let reached = |parts: &[(Axis, Range)]| {
        let inside = |thread: i64, (axis, range): &(Axis, Range)| {
            crate::case::axis_value(*axis, thread).is_some_and(|v| v >= range.begin && v < range.begin + range.extent)
        };
        (0..block).any(|thread| parts.iter().all(|part| inside(thread, part)))
    };
    if !reached(&parts) {
        parts.truncate(1);
    }
    parts
}

/// A range of `full` values; about half of the time whole warps and warpgroups.
fn part(rng: &mut Rng, full: i64) -> Range {
    let unit = *rng.one_of(&[1, 1, 32, 128]);
    let unit = if full % unit == 0 { unit } else { 1 };
    let begin = rng.below((full / unit) as u64) as i64;
    let extent = match rng.below(4) {
        0 => 1,
        _ => rng.below((full / unit - begin) as u64) as i64 + 1,
    };
    Range::new(begin * unit, extent * unit)
}

/// One case in five is inside branches and loops that depend on the kernel's arguments; one in ten of these is never
/// executed.
pub(super) fn enclosing(rng: &mut Rng) -> Vec<Enclosing> {
    if rng.below(5) != 0 {
        return Vec::new();
    }
    let runs = rng.below(10) != 0;
    let mut around = Vec::new();
    for depth in 0..rng.below(3) + 1 {
        let here = runs || depth > 0;
        around.push(match rng.below(3) {
            0 => Enclosing::If(here),
            1 => Enclosing::Unless(!here),
            _ => Enclosing::For(if here { rng.below(2) as u32 + 1 } else { 0 }),
        });
    }
    around
}

/// One case in ten names its variant; at thread scope one in three does, mostly a variant of a single access.
pub(super) fn forced(rng: &mut Rng, scope: Scope) -> Option<String> {
    let rarely = if scope == Scope::Thread { 3 } else { 10 };
    if rng.below(rarely) != 0 {
        return None;
    }
    let mistaken = rng.below(20) == 0;
    let suits = |name: &str| mistaken || forced_bits(name).is_some() == (scope == Scope::Thread);
    let names: Vec<&str> =
        tile_plan::variants::all().iter().map(|variant| variant.about().name).filter(|n| suits(n)).collect();
    Some((*rng.one_of(&names)).to_owned())
}

/// The bits of a variant of one access: 128 of `vec_128b`.
pub(super) fn forced_bits(variant: &str) -> Option<i64> {
    variant.strip_prefix("vec_")?.strip_suffix('b')?.parse().ok()
}

/// One side in four has run-time starts in some dimensions; rarely one in registers.
pub(super) fn begins(rng: &mut Rng, space: Space, region: &[Range]) -> Vec<Begin> {
    let rarely = if space == Space::Local { 20 } else { 4 };
    if rng.below(rarely) != 0 {
        return Vec::new();
    }
    region.iter().map(|range| begin(rng, range.begin)).collect()
}

/// How a start is stated: as a literal, or at run time with a divisor, which may be 1.
fn begin(rng: &mut Rng, at: i64) -> Begin {
    let power = if at == 0 { *rng.one_of(&[1, 2, 8, 16, 64]) } else { 1 << at.trailing_zeros() };
    let divisor = *rng.one_of(&[1, power, power, if at == 0 { 24 } else { at }]);
    match rng.below(4) {
        0 => Begin::Written,
        1 => Begin::Product(divisor),
        _ => Begin::Assumed(divisor),
    }
}
