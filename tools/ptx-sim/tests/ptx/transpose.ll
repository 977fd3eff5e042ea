; Transposes 32x32 floats with 8 rows of threads, through shared memory of 33 columns (padded) or 32 (not padded).
target triple = "nvptx64-nvidia-cuda"
@padded = internal addrspace(3) global [1056 x float] undef, align 16
@plain = internal addrspace(3) global [1024 x float] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define internal void @tile(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(3) %s, i32 %pitch) alwaysinline {
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  br label %load
load:
  %k = phi i32 [ 0, %entry ], [ %k1, %load ]
  %r0 = mul i32 %k, 8
  %r = add i32 %r0, %y
  %g0 = mul i32 %r, 32
  %g = add i32 %g0, %x
  %p = getelementptr float, ptr addrspace(1) %in, i32 %g
  %v = load float, ptr addrspace(1) %p
  %s0 = mul i32 %r, %pitch
  %s1 = add i32 %s0, %x
  %q = getelementptr float, ptr addrspace(3) %s, i32 %s1
  store float %v, ptr addrspace(3) %q
  %k1 = add i32 %k, 1
  %more = icmp slt i32 %k1, 4
  br i1 %more, label %load, label %wait
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %store
store:
  %m = phi i32 [ 0, %wait ], [ %m1, %store ]
  %t0 = mul i32 %m, 8
  %t = add i32 %t0, %y
  %u0 = mul i32 %x, %pitch
  %u1 = add i32 %u0, %t
  %u = getelementptr float, ptr addrspace(3) %s, i32 %u1
  %w = load float, ptr addrspace(3) %u
  %h0 = mul i32 %t, 32
  %h = add i32 %h0, %x
  %o = getelementptr float, ptr addrspace(1) %out, i32 %h
  store float %w, ptr addrspace(1) %o
  %m1 = add i32 %m, 1
  %again = icmp slt i32 %m1, 4
  br i1 %again, label %store, label %done
done:
  ret void
}

define ptx_kernel void @transpose_padded(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {
  call void @tile(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(3) @padded, i32 33)
  ret void
}

define ptx_kernel void @transpose_plain(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) {
  call void @tile(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(3) @plain, i32 32)
  ret void
}
