; Block 0 waits for block 1, with and without the accesses or fences that order the data before the flag.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; data[0] = 42, then flag = 1 (release); the other side reads flag (acquire), then data.
define ptx_kernel void @acquire_release(ptr addrspace(1) %flag, ptr addrspace(1) %data, ptr addrspace(1) %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %writes = icmp eq i32 %b, 1
  br i1 %writes, label %write, label %spin
write:
  store i32 42, ptr addrspace(1) %data
  store atomic i32 1, ptr addrspace(1) %flag syncscope("device") release, align 4
  ret void
spin:
  %f = load atomic i32, ptr addrspace(1) %flag syncscope("device") acquire, align 4
  %set = icmp eq i32 %f, 1
  br i1 %set, label %read, label %spin
read:
  %x = load i32, ptr addrspace(1) %data
  store i32 %x, ptr addrspace(1) %out
  ret void
}

; The same with fences around relaxed accesses.
define ptx_kernel void @fences(ptr addrspace(1) %flag, ptr addrspace(1) %data, ptr addrspace(1) %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %writes = icmp eq i32 %b, 1
  br i1 %writes, label %write, label %spin
write:
  store i32 42, ptr addrspace(1) %data
  fence syncscope("device") release
  store atomic i32 1, ptr addrspace(1) %flag syncscope("device") monotonic, align 4
  ret void
spin:
  %f = load atomic i32, ptr addrspace(1) %flag syncscope("device") monotonic, align 4
  %set = icmp eq i32 %f, 1
  br i1 %set, label %read, label %spin
read:
  fence syncscope("device") acquire
  %x = load i32, ptr addrspace(1) %data
  store i32 %x, ptr addrspace(1) %out
  ret void
}

; Wrong: nothing orders the data.
define ptx_kernel void @relaxed(ptr addrspace(1) %flag, ptr addrspace(1) %data, ptr addrspace(1) %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %writes = icmp eq i32 %b, 1
  br i1 %writes, label %write, label %spin
write:
  store i32 42, ptr addrspace(1) %data
  store atomic i32 1, ptr addrspace(1) %flag syncscope("device") monotonic, align 4
  ret void
spin:
  %f = load atomic i32, ptr addrspace(1) %flag syncscope("device") monotonic, align 4
  %set = icmp eq i32 %f, 1
  br i1 %set, label %read, label %spin
read:
  %x = load i32, ptr addrspace(1) %data
  store i32 %x, ptr addrspace(1) %out
  ret void
}

; Wrong: the scope of the release is only its own block.
define ptx_kernel void @narrow_scope(ptr addrspace(1) %flag, ptr addrspace(1) %data, ptr addrspace(1) %out) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %writes = icmp eq i32 %b, 1
  br i1 %writes, label %write, label %spin
write:
  store i32 42, ptr addrspace(1) %data
  fence syncscope("block") release
  store atomic i32 1, ptr addrspace(1) %flag syncscope("device") monotonic, align 4
  ret void
spin:
  %f = load atomic i32, ptr addrspace(1) %flag syncscope("device") acquire, align 4
  %set = icmp eq i32 %f, 1
  br i1 %set, label %read, label %spin
read:
  %x = load i32, ptr addrspace(1) %data
  store i32 %x, ptr addrspace(1) %out
  ret void
}

; Each block adds to a counter; the last one sums the values that the others left in data.
define ptx_kernel void @last_block(ptr addrspace(1) %count, ptr addrspace(1) %data, ptr addrspace(1) %out, i32 %n) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %p = getelementptr i32, ptr addrspace(1) %data, i32 %b
  %v = add i32 %b, 1
  store i32 %v, ptr addrspace(1) %p
  fence syncscope("device") acq_rel
  %old = atomicrmw add ptr addrspace(1) %count, i32 1 syncscope("device") monotonic
  fence syncscope("device") acq_rel
  %n1 = sub i32 %n, 1
  %last = icmp eq i32 %old, %n1
  br i1 %last, label %sum, label %done
sum:
  %i = phi i32 [ 0, %0 ], [ %i1, %sum ]
  %s = phi i32 [ 0, %0 ], [ %s1, %sum ]
  %q = getelementptr i32, ptr addrspace(1) %data, i32 %i
  %x = load i32, ptr addrspace(1) %q
  %s1 = add i32 %s, %x
  %i1 = add i32 %i, 1
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %sum, label %put
put:
  store i32 %s1, ptr addrspace(1) %out
  br label %done
done:
  ret void
}
