// Warps store to tensor memory, one thread copies a tile over that from shared memory, and all load. The kernel is correct as
// written, and so is a twin without any ordering after --tile-insert-sync. Errors that the check reports are also found by the
// simulator, as far as it models them.
// RUN: tile-opt %s --tile-insert-sync -o %t.mlir
// RUN: tile-opt %t.mlir --tile-check-sync -o /dev/null
// RUN: FileCheck %s < %t.mlir
// RUN: %python %tile_source/test/tools/npy.py %t.in.npy "|i1" 32,16 0
// RUN: %python %tile_source/test/tools/npy.py %t.four.npy "|i1" 128,16 0 0 0 0
// RUN: tile-run %t.mlir --entry ordered --schedule=all --arg i8[128x16]=random --arg i8[128x16]=poison --arg i8[32x16]=%t.in.npy --expect 1=%t.four.npy
// RUN: tile-run %t.mlir --entry bare --schedule=all --arg i8[128x16]=random --arg i8[128x16]=poison --arg i8[32x16]=%t.in.npy --expect 1=%t.four.npy
// RUN: tile-run %t.mlir --entry met --schedule=all --arg i8[128x16]=random --arg i8[128x16]=poison --arg i8[32x16]=%t.in.npy --expect 1=%t.four.npy
// RUN: not tile-opt %s --tile-check-sync -o /dev/null 2>&1 | FileCheck %s --check-prefix=BARE --implicit-check-not=ordered
// BARE: error: 'llvm.load' op reads shared memory (@tmem_address) that an earlier operation writes
// RUN: not tile-run %s --entry bare --schedule=all --arg i8[128x16]=random --arg i8[128x16]=poison --arg i8[32x16]=%t.in.npy

// CHECK-LABEL: gpu.func @ordered
// CHECK-COUNT-3: gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK-LABEL: gpu.func @bare
// CHECK:         gpu.barrier
// CHECK-NEXT:    llvm.load
// CHECK:         tile.copy_async
// CHECK-NEXT:    nvvm.tcgen05.wait <store>
// CHECK-NEXT:    nvvm.tcgen05.fence <before>
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      nvvm.fence.proxy
// CHECK-NEXT:      nvvm.tcgen05.fence <after>
// CHECK-NEXT:      tile.copy_async
// CHECK:           nvvm.mbarrier.try_wait
// CHECK:         nvvm.tcgen05.fence <after>
// CHECK-NEXT:    tile.copy_async
// CHECK-NEXT:    nvvm.tcgen05.wait <load>
// CHECK-NEXT:    tile.copy
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      llvm.inttoptr
// CHECK-NEXT:      nvvm.tcgen05.dealloc

// An existing barrier receives its fences.
// CHECK-LABEL: gpu.func @met
// CHECK:         nvvm.tcgen05.wait <store>
// CHECK-NEXT:    nvvm.tcgen05.fence <before>
// CHECK-NEXT:    gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK:         nvvm.tcgen05.fence <after>
// CHECK-NEXT:      tile.copy_async
// CHECK:         nvvm.tcgen05.fence <after>
// CHECK-NEXT:    tile.copy_async

!columns = !tile.buffer<128x16xi8, global>
!registers = !tile.buffer<128x16xi8, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
!tensor = !tile.buffer<128x16xi8, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
!rows = !tile.buffer<32x16xi8, global>
!shared = !tile.buffer<32x16xi8, shared>
!copied = !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  llvm.mlir.global internal @tmem_address() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @copied() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  gpu.func @ordered(%A: memref<128x16xi8>, %B: memref<128x16xi8>, %C: memref<32x16xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x16xi8> to !columns
    %b = tile.view %B : memref<128x16xi8> to !columns
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

  gpu.func @bare(%A: memref<128x16xi8>, %B: memref<128x16xi8>, %C: memref<32x16xi8>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>} {  // not in order, on purpose
    %a = tile.view %A : memref<128x16xi8> to !columns
    %b = tile.view %B : memref<128x16xi8> to !columns
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
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tensor
    %c = tile.tmem %address : !copied
    tile.copy %a to %r scope(warpgroup) : !columns to !registers
    tile.copy_async %r to %t scope(warpgroup) : !registers to !tensor
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
    tile.copy_async %t to %q scope(warpgroup) : !tensor to !registers
    tile.copy %q to %b scope(warpgroup) : !registers to !columns
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  gpu.func @met(%A: memref<128x16xi8>, %B: memref<128x16xi8>, %C: memref<32x16xi8>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>} {  // not in order, on purpose
    %a = tile.view %A : memref<128x16xi8> to !columns
    %b = tile.view %B : memref<128x16xi8> to !columns
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
    gpu.barrier
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
    tile.copy_async %t to %q scope(warpgroup) : !tensor to !registers
    tile.copy %q to %b scope(warpgroup) : !registers to !columns
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
