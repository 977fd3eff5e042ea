// Global to shared memory and back, a contiguous tile of 64 rows of 256 bytes (16 KiB) for each block: four 16-byte
// vectors for each of 256 threads. The buffers have 1 GiB; block i copies rows 64 i to 64 i + 63.
!all_smem_16k_f32 = !tile.buffer<4194304x64xf32, global>
!tile_smem_16k_f32 = !tile.buffer<64x64xf32, shared>
!all_smem_16k_f16 = !tile.buffer<4194304x128xf16, global>
!tile_smem_16k_f16 = !tile.buffer<64x128xf16, shared>
!all_smem_16k_u8 = !tile.buffer<4194304x256xi8, global>
!tile_smem_16k_u8 = !tile.buffer<64x256xi8, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @smem_16k_f32(%A: memref<4194304x64xf32>, %B: memref<4194304x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 64 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<4194304x64xf32> to !all_smem_16k_f32
    %b = tile.view %B : memref<4194304x64xf32> to !all_smem_16k_f32
    %near = tile.alloc : !tile_smem_16k_f32
    tile.copy %a[%row, 0] [64, 64] to %near[0, 0] [64, 64] scope(cta) : !all_smem_16k_f32 to !tile_smem_16k_f32
    gpu.barrier
    tile.copy %near[0, 0] [64, 64] to %b[%row, 0] [64, 64] scope(cta) : !tile_smem_16k_f32 to !all_smem_16k_f32
    gpu.return
  }

  gpu.func @smem_16k_f16(%A: memref<4194304x128xf16>, %B: memref<4194304x128xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 64 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<4194304x128xf16> to !all_smem_16k_f16
    %b = tile.view %B : memref<4194304x128xf16> to !all_smem_16k_f16
    %near = tile.alloc : !tile_smem_16k_f16
    tile.copy %a[%row, 0] [64, 128] to %near[0, 0] [64, 128] scope(cta) : !all_smem_16k_f16 to !tile_smem_16k_f16
    gpu.barrier
    tile.copy %near[0, 0] [64, 128] to %b[%row, 0] [64, 128] scope(cta) : !tile_smem_16k_f16 to !all_smem_16k_f16
    gpu.return
  }

  gpu.func @smem_16k_u8(%A: memref<4194304x256xi8>, %B: memref<4194304x256xi8>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 64 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<4194304x256xi8> to !all_smem_16k_u8
    %b = tile.view %B : memref<4194304x256xi8> to !all_smem_16k_u8
    %near = tile.alloc : !tile_smem_16k_u8
    tile.copy %a[%row, 0] [64, 256] to %near[0, 0] [64, 256] scope(cta) : !all_smem_16k_u8 to !tile_smem_16k_u8
    gpu.barrier
    tile.copy %near[0, 0] [64, 256] to %b[%row, 0] [64, 256] scope(cta) : !tile_smem_16k_u8 to !all_smem_16k_u8
    gpu.return
  }
}
