//! Accesses to memory, and their order and scope (PTX ISA 8.6, 8.7).

use super::operand::{Addr, Pred, PredSrc, Reg, Src};
use crate::parse::Space;

/// The set of threads with which an operation may synchronize.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Scope {
    Cta,
    Cluster,
    Gpu,
    Sys,
}

impl Scope {
    pub(crate) fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "cta" => Self::Cta,
            "cluster" => Self::Cluster,
            "gpu" => Self::Gpu,
            "sys" => Self::Sys,
            _ => return None,
        })
    }
}

/// How one access takes part in synchronization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Order {
    /// The scope of a strong access; a weak one has none.
    pub(crate) scope: Option<Scope>,
    pub(crate) acquire: bool,
    pub(crate) release: bool,
}

impl Order {
    pub(crate) const WEAK: Self = Self { scope: None, acquire: false, release: false };

    pub(crate) fn strong(scope: Scope, acquire: bool, release: bool) -> Self {
        Self { scope: Some(scope), acquire, release }
    }
}

/// `ld` of every width (PTX ISA 9.7.9.8).
#[derive(Debug)]
pub(crate) struct Load {
    pub(crate) space: Space,
    pub(crate) order: Order,
    pub(crate) addr: Addr,
    /// One register for each element, the one at the lowest address first.
    pub(crate) dst: Box<[Reg]>,
    /// Bytes of one element: 1, 2, 4 or 8.
    pub(crate) element: u32,
    /// Elements are read as signed and extended to this many bits; 0 for zero-extension.
    pub(crate) extend: u32,
    /// Bytes of one atomic unit of access: the element's, or 16 for `b128`.
    pub(crate) unit: u32,
    /// A mask of the bytes that are read, with the one at the lowest address in bit 0; the others are not accessed and
    /// have no value.
    pub(crate) used: u32,
    /// `.nc` or `ldu`: the bytes must not be written while the kernel runs.
    pub(crate) constant: bool,
}

impl Load {
    /// Bytes of the whole access.
    pub(crate) fn bytes(&self) -> usize {
        self.element as usize * self.dst.len()
    }

    /// Whether some bytes are not accessed.
    pub(crate) fn is_masked(&self) -> bool {
        let all = u64::from(self.used) | !0 << self.bytes().min(32);
        all != u64::MAX
    }
}

/// `st` of every width (PTX ISA 9.7.9.11).
#[derive(Debug)]
pub(crate) struct Store {
    pub(crate) space: Space,
    pub(crate) order: Order,
    pub(crate) addr: Addr,
    pub(crate) src: Box<[Src]>,
    pub(crate) element: u32,
    pub(crate) unit: u32,
    /// Elements that come from [`SINK`](super::SINK) are not written.
    pub(crate) masked: bool,
}

/// Computes the new value from the old one and the operands.
pub(crate) type Update = fn(u128, u128, u128) -> u128;

/// `atom` and `red` (PTX ISA 9.7.13.5, 9.7.13.6).
#[derive(Debug)]
pub(crate) struct Atomic {
    pub(crate) space: Space,
    pub(crate) order: Order,
    pub(crate) addr: Addr,
    pub(crate) update: Update,
    /// Bytes of the word: 2 to 16.
    pub(crate) bytes: u32,
    /// The register for the old value; `red` has none. 16 bytes take this register and the next.
    pub(crate) dst: Option<Reg>,
    pub(crate) a: Src,
    pub(crate) b: Src,
    /// The words after the first, for a `red` of a vector.
    pub(crate) more: Vec<Src>,
}

/// `fence` and `membar` (PTX ISA 9.7.13.4).
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fence {
    /// Orders this thread's accesses at `scope`.
    Thread { scope: Scope, acquire: bool, release: bool },
    /// `fence.proxy.async`: makes accesses ordered before it visible to asynchronous copies.
    ProxyAsync,
    /// `fence.mbarrier_init.release.cluster`.
    MbarrierInit,
    /// Orders nothing that is modelled (aliases of addresses, texture).
    Nothing,
}

/// `isspacep` (PTX ISA 9.7.9).
#[derive(Debug, Clone, Copy)]
pub(crate) struct IsSpace {
    pub(crate) space: Space,
    pub(crate) dst: Pred,
    pub(crate) a: Src,
}

/// `mapa` and `getctarank` (PTX ISA 9.7.9).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mapa {
    pub(crate) dst: Reg,
    pub(crate) a: Src,
    /// The rank of the block whose address is requested (`mapa`); none: the rank of `a` is (`getctarank`).
    pub(crate) rank: Option<Src>,
    /// Whether addresses are in the shared window (32 or 64 bits) rather than generic.
    pub(crate) window: bool,
}

/// `st.bulk`: zeroes shared memory (PTX ISA 9.7.9).
#[derive(Debug, Clone, Copy)]
pub(crate) struct StoreBulk {
    pub(crate) space: Space,
    pub(crate) addr: Addr,
    pub(crate) size: Src,
}

/// A non-bulk asynchronous copy, or an instruction that waits for it (PTX ISA 9.7.9.25.3).
#[derive(Debug)]
pub(crate) enum CpAsync {
    Copy {
        dst: Addr,
        src: Addr,
        /// Bytes written: 4, 8 or 16.
        bytes: u32,
        /// Bytes read; all others are zero.
        read: Option<Src>,
        /// `ignore-src`: in lanes where it is true, nothing is read.
        ignore: Option<PredSrc>,
    },
    Commit,
    /// Waits until at most this many of the latest groups are pending.
    Wait(u64),
    WaitAll,
    /// Arrives on a barrier when the thread's copies so far are complete.
    Arrive {
        addr: Addr,
        space: Space,
        noinc: bool,
    },
}

/// A relaxed atomic update of each word at gpu scope (PTX ISA, cp.reduce.async.bulk).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reduction {
    /// Computes the new word from the old one and the source's.
    pub(crate) update: Update,
    /// Bytes of a word.
    pub(crate) bytes: u32,
}
