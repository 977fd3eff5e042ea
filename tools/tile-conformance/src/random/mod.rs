//! Random well-formed copies, each reproducible from a seed and a number.
//!
//! A case is built from the outside in: the threads that copy, a region, then a buffer around the region on each side,
//! and a layout for each buffer. A refusal is accepted if the compiler gives a reason; wrong code never is.

mod around;
pub mod asynchronous;
mod draw;
mod fragment;
mod layout;
mod shrink;
mod wording;

use tile_isa::{Scope, Space};
use tile_layout::{Layout, Range};
use tile_oracle::convert::NumberKind;
use tile_plan::target::Target;

use crate::case::{Case, Element, Side, Wanted};
use draw::{Rng, Threads, block, element, for_matrices, half, regular, spaces};
use fragment::Fragment;
pub use shrink::shrink;

/// Case `number` of a seed: `random-7-12`.
pub fn case(seed: u64, number: u64) -> Case {
    let rng = &mut Rng::new(seed, number);
    let scope = *rng.one_of(&[Scope::Thread, Scope::Warp, Scope::Warp, Scope::Warpgroup, Scope::Cta, Scope::Cta]);
    let block = block(rng, scope);
    let (src, dst) = spaces(rng);
    let element = if for_matrices(src, dst) && rng.below(2) == 0 { half(rng) } else { element(rng) };
    let threads = Threads { scope, block };
    let forced = around::forced(rng, scope);
    let fragment = fragment(rng, element, (src, dst), threads);
    let width = forced.as_deref().and_then(around::forced_bits).map(|bits| (bits / i64::from(element.bits)).max(1));
    let region = match (&fragment, width) {
        (Some(fragment), _) => fragment.shape.clone(),
        (None, Some(width)) => vec![1, width],
        (None, None) => {
            // A thread has few registers, and each is a line of the program.
            let most = if src == Space::Local || dst == Space::Local { 16 * threads.axis().1 } else { 2048 };
            regular(rng, most.min(2048), threads.axis().1)
        }
    };
    let drawn = Drawn { element, region, threads, fragment };
    let (src, dst) = match fragment::has_rows(rng, (src, dst), forced.as_deref()) {
        true => fragment::rows(rng, element, (src, dst), threads),
        false => {
            let from = side(rng, src, &drawn);
            let drawn = Drawn { element: converted(rng, element), ..drawn };
            (from, side(rng, dst, &drawn))
        }
    };
    let wording = wording::draw(rng, &src, &dst, forced.is_none());
    Case {
        id: format!("random-{seed}-{number}"),
        scope,
        block,
        chip: (*rng.one_of(&["sm_80", "sm_90a", "sm_100a"])).to_owned(),
        active: around::active(rng, scope, block),
        enclosing: around::enclosing(rng),
        forced,
        issue: None,
        options: Vec::new(),
        src,
        dst,
        wording,
        wanted: Wanted::Right,
    }
}

/// Whether a case is one of [`case`].
pub fn is_drawn(case: &Case) -> bool {
    case.id.starts_with("random-")
}

/// Whether the chip has the memories of a case. The code around tensor memory has other instructions that older chips
/// lack, which would hide a refusal of the copy itself.
pub fn fits(case: &Case) -> bool {
    let tensor = [&case.src, &case.dst].into_iter().any(|side| side.space == Space::Tmem);
    !tensor || Target::parse(&case.chip).map_or(true, |target| target.has_tcgen05())
}

/// Shared memory of one side, in bytes; a kernel has 48 KiB of it.
const MAX_SHARED: i64 = 20 * 1024;

/// The properties that both sides share.
struct Drawn {
    element: Element,
    region: Vec<i64>,
    threads: Threads,
    fragment: Option<Fragment>,
}

/// The element of the destination: one copy in eight converts, to a type that every chip has instructions for.
fn converted(rng: &mut Rng, element: Element) -> Element {
    const NAMES: [&str; 8] = ["float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8"];
    let other = Element::parse(rng.one_of::<&str>(&NAMES)).unwrap_or(element);
    let kinds = NumberKind::of(element.mlir).zip(NumberKind::of(other.mlir));
    let fits = kinds.is_some_and(|(from, to)| from.converts_to(to));
    if rng.below(8) == 0 && fits { other } else { element }
}

/// Between shared memory and registers, most 16-bit elements are those of 8x8 matrices.
fn fragment(rng: &mut Rng, element: Element, spaces: (Space, Space), threads: Threads) -> Option<Fragment> {
    let fits = for_matrices(spaces.0, spaces.1) && element.bits == 16 && threads.scope != Scope::Thread;
    (fits && rng.below(4) != 0).then(|| fragment::registers(rng, threads.axis()))
}

/// A buffer around the region.
fn side(rng: &mut Rng, space: Space, drawn: &Drawn) -> Side {
    let Drawn { element, region, threads, fragment } = drawn;
    let mut shape = Vec::new();
    let mut ranges = Vec::new();
    for &extent in region {
        let partial = if space == Space::Local { 8 } else { 3 };
        let whole = rng.below(partial) != 0 || (fragment.is_some() && space == Space::Local);
        let step = *rng.one_of(&[1, 2, 4, 8, extent.min(16)]);
        let before = if whole { 0 } else { rng.below(3) as i64 * step };
        let after = if whole { 0 } else { rng.below(3) as i64 * step };
        shape.push(before + extent + after);
        ranges.push(Range::new(before, extent));
    }
    let layout = match (space, fragment) {
        (Space::Local, Some(fragment)) => fragment.layout.clone(),
        (Space::Local, None) => layout::registers(rng, &shape, threads.axis()),
        (_, Some(_)) => fragment::memory(rng, &shape),
        (_, None) => layout::memory(rng, &shape, space == Space::Shared),
    };
    let begins = around::begins(rng, space, &ranges);
    let mut side = Side { space, element: *element, shape, region: ranges, begins, open: Vec::new(), layout };
    wording::leave_open(rng, &mut side);
    if space != Space::Shared || side.layout.memory_span() * i64::from(element.bits / 8) <= MAX_SHARED {
        return side;
    }
    // Too large for shared memory: take the region alone, densely.
    let ranges = region.iter().map(|&extent| Range::new(0, extent)).collect();
    let layout = Layout::row_major(region);
    Side { shape: region.clone(), region: ranges, begins: Vec::new(), open: Vec::new(), layout, ..side }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::report;

    #[test]
    fn cases_are_well_formed_and_reproducible() {
        let (mut seen, mut kinds) = (BTreeSet::new(), BTreeMap::new());
        for number in 0..2000 {
            let made = case(3, number);
            for side in [&made.src, &made.dst] {
                assert_eq!(side.layout.validate(), Ok(()), "{made:?}");
                assert_eq!(side.layout.size(), side.shape.iter().product::<i64>(), "{made:?}");
            }
            assert_eq!(format!("{made:?}"), format!("{:?}", case(3, number)));
            seen.insert((made.src.space, made.dst.space, made.scope, made.src.layout.swizzle.is_some()));
            report::kinds(&made).for_each(|kind| *kinds.entry(kind).or_insert(0) += 1);
        }
        assert!(seen.len() > 40, "only {} kinds of copies", seen.len());
        for kind in report::KINDS {
            assert!(kinds.get(kind).is_some_and(|&count| count > 10), "{kind}: {kinds:?} of 2000");
        }
    }
}
