//! Tensor core instructions: matrix products of a warpgroup (PTX ISA 9.7.15), and tensor memory with its copies and
//! products (PTX ISA 9.7.16).

use super::operand::{Addr, PredSrc, Reg, Src};
use super::product::{Element, Total};
use crate::parse::Space;

/// The shape and types of a product. Products of the same shape may accumulate into one D one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Product {
    /// Columns of B and of D; D has 64 rows.
    pub(crate) columns: u32,
    /// The types of A and of B, of the same number of bits.
    pub(crate) inputs: [Element; 2],
    /// The type of D.
    pub(crate) total: Total,
}

impl Product {
    /// Columns of A, which equals the rows of B: 32 bytes' worth of elements.
    pub(crate) fn depth(self) -> u32 {
        256 / self.inputs[0].bits()
    }

    /// Registers of D.
    pub(crate) fn registers(self) -> u32 {
        self.columns / 2 / self.total.packed() as u32
    }
}

/// The location of A.
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
    /// Whether the product is added to D; otherwise it overwrites D.
    pub(crate) adds: PredSrc,
    /// Whether A, and B, is negated.
    pub(crate) negated: [bool; 2],
    /// Whether A, and B, is stored with consecutive rows (for B: columns) adjacent in memory, rather than consecutive
    /// k.
    pub(crate) transposed: [bool; 2],
}

#[derive(Debug)]
pub(crate) enum WgmmaOp {
    Fence,
    Commit,
    /// Waits until at most this many groups are pending.
    Wait(u64),
    Multiply(Multiply),
}

/// Shapes of `tcgen05.ld` and `tcgen05.st`: rows × bits of one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    S32x32,
    S16x64,
    /// Two parts of 16 rows, for the lower and the upper lanes; the second begins this number of columns behind the first.
    S16x32Twice(u64),
    S16x128,
    S16x256,
}

/// Shapes of `tcgen05.cp`, each with its multicast.
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

/// `.cta_group`: the blocks on whose tensor memory an instruction operates (PTX ISA 9.7.16.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    /// The block itself.
    One,
    /// The block and its peer, whose rank in the cluster differs in the last bit. A copy does the same in both blocks.
    /// The ISA says only that both tensor memories are accessed (9.7.16.5.1); here each receives what its own shared
    /// memory holds at the descriptor's offset. Kernels for pairs rely on this: their blocks load different scale
    /// factors, and one of the two issues the copy for both.
    Pair,
}

/// `.kind`: the element types that `tcgen05.mma` multiplies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TensorMmaKind {
    /// f16 and bf16.
    F16,
    Tf32,
    /// Floats of 8 bits or less.
    F8f6f4,
    /// Those of `F8f6f4`, with a scale for 32 elements along k.
    Mxf8f6f4,
    /// Floats of 4 bits, with a scale for 32 elements along k.
    Mxf4,
    /// Floats of 4 bits, with a scale for 32 or 16 elements along k.
    Mxf4nvf4,
    I8,
}

impl TensorMmaKind {
    /// Whether A and B have scales.
    pub(crate) fn is_scaled(self) -> bool {
        matches!(self, Self::Mxf8f6f4 | Self::Mxf4 | Self::Mxf4nvf4)
    }
}

/// Where the scales of A and of B are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TensorScales {
    pub(crate) places: [Addr; 2],
    /// Scales of a row of A, or of a column of B, along k.
    pub(crate) per_line: u64,
}

/// The descriptor of an operand of `tcgen05.mma`: a register, or a register plus a constant, as LLVM prints it; ptxas
/// emits the addition.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Described {
    pub(crate) src: Src,
    pub(crate) addend: i64,
}

/// The location of A of `tcgen05.mma`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TensorLeft {
    /// In shared memory, which a descriptor describes.
    Shared(Described),
    /// In tensor memory.
    Tensor(Addr),
}

/// The form of `tcgen05.mma`, on which the shapes and the places of the rows of D depend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Of one block.
    Block,
    /// `.cta_group::2`: of a block and its peer. Each has half of the rows of A and of D, and half of the columns of B.
    Pair,
    /// `.ws`: of one block, with B kept in a buffer.
    Stationary,
}

impl Form {
    pub(crate) fn group(self) -> Group {
        if self == Self::Pair { Group::Pair } else { Group::One }
    }
}

/// A dense `tcgen05.mma`.
#[derive(Debug)]
pub(crate) struct TensorMultiply {
    pub(crate) form: Form,
    pub(crate) kind: TensorMmaKind,
    pub(crate) d: Addr,
    pub(crate) a: TensorLeft,
    pub(crate) b: Described,
    /// The scales of A and of B, if the kind has them.
    pub(crate) scales: Option<TensorScales>,
    /// The instruction descriptor: shape, types, signs, transposed operands.
    pub(crate) instruction: Src,
    /// Masks of the lanes of D that are not written, 32 lanes each; none writes all.
    pub(crate) kept: Box<[Src]>,
    /// Whether the product is added to D; otherwise it overwrites D.
    pub(crate) adds: PredSrc,
    /// D is divided by two to the power of this before the product is added.
    pub(crate) shift: u32,
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
