// One source for each way to multiply: H = (X W1) * silu(X W2), of which the program copies a factor to registers, with edges in all
// dimensions, under every schedule: numpy's result.
// REQUIRES: numpy
// RUN: split-file %s %t && cd %t && %python data.py
// RUN: tile-run swiglu.mlir --grid 3,2 --schedule all --arg f16[200x72]=x.npy --arg f16[72x136]=w1.npy --arg f16[72x136]=w2.npy \
// RUN:   --arg f16[200x136]=poison --expect 3=h.npy --rtol 2e-3 --atol 2e-3 | FileCheck %s --check-prefix=WARPS
// RUN: tile-run swiglu.mlir --chip sm_90a --grid 3,2 --schedule all --arg f16[200x72]=x.npy --arg f16[72x136]=w1.npy --arg f16[72x136]=w2.npy \
// RUN:   --arg f16[200x136]=poison --expect 3=h.npy --rtol 2e-3 --atol 2e-3 | FileCheck %s --check-prefix=GROUPS
// RUN: tile-run swiglu.mlir --chip sm_100a --grid 3,2 --schedule all --arg f16[200x72]=x.npy --arg f16[72x136]=w1.npy --arg f16[72x136]=w2.npy \
// RUN:   --arg f16[200x136]=poison --expect 3=h.npy --rtol 2e-3 --atol 2e-3 | FileCheck %s --check-prefix=TENSOR
// WARPS: ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{.*}} 0{{$}}
// GROUPS-NOT: ldmatrix
// GROUPS: wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16
// TENSOR-NOT: ldmatrix
// TENSOR: tcgen05.mma.cta_group::1.kind::f16

//--- swiglu.mlir
!matrix = !tile.buffer<?x?xf16, global>
!x = !tile.buffer<128x32xf16, shared, auto>
!w = !tile.buffer<32x64xf16, shared, auto>
!h = !tile.buffer<128x64xf16, shared, auto>
!fx = !tile.buffer<128x32xf16, local, auto>
!sums = !tile.buffer<128x64xf32, local, auto>
!half = !tile.buffer<128x64xf16, local, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @swiglu(%X: memref<?x?xf16>, %W1: memref<?x?xf16>, %W2: memref<?x?xf16>, %H: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f16
    %none = arith.constant 0.0 : f32
    %m = memref.dim %X, %c0 : memref<?x?xf16>
    %depth = memref.dim %X, %c1 : memref<?x?xf16>
    %width = memref.dim %W1, %c1 : memref<?x?xf16>
    %k = tile.assume %depth divisible_by 8 : index
    %n = tile.assume %width divisible_by 8 : index
    %x = tile.view %X extents(%m, %k) strides(%k) : memref<?x?xf16> to !matrix
    %w1 = tile.view %W1 extents(%k, %n) strides(%n) : memref<?x?xf16> to !matrix
    %w2 = tile.view %W2 extents(%k, %n) strides(%n) : memref<?x?xf16> to !matrix
    %h = tile.view %H extents(%m, %n) strides(%n) : memref<?x?xf16> to !matrix
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %row = arith.muli %by, %c128 : index
    %column = arith.muli %bx, %c64 : index
    %sx = tile.alloc : !x
    %s1 = tile.alloc : !w
    %s2 = tile.alloc : !w
    %sh = tile.alloc : !h
    %fx = tile.alloc : !fx
    %up = tile.alloc : !sums
    %gate = tile.alloc : !sums
    %half = tile.alloc : !half
    tile.fill %none to %up scope(cta) : f32 to !sums
    tile.fill %none to %gate scope(cta) : f32 to !sums
    scf.for %i = %c0 to %k step %c32 {
      tile.copy_async %x[%row, %i] [128, 32] to %sx scope(cta) masked fill(%zero : f16) : !matrix to !x
      tile.copy_async %w1[%i, %column] [32, 64] to %s1 scope(cta) masked fill(%zero : f16) : !matrix to !w
      tile.copy_async %w2[%i, %column] [32, 64] to %s2 scope(cta) masked fill(%zero : f16) : !matrix to !w
      tile.copy %sx to %fx scope(cta) : !x to !fx
      tile.mma %fx, %s1, %up scope(cta) group : !fx, !w, !sums
      tile.mma %fx, %s2, %gate scope(cta) group : !fx, !w, !sums
    } {tile.stages = 3 : i64}
    tile.map %up, %gate to %half scope(cta) : !sums, !sums to !half {
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
    tile.copy %half to %sh scope(cta) : !half to !h
    tile.copy %sh to %h[%row, %column] [128, 64] scope(cta) masked : !h to !matrix
    gpu.return
  }
}

//--- data.py
import numpy as np

random = np.random.default_rng(0)
x, w1, w2 = (random.uniform(-1, 1, size).astype("f2") for size in ((200, 72), (72, 136), (72, 136)))
up, gate = (x.astype("f8") @ w.astype("f8") for w in (w1, w2))
for name, array in dict(x=x, w1=w1, w2=w2, h=(up * gate / (1 + np.exp(-gate))).astype("f2")).items():
    np.save(name, array)
