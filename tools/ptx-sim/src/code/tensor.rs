//! What tensor cores do: matrix products of a warpgroup (PTX ISA 9.7.15), and tensor memory with its copies and products
//! (PTX ISA 9.7.16).

use super::operand::{Addr, PredSrc, Reg, Src};
use crate::float::Format;
use crate::parse::Space;

/// What is multiplied, and how the sum is kept: products of the same shape may be summed one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Product {
    /// Columns of B and of D; D has 64 rows.
    pub(crate) columns: u32,
    /// The format of A and of B.
    pub(crate) inputs: Format,
    /// Bytes of an element of A and of B: 2, or 4 of `tf32`.
    pub(crate) bytes: u32,
    /// D is f32, one element to a register; else f16, two to a register.
    pub(crate) wide: bool,
}

impl Product {
    /// Columns of A, which are rows of B: 32 bytes.
    pub(crate) fn depth(self) -> u32 {
        32 / self.bytes
    }

    /// Registers of D.
    pub(crate) fn registers(self) -> u32 {
        if self.wide { self.columns / 2 } else { self.columns / 4 }
    }
}

/// Where A is.
#[derive(Debug)]
pub(crate) enum Left {
    Registers(Box<[Src]>),
    /// In shared memory, which a descriptor describes.
    Shared(Src),
}

/// `wgmma.mma_async`.
#[derive(Debug)]
pub(crate) struct Multiply {
    pub(crate) product: Product,
    pub(crate) d: Box<[Reg]>,
    pub(crate) a: Left,
    pub(crate) b: Src,
    /// Whether D is added; else it is only written.
    pub(crate) adds: PredSrc,
    /// Whether A, and B, is negated.
    pub(crate) negated: [bool; 2],
    /// Whether A, and B, is kept with its rows (of B: columns) next to each other, rather than what is summed over.
    pub(crate) transposed: [bool; 2],
}

#[derive(Debug)]
pub(crate) enum WgmmaOp {
    Fence,
    Commit,
    /// Waits until at most so many groups are left.
    Wait(u64),
    Multiply(Multiply),
}

/// Shapes of `tcgen05.ld` and `tcgen05.st`: rows × bits of one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    S32x32,
    S16x64,
    S16x128,
    S16x256,
}

/// Shapes of `tcgen05.cp`, with the multicast that goes with each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum CopyShape {
    S128x256,
    S4x256,
    S128x128,
    /// `64x128b.warpx2::02_13`.
    S64x128Pairs0213,
    /// `64x128b.warpx2::01_23`.
    S64x128Pairs0123,
    /// `32x128b.warpx4`.
    S32x128,
}

/// `.cta_group`: whose tensor memory an instruction works on (PTX ISA 9.7.16.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    /// The block's own.
    One,
    /// That of the block and of its peer, whose rank in the cluster differs in the last bit. A copy is the same in both:
    /// the ISA says that both tensor memories are accessed (9.7.16.5.1); that each gets what its own shared memory has at
    /// the descriptor's offset is how kernels for pairs use it, whose blocks load different scale factors and of which one
    /// issues for both.
    Pair,
}

/// `.kind`: which types `tcgen05.mma` multiplies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    F16,
    Tf32,
}

/// The descriptor of an operand of `tcgen05.mma`: a register, or one with an addend, which LLVM prints and ptxas adds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Described {
    pub(crate) src: Src,
    pub(crate) addend: i64,
}

/// Where A of `tcgen05.mma` is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TensorLeft {
    /// In shared memory, which a descriptor describes.
    Shared(Described),
    /// In tensor memory.
    Tensor(Addr),
}

/// `tcgen05.mma` of one block, dense.
#[derive(Debug)]
pub(crate) struct TensorMultiply {
    pub(crate) kind: Kind,
    pub(crate) d: Addr,
    pub(crate) a: TensorLeft,
    pub(crate) b: Described,
    /// The instruction descriptor: shape, types, signs, transposed operands.
    pub(crate) instruction: Src,
    /// Whether D is added; else it is only written.
    pub(crate) adds: PredSrc,
}

#[derive(Debug)]
pub(crate) enum TensorOp {
    Alloc {
        group: Group,
        space: Space,
        dst: Addr,
        columns: Src,
    },
    Dealloc {
        group: Group,
        addr: Src,
        columns: Src,
    },
    Relinquish {
        group: Group,
    },
    Load {
        shape: Shape,
        repeat: u32,
        dst: Box<[Reg]>,
        addr: Addr,
    },
    Store {
        shape: Shape,
        repeat: u32,
        src: Box<[Src]>,
        addr: Addr,
    },
    WaitLoad,
    WaitStore,
    Copy {
        group: Group,
        shape: CopyShape,
        addr: Addr,
        descriptor: Src,
    },
    Multiply(TensorMultiply),
    Commit {
        group: Group,
        space: Space,
        addr: Addr,
        multicast: Option<Src>,
    },
    /// `tcgen05.fence`.
    Fence,
}
