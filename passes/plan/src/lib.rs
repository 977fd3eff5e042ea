//! How a tile copy is done: pure functions on integers, from a [`Problem`] to a plan or to the reasons
//! why there is none. Nothing here knows MLIR or needs a GPU.
//!
//! ```text
//!   Problem  ──variants (stage 1)──▶  Aligned::Partition ──vectorize (stage 2)──▶ VectorCopy
//!   operands, threads, chip           Aligned::Parts         the same for each part of the regions
//!                                     Aligned::Matrix        ldmatrix / stmatrix
//!                                     Aligned::TensorCopy    tcgen05.cp
//!                                     Aligned::TensorAccess  tcgen05.ld / tcgen05.st
//!                                     Aligned::Bulk          cp.async.bulk
//!                                     Aligned::Scalar        one element at a time
//! ```
//!
//! A warp copies a tile of 32x32 `f32` from global to shared memory: 8 rounds of 128-bit vectors.
//!
//! ```
//! use tile_layout::Layout;
//! use tile_plan::{Aligned, Element, Operand, Problem, Scope, Space, Target, Threads, select, vectorize};
//!
//! let tile = |space| Operand::whole(space, Layout::row_major(&[32, 32]), &[32, 32], 128);
//! let warp = Threads::all(Scope::Warp, Some(32));
//! let problem = Problem::new(tile(Space::Global), tile(Space::Shared), Element::new(32, "f32"), warp);
//! let target = Target::parse("sm_90a").unwrap();
//! let (aligned, declines) = select(&problem, &target).unwrap();
//! assert_eq!(declines[0].to_string(), "ldstmatrix declined: unsupported memory scopes src=global dst=shared; allowed: local <-> shared");
//! let Aligned::Partition(copy) = aligned else { panic!("no partition") };
//! let (plan, narrowings) = vectorize(&copy, &target, problem.max_vector_bits).unwrap();
//! assert_eq!((plan.variant, plan.vector_bits(), plan.rounds), ("gmem_smem", 128, 8));
//! assert!(narrowings.is_empty());
//! ```
//!
//! | module | subject |
//! | --- | --- |
//! | [`problem`] | what is asked: operands, regions, element |
//! | [`threads`] | who cooperates, and who of them is active |
//! | [`overlap`] | whether source and destination overlap |
//! | [`uniform`] | on which operands threads must agree, and whether they do |
//! | [`asynchronous`] | what a copy that is only issued asks for |
//! | [`bounds`] | do run-time begins stay inside the buffer |
//! | [`target`] | what a chip can do |
//! | [`check`] | what every copy must satisfy |
//! | [`variants`] | one file per variant: stage 1 |
//! | [`select`](mod@select) | asking the variants in order |
//! | [`vectorize`](mod@vectorize) | stage 2: the widest proven vector |
//! | [`plan`] | what is answered: both stages, and refusals |
//! | [`address`] | the addresses of a plan, on numbers or on IR values |
//! | [`scan`] | scans: strategies, tiles, states |

pub mod address;
pub mod asynchronous;
pub mod bounds;
mod chain;
pub mod check;
mod digits;
mod distribute;
mod features;
pub mod math;
mod order;
pub mod overlap;
mod partition;
mod pieces;
pub mod plan;
pub mod problem;
mod region;
mod registers;
mod require;
pub mod scan;
pub mod select;
pub mod target;
mod tensor;
pub mod threads;
pub mod uniform;
pub mod variants;
pub mod vectorize;
mod width;

pub use asynchronous::{Asynchronous, Completion};
pub use check::{check_copy, common_element};
pub use features::UnknownFeature;
pub use plan::{
    Aligned, AlignedCopy, BulkCopy, Decline, Descriptor, Distributed, DynamicTerm, ExchangeStep, Guard, LINE_LANES,
    MatrixCopy, Narrowing, Owner, Refusal, ScalarCopy, ScalarSide, SerialDigit, Side, TensorAccess, TensorCopy,
    TensorForm, TensorShape, ThreadDigit, VectorCopy, Window,
};
pub use problem::{Begin, Element, Operand, Problem, Scope, Space, Which};
pub use select::{SelectError, select};
pub use target::{SharedBanks, Target, UnknownChip};
pub use threads::{Active, Elected, ThreadSet, Threads};
pub use tile_isa::{Cache, CacheError};
pub use variants::Variant;
pub use vectorize::vectorize;
