//! Tensor memory (PTX ISA 9.7.16).

use super::operand::{Addr, Reg, Src};
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

#[derive(Debug)]
pub(crate) enum TensorOp {
    Alloc {
        space: Space,
        dst: Addr,
        columns: Src,
    },
    Dealloc {
        addr: Src,
        columns: Src,
    },
    Relinquish,
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
        shape: CopyShape,
        addr: Addr,
        descriptor: Src,
    },
    Commit {
        space: Space,
        addr: Addr,
        multicast: Option<Src>,
    },
    /// `tcgen05.fence`.
    Fence,
}
