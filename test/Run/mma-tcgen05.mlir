// Products into tensor memory, of all types and forms: small integers, which every type holds and whose sums are exact, are converted
// on the way in and out. tile-run orders the accesses, and checks them under every schedule.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python -c 'import numpy; r = numpy.random.default_rng(0); a = r.integers(0, 4, (256, 128)).astype("f4"); \
// RUN:   b = r.integers(-3, 4, (128, 192)).astype("f4"); s = numpy.save; c = lambda x: numpy.ascontiguousarray(x); \
// RUN:   s("a", a[:128]); s("b", c(b[:, :32])); s("c", a[:128] @ b[:, :32]); s("d", a[:64]); s("e", a[:64] @ b[:, :32]); \
// RUN:   s("f", c(a[:, :64])); s("g", c(b[:64])); s("h", a[:, :64] @ b[:64]); s("i", c(a[:128, :64])); s("j", c(b[:64, :64])); \
// RUN:   s("k", a[:128, :64] @ b[:64, :64]); s("l", 3 * (a[:128] @ b[:, :32]))'
// RUN: cd %t && tile-run %s --entry f16 --schedule=all --arg f32[128x128]=a.npy --arg f32[128x32]=b.npy --arg f32[128x32]=poison --expect 2=c.npy
// RUN: cd %t && tile-run %s --entry bf16_64_rows --schedule=all --arg f32[64x128]=d.npy --arg f32[128x32]=b.npy --arg f32[64x32]=poison --expect 2=e.npy
// RUN: cd %t && tile-run %s --entry tf32 --schedule=all --arg f32[128x128]=a.npy --arg f32[128x32]=b.npy --arg f32[128x32]=poison --expect 2=c.npy
// RUN: cd %t && tile-run %s --entry e4m3 --schedule=all --arg f32[128x128]=a.npy --arg f32[128x32]=b.npy --arg f32[128x32]=poison --expect 2=c.npy
// RUN: cd %t && tile-run %s --entry e5m2_64_rows --schedule=all --arg f32[64x128]=d.npy --arg f32[128x32]=b.npy --arg f32[64x32]=poison --expect 2=e.npy
// RUN: cd %t && tile-run %s --entry s8 --schedule=all --arg f32[128x128]=a.npy --arg f32[128x32]=b.npy --arg f32[128x32]=poison --expect 2=c.npy
// RUN: cd %t && tile-run %s --entry plain --schedule=all --arg f32[128x128]=a.npy --arg f32[128x32]=b.npy --arg f32[128x32]=poison --expect 2=c.npy
// RUN: cd %t && tile-run %s --entry rows_and_columns_contiguous --schedule=all --arg f32[128x64]=i.npy --arg f32[64x64]=j.npy --arg f32[128x64]=poison --expect 2=k.npy
// RUN: cd %t && tile-run %s --entry several_instructions --schedule=all --arg f32[256x64]=f.npy --arg f32[64x192]=g.npy --arg f32[256x192]=poison --expect 2=h.npy
// RUN: cd %t && tile-run %s --entry three_times --schedule=all --arg f32[128x128]=a.npy --arg f32[128x32]=b.npy --arg f32[128x32]=poison --expect 2=l.npy
// RUN: cd %t && tile-run %s --entry by_the_fifth_warp --schedule=all --arg f32[128x128]=a.npy --arg f32[128x32]=b.npy --arg f32[128x32]=poison --expect 2=c.npy
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s

// CHECK-LABEL: .entry f16(
// CHECK: tcgen05.mma.cta_group::1.kind::f16
// CHECK-LABEL: .entry bf16_64_rows(
// CHECK: tcgen05.mma.cta_group::1.kind::f16
// CHECK-LABEL: .entry tf32(
// CHECK: tcgen05.mma.cta_group::1.kind::tf32
// CHECK-LABEL: .entry e4m3(
// CHECK: tcgen05.mma.cta_group::1.kind::f8f6f4
// CHECK-LABEL: .entry e5m2_64_rows(
// CHECK: tcgen05.mma.cta_group::1.kind::f8f6f4
// CHECK-LABEL: .entry s8(
// CHECK: tcgen05.mma.cta_group::1.kind::i8
// CHECK-LABEL: .entry plain(
// CHECK: tcgen05.mma.cta_group::1.kind::f16
// CHECK-LABEL: .entry rows_and_columns_contiguous(
// CHECK: tcgen05.mma.cta_group::1.kind::f16
// CHECK-LABEL: .entry several_instructions(
// CHECK: tcgen05.mma.cta_group::1.kind::f16
// CHECK-LABEL: .entry three_times(
// CHECK: tcgen05.mma.cta_group::1.kind::f16
// CHECK-LABEL: .entry by_the_fifth_warp(
// CHECK: tcgen05.mma.cta_group::1.kind::f16

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @f16(%A: memref<128x128xf32>, %B: memref<128x32xf32>, %C: memref<128x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<128x128xf32>
    %b = tile.view %B : memref<128x32xf32>
    %c = tile.view %C : memref<128x32xf32>
    %sa = tile.alloc : !tile.buffer<128x128xf16, shared, #tile.layout<(128, 2, 64) : (64, 8192, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %sb = tile.alloc : !tile.buffer<128x32xf16, shared, #tile.layout<(2, 64, 32) : (2048, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
    %sums = tile.alloc : !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    %r = tile.alloc : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %a to %sa scope(cta) : !tile.buffer<128x128xf32, global> to !tile.buffer<128x128xf16, shared, #tile.layout<(128, 2, 64) : (64, 8192, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<128x32xf32, global> to !tile.buffer<128x32xf16, shared, #tile.layout<(2, 64, 32) : (2048, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.fill %zero to %r scope(cta) : f32 to !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %r to %sums scope(cta) : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.mma %sa, %sb, %sums scope(cta) : !tile.buffer<128x128xf16, shared, #tile.layout<(128, 2, 64) : (64, 8192, 1), swizzle<base = 3, bits = 3, shift = 3>>>, !tile.buffer<128x32xf16, shared, #tile.layout<(2, 64, 32) : (2048, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>, !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.copy %sums to %r scope(cta) : !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>> to !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %r to %c scope(cta) : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, global>
    gpu.return
  }

  gpu.func @bf16_64_rows(%A: memref<64x128xf32>, %B: memref<128x32xf32>, %C: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x128xf32>
    %b = tile.view %B : memref<128x32xf32>
    %c = tile.view %C : memref<64x32xf32>
    %sa = tile.alloc : !tile.buffer<64x128xbf16, shared, #tile.layout<(64, 2, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %sb = tile.alloc : !tile.buffer<128x32xbf16, shared, #tile.layout<(2, 64, 32) : (2048, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
    %sums = tile.alloc : !tile.buffer<64x32xf32, tmem, #tile.fragment<tcgen05.c>>
    %r = tile.alloc : !tile.buffer<64x32xf32, local, #tile.fragment<wgmma.c>>
    tile.copy %a to %sa scope(cta) : !tile.buffer<64x128xf32, global> to !tile.buffer<64x128xbf16, shared, #tile.layout<(64, 2, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<128x32xf32, global> to !tile.buffer<128x32xbf16, shared, #tile.layout<(2, 64, 32) : (2048, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.fill %zero to %r scope(cta) : f32 to !tile.buffer<64x32xf32, local, #tile.fragment<wgmma.c>>
    tile.copy %r to %sums scope(cta) : !tile.buffer<64x32xf32, local, #tile.fragment<wgmma.c>> to !tile.buffer<64x32xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.mma %sa, %sb, %sums scope(cta) : !tile.buffer<64x128xbf16, shared, #tile.layout<(64, 2, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>>>, !tile.buffer<128x32xbf16, shared, #tile.layout<(2, 64, 32) : (2048, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>, !tile.buffer<64x32xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.copy %sums to %r scope(cta) : !tile.buffer<64x32xf32, tmem, #tile.fragment<tcgen05.c>> to !tile.buffer<64x32xf32, local, #tile.fragment<wgmma.c>>
    tile.copy %r to %c scope(cta) : !tile.buffer<64x32xf32, local, #tile.fragment<wgmma.c>> to !tile.buffer<64x32xf32, global>
    gpu.return
  }

  gpu.func @tf32(%A: memref<128x128xf32>, %B: memref<128x32xf32>, %C: memref<128x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<128x128xf32>
    %b = tile.view %B : memref<128x32xf32>
    %c = tile.view %C : memref<128x32xf32>
    %sa = tile.alloc : !tile.buffer<128x128xf32, shared, #tile.layout<(128, 4, 32) : (32, 4096, 1), swizzle<base = 2, bits = 3, shift = 3>>>
    %sb = tile.alloc : !tile.buffer<128x32xf32, shared, #tile.layout<(4, 32, 32) : (1024, 1, 32), swizzle<base = 2, bits = 3, shift = 3>>>
    %sums = tile.alloc : !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    %r = tile.alloc : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %a to %sa scope(cta) : !tile.buffer<128x128xf32, global> to !tile.buffer<128x128xf32, shared, #tile.layout<(128, 4, 32) : (32, 4096, 1), swizzle<base = 2, bits = 3, shift = 3>>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<128x32xf32, global> to !tile.buffer<128x32xf32, shared, #tile.layout<(4, 32, 32) : (1024, 1, 32), swizzle<base = 2, bits = 3, shift = 3>>>
    tile.fill %zero to %r scope(cta) : f32 to !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %r to %sums scope(cta) : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.mma %sa, %sb, %sums scope(cta) convert(tf32) : !tile.buffer<128x128xf32, shared, #tile.layout<(128, 4, 32) : (32, 4096, 1), swizzle<base = 2, bits = 3, shift = 3>>>, !tile.buffer<128x32xf32, shared, #tile.layout<(4, 32, 32) : (1024, 1, 32), swizzle<base = 2, bits = 3, shift = 3>>>, !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.copy %sums to %r scope(cta) : !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>> to !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %r to %c scope(cta) : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, global>
    gpu.return
  }

  gpu.func @e4m3(%A: memref<128x128xf32>, %B: memref<128x32xf32>, %C: memref<128x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<128x128xf32>
    %b = tile.view %B : memref<128x32xf32>
    %c = tile.view %C : memref<128x32xf32>
    %sa = tile.alloc : !tile.buffer<128x128xf8E4M3FN, shared, #tile.layout<(128, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>
    %sb = tile.alloc : !tile.buffer<128x32xf8E4M3FN, shared, #tile.layout<(128, 32) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
    %sums = tile.alloc : !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    %r = tile.alloc : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %a to %sa scope(cta) : !tile.buffer<128x128xf32, global> to !tile.buffer<128x128xf8E4M3FN, shared, #tile.layout<(128, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<128x32xf32, global> to !tile.buffer<128x32xf8E4M3FN, shared, #tile.layout<(128, 32) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
    tile.fill %zero to %r scope(cta) : f32 to !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %r to %sums scope(cta) : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.mma %sa, %sb, %sums scope(cta) : !tile.buffer<128x128xf8E4M3FN, shared, #tile.layout<(128, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>, !tile.buffer<128x32xf8E4M3FN, shared, #tile.layout<(128, 32) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>, !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.copy %sums to %r scope(cta) : !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>> to !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %r to %c scope(cta) : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, global>
    gpu.return
  }

  gpu.func @e5m2_64_rows(%A: memref<64x128xf32>, %B: memref<128x32xf32>, %C: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x128xf32>
    %b = tile.view %B : memref<128x32xf32>
    %c = tile.view %C : memref<64x32xf32>
    %sa = tile.alloc : !tile.buffer<64x128xf8E5M2, shared, #tile.layout<(64, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>
    %sb = tile.alloc : !tile.buffer<128x32xf8E5M2, shared, #tile.layout<(128, 32) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
    %sums = tile.alloc : !tile.buffer<64x32xf32, tmem, #tile.fragment<tcgen05.c>>
    %r = tile.alloc : !tile.buffer<64x32xf32, local, #tile.fragment<wgmma.c>>
    tile.copy %a to %sa scope(cta) : !tile.buffer<64x128xf32, global> to !tile.buffer<64x128xf8E5M2, shared, #tile.layout<(64, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<128x32xf32, global> to !tile.buffer<128x32xf8E5M2, shared, #tile.layout<(128, 32) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
    tile.fill %zero to %r scope(cta) : f32 to !tile.buffer<64x32xf32, local, #tile.fragment<wgmma.c>>
    tile.copy %r to %sums scope(cta) : !tile.buffer<64x32xf32, local, #tile.fragment<wgmma.c>> to !tile.buffer<64x32xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.mma %sa, %sb, %sums scope(cta) : !tile.buffer<64x128xf8E5M2, shared, #tile.layout<(64, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>, !tile.buffer<128x32xf8E5M2, shared, #tile.layout<(128, 32) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>, !tile.buffer<64x32xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.copy %sums to %r scope(cta) : !tile.buffer<64x32xf32, tmem, #tile.fragment<tcgen05.c>> to !tile.buffer<64x32xf32, local, #tile.fragment<wgmma.c>>
    tile.copy %r to %c scope(cta) : !tile.buffer<64x32xf32, local, #tile.fragment<wgmma.c>> to !tile.buffer<64x32xf32, global>
    gpu.return
  }

  gpu.func @s8(%A: memref<128x128xf32>, %B: memref<128x32xf32>, %C: memref<128x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0 : i32
    %a = tile.view %A : memref<128x128xf32>
    %b = tile.view %B : memref<128x32xf32>
    %c = tile.view %C : memref<128x32xf32>
    %sa = tile.alloc : !tile.buffer<128x128xi8, shared, #tile.layout<(128, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>
    %sb = tile.alloc : !tile.buffer<128x32xi8, shared, #tile.layout<(128, 32) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
    %sums = tile.alloc : !tile.buffer<128x32xi32, tmem, #tile.fragment<tcgen05.c>>
    %r = tile.alloc : !tile.buffer<128x32xi32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %a to %sa scope(cta) convert(signed) : !tile.buffer<128x128xf32, global> to !tile.buffer<128x128xi8, shared, #tile.layout<(128, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>
    tile.copy %b to %sb scope(cta) convert(signed) : !tile.buffer<128x32xf32, global> to !tile.buffer<128x32xi8, shared, #tile.layout<(128, 32) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
    tile.fill %zero to %r scope(cta) : i32 to !tile.buffer<128x32xi32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %r to %sums scope(cta) : !tile.buffer<128x32xi32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xi32, tmem, #tile.fragment<tcgen05.c>>
    tile.mma %sa, %sb, %sums scope(cta) convert(signed) : !tile.buffer<128x128xi8, shared, #tile.layout<(128, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>, !tile.buffer<128x32xi8, shared, #tile.layout<(128, 32) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>, !tile.buffer<128x32xi32, tmem, #tile.fragment<tcgen05.c>>
    tile.copy %sums to %r scope(cta) : !tile.buffer<128x32xi32, tmem, #tile.fragment<tcgen05.c>> to !tile.buffer<128x32xi32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %r to %c scope(cta) convert(signed) : !tile.buffer<128x32xi32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, global>
    gpu.return
  }

  gpu.func @plain(%A: memref<128x128xf32>, %B: memref<128x32xf32>, %C: memref<128x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<128x128xf32>
    %b = tile.view %B : memref<128x32xf32>
    %c = tile.view %C : memref<128x32xf32>
    %sa = tile.alloc : !tile.buffer<128x128xf16, shared, #tile.layout<(128, 16, 8) : (8, 1024, 1)>>
    %sb = tile.alloc : !tile.buffer<128x32xf16, shared, #tile.layout<(16, 8, 32) : (256, 1, 8)>>
    %sums = tile.alloc : !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    %r = tile.alloc : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %a to %sa scope(cta) : !tile.buffer<128x128xf32, global> to !tile.buffer<128x128xf16, shared, #tile.layout<(128, 16, 8) : (8, 1024, 1)>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<128x32xf32, global> to !tile.buffer<128x32xf16, shared, #tile.layout<(16, 8, 32) : (256, 1, 8)>>
    tile.fill %zero to %r scope(cta) : f32 to !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %r to %sums scope(cta) : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.mma %sa, %sb, %sums scope(cta) : !tile.buffer<128x128xf16, shared, #tile.layout<(128, 16, 8) : (8, 1024, 1)>>, !tile.buffer<128x32xf16, shared, #tile.layout<(16, 8, 32) : (256, 1, 8)>>, !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.copy %sums to %r scope(cta) : !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>> to !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %r to %c scope(cta) : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, global>
    gpu.return
  }

  gpu.func @rows_and_columns_contiguous(%A: memref<128x64xf32>, %B: memref<64x64xf32>, %C: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<128x64xf32>
    %b = tile.view %B : memref<64x64xf32>
    %c = tile.view %C : memref<128x64xf32>
    %sa = tile.alloc : !tile.buffer<128x64xf16, shared, #tile.layout<(2, 64, 64) : (4096, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
    %sb = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %sums = tile.alloc : !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
    %r = tile.alloc : !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
    tile.copy %a to %sa scope(cta) : !tile.buffer<128x64xf32, global> to !tile.buffer<128x64xf16, shared, #tile.layout<(2, 64, 64) : (4096, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<64x64xf32, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.fill %zero to %r scope(cta) : f32 to !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
    tile.copy %r to %sums scope(cta) : !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>> to !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.mma %sa, %sb, %sums scope(cta) : !tile.buffer<128x64xf16, shared, #tile.layout<(2, 64, 64) : (4096, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>, !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>, !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.copy %sums to %r scope(cta) : !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>> to !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
    tile.copy %r to %c scope(cta) : !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>> to !tile.buffer<128x64xf32, global>
    gpu.return
  }

  gpu.func @several_instructions(%A: memref<256x64xf32>, %B: memref<64x192xf32>, %C: memref<256x192xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<256x64xf32>
    %b = tile.view %B : memref<64x192xf32>
    %c = tile.view %C : memref<256x192xf32>
    %sa = tile.alloc : !tile.buffer<256x64xf16, shared, #tile.layout<(256, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %sb = tile.alloc : !tile.buffer<64x192xf16, shared, #tile.layout<(64, 3, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %sums = tile.alloc : !tile.buffer<256x192xf32, tmem, #tile.fragment<tcgen05.c>>
    %r = tile.alloc : !tile.buffer<256x192xf32, local, #tile.layout<(2, 128, 192) : (192, 1@tid_in_wg, 1)>>
    tile.copy %a to %sa scope(cta) : !tile.buffer<256x64xf32, global> to !tile.buffer<256x64xf16, shared, #tile.layout<(256, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<64x192xf32, global> to !tile.buffer<64x192xf16, shared, #tile.layout<(64, 3, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.fill %zero to %r scope(cta) : f32 to !tile.buffer<256x192xf32, local, #tile.layout<(2, 128, 192) : (192, 1@tid_in_wg, 1)>>
    tile.copy %r to %sums scope(cta) : !tile.buffer<256x192xf32, local, #tile.layout<(2, 128, 192) : (192, 1@tid_in_wg, 1)>> to !tile.buffer<256x192xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.mma %sa, %sb, %sums scope(cta) : !tile.buffer<256x64xf16, shared, #tile.layout<(256, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>, !tile.buffer<64x192xf16, shared, #tile.layout<(64, 3, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>>>, !tile.buffer<256x192xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.copy %sums to %r scope(cta) : !tile.buffer<256x192xf32, tmem, #tile.fragment<tcgen05.c>> to !tile.buffer<256x192xf32, local, #tile.layout<(2, 128, 192) : (192, 1@tid_in_wg, 1)>>
    tile.copy %r to %c scope(cta) : !tile.buffer<256x192xf32, local, #tile.layout<(2, 128, 192) : (192, 1@tid_in_wg, 1)>> to !tile.buffer<256x192xf32, global>
    gpu.return
  }

  gpu.func @three_times(%A: memref<128x128xf32>, %B: memref<128x32xf32>, %C: memref<128x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<128x128xf32>
    %b = tile.view %B : memref<128x32xf32>
    %c = tile.view %C : memref<128x32xf32>
    %sa = tile.alloc : !tile.buffer<128x128xf16, shared, #tile.layout<(128, 2, 64) : (64, 8192, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %sb = tile.alloc : !tile.buffer<128x32xf16, shared, #tile.layout<(2, 64, 32) : (2048, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
    %sums = tile.alloc : !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    %r = tile.alloc : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %a to %sa scope(cta) : !tile.buffer<128x128xf32, global> to !tile.buffer<128x128xf16, shared, #tile.layout<(128, 2, 64) : (64, 8192, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<128x32xf32, global> to !tile.buffer<128x32xf16, shared, #tile.layout<(2, 64, 32) : (2048, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.fill %zero to %r scope(cta) : f32 to !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %r to %sums scope(cta) : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %i = %c0 to %c3 step %c1 {
      tile.mma %sa, %sb, %sums scope(cta) : !tile.buffer<128x128xf16, shared, #tile.layout<(128, 2, 64) : (64, 8192, 1), swizzle<base = 3, bits = 3, shift = 3>>>, !tile.buffer<128x32xf16, shared, #tile.layout<(2, 64, 32) : (2048, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>, !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    }
    tile.copy %sums to %r scope(cta) : !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>> to !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %r to %c scope(cta) : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, global>
    gpu.return
  }

  gpu.func @by_the_fifth_warp(%A: memref<128x128xf32>, %B: memref<128x32xf32>, %C: memref<128x32xf32>) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<128x128xf32>
    %b = tile.view %B : memref<128x32xf32>
    %c = tile.view %C : memref<128x32xf32>
    %sa = tile.alloc : !tile.buffer<128x128xf16, shared, #tile.layout<(128, 2, 64) : (64, 8192, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %sb = tile.alloc : !tile.buffer<128x32xf16, shared, #tile.layout<(2, 64, 32) : (2048, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
    %sums = tile.alloc : !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    %r = tile.alloc : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy %a to %sa scope(cta) : !tile.buffer<128x128xf32, global> to !tile.buffer<128x128xf16, shared, #tile.layout<(128, 2, 64) : (64, 8192, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<128x32xf32, global> to !tile.buffer<128x32xf16, shared, #tile.layout<(2, 64, 32) : (2048, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
    %thread = gpu.thread_id x
    %c128 = arith.constant 128 : index
    %moves = arith.cmpi ult, %thread, %c128 : index
    scf.if %moves {
      tile.fill %zero to %r scope(warpgroup) : f32 to !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
      tile.copy %r to %sums scope(warpgroup) : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    }
    scf.if %moves {
    } else {
      tile.mma %sa, %sb, %sums scope(warp) : !tile.buffer<128x128xf16, shared, #tile.layout<(128, 2, 64) : (64, 8192, 1), swizzle<base = 3, bits = 3, shift = 3>>>, !tile.buffer<128x32xf16, shared, #tile.layout<(2, 64, 32) : (2048, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>, !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    }
    scf.if %moves {
      tile.copy %sums to %r scope(warpgroup) : !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>> to !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
      tile.copy %r to %c scope(warpgroup) : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, global>
    }
    gpu.return
  }
}
