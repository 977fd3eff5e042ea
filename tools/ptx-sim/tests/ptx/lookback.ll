; Single-pass scans: blocks take tiles of 32 elements in the order in which they start, and each waits for the states that
; earlier tiles publish. A word has the sum and, above it, a flag: 0 nothing, 1 the tile's own sum, 2 the sum of all up to it.
; After `polls` unsuccessful polls, a block sums the missing tile itself. All accesses are relaxed: a word is read as a whole.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.nanosleep(i32)
declare i64 @llvm.nvvm.read.ptx.sreg.globaltimer()
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.cttz.i32(i32, i1)

define internal i32 @ticket(ptr addrspace(1) %counter, i32 %lane) alwaysinline {
  %first = icmp eq i32 %lane, 0
  br i1 %first, label %take, label %join
take:
  %mine = atomicrmw add ptr addrspace(1) %counter, i32 1 syncscope("device") monotonic
  br label %join
join:
  %t = phi i32 [ %mine, %take ], [ 0, %0 ]
  %r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %t, i32 0, i32 31)
  ret i32 %r
}

define internal i32 @inclusive(i32 %x) alwaysinline {
entry:
  br label %step
step:
  %d = phi i32 [ 1, %entry ], [ %d2, %step ]
  %v = phi i32 [ %x, %entry ], [ %v2, %step ]
  %s = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %v, i32 %d, i32 0)
  %o = extractvalue {i32, i1} %s, 0
  %in = extractvalue {i32, i1} %s, 1
  %add = select i1 %in, i32 %o, i32 0
  %v2 = add i32 %v, %add
  %d2 = shl i32 %d, 1
  %more = icmp slt i32 %d2, 32
  br i1 %more, label %step, label %end
end:
  ret i32 %v2
}

; i32, a word of 64 bits for each tile; the whole warp reads the words of 32 tiles at a time.
define ptx_kernel void @scan_i32(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(1) %counter,
                                 ptr addrspace(1) %words, i32 %polls) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t = call i32 @ticket(ptr addrspace(1) %counter, i32 %lane)
  %base = shl i32 %t, 5
  %at = add i32 %base, %lane
  %src = getelementptr i32, ptr addrspace(1) %in, i32 %at
  %x = load i32, ptr addrspace(1) %src
  %sum = call i32 @llvm.nvvm.redux.sync.add(i32 %x, i32 -1)
  %incl = call i32 @inclusive(i32 %x)
  %own = getelementptr i64, ptr addrspace(1) %words, i32 %t
  %first = icmp eq i32 %t, 0
  %leader = icmp eq i32 %lane, 0
  %wide = zext i32 %sum to i64
  %flag = select i1 %first, i64 8589934592, i64 4294967296
  %word = or i64 %wide, %flag
  br i1 %leader, label %publish, label %begin
publish:
  store atomic i64 %word, ptr addrspace(1) %own syncscope("device") monotonic, align 8
  br label %begin
begin:
  br i1 %first, label %write, label %look
look:
  %window = phi i32 [ %t, %begin ], [ %window32, %further ], [ %window, %again ]
  %so.far = phi i32 [ 0, %begin ], [ %sum.all, %further ], [ %so.far, %again ]
  %tries = phi i32 [ 0, %begin ], [ 0, %further ], [ %tries.next, %again ]
  %before = sub i32 %window, 1
  %index = sub i32 %before, %lane
  %inside = icmp sge i32 %index, 0
  br i1 %inside, label %read, label %vote
read:
  %theirs = getelementptr i64, ptr addrspace(1) %words, i32 %index
  %seen = load atomic i64, ptr addrspace(1) %theirs syncscope("device") monotonic, align 8
  br label %vote
vote:
  %w = phi i64 [ %seen, %read ], [ 8589934592, %look ]
  %high = lshr i64 %w, 32
  %state = trunc i64 %high to i32
  %value = trunc i64 %w to i32
  %is.p = icmp eq i32 %state, 2
  %is.x = icmp eq i32 %state, 0
  %ps = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %is.p)
  %xs = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %is.x)
  %ps.or = or i32 %ps, -2147483648
  %stop = call i32 @llvm.cttz.i32(i32 %ps.or, i1 true)
  %up.to = shl i32 2, %stop
  %needed = sub i32 %up.to, 1
  %missing = and i32 %xs, %needed
  %complete = icmp eq i32 %missing, 0
  br i1 %complete, label %gather, label %poll
poll:
  call void @llvm.nvvm.nanosleep(i32 100)
  %tries1 = add i32 %tries, 1
  %enough = icmp ugt i32 %tries1, %polls
  br i1 %enough, label %steal, label %again
steal:
  %which = call i32 @llvm.cttz.i32(i32 %missing, i1 true)
  %tile = sub i32 %before, %which
  %tile.base = shl i32 %tile, 5
  %tile.at = add i32 %tile.base, %lane
  %tile.src = getelementptr i32, ptr addrspace(1) %in, i32 %tile.at
  %y = load i32, ptr addrspace(1) %tile.src
  %tile.sum = call i32 @llvm.nvvm.redux.sync.add(i32 %y, i32 -1)
  br i1 %leader, label %swap, label %again
swap:
  %tile.wide = zext i32 %tile.sum to i64
  %tile.word = or i64 %tile.wide, 4294967296
  %tile.own = getelementptr i64, ptr addrspace(1) %words, i32 %tile
  %old = cmpxchg ptr addrspace(1) %tile.own, i64 0, i64 %tile.word syncscope("device") monotonic monotonic
  br label %again
again:
  %tries.next = phi i32 [ %tries1, %poll ], [ 0, %steal ], [ 0, %swap ]
  br label %look
gather:
  %mine = icmp ule i32 %lane, %stop
  %part = select i1 %mine, i32 %value, i32 0
  %all = call i32 @llvm.nvvm.redux.sync.add(i32 %part, i32 -1)
  %sum.all = add i32 %so.far, %all
  %done = icmp ne i32 %ps, 0
  br i1 %done, label %total, label %further
further:
  %window32 = sub i32 %window, 32
  br label %look
total:
  %prefix = add i32 %sum.all, %sum
  %prefix.wide = zext i32 %prefix to i64
  %prefix.word = or i64 %prefix.wide, 8589934592
  br i1 %leader, label %publish.all, label %write
publish.all:
  store atomic i64 %prefix.word, ptr addrspace(1) %own syncscope("device") monotonic, align 8
  br label %write
write:
  %excl = phi i32 [ 0, %begin ], [ %sum.all, %total ], [ %sum.all, %publish.all ]
  %y.out = add i32 %excl, %incl
  %dst = getelementptr i32, ptr addrspace(1) %out, i32 %at
  store i32 %y.out, ptr addrspace(1) %dst
  ret void
}

define internal {i64, i64} @load_word(ptr addrspace(1) %p) alwaysinline {
  %r = call {i64, i64} asm sideeffect "{\0A\09.reg .b128 w;\0A\09ld.relaxed.gpu.global.b128 w, [$2];\0A\09mov.b128 {$0, $1}, w;\0A\09}", "=l,=l,l,~{memory}"(ptr addrspace(1) %p)
  ret {i64, i64} %r
}

define internal void @store_word(ptr addrspace(1) %p, i64 %low, i64 %high) alwaysinline {
  call void asm sideeffect "{\0A\09.reg .b128 w;\0A\09mov.b128 w, {$1, $2};\0A\09st.relaxed.gpu.global.b128 [$0], w;\0A\09}", "l,l,l,~{memory}"(ptr addrspace(1) %p, i64 %low, i64 %high)
  ret void
}

; Replaces (0, 0) by (low, 1) if it is still there; returns the old flag.
define internal i64 @swap_word(ptr addrspace(1) %p, i64 %low) alwaysinline {
  %r = call i64 asm sideeffect "{\0A\09.reg .b128 c, n, o;\0A\09.reg .b64 unused;\0A\09mov.b128 c, {$2, $2};\0A\09mov.b128 n, {$3, $4};\0A\09atom.relaxed.gpu.global.cas.b128 o, [$1], c, n;\0A\09mov.b128 {unused, $0}, o;\0A\09}", "=l,l,l,l,l,~{memory}"(ptr addrspace(1) %p, i64 0, i64 %low, i64 1)
  ret i64 %r
}

define internal double @shuffle(double %x, i32 %from) alwaysinline {
  %b = bitcast double %x to i64
  %l = trunc i64 %b to i32
  %h64 = lshr i64 %b, 32
  %h = trunc i64 %h64 to i32
  %l2 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %l, i32 %from, i32 31)
  %h2 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %h, i32 %from, i32 31)
  %l3 = zext i32 %l2 to i64
  %h3 = zext i32 %h2 to i64
  %h4 = shl i64 %h3, 32
  %r = or i64 %h4, %l3
  %d = bitcast i64 %r to double
  ret double %d
}

; The sum of 32 doubles from `p` on, in order, with the running sums of each lane.
define internal {double, double} @tile(ptr addrspace(1) %p, i32 %lane) alwaysinline {
entry:
  %src = getelementptr double, ptr addrspace(1) %p, i32 %lane
  %x = load double, ptr addrspace(1) %src
  br label %step
step:
  %i = phi i32 [ 0, %entry ], [ %i1, %step ]
  %sum = phi double [ 0.0, %entry ], [ %sum1, %step ]
  %own = phi double [ 0.0, %entry ], [ %own1, %step ]
  %y = call double @shuffle(double %x, i32 %i)
  %sum1 = fadd double %sum, %y
  %here = icmp eq i32 %i, %lane
  %own1 = select i1 %here, double %sum1, double %own
  %i1 = add i32 %i, 1
  %more = icmp slt i32 %i1, 32
  br i1 %more, label %step, label %end
end:
  %r0 = insertvalue {double, double} poison, double %sum1, 0
  %r1 = insertvalue {double, double} %r0, double %own1, 1
  ret {double, double} %r1
}

; f64, a word of 128 bits for each tile, read one after the other by all lanes. `started` receives the time of each block.
define ptx_kernel void @scan_f64(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(1) %counter,
                                 ptr addrspace(1) %words, ptr addrspace(1) %started, i32 %polls) {
entry:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t = call i32 @ticket(ptr addrspace(1) %counter, i32 %lane)
  %base = shl i32 %t, 5
  %tile.in = getelementptr double, ptr addrspace(1) %in, i32 %base
  %sums = call {double, double} @tile(ptr addrspace(1) %tile.in, i32 %lane)
  %sum = extractvalue {double, double} %sums, 0
  %incl = extractvalue {double, double} %sums, 1
  %own = getelementptr i128, ptr addrspace(1) %words, i32 %t
  %first = icmp eq i32 %t, 0
  %leader = icmp eq i32 %lane, 0
  %bits = bitcast double %sum to i64
  %flag = select i1 %first, i64 2, i64 1
  br i1 %leader, label %publish, label %begin
publish:
  call void @store_word(ptr addrspace(1) %own, i64 %bits, i64 %flag)
  %now = call i64 @llvm.nvvm.read.ptx.sreg.globaltimer()
  %slot = getelementptr i64, ptr addrspace(1) %started, i32 %t
  store i64 %now, ptr addrspace(1) %slot
  br label %begin
begin:
  br i1 %first, label %write, label %look
look:
  %j = phi i32 [ %t, %begin ], [ %before, %have ], [ %j, %poll ], [ %j, %steal ], [ %j, %swap ]
  %so.far = phi double [ 0.0, %begin ], [ %sum.all, %have ], [ %so.far, %poll ], [ %so.far, %steal ], [ %so.far, %swap ]
  %tries = phi i32 [ 0, %begin ], [ 0, %have ], [ %tries1, %poll ], [ 0, %steal ], [ 0, %swap ]
  %before = sub i32 %j, 1
  %theirs = getelementptr i128, ptr addrspace(1) %words, i32 %before
  %seen = call {i64, i64} @load_word(ptr addrspace(1) %theirs)
  %low = extractvalue {i64, i64} %seen, 0
  %high = extractvalue {i64, i64} %seen, 1
  %state = trunc i64 %high to i32
  %state.all = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %state, i32 0, i32 31)
  %nothing = icmp eq i32 %state.all, 0
  br i1 %nothing, label %poll, label %have
poll:
  %tries1 = add i32 %tries, 1
  %enough = icmp ugt i32 %tries1, %polls
  br i1 %enough, label %steal, label %look
steal:
  %tile.base = shl i32 %before, 5
  %tile.src = getelementptr double, ptr addrspace(1) %in, i32 %tile.base
  %tile.sums = call {double, double} @tile(ptr addrspace(1) %tile.src, i32 %lane)
  %tile.sum = extractvalue {double, double} %tile.sums, 0
  %tile.bits = bitcast double %tile.sum to i64
  br i1 %leader, label %swap, label %look
swap:
  %old = call i64 @swap_word(ptr addrspace(1) %theirs, i64 %tile.bits)
  br label %look
have:
  %value.own = bitcast i64 %low to double
  %value = call double @shuffle(double %value.own, i32 0)
  %sum.all = fadd double %so.far, %value
  %done = icmp eq i32 %state.all, 2
  br i1 %done, label %total, label %look
total:
  %prefix = fadd double %sum.all, %sum
  %prefix.bits = bitcast double %prefix to i64
  br i1 %leader, label %publish.all, label %write
publish.all:
  call void @store_word(ptr addrspace(1) %own, i64 %prefix.bits, i64 2)
  br label %write
write:
  %excl = phi double [ 0.0, %begin ], [ %sum.all, %total ], [ %sum.all, %publish.all ]
  %y = fadd double %excl, %incl
  %at = add i32 %base, %lane
  %dst = getelementptr double, ptr addrspace(1) %out, i32 %at
  store double %y, ptr addrspace(1) %dst
  ret void
}
