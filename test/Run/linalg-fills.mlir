// Ops that give all elements one value are fills, however they are written: ops that upstream generalizes, or fuses constants into, and those of
// categories have the kernels of the named ops.
// REQUIRES: numpy
// RUN: split-file %s %t && cd %t && %python data.py
// RUN: mlir-opt %t/named.mlir --linalg-generalize-named-ops -o %t/general.mlir
// RUN: mlir-opt %t/named.mlir --linalg-morph-ops=named-to-category -o %t/category.mlir
// RUN: cd %t && sed -e '/linalg.fill/s/$/ { ^bb0(%%o: f32): linalg.yield %%zero : f32 }/' -e 's/linalg.fill ins(%%zero : f32) outs(%%sums/linalg.generic {indexing_maps = [#ids], iterator_types = ["parallel", "parallel"]} outs(%%sums/' \
// RUN:   -e 's/linalg.fill ins(%%zero : f32) outs(%%S/linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%%S/' named.mlir > outside.mlir
// RUN: cd %t && sed 's/linalg.yield %%zero : f32/%%z = arith.constant 0.0 : f32 linalg.yield %%z : f32/' outside.mlir > inside.mlir
// RUN: cd %t && sh compare.sh "tile-translate"
// RUN: cd %t && tile-run inside.mlir --schedule all --entry product --arg f16[64x64]=a.npy --arg f16[64x64]=b.npy --arg f32[64x64]=poison --expect 2=c.npy
// RUN: cd %t && tile-run inside.mlir --chip sm_90a --schedule all --entry product --arg f16[64x64]=a.npy --arg f16[64x64]=b.npy --arg f32[64x64]=poison --expect 2=c.npy
// RUN: cd %t && tile-run inside.mlir --schedule all --entry sums --arg f32[64x64]=x.npy --arg f32[64]=poison --expect 1=s.npy --rtol 1e-5
// RUN: cd %t && tile-run inside.mlir --chip sm_90a --schedule all --entry sums --arg f32[64x64]=x.npy --arg f32[64]=poison --expect 1=s.npy --rtol 1e-5
// RUN: tile-opt %t/inside.mlir --convert-linalg-to-tile | FileCheck %s
// RUN: cd %t && tile-run more.mlir --schedule all --entry ignored --arg f32[8x32]=poison --arg f32[8x32]=poison --arg f32[8x32]=poison --arg f32=2.5 --expect 1=two.npy --expect 2=five.npy
// RUN: tile-opt %t/more.mlir --convert-linalg-to-tile | FileCheck %s --check-prefix=MORE

// CHECK-LABEL: gpu.func @product
// CHECK: tile.fill %{{.*}} to %[[SUMS:.*]] scope(cta) : f32 to !tile.buffer<64x64xf32, local, auto>
// CHECK: tile.mma %{{.*}}, %{{.*}}, %[[SUMS]] scope(cta)
// CHECK-LABEL: gpu.func @sums
// CHECK: tile.fill
// CHECK: tile.reduce add

// Inputs that nothing reads do not make a map of it, and what is computed of scalars is computed once; a coordinate does.
// MORE-LABEL: gpu.func @ignored
// MORE: %[[DOUBLE:.*]] = arith.addf
// MORE: tile.fill %{{.*}} to
// MORE: tile.fill %[[DOUBLE]] to
// MORE-LABEL: gpu.func @coordinates
// MORE-NOT: tile.fill
// MORE: tile.map

//--- named.mlir
#id = affine_map<(i) -> (i)>
#ids = affine_map<(i, j) -> (i, j)>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @product(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %sums = memref.alloc() : memref<64x64xf32>
    linalg.fill ins(%zero : f32) outs(%sums : memref<64x64xf32>)
    linalg.matmul ins(%A, %B : memref<64x64xf16>, memref<64x64xf16>) outs(%sums : memref<64x64xf32>)
    memref.copy %sums, %C : memref<64x64xf32> to memref<64x64xf32>
    gpu.return
  }
  gpu.func @sums(%X: memref<64x64xf32>, %S: memref<64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %e = memref.alloc() : memref<64x64xf32>
    linalg.exp ins(%X : memref<64x64xf32>) outs(%e : memref<64x64xf32>)
    linalg.fill ins(%zero : f32) outs(%S : memref<64xf32>)
    linalg.reduce {arith.addf} ins(%e : memref<64x64xf32>) outs(%S : memref<64xf32>) dimensions = [1]
    gpu.return
  }
}

//--- more.mlir
#id = affine_map<(i, j) -> (i, j)>
#scalar = affine_map<(i, j) -> ()>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @ignored(%X: memref<8x32xf32>, %Y: memref<8x32xf32>, %Z: memref<8x32xf32>, %s: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.generic {indexing_maps = [#id, #scalar, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%X, %s : memref<8x32xf32>, f32) outs(%Y, %Z : memref<8x32xf32>, memref<8x32xf32>) {
    ^bb0(%x: f32, %t: f32, %o: f32, %p: f32):
      %double = arith.addf %t, %t : f32
      linalg.yield %t, %double : f32, f32
    }
    gpu.return
  }
  gpu.func @coordinates(%Y: memref<8x32xi64>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%Y : memref<8x32xi64>) {
    ^bb0(%o: i64):
      %i = linalg.index 0 : index
      %n = arith.index_cast %i : index to i64
      linalg.yield %n : i64
    }
    gpu.return
  }
}

//--- compare.sh
for chip in sm_80 sm_90a; do
  for file in named general category outside inside; do
    sed "s/sm_80/$chip/" $file.mlir | $1 --tile-to-ptx > $file.$chip && diff named.$chip $file.$chip || exit 1
  done
done

//--- data.py
import numpy as np

generator = np.random.default_rng(1)
a, b = (generator.integers(-4, 5, (64, 64)).astype(np.float16) for _ in range(2))
x = generator.standard_normal((64, 64)).astype(np.float32)
np.save("a.npy", a)
np.save("b.npy", b)
np.save("c.npy", a.astype(np.float32) @ b.astype(np.float32))
np.save("x.npy", x)
np.save("s.npy", np.exp(x).sum(axis=1, dtype=np.float32))
np.save("two.npy", np.full((8, 32), 2.5, np.float32))
np.save("five.npy", np.full((8, 32), 5, np.float32))
