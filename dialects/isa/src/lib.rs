//! The capabilities of the instructions that copies are lowered to, as the PTX ISA defines them: forms, widths, chunks,
//! hints and limits.
//!
//! Both the verifiers of ops and the planner of copies use this crate, so that they cannot disagree. Nothing here knows
//! MLIR, a chip, or how a copy is lowered.
//!
//! | module | subject |
//! | --- | --- |
//! | [`scope`] | the memories of a tile, and the threads that copy it together |
//! | [`access`] | widths of elements and of accesses, threads of a warp and of a block |
//! | [`registers`] | registers of a thread and of an SM |
//! | [`rounds`] | rounds of vectors, their accesses, their exchange between lanes |
//! | [`matrix`] | the matrices of `ldmatrix` and `stmatrix` |
//! | [`matrix_descriptor`] | descriptors of matrices in shared memory, encoded and decoded |
//! | [`mma`] | shapes and types of `mma.sync` |
//! | [`wgmma`] | sizes and types of `wgmma` |
//! | [`tcgen05_mma`] | sizes and types of `tcgen05.mma`, and the descriptor of an instruction |
//! | [`fragment`] | the layouts of operands in registers and in tensor memory, by name |
//! | [`lanes`] | digits of registers that are exchanged with lanes, or share a word |
//! | [`cache`] | cache hints of a load |
//! | [`clause`] | clauses that go with an instruction or do not |
//! | [`convert`] | pairs of element types that convert into each other |
//! | [`bulk`] | memories and chunks of `cp.async.bulk` |
//! | [`async_reduction`] | reductions of `cp.reduce.async.bulk` and its tensor form |
//! | [`mbarrier`] | sizes of an mbarrier |
//! | [`red`] | reductions in memory, element by element or in vectors |
//! | [`tmem_copy`] | forms of `tcgen05.cp`, and how copies of tensor memory number their instructions |
//! | [`tmem_access`] | shapes of `tcgen05.ld` and `tcgen05.st` |
//! | [`words`] | lists of what is allowed, in messages |

pub mod access;
pub mod async_reduction;
pub mod bulk;
pub mod cache;
pub mod clause;
pub mod convert;
pub mod fragment;
pub mod lanes;
pub mod matrix;
pub mod matrix_descriptor;
pub mod mbarrier;
mod messages;
pub mod mma;
pub mod red;
pub mod registers;
pub mod rounds;
pub mod scope;
pub mod tcgen05_mma;
pub mod tmem_access;
pub mod tmem_copy;
pub mod wgmma;
pub mod words;

// The example of the page that describes the crate.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

pub use access::{
    ACCESS_BITS, CHUNK_BITS, CP_ASYNC_BITS, ELEMENT_BITS, MAX_THREADS, Transfer, WARP, WARPGROUP, check_elected,
    check_element_bits, check_threads, element_widths,
};
pub use cache::{Cache, CacheError};
pub use convert::{Clause, Conversion, NumberFormat};
pub use fragment::{Fragment, MatrixInstruction, MatrixOperand};
pub use matrix::MatrixShape;
pub use matrix_descriptor::{MatrixDescriptor, SwizzleMode};
pub use red::{Operator, Red, RedForms};
pub use rounds::Rounds;
pub use scope::{Scope, Space, threads_of};
pub use tmem_access::TmemShape;
pub use tmem_copy::{TmemForm, check_instructions};

/// Lanes of the tensor memory of an SM, a quarter for each warp of a warpgroup.
pub const TENSOR_LANES: i64 = 128;

/// Columns of 32 bits of the tensor memory of an SM (PTX ISA, tensor memory addressing).
pub const TENSOR_COLUMNS: i64 = 512;

/// The most instructions of a copy to or from tensor memory: the number of tiles of the smallest form, 4 rows of 256
/// bits, that 128 lanes of 512 columns of 32 bits hold.
pub const MAX_INSTRUCTIONS: i64 = 2048;
