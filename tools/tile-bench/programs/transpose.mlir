// Transposes of 16384 x 16384 elements, a tile of up to 256 bytes on both sides by one copy of each block. Consecutive blocks write
// consecutive bytes. 256x256 bytes leave in two halves, through a shared tile of 32 KiB.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @transpose_f32(%A: memref<16384x16384xf32>, %B: memref<16384x16384xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<16384x16384xf32>
    %whole = tile.view %B : memref<16384x16384xf32>
    %b = tile.permute %whole [1, 0] : !tile.buffer<16384x16384xf32, global>
      to !tile.buffer<16384x16384xf32, global, #tile.layout<(16384, 16384) : (1, 16384)>>
    %x = gpu.block_id x
    %y = gpu.block_id y
    %n = arith.constant 64 : index
    %row = arith.muli %x, %n : index
    %column = arith.muli %y, %n : index
    tile.copy %a[%row, %column] [64, 64] to %b[%row, %column] [64, 64] scope(cta)
      : !tile.buffer<16384x16384xf32, global> to !tile.buffer<16384x16384xf32, global, #tile.layout<(16384, 16384) : (1, 16384)>>
    gpu.return
  }
  gpu.func @transpose_f16(%A: memref<16384x16384xf16>, %B: memref<16384x16384xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<16384x16384xf16>
    %whole = tile.view %B : memref<16384x16384xf16>
    %b = tile.permute %whole [1, 0] : !tile.buffer<16384x16384xf16, global>
      to !tile.buffer<16384x16384xf16, global, #tile.layout<(16384, 16384) : (1, 16384)>>
    %x = gpu.block_id x
    %y = gpu.block_id y
    %n = arith.constant 128 : index
    %row = arith.muli %x, %n : index
    %column = arith.muli %y, %n : index
    tile.copy %a[%row, %column] [128, 128] to %b[%row, %column] [128, 128] scope(cta)
      : !tile.buffer<16384x16384xf16, global> to !tile.buffer<16384x16384xf16, global, #tile.layout<(16384, 16384) : (1, 16384)>>
    gpu.return
  }
  gpu.func @transpose_u8(%A: memref<16384x16384xi8>, %B: memref<16384x16384xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<16384x16384xi8>
    %whole = tile.view %B : memref<16384x16384xi8>
    %b = tile.permute %whole [1, 0] : !tile.buffer<16384x16384xi8, global>
      to !tile.buffer<16384x16384xi8, global, #tile.layout<(16384, 16384) : (1, 16384)>>
    %x = gpu.block_id x
    %y = gpu.block_id y
    %m = arith.constant 128 : index
    %n = arith.constant 256 : index
    %row = arith.muli %x, %m : index
    %column = arith.muli %y, %n : index
    tile.copy %a[%row, %column] [128, 256] to %b[%row, %column] [128, 256] scope(cta)
      : !tile.buffer<16384x16384xi8, global> to !tile.buffer<16384x16384xi8, global, #tile.layout<(16384, 16384) : (1, 16384)>>
    gpu.return
  }
  gpu.func @transpose_u8_256(%A: memref<16384x16384xi8>, %B: memref<16384x16384xi8>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<16384x16384xi8>
    %whole = tile.view %B : memref<16384x16384xi8>
    %b = tile.permute %whole [1, 0] : !tile.buffer<16384x16384xi8, global>
      to !tile.buffer<16384x16384xi8, global, #tile.layout<(16384, 16384) : (1, 16384)>>
    %x = gpu.block_id x
    %y = gpu.block_id y
    %n = arith.constant 256 : index
    %row = arith.muli %x, %n : index
    %column = arith.muli %y, %n : index
    tile.copy %a[%row, %column] [256, 256] to %b[%row, %column] [256, 256] scope(cta)
      : !tile.buffer<16384x16384xi8, global> to !tile.buffer<16384x16384xi8, global, #tile.layout<(16384, 16384) : (1, 16384)>>
    gpu.return
  }
  gpu.func @transpose_u8_256_wide(%A: memref<16384x16384xi8>, %B: memref<16384x16384xi8>) kernel
      attributes {known_block_size = array<i32: 512, 1, 1>} {
    %a = tile.view %A : memref<16384x16384xi8>
    %whole = tile.view %B : memref<16384x16384xi8>
    %b = tile.permute %whole [1, 0] : !tile.buffer<16384x16384xi8, global>
      to !tile.buffer<16384x16384xi8, global, #tile.layout<(16384, 16384) : (1, 16384)>>
    %x = gpu.block_id x
    %y = gpu.block_id y
    %n = arith.constant 256 : index
    %row = arith.muli %x, %n : index
    %column = arith.muli %y, %n : index
    tile.copy %a[%row, %column] [256, 256] to %b[%row, %column] [256, 256] scope(cta)
      : !tile.buffer<16384x16384xi8, global> to !tile.buffer<16384x16384xi8, global, #tile.layout<(16384, 16384) : (1, 16384)>>
    gpu.return
  }
}
