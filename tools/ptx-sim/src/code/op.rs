//! Decoded instructions.

use super::float::{Convert, FloatOp, TestFloat};
use super::lanes::{Compare, Lanes1, Lanes2, Lanes3, Logic};
use super::memory::{Atomic, Bulk, CpAsync, Fence, IsSpace, Load, Mapa, Store, StoreBulk};
use super::operand::{Pred, PredSrc, Reg, Src};
use super::sync::{BarrierOp, ClusterBarrier, Matrix, Mbarrier, WarpOp};
use super::tensor::TensorOp;
use super::wgmma::WgmmaOp;

/// A branch target: while decoding the number of a label, afterwards an index into the code.
pub(crate) type Target = u32;

/// `setp` and `set`: the comparison, and what combines it with a predicate.
#[derive(Debug)]
pub(crate) struct SetPred {
    pub(crate) compare: Compare,
    pub(crate) a: Src,
    pub(crate) b: Src,
    pub(crate) combine: Option<(Logic, PredSrc)>,
    pub(crate) d: Pred,
    /// Gets the negated comparison, combined likewise.
    pub(crate) q: Option<Pred>,
}

/// `add.cc`, `addc`, `sub.cc`, `subc`, `mad.cc`, `madc`: arithmetic with the carry flag.
#[derive(Debug)]
pub(crate) struct Carry {
    pub(crate) d: Reg,
    /// The first addend; for `mad` it is `mul(a, b)`.
    pub(crate) a: Src,
    pub(crate) b: Src,
    /// `mad`: the product's function, and the addend.
    pub(crate) product: Option<(Lanes2, Src)>,
    pub(crate) bits: u32,
    pub(crate) subtract: bool,
    pub(crate) reads: bool,
    pub(crate) writes: bool,
}

/// A call of `__assertfail`: offsets of arguments in the thread's call parameters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AssertFail {
    pub(crate) message: u64,
    pub(crate) file: u64,
    pub(crate) line: u64,
}

/// What an instruction does.
#[derive(Debug)]
pub(crate) enum Op {
    Lanes1 {
        f: Lanes1,
        d: Reg,
        a: Src,
    },
    Lanes2 {
        f: Lanes2,
        d: Reg,
        a: Src,
        b: Src,
    },
    Lanes3 {
        f: Lanes3,
        d: Reg,
        a: Src,
        b: Src,
        c: Src,
    },
    /// Integer division: the result has no value where `b` is zero.
    Divide {
        f: Lanes2,
        d: Reg,
        a: Src,
        b: Src,
    },
    Lop3 {
        d: Reg,
        a: Src,
        b: Src,
        c: Src,
        table: u8,
    },
    /// `bfi`.
    Insert {
        d: Reg,
        a: Src,
        b: Src,
        pos: Src,
        len: Src,
        bits: u32,
    },
    Carry(Box<Carry>),
    Float(Box<FloatOp>),
    Convert(Box<Convert>),
    TestFloat(TestFloat),
    /// `mov.b128` of one register.
    Move128 {
        d: Reg,
        a: Reg,
    },
    /// `mov` of parts into one register, the lowest first; `bits` is one part's width. More than 64 bits fill `d` and `d + 1`.
    Pack {
        d: Reg,
        parts: Box<[Src]>,
        bits: u32,
    },
    /// `mov` of one value into parts.
    Unpack {
        parts: Box<[Reg]>,
        a: [Src; 2],
        bits: u32,
    },
    SetPred(Box<SetPred>),
    /// A 0/1 value for each lane from a predicate: `selp`.
    Select {
        d: Reg,
        a: Src,
        b: Src,
        p: PredSrc,
    },
    Preds {
        f: Logic,
        d: Pred,
        a: PredSrc,
        b: PredSrc,
    },
    /// A lane's bit of a source as predicate (`mov.pred` of a special register).
    ToPred {
        d: Pred,
        a: Src,
    },
    Load(Box<Load>),
    Store(Box<Store>),
    Atomic(Box<Atomic>),
    Fence(Fence),
    IsSpace(IsSpace),
    Mapa(Mapa),
    StoreBulk(StoreBulk),
    CpAsync(Box<CpAsync>),
    Bulk(Box<Bulk>),
    Jump(Target),
    JumpTable {
        index: Src,
        targets: Box<[Target]>,
    },
    Call(Target),
    /// Copies a call parameter: offsets in the thread's call parameters, and bytes.
    CopyParam {
        dst: u64,
        src: u64,
        bytes: u64,
    },
    Return,
    Exit,
    Trap,
    AssertFail(AssertFail),
    ActiveMask {
        d: Reg,
    },
    Collective(Box<WarpOp>),
    Barrier(Box<BarrierOp>),
    ClusterBarrier(ClusterBarrier),
    Mbarrier(Box<Mbarrier>),
    Matrix(Box<Matrix>),
    Tensor(Box<TensorOp>),
    Wgmma(Box<WgmmaOp>),
    /// `nanosleep`: lets others run.
    Sleep,
    /// Changes nothing that is modelled (prefetches, cache hints, dependent launches).
    Nothing,
}

/// A decoded instruction.
#[derive(Debug)]
pub(crate) struct Inst {
    pub(crate) op: Op,
    /// 1 where it counts as an instruction; 0: a further step of the one before it, or a jump that layout added.
    pub(crate) counts: u8,
    pub(crate) guard: PredSrc,
}
