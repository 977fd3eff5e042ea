// A kernel of whole layers in few lines: H = (X W1) * silu(X W2), f16, sums in f32, by wgmma through tensor maps, with edges in all dimensions.
// REQUIRES: numpy
// RUN: split-file %s %t && cd %t && %python data.py
// RUN: tile-run kernel.mlir --grid 4 --schedule all --arg f16[200x328]=x.npy --arg f16[328x136]=w1.npy --arg f16[328x136]=w2.npy \
// RUN:   --arg f16[200x136]=poison --expect 3=h.npy --rtol 2e-3 --atol 2e-3 | FileCheck %s
// The map stores what it computes as matrices, as from registers.
// CHECK: cp.async.bulk.tensor.2d.shared
// CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16 {{.*}} 0{{$}}
// CHECK: wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16
// RUN: tile-run kernel.mlir --grid 1 --schedule all --arg f16[5x8]=x8.npy --arg f16[8x8]=w8.npy --arg f16[8x8]=w8.npy --arg f16[5x8]=poison \
// RUN:   --expect 3=h8.npy --rtol 2e-3 --atol 2e-3

//--- kernel.mlir
!matrix = !tile.buffer<?x?xf16, global>
!x = !tile.buffer<128x64xf16, shared, auto>
!w = !tile.buffer<64x128xf16, shared, auto>
!h = !tile.buffer<128x128xf16, shared, auto>
!sums = !tile.buffer<128x128xf32, local, auto>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @swiglu(%X: memref<?x?xf16>, %W1: memref<?x?xf16>, %W2: memref<?x?xf16>, %H: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %x = tile.view %X divisible_by 8 : memref<?x?xf16>
    %w1 = tile.view %W1 divisible_by 8 : memref<?x?xf16>
    %w2 = tile.view %W2 divisible_by 8 : memref<?x?xf16>
    %h = tile.view %H divisible_by 8 : memref<?x?xf16>
    %m, %k = tile.extents %x : !matrix
    %block = gpu.block_id x
    %row, %column = tile.block_order %block of %h [128, 128] grouped(8) : !matrix
    %sx, %s1, %s2, %sh, %up, %gate = tile.allocs : !x, !w, !w, !h, !sums, !sums
    tile.fill 0.0 to %up scope(cta) : !sums
    tile.fill 0.0 to %gate scope(cta) : !sums
    affine.for %i = 0 to %k step 64 {
      tile.copy_async %x[%row, %i] to %sx scope(cta) masked fill(0.0) : !matrix to !x
      tile.copy_async %w1[%i, %column] to %s1 scope(cta) masked fill(0.0) : !matrix to !w
      tile.copy_async %w2[%i, %column] to %s2 scope(cta) masked fill(0.0) : !matrix to !w
      tile.mma %sx, %s1, %up scope(cta) group : !x, !w, !sums
      tile.mma %sx, %s2, %gate scope(cta) group : !x, !w, !sums
    } {tile.stages = 4 : i64}
    tile.map %up, %gate to %sh scope(cta) : !sums, !sums to !h {
    ^bb0(%u: f32, %g: f32):
      %one = arith.constant 1.0 : f32
      %minus = arith.negf %g : f32
      %e = math.exp %minus fastmath<afn> : f32
      %d = arith.addf %e, %one : f32
      %s = arith.divf %g, %d : f32
      %p = arith.mulf %u, %s : f32
      %r = arith.truncf %p : f32 to f16
      tile.yield %r : f16
    }
    tile.copy %sh to %h[%row, %column] scope(cta) masked : !h to !matrix
    gpu.return
  }
}

//--- data.py
import numpy as np

random = np.random.default_rng(0)


def save(m, n, k, names):
    x, w1, w2 = (random.uniform(-1, 1, size).astype("f2") for size in ((m, k), (k, n), (k, n)))
    up, gate = (x.astype("f8") @ w.astype("f8") for w in ((w1, w2) if len(names) == 4 else (w1, w1)))
    h = (up * gate / (1 + np.exp(-gate))).astype("f2")
    for name, array in zip(names, (x, w1, w2, h) if len(names) == 4 else (x, w1, h)):
        np.save(name, array)


save(200, 136, 328, ("x", "w1", "w2", "h"))
save(5, 8, 8, ("x8", "w8", "h8"))
