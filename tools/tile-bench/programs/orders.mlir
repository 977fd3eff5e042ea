// Copies that change the order of elements, by one tile.copy of each block: a transpose of rows that are at no 16 bytes, fields of
// records, and heads before positions. Consecutive blocks write consecutive bytes.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @odd(%A: memref<16383x16381xf32>, %B: memref<16381x16383xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<16383x16381xf32>
    %whole = tile.view %B : memref<16381x16383xf32>
    %b = tile.permute %whole [1, 0] : !tile.buffer<16381x16383xf32, global> to !tile.buffer<16383x16381xf32, global, #tile.layout<(16383, 16381) : (1, 16383)>>
    %x = gpu.block_id x
    %y = gpu.block_id y
    %n = arith.constant 64 : index
    %row = arith.muli %x, %n : index
    %column = arith.muli %y, %n : index
    tile.copy %a[%row, %column] [64, 64] to %b[%row, %column] [64, 64] scope(cta) masked
      : !tile.buffer<16383x16381xf32, global> to !tile.buffer<16383x16381xf32, global, #tile.layout<(16383, 16381) : (1, 16383)>>
    gpu.return
  }
  gpu.func @fields2_i8(%A: memref<536870912x2xi8>, %B: memref<2x536870912xi8>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<536870912x2xi8>
    %whole = tile.view %B : memref<2x536870912xi8>
    %b = tile.permute %whole [1, 0] : !tile.buffer<2x536870912xi8, global> to !tile.buffer<536870912x2xi8, global, #tile.layout<(536870912, 2) : (1, 536870912)>>
    %x = gpu.block_id x
    %n = arith.constant 2048 : index
    %row = arith.muli %x, %n : index
    tile.copy %a[%row, 0] [2048, 2] to %b[%row, 0] [2048, 2] scope(cta)
      : !tile.buffer<536870912x2xi8, global> to !tile.buffer<536870912x2xi8, global, #tile.layout<(536870912, 2) : (1, 536870912)>>
    gpu.return
  }
  gpu.func @fields2_f16(%A: memref<268435456x2xf16>, %B: memref<2x268435456xf16>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<268435456x2xf16>
    %whole = tile.view %B : memref<2x268435456xf16>
    %b = tile.permute %whole [1, 0] : !tile.buffer<2x268435456xf16, global> to !tile.buffer<268435456x2xf16, global, #tile.layout<(268435456, 2) : (1, 268435456)>>
    %x = gpu.block_id x
    %n = arith.constant 1024 : index
    %row = arith.muli %x, %n : index
    tile.copy %a[%row, 0] [1024, 2] to %b[%row, 0] [1024, 2] scope(cta)
      : !tile.buffer<268435456x2xf16, global> to !tile.buffer<268435456x2xf16, global, #tile.layout<(268435456, 2) : (1, 268435456)>>
    gpu.return
  }
  gpu.func @fields3_i8(%A: memref<268435456x3xi8>, %B: memref<3x268435456xi8>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<268435456x3xi8>
    %whole = tile.view %B : memref<3x268435456xi8>
    %b = tile.permute %whole [1, 0] : !tile.buffer<3x268435456xi8, global> to !tile.buffer<268435456x3xi8, global, #tile.layout<(268435456, 3) : (1, 268435456)>>
    %x = gpu.block_id x
    %n = arith.constant 2048 : index
    %row = arith.muli %x, %n : index
    tile.copy %a[%row, 0] [2048, 3] to %b[%row, 0] [2048, 3] scope(cta)
      : !tile.buffer<268435456x3xi8, global> to !tile.buffer<268435456x3xi8, global, #tile.layout<(268435456, 3) : (1, 268435456)>>
    gpu.return
  }
  gpu.func @fields3_f16(%A: memref<134217728x3xf16>, %B: memref<3x134217728xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<134217728x3xf16>
    %whole = tile.view %B : memref<3x134217728xf16>
    %b = tile.permute %whole [1, 0] : !tile.buffer<3x134217728xf16, global> to !tile.buffer<134217728x3xf16, global, #tile.layout<(134217728, 3) : (1, 134217728)>>
    %x = gpu.block_id x
    %n = arith.constant 1024 : index
    %row = arith.muli %x, %n : index
    tile.copy %a[%row, 0] [1024, 3] to %b[%row, 0] [1024, 3] scope(cta)
      : !tile.buffer<134217728x3xf16, global> to !tile.buffer<134217728x3xf16, global, #tile.layout<(134217728, 3) : (1, 134217728)>>
    gpu.return
  }
  gpu.func @fields4_i8(%A: memref<268435456x4xi8>, %B: memref<4x268435456xi8>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<268435456x4xi8>
    %whole = tile.view %B : memref<4x268435456xi8>
    %b = tile.permute %whole [1, 0] : !tile.buffer<4x268435456xi8, global> to !tile.buffer<268435456x4xi8, global, #tile.layout<(268435456, 4) : (1, 268435456)>>
    %x = gpu.block_id x
    %n = arith.constant 1024 : index
    %row = arith.muli %x, %n : index
    tile.copy %a[%row, 0] [1024, 4] to %b[%row, 0] [1024, 4] scope(cta)
      : !tile.buffer<268435456x4xi8, global> to !tile.buffer<268435456x4xi8, global, #tile.layout<(268435456, 4) : (1, 268435456)>>
    gpu.return
  }
  gpu.func @fields4_f16(%A: memref<134217728x4xf16>, %B: memref<4x134217728xf16>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<134217728x4xf16>
    %whole = tile.view %B : memref<4x134217728xf16>
    %b = tile.permute %whole [1, 0] : !tile.buffer<4x134217728xf16, global> to !tile.buffer<134217728x4xf16, global, #tile.layout<(134217728, 4) : (1, 134217728)>>
    %x = gpu.block_id x
    %n = arith.constant 512 : index
    %row = arith.muli %x, %n : index
    tile.copy %a[%row, 0] [512, 4] to %b[%row, 0] [512, 4] scope(cta)
      : !tile.buffer<134217728x4xf16, global> to !tile.buffer<134217728x4xf16, global, #tile.layout<(134217728, 4) : (1, 134217728)>>
    gpu.return
  }
  gpu.func @permute64(%A: memref<8x32x8192x64xf16>, %B: memref<8x8192x32x64xf16>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<8x32x8192x64xf16>
    %whole = tile.view %B : memref<8x8192x32x64xf16>
    %b = tile.permute %whole [0, 2, 1, 3] : !tile.buffer<8x8192x32x64xf16, global> to !tile.buffer<8x32x8192x64xf16, global, #tile.layout<(8, 32, 8192, 64) : (16777216, 64, 2048, 1)>>
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %h = arith.constant 4 : index
    %s = arith.constant 8 : index
    %head = arith.muli %x, %h : index
    %place = arith.muli %y, %s : index
    tile.copy %a[%z, %head, %place, 0] [1, 4, 8, 64] to %b[%z, %head, %place, 0] [1, 4, 8, 64] scope(cta)
      : !tile.buffer<8x32x8192x64xf16, global> to !tile.buffer<8x32x8192x64xf16, global, #tile.layout<(8, 32, 8192, 64) : (16777216, 64, 2048, 1)>>
    gpu.return
  }
  gpu.func @permute96(%A: memref<8x32x8192x96xf16>, %B: memref<8x8192x32x96xf16>) kernel attributes {known_block_size = array<i32: 192, 1, 1>} {
    %a = tile.view %A : memref<8x32x8192x96xf16>
    %whole = tile.view %B : memref<8x8192x32x96xf16>
    %b = tile.permute %whole [0, 2, 1, 3] : !tile.buffer<8x8192x32x96xf16, global> to !tile.buffer<8x32x8192x96xf16, global, #tile.layout<(8, 32, 8192, 96) : (25165824, 96, 3072, 1)>>
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %h = arith.constant 4 : index
    %s = arith.constant 4 : index
    %head = arith.muli %x, %h : index
    %place = arith.muli %y, %s : index
    tile.copy %a[%z, %head, %place, 0] [1, 4, 4, 96] to %b[%z, %head, %place, 0] [1, 4, 4, 96] scope(cta)
      : !tile.buffer<8x32x8192x96xf16, global> to !tile.buffer<8x32x8192x96xf16, global, #tile.layout<(8, 32, 8192, 96) : (25165824, 96, 3072, 1)>>
    gpu.return
  }
  gpu.func @permute128(%A: memref<8x32x8192x128xf16>, %B: memref<8x8192x32x128xf16>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<8x32x8192x128xf16>
    %whole = tile.view %B : memref<8x8192x32x128xf16>
    %b = tile.permute %whole [0, 2, 1, 3] : !tile.buffer<8x8192x32x128xf16, global> to !tile.buffer<8x32x8192x128xf16, global, #tile.layout<(8, 32, 8192, 128) : (33554432, 128, 4096, 1)>>
    %x = gpu.block_id x
    %y = gpu.block_id y
    %z = gpu.block_id z
    %h = arith.constant 2 : index
    %s = arith.constant 8 : index
    %head = arith.muli %x, %h : index
    %place = arith.muli %y, %s : index
    tile.copy %a[%z, %head, %place, 0] [1, 2, 8, 128] to %b[%z, %head, %place, 0] [1, 2, 8, 128] scope(cta)
      : !tile.buffer<8x32x8192x128xf16, global> to !tile.buffer<8x32x8192x128xf16, global, #tile.layout<(8, 32, 8192, 128) : (33554432, 128, 4096, 1)>>
    gpu.return
  }
}
