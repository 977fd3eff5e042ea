; Boxes of 64x16 elements of 16 bits, through maps that are parameters: each block loads one, with a swizzle of 128 bytes,
; prefetches the next, and stores it through another map, or adds it.
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [2048 x i8] undef, align 1024
@full = internal addrspace(3) global i64 undef, align 8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
declare void @llvm.nvvm.prefetch.tensormap.p0(ptr)
declare void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7), ptr addrspace(3), ptr, i32, i32, i16, i64, i1, i1, i32)
declare void @llvm.nvvm.cp.async.bulk.tensor.prefetch.tile.2d(ptr, i32, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3), ptr, i32, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.tensor.reduce.add.tile.2d(ptr addrspace(3), ptr, i32, i32, i64, i1)
declare void @llvm.nvvm.cp.async.bulk.commit.group()
declare void @llvm.nvvm.cp.async.bulk.wait.group(i32)

define internal void @body(ptr %from, ptr %to, i1 %wait, i1 %add, i1 %end) alwaysinline {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %row = mul i32 %b, 16
  %next = add i32 %row, 16
  %lead = icmp eq i32 %t, 0
  br i1 %lead, label %setup, label %ready
setup:
  call void @llvm.nvvm.prefetch.tensormap.p0(ptr %from)
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @full, i32 1)
  %token = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @full, i32 2048)
  %dst = addrspacecast ptr addrspace(3) @tile to ptr addrspace(7)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) %dst, ptr addrspace(3) @full, ptr %from, i32 0, i32 %row, i16 0, i64 0, i1 false, i1 false, i32 0)
  call void @llvm.nvvm.cp.async.bulk.tensor.prefetch.tile.2d(ptr %from, i32 0, i32 %next, i64 0, i1 false)
  br label %ready
ready:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %wait, label %poll, label %loaded
poll:
  %done = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @full, i32 0)
  br i1 %done, label %loaded, label %poll
loaded:
  ; Each thread adds one to its two elements.
  %word = getelementptr <2 x i16>, ptr addrspace(3) @tile, i32 %t
  %value = load <2 x i16>, ptr addrspace(3) %word
  %more = add <2 x i16> %value, splat (i16 1)
  store <2 x i16> %more, ptr addrspace(3) %word
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %lead, label %out, label %done_all
out:
  br i1 %add, label %reduce, label %store
reduce:
  call void @llvm.nvvm.cp.async.bulk.tensor.reduce.add.tile.2d(ptr addrspace(3) @tile, ptr %to, i32 0, i32 %row, i64 0, i1 false)
  br label %commit
store:
  call void @llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d(ptr addrspace(3) @tile, ptr %to, i32 0, i32 %row, i64 0, i1 false)
  br label %commit
commit:
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  br i1 %end, label %drain, label %done_all
drain:
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  br label %done_all
done_all:
  ret void
}

define ptx_kernel void @right(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %from, ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %to, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  call void @body(ptr %from, ptr %to, i1 true, i1 false, i1 true)
  ret void
}

define ptx_kernel void @added(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %from, ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %to, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  call void @body(ptr %from, ptr %to, i1 true, i1 true, i1 true)
  ret void
}

define ptx_kernel void @no_wait(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %from, ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %to, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  call void @body(ptr %from, ptr %to, i1 false, i1 false, i1 true)
  ret void
}

define ptx_kernel void @no_flush(ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %from, ptr byval([128 x i8]) align 64 "nvvm.grid_constant" %to, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  call void @body(ptr %from, ptr %to, i1 true, i1 false, i1 false)
  ret void
}

; A parameter that is not constant: LLVM copies the map to local memory, where no instruction takes it.
define ptx_kernel void @local(ptr byval([128 x i8]) align 64 %from, ptr byval([128 x i8]) align 64 %to, ptr addrspace(1) %in, ptr addrspace(1) %out) {
  store i8 1, ptr %from
  call void @body(ptr %from, ptr %to, i1 true, i1 false, i1 true)
  ret void
}
