//! Asynchronous copies of whole tiles, and the mbarriers in shared memory that complete them.

use tile_ops::llvm_type::Space;
use tile_ops::{llvm, nvvm};

use super::{Kit, Val};

impl<'c: 'a, 'a> Kit<'c, 'a> {
    /// Initialises an mbarrier that completes a phase after `arrivals` arrivals.
    pub fn mbarrier_init(self, barrier: Val<'c, 'a>, arrivals: i64) {
        nvvm::mbarrier_init(self.builder, barrier, self.i32(arrivals)).build();
    }

    /// Makes initialised mbarriers visible to asynchronous copies.
    pub fn mbarrier_init_fence(self) {
        nvvm::fence_mbarrier_init(self.builder).build();
    }

    /// Arrives at an mbarrier; the thread's earlier accesses are visible to the threads that wait for the phase.
    pub fn arrive(self, barrier: Val<'c, 'a>) {
        nvvm::mbarrier_arrive(self.builder, barrier).build();
    }

    /// Arrives for `arrivals` threads.
    pub fn arrive_often(self, barrier: Val<'c, 'a>, arrivals: i64) {
        nvvm::mbarrier_arrive(self.builder, barrier).count(self.i32(arrivals)).build();
    }

    /// Arrives, and makes the phase wait for so many more bytes (i32) of copies.
    pub fn arrive_expecting(self, barrier: Val<'c, 'a>, bytes: Val<'c, 'a>) {
        nvvm::mbarrier_arrive_expect_tx(self.builder, barrier, bytes).build();
    }

    /// Waits until the phase with the given parity is complete.
    pub fn wait(self, barrier: Val<'c, 'a>, parity: Val<'c, 'a>) {
        self.repeat([], |kit, []| {
            let done = nvvm::mbarrier_try_wait(kit.builder, barrier, parity).value();
            (kit.not(done), [])
        });
    }

    /// Copies bytes (i32) from global to shared memory; the mbarrier counts them.
    pub fn copy_in(self, to: Val<'c, 'a>, from: Val<'c, 'a>, bytes: Val<'c, 'a>, barrier: Val<'c, 'a>) {
        let to = llvm::addrspacecast(self.builder, to, self.pointer(Space::Cluster)).value();
        nvvm::cp_async_bulk_shared_cluster_global(self.builder, to, from, barrier, bytes).build();
    }

    /// Copies 4, 8 or 16 bytes from global to shared memory, as part of the thread's next group.
    pub fn copy_vector_in(self, to: Val<'c, 'a>, from: Val<'c, 'a>, bytes: i64) {
        // Only whole vectors pass by the L1.
        let modifier = if bytes == 16 { nvvm::LoadCacheModifierKind::Cg } else { nvvm::LoadCacheModifierKind::Ca };
        nvvm::cp_async_shared_global(self.builder, to, from, bytes, modifier).build();
    }

    /// Ends the thread's group of copies of vectors.
    pub fn commit_vectors(self) {
        nvvm::cp_async_commit_group(self.builder).build();
    }

    /// Waits until all of the thread's copies of vectors are complete.
    pub fn wait_vectors(self) {
        nvvm::cp_async_wait_group(self.builder, 0).build();
    }

    /// Copies bytes (i32) from shared to global memory, as a separate bulk group.
    pub fn copy_out(self, to: Val<'c, 'a>, from: Val<'c, 'a>, bytes: Val<'c, 'a>) {
        nvvm::cp_async_bulk_global_shared_cta(self.builder, to, from, bytes).build();
        nvvm::cp_async_bulk_commit_group(self.builder).build();
    }

    /// Waits until all but the newest `left` groups of the thread have read shared memory.
    pub fn wait_copied_out(self, left: i64) {
        nvvm::cp_async_bulk_wait_group(self.builder, left).read(true).build();
    }

    /// Makes the thread's writes to shared memory visible to asynchronous copies.
    pub fn fence_for_copies(self) {
        let fence = nvvm::fence_proxy(self.builder, nvvm::ProxyKind::AsyncShared);
        fence.space(nvvm::SharedSpace::SharedCta).build();
    }

    /// Synchronises `threads` threads of the block, whole warps, at barrier `id`.
    pub fn meet(self, id: i64, threads: i64) {
        nvvm::barrier(self.builder).barrier_id(self.i32(id)).number_of_threads(self.i32(threads)).build();
    }

    /// Sleeps for about `nanoseconds` nanoseconds.
    pub fn sleep(self, nanoseconds: i64) {
        nvvm::nanosleep(self.builder, self.i32(nanoseconds)).build();
    }

    /// A policy that gives all of an access an eviction priority in L2.
    pub fn cache_policy(self, priority: &str) -> Val<'c, 'a> {
        let text = format!("createpolicy.fractional.{priority}.b64 $0;");
        self.pure_assembly(&text, "=l", &[], self.int_type(64))
    }
}
