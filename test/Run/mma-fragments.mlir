// Products of tiles whose layouts are named, by one warp, by 2 x 2 warps and by 2 x 2 warpgroups: small integers, whose sums are exact.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python -c 'import numpy; r = numpy.random.default_rng(0); a = r.integers(-3, 4, (256, 64)).astype("f2"); \
// RUN:   b = r.integers(-3, 4, (64, 64)).astype("f2"); c = a.astype("f4") @ b.astype("f4"); s = numpy.save; s("a", a); s("b", b); s("c", c); \
// RUN:   s("d", a[:64].copy()); s("e", c[:64].copy())'
// RUN: cd %t && tile-run %s --entry warp --schedule all --arg f16[64x64]=d.npy --arg f16[64x64]=b.npy --arg f32[64x64]=poison --expect 2=e.npy
// RUN: cd %t && tile-run %s --entry warps --schedule all --arg f16[64x64]=d.npy --arg f16[64x64]=b.npy --arg f32[64x64]=poison --expect 2=e.npy
// RUN: cd %t && tile-run %s --entry warpgroups --schedule all --arg f16[256x64]=a.npy --arg f16[64x64]=b.npy --arg f32[256x64]=poison --expect 2=c.npy
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter-passed=tile-mma --remark-format=emitRemark 2>&1 | FileCheck %s

// CHECK: [Passed] mma_sync | {{.*}} Count=128, Instruction="mma.sync.m16n8k16 f16.f16"
// CHECK: [Passed] mma_sync | {{.*}} Count=32, Instruction="mma.sync.m16n8k16 f16.f16"
// CHECK: [Passed] wgmma | {{.*}} Count=8, Instruction="wgmma.mma_async.m64n32k16 f16.f16"

!a = !tile.buffer<64x64xf16, local, #tile.fragment<mma.m16n8k16.a>>
!b = !tile.buffer<64x64xf16, local, #tile.fragment<mma.m16n8k16.b>>
!c = !tile.buffer<64x64xf32, local, #tile.fragment<mma.m16n8k16.c>>
!spelled = !tile.buffer<64x64xf32, local, #tile.layout<(4, 2, 8, 8, 4, 2) : (32, 2, 4@laneid, 4, 1@laneid, 1)>>
!a22 = !tile.buffer<64x64xf16, local, #tile.fragment<mma.m16n8k16.a over (2, 2) warps>>
!b22 = !tile.buffer<64x64xf16, local, #tile.fragment<mma.m16n8k16.b over (2, 2) warps>>
!c22 = !tile.buffer<64x64xf32, local, #tile.fragment<mma.m16n8k16.c over (2, 2) warps>>
!sa = !tile.buffer<256x64xf16, shared, #tile.layout<(256, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!sb = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
!sums = !tile.buffer<256x64xf32, local, #tile.fragment<wgmma.c over (2, 2) warpgroups>>
!half = !tile.buffer<64x64xf16, global>
!single = !tile.buffer<64x64xf32, global>
!tall = !tile.buffer<256x64xf16, global>
!tall_single = !tile.buffer<256x64xf32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @warp(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x64xf16>
    %b = tile.view %B : memref<64x64xf16>
    %c = tile.view %C : memref<64x64xf32>
    %fa = tile.alloc : !a
    %fb = tile.alloc : !b
    %fc = tile.alloc : !c
    tile.copy %a to %fa scope(warp) : !half to !a
    tile.copy %b to %fb scope(warp) : !half to !b
    tile.fill %zero to %fc scope(warp) : f32 to !c
    tile.mma %fa, %fb, %fc scope(warp) : !a, !b, !c
    %spelled = tile.cast %fc : !c to !spelled
    tile.copy %spelled to %c scope(warp) : !spelled to !single
    gpu.return
  }
  gpu.func @warps(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x64xf16>
    %b = tile.view %B : memref<64x64xf16>
    %c = tile.view %C : memref<64x64xf32>
    %fa = tile.alloc : !a22
    %fb = tile.alloc : !b22
    %fc = tile.alloc : !c22
    tile.copy %a to %fa scope(cta) : !half to !a22
    tile.copy %b to %fb scope(cta) : !half to !b22
    tile.fill %zero to %fc scope(cta) : f32 to !c22
    tile.mma %fa, %fb, %fc scope(cta) : !a22, !b22, !c22
    tile.copy %fc to %c scope(cta) : !c22 to !single
    gpu.return
  }
  // The block has three dimensions: warpgroups count linear threads.
  gpu.func @warpgroups(%A: memref<256x64xf16>, %B: memref<64x64xf16>, %C: memref<256x64xf32>) kernel attributes {known_block_size = array<i32: 64, 4, 2>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<256x64xf16>
    %b = tile.view %B : memref<64x64xf16>
    %c = tile.view %C : memref<256x64xf32>
    %sa = tile.alloc : !sa
    %sb = tile.alloc : !sb
    %fc = tile.alloc : !sums
    tile.copy %a to %sa scope(cta) : !tall to !sa
    tile.copy %b to %sb scope(cta) : !half to !sb
    tile.fill %zero to %fc scope(cta) : f32 to !sums
    tile.mma %sa, %sb, %fc scope(cta) : !sa, !sb, !sums
    tile.copy %fc to %c scope(cta) : !sums to !tall_single
    gpu.return
  }
}
