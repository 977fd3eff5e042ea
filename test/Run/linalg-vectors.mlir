// Contractions and reductions of vectors that a block has together, with the transfers, arithmetic and loops around them.
// REQUIRES: numpy
// RUN: split-file %s %t && cd %t && %python data.py
// RUN: tile-opt %t/ops.mlir --convert-linalg-to-tile -o %t/tiles.mlir --remarks-filter-missed=tile-copy --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t/tiles.mlir
// RUN: tile-opt %t/ops.mlir --convert-linalg-to-tile=chip=sm_90a -o %t/hopper.mlir
// RUN: cd %t && tile-run tiles.mlir --schedule all --entry contract --arg f16[64x96]=a.npy --arg f16[96x32]=b.npy --arg f32[64x32]=c.npy --arg f32[32]=d.npy --expect 2=o.npy
// RUN: cd %t && tile-run hopper.mlir --schedule all --entry contract --arg f16[64x96]=a.npy --arg f16[96x32]=b.npy --arg f32[64x32]=c.npy --arg f32[32]=d.npy --expect 2=o.npy
// RUN: cd %t && tile-run tiles.mlir --schedule all --entry softmax --grid 3 --arg f32[24x80]=x.npy --arg f32[24x80]=poison --expect 1=y.npy --rtol 1e-5 --atol 1e-7
// RUN: cd %t && tile-run tiles.mlir --schedule all --entry edge --arg f32[20x30]=e.npy --arg f32[20]=poison --expect 1=f.npy
// RUN: cd %t && tile-run tiles.mlir --schedule all --entry turned --arg f32[32x16]=t.npy --arg f32[16]=u.npy --arg f32[16x32]=poison --expect 2=v.npy

// What each thread has for itself stays, and so does what a vector goes to that is not followed.
// REMARK: [Missed] stays-differs | {{.*}}Function=own | {{.*}}vector.multi_reduction stays as it is
// REMARK: [Missed] stays-vector-op | {{.*}}Function=cast | Reason="vector.shape_cast has one of its vectors, {{.*}}

// The sums of a loop are registers, and its factors a ring.
// CHECK-LABEL: gpu.func @contract
// CHECK: %[[SUMS:.*]] = tile.alloc : !tile.buffer<64x32xf32, local, auto>
// CHECK: scf.for
// CHECK: tile.copy_async
// CHECK: tile.mma %{{.*}}, %{{.*}}, %[[SUMS]]
// CHECK: } {tile.stages = 3 : i64}
// CHECK-NOT: vector.contract
// CHECK-LABEL: gpu.func @softmax
// CHECK: tile.reduce max
// CHECK: tile.reduce add
// CHECK-LABEL: gpu.func @own
// CHECK: vector.multi_reduction

//--- ops.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @contract(%A: memref<64x96xf16>, %B: memref<96x32xf16>, %C: memref<64x32xf32>, %D: memref<32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c96 = arith.constant 96 : index
    %h = arith.constant 0.0 : f16
    %z = arith.constant 0.0 : f32
    %two = arith.constant dense<2.0> : vector<64x32xf32>
    %init = vector.transfer_read %C[%c0, %c0], %z {in_bounds = [true, true]} : memref<64x32xf32>, vector<64x32xf32>
    %sums = scf.for %k = %c0 to %c96 step %c32 iter_args(%acc = %init) -> (vector<64x32xf32>) {
      %a = vector.transfer_read %A[%c0, %k], %h {in_bounds = [true, true]} : memref<64x96xf16>, vector<64x32xf16>
      %b = vector.transfer_read %B[%k, %c0], %h {in_bounds = [true, true]} : memref<96x32xf16>, vector<32x32xf16>
      %x = arith.extf %a : vector<64x32xf16> to vector<64x32xf32>
      %y = arith.extf %b : vector<32x32xf16> to vector<32x32xf32>
      %next = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                               iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
        %x, %y, %acc : vector<64x32xf32>, vector<32x32xf32> into vector<64x32xf32>
      scf.yield %next : vector<64x32xf32>
    }
    %row = vector.transfer_read %D[%c0], %z {in_bounds = [true]} : memref<32xf32>, vector<32xf32>
    %bias = vector.broadcast %row : vector<32xf32> to vector<64x32xf32>
    %twice = arith.mulf %sums, %two : vector<64x32xf32>
    %all = arith.addf %twice, %bias : vector<64x32xf32>
    vector.transfer_write %all, %C[%c0, %c0] {in_bounds = [true, true]} : vector<64x32xf32>, memref<64x32xf32>
    gpu.return
  }
  gpu.func @softmax(%X: memref<24x80xf32>, %Y: memref<24x80xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %least = arith.constant dense<0xFF800000> : vector<8xf32>
    %block = gpu.block_id x
    %r = affine.apply affine_map<()[s] -> (s * 8)>()[%block]
    %x = vector.transfer_read %X[%r, %c0], %z {in_bounds = [true, true]} : memref<24x80xf32>, vector<8x80xf32>
    %most = vector.multi_reduction <maximumf>, %x, %least [1] : vector<8x80xf32> to vector<8xf32>
    %wide = vector.broadcast %most : vector<8xf32> to vector<80x8xf32>
    %rows = vector.transpose %wide, [1, 0] : vector<80x8xf32> to vector<8x80xf32>
    %d = arith.subf %x, %rows : vector<8x80xf32>
    %e = math.exp %d : vector<8x80xf32>
    %s = vector.multi_reduction <add>, %e, %zero [1] : vector<8x80xf32> to vector<8xf32>
    %ws = vector.broadcast %s : vector<8xf32> to vector<80x8xf32>
    %rs = vector.transpose %ws, [1, 0] : vector<80x8xf32> to vector<8x80xf32>
    %q = arith.divf %e, %rs : vector<8x80xf32>
    vector.transfer_write %q, %Y[%r, %c0] {in_bounds = [true, true]} : vector<8x80xf32>, memref<24x80xf32>
    gpu.return
  }
  gpu.func @edge(%E: memref<20x30xf32>, %F: memref<20xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c20 = arith.constant 20 : index
    %z = arith.constant 0.0 : f32
    %zero = arith.constant dense<0.0> : vector<8xf32>
    scf.for %r = %c0 to %c20 step %c8 {
      %x = vector.transfer_read %E[%r, %c0], %z {in_bounds = [false, true]} : memref<20x30xf32>, vector<8x30xf32>
      %s = vector.multi_reduction <add>, %x, %zero [1] : vector<8x30xf32> to vector<8xf32>
      vector.transfer_write %s, %F[%r] {in_bounds = [false]} : vector<8xf32>, memref<20xf32>
    }
    gpu.return
  }
  gpu.func @turned(%T: memref<32x16xf32>, %U: memref<16xf32>, %V: memref<16x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %t = vector.transfer_read %T[%c0, %c0], %z {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>} : memref<32x16xf32>, vector<16x32xf32>
    %u = vector.transfer_read %U[%c0], %z {in_bounds = [true]} : memref<16xf32>, vector<16xf32>
    %s = vector.multi_reduction <add>, %t, %u [1] : vector<16x32xf32> to vector<16xf32>
    %w = vector.broadcast %s : vector<16xf32> to vector<32x16xf32>
    %p = arith.constant dense<1.0> : vector<32x16xf32>
    %m = arith.minimumf %w, %p : vector<32x16xf32>
    vector.transfer_write %m, %V[%c0, %c0] {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>} : vector<32x16xf32>, memref<16x32xf32>
    gpu.return
  }
  gpu.func @own(%A: memref<64x16xf32>, %S: memref<64x4xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %t = gpu.thread_id x
    %a = vector.transfer_read %A[%t, %c0], %z {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (0, j)>} : memref<64x16xf32>, vector<4x16xf32>
    %s = vector.multi_reduction <add>, %a, %zero [1] : vector<4x16xf32> to vector<4xf32>
    vector.transfer_write %s, %S[%t, %c0] {in_bounds = [true]} : vector<4xf32>, memref<64x4xf32>
    gpu.return
  }
  gpu.func @cast(%A: memref<64x16xf32>, %S: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %z = arith.constant 0.0 : f32
    %zero = arith.constant dense<0.0> : vector<64xf32>
    %a = vector.transfer_read %A[%c0, %c0], %z {in_bounds = [true, true]} : memref<64x16xf32>, vector<64x16xf32>
    %s = vector.multi_reduction <add>, %a, %zero [1] : vector<64x16xf32> to vector<64xf32>
    %r = vector.shape_cast %s : vector<64xf32> to vector<8x8xf32>
    %t = vector.shape_cast %r : vector<8x8xf32> to vector<64xf32>
    vector.transfer_write %t, %S[%c0] {in_bounds = [true]} : vector<64xf32>, memref<64xf32>
    gpu.return
  }
}
//--- data.py
import numpy as np
r=np.random.default_rng(6); s=np.save
def i(*n): return r.integers(-3,4,n)
a,b,c,d=i(64,96),i(96,32),i(64,32),i(32); s('a',a.astype('f2')); s('b',b.astype('f2')); s('c',c.astype('f4')); s('d',d.astype('f4')); s('o',(2*(a@b+c)+d).astype('f4'))
x=r.normal(size=(24,80)); e=np.exp(x-x.max(1,keepdims=True)); s('x',x.astype('f4')); s('y',(e/e.sum(1,keepdims=True)).astype('f4'))
e=i(20,30); s('e',e.astype('f4')); s('f',e.sum(1).astype('f4'))
t,u=i(32,16),i(16); s('t',t.astype('f4')); s('u',u.astype('f4')); s('v',np.repeat(np.minimum(t.sum(0)+u,1)[:,None],32,1).astype('f4'))
