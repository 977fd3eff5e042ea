// Rings of swizzled stages, whose readers are warps, each of its own rows: one wait and one barrier per iteration. A hand-written one
// is in order as it is.

// RUN: tile-opt %s --tile-pipeline -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: tile-opt %t.mlir --tile-check-sync -o /dev/null
// RUN: tile-run %t.mlir --entry rows --schedule=all --arg f16[512x64]=random --arg f16[512x64]=poison --expect-equal 0,1
// RUN: tile-run %t.mlir --entry columns --schedule=all --arg f16[512x64]=random --arg f16[512x64]=poison --expect-equal 0,1
// RUN: tile-run %t.mlir --entry by_hand --schedule=all --arg f16[512x64]=random --arg f16[512x64]=poison --expect-equal 0,1

// CHECK-LABEL: gpu.func @rows
// CHECK:         scf.for
// CHECK:           nvvm.cp.async.wait.group 1
// CHECK:           gpu.barrier
// CHECK:           nvvm.cp.async.commit.group
// CHECK-NOT:       nvvm.cp.async.wait.group
// CHECK-NOT:       gpu.barrier
// CHECK:         }
// CHECK-NEXT:    nvvm.cp.async.wait.group 0
// CHECK-LABEL: gpu.func @columns
// CHECK:         scf.for
// CHECK:           nvvm.cp.async.wait.group 1
// CHECK:           gpu.barrier
// CHECK:           nvvm.cp.async.commit.group
// CHECK-NOT:       nvvm.cp.async.wait.group
// CHECK-NOT:       gpu.barrier
// CHECK:         nvvm.cp.async.wait.group 0
// CHECK-LABEL: gpu.func @by_hand

!matrix = !tile.buffer<512x64xf16, global>
!shared = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!stages = !tile.buffer<3x64x64xf16, shared, #tile.layout<(3, 64, 64) : (4096, 64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!stage = !tile.buffer<1x64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!fragment = !tile.buffer<32x64xf16, local, #tile.layout<(2, 2, 8, 4, 2, 4, 2) : (32, 2, 4@laneid, 8, 4, 1@laneid, 1)>>
!part = !tile.buffer<32x16xf16, local, #tile.layout<(2, 2, 8, 2, 4, 2) : (8, 2, 4@laneid, 4, 1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rows(%A: memref<512x64xf16>, %B: memref<512x64xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<512x64xf16> to !matrix
    %b = tile.view %B : memref<512x64xf16> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %t = gpu.thread_id x
    %w = arith.divui %t, %c32 : index
    %wm = arith.muli %w, %c32 : index
    %s = tile.alloc : !shared
    %f = tile.alloc : !fragment
    scf.for %row = %c0 to %c512 step %c64 {
      tile.copy_async %a[%row, 0] [64, 64] to %s scope(cta) group : !matrix to !shared
      tile.copy %s[%wm, 0] [32, 64] to %f scope(warp) : !shared to !fragment
      %mine = arith.addi %row, %wm : index
      tile.copy %f to %b[%mine, 0] [32, 64] scope(warp) : !fragment to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }

  // Parts of swizzled rows: any of four.
  gpu.func @columns(%A: memref<512x64xf16>, %B: memref<512x64xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<512x64xf16> to !matrix
    %b = tile.view %B : memref<512x64xf16> to !matrix
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %t = gpu.thread_id x
    %w = arith.divui %t, %c32 : index
    %wm = arith.muli %w, %c32 : index
    %s = tile.alloc : !shared
    scf.for %row = %c0 to %c512 step %c64 {
      tile.copy_async %a[%row, 0] [64, 64] to %s scope(cta) group : !matrix to !shared
      scf.for %k = %c0 to %c4 step %c1 {
        %column = arith.muli %k, %c16 : index
        %p = tile.alloc : !part
        tile.copy %s[%wm, %column] [32, 16] to %p scope(warp) : !shared to !part
        %mine = arith.addi %row, %wm : index
        tile.copy %p to %b[%mine, %column] [32, 16] scope(warp) : !part to !matrix
      }
    } {tile.stages = 3 : i64}
    gpu.return
  }

  gpu.func @by_hand(%A: memref<512x64xf16>, %B: memref<512x64xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<512x64xf16> to !matrix
    %b = tile.view %B : memref<512x64xf16> to !matrix
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %t = gpu.thread_id x
    %w = arith.divui %t, %c32 : index
    %wm = arith.muli %w, %c32 : index
    %s = tile.alloc : !stages
    %f = tile.alloc : !fragment
    %s0 = tile.subview %s[0, 0, 0] [1, 64, 64] : !stages to !stage
    %t0 = tile.reshape %s0 : !stage to !shared
    tile.copy_async %a[0, 0] [64, 64] to %t0 scope(cta) group : !matrix to !shared
    %s1 = tile.subview %s[1, 0, 0] [1, 64, 64] : !stages to !stage
    %t1 = tile.reshape %s1 : !stage to !shared
    tile.copy_async %a[64, 0] [64, 64] to %t1 scope(cta) group : !matrix to !shared
    scf.for %k = %c0 to %c8 step %c1 {
      %own = arith.remui %k, %c3 : index
      %so = tile.subview %s[%own, 0, 0] [1, 64, 64] : !stages to !stage
      %to = tile.reshape %so : !stage to !shared
      nvvm.cp.async.wait.group 1
      gpu.barrier
      %next = arith.addi %k, %c2 : index
      %is = arith.cmpi slt, %next, %c8 : index
      scf.if %is {
        %ahead = arith.remui %next, %c3 : index
        %sn = tile.subview %s[%ahead, 0, 0] [1, 64, 64] : !stages to !stage
        %tn = tile.reshape %sn : !stage to !shared
        %from = arith.muli %next, %c64 : index
        tile.copy_async %a[%from, 0] [64, 64] to %tn scope(cta) : !matrix to !shared
      }
      nvvm.cp.async.commit.group
      tile.copy %to[%wm, 0] [32, 64] to %f scope(warp) : !shared to !fragment
      %row = arith.muli %k, %c64 : index
      %mine = arith.addi %row, %wm : index
      tile.copy %f to %b[%mine, 0] [32, 64] scope(warp) : !fragment to !matrix
    }
    nvvm.cp.async.wait.group 0
    gpu.return
  }
}
