//! Why it is not known what an operation does.

use thiserror::Error;
use tile_dialect::SCOPE;
use tile_plan::sync::UnsupportedProduct;

/// The part of an operation that is not followed.
#[derive(Debug, Error)]
pub enum UnknownEffects {
    #[error("it copies to several blocks of a cluster")]
    Multicast,
    #[error("how many bytes it copies is not a constant")]
    Bytes,
    #[error("how many bytes it copies is not known")]
    Size,
    #[error("expected matrices of 8x8")]
    Matrices,
    #[error("how much it adds to the phase of its mbarrier is not a constant")]
    Arrivals,
    #[error("it arrives on mbarriers of other blocks")]
    OtherBlocks,
    #[error("its kind is not known")]
    Kind,
    #[error("it multiplies 4-bit floats, expected the kind mxf8f6f4")]
    NarrowFloats,
    #[error("it is one of two blocks, expected cta_group<cta_1>")]
    TwoBlocks,
    #[error("its instruction descriptor is not a constant")]
    Descriptor,
    #[error("its result is not a struct")]
    Sums,
    #[error("it accesses memory that no operand names")]
    NoOperand,
    #[error("it accesses its operand {0}, expected a tile, a memref or a pointer")]
    NoMemory(usize),
    #[error(
        "it accesses tensor memory by another engine, expected its threads, by tcgen05.ld and tcgen05.st that it waits for"
    )]
    TensorEngine,
    #[error("each thread accesses tensor memory by itself, expected {SCOPE} = warp, warpgroup or cta: whole warps do")]
    TensorScope,
    #[error("it accesses [{offsets}] [{sizes}] of its operand {operand}, expected a region of [{shape}]")]
    Region { operand: usize, offsets: String, sizes: String, shape: String },
    #[error("got {SCOPE} = \"{0}\", expected one of thread, warp, warpgroup, cta")]
    Scope(String),
    #[error("it contains '{0}', expected ops that compute with values alone")]
    Contains(String),
    #[error("it accesses a region of its operand {0}, expected one of a tile or a memref")]
    NoRegion(usize),
    #[error("it accesses a region of its operand {0}, whose layout is a map, expected strides")]
    NoStrides(usize),
    #[error("an mbarrier completes an access that its threads make, expected one of an asynchronous engine")]
    AtOnce,
    #[error("got several mbarriers or engines, or none, for its asynchronous accesses, expected the same for all")]
    Mbarriers,
    #[error("its operand {0} completes it, expected an mbarrier in shared memory")]
    NoMbarrier(usize),
    #[error("several threads execute it together, and each brings bytes to its mbarrier, expected {SCOPE} = thread")]
    Together,
    #[error("an mbarrier counts its bytes, expected a write to shared memory")]
    NoBytes,
    #[error(transparent)]
    Product(#[from] UnsupportedProduct),
}

impl From<UnknownEffects> for String {
    fn from(error: UnknownEffects) -> Self {
        error.to_string()
    }
}
