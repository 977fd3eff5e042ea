gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @round_trip(%A: memref<32x8xf32>, %B: memref<32x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
    %b = tile.view %B : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
    %s = tile.alloc : !tile.buffer<32x8xf32, shared>
    %r = tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    tile.copy %a to %s scope(warp) : !tile.buffer<32x8xf32, global> to !tile.buffer<32x8xf32, shared>
    gpu.barrier
    tile.copy %s to %r scope(warp) : !tile.buffer<32x8xf32, shared> to !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    gpu.barrier
    tile.copy %r to %s scope(warp) : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>> to !tile.buffer<32x8xf32, shared>
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<32x8xf32, shared> to !tile.buffer<32x8xf32, global>
    gpu.return
  }
}
