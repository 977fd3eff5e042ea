//! How the structured ops of `linalg` are done by tiles: pure functions on integers.
//!
//! ```text
//!   StructuredOp ──form──▶ Copy      the elements of the input, in any order of the dimensions
//!   loops, maps, body       Fill      a number in every element
//!                           Map       a function of the elements
//!                           Reduce    terms, combined along loops
//!                           Product   m x k times k x n ──ProductProblem::plan──▶ layouts of factors and sums
//! ```
//!
//! The op is not known by its name: a `linalg.matmul` and the generic with the same loops are one product.
//!
//! ```
//! use tile_plan::linalg::{LinalgBody, LinalgForm, ProductLoops, StructuredOp, CombinedTerm};
//!
//! let [m, n, k] = [0, 1, 2];
//! let matmul = StructuredOp {
//!     extents: vec![64, 32, 16],
//!     ends: vec![64, 32, 16],
//!     is_open: vec![false; 3],
//!     reduces: vec![false, false, true],
//!     maps: vec![Some(vec![m, k]), Some(vec![k, n]), Some(vec![m, n])],
//!     indices: [[m, k], [k, n], [m, n]].iter().map(|map| map.iter().map(|&number| vec![(number, 1)]).collect()).collect(),
//!     multiplies: true,
//!     bits: vec![16, 16, 32],
//!     inputs: 2,
//!     body: LinalgBody::Combined { is_sum: true, term: CombinedTerm::Product([0, 1]) },
//! };
//! let loops = ProductLoops { m, n, k, factors: [0, 1] };
//! assert_eq!(matmul.form().unwrap(), LinalgForm::Product(loops));
//! ```
//!
//! | module | subject |
//! | --- | --- |
//! | [`form`] | what an op is |
//! | [`product`] | the layouts of a product's tiles, for a chip |
//! | [`candidates`] | the ways in which threads may multiply |
//! | [`cost`] | the estimated time of a product in tiles |
//! | [`choice`] | the schedules of a product, the fastest first |
//! | [`registers`] | the layouts of all tiles in registers, from the products and ops that use them |
//! | `spread` | how they follow from each other |
//! | [`views`] | those of views, and of what is viewed |
//! | [`division`] | those of tiles that no product decides |
//! | [`related`] | the tiles in registers of a kernel, and what relates them |
//! | [`rows`] | the extents of those that maps and reductions have in registers |
//! | [`schedule`] | what a program states of how an op is done |
//! | [`record`] | measured times, and what is worth measuring |
//! | [`factors`] | factors that are computed before their product |
//! | [`split`] | loops around ops that tiles do not hold |
//! | [`refusal`] | why an op is not done by tiles |

mod candidates;
pub mod choice;
pub mod cost;
pub mod division;
pub mod factors;
pub mod form;
pub mod product;
pub mod record;
pub mod refusal;
pub mod registers;
pub mod related;
pub mod rows;
pub mod schedule;
pub mod split;
mod spread;
#[cfg(test)]
mod tests;
pub mod views;

pub use choice::ProductChoice;
pub use cost::{ProductEstimate, ProductTiling};
pub use division::{DivisionError, TileDivision};
pub use factors::{ComputedFactor, FactorRefusal};
pub use form::{CombinedTerm, LinalgBody, LinalgForm, ProductLoops, StructuredOp};
pub use product::{FactorSource, FactorTile, ProductPlan, ProductProblem, ProductRegisters};
pub use record::{ProductCandidate, ProductRecord};
pub use refusal::LinalgRefusal;
pub use registers::RegisterChoice;
pub use related::{LocalTile, LocalTiles, RegisterConflict, TileProduct, TileRelation};
pub use rows::{HeldRows, RowsRefusal, run_of_rows};
pub use schedule::{LinalgSchedule, ProductEpilogue, ProductInstruction, ScheduleFields, ScheduleMistake};
pub use split::{SplitRoom, SplitStep};
pub use views::{TileView, ViewForm, ViewRefusal, ViewSide};
