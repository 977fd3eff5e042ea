//! Chooses the shape of `tcgen05.ld` or `tcgen05.st` that moves the region, and its repeat count.

use std::cmp::Reverse;

use tile_isa::TmemShape;
use tile_layout::{Axis, Iter, counted};

use super::instructions::check_instructions;
use super::pattern::{Digit, pattern, repeat};
use super::places::Places;
use crate::families::tmem::access::TmemAccess;
use crate::families::tmem::region::{COLUMN_BITS, LANE_BITS};
use crate::problem::refusal::Refusal;
use crate::sides::digits::{follow_stride, take_run};
use crate::sides::order::{Pair, join, with_shard};
use crate::sides::side::Side;

/// The access by the instruction whose fragment has threads and registers where the layouts have them.
///
/// # Errors
/// `fragment-not-of-shape`, with the shape that came closest; or what rules out the shape that matches.
pub(super) fn fit(places: Places) -> Result<TmemAccess, Refusal> {
    let mut closest: Option<(usize, Refusal)> = None;
    for shape in TmemShape::ALL {
        match take_shape(&places, shape) {
            Ok((taken, left)) => return access(places, shape, taken, left),
            Err(failed) if closest.as_ref().is_none_or(|known| failed.0 > known.0) => closest = Some(failed),
            Err(_) => {}
        }
    }
    let nothing = || Refusal::of(places.local, "fragment-not-of-shape", "the copy has no iters");
    Err(closest.map_or_else(nothing, |(_, refusal)| refusal))
}

/// Takes a shape's digits off: the pairs taken, and those left. On failure, the number of digits tried.
fn take_shape(places: &Places, shape: TmemShape) -> Result<(Vec<Pair>, Vec<Pair>), (usize, Refusal)> {
    let mut pairs = places.pairs.clone();
    let mut taken = take_elements(&mut pairs, places).map_err(|refusal| (0, refusal))?;
    for (count, &digit) in pattern(shape).iter().enumerate() {
        let run = take_run(&mut pairs, digit.axis, digit.extent, digit.at);
        match run.filter(|run| follow_stride(run) == Some(digit.distance())) {
            Some(run) => taken.extend(run),
            None => return Err((count + 1, other_place(places, shape, digit))),
        }
    }
    Ok((taken, pairs))
}

/// Takes the elements of one register off, which must be those of one column.
fn take_elements(pairs: &mut Vec<Pair>, places: &Places) -> Result<Vec<Pair>, Refusal> {
    let bits = i64::from(places.bits);
    let count = COLUMN_BITS / bits.min(COLUMN_BITS);
    let run = take_run(pairs, Axis::Memory, count, bits);
    run.filter(|run| count == 1 || follow_stride(run) == Some(bits)).ok_or_else(|| {
        let reason = format!("the {count} elements of a 32-bit register are not those of a column of 32 bits");
        Refusal::of(places.local, "elements-not-of-column", reason)
    })
}

fn other_place(places: &Places, shape: TmemShape, digit: Digit) -> Refusal {
    let Digit { axis, extent, at, lanes, columns } = digit;
    let (what, at) = if axis == Axis::Memory { ("registers", at / COLUMN_BITS) } else { ("threads", at) };
    let same_lead = places.pairs.iter().find(|pair| pair.axis == axis && pair.lead == digit.at);
    let got = same_lead.map_or_else(
        || "the layouts have no such iter".to_owned(),
        |pair| {
            let (extent, lanes, bits) = (pair.extent, pair.follow / LANE_BITS, pair.follow % LANE_BITS);
            format!("got {extent} that are {} and {} apart", counted(lanes, "lane"), counted(bits, "bit"))
        },
    );
    let reason = format!(
        "no shape of tcgen05.ld has this fragment; {} comes closest and needs {extent} {what}, counted in steps of \
         {at}, to be {} and {} apart; {got}",
        shape.name(),
        counted(lanes, "lane"),
        counted(COLUMN_BITS * columns, "bit")
    );
    Refusal::of(places.local, "fragment-not-of-shape", reason)
}

/// Repeats the shape along the columns as often as one instruction can; the remaining iters number the instructions.
fn access(places: Places, shape: TmemShape, mut taken: Vec<Pair>, mut left: Vec<Pair>) -> Result<TmemAccess, Refusal> {
    left.sort_by_key(|pair| Reverse(pair.lead));
    let mut left = join(&left);
    let next = repeat(shape);
    let again = |pair: &Pair| pair.axis == next.axis && pair.lead == next.at && pair.follow == next.distance();
    let mut num = 1;
    if let Some(index) = left.iter().position(again) {
        let (outer, inner) = left[index].split(repeats(left[index].extent, shape));
        num = inner.extent;
        taken.push(inner);
        left[index] = outer;
    }
    left.retain(|pair| pair.extent != 1);
    left.sort_by_key(|pair| Reverse((pair.follow, pair.lead)));
    check_instructions(&places, shape, num, &left)?;
    taken.sort_by_key(|pair| Reverse((pair.axis.is_thread(), pair.lead)));
    let mut taken = join(&taken);
    // The words of a wide element are one position of the layouts.
    let words = i64::from(places.bits) / COLUMN_BITS;
    if words > 1 {
        take_run(&mut taken, Axis::Memory, words, COLUMN_BITS);
    }
    let instruction_iters = left.len();
    let pairs = [left, taken].concat();
    let Places { load, bits, registers, tmem, .. } = places;
    let with = |side: Side, shard: Vec<Iter>| Side { layout: with_shard(side.layout, shard), ..side };
    let registers = with(registers, pairs.iter().map(|pair| register_iter(pair, bits)).collect());
    let tmem = with(tmem, pairs.iter().map(|pair| tensor_iter(pair, bits)).collect());
    Ok(TmemAccess { load, shape, num, element_bits: bits, instruction_iters, tmem, registers })
}

/// The largest power of two that divides the extent and is a repeat count of the shape.
fn repeats(extent: i64, shape: TmemShape) -> i64 {
    (1i64 << extent.trailing_zeros().min(62)).min(shape.most_num())
}

fn register_iter(pair: &Pair, bits: u32) -> Iter {
    let stride = if pair.axis == Axis::Memory { pair.lead / i64::from(bits) } else { pair.lead };
    Iter::new(pair.extent, stride, pair.axis)
}

fn tensor_iter(pair: &Pair, bits: u32) -> Iter {
    if pair.follow.saturating_abs() >= LANE_BITS {
        Iter::new(pair.extent, pair.follow / LANE_BITS, Axis::TLane)
    } else {
        Iter::new(pair.extent, pair.follow / i64::from(bits), Axis::TCol)
    }
}
