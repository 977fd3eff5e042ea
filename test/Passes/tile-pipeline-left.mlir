// A loop that requests stages but was not pipelined is lowered with one stage, and a warning says so.
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
    // expected-warning@below {{has tile.stages, which --tile-pipeline before this makes a ring; without it there is one stage}}
    scf.for %row = %c0 to %rows step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      nvvm.cp.async.wait.group 0
      gpu.barrier
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
      gpu.barrier
    } {tile.stages = 2 : i64}
    gpu.return
  }
}
