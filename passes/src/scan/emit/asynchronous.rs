//! Asynchronous copies of whole tiles, and the mbarriers in shared memory that complete them.

use super::{Kit, Val};

/// LLVM's number of the shared memory of a cluster, which a block's own lies in.
const CLUSTER: u32 = 7;

impl<'c: 'a, 'a> Kit<'c, 'a> {
    fn effect(self, name: &str, operands: &[Val<'c, 'a>]) {
        self.builder.op(name, operands, &[], &[]);
    }

    /// Makes an mbarrier that completes a phase with so many arrivals.
    pub fn mbarrier_init(self, barrier: Val<'c, 'a>, arrivals: i64) {
        self.effect("nvvm.mbarrier.init", &[barrier, self.i32(arrivals)]);
    }

    /// Lets asynchronous copies know of mbarriers that were made.
    pub fn mbarrier_init_fence(self) {
        self.effect("nvvm.fence.mbarrier.init", &[]);
    }

    /// Arrives at an mbarrier; what the thread did before is seen by those who wait.
    pub fn arrive(self, barrier: Val<'c, 'a>) {
        self.effect("nvvm.mbarrier.arrive", &[barrier]);
    }

    /// Arrives, and lets the phase wait for so many bytes of copies.
    pub fn arrive_expecting(self, barrier: Val<'c, 'a>, bytes: i64) {
        self.effect("nvvm.mbarrier.arrive.expect_tx", &[barrier, self.i32(bytes)]);
    }

    /// Waits until the phase of that parity is complete.
    pub fn wait(self, barrier: Val<'c, 'a>, parity: Val<'c, 'a>) {
        self.repeat([], |kit, []| {
            let done = kit.builder.value("nvvm.mbarrier.try_wait", &[barrier, parity], kit.int_type(1), &[]);
            (kit.not(done), [])
        });
    }

    /// Copies from global to shared memory; the bytes arrive at the mbarrier.
    pub fn copy_in(self, to: Val<'c, 'a>, from: Val<'c, 'a>, bytes: i64, barrier: Val<'c, 'a>) {
        let to = self.builder.value("llvm.addrspacecast", &[to], self.pointer(CLUSTER), &[]);
        let operands = [to, from, barrier, self.i32(bytes)];
        let segments = self.builder.segments(&[1, 1, 1, 1, 0, 0]);
        self.builder.op("nvvm.cp.async.bulk.shared.cluster.global", &operands, &[], &[segments]);
    }

    /// Copies from shared to global memory; a group of its own.
    pub fn copy_out(self, to: Val<'c, 'a>, from: Val<'c, 'a>, bytes: i64) {
        let segments = self.builder.segments(&[1, 1, 1, 0, 0]);
        self.builder.op("nvvm.cp.async.bulk.global.shared.cta", &[to, from, self.i32(bytes)], &[], &[segments]);
        self.effect("nvvm.cp.async.bulk.commit.group", &[]);
    }

    /// Waits until all but the newest `left` groups of the thread have read shared memory.
    pub fn wait_copied_out(self, left: i64) {
        let attributes =
            [("group", self.builder.context.integer_attribute(32, left)), ("read", self.builder.context.unit())];
        self.builder.op("nvvm.cp.async.bulk.wait_group", &[], &[], &attributes);
    }

    /// Lets asynchronous copies see what the thread has written to shared memory.
    pub fn fence_for_copies(self) {
        let attributes = [
            ("kind", self.builder.parse("#nvvm.proxy_kind<async.shared>")),
            ("space", self.builder.parse("#nvvm.shared_space<cta>")),
        ];
        self.builder.op("nvvm.fence.proxy", &[], &[], &attributes);
    }

    /// So many threads of the block, whole warps, meet at barrier `id`.
    pub fn meet(self, id: i64, threads: i64) {
        let segments = self.builder.segments(&[1, 1, 0]);
        self.builder.op("nvvm.barrier", &[self.i32(id), self.i32(threads)], &[], &[segments]);
    }

    /// Does nothing for about so many nanoseconds.
    pub fn sleep(self, nanoseconds: i64) {
        self.effect("nvvm.nanosleep", &[self.i32(nanoseconds)]);
    }
}
