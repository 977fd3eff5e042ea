// Products of all types, by mma.sync and by wgmma: small integers, which every type holds and whose sums are exact, are converted
// on the way in and out.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python -c 'import numpy; r = numpy.random.default_rng(0); a = r.integers(0, 4, (64, 128)).astype("f4"); \
// RUN:   b = r.integers(-3, 4, (128, 16)).astype("f4"); s = numpy.save; s("a", a); s("b", b); s("c", a @ b); \
// RUN:   s("d", a[:16, :32].copy()); s("e", b[:32, :8].copy()); s("f", a[:16, :32] @ b[:32, :8])'
// RUN: cd %t && tile-run %s --entry f16 --arg f32[16x32]=d.npy --arg f32[32x8]=e.npy --arg f32[16x8]=poison --expect 2=f.npy
// RUN: cd %t && tile-run %s --entry f16_f16 --arg f32[16x32]=d.npy --arg f32[32x8]=e.npy --arg f32[16x8]=poison --expect 2=f.npy
// RUN: cd %t && tile-run %s --entry bf16 --arg f32[16x32]=d.npy --arg f32[32x8]=e.npy --arg f32[16x8]=poison --expect 2=f.npy
// RUN: cd %t && tile-run %s --entry tf32 --arg f32[16x32]=d.npy --arg f32[32x8]=e.npy --arg f32[16x8]=poison --expect 2=f.npy
// RUN: cd %t && tile-run %s --entry f64 --arg f32[16x32]=d.npy --arg f32[32x8]=e.npy --arg f32[16x8]=poison --expect 2=f.npy
// RUN: cd %t && tile-run %s --entry e4m3 --arg f32[16x32]=d.npy --arg f32[32x8]=e.npy --arg f32[16x8]=poison --expect 2=f.npy
// RUN: cd %t && tile-run %s --entry e5m2 --arg f32[16x32]=d.npy --arg f32[32x8]=e.npy --arg f32[16x8]=poison --expect 2=f.npy
// RUN: cd %t && tile-run %s --entry s8 --arg f32[16x32]=d.npy --arg f32[32x8]=e.npy --arg f32[16x8]=poison --expect 2=f.npy
// RUN: cd %t && tile-run %s --entry u8_s8 --arg f32[16x32]=d.npy --arg f32[32x8]=e.npy --arg f32[16x8]=poison --expect 2=f.npy
// RUN: cd %t && tile-run %s --entry f32_fma --arg f32[16x32]=d.npy --arg f32[32x8]=e.npy --arg f32[16x8]=poison --expect 2=f.npy
// RUN: cd %t && tile-run %s --entry w_f16 --arg f32[64x128]=a.npy --arg f32[128x16]=b.npy --arg f32[64x16]=poison --expect 2=c.npy
// RUN: cd %t && tile-run %s --entry w_bf16 --arg f32[64x128]=a.npy --arg f32[128x16]=b.npy --arg f32[64x16]=poison --expect 2=c.npy
// RUN: cd %t && tile-run %s --entry w_tf32 --arg f32[64x128]=a.npy --arg f32[128x16]=b.npy --arg f32[64x16]=poison --expect 2=c.npy
// RUN: cd %t && tile-run %s --entry w_e4m3 --arg f32[64x128]=a.npy --arg f32[128x16]=b.npy --arg f32[64x16]=poison --expect 2=c.npy
// RUN: cd %t && tile-run %s --entry w_s8 --arg f32[64x128]=a.npy --arg f32[128x16]=b.npy --arg f32[64x16]=poison --expect 2=c.npy
// RUN: cd %t && tile-run %s --entry w_u8_s8 --arg f32[64x128]=a.npy --arg f32[128x16]=b.npy --arg f32[64x16]=poison --expect 2=c.npy
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s

// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK: mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16
// CHECK: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// CHECK: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
// CHECK: mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64
// CHECK: mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32
// CHECK: mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32
// CHECK: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32
// CHECK: mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32
// CHECK: fma.rn.f32
// CHECK: wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16
// CHECK: wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16
// CHECK: wgmma.mma_async.sync.aligned.m64n16k8.f32.tf32.tf32
// CHECK: wgmma.mma_async.sync.aligned.m64n16k32.f32.e4m3.e4m3
// CHECK: wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.s8
// CHECK: wgmma.mma_async.sync.aligned.m64n16k32.s32.u8.s8

gpu.module @kernels [#nvvm.target<chip = "sm_90a", features = "+ptx84">] {
  gpu.func @f16(%A: memref<16x32xf32>, %B: memref<32x8xf32>, %C: memref<16x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<16x32xf32>
    %b = tile.view %B : memref<32x8xf32>
    %c = tile.view %C : memref<16x8xf32>
    %fa = tile.alloc : !tile.buffer<16x32xf16, local, #tile.layout<(2, 8, 2, 2, 4, 2) : (2, 4@laneid, 8, 4, 1@laneid, 1)>>
    %fb = tile.alloc : !tile.buffer<32x8xf16, local, #tile.layout<(2, 2, 4, 2, 8) : (4, 2, 1@laneid, 1, 4@laneid)>>
    %fc = tile.alloc : !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %a to %fa scope(warp) : !tile.buffer<16x32xf32, global> to !tile.buffer<16x32xf16, local, #tile.layout<(2, 8, 2, 2, 4, 2) : (2, 4@laneid, 8, 4, 1@laneid, 1)>>
    tile.copy %b to %fb scope(warp) : !tile.buffer<32x8xf32, global> to !tile.buffer<32x8xf16, local, #tile.layout<(2, 2, 4, 2, 8) : (4, 2, 1@laneid, 1, 4@laneid)>>
    tile.fill %zero to %fc scope(warp) : f32 to !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.mma %fa, %fb, %fc scope(warp)
      : !tile.buffer<16x32xf16, local, #tile.layout<(2, 8, 2, 2, 4, 2) : (2, 4@laneid, 8, 4, 1@laneid, 1)>>, !tile.buffer<32x8xf16, local, #tile.layout<(2, 2, 4, 2, 8) : (4, 2, 1@laneid, 1, 4@laneid)>>, !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %fc to %c scope(warp) : !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>> to !tile.buffer<16x8xf32, global>
    gpu.return
  }
  gpu.func @f16_f16(%A: memref<16x32xf32>, %B: memref<32x8xf32>, %C: memref<16x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f16
    %a = tile.view %A : memref<16x32xf32>
    %b = tile.view %B : memref<32x8xf32>
    %c = tile.view %C : memref<16x8xf32>
    %fa = tile.alloc : !tile.buffer<16x32xf16, local, #tile.layout<(2, 8, 2, 2, 4, 2) : (2, 4@laneid, 8, 4, 1@laneid, 1)>>
    %fb = tile.alloc : !tile.buffer<32x8xf16, local, #tile.layout<(2, 2, 4, 2, 8) : (4, 2, 1@laneid, 1, 4@laneid)>>
    %fc = tile.alloc : !tile.buffer<16x8xf16, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %a to %fa scope(warp) : !tile.buffer<16x32xf32, global> to !tile.buffer<16x32xf16, local, #tile.layout<(2, 8, 2, 2, 4, 2) : (2, 4@laneid, 8, 4, 1@laneid, 1)>>
    tile.copy %b to %fb scope(warp) : !tile.buffer<32x8xf32, global> to !tile.buffer<32x8xf16, local, #tile.layout<(2, 2, 4, 2, 8) : (4, 2, 1@laneid, 1, 4@laneid)>>
    tile.fill %zero to %fc scope(warp) : f16 to !tile.buffer<16x8xf16, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.mma %fa, %fb, %fc scope(warp)
      : !tile.buffer<16x32xf16, local, #tile.layout<(2, 8, 2, 2, 4, 2) : (2, 4@laneid, 8, 4, 1@laneid, 1)>>, !tile.buffer<32x8xf16, local, #tile.layout<(2, 2, 4, 2, 8) : (4, 2, 1@laneid, 1, 4@laneid)>>, !tile.buffer<16x8xf16, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %fc to %c scope(warp) : !tile.buffer<16x8xf16, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>> to !tile.buffer<16x8xf32, global>
    gpu.return
  }
  gpu.func @bf16(%A: memref<16x32xf32>, %B: memref<32x8xf32>, %C: memref<16x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<16x32xf32>
    %b = tile.view %B : memref<32x8xf32>
    %c = tile.view %C : memref<16x8xf32>
    %fa = tile.alloc : !tile.buffer<16x32xbf16, local, #tile.layout<(2, 8, 2, 2, 4, 2) : (2, 4@laneid, 8, 4, 1@laneid, 1)>>
    %fb = tile.alloc : !tile.buffer<32x8xbf16, local, #tile.layout<(2, 2, 4, 2, 8) : (4, 2, 1@laneid, 1, 4@laneid)>>
    %fc = tile.alloc : !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %a to %fa scope(warp) : !tile.buffer<16x32xf32, global> to !tile.buffer<16x32xbf16, local, #tile.layout<(2, 8, 2, 2, 4, 2) : (2, 4@laneid, 8, 4, 1@laneid, 1)>>
    tile.copy %b to %fb scope(warp) : !tile.buffer<32x8xf32, global> to !tile.buffer<32x8xbf16, local, #tile.layout<(2, 2, 4, 2, 8) : (4, 2, 1@laneid, 1, 4@laneid)>>
    tile.fill %zero to %fc scope(warp) : f32 to !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.mma %fa, %fb, %fc scope(warp)
      : !tile.buffer<16x32xbf16, local, #tile.layout<(2, 8, 2, 2, 4, 2) : (2, 4@laneid, 8, 4, 1@laneid, 1)>>, !tile.buffer<32x8xbf16, local, #tile.layout<(2, 2, 4, 2, 8) : (4, 2, 1@laneid, 1, 4@laneid)>>, !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %fc to %c scope(warp) : !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>> to !tile.buffer<16x8xf32, global>
    gpu.return
  }
  gpu.func @tf32(%A: memref<16x32xf32>, %B: memref<32x8xf32>, %C: memref<16x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<16x32xf32>
    %b = tile.view %B : memref<32x8xf32>
    %c = tile.view %C : memref<16x8xf32>
    %fa = tile.alloc : !tile.buffer<16x32xf32, local, #tile.layout<(2, 8, 4, 2, 4) : (1, 4@laneid, 4, 2, 1@laneid)>>
    %fb = tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(4, 2, 4, 8) : (2, 1, 1@laneid, 4@laneid)>>
    %fc = tile.alloc : !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %a to %fa scope(warp) : !tile.buffer<16x32xf32, global> to !tile.buffer<16x32xf32, local, #tile.layout<(2, 8, 4, 2, 4) : (1, 4@laneid, 4, 2, 1@laneid)>>
    tile.copy %b to %fb scope(warp) : !tile.buffer<32x8xf32, global> to !tile.buffer<32x8xf32, local, #tile.layout<(4, 2, 4, 8) : (2, 1, 1@laneid, 4@laneid)>>
    tile.fill %zero to %fc scope(warp) : f32 to !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.mma %fa, %fb, %fc scope(warp) convert(tf32)
      : !tile.buffer<16x32xf32, local, #tile.layout<(2, 8, 4, 2, 4) : (1, 4@laneid, 4, 2, 1@laneid)>>, !tile.buffer<32x8xf32, local, #tile.layout<(4, 2, 4, 8) : (2, 1, 1@laneid, 4@laneid)>>, !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %fc to %c scope(warp) : !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>> to !tile.buffer<16x8xf32, global>
    gpu.return
  }
  gpu.func @f64(%A: memref<16x32xf32>, %B: memref<32x8xf32>, %C: memref<16x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f64
    %a = tile.view %A : memref<16x32xf32>
    %b = tile.view %B : memref<32x8xf32>
    %c = tile.view %C : memref<16x8xf32>
    %fa = tile.alloc : !tile.buffer<16x32xf64, local, #tile.layout<(2, 8, 4, 2, 4) : (1, 4@laneid, 4, 2, 1@laneid)>>
    %fb = tile.alloc : !tile.buffer<32x8xf64, local, #tile.layout<(4, 2, 4, 8) : (2, 1, 1@laneid, 4@laneid)>>
    %fc = tile.alloc : !tile.buffer<16x8xf64, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %a to %fa scope(warp) : !tile.buffer<16x32xf32, global> to !tile.buffer<16x32xf64, local, #tile.layout<(2, 8, 4, 2, 4) : (1, 4@laneid, 4, 2, 1@laneid)>>
    tile.copy %b to %fb scope(warp) : !tile.buffer<32x8xf32, global> to !tile.buffer<32x8xf64, local, #tile.layout<(4, 2, 4, 8) : (2, 1, 1@laneid, 4@laneid)>>
    tile.fill %zero to %fc scope(warp) : f64 to !tile.buffer<16x8xf64, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.mma %fa, %fb, %fc scope(warp)
      : !tile.buffer<16x32xf64, local, #tile.layout<(2, 8, 4, 2, 4) : (1, 4@laneid, 4, 2, 1@laneid)>>, !tile.buffer<32x8xf64, local, #tile.layout<(4, 2, 4, 8) : (2, 1, 1@laneid, 4@laneid)>>, !tile.buffer<16x8xf64, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %fc to %c scope(warp) : !tile.buffer<16x8xf64, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>> to !tile.buffer<16x8xf32, global>
    gpu.return
  }
  gpu.func @e4m3(%A: memref<16x32xf32>, %B: memref<32x8xf32>, %C: memref<16x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<16x32xf32>
    %b = tile.view %B : memref<32x8xf32>
    %c = tile.view %C : memref<16x8xf32>
    %fa = tile.alloc : !tile.buffer<16x32xf8E4M3FN, local, #tile.layout<(2, 8, 2, 4, 4) : (4, 4@laneid, 8, 1@laneid, 1)>>
    %fb = tile.alloc : !tile.buffer<32x8xf8E4M3FN, local, #tile.layout<(2, 4, 4, 8) : (4, 1@laneid, 1, 4@laneid)>>
    %fc = tile.alloc : !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %a to %fa scope(warp) : !tile.buffer<16x32xf32, global> to !tile.buffer<16x32xf8E4M3FN, local, #tile.layout<(2, 8, 2, 4, 4) : (4, 4@laneid, 8, 1@laneid, 1)>>
    tile.copy %b to %fb scope(warp) : !tile.buffer<32x8xf32, global> to !tile.buffer<32x8xf8E4M3FN, local, #tile.layout<(2, 4, 4, 8) : (4, 1@laneid, 1, 4@laneid)>>
    tile.fill %zero to %fc scope(warp) : f32 to !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.mma %fa, %fb, %fc scope(warp)
      : !tile.buffer<16x32xf8E4M3FN, local, #tile.layout<(2, 8, 2, 4, 4) : (4, 4@laneid, 8, 1@laneid, 1)>>, !tile.buffer<32x8xf8E4M3FN, local, #tile.layout<(2, 4, 4, 8) : (4, 1@laneid, 1, 4@laneid)>>, !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %fc to %c scope(warp) : !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>> to !tile.buffer<16x8xf32, global>
    gpu.return
  }
  gpu.func @e5m2(%A: memref<16x32xf32>, %B: memref<32x8xf32>, %C: memref<16x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<16x32xf32>
    %b = tile.view %B : memref<32x8xf32>
    %c = tile.view %C : memref<16x8xf32>
    %fa = tile.alloc : !tile.buffer<16x32xf8E5M2, local, #tile.layout<(2, 8, 2, 4, 4) : (4, 4@laneid, 8, 1@laneid, 1)>>
    %fb = tile.alloc : !tile.buffer<32x8xf8E5M2, local, #tile.layout<(2, 4, 4, 8) : (4, 1@laneid, 1, 4@laneid)>>
    %fc = tile.alloc : !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %a to %fa scope(warp) : !tile.buffer<16x32xf32, global> to !tile.buffer<16x32xf8E5M2, local, #tile.layout<(2, 8, 2, 4, 4) : (4, 4@laneid, 8, 1@laneid, 1)>>
    tile.copy %b to %fb scope(warp) : !tile.buffer<32x8xf32, global> to !tile.buffer<32x8xf8E5M2, local, #tile.layout<(2, 4, 4, 8) : (4, 1@laneid, 1, 4@laneid)>>
    tile.fill %zero to %fc scope(warp) : f32 to !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.mma %fa, %fb, %fc scope(warp)
      : !tile.buffer<16x32xf8E5M2, local, #tile.layout<(2, 8, 2, 4, 4) : (4, 4@laneid, 8, 1@laneid, 1)>>, !tile.buffer<32x8xf8E5M2, local, #tile.layout<(2, 4, 4, 8) : (4, 1@laneid, 1, 4@laneid)>>, !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %fc to %c scope(warp) : !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>> to !tile.buffer<16x8xf32, global>
    gpu.return
  }
  gpu.func @s8(%A: memref<16x32xf32>, %B: memref<32x8xf32>, %C: memref<16x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i32
    %a = tile.view %A : memref<16x32xf32>
    %b = tile.view %B : memref<32x8xf32>
    %c = tile.view %C : memref<16x8xf32>
    %fa = tile.alloc : !tile.buffer<16x32xi8, local, #tile.layout<(2, 8, 2, 4, 4) : (4, 4@laneid, 8, 1@laneid, 1)>>
    %fb = tile.alloc : !tile.buffer<32x8xi8, local, #tile.layout<(2, 4, 4, 8) : (4, 1@laneid, 1, 4@laneid)>>
    %fc = tile.alloc : !tile.buffer<16x8xi32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %a to %fa scope(warp) convert(signed) : !tile.buffer<16x32xf32, global> to !tile.buffer<16x32xi8, local, #tile.layout<(2, 8, 2, 4, 4) : (4, 4@laneid, 8, 1@laneid, 1)>>
    tile.copy %b to %fb scope(warp) convert(signed) : !tile.buffer<32x8xf32, global> to !tile.buffer<32x8xi8, local, #tile.layout<(2, 4, 4, 8) : (4, 1@laneid, 1, 4@laneid)>>
    tile.fill %zero to %fc scope(warp) : i32 to !tile.buffer<16x8xi32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.mma %fa, %fb, %fc scope(warp) convert(signed)
      : !tile.buffer<16x32xi8, local, #tile.layout<(2, 8, 2, 4, 4) : (4, 4@laneid, 8, 1@laneid, 1)>>, !tile.buffer<32x8xi8, local, #tile.layout<(2, 4, 4, 8) : (4, 1@laneid, 1, 4@laneid)>>, !tile.buffer<16x8xi32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %fc to %c scope(warp) convert(signed) : !tile.buffer<16x8xi32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>> to !tile.buffer<16x8xf32, global>
    gpu.return
  }
  gpu.func @u8_s8(%A: memref<16x32xf32>, %B: memref<32x8xf32>, %C: memref<16x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0 : i32
    %a = tile.view %A : memref<16x32xf32>
    %b = tile.view %B : memref<32x8xf32>
    %c = tile.view %C : memref<16x8xf32>
    %fa = tile.alloc : !tile.buffer<16x32xi8, local, #tile.layout<(2, 8, 2, 4, 4) : (4, 4@laneid, 8, 1@laneid, 1)>>
    %fb = tile.alloc : !tile.buffer<32x8xi8, local, #tile.layout<(2, 4, 4, 8) : (4, 1@laneid, 1, 4@laneid)>>
    %fc = tile.alloc : !tile.buffer<16x8xi32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %a to %fa scope(warp) convert(unsigned) : !tile.buffer<16x32xf32, global> to !tile.buffer<16x32xi8, local, #tile.layout<(2, 8, 2, 4, 4) : (4, 4@laneid, 8, 1@laneid, 1)>>
    tile.copy %b to %fb scope(warp) convert(signed) : !tile.buffer<32x8xf32, global> to !tile.buffer<32x8xi8, local, #tile.layout<(2, 4, 4, 8) : (4, 1@laneid, 1, 4@laneid)>>
    tile.fill %zero to %fc scope(warp) : i32 to !tile.buffer<16x8xi32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.mma %fa, %fb, %fc scope(warp) convert(unsigned) {convert_b = "signed"}
      : !tile.buffer<16x32xi8, local, #tile.layout<(2, 8, 2, 4, 4) : (4, 4@laneid, 8, 1@laneid, 1)>>, !tile.buffer<32x8xi8, local, #tile.layout<(2, 4, 4, 8) : (4, 1@laneid, 1, 4@laneid)>>, !tile.buffer<16x8xi32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %fc to %c scope(warp) convert(signed) : !tile.buffer<16x8xi32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>> to !tile.buffer<16x8xf32, global>
    gpu.return
  }
  gpu.func @f32_fma(%A: memref<16x32xf32>, %B: memref<32x8xf32>, %C: memref<16x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<16x32xf32>
    %b = tile.view %B : memref<32x8xf32>
    %c = tile.view %C : memref<16x8xf32>
    %fa = tile.alloc : !tile.buffer<16x32xf32, local, #tile.layout<(16, 32) : (1@laneid, 1) + R(2 : 16@laneid)>>
    %fb = tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (8, 1) + R(32 : 1@laneid)>>
    %fc = tile.alloc : !tile.buffer<16x8xf32, local, #tile.layout<(16, 8) : (1@laneid, 1) + R(2 : 16@laneid)>>
    tile.copy %a to %fa scope(warp) : !tile.buffer<16x32xf32, global> to !tile.buffer<16x32xf32, local, #tile.layout<(16, 32) : (1@laneid, 1) + R(2 : 16@laneid)>>
    tile.copy %b to %fb scope(warp) : !tile.buffer<32x8xf32, global> to !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (8, 1) + R(32 : 1@laneid)>>
    tile.fill %zero to %fc scope(warp) : f32 to !tile.buffer<16x8xf32, local, #tile.layout<(16, 8) : (1@laneid, 1) + R(2 : 16@laneid)>>
    tile.mma %fa, %fb, %fc scope(warp) {variant = "fma"}
      : !tile.buffer<16x32xf32, local, #tile.layout<(16, 32) : (1@laneid, 1) + R(2 : 16@laneid)>>, !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (8, 1) + R(32 : 1@laneid)>>, !tile.buffer<16x8xf32, local, #tile.layout<(16, 8) : (1@laneid, 1) + R(2 : 16@laneid)>>
    tile.copy %fc to %c scope(warp) : !tile.buffer<16x8xf32, local, #tile.layout<(16, 8) : (1@laneid, 1) + R(2 : 16@laneid)>> to !tile.buffer<16x8xf32, global>
    gpu.return
  }
  gpu.func @w_f16(%A: memref<64x128xf32>, %B: memref<128x16xf32>, %C: memref<64x16xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x128xf32>
    %b = tile.view %B : memref<128x16xf32>
    %c = tile.view %C : memref<64x16xf32>
    %sa = tile.alloc : !tile.buffer<64x128xf16, shared, #tile.layout<(64, 2, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %sb = tile.alloc : !tile.buffer<128x16xf16, shared, #tile.layout<(2, 64, 16) : (1024, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
    %fc = tile.alloc : !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.copy %a to %sa scope(cta) : !tile.buffer<64x128xf32, global> to !tile.buffer<64x128xf16, shared, #tile.layout<(64, 2, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<128x16xf32, global> to !tile.buffer<128x16xf16, shared, #tile.layout<(2, 64, 16) : (1024, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.fill %zero to %fc scope(cta) : f32 to !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.mma %sa, %sb, %fc scope(warpgroup)
      : !tile.buffer<64x128xf16, shared, #tile.layout<(64, 2, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>>>, !tile.buffer<128x16xf16, shared, #tile.layout<(2, 64, 16) : (1024, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>, !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.copy %fc to %c scope(warpgroup) : !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>> to !tile.buffer<64x16xf32, global>
    gpu.return
  }
  gpu.func @w_bf16(%A: memref<64x128xf32>, %B: memref<128x16xf32>, %C: memref<64x16xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x128xf32>
    %b = tile.view %B : memref<128x16xf32>
    %c = tile.view %C : memref<64x16xf32>
    %sa = tile.alloc : !tile.buffer<64x128xbf16, shared, #tile.layout<(64, 2, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %sb = tile.alloc : !tile.buffer<128x16xbf16, shared, #tile.layout<(2, 64, 16) : (1024, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
    %fc = tile.alloc : !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.copy %a to %sa scope(cta) : !tile.buffer<64x128xf32, global> to !tile.buffer<64x128xbf16, shared, #tile.layout<(64, 2, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<128x16xf32, global> to !tile.buffer<128x16xbf16, shared, #tile.layout<(2, 64, 16) : (1024, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.fill %zero to %fc scope(cta) : f32 to !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.mma %sa, %sb, %fc scope(warpgroup)
      : !tile.buffer<64x128xbf16, shared, #tile.layout<(64, 2, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>>>, !tile.buffer<128x16xbf16, shared, #tile.layout<(2, 64, 16) : (1024, 1, 64), swizzle<base = 3, bits = 3, shift = 3>>>, !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.copy %fc to %c scope(warpgroup) : !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>> to !tile.buffer<64x16xf32, global>
    gpu.return
  }
  gpu.func @w_tf32(%A: memref<64x128xf32>, %B: memref<128x16xf32>, %C: memref<64x16xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x128xf32>
    %b = tile.view %B : memref<128x16xf32>
    %c = tile.view %C : memref<64x16xf32>
    %sa = tile.alloc : !tile.buffer<64x128xf32, shared, #tile.layout<(64, 4, 32) : (32, 2048, 1), swizzle<base = 2, bits = 3, shift = 3>>>
    %sb = tile.alloc : !tile.buffer<128x16xf32, shared, #tile.layout<(4, 32, 16) : (512, 1, 32), swizzle<base = 2, bits = 3, shift = 3>>>
    %fc = tile.alloc : !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.copy %a to %sa scope(cta) : !tile.buffer<64x128xf32, global> to !tile.buffer<64x128xf32, shared, #tile.layout<(64, 4, 32) : (32, 2048, 1), swizzle<base = 2, bits = 3, shift = 3>>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<128x16xf32, global> to !tile.buffer<128x16xf32, shared, #tile.layout<(4, 32, 16) : (512, 1, 32), swizzle<base = 2, bits = 3, shift = 3>>>
    tile.fill %zero to %fc scope(cta) : f32 to !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.mma %sa, %sb, %fc scope(warpgroup) convert(tf32)
      : !tile.buffer<64x128xf32, shared, #tile.layout<(64, 4, 32) : (32, 2048, 1), swizzle<base = 2, bits = 3, shift = 3>>>, !tile.buffer<128x16xf32, shared, #tile.layout<(4, 32, 16) : (512, 1, 32), swizzle<base = 2, bits = 3, shift = 3>>>, !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.copy %fc to %c scope(warpgroup) : !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>> to !tile.buffer<64x16xf32, global>
    gpu.return
  }
  gpu.func @w_e4m3(%A: memref<64x128xf32>, %B: memref<128x16xf32>, %C: memref<64x16xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x128xf32>
    %b = tile.view %B : memref<128x16xf32>
    %c = tile.view %C : memref<64x16xf32>
    %sa = tile.alloc : !tile.buffer<64x128xf8E4M3FN, shared, #tile.layout<(64, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>
    %sb = tile.alloc : !tile.buffer<128x16xf8E4M3FN, shared, #tile.layout<(128, 16) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
    %fc = tile.alloc : !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.copy %a to %sa scope(cta) : !tile.buffer<64x128xf32, global> to !tile.buffer<64x128xf8E4M3FN, shared, #tile.layout<(64, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>
    tile.copy %b to %sb scope(cta) : !tile.buffer<128x16xf32, global> to !tile.buffer<128x16xf8E4M3FN, shared, #tile.layout<(128, 16) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
    tile.fill %zero to %fc scope(cta) : f32 to !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.mma %sa, %sb, %fc scope(warpgroup)
      : !tile.buffer<64x128xf8E4M3FN, shared, #tile.layout<(64, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>, !tile.buffer<128x16xf8E4M3FN, shared, #tile.layout<(128, 16) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>, !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.copy %fc to %c scope(warpgroup) : !tile.buffer<64x16xf32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>> to !tile.buffer<64x16xf32, global>
    gpu.return
  }
  gpu.func @w_s8(%A: memref<64x128xf32>, %B: memref<128x16xf32>, %C: memref<64x16xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0 : i32
    %a = tile.view %A : memref<64x128xf32>
    %b = tile.view %B : memref<128x16xf32>
    %c = tile.view %C : memref<64x16xf32>
    %sa = tile.alloc : !tile.buffer<64x128xi8, shared, #tile.layout<(64, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>
    %sb = tile.alloc : !tile.buffer<128x16xi8, shared, #tile.layout<(128, 16) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
    %fc = tile.alloc : !tile.buffer<64x16xi32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.copy %a to %sa scope(cta) convert(signed) : !tile.buffer<64x128xf32, global> to !tile.buffer<64x128xi8, shared, #tile.layout<(64, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>
    tile.copy %b to %sb scope(cta) convert(signed) : !tile.buffer<128x16xf32, global> to !tile.buffer<128x16xi8, shared, #tile.layout<(128, 16) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
    tile.fill %zero to %fc scope(cta) : i32 to !tile.buffer<64x16xi32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.mma %sa, %sb, %fc scope(warpgroup) convert(signed)
      : !tile.buffer<64x128xi8, shared, #tile.layout<(64, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>, !tile.buffer<128x16xi8, shared, #tile.layout<(128, 16) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>, !tile.buffer<64x16xi32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.copy %fc to %c scope(warpgroup) convert(signed) : !tile.buffer<64x16xi32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>> to !tile.buffer<64x16xf32, global>
    gpu.return
  }
  gpu.func @w_u8_s8(%A: memref<64x128xf32>, %B: memref<128x16xf32>, %C: memref<64x16xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0 : i32
    %a = tile.view %A : memref<64x128xf32>
    %b = tile.view %B : memref<128x16xf32>
    %c = tile.view %C : memref<64x16xf32>
    %sa = tile.alloc : !tile.buffer<64x128xi8, shared, #tile.layout<(64, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>
    %sb = tile.alloc : !tile.buffer<128x16xi8, shared, #tile.layout<(128, 16) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
    %fc = tile.alloc : !tile.buffer<64x16xi32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.copy %a to %sa scope(cta) convert(unsigned) : !tile.buffer<64x128xf32, global> to !tile.buffer<64x128xi8, shared, #tile.layout<(64, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>
    tile.copy %b to %sb scope(cta) convert(signed) : !tile.buffer<128x16xf32, global> to !tile.buffer<128x16xi8, shared, #tile.layout<(128, 16) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
    tile.fill %zero to %fc scope(cta) : i32 to !tile.buffer<64x16xi32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.mma %sa, %sb, %fc scope(warpgroup) convert(unsigned) {convert_b = "signed"}
      : !tile.buffer<64x128xi8, shared, #tile.layout<(64, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>, !tile.buffer<128x16xi8, shared, #tile.layout<(128, 16) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>, !tile.buffer<64x16xi32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
    tile.copy %fc to %c scope(warpgroup) convert(signed) : !tile.buffer<64x16xi32, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>> to !tile.buffer<64x16xf32, global>
    gpu.return
  }
}
