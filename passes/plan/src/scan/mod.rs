//! Plans scans: pure functions on integers, from a [`Problem`] to a [`Plan`], or to the reasons why there is none.
//!
//! ```text
//!   Problem ──strategies, by priority──▶ Plan::Decoupled   one pass; blocks publish their sums
//!   element, arrays, chip, requests        Plan::Passes      three kernels
//!                                        Plan::Serial      one thread
//! ```
//!
//! ```
//! use tile_plan::target::Target;
//! use tile_plan::scan::{Plan, Problem, ScanShape, ScannedElement, select};
//!
//! let problem = Problem::new(ScannedElement { bits: 32, lanes: 1, float: false }, 256);
//! let (plan, strategy, _) = select(&problem, &Target::parse("sm_90a").unwrap()).unwrap();
//! assert_eq!(strategy, "decoupled_fallback");
//! let Plan::Decoupled(plan) = plan else { panic!("a scan in one pass") };
//! assert_eq!(plan.tile().elements(), 8192);
//! assert!(matches!(plan.shape, ScanShape::Ring(_)));
//! ```
//!
//! | module | subject |
//! | --- | --- |
//! | [`problem`] | the scan to be planned, and what the user requests |
//! | [`strategies`] | the strategies, by priority |
//! | [`plan`] | the plan of a scan |
//! | [`tile`] | how a block holds a tile |
//! | [`ring`] | tiles in shared memory |
//! | [`workgroup`] | tiles of portable targets |
//! | [`state`] | the words in which blocks publish their sums |
//! | [`workspace`] | the memory layout of these words |

pub mod plan;
pub mod problem;
pub mod ring;
pub mod state;
pub mod strategies;
pub mod tile;
pub mod workgroup;
pub mod workspace;

pub use plan::{Decoupled, Order, Passes, Plan, ScanShape, SumExchange, Wait};
pub use problem::{Hooks, Problem, Requests, ScannedElement};
pub use ring::Ring;
pub use state::TileState;
pub use strategies::{Strategy, select};
pub use tile::Tile;
pub use workspace::Workspace;
