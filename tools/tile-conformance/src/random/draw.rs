//! Threads, extents, elements and memories: the parts of a copy before layouts are drawn; and pseudo-random numbers
//! that are the same on every machine (SplitMix64).

use tile_isa::{Scope, Space};
use tile_layout::Axis;

use crate::case::Element;

/// The threads that copy together.
#[derive(Clone, Copy)]
pub(super) struct Threads {
    pub(super) scope: Scope,
    pub(super) block: i64,
}

impl Threads {
    /// The axis that counts the threads of the scope, and their number.
    pub(super) fn axis(self) -> (Axis, i64) {
        match self.scope {
            Scope::Thread => (Axis::LaneId, 1),
            Scope::Warp => (Axis::LaneId, 32),
            Scope::Warpgroup => (Axis::TidInWg, 128),
            Scope::Cta => (Axis::Tx, self.block),
        }
    }
}

/// Whether `ldmatrix` or `stmatrix` moves between these memories.
pub(super) fn for_matrices(src: Space, dst: Space) -> bool {
    matches!((src, dst), (Space::Shared, Space::Local) | (Space::Local, Space::Shared))
}

pub(super) fn block(rng: &mut Rng, scope: Scope) -> i64 {
    match scope {
        Scope::Thread => *rng.one_of(&[1, 32]),
        Scope::Warp => *rng.one_of(&[32, 64, 128]),
        Scope::Warpgroup => *rng.one_of(&[128, 256]),
        Scope::Cta => *rng.one_of(&[32, 64, 96, 128, 256]),
    }
}

/// Extents of a region that usually has the same number of elements for each thread.
pub(super) fn regular(rng: &mut Rng, most: i64, threads: i64) -> Vec<i64> {
    let wanted = rng.below(3) != 0;
    let mut extents = region(rng, most);
    for _ in 0..20 {
        if !wanted || extents.iter().product::<i64>() % threads == 0 {
            break;
        }
        extents = region(rng, most);
    }
    extents
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

pub(super) fn element(rng: &mut Rng) -> Element {
    let names = ["float16", "float16", "bfloat16", "float32", "float32", "float64", "uint8", "int32", "float8_e5m2"];
    Element::parse(rng.one_of::<&str>(&names)).unwrap_or(Element { mlir: "f32", bits: 32 })
}

pub(super) fn half(rng: &mut Rng) -> Element {
    let names: [&'static str; 2] = ["f16", "bf16"];
    Element { mlir: names[rng.below(2) as usize], bits: 16 }
}

pub(super) fn spaces(rng: &mut Rng) -> (Space, Space) {
    use Space::{Global, Local, Shared};
    *rng.one_of(&[
        (Global, Shared),
        (Global, Shared),
        (Global, Shared),
        (Shared, Global),
        (Shared, Global),
        (Shared, Global),
        (Shared, Local),
        (Shared, Local),
        (Shared, Local),
        (Local, Shared),
        (Local, Shared),
        (Local, Shared),
        (Global, Local),
        (Local, Global),
        (Global, Global),
        (Shared, Shared),
        (Local, Local),
        (Local, Local),
    ])
}

/// A stream of numbers.
pub(super) struct Rng(u64);

impl Rng {
    /// Stream `number` of a seed.
    pub(super) fn new(seed: u64, number: u64) -> Self {
        let mut rng = Rng(seed);
        let first = rng.next();
        Rng(first ^ number.wrapping_mul(0xd6e8_feb8_6659_fd93))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `limit`; 0 for a limit of 0.
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.next().checked_rem(limit).unwrap_or(0)
    }

    /// One of `things`, which is not empty.
    pub(super) fn one_of<'t, T>(&mut self, things: &'t [T]) -> &'t T {
        &things[self.below(things.len() as u64) as usize]
    }

    /// Shuffles `things`.
    pub(super) fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}
