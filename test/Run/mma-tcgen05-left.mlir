// Products into tensor memory whose left factor is in tensor memory, of all types and forms, and a chain of two products in which the
// sums of the first, converted, are the left factor of the second. Small integers, which every type holds and whose sums are exact.
// tile-run orders the accesses, and checks them under every schedule.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python -c 'import numpy; r = numpy.random.default_rng(0); a = r.integers(0, 4, (256, 64)).astype("f4"); \
// RUN:   b = r.integers(-3, 4, (64, 64)).astype("f4"); s = numpy.save; c = lambda x: numpy.ascontiguousarray(x); \
// RUN:   n = c(b[:, :32]); s("a", a[:128]); s("b", n); s("c", a[:128] @ n); s("d", a[:64]); s("e", a[:64] @ n); \
// RUN:   s("f", a); s("g", b); s("h", a @ b); q = r.integers(-1, 2, (128, 64)).astype("f4"); v = r.integers(-2, 3, (64, 32)).astype("f4"); \
// RUN:   s("q", q); s("v", v); s("o", (q @ b) @ v)'
// RUN: cd %t && tile-run %s --entry f16 --schedule=all --arg f32[128x64]=a.npy --arg f32[64x32]=b.npy --arg f32[128x32]=poison --expect 2=c.npy
// RUN: cd %t && tile-run %s --entry bf16_64_rows --schedule=all --arg f32[64x64]=d.npy --arg f32[64x32]=b.npy --arg f32[64x32]=poison --expect 2=e.npy
// RUN: cd %t && tile-run %s --entry tf32 --schedule=all --arg f32[128x64]=a.npy --arg f32[64x32]=b.npy --arg f32[128x32]=poison --expect 2=c.npy
// RUN: cd %t && tile-run %s --entry s8 --schedule=all --arg f32[128x64]=a.npy --arg f32[64x32]=b.npy --arg f32[128x32]=poison --expect 2=c.npy
// RUN: cd %t && tile-run %s --entry f8 --schedule=all --arg f32[128x64]=a.npy --arg f32[64x32]=b.npy --arg f32[128x32]=poison --expect 2=c.npy
// RUN: cd %t && tile-run %s --entry several_instructions --schedule=all --arg f32[256x64]=f.npy --arg f32[64x64]=g.npy --arg f32[256x64]=poison --expect 2=h.npy
// RUN: cd %t && tile-run %s --entry chain --schedule=all --arg f32[128x64]=q.npy --arg f32[64x64]=g.npy --arg f32[64x32]=v.npy --arg f32[128x32]=poison --expect 3=o.npy
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s

// CHECK-LABEL: .entry f16(
// CHECK: tcgen05.mma.cta_group::1.kind::f16{{.*}} [%r{{[0-9]+}}], [%r{{[0-9]+}}],
// CHECK-LABEL: .entry bf16_64_rows(
// CHECK: tcgen05.mma.cta_group::1.kind::f16{{.*}} [%r{{[0-9]+}}], [%r{{[0-9]+}}],
// CHECK-LABEL: .entry tf32(
// CHECK: tcgen05.mma.cta_group::1.kind::tf32{{.*}} [%r{{[0-9]+}}], [%r{{[0-9]+}}],
// CHECK-LABEL: .entry s8(
// CHECK: tcgen05.mma.cta_group::1.kind::i8{{.*}} [%r{{[0-9]+}}], [%r{{[0-9]+}}],
// CHECK-LABEL: .entry f8(
// CHECK: tcgen05.mma.cta_group::1.kind::f8f6f4{{.*}} [%r{{[0-9]+}}], [%r{{[0-9]+}}],
// CHECK-LABEL: .entry several_instructions(
// CHECK: tcgen05.mma.cta_group::1.kind::f16{{.*}} [%r{{[0-9]+}}], [%r{{[0-9]+}}],
// CHECK-LABEL: .entry chain(
// CHECK: tcgen05.mma.cta_group::1.kind::f16{{.*}} [%r{{[0-9]+}}], %rd
// CHECK: tcgen05.st
// CHECK: tcgen05.wait::st
// CHECK: tcgen05.fence::before_thread_sync
// CHECK: bar.sync
// CHECK: tcgen05.mma.cta_group::1.kind::f16{{.*}} [%r{{[0-9]+}}], [%r{{[0-9]+}}],

!query = !tile.buffer<128x64xf16, shared, #tile.layout<(128, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!key = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
!value = !tile.buffer<64x32xf16, shared, #tile.layout<(64, 32) : (32, 1), swizzle<base = 3, bits = 2, shift = 3>>>
!scores = !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
!weights = !tile.buffer<128x64xf16, tmem, #tile.fragment<tcgen05.a>>
!sums = !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
!rscores = !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
!rweights = !tile.buffer<128x64xf16, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
!rsums = !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @f16(%A: memref<128x64xf32>, %B: memref<64x32xf32>, %C: memref<128x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<128x64xf32>
    %b = tile.view %B : memref<64x32xf32>
    %c = tile.view %C : memref<128x32xf32>
    %ra = tile.alloc : !tile.buffer<128x64xf16, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
    %ta = tile.alloc : !tile.buffer<128x64xf16, tmem, #tile.fragment<tcgen05.a>>
    %sb = tile.alloc : !tile.buffer<64x32xf16, shared, #tile.layout<(64, 32) : (1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
    %sums = tile.alloc : !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    %r = tile.alloc : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %a to %ra scope(cta) : !tile.buffer<128x64xf32, global> to !tile.buffer<128x64xf16, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
    tile.copy %ra to %ta scope(cta) : !tile.buffer<128x64xf16, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>> to !tile.buffer<128x64xf16, tmem, #tile.fragment<tcgen05.a>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<64x32xf32, global> to !tile.buffer<64x32xf16, shared, #tile.layout<(64, 32) : (1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.fill %zero to %r scope(cta) : f32 to !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %r to %sums scope(cta) : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.mma %ta, %sb, %sums scope(cta) : !tile.buffer<128x64xf16, tmem, #tile.fragment<tcgen05.a>>, !tile.buffer<64x32xf16, shared, #tile.layout<(64, 32) : (1, 64), swizzle<base = 3, bits = 3, shift = 3>>>, !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.copy %sums to %r scope(cta) : !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>> to !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %r to %c scope(cta) : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, global>
    gpu.return
  }

  gpu.func @bf16_64_rows(%A: memref<64x64xf32>, %B: memref<64x32xf32>, %C: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x64xf32>
    %b = tile.view %B : memref<64x32xf32>
    %c = tile.view %C : memref<64x32xf32>
    %ra = tile.alloc : !tile.buffer<64x64xbf16, local, #tile.layout<(4, 2, 8, 4, 4, 4) : (1@wid_in_wg, 4, 4@laneid, 8, 1@laneid, 1)>>
    %ta = tile.alloc : !tile.buffer<64x64xbf16, tmem, #tile.fragment<tcgen05.a>>
    %sb = tile.alloc : !tile.buffer<64x32xbf16, shared, #tile.layout<(64, 32) : (1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
    %sums = tile.alloc : !tile.buffer<64x32xf32, tmem, #tile.fragment<tcgen05.c>>
    %r = tile.alloc : !tile.buffer<64x32xf32, local, #tile.fragment<wgmma.c>>
    tile.copy %a to %ra scope(cta) : !tile.buffer<64x64xf32, global> to !tile.buffer<64x64xbf16, local, #tile.layout<(4, 2, 8, 4, 4, 4) : (1@wid_in_wg, 4, 4@laneid, 8, 1@laneid, 1)>>
    tile.copy %ra to %ta scope(cta) : !tile.buffer<64x64xbf16, local, #tile.layout<(4, 2, 8, 4, 4, 4) : (1@wid_in_wg, 4, 4@laneid, 8, 1@laneid, 1)>> to !tile.buffer<64x64xbf16, tmem, #tile.fragment<tcgen05.a>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<64x32xf32, global> to !tile.buffer<64x32xbf16, shared, #tile.layout<(64, 32) : (1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.fill %zero to %r scope(cta) : f32 to !tile.buffer<64x32xf32, local, #tile.fragment<wgmma.c>>
    tile.copy %r to %sums scope(cta) : !tile.buffer<64x32xf32, local, #tile.fragment<wgmma.c>> to !tile.buffer<64x32xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.mma %ta, %sb, %sums scope(cta) : !tile.buffer<64x64xbf16, tmem, #tile.fragment<tcgen05.a>>, !tile.buffer<64x32xbf16, shared, #tile.layout<(64, 32) : (1, 64), swizzle<base = 3, bits = 3, shift = 3>>>, !tile.buffer<64x32xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.copy %sums to %r scope(cta) : !tile.buffer<64x32xf32, tmem, #tile.fragment<tcgen05.c>> to !tile.buffer<64x32xf32, local, #tile.fragment<wgmma.c>>
    tile.copy %r to %c scope(cta) : !tile.buffer<64x32xf32, local, #tile.fragment<wgmma.c>> to !tile.buffer<64x32xf32, global>
    gpu.return
  }

  gpu.func @tf32(%A: memref<128x64xf32>, %B: memref<64x32xf32>, %C: memref<128x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<128x64xf32>
    %b = tile.view %B : memref<64x32xf32>
    %c = tile.view %C : memref<128x32xf32>
    %ra = tile.alloc : !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
    %ta = tile.alloc : !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.a>>
    %sb = tile.alloc : !tile.buffer<64x32xf32, shared, #tile.layout<(2, 32, 32) : (1024, 1, 32), swizzle<base = 2, bits = 3, shift = 3>>>
    %sums = tile.alloc : !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    %r = tile.alloc : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %a to %ra scope(cta) : !tile.buffer<128x64xf32, global> to !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
    tile.copy %ra to %ta scope(cta) : !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>> to !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.a>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<64x32xf32, global> to !tile.buffer<64x32xf32, shared, #tile.layout<(2, 32, 32) : (1024, 1, 32), swizzle<base = 2, bits = 3, shift = 3>>>
    tile.fill %zero to %r scope(cta) : f32 to !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %r to %sums scope(cta) : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.mma %ta, %sb, %sums scope(cta) convert(tf32) : !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.a>>, !tile.buffer<64x32xf32, shared, #tile.layout<(2, 32, 32) : (1024, 1, 32), swizzle<base = 2, bits = 3, shift = 3>>>, !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.copy %sums to %r scope(cta) : !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>> to !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %r to %c scope(cta) : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, global>
    gpu.return
  }

  gpu.func @s8(%A: memref<128x64xf32>, %B: memref<64x32xf32>, %C: memref<128x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0 : i32
    %a = tile.view %A : memref<128x64xf32>
    %b = tile.view %B : memref<64x32xf32>
    %c = tile.view %C : memref<128x32xf32>
    %ra = tile.alloc : !tile.buffer<128x64xi8, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
    %ta = tile.alloc : !tile.buffer<128x64xi8, tmem, #tile.fragment<tcgen05.a>>
    %sb = tile.alloc : !tile.buffer<64x32xi8, shared, #tile.layout<(64, 32) : (1, 64), swizzle<base = 4, bits = 2, shift = 3>>>
    %sums = tile.alloc : !tile.buffer<128x32xi32, tmem, #tile.fragment<tcgen05.c>>
    %r = tile.alloc : !tile.buffer<128x32xi32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %a to %ra scope(cta) convert(signed) : !tile.buffer<128x64xf32, global> to !tile.buffer<128x64xi8, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
    tile.copy %ra to %ta scope(cta) : !tile.buffer<128x64xi8, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>> to !tile.buffer<128x64xi8, tmem, #tile.fragment<tcgen05.a>>
    tile.copy %b to %sb scope(cta) convert(signed) : !tile.buffer<64x32xf32, global> to !tile.buffer<64x32xi8, shared, #tile.layout<(64, 32) : (1, 64), swizzle<base = 4, bits = 2, shift = 3>>>
    tile.fill %zero to %r scope(cta) : i32 to !tile.buffer<128x32xi32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %r to %sums scope(cta) : !tile.buffer<128x32xi32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xi32, tmem, #tile.fragment<tcgen05.c>>
    tile.mma %ta, %sb, %sums scope(cta) convert(signed) : !tile.buffer<128x64xi8, tmem, #tile.fragment<tcgen05.a>>, !tile.buffer<64x32xi8, shared, #tile.layout<(64, 32) : (1, 64), swizzle<base = 4, bits = 2, shift = 3>>>, !tile.buffer<128x32xi32, tmem, #tile.fragment<tcgen05.c>>
    tile.copy %sums to %r scope(cta) : !tile.buffer<128x32xi32, tmem, #tile.fragment<tcgen05.c>> to !tile.buffer<128x32xi32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %r to %c scope(cta) convert(signed) : !tile.buffer<128x32xi32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, global>
    gpu.return
  }
  gpu.func @f8(%A: memref<128x64xf32>, %B: memref<64x32xf32>, %C: memref<128x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<128x64xf32>
    %b = tile.view %B : memref<64x32xf32>
    %c = tile.view %C : memref<128x32xf32>
    %ra = tile.alloc : !tile.buffer<128x64xf8E4M3FN, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
    %ta = tile.alloc : !tile.buffer<128x64xf8E4M3FN, tmem, #tile.fragment<tcgen05.a>>
    %sb = tile.alloc : !tile.buffer<64x32xf8E4M3FN, shared, #tile.layout<(64, 32) : (1, 64), swizzle<base = 4, bits = 2, shift = 3>>>
    %sums = tile.alloc : !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    %r = tile.alloc : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %a to %ra scope(cta) : !tile.buffer<128x64xf32, global> to !tile.buffer<128x64xf8E4M3FN, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
    tile.copy %ra to %ta scope(cta) : !tile.buffer<128x64xf8E4M3FN, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>> to !tile.buffer<128x64xf8E4M3FN, tmem, #tile.fragment<tcgen05.a>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<64x32xf32, global> to !tile.buffer<64x32xf8E4M3FN, shared, #tile.layout<(64, 32) : (1, 64), swizzle<base = 4, bits = 2, shift = 3>>>
    tile.fill %zero to %r scope(cta) : f32 to !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %r to %sums scope(cta) : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.mma %ta, %sb, %sums scope(cta) : !tile.buffer<128x64xf8E4M3FN, tmem, #tile.fragment<tcgen05.a>>, !tile.buffer<64x32xf8E4M3FN, shared, #tile.layout<(64, 32) : (1, 64), swizzle<base = 4, bits = 2, shift = 3>>>, !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.copy %sums to %r scope(cta) : !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>> to !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %r to %c scope(cta) : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, global>
    gpu.return
  }

  gpu.func @several_instructions(%A: memref<256x64xf32>, %B: memref<64x64xf32>, %C: memref<256x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<256x64xf32>
    %b = tile.view %B : memref<64x64xf32>
    %c = tile.view %C : memref<256x64xf32>
    %ra = tile.alloc : !tile.buffer<256x64xf16, local, #tile.layout<(2, 128, 64) : (64, 1@tid_in_wg, 1)>>
    %ta = tile.alloc : !tile.buffer<256x64xf16, tmem, #tile.fragment<tcgen05.a>>
    %sb = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
    %sums = tile.alloc : !tile.buffer<256x64xf32, tmem, #tile.fragment<tcgen05.c>>
    %r = tile.alloc : !tile.buffer<256x64xf32, local, #tile.layout<(2, 128, 64) : (64, 1@tid_in_wg, 1)>>
    tile.copy %a to %ra scope(cta) : !tile.buffer<256x64xf32, global> to !tile.buffer<256x64xf16, local, #tile.layout<(2, 128, 64) : (64, 1@tid_in_wg, 1)>>
    tile.copy %ra to %ta scope(cta) : !tile.buffer<256x64xf16, local, #tile.layout<(2, 128, 64) : (64, 1@tid_in_wg, 1)>> to !tile.buffer<256x64xf16, tmem, #tile.fragment<tcgen05.a>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<64x64xf32, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.fill %zero to %r scope(cta) : f32 to !tile.buffer<256x64xf32, local, #tile.layout<(2, 128, 64) : (64, 1@tid_in_wg, 1)>>
    tile.copy %r to %sums scope(cta) : !tile.buffer<256x64xf32, local, #tile.layout<(2, 128, 64) : (64, 1@tid_in_wg, 1)>> to !tile.buffer<256x64xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.mma %ta, %sb, %sums scope(cta) : !tile.buffer<256x64xf16, tmem, #tile.fragment<tcgen05.a>>, !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (1, 64), swizzle<base = 3, bits = 3, shift = 3>>>, !tile.buffer<256x64xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.copy %sums to %r scope(cta) : !tile.buffer<256x64xf32, tmem, #tile.fragment<tcgen05.c>> to !tile.buffer<256x64xf32, local, #tile.layout<(2, 128, 64) : (64, 1@tid_in_wg, 1)>>
    tile.copy %r to %c scope(cta) : !tile.buffer<256x64xf32, local, #tile.layout<(2, 128, 64) : (64, 1@tid_in_wg, 1)>> to !tile.buffer<256x64xf32, global>
    gpu.return
  }

  gpu.func @chain(%Q: memref<128x64xf32>, %K: memref<64x64xf32>, %V: memref<64x32xf32>, %O: memref<128x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %q = tile.view %Q : memref<128x64xf32>
    %k = tile.view %K : memref<64x64xf32>
    %v = tile.view %V : memref<64x32xf32>
    %o = tile.view %O : memref<128x32xf32>
    %sq = tile.alloc : !query
    %sk = tile.alloc : !key
    %sv = tile.alloc : !value
    %scores = tile.alloc : !scores
    %weights = tile.alloc : !weights
    %sums = tile.alloc : !sums
    %rs = tile.alloc : !rscores
    %rw = tile.alloc : !rweights
    %ro = tile.alloc : !rsums
    tile.copy %q to %sq scope(cta) : !tile.buffer<128x64xf32, global> to !query
    tile.copy %k to %sk scope(cta) : !tile.buffer<64x64xf32, global> to !key
    tile.copy %v to %sv scope(cta) : !tile.buffer<64x32xf32, global> to !value
    tile.fill %zero to %rs scope(cta) : f32 to !rscores
    tile.copy %rs to %scores scope(cta) : !rscores to !scores
    tile.fill %zero to %ro scope(cta) : f32 to !rsums
    tile.copy %ro to %sums scope(cta) : !rsums to !sums
    tile.mma %sq, %sk, %scores scope(cta) : !query, !key, !scores
    tile.copy %scores to %rs scope(cta) : !scores to !rscores
    tile.copy %rs to %rw scope(cta) : !rscores to !rweights
    tile.copy %rw to %weights scope(cta) : !rweights to !weights
    tile.mma %weights, %sv, %sums scope(cta) : !weights, !value, !sums
    tile.copy %sums to %ro scope(cta) : !sums to !rsums
    tile.copy %ro to %o scope(cta) : !rsums to !tile.buffer<128x32xf32, global>
    gpu.return
  }
}
