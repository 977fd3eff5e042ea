//! Plans sorts of arrays: a histogram of all digits of all keys, then a stable pass for each digit of 8 bits, the lowest first. What
//! blocks do while they wait, and the options of tests, are those of [scans](crate::scan).
//!
//! ```
//! use tile_plan::sort::{KeyKind, SortProblem, select};
//! use tile_plan::target::Target;
//!
//! let problem = SortProblem::new((KeyKind::Unsigned, 4), None);
//! let (plan, strategy, _) = select(&problem, &Target::parse("sm_80").unwrap()).unwrap();
//! assert_eq!((strategy, plan.passes, plan.tile.elements()), ("decoupled_fallback", 4, 10240));
//! ```

mod histogram;
mod plan;
mod problem;
mod strategies;
mod workspace;

pub use histogram::{HISTOGRAM_THREADS, Histogram};
pub use plan::{GAP_EVERY, SortPlan, SortRooms, SortTile};
pub use problem::{KeyKind, SortProblem};
pub use strategies::{SortStrategy, all, select};
pub use workspace::{LOOKBACK_ROWS, SortWorkspace};

/// Bits of a digit.
pub const DIGIT_BITS: i64 = 8;

/// Digits, and threads of a pass: each looks back for one of them.
pub const DIGITS: i64 = 1 << DIGIT_BITS;

/// Bytes of a count.
pub const COUNT_BYTES: i64 = 4;

/// Bytes of the counts of all digits in a tile.
pub const ROW_BYTES: i64 = DIGITS * COUNT_BYTES;
