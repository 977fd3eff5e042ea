; Blocks of a cluster of two read each other's shared memory.
target triple = "nvptx64-nvidia-cuda"
@word = internal addrspace(3) global [32 x i32] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
declare ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3), i32)
declare void @llvm.nvvm.barrier.cluster.arrive.aligned()
declare void @llvm.nvvm.barrier.cluster.arrive.relaxed.aligned()
declare void @llvm.nvvm.barrier.cluster.wait.aligned()

define internal void @body(ptr addrspace(1) %out, i1 %first, i1 %ordered, i1 %last) alwaysinline {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %r = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %v0 = mul i32 %b, 100
  %v = add i32 %v0, %t
  %mine = getelementptr i32, ptr addrspace(3) @word, i32 %t
  store i32 %v, ptr addrspace(3) %mine
  br i1 %first, label %sync, label %read
sync:
  br i1 %ordered, label %release, label %relaxed
release:
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  br label %wait
relaxed:
  call void @llvm.nvvm.barrier.cluster.arrive.relaxed.aligned()
  br label %wait
wait:
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  br label %read
read:
  %other = xor i32 %r, 1
  %theirs = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %mine, i32 %other)
  %x = load i32, ptr addrspace(7) %theirs
  %i0 = mul i32 %b, 32
  %i = add i32 %i0, %t
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %i
  store i32 %x, ptr addrspace(1) %o
  br i1 %last, label %stay, label %done
stay:
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  br label %done
done:
  ret void
}

define ptx_kernel void @exchange(ptr addrspace(1) %out) {
  call void @body(ptr addrspace(1) %out, i1 1, i1 1, i1 1)
  ret void
}
define ptx_kernel void @no_wait(ptr addrspace(1) %out) {
  call void @body(ptr addrspace(1) %out, i1 0, i1 1, i1 1)
  ret void
}
define ptx_kernel void @unordered(ptr addrspace(1) %out) {
  call void @body(ptr addrspace(1) %out, i1 1, i1 0, i1 1)
  ret void
}
