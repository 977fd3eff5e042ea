// Maps and reductions of linalg whose rows threads do not divide evenly: tiles in registers have larger extents, and what is beyond counts for
// nothing, infinite or not a number as it may be.
// REQUIRES: numpy
// RUN: split-file %s %t && cd %t && %python data.py
// RUN: cd %t && tile-run kernels.mlir --entry norm --schedule all --arg f16[3x1000]=nx.npy --arg f32[1000]=nw.npy --arg f16[3x1000]=poison \
// RUN:   --expect 2=ny.npy --rtol 2e-3 --atol 1e-3
// RUN: cd %t && tile-run kernels.mlir --chip sm_90a --entry poles --schedule all --arg f32[37x61]=px.npy --arg f32[61]=poison --arg f32[37]=poison \
// RUN:   --arg f32[37x61]=poison --expect 1=pc.npy --expect 2=pr.npy --expect 3=py.npy --rtol 1e-5
// RUN: cd %t && tile-run kernels.mlir --entry three --schedule all --arg f32[5x7x9]=tx.npy --arg f32[7]=poison --arg f32[9x7x5]=poison \
// RUN:   --expect 1=ts.npy --expect 2=ty.npy --rtol 1e-5
// RUN: cd %t && tile-run kernels.mlir --entry bounded --grid 3 --schedule all --arg f32[4x250]=bx.npy --arg f32[4x250]=poison --expect 1=by.npy --rtol 1e-5
// RUN: cd %t && tile-run kernels.mlir --entry long --schedule all --arg f32[1x9001]=lx.npy --arg f32[1x9001]=poison --expect 1=ly.npy --rtol 1e-4
// RUN: cd %t && tile-opt --convert-linalg-to-tile --tile-choose-layouts kernels.mlir | FileCheck kernels.mlir

//--- kernels.mlir
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
!view = memref<4x?xf32, strided<[250, 1], offset: ?>>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // Vectors of 8 f16, as the rows allow.
  // CHECK-LABEL: @norm
  // CHECK-NOT: shared
  // CHECK: tile.copy {{.*}} masked fill({{.*}} to !tile.buffer<3x1024xf16, local, #tile.layout<(3, 128, 8) : (8, 1@tx, 1)>>
  // CHECK: arith.select
  // CHECK: tile.reduce add
  // CHECK: tile.copy {{.*}} masked : !tile.buffer<3x1024xf16, local
  gpu.func @norm(%X: memref<3x1000xf16>, %W: memref<1000xf32>, %Y: memref<3x1000xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %n = arith.constant 1000.0 : f32
    %mean = memref.alloca() : memref<3xf32>
    %square = memref.alloca() : memref<3xf32>
    linalg.fill ins(%zero : f32) outs(%mean : memref<3xf32>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%X : memref<3x1000xf16>) outs(%mean : memref<3xf32>) {
    ^bb0(%x: f16, %o: f32):
      %e = arith.extf %x : f16 to f32
      %q = arith.addf %e, %o : f32
      linalg.yield %q : f32
    }
    linalg.fill ins(%zero : f32) outs(%square : memref<3xf32>)
    linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%X, %mean : memref<3x1000xf16>, memref<3xf32>) outs(%square : memref<3xf32>) {
    ^bb0(%x: f16, %m: f32, %o: f32):
      %e = arith.extf %x : f16 to f32
      %c = arith.divf %m, %n : f32
      %d = arith.subf %e, %c : f32
      %s = arith.mulf %d, %d : f32
      %q = arith.addf %s, %o : f32
      linalg.yield %q : f32
    }
    linalg.generic {indexing_maps = [#id, #row, #row, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%X, %mean, %square, %W : memref<3x1000xf16>, memref<3xf32>, memref<3xf32>, memref<1000xf32>) outs(%Y : memref<3x1000xf16>) {
    ^bb0(%x: f16, %m: f32, %s: f32, %w: f32, %o: f16):
      %e = arith.extf %x : f16 to f32
      %c = arith.divf %m, %n : f32
      %d = arith.subf %e, %c : f32
      %v = arith.divf %s, %n : f32
      %r = math.sqrt %v : f32
      %u = arith.divf %d, %r : f32
      %y = arith.mulf %u, %w : f32
      %h = arith.truncf %y : f32 to f16
      linalg.yield %h : f16
    }
    gpu.return
  }
  // Of the ones beyond, x / (x - 1) is infinite; both dimensions are reduced.
  // CHECK-LABEL: @poles
  // CHECK: tile.copy {{.*}} masked fill({{.*}} to !tile.buffer<38x64xf32, local
  gpu.func @poles(%X: memref<37x61xf32>, %C: memref<61xf32>, %R: memref<37xf32>, %Y: memref<37x61xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %low = arith.constant 0xFF800000 : f32
    %one = arith.constant 1.0 : f32
    linalg.fill ins(%zero : f32) outs(%C : memref<61xf32>)
    linalg.fill ins(%low : f32) outs(%R : memref<37xf32>)
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%X : memref<37x61xf32>) outs(%Y : memref<37x61xf32>) {
    ^bb0(%x: f32, %o: f32):
      %d = arith.subf %x, %one : f32
      %q = arith.divf %x, %d : f32
      linalg.yield %q : f32
    }
    linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%Y : memref<37x61xf32>) outs(%C : memref<61xf32>) {
    ^bb0(%a: f32, %o: f32):
      %q = arith.addf %a, %o : f32
      linalg.yield %q : f32
    }
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%Y : memref<37x61xf32>) outs(%R : memref<37xf32>) {
    ^bb0(%a: f32, %o: f32):
      %q = arith.maxnumf %a, %o : f32
      linalg.yield %q : f32
    }
    gpu.return
  }
  gpu.func @three(%X: memref<5x7x9xf32>, %S: memref<7xf32>, %Y: memref<9x7x5xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    linalg.fill ins(%zero : f32) outs(%S : memref<7xf32>)
    linalg.generic {indexing_maps = [affine_map<(i,j,k)->(i,j,k)>, affine_map<(i,j,k)->(j)>], iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%X : memref<5x7x9xf32>) outs(%S : memref<7xf32>) {
    ^bb0(%a: f32, %o: f32):
      %q = arith.addf %a, %o : f32
      linalg.yield %q : f32
    }
    linalg.generic {indexing_maps = [affine_map<(i,j,k)->(i,j,k)>, affine_map<(i,j,k)->(j)>, affine_map<(i,j,k)->(k,j,i)>],
                    iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%X, %S : memref<5x7x9xf32>, memref<7xf32>) outs(%Y : memref<9x7x5xf32>) {
    ^bb0(%a: f32, %u: f32, %o: f32):
      %q = arith.divf %a, %u : f32
      linalg.yield %q : f32
    }
    gpu.return
  }
  // Columns that end where the matrix does.
  // CHECK-LABEL: @bounded
  // CHECK-NOT: !tile.buffer<4x{{[0-9]+}}xf32, shared
  // CHECK: tile.copy {{.*}} masked fill({{.*}} to !tile.buffer<4x128xf32, local
  // CHECK-NOT: masked fill
  // CHECK: tile.copy {{.*}} masked : !tile.buffer<4x128xf32, local
  gpu.func @bounded(%X: memref<4x250xf32>, %Y: memref<4x250xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %low = arith.constant 0xFF800000 : f32
    %b = gpu.block_id x
    %c = affine.apply affine_map<()[s] -> (s * 100)>()[%b]
    %n = affine.min affine_map<()[s] -> (s * -100 + 250, 100)>()[%b]
    %x = memref.subview %X[0, %c] [4, %n] [1, 1] : memref<4x250xf32> to !view
    %y = memref.subview %Y[0, %c] [4, %n] [1, 1] : memref<4x250xf32> to !view
    %m = memref.alloca() : memref<4xf32>
    linalg.fill ins(%low : f32) outs(%m : memref<4xf32>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : !view) outs(%m : memref<4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %q = arith.maxnumf %a, %o : f32
      linalg.yield %q : f32
    }
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : !view, memref<4xf32>) outs(%y : !view) {
    ^bb0(%a: f32, %u: f32, %o: f32):
      %q = arith.subf %a, %u : f32
      linalg.yield %q : f32
    }
    gpu.return
  }
  // A row of an odd length begins anywhere: one element at a time.
  // CHECK-LABEL: @long
  // CHECK: tile.copy {{.*}} to !tile.buffer<1x9216xf32, local, #tile.layout<(1, 18, 512) : (1, 1, 1@tx)>>
  gpu.func @long(%X: memref<1x9001xf32>, %Y: memref<1x9001xf32>) kernel attributes {known_block_size = array<i32: 512, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %m = memref.alloca() : memref<1xf32>
    linalg.fill ins(%zero : f32) outs(%m : memref<1xf32>)
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%X : memref<1x9001xf32>) outs(%m : memref<1xf32>) {
    ^bb0(%a: f32, %o: f32):
      %q = arith.addf %a, %o : f32
      linalg.yield %q : f32
    }
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%X, %m : memref<1x9001xf32>, memref<1xf32>) outs(%Y : memref<1x9001xf32>) {
    ^bb0(%a: f32, %u: f32, %o: f32):
      %q = arith.divf %a, %u : f32
      linalg.yield %q : f32
    }
    gpu.return
  }
}
//--- data.py
import numpy as np
r, s = np.random.default_rng(0), np.save
x = r.normal(size=(3, 1000)).astype("f2")
f, w = x.astype("f4"), r.normal(size=1000).astype("f4")
d = f - f.mean(1, keepdims=True)
s("nx", x), s("nw", w), s("ny", (d / np.sqrt((d * d).mean(1, keepdims=True)) * w).astype("f2"))
x = (r.random((37, 61)) + 2).astype("f4")
y = x / (x - 1)
s("px", x), s("py", y), s("pc", y.sum(0)), s("pr", y.max(1))
x = r.integers(1, 9, (5, 7, 9)).astype("f4")
t = x.sum((0, 2))
s("tx", x), s("ts", t), s("ty", (x / t[:, None]).transpose(2, 1, 0).copy())
x = r.integers(-9, 9, (4, 250)).astype("f4")
s("bx", x), s("by", np.concatenate([p - p.max(1, keepdims=True) for p in (x[:, :100], x[:, 100:200], x[:, 200:])], 1))
x = r.integers(1, 9, (1, 9001)).astype("f4")
s("lx", x), s("ly", x / x.sum())
