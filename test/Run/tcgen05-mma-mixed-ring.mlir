// A ring with one factor by a tensor map and one by cp.async, which all threads write: the product that reads it needs a proxy
// fence after the barrier at which its thread learns of their writes, or theirs before.

// RUN: tile-run %s --schedule=all --arg bf16[128x64]=ones --arg bf16[64x32]=ones --arg bf16[32x16]=ones --arg f32[128x16]=zeros \
// RUN:   --arg f32[128x1]=zeros | FileCheck %s
// CHECK: k: 1x1x1 blocks of 128x1x1 threads, sm_100a, simulated

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @k(%AQ: memref<128x64xbf16>, %AK: memref<64x32xbf16>, %AV: memref<32x16xbf16>, %AO: memref<128x16xf32>, %AL: memref<128x1xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %bn = arith.constant 32 : index
    %end = arith.constant 32 : index
    %zs = arith.constant 0.0 : f32
    %q = tile.view %AQ : memref<128x64xbf16>
    %k = tile.view %AK : memref<64x32xbf16>
    %v = tile.view %AV : memref<32x16xbf16>
    %sq = tile.alloc : !tile.buffer<128x64xbf16, shared, auto>
    %sk = tile.alloc : !tile.buffer<64x32xbf16, shared, auto>
    %sv = tile.alloc : !tile.buffer<32x16xbf16, shared, auto>
    %s = tile.alloc : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    %ts = tile.alloc : !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
    %to = tile.alloc : !tile.buffer<128x16xf32, tmem, #tile.fragment<tcgen05.c>>
    %tp = tile.alloc : !tile.buffer<128x32xbf16, tmem, #tile.fragment<tcgen05.a>>
    %fp = tile.alloc : !tile.buffer<128x32xbf16, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    %fo = tile.alloc : !tile.buffer<128x16xf32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
    %zp = arith.constant 0.0 : bf16
    tile.fill %zp to %fp scope(cta) : bf16 to !tile.buffer<128x32xbf16, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.fill %zs to %fo scope(cta) : f32 to !tile.buffer<128x16xf32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
    tile.copy %fp to %tp scope(cta) : !tile.buffer<128x32xbf16, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xbf16, tmem, #tile.fragment<tcgen05.a>>
    tile.copy %fo to %to scope(cta) : !tile.buffer<128x16xf32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>> to !tile.buffer<128x16xf32, tmem, #tile.fragment<tcgen05.c>>
    tile.copy %q to %sq scope(cta) : !tile.buffer<128x64xbf16, global> to !tile.buffer<128x64xbf16, shared, auto>
    scf.for %i = %c0 to %end step %bn {
      tile.copy_async %k[0, %i] [64, 32] to %sk scope(cta) : !tile.buffer<64x32xbf16, global> to !tile.buffer<64x32xbf16, shared, auto>
      tile.copy_async %v[%i, 0] [32, 16] to %sv scope(cta) : !tile.buffer<32x16xbf16, global> to !tile.buffer<32x16xbf16, shared, auto>
      tile.fill %zs to %s scope(cta) : f32 to !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
      tile.copy %s to %ts scope(cta) : !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
      tile.mma %sq, %sk, %ts scope(cta) group : !tile.buffer<128x64xbf16, shared, auto>, !tile.buffer<64x32xbf16, shared, auto>, !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
      tile.mma %tp, %sv, %to scope(cta) group : !tile.buffer<128x32xbf16, tmem, #tile.fragment<tcgen05.a>>, !tile.buffer<32x16xbf16, shared, auto>, !tile.buffer<128x16xf32, tmem, #tile.fragment<tcgen05.c>>
    } {tile.stages = 2 : i64}
    gpu.return
  }
}
