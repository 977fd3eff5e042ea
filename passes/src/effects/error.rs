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
    #[error("it accesses tensor memory, expected shared or global memory, or registers")]
    TensorMemory,
    #[error("it accesses [{}] [{}] of its operand {operand}, expected a region of {shape:?}", .offsets.join(", "), .sizes.join(", "))]
    Region { operand: usize, offsets: Vec<String>, sizes: Vec<String>, shape: Vec<i64> },
    #[error("got {SCOPE} = \"{0}\", expected one of thread, warp, warpgroup, cta")]
    Scope(String),
    #[error("it contains '{0}', expected ops that compute with values alone")]
    Contains(String),
    #[error("it accesses a region of its operand {0}, which is no tile")]
    NoTile(usize),
    #[error(transparent)]
    Product(#[from] UnsupportedProduct),
}

impl From<UnknownEffects> for String {
    fn from(error: UnknownEffects) -> Self {
        error.to_string()
    }
}
