//! Plans passes over arrays in which each element sees a payload of all elements before it. Tiles, states and waiting are those of
//! [scans](crate::scan); results that follow each other are collected in shared memory.
//!
//! ```
//! use tile_plan::chained::{ChainedProblem, ChainedShape, ChainedSource, select};
//! use tile_plan::scan::ScannedElement;
//! use tile_plan::target::Target;
//!
//! let count = ScannedElement { bits: 32, lanes: 1, float: false };
//! let problem = ChainedProblem::new(vec![ChainedSource { bytes: 4, alignment: 256 }], vec![4], count);
//! let (plan, strategy, _) = select(&problem, &Target::parse("sm_80").unwrap()).unwrap();
//! assert_eq!((strategy, plan.tile().elements(), plan.tile().vector), ("decoupled_fallback", 4096, 4));
//! let (plan, _, _) = select(&problem, &Target::parse("sm_90").unwrap()).unwrap();
//! assert!(matches!(plan.shape, ChainedShape::Ring(_)));
//! ```

mod plan;
mod problem;
mod ring;
mod strategies;

pub use plan::{ChainedPlan, ChainedShape, GAP_EVERY, PLACE_BYTES, RegisterTiles, ResultRoom, SharedRooms};
pub use problem::{ChainedProblem, ChainedSource};
pub use ring::ChainedRing;
pub use strategies::{ChainedStrategy, all, select};
