; 16-byte asynchronous copies of 128 threads; thread t then stores what thread t ^ 1 has copied.
target triple = "nvptx64-nvidia-cuda"
@buf = internal addrspace(3) global [128 x <4 x i32>] undef, align 16
@bar = internal addrspace(3) global i64 undef, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
declare void @llvm.nvvm.cp.async.mbarrier.arrive.noinc.shared(ptr addrspace(3))
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)

define internal void @issue(ptr addrspace(1) %in) alwaysinline {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %t
  %s = getelementptr <4 x i32>, ptr addrspace(3) @buf, i32 %t
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %s, ptr addrspace(1) %p)
  ret void
}

define internal void @take(ptr addrspace(1) %out) alwaysinline {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = xor i32 %t, 1
  %s = getelementptr <4 x i32>, ptr addrspace(3) @buf, i32 %u
  %x = load <4 x i32>, ptr addrspace(3) %s
  %q = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %t
  store <4 x i32> %x, ptr addrspace(1) %q
  ret void
}

define ptx_kernel void @groups(ptr addrspace(1) align 16 %in, ptr addrspace(1) align 16 %out) {
  call void @issue(ptr addrspace(1) %in)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @take(ptr addrspace(1) %out)
  ret void
}

; Wrong: one group may still be pending.
define ptx_kernel void @early(ptr addrspace(1) align 16 %in, ptr addrspace(1) align 16 %out) {
  call void @issue(ptr addrspace(1) %in)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 1)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @take(ptr addrspace(1) %out)
  ret void
}

; Wrong: waiting orders a thread after its own copies only.
define ptx_kernel void @no_barrier(ptr addrspace(1) align 16 %in, ptr addrspace(1) align 16 %out) {
  call void @issue(ptr addrspace(1) %in)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 0)
  call void @take(ptr addrspace(1) %out)
  ret void
}

; The copies arrive at an mbarrier for their threads.
define ptx_kernel void @by_mbarrier(ptr addrspace(1) align 16 %in, ptr addrspace(1) align 16 %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lead = icmp eq i32 %t, 0
  br i1 %lead, label %setup, label %ready
setup:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 128)
  br label %ready
ready:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @issue(ptr addrspace(1) %in)
  call void @llvm.nvvm.cp.async.mbarrier.arrive.noinc.shared(ptr addrspace(3) @bar)
  br label %spin
spin:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %done, label %use, label %spin
use:
  call void @take(ptr addrspace(1) %out)
  ret void
}
