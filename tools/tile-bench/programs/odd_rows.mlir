// Rows that begin at any element: copies between matrices whose leading dimensions are at no 16 bytes, 2 KiB of a row by each block of 128
// threads, or 4 KiB by 256. Consecutive blocks write consecutive bytes.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @f16_8191_8191(%A: memref<32764x8190xf16, strided<[8191, 1]>>, %B: memref<32764x8190xf16, strided<[8191, 1]>>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32764x8190xf16, strided<[8191, 1]>>
    %b = tile.view %B : memref<32764x8190xf16, strided<[8191, 1]>>
    %x = gpu.block_id x
    %row = gpu.block_id y
    %n = arith.constant 1024 : index
    %column = arith.muli %x, %n : index
    tile.copy %a[%row, %column] [1, 1024] to %b[%row, %column] [1, 1024] scope(cta) masked
      : !tile.buffer<32764x8190xf16, global, #tile.layout<(32764, 8190) : (8191, 1)>> to !tile.buffer<32764x8190xf16, global, #tile.layout<(32764, 8190) : (8191, 1)>>
    gpu.return
  }
  gpu.func @f16_8191_8190(%A: memref<32764x8190xf16, strided<[8191, 1]>>, %B: memref<32764x8190xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32764x8190xf16, strided<[8191, 1]>>
    %b = tile.view %B : memref<32764x8190xf16>
    %x = gpu.block_id x
    %row = gpu.block_id y
    %n = arith.constant 1024 : index
    %column = arith.muli %x, %n : index
    tile.copy %a[%row, %column] [1, 1024] to %b[%row, %column] [1, 1024] scope(cta) masked
      : !tile.buffer<32764x8190xf16, global, #tile.layout<(32764, 8190) : (8191, 1)>> to !tile.buffer<32764x8190xf16, global>
    gpu.return
  }
  gpu.func @f16_8191_8192(%A: memref<32764x8190xf16, strided<[8191, 1]>>, %B: memref<32764x8190xf16, strided<[8192, 1]>>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32764x8190xf16, strided<[8191, 1]>>
    %b = tile.view %B : memref<32764x8190xf16, strided<[8192, 1]>>
    %x = gpu.block_id x
    %row = gpu.block_id y
    %n = arith.constant 1024 : index
    %column = arith.muli %x, %n : index
    tile.copy %a[%row, %column] [1, 1024] to %b[%row, %column] [1, 1024] scope(cta) masked
      : !tile.buffer<32764x8190xf16, global, #tile.layout<(32764, 8190) : (8191, 1)>> to !tile.buffer<32764x8190xf16, global, #tile.layout<(32764, 8190) : (8192, 1)>>
    gpu.return
  }
  gpu.func @f16_8192_8191(%A: memref<32764x8190xf16, strided<[8192, 1]>>, %B: memref<32764x8190xf16, strided<[8191, 1]>>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32764x8190xf16, strided<[8192, 1]>>
    %b = tile.view %B : memref<32764x8190xf16, strided<[8191, 1]>>
    %x = gpu.block_id x
    %row = gpu.block_id y
    %n = arith.constant 1024 : index
    %column = arith.muli %x, %n : index
    tile.copy %a[%row, %column] [1, 1024] to %b[%row, %column] [1, 1024] scope(cta) masked
      : !tile.buffer<32764x8190xf16, global, #tile.layout<(32764, 8190) : (8192, 1)>> to !tile.buffer<32764x8190xf16, global, #tile.layout<(32764, 8190) : (8191, 1)>>
    gpu.return
  }
  gpu.func @i8_16383_16381(%A: memref<65528x16381xi8, strided<[16383, 1]>>, %B: memref<65528x16381xi8>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<65528x16381xi8, strided<[16383, 1]>>
    %b = tile.view %B : memref<65528x16381xi8>
    %x = gpu.block_id x
    %row = gpu.block_id y
    %n = arith.constant 2048 : index
    %column = arith.muli %x, %n : index
    tile.copy %a[%row, %column] [1, 2048] to %b[%row, %column] [1, 2048] scope(cta) masked
      : !tile.buffer<65528x16381xi8, global, #tile.layout<(65528, 16381) : (16383, 1)>> to !tile.buffer<65528x16381xi8, global>
    gpu.return
  }
  gpu.func @i8_16383_16383(%A: memref<65528x16381xi8, strided<[16383, 1]>>, %B: memref<65528x16381xi8, strided<[16383, 1]>>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<65528x16381xi8, strided<[16383, 1]>>
    %b = tile.view %B : memref<65528x16381xi8, strided<[16383, 1]>>
    %x = gpu.block_id x
    %row = gpu.block_id y
    %n = arith.constant 2048 : index
    %column = arith.muli %x, %n : index
    tile.copy %a[%row, %column] [1, 2048] to %b[%row, %column] [1, 2048] scope(cta) masked
      : !tile.buffer<65528x16381xi8, global, #tile.layout<(65528, 16381) : (16383, 1)>> to !tile.buffer<65528x16381xi8, global, #tile.layout<(65528, 16381) : (16383, 1)>>
    gpu.return
  }
  gpu.func @f32_4095_4094(%A: memref<32764x4094xf32, strided<[4095, 1]>>, %B: memref<32764x4094xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<32764x4094xf32, strided<[4095, 1]>>
    %b = tile.view %B : memref<32764x4094xf32>
    %x = gpu.block_id x
    %row = gpu.block_id y
    %n = arith.constant 1024 : index
    %column = arith.muli %x, %n : index
    tile.copy %a[%row, %column] [1, 1024] to %b[%row, %column] [1, 1024] scope(cta) masked
      : !tile.buffer<32764x4094xf32, global, #tile.layout<(32764, 4094) : (4095, 1)>> to !tile.buffer<32764x4094xf32, global>
    gpu.return
  }
}
