// Copies to tensor memory: for barriers, proxies and phases, a correct kernel and an incorrect twin each.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null

!columns = !tile.buffer<128x16xi8, global, #tile.layout<(128, 16) : (1, 128)>>
!registers = !tile.buffer<128x16xi8, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
!tensor = !tile.buffer<128x16xi8, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
!rows = !tile.buffer<32x16xi8, global>
!shared = !tile.buffer<32x16xi8, shared>
!copied = !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  llvm.mlir.global internal @tmem_address() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @first_copied() {addr_space = 3 : i32, alignment = 8 : i64} : i64
  llvm.mlir.global internal @copied() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  // A barrier is missing, too.
  gpu.func @no_barrier(%A: memref<2048xi8>, %B: memref<2048xi8>, %C: memref<32x16xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<2048xi8> to !columns
    %b = tile.view %B : memref<2048xi8> to !columns
    %r = tile.alloc : !registers
    %q = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    %rows = tile.view %C : memref<32x16xi8> to !rows
    %s = tile.alloc : !shared
    %full = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
    }
    tile.copy %rows to %s scope(cta) : !rows to !shared
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tensor
    %c = tile.tmem %address : !copied
    tile.copy %a to %r scope(warpgroup) : !columns to !registers
    // expected-note @below {{'tile.copy_async' writes it here}}
    tile.copy_async %r to %t scope(warpgroup) : !registers to !tensor
    nvvm.tcgen05.wait <store>
    scf.if %is_thread_0 {
      // expected-error @below {{for example thread 32 and thread 0, lane 32, column 0}}
      // expected-note @below {{this orders them: nvvm.tcgen05.fence <before>, gpu.barrier, nvvm.tcgen05.fence <after>}}
      tile.copy_async %s to %c scope(thread) : !shared to !copied
      nvvm.tcgen05.commit %full : !llvm.ptr<3>
    }
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %zero : !llvm.ptr<3>, i32 -> i1
      %true = arith.constant true
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    nvvm.tcgen05.fence <after>
    tile.copy_async %t to %q scope(warpgroup) : !tensor to !registers
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup) : !registers to !columns
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // Shared memory is read through the async proxy.
  gpu.func @no_proxy(%A: memref<2048xi8>, %B: memref<2048xi8>, %C: memref<32x16xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<2048xi8> to !columns
    %b = tile.view %B : memref<2048xi8> to !columns
    %r = tile.alloc : !registers
    %q = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    %rows = tile.view %C : memref<32x16xi8> to !rows
    %s = tile.alloc : !shared
    %full = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
    }
    // expected-note @below {{'tile.copy' writes it here}}
    tile.copy %rows to %s scope(cta) : !rows to !shared
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tensor
    %c = tile.tmem %address : !copied
    scf.if %is_thread_0 {
      // expected-error @below {{reads shared memory that an earlier operation writes, and nothing orders the two: for example thread 0 and thread 0, byte 0}}
      // expected-note @below {{this orders them: nvvm.fence.proxy of the async proxy, through which the second sees memory}}
      tile.copy_async %s to %c scope(thread) : !shared to !copied
      nvvm.tcgen05.commit %full : !llvm.ptr<3>
    }
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %zero : !llvm.ptr<3>, i32 -> i1
      %true = arith.constant true
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    nvvm.tcgen05.fence <after>
    tile.copy_async %t to %q scope(warpgroup) : !tensor to !registers
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup) : !registers to !columns
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // Nothing signals that the copy is complete.
  gpu.func @no_commit(%A: memref<2048xi8>, %B: memref<2048xi8>, %C: memref<32x16xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<2048xi8> to !columns
    %b = tile.view %B : memref<2048xi8> to !columns
    %r = tile.alloc : !registers
    %q = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    %rows = tile.view %C : memref<32x16xi8> to !rows
    %s = tile.alloc : !shared
    %full = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
    }
    tile.copy %rows to %s scope(cta) : !rows to !shared
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tensor
    %c = tile.tmem %address : !copied
    scf.if %is_thread_0 {
      // expected-note @below {{'tile.copy_async' writes it here}}
      // expected-error @below {{may be in flight when the block ends; expected nvvm.tcgen05.commit to an mbarrier after it, and a wait for that phase, on every path to the end}}
      tile.copy_async %s to %c scope(thread) : !shared to !copied
    }
    nvvm.tcgen05.fence <after>
    // expected-error @below {{reads tensor memory that an earlier operation writes, and nothing orders the two: for example thread 0 and thread 0, lane 0, column 0}}
    // expected-note @below {{no known operation completes the first one, expected nvvm.tcgen05.commit to an mbarrier}}
    tile.copy_async %t to %q scope(warpgroup) : !tensor to !registers
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup) : !registers to !columns
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      // expected-error @below {{writes tensor memory that an earlier operation writes}}
      // expected-note @below {{no known operation completes the first one}}
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    // expected-note @below {{the block ends here}}
    gpu.return
  }

  // Two copies of one thread are not performed in program order.
  gpu.func @no_wait_between(%A: memref<2048xi8>, %B: memref<2048xi8>, %C: memref<32x16xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<2048xi8> to !columns
    %b = tile.view %B : memref<2048xi8> to !columns
    %r = tile.alloc : !registers
    %q = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    %rows = tile.view %C : memref<32x16xi8> to !rows
    %s = tile.alloc : !shared
    %full = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
    }
    tile.copy %rows to %s scope(cta) : !rows to !shared
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tensor
    %c = tile.tmem %address : !copied
    scf.if %is_thread_0 {
      // expected-note @below {{'tile.copy_async' writes it here}}
      tile.copy_async %s to %c scope(thread) : !shared to !copied
      // expected-error @below {{writes tensor memory that an earlier operation writes, and nothing orders the two: for example thread 0 and thread 0, lane 0, column 0}}
      // expected-note @below {{this orders them: a wait for the phase of the first one's mbarrier}}
      tile.copy_async %s to %c scope(thread) : !shared to !copied
      nvvm.tcgen05.commit %full : !llvm.ptr<3>
    }
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %zero : !llvm.ptr<3>, i32 -> i1
      %true = arith.constant true
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    nvvm.tcgen05.fence <after>
    tile.copy_async %t to %q scope(warpgroup) : !tensor to !registers
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup) : !registers to !columns
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }
  // A commit covers everything that its thread has issued so far, also what precedes an earlier commit.
  gpu.func @committed_twice(%A: memref<2048xi8>, %B: memref<2048xi8>, %C: memref<32x16xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<2048xi8> to !columns
    %b = tile.view %B : memref<2048xi8> to !columns
    %r = tile.alloc : !registers
    %q = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    %rows = tile.view %C : memref<32x16xi8> to !rows
    %s = tile.alloc : !shared
    %first = llvm.mlir.addressof @first_copied : !llvm.ptr<3>
    %full = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %first, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
    }
    tile.copy %rows to %s scope(cta) : !rows to !shared
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tensor
    %c = tile.tmem %address : !copied
    scf.if %is_thread_0 {
      tile.copy_async %s to %c scope(thread) : !shared to !copied
      nvvm.tcgen05.commit %first : !llvm.ptr<3>
      nvvm.tcgen05.commit %full : !llvm.ptr<3>
    }
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %zero : !llvm.ptr<3>, i32 -> i1
      %true = arith.constant true
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    nvvm.tcgen05.fence <after>
    tile.copy_async %t to %q scope(warpgroup) : !tensor to !registers
    nvvm.tcgen05.wait <load>
    tile.copy %q to %b scope(warpgroup) : !registers to !columns
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }
  // Nothing waits for the arrival of a commit.
  gpu.func @arrival() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %full = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      // expected-error @below {{may be in flight when the block ends, and its shared memory with it; expected a wait for the phase of its mbarrier, on every path to the end}}
      nvvm.tcgen05.commit %full : !llvm.ptr<3>
    }
    // expected-note @below {{the block ends here}}
    gpu.return
  }
}
