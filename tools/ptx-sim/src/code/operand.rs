//! Operands with every name resolved.

/// A register: its index in the warp's register file. A 128-bit register takes this index and the next.
pub(crate) type Reg = u32;
/// A predicate register: its index in the warp's predicate file.
pub(crate) type Pred = u32;

/// The register that discards what is written to `_`.
pub(crate) const SINK: Reg = 0;

/// A value that an instruction reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Src {
    Reg(Reg),
    Imm(u64),
    Special(Special),
    /// The address of a variable (index into the program's symbols) plus an offset.
    Symbol(u32, i64),
    /// An address in the memory of a recursive function, for its first call.
    Frame(u64),
}

/// A predicate that an instruction reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PredSrc {
    Reg {
        index: Pred,
        negate: bool,
    },
    /// The same in every lane.
    Const(bool),
}

/// `[base + offset]`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Addr {
    pub(crate) base: Src,
    pub(crate) offset: i64,
    pub(crate) within: Within,
}

/// The shared variables that an access may touch: it must stay inside one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Within {
    /// Any variable.
    Any,
    /// The variable of this symbol.
    One(u32),
    /// One variable of this set of the program.
    Set(u32),
}

/// Special registers (PTX ISA 10).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Special {
    Tid(usize),
    Ntid(usize),
    Ctaid(usize),
    Nctaid(usize),
    Clusterid(usize),
    Nclusterid(usize),
    ClusterCtaid(usize),
    ClusterNctaid(usize),
    ClusterCtarank,
    ClusterNctarank,
    IsExplicitCluster,
    Laneid,
    Warpid,
    Nwarpid,
    Gridid,
    Smid,
    Nsmid,
    LanemaskEq,
    LanemaskLe,
    LanemaskLt,
    LanemaskGe,
    LanemaskGt,
    Clock,
    ClockHi,
    Clock64,
    GlobalTimer,
    GlobalTimerLo,
    GlobalTimerHi,
    TotalSmemSize,
    AggrSmemSize,
    DynamicSmemSize,
    WarpSize,
    /// A register that the driver fills; 1 and 2 hold the address of the memory through which a grid of a cooperative
    /// launch synchronizes.
    Environment(usize),
    /// The generic address of the thread's local memory, which has no name.
    LocalWindow,
    /// The generic address of the block's shared memory, likewise.
    SharedWindow,
}

impl Special {
    /// The register that `name` names, and its width in bits.
    pub(crate) fn parse(name: &str) -> Option<(Self, u32)> {
        if let Some((root, part)) = name.split_once('.') {
            let axis = ["x", "y", "z"].iter().position(|&p| p == part)?;
            return Some((Self::vector(root, axis)?, 32));
        }
        Some(match name {
            "%clock64" => (Self::Clock64, 64),
            "%globaltimer" => (Self::GlobalTimer, 64),
            "%gridid" => (Self::Gridid, 64),
            "%is_explicit_cluster" => (Self::IsExplicitCluster, 1),
            other => (Self::scalar(other)?, 32),
        })
    }

    fn vector(root: &str, axis: usize) -> Option<Self> {
        Some(match root {
            "%tid" => Self::Tid(axis),
            "%ntid" => Self::Ntid(axis),
            "%ctaid" => Self::Ctaid(axis),
            "%nctaid" => Self::Nctaid(axis),
            "%clusterid" => Self::Clusterid(axis),
            "%nclusterid" => Self::Nclusterid(axis),
            "%cluster_ctaid" => Self::ClusterCtaid(axis),
            "%cluster_nctaid" => Self::ClusterNctaid(axis),
            _ => return None,
        })
    }

    fn scalar(name: &str) -> Option<Self> {
        Some(match name {
            "%laneid" => Self::Laneid,
            "%warpid" => Self::Warpid,
            "%nwarpid" => Self::Nwarpid,
            "%smid" => Self::Smid,
            "%nsmid" => Self::Nsmid,
            "%lanemask_eq" => Self::LanemaskEq,
            "%lanemask_le" => Self::LanemaskLe,
            "%lanemask_lt" => Self::LanemaskLt,
            "%lanemask_ge" => Self::LanemaskGe,
            "%lanemask_gt" => Self::LanemaskGt,
            "%clock" => Self::Clock,
            "%clock_hi" => Self::ClockHi,
            "%globaltimer_lo" => Self::GlobalTimerLo,
            "%globaltimer_hi" => Self::GlobalTimerHi,
            "%cluster_ctarank" => Self::ClusterCtarank,
            "%cluster_nctarank" => Self::ClusterNctarank,
            "%total_smem_size" => Self::TotalSmemSize,
            "%aggr_smem_size" => Self::AggrSmemSize,
            "%dynamic_smem_size" => Self::DynamicSmemSize,
            "WARP_SZ" => Self::WarpSize,
            other => Self::Environment(other.strip_prefix("%envreg")?.parse().ok().filter(|&number| number < 32)?),
        })
    }

    /// Whether the value changes by itself, so that a loop that reads it is not stuck.
    pub(crate) fn is_time(self) -> bool {
        use Special::*;
        matches!(self, Clock | ClockHi | Clock64 | GlobalTimer | GlobalTimerLo | GlobalTimerHi)
    }
}
