//! The queues of asynchronous operations, whose groups a thread or a warp closes and waits for.

/// A thread's asynchronous operations that are waited for together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Queue {
    /// The groups of `cp.async`.
    CpAsync,
    /// Bulk groups: of `cp.async.bulk`, with or without a tensor map.
    BulkGroups,
    /// No groups: `tcgen05.wait::ld` waits for all loads from tensor memory.
    TmemLoad,
    /// No groups: `tcgen05.wait::st` waits for all stores to it. Products that their own op waits for count as such.
    TmemStore,
    /// No groups: `tcgen05.commit` names the mbarrier that tracks all earlier `tcgen05.cp`.
    TmemCopy,
    /// The products of `wgmma.mma_async`, which are grouped per warpgroup.
    Product,
}

impl Queue {
    /// The number of queues.
    pub const COUNT: usize = 6;

    /// Whether it belongs to tensor memory: whole warps wait for all of it, without closing groups.
    pub fn is_of_tensor(self) -> bool {
        matches!(self, Queue::TmemLoad | Queue::TmemStore | Queue::TmemCopy)
    }

    /// The most groups that a wait may leave in flight.
    pub fn most_pending(self) -> i64 {
        if self == Queue::Product { 7 } else { 64 }
    }

    /// The number of consecutive warps that close its groups and wait for them together; 0 where each thread does so
    /// alone.
    pub fn warps(self) -> u32 {
        match self {
            Queue::CpAsync | Queue::BulkGroups => 0,
            Queue::TmemLoad | Queue::TmemStore | Queue::TmemCopy => 1,
            Queue::Product => 4,
        }
    }
}
