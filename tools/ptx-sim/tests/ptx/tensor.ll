; Shared memory to tensor memory, and back through registers: 128 threads.
target triple = "nvptx64-nvidia-cuda"
@source = internal addrspace(3) global [128 x <4 x i32>] undef, align 1024
@base = internal addrspace(3) global i32 undef, align 4
@bar = internal addrspace(3) global i64 undef, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.tcgen05.alloc.shared.cg1(ptr addrspace(3), i32)
declare void @llvm.nvvm.tcgen05.dealloc.cg1(ptr addrspace(6), i32)
declare void @llvm.nvvm.tcgen05.commit.shared.cg1(ptr addrspace(3))
declare void @llvm.nvvm.tcgen05.wait.ld()
declare void @llvm.nvvm.tcgen05.fence.after.thread.sync()
declare void @llvm.nvvm.tcgen05.cp.128x128b.cg1(ptr addrspace(6), i64)
declare void @llvm.nvvm.tcgen05.cp.32x128b_warpx4.cg1(ptr addrspace(6), i64)
declare <4 x i32> @llvm.nvvm.tcgen05.ld.32x32b.x4(ptr addrspace(6), i1)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.fence.proxy.async.shared_cta()

define internal void @body(ptr addrspace(1) %in, ptr addrspace(1) %out, i1 %wide, i1 %await, i1 %free) alwaysinline {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w = lshr i32 %t, 5
  %warp0 = icmp eq i32 %w, 0
  %lead = icmp eq i32 %t, 0
  br i1 %warp0, label %alloc, label %fill
alloc:
  call void @llvm.nvvm.tcgen05.alloc.shared.cg1(ptr addrspace(3) @base, i32 32)
  br label %fill
fill:
  br i1 %lead, label %setup, label %load
setup:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  br label %load
load:
  %p = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %t
  %x = load <4 x i32>, ptr addrspace(1) %p
  %s = getelementptr <4 x i32>, ptr addrspace(3) @source, i32 %t
  store <4 x i32> %x, ptr addrspace(3) %s
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %a = load i32, ptr addrspace(3) @base
  %taddr = inttoptr i32 %a to ptr addrspace(6)
  br i1 %lead, label %issue, label %meet
issue:
  ; Groups of eight rows are 128 bytes apart, no swizzle.
  %at = ptrtoint ptr addrspace(3) @source to i64
  %field = lshr i64 %at, 4
  %d = or i64 %field, 70403103916032
  br i1 %wide, label %all, label %quarter
all:
  call void @llvm.nvvm.tcgen05.cp.128x128b.cg1(ptr addrspace(6) %taddr, i64 %d)
  br label %commit
quarter:
  call void @llvm.nvvm.tcgen05.cp.32x128b_warpx4.cg1(ptr addrspace(6) %taddr, i64 %d)
  br label %commit
commit:
  call void @llvm.nvvm.tcgen05.commit.shared.cg1(ptr addrspace(3) @bar)
  br label %meet
meet:
  br i1 %await, label %spin, label %read
spin:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %done, label %read, label %spin
read:
  call void @llvm.nvvm.tcgen05.fence.after.thread.sync()
  %row = mul i32 %w, 2097152
  %mine = add i32 %a, %row
  %maddr = inttoptr i32 %mine to ptr addrspace(6)
  %v = call <4 x i32> @llvm.nvvm.tcgen05.ld.32x32b.x4(ptr addrspace(6) %maddr, i1 0)
  call void @llvm.nvvm.tcgen05.wait.ld()
  %q = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %t
  store <4 x i32> %v, ptr addrspace(1) %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %frees = and i1 %free, %warp0
  br i1 %frees, label %dealloc, label %end
dealloc:
  call void @llvm.nvvm.tcgen05.dealloc.cg1(ptr addrspace(6) %taddr, i32 32)
  br label %end
end:
  ret void
}

define ptx_kernel void @rows(ptr addrspace(1) align 16 %in, ptr addrspace(1) align 16 %out) {
  call void @body(ptr addrspace(1) %in, ptr addrspace(1) %out, i1 1, i1 1, i1 1)
  ret void
}
define ptx_kernel void @multicast(ptr addrspace(1) align 16 %in, ptr addrspace(1) align 16 %out) {
  call void @body(ptr addrspace(1) %in, ptr addrspace(1) %out, i1 0, i1 1, i1 1)
  ret void
}
define ptx_kernel void @no_wait(ptr addrspace(1) align 16 %in, ptr addrspace(1) align 16 %out) {
  call void @body(ptr addrspace(1) %in, ptr addrspace(1) %out, i1 1, i1 0, i1 1)
  ret void
}
define ptx_kernel void @leak(ptr addrspace(1) align 16 %in, ptr addrspace(1) align 16 %out) {
  call void @body(ptr addrspace(1) %in, ptr addrspace(1) %out, i1 1, i1 1, i1 0)
  ret void
}
