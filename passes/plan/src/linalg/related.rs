//! The tiles in registers of a kernel, what relates them, and why one of them has no layout.

use tile_layout::Layout;

use super::division::DivisionError;
use super::product::ProductProblem;
use super::schedule::LinalgSchedule;
use super::views::{TileView, ViewRefusal};
use crate::problem::refusal::Refusal;
use crate::problem::threads::Threads;

/// A tile in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalTile {
    /// Its extents.
    pub shape: Vec<i64>,
    /// The bits of an element.
    pub bits: u32,
    /// Its layout, where that is not open.
    pub known: Option<Layout>,
    /// The threads of each op that uses it.
    pub threads: Vec<Threads>,
    /// The dimensions along which an op combines its elements.
    pub reduced: Vec<usize>,
    /// What divides the places at which its rows begin and end in global memory, in elements; 0 where nothing is known.
    pub run: i64,
    /// Whether it has only what a shared tile has, so that a product may read that instead.
    pub is_copy: bool,
}

/// Two tiles of which an op needs elements in the same threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileRelation {
    /// The number of the tile with all dimensions.
    pub whole: usize,
    /// That of the other one.
    pub other: usize,
    /// The dimensions in which the other one has the extent 1. In others it may have a divisor: each element belongs to several.
    pub reduced: Vec<usize>,
    /// The threads of the op.
    pub threads: Threads,
}

/// A product with tiles in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileProduct {
    /// What is multiplied.
    pub problem: ProductProblem,
    /// How, as far as it is stated.
    pub schedule: LinalgSchedule,
    /// The numbers of the factors and of the sums, as far as they are in registers.
    pub tiles: [Option<usize>; 3],
}

/// All tiles in registers of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalTiles {
    /// The tiles.
    pub tiles: Vec<LocalTile>,
    /// What relates them.
    pub relations: Vec<TileRelation>,
    /// Which of them are views of others.
    pub views: Vec<TileView>,
    /// What decides.
    pub products: Vec<TileProduct>,
}

/// Why a tile has no layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegisterConflict {
    /// No product says which thread has an element of this tile, and it cannot be divided.
    Undivided(usize, DivisionError),
    /// A product cannot be done.
    Product(usize, Refusal),
    /// Two products are not done alike.
    Apart {
        /// The products.
        products: [usize; 2],
        /// What each of them can be done by.
        reason: String,
    },
    /// What is around a tile needs two layouts of it.
    Disagree {
        /// The tile.
        tile: usize,
        /// The product that each of them follows from, if any.
        origins: [Option<usize>; 2],
        /// The layouts.
        reason: String,
    },
    /// No layout of one side of a view follows from the other side's.
    View {
        /// The number of the view.
        view: usize,
        /// The product that the layout of the other side follows from, if any.
        origin: Option<usize>,
        /// Why.
        refusal: Box<ViewRefusal>,
    },
}
