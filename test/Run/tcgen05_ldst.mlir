// Bytes go from registers to tensor memory and back. Both register tiles are split into bytes; LLVM must not split the loaded
// registers before the wait.
// RUN: tile-run %s --entry round_trip --schedule=all --arg i8[2048]=random --arg i8[2048]=poison --expect-equal 0,1 \
// RUN:   --expect-unchanged 0 | FileCheck %s
// CHECK-COUNT-5: argument 1 holds what argument 0 holds
// CHECK: tcgen05.ld.sync.aligned.32x32b.x4.b32 4 2048
// CHECK: tcgen05.st.sync.aligned.32x32b.x4.b32 4 2048

// 8-bit floats, for which LLVM has no type, go there and back as bytes do.
// RUN: sed s/xi8/xf8E4M3FN/g %s > %t.f8.mlir && tile-run %t.f8.mlir --entry round_trip --schedule=all --arg f8E4M3FN[2048]=random \
// RUN:   --arg f8E4M3FN[2048]=poison --expect-equal 0,1 | FileCheck %s

// A load without a later wait in its block is waited for immediately.
// RUN: tile-run %s --entry elsewhere --schedule=all --arg i8[2048]=random --arg i8[2048]=poison --expect-equal 0,1 \
// RUN:   | FileCheck %s
// RUN: tile-opt %s --lower-tile-copy | FileCheck %s --check-prefix=EXPAND
// EXPAND-LABEL: gpu.func @round_trip
// EXPAND:       nvvm.tcgen05.ld
// EXPAND-NEXT:  nvvm.tcgen05.wait <load>
// EXPAND:       llvm.inline_asm has_side_effects "", "=r,=r,=r,=r,0,1,2,3"
// EXPAND-NOT:   tcgen05.wait <load>
// EXPAND-LABEL: gpu.func @elsewhere
// EXPAND:       nvvm.tcgen05.ld
// EXPAND-NEXT:  nvvm.tcgen05.wait <load>
// EXPAND:       llvm.inline_asm has_side_effects ""
// EXPAND:       scf.if
// EXPAND-NEXT:    nvvm.tcgen05.wait <load>

!columns = !tile.buffer<128x16xi8, global, #tile.layout<(128, 16) : (1, 128)>>
!registers = !tile.buffer<128x16xi8, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
!tensor = !tile.buffer<128x16xi8, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  llvm.mlir.global internal @tmem_address() {addr_space = 3 : i32, alignment = 4 : i64} : i32

  gpu.func @round_trip(%A: memref<2048xi8>, %B: memref<2048xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<2048xi8> to !columns
    %b = tile.view %B : memref<2048xi8> to !columns
    %r = tile.alloc : !registers
    %q = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tensor
    tile.copy %a to %r scope(warpgroup) : !columns to !registers
    tile.copy_async %r to %t scope(warpgroup) : !registers to !tensor
    nvvm.tcgen05.wait <store>
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

  gpu.func @elsewhere(%A: memref<2048xi8>, %B: memref<2048xi8>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>} {  // in order, but not followed
    %a = tile.view %A : memref<2048xi8> to !columns
    %b = tile.view %B : memref<2048xi8> to !columns
    %r = tile.alloc : !registers
    %q = tile.alloc : !registers
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tensor
    tile.copy %a to %r scope(warpgroup) : !columns to !registers
    tile.copy_async %r to %t scope(warpgroup) : !registers to !tensor
    nvvm.tcgen05.wait <store>
    tile.copy_async %t to %q scope(warpgroup) : !tensor to !registers
    %true = arith.constant true
    scf.if %true {
      nvvm.tcgen05.wait <load>
    }
    tile.copy %q to %b scope(warpgroup) : !registers to !columns
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}
