// The result of a product that is filled before, and changed after it, is in registers between: nothing of it is loaded. numpy's numbers, under
// every schedule of the threads.
// REQUIRES: numpy
// RUN: split-file %s %t && cd %t && %python data.py
// RUN: cd %t && tile-run ops.mlir --schedule all --chip sm_80 --entry filled --arg f16[64x160]=a.npy --arg f16[160x64]=b.npy --arg f32[64x64]=poison --expect 2=c.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --chip sm_90a --entry filled --arg f16[64x160]=a.npy --arg f16[160x64]=b.npy --arg f32[64x64]=poison --expect 2=c.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --chip sm_90a --entry deep --arg f16[64x1600]=ka.npy --arg f16[1600x64]=kb.npy --arg f32[64x64]=poison --expect 2=kc.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --chip sm_80 --entry biased --arg f16[64x160]=a.npy --arg f16[160x64]=b.npy --arg f32[64]=v.npy --arg f32[64x64]=poison --expect 3=d.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --chip sm_90a --entry biased --arg f16[64x160]=a.npy --arg f16[160x64]=b.npy --arg f32[64]=v.npy --arg f32[64x64]=poison --expect 3=d.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --chip sm_90a --entry twice --arg f16[64x160]=a.npy --arg f16[160x64]=b.npy --arg f32[64x64]=poison --expect 2=e.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --chip sm_80 --entry odd --arg f16[37x150]=oa.npy --arg f16[150x45]=ob.npy --arg f32[37x45]=poison --expect 2=oc.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --chip sm_90a --entry odd --arg f16[37x150]=oa.npy --arg f16[150x45]=ob.npy --arg f32[37x45]=poison --expect 2=oc.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --chip sm_90a --entry ones --arg f16[37x150]=oa.npy --arg f16[150x45]=ob.npy --arg f32[37x45]=poison --expect 2=od.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --chip sm_90a --entry open --arg f16[37x150]=oa.npy --arg f16[150x45]=ob.npy --arg f32[37x45]=poison --expect 2=oc.npy
// RUN: cd %t && tile-run ops.mlir --schedule all --chip sm_80 --entry many --arg f32[150x48]=fa.npy --arg f32[150x16]=fb.npy --arg f32[48x16]=poison --expect 2=fc.npy
// RUN: tile-opt %t/ops.mlir --convert-linalg-to-tile=chip=sm_90a -o - | FileCheck %s

// CHECK-LABEL: gpu.func @filled
// CHECK: tile.fill {{.*}} to %[[SUMS:.*]] scope(cta) {{.*}} !tile.buffer<64x64xf32, local, auto>
// CHECK-NOT: to %[[SUMS]]
// CHECK: tile.mma %{{.*}}, %{{.*}}, %[[SUMS]] scope(cta) group
// CHECK: tile.copy %[[SUMS]] to
// CHECK-LABEL: gpu.func @deep
// CHECK: tile.fill {{.*}} to %[[SUMS:.*]] scope(cta) {{.*}} !tile.buffer<64x64xf32, local, auto>
// CHECK: scf.for
// CHECK: tile.mma %{{.*}}, %{{.*}}, %[[SUMS]] scope(cta) group
// CHECK: tile.stages
// CHECK: tile.copy %[[SUMS]] to
// CHECK-LABEL: gpu.func @biased
// CHECK: tile.mma %{{.*}}, %{{.*}}, %[[SUMS:.*]] scope(cta) group
// CHECK: tile.map {{.*}}%[[SUMS]]{{.*}} to %[[SUMS]] scope(cta)
// CHECK: tile.copy %[[SUMS]] to
// CHECK-LABEL: gpu.func @twice
// CHECK: tile.fill {{.*}} to %[[SUMS:.*]] scope(cta) {{.*}} local, auto>
// CHECK: tile.mma %{{.*}}, %{{.*}}, %[[SUMS]] scope(cta) group
// CHECK: tile.mma %{{.*}}, %{{.*}}, %[[SUMS]] scope(cta) group
// CHECK: tile.copy %[[SUMS]] to
// CHECK-LABEL: gpu.func @odd
// CHECK: tile.fill {{.*}} to %[[SUMS:.*]] scope(cta) {{.*}} local, auto>
// CHECK: tile.mma %{{.*}}, %{{.*}}, %[[SUMS]] scope(cta) group
// Beyond the result the sums would be 1.
// CHECK-LABEL: gpu.func @ones
// CHECK: tile.copy %{{.*}} to %[[SUMS:.*]] scope(cta) masked fill({{.*}} local, auto>
// CHECK: tile.mma %{{.*}}, %{{.*}}, %[[SUMS]] scope(cta) group
// CHECK-LABEL: gpu.func @open
// CHECK: tile.fill {{.*}} to %[[SUMS:.*]] scope(cta) {{.*}} local, auto>
// CHECK: scf.for
// CHECK: tile.mma %{{.*}}, %{{.*}}, %[[SUMS]] scope(cta) group

//--- ops.mlir
#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
!a = memref<64x160xf16>
!b = memref<160x64xf16>
!c = memref<64x64xf32>
!open = memref<?x?xf16>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @filled(%A: !a, %B: !b, %C: !c) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%C : !c)
    linalg.matmul ins(%A, %B : !a, !b) outs(%C : !c)
    gpu.return
  }
  gpu.func @deep(%A: memref<64x1600xf16>, %B: memref<1600x64xf16>, %C: !c) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%C : !c)
    linalg.matmul ins(%A, %B : memref<64x1600xf16>, memref<1600x64xf16>) outs(%C : !c)
    gpu.return
  }
  gpu.func @biased(%A: !a, %B: !b, %V: memref<64xf32>, %C: !c) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%C : !c)
    linalg.matmul ins(%A, %B : !a, !b) outs(%C : !c)
    linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%C, %V : !c, memref<64xf32>) outs(%C : !c) {
    ^bb0(%c: f32, %v: f32, %o: f32):
      %s = arith.addf %c, %v : f32
      linalg.yield %s : f32
    }
    gpu.return
  }
  gpu.func @twice(%A: !a, %B: !b, %C: !c) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%C : !c)
    linalg.matmul ins(%A, %B : !a, !b) outs(%C : !c)
    linalg.matmul ins(%A, %B : !a, !b) outs(%C : !c)
    gpu.return
  }
  gpu.func @odd(%A: memref<37x150xf16>, %B: memref<150x45xf16>, %C: memref<37x45xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%C : memref<37x45xf32>)
    linalg.matmul ins(%A, %B : memref<37x150xf16>, memref<150x45xf16>) outs(%C : memref<37x45xf32>)
    gpu.return
  }
  gpu.func @ones(%A: memref<37x150xf16>, %B: memref<150x45xf16>, %C: memref<37x45xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %one = arith.constant 1.0 : f32
    linalg.fill ins(%one : f32) outs(%C : memref<37x45xf32>)
    linalg.matmul ins(%A, %B : memref<37x150xf16>, memref<150x45xf16>) outs(%C : memref<37x45xf32>)
    gpu.return
  }
  // What a tiled loop has at the edge of a matrix.
  gpu.func @open(%A: !open, %B: !open, %C: memref<?x?xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.dim %C, %c0 : memref<?x?xf32>
    %n = memref.dim %C, %c1 : memref<?x?xf32>
    %k = memref.dim %A, %c1 : !open
    %rows = affine.min affine_map<()[m] -> (64, m)>()[%m]
    %columns = affine.min affine_map<()[n] -> (64, n)>()[%n]
    %a = memref.subview %A[0, 0] [%rows, %k] [1, 1] : !open to memref<?x?xf16, strided<[?, 1]>>
    %b = memref.subview %B[0, 0] [%k, %columns] [1, 1] : !open to memref<?x?xf16, strided<[?, 1]>>
    %c = memref.subview %C[0, 0] [%rows, %columns] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1]>>
    linalg.fill ins(%zero : f32) outs(%c : memref<?x?xf32, strided<[?, 1]>>)
    linalg.matmul ins(%a, %b : memref<?x?xf16, strided<[?, 1]>>, memref<?x?xf16, strided<[?, 1]>>) outs(%c : memref<?x?xf32, strided<[?, 1]>>)
    gpu.return
  }
  // 38 steps of single multiplications copy the same tiles to registers.
  gpu.func @many(%A: memref<150x48xf32>, %B: memref<150x16xf32>, %C: memref<48x16xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%C : memref<48x16xf32>)
    linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
      ins(%A, %B : memref<150x48xf32>, memref<150x16xf32>) outs(%C : memref<48x16xf32>)
    gpu.return
  }
}

//--- data.py
import numpy as np

rng = np.random.default_rng(3)
small = lambda *shape: rng.integers(-4, 5, shape)
a, b = small(64, 160), small(160, 64)
v = small(64)
np.save("a.npy", a.astype(np.float16)), np.save("b.npy", b.astype(np.float16)), np.save("v.npy", v.astype(np.float32))
np.save("c.npy", (a @ b).astype(np.float32)), np.save("d.npy", (a @ b + v).astype(np.float32)), np.save("e.npy", (2 * a @ b).astype(np.float32))
a, b = small(64, 1600), small(1600, 64)
np.save("ka.npy", a.astype(np.float16)), np.save("kb.npy", b.astype(np.float16)), np.save("kc.npy", (a @ b).astype(np.float32))
a, b = small(37, 150), small(150, 45)
np.save("oa.npy", a.astype(np.float16)), np.save("ob.npy", b.astype(np.float16))
np.save("oc.npy", (a @ b).astype(np.float32)), np.save("od.npy", (a @ b + 1).astype(np.float32))
a, b = small(150, 48), small(150, 16)
np.save("fa.npy", a.astype(np.float32)), np.save("fb.npy", b.astype(np.float32)), np.save("fc.npy", (a.T @ b).astype(np.float32))
