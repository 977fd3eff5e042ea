//! Plans passes over arrays in which each element sees a payload of all elements before it. Tiles, states and waiting are those of
//! [scans](crate::scan) whose blocks hold one tile each; results that follow each other are collected in shared memory.
//!
//! ```
//! use tile_plan::chained::{ChainedProblem, ChainedSource, select};
//! use tile_plan::scan::ScannedElement;
//! use tile_plan::target::Target;
//!
//! let count = ScannedElement { bits: 32, lanes: 1, float: false };
//! let problem = ChainedProblem::new(vec![ChainedSource { bytes: 4, alignment: 256 }], vec![4], count);
//! let (plan, strategy, _) = select(&problem, &Target::parse("sm_80").unwrap()).unwrap();
//! assert_eq!((strategy, plan.tile.elements(), plan.tile.vector), ("decoupled_fallback", 4096, 4));
//! ```

mod plan;
mod problem;
mod strategies;

pub use plan::{ChainedPlan, GAP_EVERY, PLACE_BYTES, ResultRoom, SharedRooms};
pub use problem::{ChainedProblem, ChainedSource};
pub use strategies::{ChainedStrategy, all, select};
