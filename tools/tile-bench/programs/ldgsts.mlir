// Global to shared memory by cp.async, and back by loads and stores: a contiguous tile of 4 or 16 KiB per block of 256
// threads, for comparison with bulk copies; and 16 KiB to swizzled shared memory. The buffers have 1 GiB.
!all = !tile.buffer<4194304x64xf32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @ldgsts_4k_f32(%A: memref<4194304x64xf32>, %B: memref<4194304x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 16 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<4194304x64xf32> to !all
    %b = tile.view %B : memref<4194304x64xf32> to !all
    %near = tile.alloc : !tile.buffer<16x64xf32, shared>
    tile.copy_async %a[%row, 0] [16, 64] to %near scope(cta) group : !all to !tile.buffer<16x64xf32, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %near to %b[%row, 0] [16, 64] scope(cta) : !tile.buffer<16x64xf32, shared> to !all
    gpu.return
  }

  gpu.func @ldgsts_16k_f32(%A: memref<4194304x64xf32>, %B: memref<4194304x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 64 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<4194304x64xf32> to !all
    %b = tile.view %B : memref<4194304x64xf32> to !all
    %near = tile.alloc : !tile.buffer<64x64xf32, shared>
    tile.copy_async %a[%row, 0] [64, 64] to %near scope(cta) group : !all to !tile.buffer<64x64xf32, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %near to %b[%row, 0] [64, 64] scope(cta) : !tile.buffer<64x64xf32, shared> to !all
    gpu.return
  }

  gpu.func @ldgsts_swizzled_16k_f32(%A: memref<4194304x64xf32>, %B: memref<4194304x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 64 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<4194304x64xf32> to !all
    %b = tile.view %B : memref<4194304x64xf32> to !all
    %near = tile.alloc : !tile.buffer<64x64xf32, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 2, bits = 3, shift = 3>>>
    tile.copy_async %a[%row, 0] [64, 64] to %near scope(cta) group : !all to !tile.buffer<64x64xf32, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 2, bits = 3, shift = 3>>>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %near to %b[%row, 0] [64, 64] scope(cta) : !tile.buffer<64x64xf32, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 2, bits = 3, shift = 3>>> to !all
    gpu.return
  }
}
