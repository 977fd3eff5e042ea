//! Scans along a dimension of a tile in registers.
//!
//! The layout writes the coordinate along the dimension in digits, each of which registers, lanes or warps count. The scan goes
//! from the fastest digit to the slowest, and knows for each element what precedes it so far, and of each run of elements its
//! total:
//!
//! ```text
//!   (2, 4, 2) : (1@warpid, 1@laneid, 1)          16 elements, pairs in each of 4 lanes of 2 warps
//!     registers   a, a b                         each thread by itself; total a b
//!     lanes       up by 1, up by 2               before a lane's pair: the totals of the lanes below
//!     warps       a tile of 2 in shared memory   before a warp: the totals of the warps in front of it
//! ```
//!
//! Operands are combined in their order, so that operators need not commute.
//!
//! | module | subject |
//! | --- | --- |
//! | [`plan`] | a scan, and its levels |
//! | `levels` | how a layout divides a scan into levels |
//! | [`machine`] | the algorithm, on whatever a machine computes with: instructions, or numbers |
//! | `proof` | that each result consists of its terms: the algorithm on intervals |

mod levels;
pub mod machine;
pub mod plan;
mod proof;

pub use machine::{BlockScanMachine, BlockScanStart, DigitAtLeast};
pub use plan::{BlockScanPlan, BlockScanProblem, ElementRegisters, ScanLevel, ThreadDigit, WarpLevel};
