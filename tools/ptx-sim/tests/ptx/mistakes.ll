; Kernels with one mistake each.
target triple = "nvptx64-nvidia-cuda"
@buf = internal addrspace(3) global [64 x i32] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.bar.warp.sync(i32)

; Every thread writes the same word.
define ptx_kernel void @racy(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %t, ptr addrspace(1) %out
  ret void
}

; Thread t reads what thread 63 - t wrote, without a barrier.
define ptx_kernel void @missing_barrier(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(3) @buf, i32 %t
  store volatile i32 %t, ptr addrspace(3) %p
  %r = sub i32 63, %t
  %q = getelementptr i32, ptr addrspace(3) @buf, i32 %r
  %x = load i32, ptr addrspace(3) %q
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %x, ptr addrspace(1) %o
  ret void
}

; The same with the barrier.
define ptx_kernel void @with_barrier(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(3) @buf, i32 %t
  store i32 %t, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %r = sub i32 63, %t
  %q = getelementptr i32, ptr addrspace(3) @buf, i32 %r
  %x = load i32, ptr addrspace(3) %q
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %x, ptr addrspace(1) %o
  ret void
}

; Lane 0 of one warp writes, the others read: right with bar.warp.sync only.
define ptx_kernel void @warp_exchange(ptr addrspace(1) %out, i1 %sync) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %put, label %join
put:
  store i32 77, ptr addrspace(3) @buf
  br label %join
join:
  br i1 %sync, label %wait, label %get
wait:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  br label %get
get:
  %x = load i32, ptr addrspace(3) @buf
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %x, ptr addrspace(1) %o
  ret void
}

; Writes out[0 .. n]: one too many.
define ptx_kernel void @one_too_many(ptr addrspace(1) %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp sle i32 %t, %n
  br i1 %in, label %put, label %done
put:
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %t, ptr addrspace(1) %o
  br label %done
done:
  ret void
}

define ptx_kernel void @misaligned(ptr addrspace(1) %p) {
  %x = load <4 x i32>, ptr addrspace(1) %p, align 16
  %y = add <4 x i32> %x, <i32 1, i32 1, i32 1, i32 1>
  store <4 x i32> %y, ptr addrspace(1) %p, align 16
  ret void
}

define ptx_kernel void @uninitialized(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(3) @buf, i32 %t
  %x = load i32, ptr addrspace(3) %p
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %x, ptr addrspace(1) %o
  ret void
}

; Half of each warp waits at one barrier, the other half at another.
define ptx_kernel void @divergent() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = and i32 %t, 16
  %is = icmp eq i32 %low, 0
  br i1 %is, label %a, label %b
a:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %end
b:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)
  br label %end
end:
  ret void
}

; Warp 0 waits for 64 threads, warp 1 never comes.
define ptx_kernel void @lonely() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp ult i32 %t, 32
  br i1 %low, label %a, label %end
a:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  br label %end
end:
  ret void
}

; Waits for a word that no thread writes.
define ptx_kernel void @forever(ptr addrspace(1) %flag) {
  br label %spin
spin:
  %f = load atomic i32, ptr addrspace(1) %flag syncscope("device") monotonic, align 4
  %set = icmp eq i32 %f, 1
  br i1 %set, label %done, label %spin
done:
  ret void
}

; Counts forever.
define ptx_kernel void @endless(ptr addrspace(1) %out) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %i1, %loop ]
  store volatile i32 %i, ptr addrspace(1) %out
  %i1 = add i32 %i, 1
  br label %loop
}

; Lane 0 waits for lane 1 of its own warp, which comes later in the program.
define ptx_kernel void @same_warp(ptr addrspace(1) %flag, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %spin, label %after
spin:
  %f = load atomic i32, ptr addrspace(1) %flag syncscope("block") acquire, align 4
  %set = icmp eq i32 %f, 1
  br i1 %set, label %got, label %spin
got:
  store i32 5, ptr addrspace(1) %out
  br label %after
after:
  %second = icmp eq i32 %t, 1
  br i1 %second, label %post, label %done
post:
  store atomic i32 1, ptr addrspace(1) %flag syncscope("block") release, align 4
  br label %done
done:
  ret void
}
