// 36 rows that start inside a block of 6: no list of iters describes this region. All threads copy it in three parts,
// into shared memory and out of it.
// RUN: tile-opt %s --tile-align-layouts --tile-vectorize-copy | FileCheck %s
// RUN: tile-run %s --arg f16[36x64]=random --arg f16[36x64]=poison --expect-equal 0,1

// CHECK: tile.planned_copy {{.*}} scope(warp) plan<vectors "gmem_smem", rounds = 1, threads = 32, vector = 8,
// CHECK: tile.planned_copy {{.*}} scope(warp) plan<vectors "gmem_smem", rounds = 8, threads = 32, vector = 8, last_threads = 16,
// CHECK: tile.planned_copy {{.*}} scope(warp) plan<vectors "gmem_smem", rounds = 1, threads = 32, vector = 4,
// CHECK-NEXT: gpu.barrier

!rows = !tile.buffer<36x64xf16, global>
!blocks = !tile.buffer<72x64xf16, shared, #tile.layout<(12, 6, 64) : (512, 64, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @uneven(%A: memref<36x64xf16>, %B: memref<36x64xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<36x64xf16> to !rows
    %b = tile.view %B : memref<36x64xf16> to !rows
    %s = tile.alloc : !blocks
    tile.copy %a to %s[2, 0] [36, 64] scope(warp) : !rows to !blocks
    gpu.barrier
    tile.copy %s[2, 0] [36, 64] to %b scope(warp) : !blocks to !rows
    gpu.return
  }
}
