//! Maps and reductions of tiles in registers: pure functions on integers.
//!
//! ```text
//!   MapProblem ──plan──▶ MapPlan            for each register of the result: the registers of the sources, the coordinates
//!   ReduceProblem ──plan──▶ ReducePlan      registers to combine, lanes to exchange with, a tile where warps meet
//!   BlockScanProblem ──▶ BlockScanPlan      the digits of the coordinate: registers, lanes, warps
//! ```
//!
//! Nothing is chosen: the layouts say which thread holds which element, and each thread computes with what it holds. A layout
//! for which that is not possible is refused, and the reason names the thread and the element.
//!
//! | module | subject |
//! | --- | --- |
//! | [`operand`] | tiles in registers, and where their elements are; tiles in shared memory |
//! | [`coordinates`] | which row and column an element has, as a formula of the thread |
//! | [`map`] | functions of elements |
//! | [`reduced`] | layouts with one dimension less |
//! | [`indices`] | the indices of terms, for those that find the largest |
//! | [`reduce`] | sums, maxima … along a dimension |
//! | [`reduce_parts`] | their terms part by part |
//! | [`total`] | all elements of a tile, combined to a value |
//! | [`block_scan`] | prefixes along a dimension |
//! | [`partition`] | tiles divided among threads |
//! | [`shared`] | tiles in shared memory, and the partition by which they are copied |
//! | [`parts`] | large ones, a part at a time |

pub mod block_scan;
pub mod coordinates;
pub mod indices;
pub mod map;
pub mod operand;
pub mod partition;
pub mod parts;
pub mod reduce;
pub mod reduce_parts;
pub mod reduced;
pub mod shared;
pub mod total;

pub use coordinates::{CoordinateLimit, Coordinates};
pub use indices::TermIndices;
pub use map::{MapPart, MapPlan, MapProblem, MapStep};
pub use operand::{HoldingThreads, RegisterOperand};
pub use operand::{SharedTileOperand, TileOperand};
pub use partition::{PartitionForm, SpareThreads, TilePartition};
pub use parts::{MAX_HELD_REGISTERS, PartRegion, TileParts};
pub use reduce::{AcrossWarps, LaneExchange, ReducePlan, ReduceProblem, ReducedElement, RegisterReduction};
pub use reduce_parts::{PartTerms, ReducePart};
pub use reduced::{DimensionDigit, ReducedLayouts, WarpTiles};
pub use shared::{ComputedParts, PartitionProblem, SharedCopy};
pub use total::TotalProblem;
