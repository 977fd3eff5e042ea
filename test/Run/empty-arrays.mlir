// A matrix without rows: nothing is copied, and nothing is wrong.
// RUN: tile-run %s --schedule=all --arg f32[0x8]=random --arg f32[0x8]=poison --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --schedule=all --arg f32[2x8]=random --arg f32[2x8]=poison --expect-equal 0,1
// CHECK: argument 1 holds what argument 0 holds
gpu.module @kernels {
  gpu.func @rows(%A: memref<?x8xf32>, %B: memref<?x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.dim %A, %c0 : memref<?x8xf32>
    %a = tile.view %A : memref<?x8xf32>
    %b = tile.view %B : memref<?x8xf32>
    scf.for %i = %c0 to %m step %c1 {
      tile.copy %a[%i, 0] [1, 8] to %b[%i, 0] [1, 8] scope(warp) : !tile.buffer<?x8xf32, global> to !tile.buffer<?x8xf32, global>
    }
    gpu.return
  }
}
