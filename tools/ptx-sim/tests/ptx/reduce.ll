; Sums of blocks of 256 threads: shuffles in a warp, then shared memory between warps.
target triple = "nvptx64-nvidia-cuda"
@partial = internal addrspace(3) global [8 x i32] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)

define internal i32 @warp_sum(i32 %x) alwaysinline {
  %a = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %x, i32 16, i32 31)
  %a1 = add i32 %x, %a
  %b = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %a1, i32 8, i32 31)
  %b1 = add i32 %a1, %b
  %c = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %b1, i32 4, i32 31)
  %c1 = add i32 %b1, %c
  %d = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %c1, i32 2, i32 31)
  %d1 = add i32 %c1, %d
  %e = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %d1, i32 1, i32 31)
  %e1 = add i32 %d1, %e
  ret i32 %e1
}

define ptx_kernel void @reduce(ptr addrspace(1) noalias align 16 %in, ptr addrspace(1) noalias align 16 %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %b, 256
  %i = add i32 %base, %t
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %x = load i32, ptr addrspace(1) %p
  %w = call i32 @warp_sum(i32 %x)
  %warp = lshr i32 %t, 5
  %lane = and i32 %t, 31
  %first = icmp eq i32 %lane, 0
  br i1 %first, label %put, label %wait
put:
  %s = getelementptr i32, ptr addrspace(3) @partial, i32 %warp
  store i32 %w, ptr addrspace(3) %s
  br label %wait
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %is0 = icmp eq i32 %warp, 0
  br i1 %is0, label %last, label %done
last:
  %has = icmp slt i32 %lane, 8
  br i1 %has, label %get, label %join
get:
  %q = getelementptr i32, ptr addrspace(3) @partial, i32 %lane
  %y = load i32, ptr addrspace(3) %q
  br label %join
join:
  %z = phi i32 [ %y, %get ], [ 0, %last ]
  %sum = call i32 @warp_sum(i32 %z)
  br i1 %first, label %write, label %done
write:
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %b
  store i32 %sum, ptr addrspace(1) %o
  br label %done
done:
  ret void
}
