//! Why an op of `linalg` is not done by tiles.

use thiserror::Error;
use tile_isa::Scope;

use crate::problem::refusal::Refusal;

/// Why an op stays as it is: a name for each cause, and got and expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LinalgRefusal {
    /// It is in no kernel.
    #[error("in no kernel, expected a gpu.func, a gpu.launch, or a function with gpu.known_block_size around it")]
    NotAKernel,
    /// The size of blocks is not known.
    #[error("blocks of a size that is not known, expected known_block_size = array<i32: …>")]
    BlockSize,
    /// The iterations of a loop are not threads, warps or warpgroups of the block.
    #[error("its iterations are no threads of the block: {reason}")]
    Forall {
        /// What upstream's mapping says.
        reason: String,
    },
    /// Not all threads that do it together reach it.
    #[error(
        "not all threads of a {scope} are known to reach it, expected no condition or loop that differs between them"
    )]
    Divergent {
        /// Which threads do it.
        scope: Scope,
    },
    /// A value that it uses may differ between threads.
    #[error("{what} may differ between the threads of a {scope}, expected one value for all of them")]
    Differs {
        /// The value.
        what: String,
        /// Which threads do it.
        scope: Scope,
    },
    /// An op of vectors that is not followed.
    #[error("{op} has one of its vectors, expected transfers, arithmetic, contractions, reductions and loops")]
    Vector {
        /// The op.
        op: String,
    },
    /// It has tensors.
    #[error("tensors, or memrefs of no rank, expected ranked memrefs: bufferize first")]
    Tensors,
    /// It is an op of several steps.
    #[error("{name} is made of several ops, expected those: {by} makes them")]
    Composed {
        /// The op.
        name: String,
        /// The transform that decomposes it.
        by: &'static str,
    },
    /// An operand is not indexed by loops alone.
    #[error("operand {operand} is not indexed by single loops, expected a projected permutation of them")]
    OperandMap {
        /// Its number.
        operand: usize,
    },
    /// A result is not indexed by exactly the parallel loops.
    #[error("result {result} is not indexed by each parallel loop once, expected all {parallel} of them")]
    ResultMap {
        /// Its number.
        result: usize,
        /// How many there are.
        parallel: usize,
    },
    /// An extent is known only at run time, and nothing bounds it.
    #[error("loop {number} has a run-time extent without a bound, expected one such as affine.min gives")]
    Unbounded {
        /// The number of the loop.
        number: usize,
    },
    /// There is nothing to do.
    #[error("loop {number} has the extent {extent}, expected at least 1")]
    Empty {
        /// The number of the loop.
        number: usize,
        /// Its extent.
        extent: i64,
    },
    /// More elements than threads compute without a loop.
    #[error("tiles of {elements} elements, expected at most {most}: tile it first")]
    TooLarge {
        /// How many.
        elements: i64,
        /// The most.
        most: i64,
    },
    /// The depths of a product are several loops.
    #[error("a product with {loops} loops of depths, expected one: collapse them, or tile all but one by 1")]
    ReductionLoops {
        /// How many.
        loops: usize,
    },
    /// The loops of a product are not those of a matrix product.
    #[error("a product with a batch loop of extent {extent}, expected 1: tile it by 1 first")]
    Batch {
        /// The extent of that loop.
        extent: i64,
    },
    /// The body has an op that a tile's function cannot have.
    #[error("the body has {op}, expected ops without effects and regions")]
    BodyOp {
        /// The op.
        op: String,
    },
    /// The body does not combine its result with a term.
    #[error(
        "the body does not combine the result with a term by an associative operator, expected one such as arith.addf"
    )]
    NotCombined,
    /// An element type that tiles do not compute with.
    #[error("elements of {got}, expected integers or floats of 8 to 64 bits")]
    Elements {
        /// The type.
        got: String,
    },
    /// Memory that each thread has for itself, or an unknown one.
    #[error(
        "operand {operand} is in memory that may be each thread's own, expected global memory or that of a workgroup"
    )]
    Memory {
        /// The number of the operand.
        operand: usize,
    },
    /// An input and a result may overlap.
    #[error(
        "operand {input} and result {result} may overlap, expected the same elements in the same order, or none in common"
    )]
    MayAlias {
        /// The number of the input.
        input: usize,
        /// The number of the result.
        result: usize,
    },
    /// No instruction multiplies such tiles, or not as the schedule says.
    #[error("{0}")]
    Product(Refusal),
    /// The copy of an operand cannot be done.
    #[error("{reason}")]
    Copy {
        /// The name of the cause.
        cause: &'static str,
        /// Got and expected.
        reason: String,
    },
}

impl LinalgRefusal {
    /// The name, for machines.
    pub fn name(&self) -> &'static str {
        match self {
            LinalgRefusal::NotAKernel => "stays-in-no-kernel",
            LinalgRefusal::BlockSize => "stays-block-size-unknown",
            LinalgRefusal::Forall { .. } => "stays-forall",
            LinalgRefusal::Divergent { .. } => "stays-divergent",
            LinalgRefusal::Differs { .. } => "stays-differs",
            LinalgRefusal::Vector { .. } => "stays-vector-op",
            LinalgRefusal::Tensors => "stays-tensors",
            LinalgRefusal::Composed { .. } => "stays-composed",
            LinalgRefusal::OperandMap { .. } => "stays-operand-map",
            LinalgRefusal::ResultMap { .. } => "stays-result-map",
            LinalgRefusal::Unbounded { .. } => "stays-unbounded",
            LinalgRefusal::Empty { .. } => "stays-empty",
            LinalgRefusal::TooLarge { .. } => "stays-too-large",
            LinalgRefusal::ReductionLoops { .. } => "stays-reduction-loops",
            LinalgRefusal::Batch { .. } => "stays-batch",
            LinalgRefusal::BodyOp { .. } => "stays-body-op",
            LinalgRefusal::NotCombined => "stays-not-combined",
            LinalgRefusal::Elements { .. } => "stays-other-elements",
            LinalgRefusal::Memory { .. } => "stays-other-memory",
            LinalgRefusal::MayAlias { .. } => "stays-may-alias",
            LinalgRefusal::Product(refusal) => refusal.cause,
            LinalgRefusal::Copy { cause, .. } => cause,
        }
    }
}
