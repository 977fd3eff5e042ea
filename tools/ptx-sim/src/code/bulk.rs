//! Bulk asynchronous copies (PTX ISA 9.7.9.25.4, 9.7.9.27), and prefetches.

use super::boxes::{BoxCopy, Corner};
use super::memory::Reduction;
use super::operand::{Addr, Src};
use crate::parse::Space;

/// A bulk asynchronous copy, or an instruction that waits for it (PTX ISA 9.7.9.25.4).
#[derive(Debug)]
pub(crate) enum Bulk {
    Copy(BulkCopy),
    Box(BoxCopy),
    Store(AsyncStore),
    Commit,
    Wait { pending: u64, read: bool },
}

#[derive(Debug)]
pub(crate) struct BulkCopy {
    pub(crate) dst_space: Space,
    pub(crate) src_space: Space,
    pub(crate) dst: Addr,
    pub(crate) src: Addr,
    pub(crate) size: Src,
    /// The barrier that counts the bytes; none: the copy belongs to a bulk group.
    pub(crate) barrier: Option<Addr>,
    /// The blocks of the cluster that receive the data.
    pub(crate) multicast: Option<Src>,
    /// The reduction of the source's words into the target's; none: the source's words replace them.
    pub(crate) reduction: Option<Reduction>,
}

/// `st.async`: values to the shared memory of a block of the cluster, whose barrier counts their bytes (PTX ISA 9.7.9.13).
#[derive(Debug)]
pub(crate) struct AsyncStore {
    pub(crate) dst: Addr,
    pub(crate) values: Box<[Src]>,
    /// Bytes of a value.
    pub(crate) bytes: u32,
    pub(crate) barrier: Addr,
}

/// What a prefetch brings into a cache.
#[derive(Debug)]
pub(crate) enum Prefetch {
    /// `prefetch.global.L2`: the line that contains the address.
    Line(Addr),
    /// `cp.async.bulk.prefetch.L2.global`: this many bytes.
    Bytes { addr: Addr, size: Src },
    /// `cp.async.bulk.prefetch.tensor`: a box of a tensor.
    Box(Corner),
    /// `prefetch.tensormap`.
    TensorMap { addr: Addr, space: Space },
}
