// Parts of a swizzled tile that different threads write at run-time offsets have no byte in common: no barrier is needed between
// them, and none is inserted. With parts that overlap, one is.
// RUN: tile-opt %s --tile-insert-sync | FileCheck %s
// RUN: tile-opt %s --tile-insert-sync -o %t.mlir
// RUN: tile-run %t.mlir --entry warps --arg f16[16x64]=random --arg f16[16x64]=poison --schedule all --expect-equal 0,1 | FileCheck %s --check-prefix=EXECUTED
// RUN: tile-run %t.mlir --entry halves --arg f16[16x64]=random --arg f16[16x64]=poison --schedule all --expect-equal 0,1 | FileCheck %s --check-prefix=EXECUTED
// RUN: tile-run %t.mlir --entry rotated --arg f16[16x64]=random --arg f16[16x64]=poison --arg i64=3 --schedule all | FileCheck %s --check-prefix=EXECUTED
// RUN: tile-run %t.mlir --entry overlapping --arg f16[16x64]=random --arg f16[16x64]=poison --arg i64=5 --schedule all | FileCheck %s --check-prefix=EXECUTED
// EXECUTED: schedule fair

!global = !tile.buffer<16x64xf16, global>
!tile = !tile.buffer<16x64xf16, shared, #tile.layout<(16, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @warps
  // CHECK: scope(warp)
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: scope(cta)
  // CHECK-NEXT: gpu.return
  gpu.func @warps(%A: memref<16x64xf16>, %B: memref<16x64xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<16x64xf16> to !global
    %b = tile.view %B : memref<16x64xf16> to !global
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %warp = arith.divui %thread, %c32 : index
    %column = arith.muli %warp, %c32 : index
    %s = tile.alloc : !tile
    tile.copy %a[0, %column] [16, 32] to %s[0, %column] [16, 32] scope(warp) : !global to !tile
    tile.copy %s to %b scope(cta) : !tile to !global
    gpu.return
  }

  // CHECK-LABEL: gpu.func @halves
  // CHECK: scf.for
  // CHECK-NEXT: tile.copy
  // CHECK-NEXT: }
  // CHECK-NEXT: gpu.barrier
  gpu.func @halves(%A: memref<16x64xf16>, %B: memref<16x64xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<16x64xf16> to !global
    %b = tile.view %B : memref<16x64xf16> to !global
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %s = tile.alloc : !tile
    scf.for %column = %c0 to %c64 step %c32 {
      tile.copy %a[0, %column] [16, 32] to %s[0, %column] [16, 32] scope(cta) : !global to !tile
    }
    tile.copy %s to %b scope(cta) : !tile to !global
    gpu.return
  }

  // Row r and the row after it, both written by all threads.
  // CHECK-LABEL: gpu.func @rotated
  // CHECK: tile.copy
  // CHECK-NEXT: tile.copy
  // CHECK-NEXT: gpu.barrier
  gpu.func @rotated(%A: memref<16x64xf16>, %B: memref<16x64xf16>, %row: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<16x64xf16> to !global
    %b = tile.view %B : memref<16x64xf16> to !global
    %c1 = arith.constant 1 : index
    %next = arith.addi %row, %c1 : index
    %s = tile.alloc : !tile
    tile.copy %a[0, 0] [1, 64] to %s[%row, 0] [1, 64] scope(cta) : !global to !tile
    tile.copy %a[1, 0] [1, 64] to %s[%next, 0] [1, 64] scope(cta) : !global to !tile
    tile.copy %s[%row, 0] [2, 64] to %b[0, 0] [2, 64] scope(cta) : !tile to !global
    gpu.return
  }

  // Rows r and r + 1, then r + 1 and r + 2.
  // CHECK-LABEL: gpu.func @overlapping
  // CHECK: tile.copy
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.copy
  gpu.func @overlapping(%A: memref<16x64xf16>, %B: memref<16x64xf16>, %row: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<16x64xf16> to !global
    %b = tile.view %B : memref<16x64xf16> to !global
    %c1 = arith.constant 1 : index
    %next = arith.addi %row, %c1 : index
    %s = tile.alloc : !tile
    tile.copy %a[0, 0] [2, 64] to %s[%row, 0] [2, 64] scope(cta) : !global to !tile
    tile.copy %a[1, 0] [2, 64] to %s[%next, 0] [2, 64] scope(cta) : !global to !tile
    tile.copy %s[%row, 0] [2, 64] to %b[0, 0] [2, 64] scope(cta) : !tile to !global
    gpu.return
  }
}
