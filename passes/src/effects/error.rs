//! Why it is not known what an operation does.

use thiserror::Error;
use tile_plan::sync::UnsupportedProduct;

/// The part of an operation that is not followed.
#[derive(Debug, Error)]
pub enum UnknownEffects {
    /// A bulk copy to several blocks.
    #[error("it copies to several blocks of a cluster")]
    Multicast,
    /// A bulk copy of a number of bytes that is computed.
    #[error("how many bytes it copies is not a constant")]
    Bytes,
    /// A `cp.async` of a size that PTX does not have.
    #[error("how many bytes it copies is not known")]
    Size,
    /// Matrices of another shape.
    #[error("expected matrices of 8x8")]
    Matrices,
    /// An arrival, or an expectation of bytes, by a number that is computed.
    #[error("how much it adds to the phase of its mbarrier is not a constant")]
    Arrivals,
    /// A commit that reaches other blocks.
    #[error("it arrives on mbarriers of other blocks")]
    OtherBlocks,
    /// A product of an unknown kind.
    #[error("its kind is not known")]
    Kind,
    /// A product with scales of floats of 4 bits.
    #[error("it multiplies 4-bit floats, expected the kind mxf8f6f4")]
    NarrowFloats,
    /// A product of two blocks.
    #[error("it is one of two blocks, expected cta_group<cta_1>")]
    TwoBlocks,
    /// A product by a descriptor that is computed.
    #[error("its instruction descriptor is not a constant")]
    Descriptor,
    /// A product whose sums are no registers.
    #[error("its result is not a struct")]
    Sums,
    /// A product of `tcgen05` of a shape that is not followed.
    #[error(transparent)]
    Product(#[from] UnsupportedProduct),
}

impl From<UnknownEffects> for String {
    fn from(error: UnknownEffects) -> Self {
        error.to_string()
    }
}
