// Copies to tensor memory and loads from it: for the fences between them, a correct kernel and an incorrect twin each.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null

!columns = !tile.buffer<128x16xi8, global, #tile.layout<(128, 16) : (1, 128)>>
!registers = !tile.buffer<128x16xi8, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
!tensor = !tile.buffer<128x16xi8, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
!rows = !tile.buffer<32x16xi8, global>
!shared = !tile.buffer<32x16xi8, shared>
!copied = !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  llvm.mlir.global internal @tmem_address() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @copied() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  // All warps store, one thread copies over that, all warps load: fences around the barrier, and after the wait for the phase.
  gpu.func @both(%A: memref<2048xi8>, %B: memref<2048xi8>, %C: memref<32x16xi8>) kernel
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
    tile.copy_async %r to %t scope(warpgroup) : !registers to !tensor
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    gpu.barrier
    nvvm.tcgen05.fence <after>
    scf.if %is_thread_0 {
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

  gpu.func @no_fence_before(%A: memref<2048xi8>, %B: memref<2048xi8>, %C: memref<32x16xi8>) kernel
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
    gpu.barrier
    nvvm.tcgen05.fence <after>
    scf.if %is_thread_0 {
      // expected-error @below {{writes tensor memory that an earlier operation writes, and nothing orders the two: for example thread 32 and thread 0, lane 32, column 0}}
      // expected-note @below {{this orders them: nvvm.tcgen05.fence <before> after the first, before its threads synchronize with others}}
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

  gpu.func @no_fence_after(%A: memref<2048xi8>, %B: memref<2048xi8>, %C: memref<32x16xi8>) kernel
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
    nvvm.tcgen05.fence <before>
    gpu.barrier
    scf.if %is_thread_0 {
      // expected-error @below {{for example thread 32 and thread 0, lane 32, column 0}}
      // expected-note @below {{this orders them: nvvm.tcgen05.fence <after> before the second}}
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

  // The wait for the phase is not followed by a fence.
  gpu.func @no_fence_behind_phase(%A: memref<2048xi8>, %B: memref<2048xi8>, %C: memref<32x16xi8>) kernel
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
    // expected-error @below {{reads tensor memory that an earlier operation writes, and nothing orders the two: for example thread 0 and thread 0, lane 0, column 0}}
    // expected-note @below {{this orders them: nvvm.tcgen05.fence <after> before the second}}
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
}
