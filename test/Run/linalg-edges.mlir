// Tiles that reach beyond the edges of matrices: loads are masked and filled with what changes nothing, stores are masked.
// REQUIRES: numpy
// RUN: split-file %s %t && cd %t && %python data.py
// RUN: cd %t && tile-run edges.mlir --schedule all --entry map --grid 2,2 --arg f32[60x52]=ea.npy --arg f32[60x52]=poison --expect 1=eb.npy
// RUN: cd %t && tile-run edges.mlir --schedule all --entry rows --grid 2 --arg f32[60x52]=ea.npy --arg f32[60]=es.npy --expect 1=eo.npy
// RUN: cd %t && tile-run edges.mlir --schedule all --entry product --grid 2,2 --arg f16[100x40]=pa.npy --arg f16[40x56]=pb.npy \
// RUN:   --arg f32[100x56]=pc.npy --expect 2=po.npy
// RUN: cd %t && tile-run edges.mlir --schedule all --chip sm_90a --entry product --grid 2,2 --arg f16[100x40]=pa.npy \
// RUN:   --arg f16[40x56]=pb.npy --arg f32[100x56]=pc.npy --expect 2=po.npy
// RUN: tile-opt %t/edges.mlir --convert-linalg-to-tile -o %t/tiles.mlir --remarks-filter-missed=tile-copy --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t/tiles.mlir

// Sums of parts of memory are loaded and stored by each step.
// REMARK: [Missed] stages-stored | {{.*}}Function=product

// CHECK-LABEL: gpu.func @map
// CHECK: tile.copy %{{.*}}[%{{.*}}, %{{.*}}] [32, 32] to %[[S:.*]] scope(cta) masked fill(%{{.*}} : f32)
// CHECK: tile.map %[[S]] to %[[D:.*]] scope(cta)
// CHECK: tile.copy %[[D]] to %{{.*}}[%{{.*}}, %{{.*}}] [32, 32] scope(cta) masked
// CHECK-LABEL: gpu.func @rows
// CHECK: %[[LEAST:.*]] = arith.constant 0xFF800000 : f32
// CHECK: tile.copy {{.*}} masked fill(%[[LEAST]] : f32)
// CHECK: tile.reduce max

//--- edges.mlir
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
!part = memref<?x?xf32, strided<[52, 1], offset: ?>>
!half = memref<?x?xf16, strided<[40, 1], offset: ?>>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @map(%A: memref<60x52xf32>, %B: memref<60x52xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %x = gpu.block_id x
    %y = gpu.block_id y
    %r = affine.apply affine_map<()[s] -> (s * 32)>()[%y]
    %c = affine.apply affine_map<()[s] -> (s * 32)>()[%x]
    %m = affine.min affine_map<()[s] -> (s * -32 + 60, 32)>()[%y]
    %n = affine.min affine_map<()[s] -> (s * -32 + 52, 32)>()[%x]
    %a = memref.subview %A[%r, %c] [%m, %n] [1, 1] : memref<60x52xf32> to !part
    %b = memref.subview %B[%r, %c] [%m, %n] [1, 1] : memref<60x52xf32> to !part
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : !part) outs(%b : !part) {
    ^bb0(%e: f32, %o: f32):
      %s = arith.addf %e, %e : f32
      linalg.yield %s : f32
    }
    gpu.return
  }
  gpu.func @rows(%A: memref<60x52xf32>, %S: memref<60xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c52 = arith.constant 52 : index
    %y = gpu.block_id x
    %r = affine.apply affine_map<()[s] -> (s * 32)>()[%y]
    %m = affine.min affine_map<()[s] -> (s * -32 + 60, 32)>()[%y]
    %t = memref.subview %S[%r] [%m] [1] : memref<60xf32> to memref<?xf32, strided<[1], offset: ?>>
    scf.for %c = %c0 to %c52 step %c32 {
      %n = affine.min affine_map<(d) -> (-d + 52, 32)>(%c)
      %a = memref.subview %A[%r, %c] [%m, %n] [1, 1] : memref<60x52xf32> to !part
      linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%a : !part) outs(%t : memref<?xf32, strided<[1], offset: ?>>) {
      ^bb0(%e: f32, %o: f32):
        %s = arith.maximumf %o, %e : f32
        linalg.yield %s : f32
      }
    }
    gpu.return
  }
  gpu.func @product(%A: memref<100x40xf16>, %B: memref<40x56xf16>, %C: memref<100x56xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c40 = arith.constant 40 : index
    %x = gpu.block_id x
    %y = gpu.block_id y
    %r = affine.apply affine_map<()[s] -> (s * 64)>()[%y]
    %c = affine.apply affine_map<()[s] -> (s * 32)>()[%x]
    %m = affine.min affine_map<()[s] -> (s * -64 + 100, 64)>()[%y]
    %n = affine.min affine_map<()[s] -> (s * -32 + 56, 32)>()[%x]
    %o = memref.subview %C[%r, %c] [%m, %n] [1, 1] : memref<100x56xf32> to memref<?x?xf32, strided<[56, 1], offset: ?>>
    scf.for %k = %c0 to %c40 step %c16 {
      %d = affine.min affine_map<(d) -> (-d + 40, 16)>(%k)
      %a = memref.subview %A[%r, %k] [%m, %d] [1, 1] : memref<100x40xf16> to memref<?x?xf16, strided<[40, 1], offset: ?>>
      %b = memref.subview %B[%k, %c] [%d, %n] [1, 1] : memref<40x56xf16> to memref<?x?xf16, strided<[56, 1], offset: ?>>
      linalg.matmul ins(%a, %b : memref<?x?xf16, strided<[40, 1], offset: ?>>, memref<?x?xf16, strided<[56, 1], offset: ?>>)
        outs(%o : memref<?x?xf32, strided<[56, 1], offset: ?>>)
    }
    gpu.return
  }
}
//--- data.py
import numpy as np
r=np.random.default_rng(2); s=np.save
a=r.integers(-9,9,(60,52)).astype('f4'); s('ea',a); s('eb',2*a); t=r.integers(-9,9,60).astype('f4'); s('es',t); s('eo',np.maximum(a.max(1),t))
a,b,c=r.integers(-3,4,(100,40)),r.integers(-3,4,(40,56)),r.integers(-3,4,(100,56)); s('pa',a.astype('f2'));s('pb',b.astype('f2'));s('pc',c.astype('f4'));s('po',(a@b+c).astype('f4'))
