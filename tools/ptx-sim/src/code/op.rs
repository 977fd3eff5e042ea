//! Decoded instructions. An instruction on registers holds a function over the 32 lanes of a warp, which is chosen during
//! decoding and called once for each warp instruction.

use super::bulk::{Bulk, Prefetch};
use super::float::{Convert, FloatOp, TestFloat};
use super::memory::{Atomic, CpAsync, Fence, IsSpace, Load, Mapa, Store, StoreBulk};
use super::operand::{Pred, PredSrc, Reg, Src};
use super::product::WarpMultiply;
use super::sync::{BarrierOp, ClusterBarrier, Matrix, Mbarrier, WarpOp};
use super::tensor::{TensorOp, WgmmaOp};
use super::tensor_map::MapOp;
use super::wmma::{WmmaAccess, WmmaMultiply};

/// A branch target: during decoding the number of a label, afterwards an index into the code.
pub(crate) type Target = u32;

/// `setp` and `set`: the comparison, and how it is combined with a predicate.
#[derive(Debug)]
pub(crate) struct SetPred {
    pub(crate) compare: Compare,
    pub(crate) a: Src,
    pub(crate) b: Src,
    pub(crate) combine: Option<(Logic, PredSrc)>,
    pub(crate) d: Pred,
    /// Receives the negated comparison, or that of the upper halves, combined in the same way.
    pub(crate) q: Option<Pred>,
    /// Whether two packed values are compared, the lower halves for the first predicate.
    pub(crate) packed: bool,
}

impl SetPred {
    /// The lanes in which the comparisons hold whose results the two predicates receive.
    pub(crate) fn compared(&self, a: &Row, b: &Row) -> (u32, u32) {
        if !self.packed {
            let holds = (self.compare)(a, b);
            return (holds, !holds);
        }
        let half = |shift: u32| {
            let part = |row: &Row| row.map(|bits| bits >> shift & 0xffff);
            (self.compare)(&part(a), &part(b))
        };
        (half(0), half(16))
    }
}

/// `set`: a number from a comparison.
#[derive(Debug)]
pub(crate) struct SetNumber {
    pub(crate) test: SetPred,
    /// The bits of the result where the comparison holds, and of two packed values where that of the upper ones does.
    pub(crate) holds: [u64; 2],
    pub(crate) d: Reg,
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

/// A call of `__assertfail`: the offsets of its arguments in the thread's call parameters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AssertFail {
    pub(crate) message: ParamOffset,
    pub(crate) file: ParamOffset,
    pub(crate) line: ParamOffset,
}

/// The offset of a call parameter in a thread's memory for them.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ParamOffset {
    /// Of a function that has one open call at a time.
    Fixed(u64),
    /// Of a recursive function, for the call that runs.
    Own(u64),
    /// Of a recursive function, for the call that is made next or was made last; from the start of the frame's memory.
    Next(u64),
}

/// A call of `vprintf`: the offsets of its arguments and of its result in the thread's call parameters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Print {
    pub(crate) format: ParamOffset,
    pub(crate) arguments: ParamOffset,
    pub(crate) result: Option<ParamOffset>,
}

/// An operation on two halves or four bytes of a register (PTX ISA 9.7.18).
#[derive(Debug)]
pub(crate) struct Video {
    pub(crate) kind: VideoKind,
    /// Bits of one part.
    pub(crate) bits: u32,
    /// Whether the parts of d, a and b are signed.
    pub(crate) signed: [bool; 3],
    /// Whether a part of d saturates instead of wrapping.
    pub(crate) saturates: bool,
    /// Whether the parts are summed, with c, into one word.
    pub(crate) sums: bool,
    /// The parts of d that are written; the others are those of c.
    pub(crate) mask: u32,
    pub(crate) d: Reg,
    pub(crate) a: Src,
    pub(crate) b: Src,
    pub(crate) c: Src,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VideoKind {
    Add,
    Subtract,
    /// The mean, rounded up.
    Average,
    Difference,
    Minimum,
    Maximum,
}

/// The operation of an instruction.
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
    /// Integer division: the result has no value in lanes where `b` is zero.
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
    SetNumber(Box<SetNumber>),
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
    /// A call of a function that may have an open call: the frames of the caller and of the callee.
    Recurse {
        caller: u32,
        callee: u32,
    },
    /// Copies a call parameter, with its size in bytes.
    CopyParam {
        dst: ParamOffset,
        src: ParamOffset,
        bytes: u64,
    },
    Return,
    Exit,
    Trap,
    AssertFail(AssertFail),
    /// `vprintf`.
    Print(Print),
    /// `malloc`: the offsets of the size, and of the address that it returns, in the thread's call parameters.
    Allocate {
        bytes: ParamOffset,
        result: Option<ParamOffset>,
    },
    /// `free`: the offset of the address in the thread's call parameters.
    Free {
        address: ParamOffset,
    },
    /// A call of an address that is not that of a function with these parameters.
    NoFunction {
        target: Src,
    },
    /// Video instructions.
    Video(Box<Video>),
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
    /// A change of a tensor map, or a fence of maps.
    TensorMap(Box<MapOp>),
    WarpMultiply(Box<WarpMultiply>),
    WmmaAccess(Box<WmmaAccess>),
    WmmaMultiply(Box<WmmaMultiply>),
    /// `nanosleep`: lets other warps run.
    Sleep,
    /// `setmaxnreg`: the warp takes registers from its block, or releases them, until each thread has `count`.
    SetRegisters {
        increase: bool,
        count: u32,
    },
    /// Brings global memory into L2, which is counted.
    Prefetch(Box<Prefetch>),
    /// Changes nothing that is modelled (other prefetches, cache hints, dependent launches).
    Nothing,
}

/// A decoded instruction.
#[derive(Debug)]
pub(crate) struct Inst {
    pub(crate) op: Op,
    /// 1 if it counts as an instruction; 0 for a further step of the previous one, or a jump that block layout added.
    pub(crate) counts: u8,
    pub(crate) guard: PredSrc,
}

/// The values of one register in the 32 lanes; a value narrower than 64 bits is zero-extended.
pub(crate) type Row = [u64; 32];

/// Lanes in a warp.
pub(crate) const LANES: usize = 32;

pub(crate) type Lanes1 = fn(&Row, &mut Row);
pub(crate) type Lanes2 = fn(&Row, &Row, &mut Row);
pub(crate) type Lanes3 = fn(&Row, &Row, &Row, &mut Row);
/// A comparison: the lanes in which it holds.
pub(crate) type Compare = fn(&Row, &Row) -> u32;
/// A function of predicates, 32 lanes in one word.
pub(crate) type Logic = fn(u32, u32) -> u32;

/// A [`Lanes1`] from an expression over one lane.
macro_rules! lanes1 {
    (|$a:ident| $e:expr) => {{
        fn apply(x: &$crate::code::Row, out: &mut $crate::code::Row) {
            for (o, &$a) in out.iter_mut().zip(x) {
                *o = $e;
            }
        }
        apply as $crate::code::Lanes1
    }};
}

/// A [`Lanes2`] from an expression over one lane.
macro_rules! lanes2 {
    (|$a:ident, $b:ident| $e:expr) => {{
        fn apply(x: &$crate::code::Row, y: &$crate::code::Row, out: &mut $crate::code::Row) {
            for i in 0..$crate::code::LANES {
                let ($a, $b) = (x[i], y[i]);
                out[i] = $e;
            }
        }
        apply as $crate::code::Lanes2
    }};
}

/// A [`Lanes3`] from an expression over one lane.
macro_rules! lanes3 {
    (|$a:ident, $b:ident, $c:ident| $e:expr) => {{
        fn apply(x: &$crate::code::Row, y: &$crate::code::Row, z: &$crate::code::Row, out: &mut $crate::code::Row) {
            for i in 0..$crate::code::LANES {
                let ($a, $b, $c) = (x[i], y[i], z[i]);
                out[i] = $e;
            }
        }
        apply as $crate::code::Lanes3
    }};
}

/// A [`Compare`] from a condition on one lane.
macro_rules! compare {
    (|$a:ident, $b:ident| $e:expr) => {{
        fn apply(x: &$crate::code::Row, y: &$crate::code::Row) -> u32 {
            let mut out = 0;
            for i in 0..$crate::code::LANES {
                let ($a, $b) = (x[i], y[i]);
                out |= u32::from($e) << i;
            }
            out
        }
        apply as $crate::code::Compare
    }};
}

pub(crate) use {compare, lanes1, lanes2, lanes3};
