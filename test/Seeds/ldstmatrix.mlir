!frag = !tile.buffer<16x16xf16, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
!tile = !tile.buffer<16x16xf16, shared, #tile.layout<(16, 16) : (16, 1), swizzle<3, 1, 3>>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @round_trip(%A: memref<16x16xf16>, %B: memref<16x16xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x16xf16> to !tile.buffer<16x16xf16, global>
    %b = tile.view %B : memref<16x16xf16> to !tile.buffer<16x16xf16, global>
    %s = tile.alloc : !tile
    %t = tile.alloc : !tile
    %r = tile.alloc : !frag
    tile.copy %a to %s scope(warp) : !tile.buffer<16x16xf16, global> to !tile
    gpu.barrier
    tile.copy %s to %r scope(warp) : !tile to !frag
    tile.copy %r to %t scope(warp) : !frag to !tile
    gpu.barrier
    tile.copy %t to %b scope(warp) : !tile to !tile.buffer<16x16xf16, global>
    gpu.return
  }
}
