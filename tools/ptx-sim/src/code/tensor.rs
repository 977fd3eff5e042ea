//! Tensor memory (PTX ISA 9.7.16).

use super::operand::{Addr, PredSrc, Reg, Src};
use crate::parse::Space;

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
