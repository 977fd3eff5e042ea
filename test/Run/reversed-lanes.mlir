// Registers of which lanes hold rows from the last one on: which element a lane has is counted from the end.
// RUN: tile-run %s --schedule=all --arg f32[4x8]=iota --arg f32[4x8]=poison --expect-equal 0,1

!reversed = !tile.buffer<4x8xf32, local, #tile.layout<(4, 8) : (-8@laneid, 1@laneid) + 24@laneid>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @reversed(%A: memref<4x8xf32>, %B: memref<4x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<4x8xf32>
    %b = tile.view %B : memref<4x8xf32>
    %r = tile.alloc : !reversed
    tile.copy %a to %r scope(cta) : !tile.buffer<4x8xf32, global> to !reversed
    tile.copy %r to %b scope(cta) : !reversed to !tile.buffer<4x8xf32, global>
    gpu.return
  }
}
