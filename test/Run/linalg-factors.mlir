// Factors that the body of a product computes, as upstream fuses maps into it, are computed before the product: numpy's result.
// REQUIRES: numpy
// RUN: split-file %s %t && cd %t && %python data.py
// RUN: cd %t && tile-run ops.mlir --entry weights --chip sm_80 --schedule all --arg f16[64x96]=a.npy --arg i8[96x48]=q.npy --arg f16[48]=s.npy \
// RUN:   --arg f32[64x48]=zeros --expect 3=c.npy
// RUN: cd %t && tile-run ops.mlir --entry weights --chip sm_90a --schedule all --arg f16[64x96]=a.npy --arg i8[96x48]=q.npy --arg f16[48]=s.npy \
// RUN:   --arg f32[64x48]=zeros --expect 3=c.npy
// RUN: cd %t && tile-run ops.mlir --entry both --chip sm_90a --schedule all --arg f16[64x96]=a.npy --arg i8[96x48]=q.npy --arg f32[64x48]=zeros --expect 2=d.npy
// RUN: cd %t && tile-run ops.mlir --entry of_result --chip sm_90a --schedule all --arg f16[64x96]=a.npy --arg i8[96x48]=q.npy --arg f32[64x48]=zeros \
// RUN:   --expect 2=e.npy
// RUN: cd %t && tile-run ops.mlir --entry open --chip sm_90a --schedule all --arg f16[64x96]=a.npy --arg i8[96x48]=q.npy --arg f32[64x48]=zeros --expect 2=d.npy
// RUN: tile-opt --convert-linalg-to-tile=chip=sm_90a %t/ops.mlir | FileCheck %s
// RUN: tile-opt --tile-split-linalg=chip=sm_90a %t/ops.mlir | FileCheck %s --check-prefix=SPLIT
// RUN: tile-opt --tile-split-linalg=chip=sm_90a %t/ops.mlir -o /dev/null --remarks-filter=tile-copy --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARKS

// The product reads the factor, and no more what that is computed from.
// SPLIT-LABEL: gpu.func @weights
// SPLIT: %[[W:.*]] = memref.alloc() : memref<48x96xf16>
// SPLIT: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : memref<96x48xi8>, memref<48xf16>) outs(%[[W]] : memref<48x96xf16>)
// SPLIT: linalg.generic {{.*}} ins(%{{.*}}, %[[W]] : memref<64x96xf16>, memref<48x96xf16>)

// REMARKS: [Passed] factor-computed | {{.*}}Function=weights | Extents=48x96, Remark="factor 1 is computed before the product"
// REMARKS: [Passed] factor-computed | {{.*}}Function=both | Extents=64x96, Remark="factor 0 is
// REMARKS: [Passed] factor-computed | {{.*}}Function=both | Extents=48x96, Remark="factor 1 is
// REMARKS: [Passed] factor-computed | {{.*}}Function=open | Extents=64x96
// REMARKS: [Missed] factor-in-terms | {{.*}}Function=large | Reason="got a factor of 98304 bytes, expected at most 58112, a quarter of shared memory
// REMARKS: [Missed] factor-in-terms | {{.*}}Function=unknown | Reason="loop 0 of the factor has an extent that is known only at run time

// CHECK-LABEL: gpu.func @weights
// CHECK: tile.map {{.*}} to !tile.buffer<48x96xf16, shared, auto>
// CHECK: tile.mma
// CHECK-LABEL: gpu.func @both
// CHECK: tile.mma
// A factor that has a coordinate is a term like any other.
// CHECK-LABEL: gpu.func @of_result
// CHECK-NOT: tile.mma
// CHECK: tile.reduce

//--- ops.mlir
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#n = affine_map<(m, n, k) -> (n)>
#c = affine_map<(m, n, k) -> (m, n)>
gpu.module @kernels {
  gpu.func @weights(%A: memref<64x96xf16>, %Q: memref<96x48xi8>, %S: memref<48xf16>, %C: memref<64x48xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    linalg.generic {indexing_maps = [#a, #b, #n, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %Q, %S : memref<64x96xf16>, memref<96x48xi8>, memref<48xf16>) outs(%C : memref<64x48xf32>) {
    ^bb0(%a: f16, %q: i8, %s: f16, %o: f32):
      %number = arith.sitofp %q : i8 to f16
      %w = arith.mulf %number, %s : f16
      %x = arith.extf %a : f16 to f32
      %y = arith.extf %w : f16 to f32
      %p = arith.mulf %x, %y : f32
      %r = arith.addf %o, %p : f32
      linalg.yield %r : f32
    }
    gpu.return
  }
  gpu.func @both(%A: memref<64x96xf16>, %Q: memref<96x48xi8>, %C: memref<64x48xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %Q : memref<64x96xf16>, memref<96x48xi8>) outs(%C : memref<64x48xf32>) {
    ^bb0(%a: f16, %q: i8, %o: f32):
      %zero = arith.constant 0.0 : f16
      %number = arith.sitofp %q : i8 to f16
      %active = arith.maximumf %a, %zero : f16
      %x = arith.extf %active : f16 to f32
      %y = arith.extf %number : f16 to f32
      %p = arith.mulf %x, %y : f32
      %r = arith.addf %p, %o : f32
      linalg.yield %r : f32
    }
    gpu.return
  }
  gpu.func @of_result(%A: memref<64x96xf16>, %Q: memref<96x48xi8>, %C: memref<64x48xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %Q : memref<64x96xf16>, memref<96x48xi8>) outs(%C : memref<64x48xf32>) {
    ^bb0(%a: f16, %q: i8, %o: f32):
      %k = linalg.index 2 : index
      %c2 = arith.constant 2 : index
      %odd = arith.remui %k, %c2 : index
      %i = arith.index_cast %odd : index to i16
      %f = arith.sitofp %i : i16 to f16
      %number = arith.sitofp %q : i8 to f16
      %w = arith.mulf %number, %f : f16
      %x = arith.extf %a : f16 to f32
      %y = arith.extf %w : f16 to f32
      %p = arith.mulf %x, %y : f32
      %r = arith.addf %p, %o : f32
      linalg.yield %r : f32
    }
    gpu.return
  }
  // The result says how many rows there are.
  gpu.func @open(%A: memref<?x96xf16>, %Q: memref<96x48xi8>, %C: memref<64x48xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %Q : memref<?x96xf16>, memref<96x48xi8>) outs(%C : memref<64x48xf32>) {
    ^bb0(%a: f16, %q: i8, %o: f32):
      %zero = arith.constant 0.0 : f16
      %number = arith.sitofp %q : i8 to f16
      %active = arith.maximumf %a, %zero : f16
      %x = arith.extf %active : f16 to f32
      %y = arith.extf %number : f16 to f32
      %p = arith.mulf %x, %y : f32
      %r = arith.addf %p, %o : f32
      linalg.yield %r : f32
    }
    gpu.return
  }
  gpu.func @large(%A: memref<16x1024xf16>, %B: memref<1024x48xf16>, %C: memref<16x48xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : memref<16x1024xf16>, memref<1024x48xf16>) outs(%C : memref<16x48xf32>) {
    ^bb0(%a: f16, %b: f16, %o: f32):
      %zero = arith.constant 0.0 : f16
      %active = arith.maximumf %b, %zero : f16
      %x = arith.extf %a : f16 to f32
      %y = arith.extf %active : f16 to f32
      %p = arith.mulf %x, %y : f32
      %r = arith.addf %p, %o : f32
      linalg.yield %r : f32
    }
    gpu.return
  }
  gpu.func @unknown(%A: memref<?x96xf16>, %Q: memref<96x48xi8>, %C: memref<?x48xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %Q : memref<?x96xf16>, memref<96x48xi8>) outs(%C : memref<?x48xf32>) {
    ^bb0(%a: f16, %q: i8, %o: f32):
      %zero = arith.constant 0.0 : f16
      %number = arith.sitofp %q : i8 to f16
      %active = arith.maximumf %a, %zero : f16
      %x = arith.extf %active : f16 to f32
      %y = arith.extf %number : f16 to f32
      %p = arith.mulf %x, %y : f32
      %r = arith.addf %p, %o : f32
      linalg.yield %r : f32
    }
    gpu.return
  }
}
//--- data.py
import numpy as np
r, s = np.random.default_rng(5), np.save
a, q, scales = r.integers(-3, 4, (64, 96)), r.integers(-8, 8, (96, 48)), 2.0 ** r.integers(-2, 2, 48)
s("a", a.astype("f2"))
s("q", q.astype("i1"))
s("s", scales.astype("f2"))
s("c", (a @ (q * scales)).astype("f4"))
s("d", (np.maximum(a, 0) @ q).astype("f4"))
s("e", (a @ (q * (np.arange(96) % 2)[:, None])).astype("f4"))
