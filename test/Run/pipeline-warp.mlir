// Rings of mbarriers that one of several warps goes round: its own first thread initialises the mbarriers, and its own barrier
// releases the stages. In @again the condition is between two loops, so that all threads are there when the mbarriers are made.

// RUN: tile-opt %s --tile-pipeline -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: tile-opt %t.mlir --tile-check-sync -o /dev/null
// RUN: tile-run %t.mlir --entry alone --schedule=all --arg f32[160x64]=random --arg f32[160x64]=poison --arg i64=160 --expect-equal 0,1
// RUN: tile-run %t.mlir --entry alone --schedule=all --arg f32[160x64]=random --arg f32[160x64]=poison --arg i64=32
// RUN: tile-run %t.mlir --entry alone --schedule=all --arg f32[160x64]=random --arg f32[160x64]=random:7 --arg i64=0 --expect-unchanged 1
// RUN: tile-run %t.mlir --entry again --schedule=all --arg f32[3x160x64]=random --arg f32[3x160x64]=poison --arg i64=3 --arg i64=160 --expect-equal 0,1
// RUN: tile-run %t.mlir --entry again --schedule=all --arg f32[3x160x64]=random --arg f32[3x160x64]=random:7 --arg i64=3 --arg i64=0 --expect-unchanged 1

// CHECK-LABEL: gpu.func @alone
// CHECK:         scf.if
// CHECK:           nvvm.mbarrier.init
// CHECK:           nvvm.bar.warp.sync
// CHECK-NOT:     gpu.barrier
// CHECK-LABEL: gpu.func @again
// CHECK:         nvvm.mbarrier.init
// CHECK:         gpu.barrier
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK-NOT:       gpu.barrier
// CHECK:         gpu.return

!matrix = !tile.buffer<160x64xf32, global>
!matrices = !tile.buffer<3x160x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @alone(%A: memref<160x64xf32>, %B: memref<160x64xf32>, %rows: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<160x64xf32> to !matrix
    %b = tile.view %B : memref<160x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %warp = arith.divui %thread, %c32 : index
    %is_it = arith.cmpi eq, %warp, %c2 : index
    scf.if %is_it {
      scf.for %row = %c0 to %rows step %c32 {
        tile.copy_async %a[%row, 0] [32, 64] to %s scope(warp) {variant = "bulk"} : !matrix to !shared
        tile.copy %s to %b[%row, 0] [32, 64] scope(warp) : !shared to !matrix
      } {tile.stages = 3 : i64}
    }
    gpu.return
  }

  gpu.func @again(%A: memref<3x160x64xf32>, %B: memref<3x160x64xf32>, %tiles: index, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<3x160x64xf32> to !matrices
    %b = tile.view %B : memref<3x160x64xf32> to !matrices
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %warp = arith.divui %thread, %c32 : index
    %is_it = arith.cmpi eq, %warp, %c1 : index
    scf.for %tile = %c0 to %tiles step %c1 {
      scf.if %is_it {
        scf.for %row = %c0 to %rows step %c32 {
          tile.copy_async %a[%tile, %row, 0] [1, 32, 64] to %s scope(warp) {variant = "bulk"} : !matrices to !shared
          tile.copy %s to %b[%tile, %row, 0] [1, 32, 64] scope(warp) : !shared to !matrices
        } {tile.stages = 2 : i64}
      }
    }
    gpu.return
  }
}
