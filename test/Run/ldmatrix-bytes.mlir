// Fragments of 8-bit and of 32-bit elements are loaded from swizzled tiles by ldmatrix, and stored by stmatrix: their rows are 16 bytes
// of a row of the tile, as those of 16-bit elements are.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python -c 'import numpy; r = numpy.random.default_rng(0); s = numpy.save; \
// RUN:   a = r.integers(-128, 128, (32, 64)).astype("i1"); b = r.integers(-128, 128, (16, 64)).astype("i1"); \
// RUN:   s("a", a); s("b", b); s("c", a.astype("i4") @ b.astype("i4").T); \
// RUN:   x = r.integers(-3, 4, (16, 32)).astype("f4"); y = r.integers(-3, 4, (32, 8)).astype("f4"); s("x", x); s("y", y); s("z", x @ y)'
// RUN: cd %t && tile-run %s --entry bytes --schedule all --arg i8[32x64]=a.npy --arg i8[16x64]=b.npy --arg i32[32x16]=poison --expect 2=c.npy | FileCheck %s
// RUN: cd %t && tile-run %s --entry words --schedule all --arg f32[16x32]=x.npy --arg f32[32x8]=y.npy --arg f32[16x8]=poison --expect 2=z.npy \
// RUN:   | FileCheck %s --check-prefix=WORDS
// RUN: tile-run %s --entry stored --chip sm_90a --schedule all --arg i8[16x64]=random --arg i8[16x64]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=STORED
// RUN: tile-run %s --entry fp8 --chip sm_90a --schedule all --arg f8E5M2[16x64]=random --arg f8E5M2[16x64]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=STORED

// A: 2 x 2 fragments of 16x32 bytes, one .x4 each. B: 2 x 2 of 32x8, two matrices each. No bank conflicts.
// CHECK-NOT: ld.shared
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16 6 3072 24 0{{$}}
// CHECK-NOT: ld.shared

// WORDS: ldmatrix.sync.aligned.m8n8.x4.shared.b16 4 2048 16 0{{$}}

// STORED: ldmatrix.sync.aligned.m8n8.x4.shared.b16 2 1024 8 0{{$}}
// STORED: stmatrix.sync.aligned.m8n8.x4.shared.b16 2 1024 8 0{{$}}

!ga = !tile.buffer<32x64xi8, global>
!gb = !tile.buffer<16x64xi8, global>
!gc = !tile.buffer<32x16xi32, global>
!sa = !tile.buffer<32x64xi8, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 4, bits = 2, shift = 3>>>
!sb = !tile.buffer<16x64xi8, shared, #tile.layout<(16, 64) : (64, 1), swizzle<base = 4, bits = 2, shift = 3>>>
!a = !tile.buffer<32x64xi8, local, #tile.fragment<mma.m16n8k32.a>>
!b = !tile.buffer<64x16xi8, local, #tile.fragment<mma.m16n8k32.b>>
!c = !tile.buffer<32x16xi32, local, #tile.fragment<mma.m16n8k32.c>>
!gx = !tile.buffer<16x32xf32, global>
!gy = !tile.buffer<32x8xf32, global>
!gz = !tile.buffer<16x8xf32, global>
!sx = !tile.buffer<16x32xf32, shared, #tile.layout<(16, 32) : (32, 1), swizzle<base = 2, bits = 3, shift = 3>>>
!x = !tile.buffer<16x32xf32, local, #tile.fragment<mma.m16n8k8.a>>
!y = !tile.buffer<32x8xf32, local, #tile.fragment<mma.m16n8k8.b>>
!z = !tile.buffer<16x8xf32, local, #tile.fragment<mma.m16n8k8.c>>
!gs = !tile.buffer<16x64xi8, global>
!s = !tile.buffer<16x64xi8, shared, #tile.layout<(16, 64) : (64, 1), swizzle<base = 4, bits = 2, shift = 3>>>
!r = !tile.buffer<16x64xi8, local, #tile.fragment<mma.m16n8k32.a>>
!gs_fp8 = !tile.buffer<16x64xf8E5M2, global>
!s_fp8 = !tile.buffer<16x64xf8E5M2, shared, #tile.layout<(16, 64) : (64, 1), swizzle<base = 4, bits = 2, shift = 3>>>
!r_fp8 = !tile.buffer<16x64xf8E5M2, local, #tile.fragment<mma.m16n8k32.a>>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @bytes(%A: memref<32x64xi8>, %B: memref<16x64xi8>, %C: memref<32x16xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i32
    %a = tile.view %A : memref<32x64xi8> to !ga
    %b = tile.view %B : memref<16x64xi8> to !gb
    %c = tile.view %C : memref<32x16xi32> to !gc
    %sa = tile.alloc : !sa
    %sb = tile.alloc : !sb
    %fa = tile.alloc : !a
    %fb = tile.alloc : !b
    %fc = tile.alloc : !c
    %columns = tile.permute %sb [1, 0] : !sb
    tile.copy %a to %sa scope(warp) : !ga to !sa
    tile.copy %b to %sb scope(warp) : !gb to !sb
    tile.fill %zero to %fc scope(warp) : i32 to !c
    gpu.barrier
    tile.copy %sa to %fa scope(warp) : !sa to !a
    tile.copy %columns to %fb scope(warp)
      : !tile.buffer<64x16xi8, shared, #tile.layout<(64, 16) : (1, 64), swizzle<base = 4, bits = 2, shift = 3>>> to !b
    tile.mma %fa, %fb, %fc scope(warp) convert(signed) : !a, !b, !c
    tile.copy %fc to %c scope(warp) : !c to !gc
    gpu.return
  }

  gpu.func @words(%X: memref<16x32xf32>, %Y: memref<32x8xf32>, %Z: memref<16x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %x = tile.view %X : memref<16x32xf32> to !gx
    %y = tile.view %Y : memref<32x8xf32> to !gy
    %z = tile.view %Z : memref<16x8xf32> to !gz
    %sx = tile.alloc : !sx
    %fx = tile.alloc : !x
    %fy = tile.alloc : !y
    %fz = tile.alloc : !z
    tile.copy %x to %sx scope(warp) : !gx to !sx
    tile.copy %y to %fy scope(warp) : !gy to !y
    tile.fill %zero to %fz scope(warp) : f32 to !z
    gpu.barrier
    tile.copy %sx to %fx scope(warp) : !sx to !x
    tile.mma %fx, %fy, %fz scope(warp) convert(tf32) : !x, !y, !z
    tile.copy %fz to %z scope(warp) : !z to !gz
    gpu.return
  }

  gpu.func @stored(%A: memref<16x64xi8>, %B: memref<16x64xi8>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x64xi8> to !gs
    %b = tile.view %B : memref<16x64xi8> to !gs
    %s = tile.alloc : !s
    %t = tile.alloc : !s
    %r = tile.alloc : !r
    tile.copy %a to %s scope(warp) : !gs to !s
    gpu.barrier
    tile.copy %s to %r scope(warp) : !s to !r
    tile.copy %r to %t scope(warp) : !r to !s
    gpu.barrier
    tile.copy %t to %b scope(warp) : !s to !gs
    gpu.return
  }

  gpu.func @fp8(%A: memref<16x64xf8E5M2>, %B: memref<16x64xf8E5M2>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x64xf8E5M2> to !gs_fp8
    %b = tile.view %B : memref<16x64xf8E5M2> to !gs_fp8
    %s = tile.alloc : !s_fp8
    %t = tile.alloc : !s_fp8
    %r = tile.alloc : !r_fp8
    tile.copy %a to %s scope(warp) : !gs_fp8 to !s_fp8
    gpu.barrier
    tile.copy %s to %r scope(warp) : !s_fp8 to !r_fp8
    tile.copy %r to %t scope(warp) : !r_fp8 to !s_fp8
    gpu.barrier
    tile.copy %t to %b scope(warp) : !s_fp8 to !gs_fp8
    gpu.return
  }
}
