// Cross entropy in few lines, forward and backward: loss = lse(x) - x[target], dx = (softmax(x) - onehot(target)) * scale, a block a row.
// REQUIRES: numpy
// RUN: split-file %s %t && cd %t && %python data.py
// RUN: tile-run kernel.mlir --grid 2 --schedule all --arg bf16[2x4099]=x.npy --arg i32[2]=t.npy --arg f32=0.5 --arg f32[2]=poison \
// RUN:   --arg bf16[2x4099]=poison --expect 3=loss.npy,rtol=1e-5,atol=1e-5 --expect 4=d.npy,rtol=8e-3,atol=1e-9 | FileCheck %s
// Rows of an odd length are exchanged through shared memory.
// CHECK: ld.shared.v4.b32 {{.*}} 0{{$}}
// CHECK: st.global.v4.b32

//--- kernel.mlir
!rows = !tile.buffer<?x?xbf16, global>
!x = !tile.buffer<1x4096xf32, local, #tile.layout<(1, 512, 8) : (1, 1@tx, 1)>>
!raw = !tile.buffer<1x4096xbf16, local, #tile.layout<(1, 512, 8) : (1, 1@tx, 1)>>
!e = !tile.buffer<1x512x8xf32, local, #tile.layout<(1, 512, 8) : (1, 1@tx, 1)>>
!own = !tile.buffer<1x512x1xf32, local, #tile.layout<(1, 512, 1) : (1, 1@tx, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @xent(%X: memref<?x?xbf16>, %T: memref<?xi32>, %scale: f32, %Loss: memref<?xf32>, %DX: memref<?x?xbf16>) kernel
      attributes {known_block_size = array<i32: 512, 1, 1>} {
    %x = tile.view %X : memref<?x?xbf16>
    %dx = tile.view %DX : memref<?x?xbf16>
    %losses = tile.view %Loss : memref<?xf32>
    %m, %n = tile.extents %x : !rows
    %row = gpu.block_id x
    %t32 = memref.load %T[%row] : memref<?xi32>
    %target = arith.index_castui %t32 : i32 to index
    %v, %raw, %new, %max, %sum = tile.allocs : !x, !raw, !own, !own, !own
    %e = tile.reshape %v : !x to !e
    tile.fill -1.0e30 to %max scope(cta) : !own
    tile.fill 0.0 to %sum scope(cta) : !own
    affine.for %i = 0 to %n step 4096 {
      tile.copy %x[%row, %i] to %raw scope(cta) masked fill(-inf) : !rows to !raw
      tile.copy %raw to %v scope(cta) : !raw to !x
      tile.reduce max %e to %new dim(2) scope(cta) : !e to !own
      tile.map { arith.maximumf } %new, %max to %new scope(cta) : !own, !own to !own
      tile.map { arith.subf } %max, %new to %max scope(cta) : !own, !own to !own
      tile.map { math.exp {fastmath = #arith.fastmath<afn>} } %max to %max scope(cta) : !own to !own
      tile.map { arith.mulf } %sum, %max to %sum scope(cta) : !own, !own to !own
      tile.copy %new to %max scope(cta) : !own to !own
      tile.map { arith.subf } %e, %max to %e scope(cta) : !e, !own to !e
      tile.map { math.exp {fastmath = #arith.fastmath<afn>} } %e to %e scope(cta) : !e to !e
      tile.reduce add %e to %new dim(2) scope(cta) : !e to !own
      tile.map { arith.addf } %sum, %new to %sum scope(cta) : !own, !own to !own
    }
    %most = tile.total max %max scope(cta) : !own to f32
    tile.fill %most to %new scope(cta) : f32 to !own
    tile.map { arith.subf } %max, %new to %max scope(cta) : !own, !own to !own
    tile.map { math.exp {fastmath = #arith.fastmath<afn>} } %max to %max scope(cta) : !own to !own
    tile.map { arith.mulf } %sum, %max to %sum scope(cta) : !own, !own to !own
    %all = tile.total add %sum scope(cta) : !own to f32
    %log = math.log %all fastmath<afn> : f32
    %lse = arith.addf %log, %most : f32
    %xt = memref.load %X[%row, %target] : memref<?x?xbf16>
    %xf = arith.extf %xt : bf16 to f32
    %loss = arith.subf %lse, %xf : f32
    tile.fill %loss to %losses[%row] [1] scope(cta) : f32 to !tile.buffer<?xf32, global>
    affine.for %i = 0 to %n step 4096 {
      tile.copy %x[%row, %i] to %raw scope(cta) masked fill(-inf) : !rows to !raw
      tile.copy %raw to %v scope(cta) : !raw to !x
      tile.map %v to %v scope(cta) : !x to !x {
      ^bb0(%a: f32, %r: index, %j: index):
        %below = arith.subf %a, %lse : f32
        %p = math.exp %below fastmath<afn> : f32
        %column = arith.addi %i, %j : index
        %is = arith.cmpi eq, %column, %target : index
        %hot = arith.uitofp %is : i1 to f32
        %d = arith.subf %p, %hot : f32
        %s = arith.mulf %d, %scale : f32
        tile.yield %s : f32
      }
      tile.copy %v to %raw scope(cta) : !x to !raw
      tile.copy %raw to %dx[%row, %i] scope(cta) masked : !raw to !rows
    }
    gpu.return
  }
}

//--- data.py
import numpy as np

random = np.random.default_rng(0)
bits = (2 * random.standard_normal((2, 4099))).astype("f4").view("u4") >> 16
x = (bits << 16).view("f4").astype("f8")
targets = random.integers(0, 4099, 2).astype("i4")
most = x.max(1, keepdims=True)
lse = np.log(np.exp(x - most).sum(1, keepdims=True)) + most
d = np.exp(x - lse)
d[np.arange(2), targets] -= 1
loss = lse[:, 0] - x[np.arange(2), targets]
for name, array in dict(x=bits.astype("u2"), t=targets, loss=loss, d=0.5 * d).items():
    np.save(name, array)
