//! How a tile copy is done: pure functions on integers, from a [`Problem`] to a plan or to the reasons
//! why there is none. Nothing here knows MLIR or needs a GPU.
//!
//! ```text
//!   Problem  ──variants (stage 1)──▶  Aligned::Partition ──vectorize (stage 2)──▶ VectorCopy
//!   operands, threads, chip           Aligned::Matrix     ldmatrix / stmatrix
//!                                     Aligned::Scalar     one element at a time
//! ```
//!
//! | module | subject |
//! | --- | --- |
//! | [`problem`] | what is asked: operands, regions, element |
//! | [`threads`] | who cooperates, and who of them is active |
//! | [`cache`] | cache hints |
//! | [`target`] | what a chip can do |
//! | [`plan`] | what is answered: both stages, and refusals |

pub mod cache;
pub mod plan;
pub mod problem;
pub mod target;
pub mod threads;

pub use cache::{Cache, CacheError};
pub use plan::{
    Aligned, AlignedCopy, Decline, Distributed, DynamicTerm, Guard, MatrixCopy, Narrowing, Owner, Refusal, ScalarCopy,
    ScalarSide, SerialDigit, Side, ThreadDigit, VectorCopy, Window,
};
pub use problem::{Begin, Element, Operand, Problem, Scope, Space, Which};
pub use target::{SharedBanks, Target, UnknownChip};
pub use threads::{Active, Elected, ThreadSet, Threads};
