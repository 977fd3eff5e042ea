//! Plans tile copies: pure functions on integers, from a [`Problem`](problem::Problem) to a plan, or to the
//! reasons why there is none.
//! Nothing here depends on MLIR or needs a GPU.
//!
//! ```text
//!   Problem  ──variants (stage 1)──▶  CopyPlan::Partition ──vectorize (stage 2)──▶ VectorCopy
//!   operands, threads, chip
//!                                     CopyPlan::Matrix        ldmatrix / stmatrix
//!                                     CopyPlan::TmemCopy    tcgen05.cp
//!                                     CopyPlan::TmemAccess  tcgen05.ld / tcgen05.st
//!                                     CopyPlan::Bulk          cp.async.bulk
//!                                     CopyPlan::TensorMap     cp.async.bulk.tensor
//!                                     CopyPlan::Realigned     rows as aligned chunks: two loads, shifts, a store
//!                                     CopyPlan::RealignedLoads  vectors from rows that begin anywhere: two loads, shifts
//!                                     CopyPlan::Registers     moves and shuffles between registers
//!                                     CopyPlan::Composite     other plans: parts of regions, a tile in shared memory
//!                                     CopyPlan::Scalar        one element at a time
//! ```
//!
//! A warp copies a tile of 32x32 `f32` from global to shared memory: 8 rounds of 128-bit vectors.
//!
//! ```
//! use tile_layout::Layout;
//! use tile_isa::{Scope, Space};
//! use tile_plan::families::select;
//! use tile_plan::families::copy_plan::CopyPlan;
//! use tile_plan::families::vector::vectorize::vectorize;
//! use tile_plan::problem::{Element, Problem};
//! use tile_plan::problem::operands::Operand;
//! use tile_plan::problem::threads::Threads;
//! use tile_plan::target::Target;
//!
//! let tile = |space| Operand::whole(space, Layout::row_major(&[32, 32]), &[32, 32], 128);
//! let warp = Threads::all(Scope::Warp, Some(32));
//! let problem = Problem::new(tile(Space::Global), tile(Space::Shared), Element::new(32, "f32"), warp);
//! let target = Target::parse("sm_90a").unwrap();
//! let (aligned, declines) = select(&problem, &target).unwrap();
//! assert_eq!(declines[0].to_string(), "ldstmatrix declined: unsupported memory scopes src=global dst=shared; allowed: local <-> shared");
//! let CopyPlan::Partition(copy) = aligned else { panic!("no partition") };
//! let (plan, narrowings) = vectorize(&copy, &target, problem.max_vector_bits).unwrap();
//! assert_eq!((plan.variant, plan.vector_bits(), plan.rounds), ("gmem_smem", 128, 8));
//! assert!(narrowings.is_empty());
//! ```
//!
//! | module | subject |
//! | --- | --- |
//! | [`problem`] | the copy to be planned: operands, scope, active threads; refusals |
//! | [`queue`] | queues of asynchronous operations |
//! | [`target`] | what a chip can do |
//! | [`choose`] | tries rules by priority, and keeps the reasons of those that decline |
//! | [`mod@choose_layout`] | the layout of a tile in shared memory with the fewest wavefronts |
//! | [`families`] | the registry of families and variants; a folder for each family |
//! | [`contract`] | what a copy, a kernel or a module must not cost |
//! | [`convert`] | conversions of elements |
//! | [`address`] | the addresses of plans, on numbers or on IR values |
//! | [`distribution`] | which thread holds which element of a tile in which register |
//! | [`elementwise`] | maps and reductions of tiles in registers |
//! | [`linalg`] | what ops of `linalg` are, and the tiles of their products |
//! | [`mma`] | products of tiles: instructions and their registers |
//! | [`scan`] | scans: strategies, tiles, states |
//! | [`chained`] | select and other passes whose elements see all before them |
//! | [`sort`] | sorts: tiles, digits, workspace |
//! | [`integer`] | integers computed at run time: numbers, ranges, remainders |
//! | [`terms`] | integers computed at run time, as a graph: what divides them, their ranges, which threads agree on them |
//! | [`bounds`] | whether regions stay inside their buffers |
//! | [`sync`] | which threads touch which bytes, and what orders them |
//! | [`pipeline`] | loops as rings of stages |
//! | [`traffic`] | sectors and wavefronts of plans, counted exactly |
//! | [`math`] | elementary functions |
//! | [`text`] | the text of plans |

pub mod bounds;
pub mod chained;
pub mod choose;
pub mod choose_layout;
pub mod contract;
pub mod convert;
pub mod distribution;
pub mod elementwise;
pub mod families;
pub mod integer;
pub mod linalg;
pub mod math;
pub mod mma;
pub mod pipeline;
pub mod problem;
pub mod queue;
pub mod scan;
pub mod sides;
pub mod sort;
pub mod sync;
pub mod target;
pub mod terms;
pub mod text;
pub mod touch;
pub mod traffic;

// The example of the page that describes the crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

// Lets unit tests name the crate as its users do.
#[cfg(test)]
extern crate self as tile_plan;
/// The address formulas of all families: one formula each, evaluated on numbers to check a plan, and on IR values to
/// emit it.
///
/// All addresses are in elements from the storage's first one, except those of tensor memory and of descriptors, which
/// are in the units that the instructions take. Every formula is generic over a [`tile_layout::IndexArith`].
pub mod address {
    pub use crate::families::bulk::plan::bulk_address;
    pub use crate::families::matrix::plan::{matrix_address, matrix_register};
    pub use crate::families::realign::chunks::{RealignedChunk, RowEdge, edge_place, realigned_chunk, row_edge};
    pub use crate::families::realign::filled::{FilledBytes, filled_chunk, filled_element};
    pub use crate::families::realign::loads::{RealignedLoad, realigned_load};
    pub use crate::families::realign::rows::{RowSplit, RowValues, row_split};
    pub use crate::families::registers::places::holders;
    pub use crate::families::scalar::address::{Position, owned_element, owned_part, region_position, scalar_address};
    pub use crate::families::tmem::address::{
        access_address, access_register, tensor_address, tensor_descriptor_units,
    };
    pub use crate::families::vector::address::{access_of_vector, bounded, exchanged, guard_digit, vector_address};
    pub use crate::sides::begin::begin_address;
    pub use crate::sides::ranks::rank;
    pub use crate::sides::side::{Condition, Test};
}

/// The registry of variants, and the functions to query it.
pub mod variants {
    pub use crate::choose::{ask, is_tried};
    pub use crate::families::variant::{About, Variant};
    pub use crate::families::{all, all_async, by_name, by_request, each, partitioning};

    /// The registry as a table of Markdown.
    pub mod table {
        pub use crate::families::markdown;
    }
}
