; A copy in 16-byte pieces, a loop of arithmetic, and a copy through shared memory with a barrier.
target triple = "nvptx64-nvidia-cuda"
@stage = internal addrspace(3) global [1024 x i32] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; out[i] = in[i] for n pieces, in steps of the grid.
define ptx_kernel void @copy(ptr addrspace(1) noalias align 16 %in, ptr addrspace(1) noalias align 16 %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %f0 = mul i32 %b, %d
  %first = add i32 %f0, %t
  %step = mul i32 %d, %g
  %any = icmp slt i32 %first, %n
  br i1 %any, label %loop, label %done
loop:
  %i = phi i32 [ %first, %entry ], [ %i1, %loop ]
  %p = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %i
  %x = load <4 x i32>, ptr addrspace(1) %p
  %q = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %i
  store <4 x i32> %x, ptr addrspace(1) %q
  %i1 = add i32 %i, %step
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %loop, label %done, !llvm.loop !0
done:
  ret void
}

define ptx_kernel void @arithmetic(ptr addrspace(1) %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %tf = sitofp i32 %t to float
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %h = phi i32 [ %t, %entry ], [ %h3, %loop ]
  %f = phi float [ %tf, %entry ], [ %f1, %loop ]
  %h0 = mul i32 %h, 1664525
  %h1 = add i32 %h0, %i
  %h2 = lshr i32 %h1, 13
  %h3 = xor i32 %h1, %h2
  %f1 = call float @llvm.fma.f32(float %f, float 0.5, float 1.25)
  %i1 = add i32 %i, 1
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %loop, label %done, !llvm.loop !0
done:
  %fi = bitcast float %f1 to i32
  %r = xor i32 %h3, %fi
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %p
  ret void
}

; Tiles of 1024 words go through shared memory, 256 threads, 16 bytes each.
define ptx_kernel void @staged(ptr addrspace(1) noalias align 16 %in, ptr addrspace(1) noalias align 16 %out, i32 %tiles) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = getelementptr <4 x i32>, ptr addrspace(3) @stage, i32 %t
  %r = sub i32 255, %t
  %u = getelementptr <4 x i32>, ptr addrspace(3) @stage, i32 %r
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %b = mul i32 %i, 256
  %e = add i32 %b, %t
  %p = getelementptr <4 x i32>, ptr addrspace(1) %in, i32 %e
  %x = load <4 x i32>, ptr addrspace(1) %p
  store <4 x i32> %x, ptr addrspace(3) %s
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %y = load <4 x i32>, ptr addrspace(3) %u
  %q = getelementptr <4 x i32>, ptr addrspace(1) %out, i32 %e
  store <4 x i32> %y, ptr addrspace(1) %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %i1 = add i32 %i, 1
  %more = icmp slt i32 %i1, %tiles
  br i1 %more, label %loop, label %done, !llvm.loop !0
done:
  ret void
}
declare float @llvm.fma.f32(float, float, float)
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
