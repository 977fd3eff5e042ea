; Atomics of every operation, order and scope, and operations of the lanes of a warp together, as LLVM compiles them.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; One thread: word k is changed by the operand, and its old value goes to out[k].
define ptx_kernel void @atomics32(ptr addrspace(1) %words, ptr addrspace(1) %out, i32 %x) {
  %p0 = getelementptr i32, ptr addrspace(1) %words, i32 0
  %o0 = atomicrmw xchg ptr addrspace(1) %p0, i32 %x syncscope("block") monotonic
  %q0 = getelementptr i32, ptr addrspace(1) %out, i32 0
  store i32 %o0, ptr addrspace(1) %q0
  %p1 = getelementptr i32, ptr addrspace(1) %words, i32 1
  %o1 = atomicrmw add ptr addrspace(1) %p1, i32 %x syncscope("device") monotonic
  %q1 = getelementptr i32, ptr addrspace(1) %out, i32 1
  store i32 %o1, ptr addrspace(1) %q1
  %p2 = getelementptr i32, ptr addrspace(1) %words, i32 2
  %o2 = atomicrmw sub ptr addrspace(1) %p2, i32 %x syncscope("block") monotonic
  %q2 = getelementptr i32, ptr addrspace(1) %out, i32 2
  store i32 %o2, ptr addrspace(1) %q2
  %p3 = getelementptr i32, ptr addrspace(1) %words, i32 3
  %o3 = atomicrmw and ptr addrspace(1) %p3, i32 %x syncscope("device") monotonic
  %q3 = getelementptr i32, ptr addrspace(1) %out, i32 3
  store i32 %o3, ptr addrspace(1) %q3
  %p4 = getelementptr i32, ptr addrspace(1) %words, i32 4
  %o4 = atomicrmw or ptr addrspace(1) %p4, i32 %x syncscope("block") monotonic
  %q4 = getelementptr i32, ptr addrspace(1) %out, i32 4
  store i32 %o4, ptr addrspace(1) %q4
  %p5 = getelementptr i32, ptr addrspace(1) %words, i32 5
  %o5 = atomicrmw xor ptr addrspace(1) %p5, i32 %x syncscope("device") monotonic
  %q5 = getelementptr i32, ptr addrspace(1) %out, i32 5
  store i32 %o5, ptr addrspace(1) %q5
  %p6 = getelementptr i32, ptr addrspace(1) %words, i32 6
  %o6 = atomicrmw max ptr addrspace(1) %p6, i32 %x syncscope("block") monotonic
  %q6 = getelementptr i32, ptr addrspace(1) %out, i32 6
  store i32 %o6, ptr addrspace(1) %q6
  %p7 = getelementptr i32, ptr addrspace(1) %words, i32 7
  %o7 = atomicrmw min ptr addrspace(1) %p7, i32 %x syncscope("device") monotonic
  %q7 = getelementptr i32, ptr addrspace(1) %out, i32 7
  store i32 %o7, ptr addrspace(1) %q7
  %p8 = getelementptr i32, ptr addrspace(1) %words, i32 8
  %o8 = atomicrmw umax ptr addrspace(1) %p8, i32 %x syncscope("block") monotonic
  %q8 = getelementptr i32, ptr addrspace(1) %out, i32 8
  store i32 %o8, ptr addrspace(1) %q8
  %p9 = getelementptr i32, ptr addrspace(1) %words, i32 9
  %o9 = atomicrmw umin ptr addrspace(1) %p9, i32 %x syncscope("device") monotonic
  %q9 = getelementptr i32, ptr addrspace(1) %out, i32 9
  store i32 %o9, ptr addrspace(1) %q9
  %p10 = getelementptr i32, ptr addrspace(1) %words, i32 10
  %o10 = atomicrmw uinc_wrap ptr addrspace(1) %p10, i32 %x syncscope("block") monotonic
  %q10 = getelementptr i32, ptr addrspace(1) %out, i32 10
  store i32 %o10, ptr addrspace(1) %q10
  %p11 = getelementptr i32, ptr addrspace(1) %words, i32 11
  %o11 = atomicrmw udec_wrap ptr addrspace(1) %p11, i32 %x syncscope("device") monotonic
  %q11 = getelementptr i32, ptr addrspace(1) %out, i32 11
  store i32 %o11, ptr addrspace(1) %q11
  %p12 = getelementptr i32, ptr addrspace(1) %words, i32 12
  %c12 = cmpxchg ptr addrspace(1) %p12, i32 112, i32 %x monotonic monotonic
  %o12 = extractvalue {i32, i1} %c12, 0
  %q12 = getelementptr i32, ptr addrspace(1) %out, i32 12
  store i32 %o12, ptr addrspace(1) %q12
  %p13 = getelementptr i32, ptr addrspace(1) %words, i32 13
  %c13 = cmpxchg ptr addrspace(1) %p13, i32 113, i32 %x acquire acquire
  %o13 = extractvalue {i32, i1} %c13, 0
  %q13 = getelementptr i32, ptr addrspace(1) %out, i32 13
  store i32 %o13, ptr addrspace(1) %q13
  %p14 = getelementptr i32, ptr addrspace(1) %words, i32 14
  %c14 = cmpxchg ptr addrspace(1) %p14, i32 114, i32 %x release monotonic
  %o14 = extractvalue {i32, i1} %c14, 0
  %q14 = getelementptr i32, ptr addrspace(1) %out, i32 14
  store i32 %o14, ptr addrspace(1) %q14
  %p15 = getelementptr i32, ptr addrspace(1) %words, i32 15
  %c15 = cmpxchg ptr addrspace(1) %p15, i32 115, i32 %x acq_rel acquire
  %o15 = extractvalue {i32, i1} %c15, 0
  %q15 = getelementptr i32, ptr addrspace(1) %out, i32 15
  store i32 %o15, ptr addrspace(1) %q15
  %p16 = getelementptr i32, ptr addrspace(1) %words, i32 16
  %c16 = cmpxchg ptr addrspace(1) %p16, i32 116, i32 %x seq_cst seq_cst
  %o16 = extractvalue {i32, i1} %c16, 0
  %q16 = getelementptr i32, ptr addrspace(1) %out, i32 16
  store i32 %o16, ptr addrspace(1) %q16
  %p17 = getelementptr i32, ptr addrspace(1) %words, i32 17
  %o17 = load atomic i32, ptr addrspace(1) %p17 monotonic, align 4
  %q17 = getelementptr i32, ptr addrspace(1) %out, i32 17
  store i32 %o17, ptr addrspace(1) %q17
  %p18 = getelementptr i32, ptr addrspace(1) %words, i32 18
  %o18 = load atomic i32, ptr addrspace(1) %p18 acquire, align 4
  %q18 = getelementptr i32, ptr addrspace(1) %out, i32 18
  store i32 %o18, ptr addrspace(1) %q18
  %p19 = getelementptr i32, ptr addrspace(1) %words, i32 19
  %o19 = load atomic i32, ptr addrspace(1) %p19 seq_cst, align 4
  %q19 = getelementptr i32, ptr addrspace(1) %out, i32 19
  store i32 %o19, ptr addrspace(1) %q19
  %p20 = getelementptr i32, ptr addrspace(1) %words, i32 20
  store atomic i32 %x, ptr addrspace(1) %p20 monotonic, align 4
  %p21 = getelementptr i32, ptr addrspace(1) %words, i32 21
  store atomic i32 %x, ptr addrspace(1) %p21 release, align 4
  %p22 = getelementptr i32, ptr addrspace(1) %words, i32 22
  store atomic i32 %x, ptr addrspace(1) %p22 seq_cst, align 4
  %pv = getelementptr i32, ptr addrspace(1) %words, i32 23
  %v = load volatile i32, ptr addrspace(1) %pv
  %v1 = add i32 %v, %x
  store volatile i32 %v1, ptr addrspace(1) %pv
  ret void
}
define ptx_kernel void @atomics64(ptr addrspace(1) %words, ptr addrspace(1) %out, i64 %x) {
  %p0 = getelementptr i64, ptr addrspace(1) %words, i32 0
  %o0 = atomicrmw xchg ptr addrspace(1) %p0, i64 %x syncscope("block") monotonic
  %q0 = getelementptr i64, ptr addrspace(1) %out, i32 0
  store i64 %o0, ptr addrspace(1) %q0
  %p1 = getelementptr i64, ptr addrspace(1) %words, i32 1
  %o1 = atomicrmw add ptr addrspace(1) %p1, i64 %x syncscope("device") monotonic
  %q1 = getelementptr i64, ptr addrspace(1) %out, i32 1
  store i64 %o1, ptr addrspace(1) %q1
  %p2 = getelementptr i64, ptr addrspace(1) %words, i32 2
  %o2 = atomicrmw sub ptr addrspace(1) %p2, i64 %x syncscope("block") monotonic
  %q2 = getelementptr i64, ptr addrspace(1) %out, i32 2
  store i64 %o2, ptr addrspace(1) %q2
  %p3 = getelementptr i64, ptr addrspace(1) %words, i32 3
  %o3 = atomicrmw and ptr addrspace(1) %p3, i64 %x syncscope("device") monotonic
  %q3 = getelementptr i64, ptr addrspace(1) %out, i32 3
  store i64 %o3, ptr addrspace(1) %q3
  %p4 = getelementptr i64, ptr addrspace(1) %words, i32 4
  %o4 = atomicrmw or ptr addrspace(1) %p4, i64 %x syncscope("block") monotonic
  %q4 = getelementptr i64, ptr addrspace(1) %out, i32 4
  store i64 %o4, ptr addrspace(1) %q4
  %p5 = getelementptr i64, ptr addrspace(1) %words, i32 5
  %o5 = atomicrmw xor ptr addrspace(1) %p5, i64 %x syncscope("device") monotonic
  %q5 = getelementptr i64, ptr addrspace(1) %out, i32 5
  store i64 %o5, ptr addrspace(1) %q5
  %p6 = getelementptr i64, ptr addrspace(1) %words, i32 6
  %o6 = atomicrmw max ptr addrspace(1) %p6, i64 %x syncscope("block") monotonic
  %q6 = getelementptr i64, ptr addrspace(1) %out, i32 6
  store i64 %o6, ptr addrspace(1) %q6
  %p7 = getelementptr i64, ptr addrspace(1) %words, i32 7
  %o7 = atomicrmw min ptr addrspace(1) %p7, i64 %x syncscope("device") monotonic
  %q7 = getelementptr i64, ptr addrspace(1) %out, i32 7
  store i64 %o7, ptr addrspace(1) %q7
  %p8 = getelementptr i64, ptr addrspace(1) %words, i32 8
  %o8 = atomicrmw umax ptr addrspace(1) %p8, i64 %x syncscope("block") monotonic
  %q8 = getelementptr i64, ptr addrspace(1) %out, i32 8
  store i64 %o8, ptr addrspace(1) %q8
  %p9 = getelementptr i64, ptr addrspace(1) %words, i32 9
  %o9 = atomicrmw umin ptr addrspace(1) %p9, i64 %x syncscope("device") monotonic
  %q9 = getelementptr i64, ptr addrspace(1) %out, i32 9
  store i64 %o9, ptr addrspace(1) %q9
  %p10 = getelementptr i64, ptr addrspace(1) %words, i32 10
  %o10 = atomicrmw uinc_wrap ptr addrspace(1) %p10, i64 %x syncscope("block") monotonic
  %q10 = getelementptr i64, ptr addrspace(1) %out, i32 10
  store i64 %o10, ptr addrspace(1) %q10
  %p11 = getelementptr i64, ptr addrspace(1) %words, i32 11
  %o11 = atomicrmw udec_wrap ptr addrspace(1) %p11, i64 %x syncscope("device") monotonic
  %q11 = getelementptr i64, ptr addrspace(1) %out, i32 11
  store i64 %o11, ptr addrspace(1) %q11
  %p12 = getelementptr i64, ptr addrspace(1) %words, i32 12
  %c12 = cmpxchg ptr addrspace(1) %p12, i64 112, i64 %x monotonic monotonic
  %o12 = extractvalue {i64, i1} %c12, 0
  %q12 = getelementptr i64, ptr addrspace(1) %out, i32 12
  store i64 %o12, ptr addrspace(1) %q12
  %p13 = getelementptr i64, ptr addrspace(1) %words, i32 13
  %c13 = cmpxchg ptr addrspace(1) %p13, i64 113, i64 %x acquire acquire
  %o13 = extractvalue {i64, i1} %c13, 0
  %q13 = getelementptr i64, ptr addrspace(1) %out, i32 13
  store i64 %o13, ptr addrspace(1) %q13
  %p14 = getelementptr i64, ptr addrspace(1) %words, i32 14
  %c14 = cmpxchg ptr addrspace(1) %p14, i64 114, i64 %x release monotonic
  %o14 = extractvalue {i64, i1} %c14, 0
  %q14 = getelementptr i64, ptr addrspace(1) %out, i32 14
  store i64 %o14, ptr addrspace(1) %q14
  %p15 = getelementptr i64, ptr addrspace(1) %words, i32 15
  %c15 = cmpxchg ptr addrspace(1) %p15, i64 115, i64 %x acq_rel acquire
  %o15 = extractvalue {i64, i1} %c15, 0
  %q15 = getelementptr i64, ptr addrspace(1) %out, i32 15
  store i64 %o15, ptr addrspace(1) %q15
  %p16 = getelementptr i64, ptr addrspace(1) %words, i32 16
  %c16 = cmpxchg ptr addrspace(1) %p16, i64 116, i64 %x seq_cst seq_cst
  %o16 = extractvalue {i64, i1} %c16, 0
  %q16 = getelementptr i64, ptr addrspace(1) %out, i32 16
  store i64 %o16, ptr addrspace(1) %q16
  %p17 = getelementptr i64, ptr addrspace(1) %words, i32 17
  %o17 = load atomic i64, ptr addrspace(1) %p17 monotonic, align 8
  %q17 = getelementptr i64, ptr addrspace(1) %out, i32 17
  store i64 %o17, ptr addrspace(1) %q17
  %p18 = getelementptr i64, ptr addrspace(1) %words, i32 18
  %o18 = load atomic i64, ptr addrspace(1) %p18 acquire, align 8
  %q18 = getelementptr i64, ptr addrspace(1) %out, i32 18
  store i64 %o18, ptr addrspace(1) %q18
  %p19 = getelementptr i64, ptr addrspace(1) %words, i32 19
  %o19 = load atomic i64, ptr addrspace(1) %p19 seq_cst, align 8
  %q19 = getelementptr i64, ptr addrspace(1) %out, i32 19
  store i64 %o19, ptr addrspace(1) %q19
  %p20 = getelementptr i64, ptr addrspace(1) %words, i32 20
  store atomic i64 %x, ptr addrspace(1) %p20 monotonic, align 8
  %p21 = getelementptr i64, ptr addrspace(1) %words, i32 21
  store atomic i64 %x, ptr addrspace(1) %p21 release, align 8
  %p22 = getelementptr i64, ptr addrspace(1) %words, i32 22
  store atomic i64 %x, ptr addrspace(1) %p22 seq_cst, align 8
  %pv = getelementptr i64, ptr addrspace(1) %words, i32 23
  %v = load volatile i64, ptr addrspace(1) %pv
  %v1 = add i64 %v, %x
  store volatile i64 %v1, ptr addrspace(1) %pv
  ret void
}

; All threads of all blocks add to the same words of 8, 16, 32, 64 and 128 bits, in integers and floats.
define ptx_kernel void @sums(ptr addrspace(1) %words) {
  %p0 = getelementptr i8, ptr addrspace(1) %words, i32 1
  %a0 = atomicrmw add ptr addrspace(1) %p0, i8 1 syncscope("device") monotonic
  %p1 = getelementptr i8, ptr addrspace(1) %words, i32 2
  %a1 = atomicrmw add ptr addrspace(1) %p1, i16 3 syncscope("device") monotonic
  %p2 = getelementptr i8, ptr addrspace(1) %words, i32 4
  %a2 = atomicrmw add ptr addrspace(1) %p2, i32 5 syncscope("device") monotonic
  %p3 = getelementptr i8, ptr addrspace(1) %words, i32 8
  %a3 = atomicrmw add ptr addrspace(1) %p3, i64 7 syncscope("device") monotonic
  %p4 = getelementptr i8, ptr addrspace(1) %words, i32 16
  %a4 = atomicrmw fadd ptr addrspace(1) %p4, float 0.5 syncscope("device") monotonic
  %p5 = getelementptr i8, ptr addrspace(1) %words, i32 24
  %a5 = atomicrmw fadd ptr addrspace(1) %p5, double 0.25 syncscope("device") monotonic
  %p6 = getelementptr i8, ptr addrspace(1) %words, i32 20
  %a6 = atomicrmw fadd ptr addrspace(1) %p6, half 1.0 syncscope("device") monotonic
  %p7 = getelementptr i8, ptr addrspace(1) %words, i32 22
  %a7 = atomicrmw fadd ptr addrspace(1) %p7, bfloat 1.0 syncscope("device") monotonic
  %p8 = getelementptr i8, ptr addrspace(1) %words, i32 32
  %a8 = atomicrmw add ptr addrspace(1) %p8, i128 36893488147419103233 syncscope("device") monotonic
  %p9 = getelementptr i8, ptr addrspace(1) %words, i32 48
  %a9 = atomicrmw fmax ptr addrspace(1) %p9, float 2.0 syncscope("device") monotonic
  ret void
}

declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32)
declare float @llvm.nvvm.shfl.sync.idx.f32(i32, float, i32, i32)
declare float @llvm.nvvm.shfl.sync.up.f32(i32, float, i32, i32)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.uni.sync(i32, i1)
declare i32 @llvm.nvvm.activemask()
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare i32 @llvm.nvvm.match.any.sync.i64(i32, i64)
declare i32 @llvm.nvvm.read.ptx.sreg.clock()
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
declare i32 @llvm.nvvm.redux.sync.and(i32, i32)
declare i32 @llvm.nvvm.redux.sync.max(i32, i32)
declare i32 @llvm.nvvm.redux.sync.min(i32, i32)
declare i32 @llvm.nvvm.redux.sync.or(i32, i32)
declare i32 @llvm.nvvm.redux.sync.umax(i32, i32)
declare i32 @llvm.nvvm.redux.sync.umin(i32, i32)
declare i32 @llvm.nvvm.redux.sync.xor(i32, i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
declare i64 @llvm.nvvm.read.ptx.sreg.globaltimer()
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.nanosleep(i32)
declare {i32, i1} @llvm.nvvm.elect.sync(i32)
declare {i32, i1} @llvm.nvvm.match.all.sync.i32p(i32, i32)
declare {i32, i1} @llvm.nvvm.match.all.sync.i64p(i32, i64)

; One warp: each result in a separate row.
define ptx_kernel void @warp(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr i32, ptr addrspace(1) %in, i32 %lane
  %x = load i32, ptr addrspace(1) %px
  %bit = and i32 %lane, 1
  %odd = icmp eq i32 %bit, 1
  %third = urem i32 %x, 3
  %fifth = urem i32 %lane, 5
  %wide0 = zext i32 %fifth to i64
  %wide = shl i64 %wide0, 32
  %f = sitofp i32 %x to float
  %redux.add = call i32 @llvm.nvvm.redux.sync.add(i32 %x, i32 -1)
  %i.redux.add = add i32 %lane, 0
  %p.redux.add = getelementptr i32, ptr addrspace(1) %out, i32 %i.redux.add
  store i32 %redux.add, ptr addrspace(1) %p.redux.add
  %redux.min = call i32 @llvm.nvvm.redux.sync.min(i32 %x, i32 -1)
  %i.redux.min = add i32 %lane, 32
  %p.redux.min = getelementptr i32, ptr addrspace(1) %out, i32 %i.redux.min
  store i32 %redux.min, ptr addrspace(1) %p.redux.min
  %redux.max = call i32 @llvm.nvvm.redux.sync.max(i32 %x, i32 -1)
  %i.redux.max = add i32 %lane, 64
  %p.redux.max = getelementptr i32, ptr addrspace(1) %out, i32 %i.redux.max
  store i32 %redux.max, ptr addrspace(1) %p.redux.max
  %redux.umin = call i32 @llvm.nvvm.redux.sync.umin(i32 %x, i32 -1)
  %i.redux.umin = add i32 %lane, 96
  %p.redux.umin = getelementptr i32, ptr addrspace(1) %out, i32 %i.redux.umin
  store i32 %redux.umin, ptr addrspace(1) %p.redux.umin
  %redux.umax = call i32 @llvm.nvvm.redux.sync.umax(i32 %x, i32 -1)
  %i.redux.umax = add i32 %lane, 128
  %p.redux.umax = getelementptr i32, ptr addrspace(1) %out, i32 %i.redux.umax
  store i32 %redux.umax, ptr addrspace(1) %p.redux.umax
  %redux.and = call i32 @llvm.nvvm.redux.sync.and(i32 %x, i32 -1)
  %i.redux.and = add i32 %lane, 160
  %p.redux.and = getelementptr i32, ptr addrspace(1) %out, i32 %i.redux.and
  store i32 %redux.and, ptr addrspace(1) %p.redux.and
  %redux.or = call i32 @llvm.nvvm.redux.sync.or(i32 %x, i32 -1)
  %i.redux.or = add i32 %lane, 192
  %p.redux.or = getelementptr i32, ptr addrspace(1) %out, i32 %i.redux.or
  store i32 %redux.or, ptr addrspace(1) %p.redux.or
  %redux.xor = call i32 @llvm.nvvm.redux.sync.xor(i32 %x, i32 -1)
  %i.redux.xor = add i32 %lane, 224
  %p.redux.xor = getelementptr i32, ptr addrspace(1) %out, i32 %i.redux.xor
  store i32 %redux.xor, ptr addrspace(1) %p.redux.xor
  %vote.all = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %odd)
  %vote.all.w = zext i1 %vote.all to i32
  %i.vote.all = add i32 %lane, 256
  %p.vote.all = getelementptr i32, ptr addrspace(1) %out, i32 %i.vote.all
  store i32 %vote.all.w, ptr addrspace(1) %p.vote.all
  %vote.any = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %odd)
  %vote.any.w = zext i1 %vote.any to i32
  %i.vote.any = add i32 %lane, 288
  %p.vote.any = getelementptr i32, ptr addrspace(1) %out, i32 %i.vote.any
  store i32 %vote.any.w, ptr addrspace(1) %p.vote.any
  %vote.uni = call i1 @llvm.nvvm.vote.uni.sync(i32 -1, i1 %odd)
  %vote.uni.w = zext i1 %vote.uni to i32
  %i.vote.uni = add i32 %lane, 320
  %p.vote.uni = getelementptr i32, ptr addrspace(1) %out, i32 %i.vote.uni
  store i32 %vote.uni.w, ptr addrspace(1) %p.vote.uni
  %ballot = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %odd)
  %i.ballot = add i32 %lane, 352
  %p.ballot = getelementptr i32, ptr addrspace(1) %out, i32 %i.ballot
  store i32 %ballot, ptr addrspace(1) %p.ballot
  %match.any = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %third)
  %i.match.any = add i32 %lane, 384
  %p.match.any = getelementptr i32, ptr addrspace(1) %out, i32 %i.match.any
  store i32 %match.any, ptr addrspace(1) %p.match.any
  %match.any64 = call i32 @llvm.nvvm.match.any.sync.i64(i32 -1, i64 %wide)
  %i.match.any64 = add i32 %lane, 416
  %p.match.any64 = getelementptr i32, ptr addrspace(1) %out, i32 %i.match.any64
  store i32 %match.any64, ptr addrspace(1) %p.match.any64
  %all.p = call {i32, i1} @llvm.nvvm.match.all.sync.i32p(i32 -1, i32 %third)
  %match.all = extractvalue {i32, i1} %all.p, 0
  %i.match.all = add i32 %lane, 448
  %p.match.all = getelementptr i32, ptr addrspace(1) %out, i32 %i.match.all
  store i32 %match.all, ptr addrspace(1) %p.match.all
  %same.p = call {i32, i1} @llvm.nvvm.match.all.sync.i64p(i32 -1, i64 77)
  %match.same = extractvalue {i32, i1} %same.p, 0
  %i.match.same = add i32 %lane, 480
  %p.match.same = getelementptr i32, ptr addrspace(1) %out, i32 %i.match.same
  store i32 %match.same, ptr addrspace(1) %p.match.same
  %match.same.p = extractvalue {i32, i1} %same.p, 1
  %match.same.p.w = zext i1 %match.same.p to i32
  %i.match.same.p = add i32 %lane, 512
  %p.match.same.p = getelementptr i32, ptr addrspace(1) %out, i32 %i.match.same.p
  store i32 %match.same.p.w, ptr addrspace(1) %p.match.same.p
  %shfl.up = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %x, i32 3, i32 0)
  %i.shfl.up = add i32 %lane, 544
  %p.shfl.up = getelementptr i32, ptr addrspace(1) %out, i32 %i.shfl.up
  store i32 %shfl.up, ptr addrspace(1) %p.shfl.up
  %shfl.up.f = call float @llvm.nvvm.shfl.sync.up.f32(i32 -1, float %f, i32 5, i32 6144)
  %shfl.up.f.w = bitcast float %shfl.up.f to i32
  %i.shfl.up.f = add i32 %lane, 576
  %p.shfl.up.f = getelementptr i32, ptr addrspace(1) %out, i32 %i.shfl.up.f
  store i32 %shfl.up.f.w, ptr addrspace(1) %p.shfl.up.f
  %shfl.down = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %x, i32 3, i32 31)
  %i.shfl.down = add i32 %lane, 608
  %p.shfl.down = getelementptr i32, ptr addrspace(1) %out, i32 %i.shfl.down
  store i32 %shfl.down, ptr addrspace(1) %p.shfl.down
  %shfl.down.f = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %f, i32 5, i32 6175)
  %shfl.down.f.w = bitcast float %shfl.down.f to i32
  %i.shfl.down.f = add i32 %lane, 640
  %p.shfl.down.f = getelementptr i32, ptr addrspace(1) %out, i32 %i.shfl.down.f
  store i32 %shfl.down.f.w, ptr addrspace(1) %p.shfl.down.f
  %shfl.bfly = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %x, i32 3, i32 31)
  %i.shfl.bfly = add i32 %lane, 672
  %p.shfl.bfly = getelementptr i32, ptr addrspace(1) %out, i32 %i.shfl.bfly
  store i32 %shfl.bfly, ptr addrspace(1) %p.shfl.bfly
  %shfl.bfly.f = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %f, i32 5, i32 6175)
  %shfl.bfly.f.w = bitcast float %shfl.bfly.f to i32
  %i.shfl.bfly.f = add i32 %lane, 704
  %p.shfl.bfly.f = getelementptr i32, ptr addrspace(1) %out, i32 %i.shfl.bfly.f
  store i32 %shfl.bfly.f.w, ptr addrspace(1) %p.shfl.bfly.f
  %shfl.idx = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %x, i32 3, i32 31)
  %i.shfl.idx = add i32 %lane, 736
  %p.shfl.idx = getelementptr i32, ptr addrspace(1) %out, i32 %i.shfl.idx
  store i32 %shfl.idx, ptr addrspace(1) %p.shfl.idx
  %shfl.idx.f = call float @llvm.nvvm.shfl.sync.idx.f32(i32 -1, float %f, i32 5, i32 6175)
  %shfl.idx.f.w = bitcast float %shfl.idx.f to i32
  %i.shfl.idx.f = add i32 %lane, 768
  %p.shfl.idx.f = getelementptr i32, ptr addrspace(1) %out, i32 %i.shfl.idx.f
  store i32 %shfl.idx.f.w, ptr addrspace(1) %p.shfl.idx.f
  %activemask = call i32 @llvm.nvvm.activemask()
  %i.activemask = add i32 %lane, 800
  %p.activemask = getelementptr i32, ptr addrspace(1) %out, i32 %i.activemask
  store i32 %activemask, ptr addrspace(1) %p.activemask
  %el = call {i32, i1} @llvm.nvvm.elect.sync(i32 -1)
  %elect = extractvalue {i32, i1} %el, 1
  %elect.w = zext i1 %elect to i32
  %i.elect = add i32 %lane, 832
  %p.elect = getelementptr i32, ptr addrspace(1) %out, i32 %i.elect
  store i32 %elect.w, ptr addrspace(1) %p.elect
  %clock.0 = call i32 @llvm.nvvm.read.ptx.sreg.clock()
  %clock64.0 = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  %globaltimer.0 = call i64 @llvm.nvvm.read.ptx.sreg.globaltimer()
  call void @llvm.nvvm.nanosleep(i32 40)
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %clock.1 = call i32 @llvm.nvvm.read.ptx.sreg.clock()
  %clock.later = icmp uge i32 %clock.1, %clock.0
  %clock.later.w = zext i1 %clock.later to i32
  %i.clock.later = add i32 %lane, 864
  %p.clock.later = getelementptr i32, ptr addrspace(1) %out, i32 %i.clock.later
  store i32 %clock.later.w, ptr addrspace(1) %p.clock.later
  %clock64.1 = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  %clock64.later = icmp uge i64 %clock64.1, %clock64.0
  %clock64.later.w = zext i1 %clock64.later to i32
  %i.clock64.later = add i32 %lane, 896
  %p.clock64.later = getelementptr i32, ptr addrspace(1) %out, i32 %i.clock64.later
  store i32 %clock64.later.w, ptr addrspace(1) %p.clock64.later
  %globaltimer.1 = call i64 @llvm.nvvm.read.ptx.sreg.globaltimer()
  %globaltimer.later = icmp uge i64 %globaltimer.1, %globaltimer.0
  %globaltimer.later.w = zext i1 %globaltimer.later to i32
  %i.globaltimer.later = add i32 %lane, 928
  %p.globaltimer.later = getelementptr i32, ptr addrspace(1) %out, i32 %i.globaltimer.later
  store i32 %globaltimer.later.w, ptr addrspace(1) %p.globaltimer.later
  ret void
}
