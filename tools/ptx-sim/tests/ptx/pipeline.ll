; Tiles of 256 words: bulk copies into two stages of shared memory, then out again, plus one to each word.
target triple = "nvptx64-nvidia-cuda"
@stages = internal addrspace(3) global [2 x [256 x i32]] undef, align 128
@full = internal addrspace(3) global [2 x i64] undef, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
declare void @llvm.nvvm.fence.mbarrier_init.release.cluster()
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3), ptr addrspace(3), ptr addrspace(1), i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1), ptr addrspace(3), i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.commit.group()
declare void @llvm.nvvm.cp.async.bulk.wait.group(i32)
declare void @llvm.nvvm.cp.async.bulk.wait.group.read(i32)

define internal void @load(ptr addrspace(1) %in, i32 %tile) alwaysinline {
  %s = and i32 %tile, 1
  %dst = getelementptr [256 x i32], ptr addrspace(3) @stages, i32 %s
  %bar = getelementptr i64, ptr addrspace(3) @full, i32 %s
  %o = mul i32 %tile, 256
  %src = getelementptr i32, ptr addrspace(1) %in, i32 %o
  %t = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) %bar, i32 1024)
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) %dst, ptr addrspace(3) %bar, ptr addrspace(1) %src, i32 1024, i64 0, i1 0)
  ret void
}

; %wait: wait for the load; %fence: fence.proxy.async before the store; %read: wait before a stage is used again;
; %end: wait for the stores before the end.
define internal void @body(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %tiles, i1 %wait, i1 %fence, i1 %read, i1 %end) alwaysinline {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lead = icmp eq i32 %t, 0
  br i1 %lead, label %setup, label %ready
setup:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @full, i32 1)
  %full1 = getelementptr i64, ptr addrspace(3) @full, i32 1
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) %full1, i32 1)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  call void @load(ptr addrspace(1) %in, i32 0)
  br label %ready
ready:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %loop
loop:
  %i = phi i32 [ 0, %ready ], [ %i1, %next ]
  %i1 = add i32 %i, 1
  %another = icmp slt i32 %i1, %tiles
  %ahead = and i1 %lead, %another
  br i1 %ahead, label %issue, label %check
issue:
  ; The other stage was stored in the previous iteration.
  br i1 %read, label %drain, label %fetch
drain:
  call void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 0)
  br label %fetch
fetch:
  call void @load(ptr addrspace(1) %in, i32 %i1)
  br label %check
check:
  %s = and i32 %i, 1
  %bar = getelementptr i64, ptr addrspace(3) @full, i32 %s
  %half = lshr i32 %i, 1
  %parity = and i32 %half, 1
  br i1 %wait, label %spin, label %use
spin:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) %bar, i32 %parity)
  br i1 %done, label %use, label %spin
use:
  %stage = getelementptr [256 x i32], ptr addrspace(3) @stages, i32 %s
  %p = getelementptr i32, ptr addrspace(3) %stage, i32 %t
  %x = load volatile i32, ptr addrspace(3) %p
  %y = add i32 %x, 1
  store i32 %y, ptr addrspace(3) %p
  br i1 %fence, label %proxy, label %meet
proxy:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  br label %meet
meet:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %lead, label %store, label %next
store:
  %o = mul i32 %i, 256
  %dst = getelementptr i32, ptr addrspace(1) %out, i32 %o
  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1) %dst, ptr addrspace(3) %stage, i32 1024, i64 0, i1 0)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  br label %next
next:
  br i1 %another, label %loop, label %finish
finish:
  %last = and i1 %lead, %end
  br i1 %last, label %flush, label %exit
flush:
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %exit
exit:
  ret void
}

define ptx_kernel void @right(ptr addrspace(1) align 16 %in, ptr addrspace(1) align 16 %out, i32 %tiles) {
  call void @body(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %tiles, i1 1, i1 1, i1 1, i1 1)
  ret void
}
define ptx_kernel void @no_wait(ptr addrspace(1) align 16 %in, ptr addrspace(1) align 16 %out, i32 %tiles) {
  call void @body(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %tiles, i1 0, i1 1, i1 1, i1 1)
  ret void
}
define ptx_kernel void @no_fence(ptr addrspace(1) align 16 %in, ptr addrspace(1) align 16 %out, i32 %tiles) {
  call void @body(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %tiles, i1 1, i1 0, i1 1, i1 1)
  ret void
}
define ptx_kernel void @no_drain(ptr addrspace(1) align 16 %in, ptr addrspace(1) align 16 %out, i32 %tiles) {
  call void @body(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %tiles, i1 1, i1 1, i1 0, i1 1)
  ret void
}
define ptx_kernel void @no_flush(ptr addrspace(1) align 16 %in, ptr addrspace(1) align 16 %out, i32 %tiles) {
  call void @body(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %tiles, i1 1, i1 1, i1 1, i1 0)
  ret void
}
