// Global memory to registers and back, 8 rows of 512 bytes (4 KiB) for each block: a warp holds a row, a lane 16 adjacent
// bytes of it, so that a warp's access is 512 adjacent bytes. The buffers have 1 GiB; block i copies rows 8 i to 8 i + 7.
!all_reg_coalesced_f32 = !tile.buffer<2097152x128xf32, global>
!tile_reg_coalesced_f32 = !tile.buffer<8x128xf32, local, #tile.layout<(8, 32, 4) : (1@warpid, 1@laneid, 1)>>
!all_reg_coalesced_f16 = !tile.buffer<2097152x256xf16, global>
!tile_reg_coalesced_f16 = !tile.buffer<8x256xf16, local, #tile.layout<(8, 32, 8) : (1@warpid, 1@laneid, 1)>>
!all_reg_coalesced_u8 = !tile.buffer<2097152x512xi8, global>
!tile_reg_coalesced_u8 = !tile.buffer<8x512xi8, local, #tile.layout<(8, 32, 16) : (1@warpid, 1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @reg_coalesced_f32(%A: memref<2097152x128xf32>, %B: memref<2097152x128xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 8 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<2097152x128xf32> to !all_reg_coalesced_f32
    %b = tile.view %B : memref<2097152x128xf32> to !all_reg_coalesced_f32
    %near = tile.alloc : !tile_reg_coalesced_f32
    tile.copy %a[%row, 0] [8, 128] to %near[0, 0] [8, 128] scope(cta) : !all_reg_coalesced_f32 to !tile_reg_coalesced_f32
    tile.copy %near[0, 0] [8, 128] to %b[%row, 0] [8, 128] scope(cta) : !tile_reg_coalesced_f32 to !all_reg_coalesced_f32
    gpu.return
  }

  gpu.func @reg_coalesced_f16(%A: memref<2097152x256xf16>, %B: memref<2097152x256xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 8 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<2097152x256xf16> to !all_reg_coalesced_f16
    %b = tile.view %B : memref<2097152x256xf16> to !all_reg_coalesced_f16
    %near = tile.alloc : !tile_reg_coalesced_f16
    tile.copy %a[%row, 0] [8, 256] to %near[0, 0] [8, 256] scope(cta) : !all_reg_coalesced_f16 to !tile_reg_coalesced_f16
    tile.copy %near[0, 0] [8, 256] to %b[%row, 0] [8, 256] scope(cta) : !tile_reg_coalesced_f16 to !all_reg_coalesced_f16
    gpu.return
  }

  gpu.func @reg_coalesced_u8(%A: memref<2097152x512xi8>, %B: memref<2097152x512xi8>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 8 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<2097152x512xi8> to !all_reg_coalesced_u8
    %b = tile.view %B : memref<2097152x512xi8> to !all_reg_coalesced_u8
    %near = tile.alloc : !tile_reg_coalesced_u8
    tile.copy %a[%row, 0] [8, 512] to %near[0, 0] [8, 512] scope(cta) : !all_reg_coalesced_u8 to !tile_reg_coalesced_u8
    tile.copy %near[0, 0] [8, 512] to %b[%row, 0] [8, 512] scope(cta) : !tile_reg_coalesced_u8 to !all_reg_coalesced_u8
    gpu.return
  }
}
