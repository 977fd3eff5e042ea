// Sums whose layout is stated, and a factor whose layout is open: the product adds to tensor memory, into and out of which the sums are
// copied around it. Two products of one tile of sums share that memory.
// RUN: tile-opt --tile-choose-layouts %s | FileCheck %s
// RUN: tile-run %s --schedule all --arg f16[128x64]=ones --arg f16[64x64]=ones --arg f32[128x64]=poison --print 2 | FileCheck %s --check-prefix=SUM
// CHECK-COUNT-1: tile.alloc {{.*}}tmem
// CHECK-NOT: tile.alloc {{.*}}tmem
// SUM: 128.0 128.0 128.0 ... 128.0 128.0 128.0
!a = !tile.buffer<128x64xf16, shared, auto>
!b = !tile.buffer<64x64xf16, shared, auto>
!ra = !tile.buffer<128x64xf16, local, auto>
!s = !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @known(%A: memref<128x64xf16>, %B: memref<64x64xf16>, %C: memref<128x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<128x64xf16> to !tile.buffer<128x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %c = tile.view %C : memref<128x64xf32> to !tile.buffer<128x64xf32, global>
    %sa = tile.alloc : !a
    %sb = tile.alloc : !b
    %ra = tile.alloc : !ra
    %s = tile.alloc : !s
    tile.fill %zero to %s scope(cta) : f32 to !s
    tile.copy %a to %sa scope(cta) : !tile.buffer<128x64xf16, global> to !a
    tile.copy %b to %sb scope(cta) : !tile.buffer<64x64xf16, global> to !b
    tile.copy %sa to %ra scope(cta) : !a to !ra
    tile.mma %ra, %sb, %s scope(cta) : !ra, !b, !s
    tile.mma %ra, %sb, %s scope(cta) : !ra, !b, !s
    tile.copy %s to %c scope(cta) : !s to !tile.buffer<128x64xf32, global>
    gpu.return
  }
}
