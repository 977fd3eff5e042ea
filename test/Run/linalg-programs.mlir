// Whole programs as upstream decomposes them: attention of one tile, whose second product has rounded results of the first, and layer norm.
// REQUIRES: numpy
// RUN: split-file %s %t && cd %t && %python data.py
// RUN: cd %t && tile-run kernels.mlir --chip sm_75 --entry attention --schedule all --arg f16[64x64]=q.npy --arg f16[64x64]=k.npy \
// RUN:   --arg f16[64x64]=v.npy --arg f32[64x64]=poison --expect 3=o.npy --rtol 2e-2 --atol 2e-3
// RUN: cd %t && tile-run kernels.mlir --chip sm_80 --entry attention --schedule all --arg f16[64x64]=q.npy --arg f16[64x64]=k.npy \
// RUN:   --arg f16[64x64]=v.npy --arg f32[64x64]=poison --expect 3=o.npy --rtol 2e-2 --atol 2e-3
// RUN: cd %t && tile-run kernels.mlir --chip sm_90a --entry attention --schedule all --arg f16[64x64]=q.npy --arg f16[64x64]=k.npy \
// RUN:   --arg f16[64x64]=v.npy --arg f32[64x64]=poison --expect 3=o.npy --rtol 2e-2 --atol 2e-3
// RUN: cd %t && tile-run kernels.mlir --entry layer_norm --grid 5 --schedule all --arg f32[40x96]=lx.npy --arg f32[96]=lg.npy \
// RUN:   --arg f32[40x96]=poison --expect 2=ly.npy --rtol 1e-4 --atol 1e-5
// RUN: tile-opt %t/kernels.mlir --convert-linalg-to-tile=chip=sm_90a | FileCheck %s

// Sums are reduced in registers; rounded ones are a left factor in shared memory.
// CHECK-LABEL: gpu.func @attention
// CHECK: tile.mma {{.*}}xf32, local, auto>
// CHECK: tile.reduce max %[[S:.*]] to %{{.*}} dim(1) scope(cta) : !tile.buffer<64x64xf32, local, auto>
// CHECK: tile.reduce add %[[S]] to
// CHECK: tile.map %[[S]], %{{.*}} to %[[P:.*]] scope(cta) : {{.*}} to !tile.buffer<64x64xf16, shared, auto>
// CHECK: tile.mma %[[P]],
// CHECK-NOT: linalg.

// Rows are loaded once, and are in registers.
// CHECK-LABEL: gpu.func @layer_norm
// CHECK: tile.copy %{{.*}}[%{{.*}}, 0] [8, 96] to %[[X:.*]] scope(cta) {{.*}} to !tile.buffer<8x96xf32, local, auto>
// CHECK-NOT: [8, 96] to
// CHECK: tile.map %[[X]], %{{.*}}, %{{.*}}, %{{.*}} to %[[Y:[0-9]+]] scope(cta) {{.*}} to !tile.buffer<8x96xf32, local, auto>
// CHECK: tile.copy %[[Y]] to %{{.*}}[%{{.*}}, 0] [8, 96]
// CHECK-NOT: linalg.

//--- kernels.mlir
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#c = affine_map<(i, j) -> (j)>
gpu.module @kernels {
  gpu.func @attention(%Q: memref<64x64xf16>, %K: memref<64x64xf16>, %V: memref<64x64xf16>, %O: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %low = arith.constant 0xFF800000 : f32
    %s = memref.alloc() : memref<64x64xf32>
    %p = memref.alloc() : memref<64x64xf16>
    %m = memref.alloc() : memref<64xf32>
    %d = memref.alloc() : memref<64xf32>
    linalg.fill ins(%zero : f32) outs(%s : memref<64x64xf32>)
    linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%Q, %K : memref<64x64xf16>, memref<64x64xf16>) outs(%s : memref<64x64xf32>)
    linalg.fill ins(%low : f32) outs(%m : memref<64xf32>)
    linalg.reduce {arith.maximumf} ins(%s : memref<64x64xf32>) outs(%m : memref<64xf32>) dimensions = [1]
    linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%m : memref<64xf32>) outs(%s : memref<64x64xf32>) {
    ^bb0(%a: f32, %o: f32):
      %x = arith.subf %o, %a : f32
      %e = math.exp %x : f32
      linalg.yield %e : f32
    }
    linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
    linalg.reduce {arith.addf} ins(%s : memref<64x64xf32>) outs(%d : memref<64xf32>) dimensions = [1]
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%s, %d : memref<64x64xf32>, memref<64xf32>) outs(%p : memref<64x64xf16>) {
    ^bb0(%a: f32, %b: f32, %o: f16):
      %x = arith.divf %a, %b : f32
      %h = arith.truncf %x : f32 to f16
      linalg.yield %h : f16
    }
    linalg.fill ins(%zero : f32) outs(%O : memref<64x64xf32>)
    linalg.matmul ins(%p, %V : memref<64x64xf16>, memref<64x64xf16>) outs(%O : memref<64x64xf32>)
    gpu.return
  }
  gpu.func @layer_norm(%X: memref<40x96xf32>, %G: memref<96xf32>, %Y: memref<40x96xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %n = arith.constant 96.0 : f32
    %eps = arith.constant 1.0e-5 : f32
    %b = gpu.block_id x
    %r = affine.apply affine_map<()[s] -> (s * 8)>()[%b]
    %x = memref.subview %X[%r, 0] [8, 96] [1, 1] : memref<40x96xf32> to memref<8x96xf32, strided<[96, 1], offset: ?>>
    %y = memref.subview %Y[%r, 0] [8, 96] [1, 1] : memref<40x96xf32> to memref<8x96xf32, strided<[96, 1], offset: ?>>
    %m = memref.alloca() : memref<8xf32>
    %v = memref.alloca() : memref<8xf32>
    linalg.fill ins(%zero : f32) outs(%m : memref<8xf32>)
    linalg.fill ins(%zero : f32) outs(%v : memref<8xf32>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<8x96xf32, strided<[96, 1], offset: ?>>) outs(%m : memref<8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %q = arith.divf %a, %n : f32
      %s = arith.addf %o, %q : f32
      linalg.yield %s : f32
    }
    linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %m : memref<8x96xf32, strided<[96, 1], offset: ?>>, memref<8xf32>) outs(%v : memref<8xf32>) {
    ^bb0(%a: f32, %u: f32, %o: f32):
      %d = arith.subf %a, %u : f32
      %q = arith.mulf %d, %d : f32
      %w = arith.divf %q, %n : f32
      %s = arith.addf %o, %w : f32
      linalg.yield %s : f32
    }
    linalg.generic {indexing_maps = [#id, #row, #row, #c, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %m, %v, %G : memref<8x96xf32, strided<[96, 1], offset: ?>>, memref<8xf32>, memref<8xf32>, memref<96xf32>) outs(%y : memref<8x96xf32, strided<[96, 1], offset: ?>>) {
    ^bb0(%a: f32, %u: f32, %w: f32, %g: f32, %o: f32):
      %d = arith.subf %a, %u : f32
      %e = arith.addf %w, %eps : f32
      %q = math.rsqrt %e : f32
      %t = arith.mulf %d, %q : f32
      %z = arith.mulf %t, %g : f32
      linalg.yield %z : f32
    }
    gpu.return
  }
}
//--- data.py
import numpy as np
r=np.random.default_rng(3); s=np.save
q,k,v=[r.normal(size=(64,64)).astype('f2') for _ in range(3)]
S=q.astype('f4')@k.astype('f4').T; P=np.exp(S-S.max(1,keepdims=True)); P=(P/P.sum(1,keepdims=True)).astype('f2'); s('q',q);s('k',k);s('v',v);s('o',(P.astype('f4')@v.astype('f4')).astype('f4'))
x=r.normal(size=(40,96)).astype('f4'); g=r.normal(size=96).astype('f4'); s('lx',x);s('lg',g);s('ly',((x-x.mean(1,keepdims=True))/np.sqrt(x.var(1,keepdims=True)+1e-5)*g).astype('f4'))
