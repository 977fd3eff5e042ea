// Ops of linalg that tiles do not hold: loops around parts, with the numbers that numpy has, under every schedule of the threads.
// REQUIRES: numpy
// RUN: split-file %s %t && cd %t && %python data.py
// RUN: cd %t && tile-run ops.mlir --schedule all --entry batch --arg f16[3x40x72]=ba.npy --arg f16[3x72x24]=bb.npy --arg f32[3x40x24]=bc.npy --expect 2=bo.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --chip sm_90a --entry batch --arg f16[3x40x72]=ba.npy --arg f16[3x72x24]=bb.npy --arg f32[3x40x24]=bc.npy --expect 2=bo.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry odd --arg f16[37x150]=oa.npy --arg f16[150x45]=ob.npy --arg f32[37x45]=oc.npy --expect 2=oo.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --chip sm_90a --entry odd --arg f16[37x150]=oa.npy --arg f16[150x45]=ob.npy --arg f32[37x45]=oc.npy --expect 2=oo.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry open --arg f16[37x150]=oa.npy --arg f16[150x45]=ob.npy --arg f32[37x45]=oc.npy --expect 2=oo.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --chip sm_90a --entry open --arg f16[37x150]=oa.npy --arg f16[150x45]=ob.npy --arg f32[37x45]=oc.npy --expect 2=oo.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry blocked --arg f16[2x3x16x32]=ka.npy --arg f16[2x3x32x16]=kb.npy --arg f32[2x2x16x16]=kc.npy --expect 2=ko.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry convolution --arg f16[1x12x14x16]=ca.npy --arg f16[3x3x16x24]=cb.npy --arg f32[1x10x12x24]=cc.npy --expect 2=co.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --chip sm_90a --entry convolution --arg f16[1x12x14x16]=ca.npy --arg f16[3x3x16x24]=cb.npy --arg f32[1x10x12x24]=cc.npy --expect 2=co.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry strided --arg f32[1x9x11x8]=sa.npy --arg f32[3x3x8x16]=sb.npy --arg f32[1x4x5x16]=sc.npy --expect 2=so.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry pooling --arg f32[1x8x9x16]=pa.npy --arg f32[2x3]=poison --arg f32[1x7x7x16]=pc.npy --expect 2=po.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry both --arg f32[6x10x20]=ra.npy --arg f32[6]=rb.npy --expect 1=ro.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry large --arg f32[70x1000]=la.npy --arg f32[1000x70]=poison --arg f32[70]=lb.npy --expect 1=lt.npy --expect 2=ls.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry interleaved --arg f16[32x16x4]=va.npy --arg f16[32x4x16]=vb.npy --arg f32[16x16]=vc.npy --expect 2=vo.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --chip sm_90a --entry interleaved --arg f16[32x16x4]=va.npy --arg f16[32x4x16]=vb.npy --arg f32[16x16]=vc.npy --expect 2=vo.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry view --arg f32[1x2x7x1024]=wa.npy --arg f32[1024x96]=wb.npy --arg f32[7x96]=wc.npy --expect 2=wo.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry bytes --arg i8[16x32]=ia.npy --arg i8[32x16]=ib.npy --arg i8[16x16]=ic.npy --expect 2=io.npy

// Sums stay in registers along the depths, which become a ring; the remark says that it was split.
// RUN: tile-opt %t/ops.mlir --convert-linalg-to-tile=chip=sm_90a -o %t/tiles.mlir --remarks-filter-missed=tile-copy --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t/tiles.mlir
// REMARK: [Missed] split-in-parts | {{.*}}Function=batch | {{.*}}Parts([1,
// CHECK-LABEL: gpu.func @odd
// CHECK: tile.copy {{.*}} to %[[SUMS:.*]] scope(cta) masked {{.*}} to !tile.buffer<48x64xf32, local, auto>
// CHECK: tile.mma %{{.*}}, %{{.*}}, %[[SUMS]] scope(cta) group
// CHECK-LABEL: gpu.func @open
// CHECK: tile.copy {{.*}} to %[[SUMS:.*]] scope(cta) masked {{.*}} to !tile.buffer<128x128xf32, local, auto>
// CHECK: scf.for
// CHECK: tile.mma %{{.*}}, %{{.*}}, %[[SUMS]] scope(cta) group
// CHECK: } {tile.stages = 3 : i64}
// CHECK-NOT: linalg.
// CHECK-NOT: memref.copy

//--- ops.mlir
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @batch(%A: memref<3x40x72xf16>, %B: memref<3x72x24xf16>, %C: memref<3x40x24xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    linalg.batch_matmul ins(%A, %B : memref<3x40x72xf16>, memref<3x72x24xf16>) outs(%C : memref<3x40x24xf32>)
    gpu.return
  }
  gpu.func @odd(%A: memref<37x150xf16>, %B: memref<150x45xf16>, %C: memref<37x45xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    linalg.matmul ins(%A, %B : memref<37x150xf16>, memref<150x45xf16>) outs(%C : memref<37x45xf32>)
    gpu.return
  }
  gpu.func @open(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %C: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    linalg.matmul ins(%A, %B : memref<?x?xf16>, memref<?x?xf16>) outs(%C : memref<?x?xf32>)
    gpu.return
  }
  gpu.func @blocked(%A: memref<2x3x16x32xf16>, %B: memref<2x3x32x16xf16>, %C: memref<2x2x16x16xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.generic {indexing_maps = [affine_map<(a, b, c, i, j, k) -> (a, c, i, k)>, affine_map<(a, b, c, i, j, k) -> (b, c, k, j)>,
                                     affine_map<(a, b, c, i, j, k) -> (a, b, i, j)>],
                    iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<2x3x16x32xf16>, memref<2x3x32x16xf16>) outs(%C : memref<2x2x16x16xf32>) {
    ^bb0(%a: f16, %b: f16, %c: f32):
      %x = arith.extf %a : f16 to f32
      %y = arith.extf %b : f16 to f32
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
    }
    gpu.return
  }
  gpu.func @convolution(%A: memref<1x12x14x16xf16>, %B: memref<3x3x16x24xf16>, %C: memref<1x10x12x24xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    linalg.conv_2d_nhwc_hwcf ins(%A, %B : memref<1x12x14x16xf16>, memref<3x3x16x24xf16>) outs(%C : memref<1x10x12x24xf32>)
    gpu.return
  }
  gpu.func @strided(%A: memref<1x9x11x8xf32>, %B: memref<3x3x8x16xf32>, %C: memref<1x4x5x16xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>}
      ins(%A, %B : memref<1x9x11x8xf32>, memref<3x3x8x16xf32>) outs(%C : memref<1x4x5x16xf32>)
    gpu.return
  }
  gpu.func @pooling(%A: memref<1x8x9x16xf32>, %W: memref<2x3xf32>, %C: memref<1x7x7x16xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.pooling_nhwc_max ins(%A, %W : memref<1x8x9x16xf32>, memref<2x3xf32>) outs(%C : memref<1x7x7x16xf32>)
    gpu.return
  }
  // No asynchronous copy moves single elements of 16 bits: the loop has stages only where one does.
  gpu.func @interleaved(%A: memref<32x16x4xf16>, %B: memref<32x4x16xf16>, %C: memref<16x16xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    linalg.generic {indexing_maps = [affine_map<(m, n, k, l) -> (k, m, l)>, affine_map<(m, n, k, l) -> (k, l, n)>, affine_map<(m, n, k, l) -> (m, n)>],
                    iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%A, %B : memref<32x16x4xf16>, memref<32x4x16xf16>) outs(%C : memref<16x16xf32>) {
    ^bb0(%a: f16, %b: f16, %o: f32):
      %l = arith.extf %a : f16 to f32
      %r = arith.extf %b : f16 to f32
      %p = arith.mulf %l, %r : f32
      %s = arith.addf %o, %p : f32
      linalg.yield %s : f32
    }
    gpu.return
  }
  // A view of the program's lacks dimensions.
  gpu.func @view(%A: memref<1x2x7x1024xf32>, %B: memref<1024x96xf32>, %C: memref<7x96xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = memref.subview %A[0, 1, 0, 0] [1, 1, 7, 1024] [1, 1, 1, 1] : memref<1x2x7x1024xf32> to memref<7x1024xf32, strided<[1024, 1], offset: 7168>>
    linalg.matmul ins(%a, %B : memref<7x1024xf32, strided<[1024, 1], offset: 7168>>, memref<1024x96xf32>) outs(%C : memref<7x96xf32>)
    gpu.return
  }
  gpu.func @both(%A: memref<6x10x20xf32>, %S: memref<6xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.reduce ins(%A : memref<6x10x20xf32>) outs(%S : memref<6xf32>) dimensions = [1, 2]
      (%a: f32, %s: f32) {
        %r = arith.maximumf %a, %s : f32
        linalg.yield %r : f32
      }
    gpu.return
  }
  gpu.func @large(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %S: memref<?xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    linalg.transpose ins(%A : memref<?x?xf32>) outs(%B : memref<?x?xf32>) permutation = [1, 0]
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%A : memref<?x?xf32>) outs(%S : memref<?xf32>) {
    ^bb0(%a: f32, %o: f32):
      %s = arith.addf %o, %a : f32
      linalg.yield %s : f32
    }
    gpu.return
  }
  gpu.func @bytes(%A: memref<16x32xi8>, %B: memref<32x16xi8>, %C: memref<16x16xi8>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.matmul ins(%A, %B : memref<16x32xi8>, memref<32x16xi8>) outs(%C : memref<16x16xi8>)
    gpu.return
  }
}
//--- data.py
import numpy as np
r=np.random.default_rng(5); s=np.save
def i(*n): return r.integers(-3,4,n)
def product(name,a,b,c,o,t='f2'): s(name+'a',a.astype(t));s(name+'b',b.astype(t));s(name+'c',c.astype('f4'));s(name+'o',o.astype('f4'))
a,b,c=i(3,40,72),i(3,72,24),i(3,40,24); product('b',a,b,c,a@b+c)
a,b,c=i(37,150),i(150,45),i(37,45); product('o',a,b,c,a@b+c)
a,b,c=i(2,3,16,32),i(2,3,32,16),i(2,2,16,16); product('k',a,b,c,np.einsum('acik,bckj->abij',a,b)+c)
def conv(a,b,c,step):
    o=c.copy()
    for y in range(c.shape[1]):
        for x in range(c.shape[2]): o[:,y,x]+=np.einsum('nhwc,hwcf->nf',a[:,y*step:y*step+3,x*step:x*step+3],b)
    return o
a,b,c=i(1,12,14,16),i(3,3,16,24),i(1,10,12,24); product('c',a,b,c,conv(a,b,c,1))
a,b,c=i(1,9,11,8),i(3,3,8,16),i(1,4,5,16); product('s',a,b,c,conv(a,b,c,2),'f4')
a,c=i(1,8,9,16),i(1,7,7,16); s('pa',a.astype('f4')); s('pc',c.astype('f4'))
s('po',np.maximum(c,np.max([a[:,y:y+7,x:x+7] for y in range(2) for x in range(3)],0)).astype('f4'))
a,b=i(6,10,20),i(6); s('ra',a.astype('f4')); s('rb',b.astype('f4')); s('ro',np.maximum(a.max((1,2)),b).astype('f4'))
a,b=i(70,1000),i(70); s('la',a.astype('f4')); s('lb',b.astype('f4')); s('lt',np.ascontiguousarray(a.T).astype('f4')); s('ls',(a.sum(1)+b).astype('f4'))
a,b,c=i(16,32),i(32,16),i(16,16); s('ia',a.astype('i1')); s('ib',b.astype('i1')); s('ic',c.astype('i1')); s('io',(a@b+c).astype('i1'))
a,b,c=i(32,16,4),i(32,4,16),i(16,16); product('v',a,b,c,np.einsum('kml,kln->mn',a,b)+c)
a,b,c=i(1,2,7,1024),i(1024,96),i(7,96); product('w',a,b,c,a[0,1]@b+c,'f4')
