// Global memory to registers and back, 256 rows for each block, a lane holding a row. Rows of 16 bytes are adjacent; in
// longer ones a warp's 16-byte accesses would use half of each sector, so lanes access parts of each other's rows and
// exchange them. The buffers have 1 GiB; block i copies rows 256 i to 256 i + 255.
!all_reg_rows32_f32 = !tile.buffer<33554432x8xf32, global>
!tile_reg_rows32_f32 = !tile.buffer<256x8xf32, local, #tile.layout<(8, 32, 8) : (1@warpid, 1@laneid, 1)>>
!all_reg_rows32_f16 = !tile.buffer<33554432x16xf16, global>
!tile_reg_rows32_f16 = !tile.buffer<256x16xf16, local, #tile.layout<(8, 32, 16) : (1@warpid, 1@laneid, 1)>>
!all_reg_rows32_u8 = !tile.buffer<33554432x32xi8, global>
!tile_reg_rows32_u8 = !tile.buffer<256x32xi8, local, #tile.layout<(8, 32, 32) : (1@warpid, 1@laneid, 1)>>
!all_reg_rows64_f32 = !tile.buffer<16777216x16xf32, global>
!tile_reg_rows64_f32 = !tile.buffer<256x16xf32, local, #tile.layout<(8, 32, 16) : (1@warpid, 1@laneid, 1)>>
!all_reg_rows128_f32 = !tile.buffer<8388608x32xf32, global>
!tile_reg_rows128_f32 = !tile.buffer<256x32xf32, local, #tile.layout<(8, 32, 32) : (1@warpid, 1@laneid, 1)>>
!all_reg_rows16_f16 = !tile.buffer<67108864x8xf16, global>
!tile_reg_rows16_f16 = !tile.buffer<256x8xf16, local, #tile.layout<(8, 32, 8) : (1@warpid, 1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @reg_rows32_f32(%A: memref<33554432x8xf32>, %B: memref<33554432x8xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 256 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<33554432x8xf32> to !all_reg_rows32_f32
    %b = tile.view %B : memref<33554432x8xf32> to !all_reg_rows32_f32
    %near = tile.alloc : !tile_reg_rows32_f32
    tile.copy %a[%row, 0] [256, 8] to %near[0, 0] [256, 8] scope(cta) : !all_reg_rows32_f32 to !tile_reg_rows32_f32
    tile.copy %near[0, 0] [256, 8] to %b[%row, 0] [256, 8] scope(cta) : !tile_reg_rows32_f32 to !all_reg_rows32_f32
    gpu.return
  }

  gpu.func @reg_rows32_f16(%A: memref<33554432x16xf16>, %B: memref<33554432x16xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 256 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<33554432x16xf16> to !all_reg_rows32_f16
    %b = tile.view %B : memref<33554432x16xf16> to !all_reg_rows32_f16
    %near = tile.alloc : !tile_reg_rows32_f16
    tile.copy %a[%row, 0] [256, 16] to %near[0, 0] [256, 16] scope(cta) : !all_reg_rows32_f16 to !tile_reg_rows32_f16
    tile.copy %near[0, 0] [256, 16] to %b[%row, 0] [256, 16] scope(cta) : !tile_reg_rows32_f16 to !all_reg_rows32_f16
    gpu.return
  }

  gpu.func @reg_rows32_u8(%A: memref<33554432x32xi8>, %B: memref<33554432x32xi8>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 256 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<33554432x32xi8> to !all_reg_rows32_u8
    %b = tile.view %B : memref<33554432x32xi8> to !all_reg_rows32_u8
    %near = tile.alloc : !tile_reg_rows32_u8
    tile.copy %a[%row, 0] [256, 32] to %near[0, 0] [256, 32] scope(cta) : !all_reg_rows32_u8 to !tile_reg_rows32_u8
    tile.copy %near[0, 0] [256, 32] to %b[%row, 0] [256, 32] scope(cta) : !tile_reg_rows32_u8 to !all_reg_rows32_u8
    gpu.return
  }

  gpu.func @reg_rows64_f32(%A: memref<16777216x16xf32>, %B: memref<16777216x16xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 256 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<16777216x16xf32> to !all_reg_rows64_f32
    %b = tile.view %B : memref<16777216x16xf32> to !all_reg_rows64_f32
    %near = tile.alloc : !tile_reg_rows64_f32
    tile.copy %a[%row, 0] [256, 16] to %near[0, 0] [256, 16] scope(cta) : !all_reg_rows64_f32 to !tile_reg_rows64_f32
    tile.copy %near[0, 0] [256, 16] to %b[%row, 0] [256, 16] scope(cta) : !tile_reg_rows64_f32 to !all_reg_rows64_f32
    gpu.return
  }

  gpu.func @reg_rows128_f32(%A: memref<8388608x32xf32>, %B: memref<8388608x32xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 256 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<8388608x32xf32> to !all_reg_rows128_f32
    %b = tile.view %B : memref<8388608x32xf32> to !all_reg_rows128_f32
    %near = tile.alloc : !tile_reg_rows128_f32
    tile.copy %a[%row, 0] [256, 32] to %near[0, 0] [256, 32] scope(cta) : !all_reg_rows128_f32 to !tile_reg_rows128_f32
    tile.copy %near[0, 0] [256, 32] to %b[%row, 0] [256, 32] scope(cta) : !tile_reg_rows128_f32 to !all_reg_rows128_f32
    gpu.return
  }

  gpu.func @reg_rows16_f16(%A: memref<67108864x8xf16>, %B: memref<67108864x8xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 256 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<67108864x8xf16> to !all_reg_rows16_f16
    %b = tile.view %B : memref<67108864x8xf16> to !all_reg_rows16_f16
    %near = tile.alloc : !tile_reg_rows16_f16
    tile.copy %a[%row, 0] [256, 8] to %near[0, 0] [256, 8] scope(cta) : !all_reg_rows16_f16 to !tile_reg_rows16_f16
    tile.copy %near[0, 0] [256, 8] to %b[%row, 0] [256, 8] scope(cta) : !tile_reg_rows16_f16 to !all_reg_rows16_f16
    gpu.return
  }
}
