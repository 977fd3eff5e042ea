// Where arguments may overlap, a copy is neither moved ahead of a write through another argument nor made through the read-only
// cache.
// RUN: tile-opt %s --tile-pipeline --split-input-file --verify-diagnostics -o /dev/null
// RUN: sed -e 's/, tile.noalias = false//' -e '/expected-/d' %s | tile-opt --tile-pipeline --split-input-file -o /dev/null
// RUN: sed -e 's/, tile.noalias = false//' -e '/expected-/d' %s | not tile-opt --tile-pipeline=noalias=false --split-input-file -o /dev/null
// RUN: sed -e 's/, tile.noalias = false//' -e '/expected-/d' %s | tile-opt --lower-tile-copy --split-input-file -o /dev/null
// RUN: sed -e 's/, tile.noalias = false//' -e '/expected-/d' %s | not tile-opt --lower-tile-copy=noalias=false --split-input-file -o /dev/null 2>&1 | FileCheck %s
// CHECK: error: {{.*}}got cache = "nc" for memory that the kernel may write

!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @written(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, tile.noalias = false} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1024 = arith.constant 1024 : index
    %s = tile.alloc : !shared
    scf.for %row = %c0 to %c1024 step %c32 {
      // expected-error@below {{reads what an earlier iteration may write}}
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      // expected-note@below {{it is written here}}
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @cached(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, tile.noalias = false} {
    %a = tile.view %A : memref<32x32xf32> to !matrix
    %b = tile.view %B : memref<32x32xf32> to !matrix
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(warp) {cache = "nc"} : !matrix to !shared
    gpu.barrier
    tile.copy %s to %b scope(warp) : !shared to !matrix
    gpu.return
  }
}
