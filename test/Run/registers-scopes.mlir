// Copies between registers of a warpgroup and of a block; in a loop, where each iteration reuses the scratch; with a
// conversion; of parts of a tile, outside which nothing may change; and with threads that hold the same elements.

// RUN: tile-run %s --entry turns --schedule=all --arg f32[256x4]=random --arg f32[256x4]=poison --expect-equal 0,1
// RUN: tile-run %s --entry whole_block --schedule=all --arg i64[96x4]=random --arg i64[96x4]=poison --expect-equal 0,1
// RUN: tile-run %s --entry converts --schedule=all --arg f16[8x8]=random --arg f16[8x8]=poison --expect-equal 0,1
// RUN: tile-run %s --entry parts --schedule=all --arg i8[32x4]=random --arg i8[32x4]=poison --expect-equal 0,1
// RUN: tile-run %s --entry replicas --schedule=all --arg f32[8]=random --arg f32[8]=poison --expect-equal 0,1

!global = !tile.buffer<256x4xf32, global>
!rows = !tile.buffer<128x4xf32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>
!columns = !tile.buffer<128x4xf32, local, #tile.layout<(4, 32, 4) : (1, 4@tid_in_wg, 1@tid_in_wg)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @turns(%A: memref<256x4xf32>, %B: memref<256x4xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x4xf32> to !global
    %b = tile.view %B : memref<256x4xf32> to !global
    %thread = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c128 = arith.constant 128 : index
    %group = arith.divui %thread, %c128 : index
    %row = arith.muli %group, %c128 : index
    %r = tile.alloc : !rows
    %q = tile.alloc : !columns
    tile.copy %a[%row, 0] [128, 4] to %r scope(warpgroup) : !global to !rows
    scf.for %turn = %c0 to %c3 step %c1 {
      tile.copy %r to %q scope(warpgroup) : !rows to !columns
      tile.copy %q to %r scope(warpgroup) : !columns to !rows
    }
    tile.copy %r to %b[%row, 0] [128, 4] scope(warpgroup) : !rows to !global
    gpu.return
  }

  gpu.func @whole_block(%A: memref<96x4xi64>, %B: memref<96x4xi64>) kernel
      attributes {known_block_size = array<i32: 96, 1, 1>} {
    %a = tile.view %A : memref<96x4xi64> to !tile.buffer<96x4xi64, global>
    %b = tile.view %B : memref<96x4xi64> to !tile.buffer<96x4xi64, global>
    %r = tile.alloc : !tile.buffer<96x4xi64, local, #tile.layout<(96, 4) : (1@tx, 1)>>
    %q = tile.alloc : !tile.buffer<96x4xi64, local, #tile.layout<(4, 24, 4) : (1, 4@tx, 1@tx)>>
    tile.copy %a to %r scope(cta)
      : !tile.buffer<96x4xi64, global> to !tile.buffer<96x4xi64, local, #tile.layout<(96, 4) : (1@tx, 1)>>
    tile.copy %r to %q scope(cta)
      : !tile.buffer<96x4xi64, local, #tile.layout<(96, 4) : (1@tx, 1)>>
      to !tile.buffer<96x4xi64, local, #tile.layout<(4, 24, 4) : (1, 4@tx, 1@tx)>>
    tile.copy %q to %b scope(cta)
      : !tile.buffer<96x4xi64, local, #tile.layout<(4, 24, 4) : (1, 4@tx, 1@tx)>> to !tile.buffer<96x4xi64, global>
    gpu.return
  }

  // To f32 with one variant, and back with the other.
  gpu.func @converts(%A: memref<8x8xf16>, %B: memref<8x8xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<8x8xf16> to !tile.buffer<8x8xf16, global>
    %b = tile.view %B : memref<8x8xf16> to !tile.buffer<8x8xf16, global>
    %r = tile.alloc : !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
    %q = tile.alloc : !tile.buffer<8x8xf32, local, #tile.layout<(4, 2, 8) : (1@laneid, 1, 4@laneid)>>
    %p = tile.alloc : !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
    tile.copy %a to %r scope(warp)
      : !tile.buffer<8x8xf16, global> to !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
    tile.copy %r to %q scope(warp) {variant = "shuffle"}
      : !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
      to !tile.buffer<8x8xf32, local, #tile.layout<(4, 2, 8) : (1@laneid, 1, 4@laneid)>>
    tile.copy %q to %p scope(warp) {variant = "scratch"}
      : !tile.buffer<8x8xf32, local, #tile.layout<(4, 2, 8) : (1@laneid, 1, 4@laneid)>>
      to !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
    tile.copy %p to %b scope(warp)
      : !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>> to !tile.buffer<8x8xf16, global>
    gpu.return
  }

  // Rows 16 to 31, in lanes 16 to 31, keep their values while the other rows are redistributed and restored.
  gpu.func @parts(%A: memref<32x4xi8>, %B: memref<32x4xi8>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x4xi8> to !tile.buffer<32x4xi8, global>
    %b = tile.view %B : memref<32x4xi8> to !tile.buffer<32x4xi8, global>
    %r = tile.alloc : !tile.buffer<32x4xi8, local, #tile.layout<(32, 4) : (1@laneid, 1)>>
    %q = tile.alloc : !tile.buffer<16x4xi8, local, #tile.layout<(8, 2, 4) : (1@laneid, 1, 8@laneid)>>
    tile.copy %a to %r scope(warp)
      : !tile.buffer<32x4xi8, global> to !tile.buffer<32x4xi8, local, #tile.layout<(32, 4) : (1@laneid, 1)>>
    tile.copy %r[0, 0] [16, 4] to %q scope(warp)
      : !tile.buffer<32x4xi8, local, #tile.layout<(32, 4) : (1@laneid, 1)>>
      to !tile.buffer<16x4xi8, local, #tile.layout<(8, 2, 4) : (1@laneid, 1, 8@laneid)>>
    tile.copy %q to %r[0, 0] [16, 4] scope(warp) {variant = "shuffle"}
      : !tile.buffer<16x4xi8, local, #tile.layout<(8, 2, 4) : (1@laneid, 1, 8@laneid)>>
      to !tile.buffer<32x4xi8, local, #tile.layout<(32, 4) : (1@laneid, 1)>>
    tile.copy %r to %b scope(warp)
      : !tile.buffer<32x4xi8, local, #tile.layout<(32, 4) : (1@laneid, 1)>> to !tile.buffer<32x4xi8, global>
    gpu.return
  }

  // Every lane holds all eight numbers, then one, then all again.
  gpu.func @replicas(%A: memref<8xf32>, %B: memref<8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<8xf32> to !tile.buffer<8xf32, global>
    %b = tile.view %B : memref<8xf32> to !tile.buffer<8xf32, global>
    %r = tile.alloc : !tile.buffer<8xf32, local>
    %q = tile.alloc : !tile.buffer<8xf32, local, #tile.layout<(8) : (1@laneid) + R(4 : 8@laneid)>>
    %p = tile.alloc : !tile.buffer<8xf32, local>
    tile.copy %a to %r scope(warp) : !tile.buffer<8xf32, global> to !tile.buffer<8xf32, local>
    tile.copy %r to %q scope(warp)
      : !tile.buffer<8xf32, local> to !tile.buffer<8xf32, local, #tile.layout<(8) : (1@laneid) + R(4 : 8@laneid)>>
    tile.copy %q to %p scope(warp)
      : !tile.buffer<8xf32, local, #tile.layout<(8) : (1@laneid) + R(4 : 8@laneid)>> to !tile.buffer<8xf32, local>
    tile.copy %p to %b scope(warp) : !tile.buffer<8xf32, local> to !tile.buffer<8xf32, global>
    gpu.return
  }
}
