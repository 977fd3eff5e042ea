// A loop that requests stages but was not pipelined is lowered with one stage, and a warning says why.
// RUN: tile-opt %s --lower-tile-copy --verify-diagnostics -o /dev/null

!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @plain(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc : !shared
    // expected-warning@below {{has one stage, since it synchronizes by 'nvvm.cp.async.wait.group', which --tile-pipeline does for rings; expected no 'nvvm.cp.async.wait.group' in it, or no tile.stages}}
    scf.for %row = %c0 to %rows step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      // expected-note@below {{this synchronizes}}
      nvvm.cp.async.wait.group 0
      gpu.barrier
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
      gpu.barrier
    } {tile.stages = 2 : i64}
    gpu.return
  }

  gpu.func @synchronous(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc : !shared
    // expected-warning@below {{has one stage, since it copies nothing asynchronously from global to shared memory; expected a tile.copy_async in its body, or no tile.stages}}
    scf.for %row = %c0 to %rows step %c32 {
      tile.copy %a[%row, 0] [32, 64] to %s scope(cta) : !matrix to !shared
      gpu.barrier
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
      gpu.barrier
    } {tile.stages = 2 : i64}
    gpu.return
  }

  gpu.func @not_yet(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc : !shared
    // expected-warning@below {{has tile.stages, which --tile-pipeline before this makes a ring; without it there is one stage}}
    scf.for %row = %c0 to %rows step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
    } {tile.stages = 2 : i64}
    gpu.return
  }
}
