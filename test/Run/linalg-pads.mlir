// What tensor.pad becomes: memory that is filled, and copied to in part. It is a tile, of which a convolution and a pooling read the taps. Values
// are compared with numpy's under every schedule of the threads.
// REQUIRES: numpy
// RUN: split-file %s %t && cd %t && %python data.py
// RUN: cd %t && tile-run pads.mlir --schedule all --entry convolution --arg f16[64x6x8]=cx.npy --arg f16[32x64x3x3]=cw.npy --arg f32[32x6x8]=poison --expect 2=cy.npy
// RUN: cd %t && tile-run pads.mlir --schedule all --chip sm_90a --entry convolution --arg f16[64x6x8]=cx.npy --arg f16[32x64x3x3]=cw.npy --arg f32[32x6x8]=poison \
// RUN:   --expect 2=cy.npy
// RUN: cd %t && tile-run pads.mlir --schedule all --entry pooling --arg f32[8x14x14]=px.npy --arg f32[3x3]=poison --arg f32[8x14x14]=poison --expect 2=py.npy
// RUN: cd %t && tile-run pads.mlir --schedule all --chip sm_90a --entry pooling --arg f32[8x14x14]=px.npy --arg f32[3x3]=poison --arg f32[8x14x14]=poison --expect 2=py.npy
// RUN: cd %t && tile-run pads.mlir --schedule all --entry guarded --grid 4 --arg f32[4x8]=gx.npy --arg f32[4x3x10]=poison --expect 1=gy.npy
// RUN: cd %t && tile-run pads.mlir --schedule all --chip sm_90a --entry guarded --grid 4 --arg f32[4x8]=gx.npy --arg f32[4x3x10]=poison --expect 1=gy.npy

// Layouts that are only tried are no errors.
// RUN: tile-opt %t/pads.mlir --convert-linalg-to-tile --tile-choose-layouts -o /dev/null 2>&1 | count 0
// RUN: tile-opt %t/pads.mlir --convert-linalg-to-tile -o %t/tiles.mlir --remarks-filter-missed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t/tiles.mlir
// REMARK: [Missed] memory-escapes | {{.*}}Function=read | Remark="stays memory: linalg.exp uses a part of it whose extents are known at run time; expected a copy to it from global memory, or numbers"
// A tap begins anywhere: the product reads a copy of it.
// CHECK-LABEL: gpu.func @convolution
// CHECK: tile.copy_async {{.*}} to %[[W:.*]] scope(cta)
// CHECK: tile.copy {{.*}} to %[[TAP:.*]] scope(cta) masked fill({{.*}} to !tile.buffer<64x16xf16, shared, auto>
// CHECK: tile.mma %[[W]], %[[TAP]], %{{.*}} scope(cta) group
// The tile is filled and loaded at once, where the condition yielded memory.
// CHECK-LABEL: gpu.func @guarded
// CHECK: scf.if
// CHECK-NEXT: tile.fill %{{.*}} to %[[P:.*]] scope(cta)
// CHECK-NEXT: } else {
// CHECK: tile.copy %{{.*}}[%{{.*}}, -1] [3, 10] to %[[P]] scope(cta) masked fill(
// CHECK-NEXT: }

//--- pads.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @convolution(%X: memref<64x6x8xf16>, %W: memref<32x64x3x3xf16>, %Y: memref<32x6x8xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f16
    %sum = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %p = memref.alloc() : memref<64x8x10xf16>
    linalg.fill ins(%zero : f16) outs(%p : memref<64x8x10xf16>)
    %in = memref.subview %p[0, 1, 1] [64, 6, 8] [1, 1, 1] : memref<64x8x10xf16> to memref<64x6x8xf16, strided<[80, 10, 1], offset: 11>>
    memref.copy %X, %in : memref<64x6x8xf16> to memref<64x6x8xf16, strided<[80, 10, 1], offset: 11>>
    scf.for %row = %c0 to %c6 step %c1 {
      %y = memref.subview %Y[0, %row, 0] [32, 1, 8] [1, 1, 1] : memref<32x6x8xf32> to memref<32x8xf32, strided<[48, 1], offset: ?>>
      %x = memref.subview %p[0, %row, 0] [64, 3, 10] [1, 1, 1] : memref<64x8x10xf16> to memref<64x3x10xf16, strided<[80, 10, 1], offset: ?>>
      linalg.fill ins(%sum : f32) outs(%y : memref<32x8xf32, strided<[48, 1], offset: ?>>)
      linalg.generic {indexing_maps = [affine_map<(f, w, c, k, l) -> (c, k, w + l)>, affine_map<(f, w, c, k, l) -> (f, c, k, l)>,
                                       affine_map<(f, w, c, k, l) -> (f, w)>],
                      iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]}
        ins(%x, %W : memref<64x3x10xf16, strided<[80, 10, 1], offset: ?>>, memref<32x64x3x3xf16>) outs(%y : memref<32x8xf32, strided<[48, 1], offset: ?>>) {
      ^bb0(%a: f16, %w: f16, %o: f32):
        %l = arith.extf %a : f16 to f32
        %r = arith.extf %w : f16 to f32
        %m = arith.mulf %l, %r : f32
        %n = arith.addf %o, %m : f32
        linalg.yield %n : f32
      }
    }
    gpu.return
  }
  gpu.func @pooling(%X: memref<8x14x14xf32>, %window: memref<3x3xf32>, %Y: memref<8x14x14xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %low = arith.constant 0xFF800000 : f32
    %p = memref.alloc() : memref<8x16x16xf32>
    linalg.fill ins(%low : f32) outs(%p : memref<8x16x16xf32>)
    %in = memref.subview %p[0, 1, 1] [8, 14, 14] [1, 1, 1] : memref<8x16x16xf32> to memref<8x14x14xf32, strided<[256, 16, 1], offset: 17>>
    memref.copy %X, %in : memref<8x14x14xf32> to memref<8x14x14xf32, strided<[256, 16, 1], offset: 17>>
    linalg.fill ins(%low : f32) outs(%Y : memref<8x14x14xf32>)
    linalg.generic {indexing_maps = [affine_map<(c, i, j, k, l) -> (c, i + k, j + l)>, affine_map<(c, i, j, k, l) -> (k, l)>,
                                     affine_map<(c, i, j, k, l) -> (c, i, j)>],
                    iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%p, %window : memref<8x16x16xf32>, memref<3x3xf32>) outs(%Y : memref<8x14x14xf32>) {
    ^bb0(%a: f32, %w: f32, %o: f32):
      %n = arith.maximumf %o, %a : f32
      linalg.yield %n : f32
    }
    gpu.return
  }
  // As upstream's tiling of tensor.pad is bufferized: a part that may have no rows.
  gpu.func @guarded(%X: memref<4x8xf32>, %Y: memref<4x3x10xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %seven = arith.constant 7.0 : f32
    %b = gpu.block_id x
    %low = affine.max affine_map<()[s] -> (-s + 1, 0)>()[%b]
    %first = affine.max affine_map<()[s] -> (0, s - 1)>()[%b]
    %n = affine.min affine_map<()[s, t] -> (-s + 4, -t + 3)>()[%first, %low]
    %rows = affine.max affine_map<()[s] -> (0, s)>()[%n]
    %none = arith.cmpi eq, %rows, %c0 : index
    %p = scf.if %none -> (memref<3x10xf32, strided<[?, ?], offset: ?>>) {
      %alloc = memref.alloc() : memref<3x10xf32>
      linalg.map outs(%alloc : memref<3x10xf32>) (%init: f32) {
        linalg.yield %seven : f32
      }
      %cast = memref.cast %alloc : memref<3x10xf32> to memref<3x10xf32, strided<[?, ?], offset: ?>>
      scf.yield %cast : memref<3x10xf32, strided<[?, ?], offset: ?>>
    } else {
      %x = memref.subview %X[%first, 0] [%rows, 8] [1, 1] : memref<4x8xf32> to memref<?x8xf32, strided<[8, 1], offset: ?>>
      %alloc = memref.alloc() : memref<3x10xf32>
      %cast = memref.cast %alloc : memref<3x10xf32> to memref<?x10xf32>
      linalg.map outs(%cast : memref<?x10xf32>) (%init: f32) {
        linalg.yield %seven : f32
      }
      %in = memref.subview %alloc[%low, 1] [%rows, 8] [1, 1] : memref<3x10xf32> to memref<?x8xf32, strided<[10, 1], offset: ?>>
      memref.copy %x, %in : memref<?x8xf32, strided<[8, 1], offset: ?>> to memref<?x8xf32, strided<[10, 1], offset: ?>>
      %open = memref.cast %alloc : memref<3x10xf32> to memref<3x10xf32, strided<[?, ?], offset: ?>>
      scf.yield %open : memref<3x10xf32, strided<[?, ?], offset: ?>>
    }
    %y = memref.subview %Y[%b, 0, 0] [1, 3, 10] [1, 1, 1] : memref<4x3x10xf32> to memref<3x10xf32, strided<[10, 1], offset: ?>>
    memref.copy %p, %y : memref<3x10xf32, strided<[?, ?], offset: ?>> to memref<3x10xf32, strided<[10, 1], offset: ?>>
    gpu.return
  }
  // A part that is read has no tile of its own extents.
  gpu.func @read(%X: memref<8x8xf32>, %Y: memref<8x8xf32>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %rows = affine.min affine_map<()[s] -> (s, 4)>()[%n]
    %p = memref.alloc() : memref<8x8xf32>
    memref.copy %X, %p : memref<8x8xf32> to memref<8x8xf32>
    %in = memref.subview %p[2, 0] [%rows, 8] [1, 1] : memref<8x8xf32> to memref<?x8xf32, strided<[8, 1], offset: 16>>
    %y = memref.subview %Y[2, 0] [%rows, 8] [1, 1] : memref<8x8xf32> to memref<?x8xf32, strided<[8, 1], offset: 16>>
    linalg.exp ins(%in : memref<?x8xf32, strided<[8, 1], offset: 16>>) outs(%y : memref<?x8xf32, strided<[8, 1], offset: 16>>)
    gpu.return
  }
}

//--- data.py
import numpy as np

generator = np.random.default_rng(1)
x = generator.integers(-4, 5, (64, 6, 8)).astype(np.float16)
w = generator.integers(-2, 3, (32, 64, 3, 3)).astype(np.float16)
padded = np.pad(x.astype(np.float32), ((0, 0), (1, 1), (1, 1)))
taps = [np.einsum("fc,chw->fhw", w[:, :, k, l].astype(np.float32), padded[:, k : k + 6, l : l + 8]) for k in range(3) for l in range(3)]
np.save("cx.npy", x)
np.save("cw.npy", w)
np.save("cy.npy", np.sum(taps, axis=0).astype(np.float32))
x = generator.standard_normal((8, 14, 14)).astype(np.float32)
padded = np.pad(x, ((0, 0), (1, 1), (1, 1)), constant_values=-np.inf)
np.save("px.npy", x)
np.save("py.npy", np.max([padded[:, k : k + 14, l : l + 14] for k in range(3) for l in range(3)], axis=0))
x = generator.standard_normal((4, 8)).astype(np.float32)
padded = np.pad(x, ((1, 1), (1, 1)), constant_values=7)
np.save("gx.npy", x)
np.save("gy.npy", np.stack([padded[b : b + 3] for b in range(4)]))
