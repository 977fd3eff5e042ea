//! Fits a form of `tcgen05.cp` to the region.

use std::cmp::Reverse;

use tile_isa::{SwizzleMode, TmemForm};
use tile_layout::{Axis, Fusion, Iter, Layout, counted};

use super::descriptor::{describe, unit};
use crate::families::tmem::copy::{Descriptor, TmemCopy};
use crate::families::tmem::region::{COLUMN_BITS, address_of};
use crate::problem::Problem;
use crate::problem::refusal::Refusal;
use crate::problem::role::Role;
use crate::sides::digits::{apart, take_run};
use crate::sides::order::{Pair, join, sides, with_shard};
use crate::sides::side::Side;

/// A copy may start at columns that are multiples of this many bits.
pub(super) const STEP_BITS: u32 = 128;

/// The check at which a form failed: if no form fits, the reason of the one that got furthest is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Attempt {
    Replica,
    Lanes,
    Columns,
    Shared,
    Steps,
}

/// The common iters of the copy, grouped by what they count.
pub(super) struct TmemCopyFit {
    tiles: Vec<Pair>,
    rows: Vec<Pair>,
    atom: Vec<Pair>,
    descriptor: Descriptor,
}

/// Splits the common iters of the copy into the tiles, the rows and the atom of a form.
///
/// ```text
///   64x8 f32 with mode 2, as 64x128b:        tensor memory              shared memory
///     tiles   2 atoms side by side           2 : 4@TCol                 2 : 4
///     rows    8 groups of 8                  64 : 1@TLane               8 : 128,  8 : 16
///     atom    4 elements, 16 bytes           4 : 1@TCol                 4 : 1
/// ```
pub(super) fn fit(
    problem: &Problem,
    form: TmemForm,
    mode: SwizzleMode,
    pairs: &[Pair],
    dst: &Side,
) -> Result<TmemCopyFit, (Attempt, Refusal)> {
    let bits = problem.element.bits;
    check_replica(problem, form).map_err(|refusal| (Attempt::Replica, refusal))?;
    let mut pairs = pairs.to_vec();
    let rows = take_rows(&mut pairs, form, &dst.layout).map_err(|refusal| (Attempt::Lanes, refusal))?;
    let atom = take_atom(&mut pairs, form, &dst.layout, bits).map_err(|refusal| (Attempt::Columns, refusal))?;
    let descriptor = describe(&rows, &atom, form, mode, bits).map_err(|refusal| (Attempt::Shared, refusal))?;
    pairs.sort_by_key(|pair| Reverse((pair.axis == Axis::TLane, pair.lead, pair.follow)));
    let tiles = join(&pairs);
    check_steps(&tiles, form, dst, bits).map_err(|refusal| (Attempt::Steps, refusal))?;
    Ok(TmemCopyFit { tiles, rows: join(&rows), atom: join(&atom), descriptor })
}

impl TmemCopyFit {
    /// The plan: both sides over `[tiles…, rows…, atom…]`.
    pub(super) fn into_copy(self, form: TmemForm, cta_group: i64, element_bits: u32, src: Side, dst: Side) -> TmemCopy {
        let tile_iters = self.tiles.len();
        let (tensor, shared) = sides(&[self.tiles, self.rows, self.atom].concat());
        let src = Side { layout: with_shard(src.layout, shared), ..src };
        let dst = Side { layout: with_shard(dst.layout, tensor), ..dst };
        TmemCopy { form, cta_group, descriptor: self.descriptor, element_bits, tile_iters, src, dst }
    }
}

fn check_replica(problem: &Problem, form: TmemForm) -> Result<(), Refusal> {
    let layout = &problem.operand(Role::Dst)?.layout;
    let got = layout.canonicalize(Fusion::None).replica;
    let needed: Vec<Iter> = form.replica().into_iter().collect();
    if got == needed {
        return Ok(());
    }
    let show = |iters: &[Iter]| {
        let iters: Vec<String> = iters.iter().map(Iter::to_string).collect();
        if iters.is_empty() { "no replica".to_owned() } else { format!("replica {}", iters.join(", ")) }
    };
    let reason = format!("{} needs {} in the destination; got {}", form.name(), show(&needed), show(&got));
    Err(Refusal::of(Role::Dst, "replica-not-of-form", reason))
}

/// Takes the iters of a form's rows off, slowest first.
fn take_rows(pairs: &mut Vec<Pair>, form: TmemForm, dst: &Layout) -> Result<Vec<Pair>, Refusal> {
    let mut rows = Vec::new();
    for &(extent, stride) in form.lanes() {
        let run = take_run(pairs, Axis::TLane, extent, stride).ok_or_else(|| {
            let lanes: Vec<String> = form.lanes().iter().map(|(extent, stride)| format!("{extent}:{stride}")).collect();
            let got = show_axis(dst, Axis::TLane);
            let reason = format!("{} needs rows in lanes {}; got lanes {got}", form.name(), lanes.join(", "));
            Refusal::of(Role::Dst, "lanes-not-of-form", reason)
        })?;
        rows.extend(run);
    }
    Ok(rows)
}

/// Takes the iters of a row's columns off, slowest first.
fn take_atom(pairs: &mut Vec<Pair>, form: TmemForm, dst: &Layout, bits: u32) -> Result<Vec<Pair>, Refusal> {
    let elements = form.row_bits() / i64::from(bits);
    take_run(pairs, Axis::TCol, elements, 1).ok_or_else(|| {
        let got = show_axis(dst, Axis::TCol);
        let needed = counted(elements, "contiguous column");
        let reason = format!("{} needs rows of {needed}; got columns {got}", form.name());
        Refusal::of(Role::Dst, "columns-not-of-form", reason)
    })
}

fn show_axis(layout: &Layout, axis: Axis) -> String {
    let iters = layout.shard.iter().filter(|iter| iter.axis == axis && iter.extent != 1);
    let iters: Vec<String> = iters.map(|iter| format!("{}:{}", iter.extent, iter.stride)).collect();
    if iters.is_empty() { "1:1".to_owned() } else { iters.join(", ") }
}

/// Requires every tile to start at a multiple of 16 bytes on both sides, and destination tiles not to overlap.
fn check_steps(tiles: &[Pair], form: TmemForm, dst: &Side, bits: u32) -> Result<(), Refusal> {
    let unit = unit(bits);
    for tile in tiles {
        if tile.follow % unit != 0 {
            let bytes = i128::from(tile.follow) * i128::from(bits) / 8;
            let reason = format!("the source's tiles are {} apart; needed a multiple of 16", counted(bytes, "byte"));
            return Err(Refusal::of(Role::Src, "tile-step-misaligned", reason));
        }
        if tile.axis == Axis::TCol && tile.lead % unit != 0 {
            return Err(misaligned("tiles are", i128::from(tile.lead) * i128::from(bits), "apart"));
        }
    }
    let columns = form.row_bits() / COLUMN_BITS;
    if !apart(tiles.iter().map(|tile| (tile.extent, address_of(tile.axis, tile.lead, bits))), columns) {
        let reason = "several tiles of the destination overlap; needed separate ones";
        return Err(Refusal::of(Role::Dst, "destination-overlaps", reason));
    }
    // Run-time terms move by whole steps.
    let begin = i128::from(dst.layout.offset_on(Axis::TCol)) * i128::from(bits);
    if begin % i128::from(STEP_BITS) == 0 { Ok(()) } else { Err(misaligned("region begins", begin, "into the buffer")) }
}

fn misaligned(what: &str, bits: i128, from: &str) -> Refusal {
    let bits = counted(bits, "bit");
    let reason = format!("the destination's {what} {bits} {from} in its lane; needed a multiple of {STEP_BITS}");
    Refusal::of(Role::Dst, "columns-misaligned", reason)
}
