//! Instructions that lanes and warps execute together: collectives, barriers, matrix moves.

use super::memory::Scope;
use super::operand::{Addr, Pred, PredSrc, Reg, Src};
use crate::parse::Space;

/// `shfl.sync` modes (PTX ISA 9.7.9.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

/// Folds two members' values into one (`redux.sync`).
pub(crate) type Fold = fn(u64, u64) -> u64;

/// An operation of one warp's lanes together, under a member mask.
#[derive(Debug)]
pub(crate) enum Collective {
    Shuffle {
        mode: Shuffle,
        d: Reg,
        p: Option<Pred>,
        a: Src,
        b: Src,
        c: Src,
    },
    VoteAll {
        d: Pred,
        a: PredSrc,
    },
    VoteAny {
        d: Pred,
        a: PredSrc,
    },
    VoteUniform {
        d: Pred,
        a: PredSrc,
    },
    Ballot {
        d: Reg,
        a: PredSrc,
    },
    MatchAny {
        d: Reg,
        a: Src,
    },
    MatchAll {
        d: Reg,
        p: Option<Pred>,
        a: Src,
    },
    Reduce {
        d: Reg,
        a: Src,
        fold: Fold,
    },
    Elect {
        d: Reg,
        p: Pred,
    },
    /// `bar.warp.sync`.
    Barrier,
}

/// A [`Collective`] with its member mask.
#[derive(Debug)]
pub(crate) struct WarpOp {
    pub(crate) what: Collective,
    pub(crate) members: Src,
}

/// `bar.red` operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BarrierReduce {
    And(Pred),
    Or(Pred),
    Popc(Reg),
}

/// `bar` and `barrier` (PTX ISA 9.7.13.1).
#[derive(Debug)]
pub(crate) struct BarrierOp {
    pub(crate) id: Src,
    /// The number of threads that take part; none means all of the block.
    pub(crate) threads: Option<Src>,
    /// Every lane of the warp must be at this instruction.
    pub(crate) aligned: bool,
    /// Whether the thread waits, or only arrives.
    pub(crate) wait: bool,
    pub(crate) reduce: Option<(BarrierReduce, PredSrc)>,
}

/// `barrier.cluster` (PTX ISA 9.7.13.3).
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClusterBarrier {
    pub(crate) wait: bool,
    pub(crate) aligned: bool,
    /// Releases (on arrival) or acquires (on waiting), rather than relaxed.
    pub(crate) ordered: bool,
}

/// `mbarrier.*` (PTX ISA 9.7.13.15).
#[derive(Debug)]
pub(crate) struct Mbarrier {
    pub(crate) space: Space,
    pub(crate) addr: Addr,
    pub(crate) what: MbarrierOp,
}

#[derive(Debug)]
pub(crate) enum MbarrierOp {
    Init {
        count: Src,
    },
    Inval,
    ExpectTx {
        bytes: Src,
    },
    CompleteTx {
        bytes: Src,
    },
    Arrive {
        state: Option<Reg>,
        /// The number of arrivals counted; one if the instruction states none.
        count: Src,
        expect: Option<Src>,
        /// Also lowers the expected count of later phases.
        drop: bool,
        /// `.noComplete`: must not complete the phase.
        no_complete: bool,
        release: Option<Scope>,
    },
    Test {
        d: Pred,
        state: Src,
        /// `state` is the parity of the phase rather than an arrival's state.
        parity: bool,
        acquire: Option<Scope>,
    },
}

/// `ldmatrix` and `stmatrix` of 8×8 16-bit matrices (PTX ISA 9.7.14.5.15, 9.7.14.5.16).
#[derive(Debug)]
pub(crate) struct Matrix {
    pub(crate) load: bool,
    pub(crate) transposed: bool,
    pub(crate) space: Space,
    pub(crate) addr: Addr,
    /// One register for each matrix.
    pub(crate) regs: Box<[Src]>,
}
