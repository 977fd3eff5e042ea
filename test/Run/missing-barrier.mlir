// A mistake in the program: lanes read rows that other lanes have written, and nothing orders the accesses. A GPU may give
// the right result by luck; the simulator always reports the race.
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --arg f32[32x8]=random --arg f32[32x8]=poison --expect-equal 0,1 2>&1 | FileCheck %s
// CHECK: error: schedule fair: kernel `hasty`, line {{[0-9]+}} (`{{ld|st}}.shared
// CHECK-SAME: race

!global = !tile.buffer<32x8xf32, global>
!shared = !tile.buffer<32x8xf32, shared>
!rows = !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @hasty(%A: memref<32x8xf32>, %B: memref<32x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x8xf32> to !global
    %b = tile.view %B : memref<32x8xf32> to !global
    %s = tile.alloc : !shared
    %r = tile.alloc : !rows
    tile.copy %a to %s scope(warp) : !global to !shared
    tile.copy %s to %r scope(warp) : !shared to !rows
    tile.copy %r to %b scope(warp) : !rows to !global
    gpu.return
  }
}
