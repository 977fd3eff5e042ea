//! Tiles of one element type and one shape, and buffers that hold them.

use super::Draft;
use crate::ast::{Element, Scope};
use crate::convert::NumberKind;

/// The common properties of buffers between which tiles are copied.
#[derive(Clone, Debug)]
pub(super) struct Family {
    pub(super) element: Element,
    /// Extents of a tile.
    pub(super) tile: Vec<i64>,
    /// The scope of most copies.
    pub(super) scope: Scope,
    /// Buffers that hold values before the launch.
    pub(super) inputs: Vec<usize>,
    /// Buffers that are written.
    pub(super) outputs: Vec<usize>,
    pub(super) shared: Vec<usize>,
    pub(super) registers: Vec<usize>,
    /// For each buffer of registers, an argument that receives the registers of all threads.
    pub(super) images: Vec<Option<usize>>,
    /// Whether it is a fragment of matrices.
    pub(super) fragment: bool,
    /// Whether some of the buffers have elements of another type.
    pub(super) converts: bool,
}

const ELEMENTS: [Element; 10] = [
    Element { name: "f32", bits: 32, integer: false },
    Element { name: "f16", bits: 16, integer: false },
    Element { name: "i8", bits: 8, integer: true },
    Element { name: "f64", bits: 64, integer: false },
    Element { name: "i32", bits: 32, integer: true },
    Element { name: "bf16", bits: 16, integer: false },
    Element { name: "i64", bits: 64, integer: true },
    Element { name: "i16", bits: 16, integer: true },
    Element { name: "f8E4M3FN", bits: 8, integer: false },
    Element { name: "f8E5M2", bits: 8, integer: false },
];

impl Draft {
    /// The family with another element type, to which its own converts; unchanged if there is none.
    pub(super) fn converted(&mut self, family: &Family) -> Family {
        let kind = |element: Element| NumberKind::of(element.name);
        // Before sm_89 there are no conversions to or from floats of 8 bits.
        let small = self.program.chip != "sm_80";
        let fits = |element: &Element| match (kind(family.element), kind(*element)) {
            (Some(from), Some(to)) => from.converts_to(to) && (small || !from.is_fp8() && !to.is_fp8()),
            _ => false,
        };
        let partners: Vec<Element> = ELEMENTS.into_iter().filter(fits).collect();
        let element = if partners.is_empty() { family.element } else { *self.rng.one_of(&partners) };
        Family { element, ..family.clone() }
    }
}

/// The most elements of a tile, and of one thread's share.
const MOST: i64 = 1024;
const MAX_EACH: i64 = 32;

impl Draft {
    /// A family, with its buffers.
    pub(super) fn family(&mut self) {
        let scope = self.scope();
        let fragment = scope != Scope::Thread && self.threads() % 32 == 0 && self.rng.once_in(4);
        let element = if fragment {
            *self.rng.one_of(&[ELEMENTS[1], ELEMENTS[5], ELEMENTS[7]])
        } else {
            *self.rng.one_of(&ELEMENTS)
        };
        let tile = if fragment { self.fragment_shape(scope) } else { self.tile(scope) };
        let family = Family {
            element,
            tile,
            scope,
            inputs: Vec::new(),
            outputs: Vec::new(),
            shared: Vec::new(),
            registers: Vec::new(),
            images: Vec::new(),
            fragment,
            converts: self.rng.once_in(3),
        };
        let family = self.buffers(family);
        self.families.push(family);
    }

    /// The scope of a copy: single threads, or the block, if there are no whole groups.
    pub(super) fn scope(&mut self) -> Scope {
        let mut scopes = vec![Scope::Thread];
        if self.program.known_block {
            scopes.extend([Scope::Cta; 3]);
        }
        if self.threads() % 32 == 0 || self.threads() > 32 && self.rng.once_in(4) {
            scopes.extend([Scope::Warp; 3]);
        }
        if self.threads() % 128 == 0 {
            scopes.extend([Scope::Warpgroup; 2]);
        }
        *self.rng.one_of(&scopes)
    }

    /// Up to three extents: the number of threads times a share of each, or arbitrary extents.
    fn tile(&mut self, scope: Scope) -> Vec<i64> {
        let dimensions = *self.rng.one_of(&[1, 2, 2, 2, 3]);
        if self.rng.once_in(5) {
            let limit = if scope == Scope::Thread { 16 } else { 256 };
            let mut tile = Vec::new();
            let mut left = limit;
            for _ in 0..dimensions {
                let choices: Vec<i64> =
                    [1, 2, 3, 5, 7, 11, 13, 17, 24, 31].into_iter().filter(|e| *e <= left).collect();
                let extent = *self.rng.one_of(&choices);
                left /= extent;
                tile.push(extent);
            }
            return tile;
        }
        let threads = scope.threads(self.threads());
        let shares: Vec<i64> =
            [1, 2, 2, 3, 4, 4, 6, 8, 8, 16, 32].into_iter().filter(|each| each * threads <= MOST).collect();
        let share = if shares.is_empty() { 1 } else { *self.rng.one_of(&shares) };
        self.spread(threads * share.min(MAX_EACH), dimensions)
    }

    /// A number as a product of `dimensions` extents.
    fn spread(&mut self, mut number: i64, dimensions: usize) -> Vec<i64> {
        let mut tile = vec![1; dimensions];
        // More of the factors go to the fastest dimension, as in typical tiles.
        for factor in [2, 3, 5, 7] {
            while number % factor == 0 {
                let heavy = self.rng.once_in(3);
                let at = if heavy { dimensions - 1 } else { self.rng.below(dimensions as i64) as usize };
                tile[at] *= factor;
                number /= factor;
            }
        }
        tile[0] *= number;
        tile
    }

    fn fragment_shape(&mut self, scope: Scope) -> Vec<i64> {
        let warps = scope.threads(self.threads()) / 32;
        let (down, across) = (*self.rng.one_of(&[1, 2, 2, 3, 4]), *self.rng.one_of(&[1, 1, 2, 2, 4]));
        let down = if down * across * warps > 16 { 1 } else { down };
        let across = if down * across * warps > 16 { 1 } else { across };
        vec![8 * down * warps, 8 * across]
    }
}
