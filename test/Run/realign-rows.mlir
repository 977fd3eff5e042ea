// Lanes whose registers have whole rows, of a multiple of 64 bytes: in the tile between, rows are a chunk apart, so that they begin in other banks.
// 576 wavefronts and 160 without.
// RUN: tile-run %s --entry rows --schedule=all --arg f16[64x64]=iota --arg f16[64x64]=poison --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry halves --schedule=all --arg i8[64x64]=random --arg i8[64x64]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=HALVES
// CHECK: schedule starve:0: argument 1 holds what argument 0 holds
// CHECK: ld.shared.v4.b32 {{.*}} 128 {{ *}}0{{$}}
// CHECK: st.shared.v4.b32 {{.*}} 128 {{ *}}0{{$}}
// HALVES: schedule starve:0: argument 1 holds what argument 0 holds
// HALVES: ld.shared.v4.b32 {{.*}} 96 {{ *}}32{{$}}

!r = !tile.buffer<64x64xf16, local, #tile.layout<(32, 2, 8, 4, 2) : (1@tx, 8, 1, 16, 64)>>
!h = !tile.buffer<64x64xi8, local, #tile.layout<(64, 2, 32) : (1@tx, 1, 2)>>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @rows(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16>
    %b = tile.view %B : memref<64x64xf16>
    %r = tile.alloc : !r
    tile.copy %a to %r scope(cta) : !tile.buffer<64x64xf16, global> to !r
    tile.copy %r to %b scope(cta) : !r to !tile.buffer<64x64xf16, global>
    gpu.return
  }

  gpu.func @halves(%A: memref<64x64xi8>, %B: memref<64x64xi8>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64x64xi8>
    %b = tile.view %B : memref<64x64xi8>
    %r = tile.alloc : !h
    tile.copy %a to %r scope(cta) : !tile.buffer<64x64xi8, global> to !h
    tile.copy %r to %b scope(cta) : !h to !tile.buffer<64x64xi8, global>
    gpu.return
  }
}
