// Tiles whose layouts the compiler chooses, executed: transposes of elements of 4, 2 and 1 bytes, the first two without a bank
// conflict, and of extents that are no powers of two.
// RUN: tile-run %s --entry turn32 --schedule=all --arg f32[64x64]=random:1 --arg f32[64x64]=poison --write 1=%t.turned.npy | FileCheck %s
// RUN: tile-run %s --entry turn32 --arg f32[64x64]=%t.turned.npy --arg f32[64x64]=poison --write 1=%t.back.npy
// RUN: tile-run %s --entry same32 --arg f32[64x64]=random:1 --arg f32[64x64]=poison --expect 1=%t.back.npy
// CHECK-LABEL: schedule starve
// CHECK:       all instructions {{ *[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +}}0

// RUN: tile-run %s --entry turn16 --schedule=all --arg f16[64x64]=random:1 --arg f16[64x64]=poison --write 1=%t.turned16.npy | FileCheck %s
// RUN: tile-run %s --entry turn16 --arg f16[64x64]=%t.turned16.npy --arg f16[64x64]=poison --write 1=%t.back16.npy
// RUN: tile-run %s --entry same16 --arg f16[64x64]=random:1 --arg f16[64x64]=poison --expect 1=%t.back16.npy

// RUN: tile-run %s --entry turn8 --schedule=all --arg u8[64x128]=random:1 --arg u8[128x64]=poison --write 1=%t.turned8.npy
// RUN: tile-run %s --entry back8 --arg u8[128x64]=%t.turned8.npy --arg u8[64x128]=poison --write 1=%t.back8.npy
// RUN: tile-run %s --entry same8 --arg u8[64x128]=random:1 --arg u8[64x128]=poison --expect 1=%t.back8.npy

// RUN: tile-run %s --entry odd --schedule=all --arg f32[48x40]=random:1 --arg f32[40x48]=poison --write 1=%t.odd.npy
// RUN: tile-run %s --entry back --arg f32[40x48]=%t.odd.npy --arg f32[48x40]=poison --write 1=%t.back.npy
// RUN: tile-run %s --entry same --arg f32[48x40]=random:1 --arg f32[48x40]=poison --expect 1=%t.back.npy

!g32 = !tile.buffer<64x64xf32, global>
!t32 = !tile.buffer<64x64xf32, shared, auto>
!g16 = !tile.buffer<64x64xf16, global>
!t16 = !tile.buffer<64x64xf16, shared, auto>
!g8 = !tile.buffer<64x128xi8, global>
!h8 = !tile.buffer<128x64xi8, global>
!t8 = !tile.buffer<64x128xi8, shared, auto>
!u8 = !tile.buffer<128x64xi8, shared, auto>
!go = !tile.buffer<48x40xf32, global>
!ho = !tile.buffer<40x48xf32, global>
!to = !tile.buffer<48x40xf32, shared, auto>
!uo = !tile.buffer<40x48xf32, shared, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @turn32(%A: memref<64x64xf32>, %B: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32>
    %b = tile.view %B : memref<64x64xf32>
    %s = tile.alloc : !t32
    tile.copy %a to %s scope(cta) : !g32 to !t32
    %t = tile.permute %s [1, 0] : !t32
    tile.copy %t to %b scope(cta) : !t32 to !g32
    gpu.return
  }
  gpu.func @same32(%A: memref<64x64xf32>, %B: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32>
    %b = tile.view %B : memref<64x64xf32>
    %s = tile.alloc : !t32
    tile.copy %a to %s scope(cta) : !g32 to !t32
    tile.copy %s to %b scope(cta) : !t32 to !g32
    gpu.return
  }
  gpu.func @turn16(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16>
    %b = tile.view %B : memref<64x64xf16>
    %s = tile.alloc : !t16
    tile.copy %a to %s scope(cta) : !g16 to !t16
    %t = tile.permute %s [1, 0] : !t16
    tile.copy %t to %b scope(cta) : !t16 to !g16
    gpu.return
  }
  gpu.func @same16(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16>
    %b = tile.view %B : memref<64x64xf16>
    %s = tile.alloc : !t16
    tile.copy %a to %s scope(cta) : !g16 to !t16
    tile.copy %s to %b scope(cta) : !t16 to !g16
    gpu.return
  }
  gpu.func @turn8(%A: memref<64x128xi8>, %B: memref<128x64xi8>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x128xi8>
    %b = tile.view %B : memref<128x64xi8>
    %s = tile.alloc : !t8
    tile.copy %a to %s scope(cta) : !g8 to !t8
    %t = tile.permute %s [1, 0] : !t8
    tile.copy %t to %b scope(cta) : !u8 to !h8
    gpu.return
  }
  gpu.func @back8(%A: memref<128x64xi8>, %B: memref<64x128xi8>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x64xi8>
    %b = tile.view %B : memref<64x128xi8>
    %s = tile.alloc : !u8
    tile.copy %a to %s scope(cta) : !h8 to !u8
    %t = tile.permute %s [1, 0] : !u8
    tile.copy %t to %b scope(cta) : !t8 to !g8
    gpu.return
  }
  gpu.func @same8(%A: memref<64x128xi8>, %B: memref<64x128xi8>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x128xi8>
    %b = tile.view %B : memref<64x128xi8>
    %s = tile.alloc : !t8
    tile.copy %a to %s scope(cta) : !g8 to !t8
    tile.copy %s to %b scope(cta) : !t8 to !g8
    gpu.return
  }
  // Extents that are no powers of two.
  gpu.func @odd(%A: memref<48x40xf32>, %B: memref<40x48xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<48x40xf32>
    %b = tile.view %B : memref<40x48xf32>
    %s = tile.alloc : !to
    tile.copy %a to %s scope(cta) : !go to !to
    %t = tile.permute %s [1, 0] : !to
    tile.copy %t to %b scope(cta) : !uo to !ho
    gpu.return
  }
  gpu.func @back(%A: memref<40x48xf32>, %B: memref<48x40xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<40x48xf32>
    %b = tile.view %B : memref<48x40xf32>
    %s = tile.alloc : !uo
    tile.copy %a to %s scope(cta) : !ho to !uo
    %t = tile.permute %s [1, 0] : !uo
    tile.copy %t to %b scope(cta) : !to to !go
    gpu.return
  }
  gpu.func @same(%A: memref<48x40xf32>, %B: memref<48x40xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<48x40xf32>
    %b = tile.view %B : memref<48x40xf32>
    %s = tile.alloc : !to
    tile.copy %a to %s scope(cta) : !go to !to
    tile.copy %s to %b scope(cta) : !to to !go
    gpu.return
  }
}
