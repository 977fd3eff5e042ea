//! Random well-formed copies, each reproducible from a seed and a number.
//!
//! A case is made from the outside in: who copies, a region, then a buffer around the region on each side, and a
//! layout for each buffer. A refusal is right where the compiler says why; wrong code never is.

pub mod asynchronous;
mod layout;
mod rng;

use tile_layout::{Axis, Layout, Range};
use tile_plan::{Scope, Space};

use crate::case::{Case, Element, Side, Wanted, axis_extent};
use rng::Rng;

/// Case `number` of a seed: `random-7-12`.
pub fn case(seed: u64, number: u64) -> Case {
    let rng = &mut Rng::new(seed, number);
    let scope = *rng.one_of(&[Scope::Thread, Scope::Warp, Scope::Warp, Scope::Warpgroup, Scope::Cta, Scope::Cta]);
    let block = block(rng, scope);
    let element = element(rng);
    let (src, dst) = spaces(rng);
    let threads = Threads { scope, block };
    // A thread has few registers, and each is a line of the program.
    let most = if src == Space::Local || dst == Space::Local { 16 * threads.axis().1 } else { 2048 };
    let region = region(rng, most.min(2048));
    Case {
        id: format!("random-{seed}-{number}"),
        scope,
        block,
        chip: (*rng.one_of(&["sm_80", "sm_90a", "sm_100a"])).to_owned(),
        active: active(rng, scope, block),
        forced: None,
        issue: None,
        options: Vec::new(),
        src: side(rng, src, element, &region, threads),
        dst: side(rng, dst, element, &region, threads),
        wanted: Wanted::Right,
    }
}

/// Shared memory of one side, in bytes; a kernel has 48 KiB of it.
const MOST_SHARED: i64 = 20 * 1024;

/// Who copies together.
#[derive(Clone, Copy)]
struct Threads {
    scope: Scope,
    block: i64,
}

impl Threads {
    /// The axis that counts the threads of the scope, and how many there are.
    fn axis(self) -> (Axis, i64) {
        match self.scope {
            Scope::Thread => (Axis::LaneId, 1),
            Scope::Warp => (Axis::LaneId, 32),
            Scope::Warpgroup => (Axis::TidInWg, 128),
            Scope::Cta => (Axis::Tx, self.block),
        }
    }
}

fn block(rng: &mut Rng, scope: Scope) -> i64 {
    match scope {
        Scope::Thread => *rng.one_of(&[1, 32]),
        Scope::Warp => *rng.one_of(&[32, 64, 128]),
        Scope::Warpgroup => *rng.one_of(&[128, 256]),
        Scope::Cta => *rng.one_of(&[32, 64, 96, 128, 256]),
    }
}

/// Extents of the region: up to `most` elements in 1 to 3 dimensions.
fn region(rng: &mut Rng, most: i64) -> Vec<i64> {
    let rank = rng.below(3) + 1;
    let mut extents: Vec<i64> = Vec::new();
    for _ in 0..rank {
        let room = most / extents.iter().product::<i64>();
        let choices: Vec<i64> =
            [1, 2, 3, 4, 5, 6, 8, 8, 12, 16, 16, 24, 32, 32, 64, 128].into_iter().filter(|&e| e <= room).collect();
        extents.push(*rng.one_of(&choices));
    }
    extents
}

fn element(rng: &mut Rng) -> Element {
    let names = ["float16", "float16", "bfloat16", "float32", "float32", "float64", "uint8", "int32", "float8_e5m2"];
    Element::parse(rng.one_of::<&str>(&names)).unwrap_or(Element { mlir: "f32", bits: 32 })
}

fn spaces(rng: &mut Rng) -> (Space, Space) {
    use Space::{Global, Local, Shared};
    *rng.one_of(&[
        (Global, Shared),
        (Shared, Global),
        (Shared, Local),
        (Shared, Local),
        (Local, Shared),
        (Local, Shared),
        (Global, Local),
        (Local, Global),
        (Global, Global),
        (Shared, Shared),
    ])
}

/// One case in six runs under a condition on its warps or its lanes.
fn active(rng: &mut Rng, scope: Scope, block: i64) -> Vec<(Axis, Range)> {
    if scope == Scope::Thread || rng.below(6) != 0 {
        return Vec::new();
    }
    let axis = *rng.one_of(&[Axis::LaneId, Axis::WarpId]);
    let Some(full) = axis_extent(axis, block) else { return Vec::new() };
    let begin = rng.below(full as u64) as i64;
    let extent = rng.below((full - begin) as u64) as i64 + 1;
    vec![(axis, Range::new(begin, extent))]
}

/// A buffer around the region.
fn side(rng: &mut Rng, space: Space, element: Element, region: &[i64], threads: Threads) -> Side {
    let mut shape = Vec::new();
    let mut ranges = Vec::new();
    for &extent in region {
        let partial = if space == Space::Local { 8 } else { 3 };
        let whole = rng.below(partial) != 0;
        let step = *rng.one_of(&[1, 2, 4, 8, extent.min(16)]);
        let before = if whole { 0 } else { rng.below(3) as i64 * step };
        let after = if whole { 0 } else { rng.below(3) as i64 * step };
        shape.push(before + extent + after);
        ranges.push(Range::new(before, extent));
    }
    let layout = match space {
        Space::Local => layout::registers(rng, &shape, threads.axis()),
        _ => layout::memory(rng, &shape, space == Space::Shared),
    };
    let side = Side { space, element, shape, region: ranges, layout };
    if space != Space::Shared || side.layout.memory_span() * i64::from(element.bits / 8) <= MOST_SHARED {
        return side;
    }
    // Too much for shared memory: the region alone, densely.
    let ranges = region.iter().map(|&extent| Range::new(0, extent)).collect();
    Side { shape: region.to_vec(), region: ranges, layout: Layout::row_major(region), ..side }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_well_formed_and_reproducible() {
        let mut seen = std::collections::BTreeSet::new();
        for number in 0..2000 {
            let made = case(3, number);
            for side in [&made.src, &made.dst] {
                assert_eq!(side.layout.validate(), Ok(()), "{made:?}");
                assert_eq!(side.layout.size(), side.shape.iter().product::<i64>(), "{made:?}");
            }
            assert_eq!(format!("{made:?}"), format!("{:?}", case(3, number)));
            seen.insert((made.src.space, made.dst.space, made.scope, made.src.layout.swizzle.is_some()));
        }
        assert!(seen.len() > 40, "only {} kinds of copies", seen.len());
    }
}
