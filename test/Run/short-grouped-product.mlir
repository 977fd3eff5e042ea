// Products of groups of rows in few lines: rows Offsets[e] .. Offsets[e+1] of X times W[e], sums in f32, by wgmma through tensor maps.
// REQUIRES: numpy
// RUN: split-file %s %t && cd %t && %python data.py
// The grid: tiles of columns, the most tiles of 128 rows that an expert has, experts. One has no rows, and blocks beyond the last tile end.
// RUN: tile-run kernel.mlir --grid 2,2,4 --schedule all --arg f16[283x72]=x.npy --arg f16[4x72x136]=w.npy --arg i32[5]=offsets.npy \
// RUN:   --arg f16[283x136]=poison --expect 3=y.npy | FileCheck %s
// CHECK: cp.async.bulk.tensor.3d.shared
// CHECK: stmatrix.sync.aligned.m8n8.x4.shared.b16 {{.*}} 0{{$}}
// Step by step, the accesses of affine ops are read as those of memref.
// RUN: tile-opt kernel.mlir --tile-choose-layouts --tile-pipeline=tensor-maps --tile-plan-memory --tile-check-sync -o /dev/null

//--- kernel.mlir
!matrix = !tile.buffer<?x?xf16, global>
!experts = !tile.buffer<?x?x?xf16, global>
!x = !tile.buffer<128x64xf16, shared, auto>
!w = !tile.buffer<64x128xf16, shared, auto>
!y = !tile.buffer<128x128xf16, shared, auto>
!sums = !tile.buffer<128x128xf32, local, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @moe(%X: memref<?x?xf16>, %W: memref<?x?x?xf16>, %Offsets: memref<?xi32>, %Y: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %x = tile.view %X divisible_by 8 : memref<?x?xf16>
    %w = tile.view %W divisible_by 8 : memref<?x?x?xf16>
    %experts, %k, %n = tile.extents %w : !experts
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %e = gpu.block_id z
    %o0 = memref.load %Offsets[%e] : memref<?xi32>
    %o1 = affine.load %Offsets[%e + 1] : memref<?xi32>
    %first = arith.index_castui %o0 : i32 to index
    %last = arith.index_castui %o1 : i32 to index
    %row = affine.apply affine_map<(first, y) -> (first + 128 * y)>(%first, %by)
    %column = affine.apply affine_map<(x) -> (128 * x)>(%bx)
    %beyond = arith.cmpi uge, %row, %last : index
    tile.return_if %beyond
    // Rows beyond the expert's end are loaded (they are the next expert's) and not stored: the result's view ends at %last.
    %y = tile.view %Y extents(%last, %n) strides(%n) : memref<?x?xf16> to !matrix
    %sx, %sw, %sy, %sums = tile.allocs : !x, !w, !y, !sums
    tile.fill 0.0 to %sums scope(cta) : !sums
    affine.for %i = 0 to %k step 64 {
      tile.copy_async %x[%row, %i] to %sx scope(cta) masked fill(0.0) : !matrix to !x
      tile.copy_async %w[%e, %i, %column] [1, 64, 128] to %sw scope(cta) masked fill(0.0) : !experts to !w
      tile.mma %sx, %sw, %sums scope(cta) group : !x, !w, !sums
    } {tile.stages = 4 : i64}
    tile.map { arith.truncf } %sums to %sy scope(cta) : !sums to !y
    tile.copy %sy to %y[%row, %column] scope(cta) masked : !y to !matrix
    gpu.return
  }
}

//--- data.py
import numpy as np

random = np.random.default_rng(0)
offsets = np.concatenate([[0], np.cumsum([150, 0, 3, 130])]).astype("i4")
x = random.integers(-3, 4, (283, 72)).astype("f2")
w = random.integers(-3, 4, (4, 72, 136)).astype("f2")
y = [x[offsets[e]:offsets[e + 1]].astype("f4") @ w[e].astype("f4") for e in range(4)]
for name, array in dict(x=x, w=w, offsets=offsets, y=np.concatenate(y).astype("f2")).items():
    np.save(name, array)
