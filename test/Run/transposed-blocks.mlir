// Transposes of elements of 1, 2, 4 and 8 bytes in which all accesses have 128 bits and no bank conflicts: each thread loads a block as
// wide as it is high, renames its registers, and stores the columns as rows of a shared tile, which leaves as rows. Bytes and halves
// meet in words by prmt and by mov. Each is compared with one copy to a permuted view, element by element.

// RUN: tile-run %s --entry elements_i8 --arg i8[256x128]=random:1 --arg i8[128x256]=poison --write 1=%t.npy
// RUN: tile-run %s --entry blocks_i8 --schedule=all --grid 2,1 --arg i8[256x128]=random:1 --arg i8[128x256]=poison --expect 1=%t.npy | FileCheck %s
// RUN: tile-run %s --entry elements_f16 --arg f16[256x128]=random:1 --arg f16[128x256]=poison --write 1=%t.npy
// RUN: tile-run %s --entry blocks_f16 --schedule=all --grid 2,1 --arg f16[256x128]=random:1 --arg f16[128x256]=poison --expect 1=%t.npy | FileCheck %s
// RUN: tile-run %s --entry elements_f32 --arg f32[256x128]=random:1 --arg f32[128x256]=poison --write 1=%t.npy
// RUN: tile-run %s --entry blocks_f32 --schedule=all --grid 4,2 --arg f32[256x128]=random:1 --arg f32[128x256]=poison --expect 1=%t.npy | FileCheck %s
// RUN: tile-run %s --entry elements_i64 --arg i64[256x128]=random:1 --arg i64[128x256]=poison --write 1=%t.npy
// RUN: tile-run %s --entry blocks_i64 --schedule=all --grid 8,4 --arg i64[256x128]=random:1 --arg i64[128x256]=poison --expect 1=%t.npy | FileCheck %s
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --check-prefix=PTX
// CHECK: ld.global.nc.v{{2.b64|4.b32}}
// CHECK-NEXT: ld.shared.v{{2.b64|4.b32}}{{.*}} 0{{$}}
// CHECK-NEXT: st.global.v{{2.b64|4.b32}}
// CHECK-NEXT: st.shared.v{{2.b64|4.b32}}{{.*}} 0{{$}}
// CHECK-NEXT: all instructions
// PTX: .entry blocks_i8(
// PTX: prmt.b32

!source_i8 = !tile.buffer<256x128xi8, global>
!target_i8 = !tile.buffer<128x256xi8, global>
!turned_i8 = !tile.buffer<256x128xi8, global, #tile.layout<(256, 128) : (1, 256)>>
!loaded_i8 = !tile.buffer<128x128xi8, local, #tile.layout<(8, 16, 8, 16) : (8@tx, 16, 1@tx, 1)>>
!renamed_i8 = !tile.buffer<128x128xi8, local, #tile.layout<(8, 16, 8, 16) : (8@tx, 1, 1@tx, 16)>>
!tile_i8 = !tile.buffer<128x128xi8, shared, #tile.layout<(128, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 7>>>
!columns_i8 = !tile.buffer<128x128xi8, shared, #tile.layout<(128, 128) : (1, 128), swizzle<base = 4, bits = 3, shift = 7>>>
!source_f16 = !tile.buffer<256x128xf16, global>
!target_f16 = !tile.buffer<128x256xf16, global>
!turned_f16 = !tile.buffer<256x128xf16, global, #tile.layout<(256, 128) : (1, 256)>>
!loaded_f16 = !tile.buffer<128x128xf16, local, #tile.layout<(16, 8, 16, 8) : (16@tx, 8, 1@tx, 1)>>
!renamed_f16 = !tile.buffer<128x128xf16, local, #tile.layout<(16, 8, 16, 8) : (16@tx, 1, 1@tx, 8)>>
!tile_f16 = !tile.buffer<128x128xf16, shared, #tile.layout<(128, 128) : (128, 1), swizzle<base = 3, bits = 3, shift = 7>>>
!columns_f16 = !tile.buffer<128x128xf16, shared, #tile.layout<(128, 128) : (1, 128), swizzle<base = 3, bits = 3, shift = 7>>>
!source_f32 = !tile.buffer<256x128xf32, global>
!target_f32 = !tile.buffer<128x256xf32, global>
!turned_f32 = !tile.buffer<256x128xf32, global, #tile.layout<(256, 128) : (1, 256)>>
!loaded_f32 = !tile.buffer<64x64xf32, local, #tile.layout<(16, 4, 16, 4) : (16@tx, 4, 1@tx, 1)>>
!renamed_f32 = !tile.buffer<64x64xf32, local, #tile.layout<(16, 4, 16, 4) : (16@tx, 1, 1@tx, 4)>>
!tile_f32 = !tile.buffer<64x64xf32, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 2, bits = 3, shift = 6>>>
!columns_f32 = !tile.buffer<64x64xf32, shared, #tile.layout<(64, 64) : (1, 64), swizzle<base = 2, bits = 3, shift = 6>>>
!source_i64 = !tile.buffer<256x128xi64, global>
!target_i64 = !tile.buffer<128x256xi64, global>
!turned_i64 = !tile.buffer<256x128xi64, global, #tile.layout<(256, 128) : (1, 256)>>
!loaded_i64 = !tile.buffer<32x32xi64, local, #tile.layout<(16, 2, 16, 2) : (16@tx, 2, 1@tx, 1)>>
!renamed_i64 = !tile.buffer<32x32xi64, local, #tile.layout<(16, 2, 16, 2) : (16@tx, 1, 1@tx, 2)>>
!tile_i64 = !tile.buffer<32x32xi64, shared, #tile.layout<(32, 32) : (32, 1), swizzle<base = 1, bits = 3, shift = 5>>>
!columns_i64 = !tile.buffer<32x32xi64, shared, #tile.layout<(32, 32) : (1, 32), swizzle<base = 1, bits = 3, shift = 5>>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @blocks_i8(%A: memref<256x128xi8>, %B: memref<128x256xi8>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<256x128xi8> to !source_i8
    %b = tile.view %B : memref<128x256xi8> to !target_i8
    %loaded = tile.alloc : !loaded_i8
    %renamed = tile.alloc : !renamed_i8
    %tile = tile.alloc : !tile_i8
    %columns = tile.permute %tile [1, 0] : !tile_i8 to !columns_i8
    %x = gpu.block_id x
    %y = gpu.block_id y
    %n = arith.constant 128 : index
    %row = arith.muli %x, %n : index
    %column = arith.muli %y, %n : index
    tile.copy %a[%row, %column] [128, 128] to %loaded scope(cta) : !source_i8 to !loaded_i8
    tile.copy %loaded to %renamed scope(cta) : !loaded_i8 to !renamed_i8
    tile.copy %renamed to %columns scope(cta) : !renamed_i8 to !columns_i8
    gpu.barrier
    tile.copy %tile to %b[%column, %row] [128, 128] scope(cta) : !tile_i8 to !target_i8
    gpu.return
  }
  gpu.func @elements_i8(%A: memref<256x128xi8>, %B: memref<128x256xi8>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x128xi8> to !source_i8
    %whole = tile.view %B : memref<128x256xi8> to !target_i8
    %b = tile.permute %whole [1, 0] : !target_i8 to !turned_i8
    tile.copy %a to %b scope(cta) {variant = "same_memory"} : !source_i8 to !turned_i8
    gpu.return
  }
  gpu.func @blocks_f16(%A: memref<256x128xf16>, %B: memref<128x256xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x128xf16> to !source_f16
    %b = tile.view %B : memref<128x256xf16> to !target_f16
    %loaded = tile.alloc : !loaded_f16
    %renamed = tile.alloc : !renamed_f16
    %tile = tile.alloc : !tile_f16
    %columns = tile.permute %tile [1, 0] : !tile_f16 to !columns_f16
    %x = gpu.block_id x
    %y = gpu.block_id y
    %n = arith.constant 128 : index
    %row = arith.muli %x, %n : index
    %column = arith.muli %y, %n : index
    tile.copy %a[%row, %column] [128, 128] to %loaded scope(cta) : !source_f16 to !loaded_f16
    tile.copy %loaded to %renamed scope(cta) : !loaded_f16 to !renamed_f16
    tile.copy %renamed to %columns scope(cta) : !renamed_f16 to !columns_f16
    gpu.barrier
    tile.copy %tile to %b[%column, %row] [128, 128] scope(cta) : !tile_f16 to !target_f16
    gpu.return
  }
  gpu.func @elements_f16(%A: memref<256x128xf16>, %B: memref<128x256xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x128xf16> to !source_f16
    %whole = tile.view %B : memref<128x256xf16> to !target_f16
    %b = tile.permute %whole [1, 0] : !target_f16 to !turned_f16
    tile.copy %a to %b scope(cta) {variant = "same_memory"} : !source_f16 to !turned_f16
    gpu.return
  }
  gpu.func @blocks_f32(%A: memref<256x128xf32>, %B: memref<128x256xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x128xf32> to !source_f32
    %b = tile.view %B : memref<128x256xf32> to !target_f32
    %loaded = tile.alloc : !loaded_f32
    %renamed = tile.alloc : !renamed_f32
    %tile = tile.alloc : !tile_f32
    %columns = tile.permute %tile [1, 0] : !tile_f32 to !columns_f32
    %x = gpu.block_id x
    %y = gpu.block_id y
    %n = arith.constant 64 : index
    %row = arith.muli %x, %n : index
    %column = arith.muli %y, %n : index
    tile.copy %a[%row, %column] [64, 64] to %loaded scope(cta) : !source_f32 to !loaded_f32
    tile.copy %loaded to %renamed scope(cta) : !loaded_f32 to !renamed_f32
    tile.copy %renamed to %columns scope(cta) : !renamed_f32 to !columns_f32
    gpu.barrier
    tile.copy %tile to %b[%column, %row] [64, 64] scope(cta) : !tile_f32 to !target_f32
    gpu.return
  }
  gpu.func @elements_f32(%A: memref<256x128xf32>, %B: memref<128x256xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x128xf32> to !source_f32
    %whole = tile.view %B : memref<128x256xf32> to !target_f32
    %b = tile.permute %whole [1, 0] : !target_f32 to !turned_f32
    tile.copy %a to %b scope(cta) {variant = "same_memory"} : !source_f32 to !turned_f32
    gpu.return
  }
  gpu.func @blocks_i64(%A: memref<256x128xi64>, %B: memref<128x256xi64>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x128xi64> to !source_i64
    %b = tile.view %B : memref<128x256xi64> to !target_i64
    %loaded = tile.alloc : !loaded_i64
    %renamed = tile.alloc : !renamed_i64
    %tile = tile.alloc : !tile_i64
    %columns = tile.permute %tile [1, 0] : !tile_i64 to !columns_i64
    %x = gpu.block_id x
    %y = gpu.block_id y
    %n = arith.constant 32 : index
    %row = arith.muli %x, %n : index
    %column = arith.muli %y, %n : index
    tile.copy %a[%row, %column] [32, 32] to %loaded scope(cta) : !source_i64 to !loaded_i64
    tile.copy %loaded to %renamed scope(cta) : !loaded_i64 to !renamed_i64
    tile.copy %renamed to %columns scope(cta) : !renamed_i64 to !columns_i64
    gpu.barrier
    tile.copy %tile to %b[%column, %row] [32, 32] scope(cta) : !tile_i64 to !target_i64
    gpu.return
  }
  gpu.func @elements_i64(%A: memref<256x128xi64>, %B: memref<128x256xi64>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x128xi64> to !source_i64
    %whole = tile.view %B : memref<128x256xi64> to !target_i64
    %b = tile.permute %whole [1, 0] : !target_i64 to !turned_i64
    tile.copy %a to %b scope(cta) {variant = "same_memory"} : !source_i64 to !turned_i64
    gpu.return
  }
}
