// Ops of linalg in kernels: each becomes a tile op, and has the numbers that numpy has, under every schedule of the threads.
// REQUIRES: numpy
// RUN: split-file %s %t && cd %t && %python data.py
// RUN: cd %t && tile-run ops.mlir --schedule all --entry fma --arg f32[32x24]=fa.npy --arg f32[24x48]=fb.npy --arg f32[32x48]=fc.npy --expect 2=fo.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry transposed --arg f16[64x32]=ta.npy --arg f16[48x32]=tb.npy --arg f32[64x48]=tc.npy --expect 2=to.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry transposed --chip sm_90a --arg f16[64x32]=ta.npy --arg f16[48x32]=tb.npy --arg f32[64x48]=tc.npy --expect 2=to.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry integers --arg i8[32x64]=ia.npy --arg i8[64x32]=ib.npy --arg i32[32x32]=ic.npy --expect 2=io.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry batch --arg f16[1x32x32]=ba.npy --arg f16[1x32x16]=bb.npy --arg f32[1x32x16]=bc.npy --expect 2=bo.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry vector --arg f32[24x40]=a.npy --arg f32[40]=x.npy --arg f32[24]=y.npy --expect 2=vo.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry coordinates --arg f32[24x40]=a.npy --arg f32[24x40]=poison --expect 1=co.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry turned --arg f32[24x40]=a.npy --arg f32[40x24]=poison --arg f32[40]=x.npy --expect 1=at.npy --expect 2=mo.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry broadcast --arg f32[40]=x.npy --arg f32[24x40]=poison --expect 1=br.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry norm --arg f32[24x40]=a.npy --expect 0=no.npy --rtol 1e-6
// RUN: cd %t && tile-run ops.mlir --schedule all --entry several --arg f32[24x40]=a.npy --arg f16[24x40]=poison --arg f32[40x24]=poison --expect 1=ah.npy --expect 2=ad.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --entry map --arg f32[24x40]=a.npy --arg f32[24x40]=a.npy --arg f32[24x40]=poison --expect 2=ax.npy --rtol 1e-5
// RUN: cd %t && tile-run ops.mlir --schedule all --entry fill --arg f32[24x40]=poison --arg f32=7 --expect 0=f7.npy

// The generic and the named op are one product, by the instruction of the chip; single multiplications are a remark.
// RUN: tile-translate %t/ops.mlir --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: tile-opt %t/ops.mlir --convert-linalg-to-tile -o %t/tiles.mlir --remarks-filter-missed=tile-copy --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t/tiles.mlir

// PTX-LABEL: .entry fma(
// PTX: fma.rn.f32
// PTX-LABEL: .entry transposed(
// PTX: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// PTX-LABEL: .entry integers(
// PTX: mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32

// REMARK: [Missed] product-without-instruction | {{.*}}Function=fma
// REMARK-NOT: remark

// CHECK-LABEL: gpu.func @coordinates
// CHECK: tile.map {{.*}}
// CHECK-NEXT: ^bb0(%{{.*}}: f32, %[[I:.*]]: index, %[[J:.*]]: index):
// CHECK-NEXT: arith.cmpi ugt, %[[J]], %[[I]] : index
// CHECK-LABEL: gpu.func @turned
// CHECK: tile.copy {{.*}} to %[[W:.*]] scope(cta) : {{.*}} to !tile.buffer<24x40xf32, shared, auto>
// CHECK: tile.permute %[[W]] [1, 0] : !tile.buffer<24x40xf32, shared, auto>
// CHECK: tile.reduce max %[[W]] to %{{.*}} dim(0) scope(cta)
// CHECK-NOT: linalg.
// CHECK-NOT: memref.copy

//--- ops.mlir
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
!wg = memref<24x40xf32, #gpu.address_space<workgroup>>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @fma(%A: memref<32x24xf32>, %B: memref<24x48xf32>, %C: memref<32x48xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.matmul ins(%A, %B : memref<32x24xf32>, memref<24x48xf32>) outs(%C : memref<32x48xf32>)
    gpu.return
  }
  gpu.func @transposed(%A: memref<64x32xf16>, %B: memref<48x32xf16>, %C: memref<64x48xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%A, %B : memref<64x32xf16>, memref<48x32xf16>) outs(%C : memref<64x48xf32>)
    gpu.return
  }
  gpu.func @integers(%A: memref<32x64xi8>, %B: memref<64x32xi8>, %C: memref<32x32xi32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.matmul ins(%A, %B : memref<32x64xi8>, memref<64x32xi8>) outs(%C : memref<32x32xi32>)
    gpu.return
  }
  gpu.func @batch(%A: memref<1x32x32xf16>, %B: memref<1x32x16xf16>, %C: memref<1x32x16xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    linalg.batch_matmul ins(%A, %B : memref<1x32x32xf16>, memref<1x32x16xf16>) outs(%C : memref<1x32x16xf32>)
    gpu.return
  }
  gpu.func @vector(%A: memref<24x40xf32>, %X: memref<40xf32>, %Y: memref<24xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.matvec ins(%A, %X : memref<24x40xf32>, memref<40xf32>) outs(%Y : memref<24xf32>)
    gpu.return
  }
  gpu.func @coordinates(%A: memref<24x40xf32>, %B: memref<24x40xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%A : memref<24x40xf32>) outs(%B : memref<24x40xf32>) {
    ^bb0(%a: f32, %b: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %above = arith.cmpi ugt, %j, %i : index
      %r = arith.select %above, %zero, %a : f32
      linalg.yield %r : f32
    }
    gpu.return
  }
  gpu.func @turned(%A: memref<24x40xf32>, %B: memref<40x24xf32>, %S: memref<40xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %w = memref.alloc() : !wg
    memref.copy %A, %w : memref<24x40xf32> to !wg
    linalg.transpose ins(%w : !wg) outs(%B : memref<40x24xf32>) permutation = [1, 0]
    linalg.reduce ins(%w : !wg) outs(%S : memref<40xf32>) dimensions = [0]
      (%a: f32, %s: f32) {
        %r = arith.maximumf %a, %s : f32
        linalg.yield %r : f32
      }
    memref.dealloc %w : !wg
    gpu.return
  }
  gpu.func @broadcast(%R: memref<40xf32>, %B: memref<24x40xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.broadcast ins(%R : memref<40xf32>) outs(%B : memref<24x40xf32>) dimensions = [0]
    gpu.return
  }
  gpu.func @norm(%A: memref<24x40xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %s = memref.alloc() : memref<24xf32>
    linalg.fill ins(%zero : f32) outs(%s : memref<24xf32>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%A : memref<24x40xf32>) outs(%s : memref<24xf32>) {
    ^bb0(%a: f32, %b: f32):
      %square = arith.mulf %a, %a : f32
      %r = arith.addf %b, %square : f32
      linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : memref<24xf32>) outs(%A : memref<24x40xf32>) {
    ^bb0(%n: f32, %a: f32):
      %r = arith.divf %a, %n : f32
      linalg.yield %r : f32
    }
    gpu.return
  }
  gpu.func @several(%A: memref<24x40xf32>, %B: memref<24x40xf16>, %C: memref<40x24xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.generic {indexing_maps = [#id, #id, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]}
      ins(%A : memref<24x40xf32>) outs(%B, %C : memref<24x40xf16>, memref<40x24xf32>) {
    ^bb0(%a: f32, %b: f16, %c: f32):
      %h = arith.truncf %a : f32 to f16
      %d = arith.addf %a, %a : f32
      linalg.yield %h, %d : f16, f32
    }
    gpu.return
  }
  gpu.func @map(%A: memref<24x40xf32>, %B: memref<24x40xf32>, %C: memref<24x40xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.map {arith.mulf} ins(%A, %B : memref<24x40xf32>, memref<24x40xf32>) outs(%C : memref<24x40xf32>)
    linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%C : memref<24x40xf32>) outs(%C : memref<24x40xf32>)
    gpu.return
  }
  gpu.func @fill(%A: memref<24x40xf32>, %x: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.fill ins(%x : f32) outs(%A : memref<24x40xf32>)
    gpu.return
  }
}
//--- data.py
import numpy as np
r=np.random.default_rng(1); s=np.save
def i(*n): return r.integers(-3,4,n)
a,b,c=i(32,24),i(24,48),i(32,48); s('fa',a.astype('f4'));s('fb',b.astype('f4'));s('fc',c.astype('f4'));s('fo',(a@b+c).astype('f4'))
a,b,c=i(64,32),i(48,32),i(64,48); s('ta',a.astype('f2'));s('tb',b.astype('f2'));s('tc',c.astype('f4'));s('to',(a@b.T+c).astype('f4'))
a,b,c=i(32,64),i(64,32),i(32,32); s('ia',a.astype('i1'));s('ib',b.astype('i1'));s('ic',c.astype('i4'));s('io',(a@b+c).astype('i4'))
a,b,c=i(1,32,32),i(1,32,16),i(1,32,16); s('ba',a.astype('f2'));s('bb',b.astype('f2'));s('bc',c.astype('f4'));s('bo',(a@b+c).astype('f4'))
a=i(24,40).astype('f4'); x=i(40).astype('f4'); y=i(24).astype('f4'); s('a',a);s('x',x);s('y',y);s('vo',a@x+y)
s('co',np.tril(a)); s('at',np.ascontiguousarray(a.T)); s('mo',np.maximum(a.max(0),x)); s('br',np.tile(x,(24,1)))
s('no',(a/(a*a).sum(1,keepdims=True)).astype('f4')); s('ah',a.astype('f2')); s('ad',np.ascontiguousarray(2*a.T)); s('ax',np.exp(a*a).astype('f4')); s('f7',np.full((24,40),7,'f4'))
