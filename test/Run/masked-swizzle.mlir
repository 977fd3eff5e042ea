// A masked row of a swizzled tile, shorter than the period of the swizzle and at a run-time offset: the swizzle must be
// applied. The same holds for a reshaped part.
// RUN: tile-run %s --entry masked --arg i8[64x8]=random --arg i8[64x8]=poison --schedule all --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry part --arg i8[64x8]=random --arg i8[64x8]=poison --schedule all --expect-equal 0,1 | FileCheck %s
// CHECK: argument 1 holds what argument 0 holds

!rows = !tile.buffer<64x8xi8, global>
!tile = !tile.buffer<64x8xi8, shared, #tile.layout<(64, 8) : (8, 1), swizzle<base = 2, bits = 3, shift = 3>>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // The whole row, then a masked copy from column 1 on, whose last column is outside.
  gpu.func @masked(%A: memref<64x8xi8>, %B: memref<64x8xi8>) kernel attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // in order, but not followed
    %a = tile.view %A : memref<64x8xi8> to !rows
    %b = tile.view %B : memref<64x8xi8> to !rows
    %s = tile.alloc : !tile
    %t = gpu.thread_id x
    tile.copy %a[%t, 0] [1, 8] to %s[%t, 0] [1, 8] scope(thread) : !rows to !tile
    tile.copy %a[%t, 1] [1, 8] to %s[%t, 1] [1, 8] scope(thread) masked : !rows to !tile
    gpu.barrier
    tile.copy %s to %b scope(cta) : !tile to !rows
    gpu.return
  }

  gpu.func @part(%A: memref<64x8xi8>, %B: memref<64x8xi8>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64x8xi8> to !rows
    %b = tile.view %B : memref<64x8xi8> to !rows
    %s = tile.alloc : !tile
    %t = gpu.thread_id x
    %p = tile.subview %s[%t, 0] [1, 8] : !tile to !tile.buffer<1x8xi8, shared, #tile.layout<(8) : (1), swizzle<base = 2, bits = 3, shift = 3>>>
    %r = tile.reshape %p : !tile.buffer<1x8xi8, shared, #tile.layout<(8) : (1), swizzle<base = 2, bits = 3, shift = 3>>>
      to !tile.buffer<8xi8, shared, #tile.layout<(8) : (1), swizzle<base = 2, bits = 3, shift = 3>>>
    tile.copy %a[%t, 0] [1, 8] to %r scope(thread) : !rows to !tile.buffer<8xi8, shared, #tile.layout<(8) : (1), swizzle<base = 2, bits = 3, shift = 3>>>
    gpu.barrier
    tile.copy %s to %b scope(cta) : !tile to !rows
    gpu.return
  }
}
