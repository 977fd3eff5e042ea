//! Chooses the layout of a tile in shared memory from all the accesses to it: order, and a swizzle or padding.
//!
//! An access says which elements of the tile each lane moves at once. The banks that it meets follow from the layout alone, so the layout
//! with the least total of wavefronts can be searched for, and what was found can be proved.
//!
//! ```
//! use tile_plan::choose_layout::{SharedAccess, LayoutFamily, LayoutProblem, NVIDIA, check, choose};
//!
//! // 64x64 f32. Warps write rows and read columns, one element a lane: `lane` and `32 lanes` of row 0, of column 0.
//! let write = SharedAccess::new((0..32).map(|lane| vec![lane]).collect(), 128);
//! let read = SharedAccess::new((0..32).map(|lane| vec![64 * lane]).collect(), 128);
//! let problem = LayoutProblem {
//!     shape: vec![64, 64],
//!     element_bytes: 4,
//!     accesses: vec![write, read],
//!     phases: &NVIDIA,
//!     family: LayoutFamily::Free,
//!     max_elements: None,
//! };
//! let choice = choose(&problem).unwrap();
//! assert_eq!(choice.layout.to_string(), "(64, 64) : (64, 1), swizzle<base = 0, bits = 5, shift = 6>");
//! assert_eq!(choice.certificate.to_string(), "0 conflicts");
//! assert_eq!(choice.costs.iter().map(|cost| cost.wavefronts).sum::<i64>(), 256);
//! check(&problem, &choice).unwrap();
//! ```
//!
//! The method, where the accesses are linear over bits. A tile of 2^d elements is the space F2^d: its vectors are the bits of the
//! elements' numbers, added by XOR. A layout gives some of them to the words of 4 bytes, five dimensions to the banks, the rest to
//! *segments*, lines of 128 bytes. `S` is the space of differences that stay in their bank and their word's place; an access moves in
//! one phase the space `W` of its lanes and its vector.
//!
//! 1. The access is free of conflicts exactly if `S` and `W` have only 0 in common; otherwise it takes 2^dim(S ∩ W) ways.
//! 2. **Two accesses** of equal dimension always have such an `S`: `C + span{a_1 + b_1, …}`, where the `a` extend the intersection of the
//!    two spaces to the first, the `b` to the second, and `C` is what neither reaches. As a layout: bit `a_k` selects a bank, bit `b_k` a
//!    line, and the swizzle adds the second to the first.
//! 3. **Three** have none exactly if they are three planes through one line: all share all but one dimension, and lie in a space of one
//!    dimension more (`bound`). Then some access takes 2 ways in any layout.
//! 4. **More** are searched (`matching`), with a bound from the triples among them.
//!
//! | step | tries | where |
//! | --- | --- | --- |
//! | 1 | the tile's own orders, with each swizzle; odd factors of the extents are outermost | `orders`, `single_bits` |
//! | 2 | any order of bits, with the swizzle that pairs them best | `matching` |
//! | 3 | rows with padding | `orders` |
//!
//! The first that reaches the bound ends the search. [`check()`] verifies the result without any of this: it enumerates.
//!
//! # Interface
//!
//! A pass makes an [`SharedAccess`] of each load or store instruction that a plan has for the tile, of any one warp and round: the elements
//! that each lane moves, as row-major numbers in the *tile's* shape, and how many warps and rounds execute it. Views are resolved before:
//! an access through a transposed view names the elements of the tile. `ldmatrix` and `stmatrix` are accesses of 16 bytes by the lanes
//! that give the rows' addresses. What an engine touches is no access but a [`LayoutFamily::Modes`], whose layouts the engine's planner lists.
//! The [`LayoutChoice`] has the layout for the type, what each access costs, and a [`Certificate`], whose text goes into a remark. Vectors that
//! run along different elements can not all stay whole: [`AccessCost::bytes`] says who is narrowed.
//!
//! What accesses a tile follows from its layout, because vectors need contiguous elements. So [`search()`] asks a [`TileObserver`] what the copies
//! do under some layouts, tries those that their accesses suggest, each once, and ends where nothing can cost less ([`PlanCost::least`]).

mod access;
mod best;
mod bound;
mod candidate;
mod certificate;
mod check;
mod matching;
mod modes;
mod observed;
mod orders;
mod phases;
mod plan_cost;
mod problem;
mod search;
mod single_bits;
mod space;
mod suggested;
mod tile;

pub use certificate::{AccessCost, Certificate, LayoutChoice};
pub use check::{CertificateError, CheckError, check};
pub use modes::EngineScore;
pub use modes::engine_layouts;
pub use observed::{ObservedAccess, PlacedTile, alike, observe};
pub use phases::{NVIDIA, Phase, PhaseTable};
pub use plan_cost::PlanCost;
pub use problem::ChooseError;
pub use problem::{LayoutFamily, LayoutProblem, SharedAccess, swizzle_modes};
pub use search::{certify, choose};
pub(crate) use single_bits::{BitAccess, first_free};
pub use suggested::{CopyAccesses, SearchError, TileObserver, search};
