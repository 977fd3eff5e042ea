// Conversions there and back, executed under every schedule: values of the narrower type round-trip unchanged. The kernels
// copy through shared memory, through registers, with exchanges between lanes, and element by element.

// RUN: tile-run %s --entry half --schedule=all --arg f16[64x96]=random --arg f16[64x96]=poison --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry integers --schedule=all --arg i8[64x96]=random --arg i8[64x96]=poison --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry odd --schedule=all --arg f16[5x7]=random --arg f16[5x7]=poison --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry rows --schedule=all --arg bf16[32x32]=random --arg bf16[32x32]=poison --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry bytes --schedule=all --arg i16[64x96]=random --arg i8[64x96]=poison --arg i8[64x96]=poison \
// RUN:   --expect-equal 1,2 | FileCheck %s --check-prefix=BYTES
// RUN: tile-run %s --entry begins --schedule=all --arg f16[64x96]=random --arg f16[32x64]=poison --arg f16[32x64]=poison \
// RUN:   --arg i64=6 --expect-equal 1,2 | FileCheck %s --check-prefix=BYTES
// CHECK: schedule starve:0: argument 1 holds what argument 0 holds
// BYTES: schedule starve:0: argument 2 holds what argument 1 holds

!half = !tile.buffer<64x96xf16, global>
!single = !tile.buffer<64x96xf32, shared, #tile.layout<(64, 96) : (98, 1)>>
!i8 = !tile.buffer<64x96xi8, global>
!i16 = !tile.buffer<64x96xi16, global>
!i16s = !tile.buffer<64x96xi16, shared>
!i8s = !tile.buffer<64x96xi8, shared>
!odd = !tile.buffer<5x7xf16, global>
!odds = !tile.buffer<5x7xf64, shared>
!brain = !tile.buffer<32x32xbf16, global>
!row = !tile.buffer<32x32xf32, local, #tile.layout<(32, 32) : (1@laneid, 1)>>
!fifth = !tile.buffer<32x64xf16, global>
!wide = !tile.buffer<32x64xf32, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 2, bits = 3, shift = 3>>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Padded rows: accesses of 64 bits in shared memory, of 128 bits in global memory.
  gpu.func @half(%A: memref<64x96xf16>, %B: memref<64x96xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x96xf16> to !half
    %b = tile.view %B : memref<64x96xf16> to !half
    %s = tile.alloc : !single
    tile.copy %a to %s scope(cta) : !half to !single
    gpu.barrier
    tile.copy %s to %b scope(cta) : !single to !half
    gpu.return
  }

  // Signed both ways: the bits come back unchanged.
  gpu.func @integers(%A: memref<64x96xi8>, %B: memref<64x96xi8>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64x96xi8> to !i8
    %b = tile.view %B : memref<64x96xi8> to !i8
    %s = tile.alloc : !single
    tile.copy %a to %s scope(cta) convert(signed) : !i8 to !single
    gpu.barrier
    tile.copy %s to %b scope(cta) convert(signed) : !single to !i8
    gpu.return
  }

  // 35 elements, which no vector width divides.
  gpu.func @odd(%A: memref<5x7xf16>, %B: memref<5x7xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<5x7xf16> to !odd
    %b = tile.view %B : memref<5x7xf16> to !odd
    %s = tile.alloc : !odds
    tile.copy %a to %s scope(warp) {variant = "fallback"} : !odd to !odds
    gpu.barrier
    tile.copy %s to %b scope(warp) {variant = "fallback"} : !odds to !odd
    gpu.return
  }

  // Each lane has a row; lanes exchange loaded and stored vectors.
  gpu.func @rows(%A: memref<32x32xbf16>, %B: memref<32x32xbf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xbf16> to !brain
    %b = tile.view %B : memref<32x32xbf16> to !brain
    %r = tile.alloc : !row
    tile.copy %a to %r scope(warp) : !brain to !row
    tile.copy %r to %b scope(warp) : !row to !brain
    gpu.return
  }

  // The low bytes: converted on the way into shared memory, or on the way out.
  gpu.func @bytes(%A: memref<64x96xi16>, %B: memref<64x96xi8>, %C: memref<64x96xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x96xi16> to !i16
    %b = tile.view %B : memref<64x96xi8> to !i8
    %c = tile.view %C : memref<64x96xi8> to !i8
    %s = tile.alloc : !i16s
    %t = tile.alloc : !i8s
    tile.copy %a to %s scope(cta) : !i16 to !i16s
    tile.copy %a to %t scope(cta) convert(unsigned) : !i16 to !i8s
    gpu.barrier
    tile.copy %s to %b scope(cta) convert(signed) : !i16s to !i8
    tile.copy %t to %c scope(cta) : !i8s to !i8
    gpu.return
  }

  // A run-time offset about which little is known, and a swizzle that keeps four elements together.
  gpu.func @begins(%A: memref<64x96xf16>, %B: memref<32x64xf16>, %C: memref<32x64xf16>, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x96xf16> to !half
    %b = tile.view %B : memref<32x64xf16> to !fifth
    %c = tile.view %C : memref<32x64xf16> to !fifth
    %s = tile.alloc : !wide
    %t = tile.alloc : !tile.buffer<32x64xf16, shared>
    %even = tile.assume %i divisible_by 2 : index
    tile.copy %a[%i, %even] [32, 64] to %s[0, 0] [32, 64] scope(cta) : !half to !wide
    tile.copy %a[%i, %even] [32, 64] to %t[0, 0] [32, 64] scope(cta) : !half to !tile.buffer<32x64xf16, shared>
    gpu.barrier
    tile.copy %s to %b scope(cta) : !wide to !fifth
    tile.copy %t to %c scope(cta) : !tile.buffer<32x64xf16, shared> to !fifth
    gpu.return
  }
}
