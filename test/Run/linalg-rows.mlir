// Maps and reductions of linalg whose rows are in registers: edges of a grid, sums of columns, results in another order, several reduced
// loops, loops of one iteration.
// REQUIRES: numpy
// RUN: split-file %s %t && cd %t && %python data.py
// RUN: cd %t && tile-run kernels.mlir --entry edge --grid 3 --schedule all --arg f32[10x96]=ex.npy --arg f32[10x96]=poison --arg f32[10]=poison \
// RUN:   --expect 1=ey.npy --expect 2=es.npy --rtol 1e-6
// RUN: cd %t && tile-run kernels.mlir --entry columns --schedule all --arg f32[64x48]=cx.npy --arg f32[48]=poison --arg f32[48x64]=poison \
// RUN:   --expect 1=cs.npy --expect 2=ct.npy --rtol 1e-6
// RUN: cd %t && tile-run kernels.mlir --entry three --schedule all --arg f32[4x8x64]=tx.npy --arg f32[4]=poison --arg f32[4x8x64]=poison \
// RUN:   --expect 1=ts.npy --expect 2=ty.npy --rtol 1e-6
// RUN: cd %t && tile-run kernels.mlir --entry units --schedule all --arg f32[1x128]=ux.npy --arg f32[1x128]=poison --arg f32[128]=poison \
// RUN:   --arg f32[1]=poison --expect 1=uy.npy --expect 2=us.npy --expect 3=ut.npy
// RUN: cd %t && tile-run kernels.mlir --entry first --schedule all --arg f32[32x24]=fx.npy --arg f32[32x24]=poison --expect 1=fy.npy
// RUN: cd %t && tile-opt --convert-linalg-to-tile kernels.mlir | FileCheck kernels.mlir

//--- kernels.mlir
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // CHECK-LABEL: @edge
  // CHECK: tile.copy {{.*}} masked fill({{.*}} to !tile.buffer<4x128xf32, local, auto>
  // CHECK-NOT: !tile.buffer<4x{{[0-9]+}}xf32, shared
  // CHECK: tile.copy {{.*}} masked : !tile.buffer<4x128xf32, local, auto>
  gpu.func @edge(%X: memref<10x96xf32>, %Y: memref<10x96xf32>, %S: memref<10xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %b = gpu.block_id x
    %r = affine.apply affine_map<()[s] -> (s * 4)>()[%b]
    %n = affine.min affine_map<()[s] -> (s * -4 + 10, 4)>()[%b]
    %x = memref.subview %X[%r, 0] [%n, 96] [1, 1] : memref<10x96xf32> to memref<?x96xf32, strided<[96, 1], offset: ?>>
    %y = memref.subview %Y[%r, 0] [%n, 96] [1, 1] : memref<10x96xf32> to memref<?x96xf32, strided<[96, 1], offset: ?>>
    %s = memref.subview %S[%r] [%n] [1] : memref<10xf32> to memref<?xf32, strided<[1], offset: ?>>
    linalg.fill ins(%zero : f32) outs(%s : memref<?xf32, strided<[1], offset: ?>>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : memref<?x96xf32, strided<[96, 1], offset: ?>>) outs(%s : memref<?xf32, strided<[1], offset: ?>>) {
    ^bb0(%a: f32, %o: f32):
      %q = arith.addf %a, %o : f32
      linalg.yield %q : f32
    }
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %s : memref<?x96xf32, strided<[96, 1], offset: ?>>, memref<?xf32, strided<[1], offset: ?>>) outs(%y : memref<?x96xf32, strided<[96, 1], offset: ?>>) {
    ^bb0(%a: f32, %u: f32, %o: f32):
      %q = arith.divf %a, %u : f32
      linalg.yield %q : f32
    }
    gpu.return
  }
  gpu.func @columns(%X: memref<64x48xf32>, %S: memref<48xf32>, %T: memref<48x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %m = memref.alloca() : memref<48xf32>
    linalg.fill ins(%zero : f32) outs(%m : memref<48xf32>)
    linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%X : memref<64x48xf32>) outs(%m : memref<48xf32>) {
    ^bb0(%a: f32, %o: f32):
      %q = arith.addf %a, %o : f32
      linalg.yield %q : f32
    }
    linalg.generic {indexing_maps = [#id, #col, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]} ins(%X, %m : memref<64x48xf32>, memref<48xf32>) outs(%T : memref<48x64xf32>) {
    ^bb0(%a: f32, %u: f32, %o: f32):
      %q = arith.divf %a, %u : f32
      linalg.yield %q : f32
    }
    linalg.copy ins(%m : memref<48xf32>) outs(%S : memref<48xf32>)
    gpu.return
  }
  gpu.func @three(%X: memref<4x8x64xf32>, %S: memref<4xf32>, %Y: memref<4x8x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%S : memref<4xf32>)
    linalg.generic {indexing_maps = [affine_map<(i,j,k)->(i,j,k)>, affine_map<(i,j,k)->(i)>], iterator_types = ["parallel", "reduction", "reduction"]} ins(%X : memref<4x8x64xf32>) outs(%S : memref<4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %q = arith.addf %a, %o : f32
      linalg.yield %q : f32
    }
    linalg.generic {indexing_maps = [affine_map<(i,j,k)->(i,j,k)>, affine_map<(i,j,k)->(i)>, affine_map<(i,j,k)->(i,j,k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%X, %S : memref<4x8x64xf32>, memref<4xf32>) outs(%Y : memref<4x8x64xf32>) {
    ^bb0(%a: f32, %u: f32, %o: f32):
      %q = arith.divf %a, %u : f32
      linalg.yield %q : f32
    }
    gpu.return
  }
  // Loops of one iteration reduce nothing: %X is mapped as a row of 128 and as 1x128.
  gpu.func @units(%X: memref<1x128xf32>, %Y: memref<1x128xf32>, %S: memref<128xf32>, %T: memref<1xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    linalg.negf ins(%X : memref<1x128xf32>) outs(%Y : memref<1x128xf32>)
    linalg.fill ins(%zero : f32) outs(%S : memref<128xf32>)
    linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%X : memref<1x128xf32>) outs(%S : memref<128xf32>) {
    ^bb0(%a: f32, %o: f32):
      %q = arith.addf %a, %o : f32
      linalg.yield %q : f32
    }
    linalg.fill ins(%zero : f32) outs(%T : memref<1xf32>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%Y : memref<1x128xf32>) outs(%T : memref<1xf32>) {
    ^bb0(%a: f32, %o: f32):
      %q = arith.addf %a, %o : f32
      linalg.yield %q : f32
    }
    gpu.return
  }
  // The sums of columns come first among the operands of a map.
  gpu.func @first(%X: memref<32x24xf32>, %Y: memref<32x24xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %m = memref.alloca() : memref<24xf32>
    linalg.fill ins(%zero : f32) outs(%m : memref<24xf32>)
    linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%X : memref<32x24xf32>) outs(%m : memref<24xf32>) {
    ^bb0(%a: f32, %o: f32):
      %q = arith.addf %a, %o : f32
      linalg.yield %q : f32
    }
    linalg.generic {indexing_maps = [#col, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%m, %X : memref<24xf32>, memref<32x24xf32>) outs(%Y : memref<32x24xf32>) {
    ^bb0(%u: f32, %a: f32, %o: f32):
      %q = arith.subf %a, %u : f32
      linalg.yield %q : f32
    }
    gpu.return
  }
}
//--- data.py
import numpy as np
r = np.random.default_rng(0)
x = r.integers(1, 9, (10, 96)).astype("f4")
np.save("ex", x)
np.save("ey", x / x.sum(1, keepdims=True))
np.save("es", x.sum(1))
c = r.integers(1, 9, (64, 48)).astype("f4")
np.save("cx", c)
np.save("cs", c.sum(0))
np.save("ct", (c / c.sum(0)).T.copy())
t = r.integers(1, 9, (4, 8, 64)).astype("f4")
np.save("tx", t)
np.save("ts", t.sum((1, 2)))
np.save("ty", t / t.sum((1, 2), keepdims=True))
u = r.integers(1, 9, (1, 128)).astype("f4")
np.save("ux", u)
np.save("uy", -u)
np.save("us", u[0])
np.save("ut", -u.sum(1))
f = r.integers(1, 9, (32, 24)).astype("f4")
np.save("fx", f)
np.save("fy", f - f.sum(0))
