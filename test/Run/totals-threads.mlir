// Totals and reductions by threads that are no whole warps, of tiles that divide into nothing: what threads hold beyond a tile is neutral,
// and threads after the last whole warp get a total through shared memory.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python -c 'import numpy; r = numpy.random.default_rng(0); s = numpy.save; f = r.integers(-9, 9, (255, 127)).astype("f4"); \
// RUN:   i = r.integers(-99, -1, (31, 17)).astype("i4"); s("f", f); s("i", i); s("sum", numpy.full(96, f.sum(), "f4")); \
// RUN:   [s(f"most{n}", numpy.full(n, i.max(), "i4")) for n in (33, 48, 80, 144)]; s("columns", i.max(0, keepdims=True))'
// RUN: cd %t && tile-run %s --entry total --schedule=all --arg f32[255x127]=f.npy --arg f32[96]=poison --expect 1=sum.npy | FileCheck %s
// RUN: cd %t && sed "s/33/33/g" %s > 33.mlir && tile-run 33.mlir --entry threads --schedule=all --arg i32[31x17]=i.npy --arg i32[33]=poison \
// RUN:   --arg i32[1x17]=poison --expect 1=most33.npy --expect 2=columns.npy | FileCheck %s
// RUN: cd %t && sed "s/33/48/g" %s > 48.mlir && tile-run 48.mlir --entry threads --schedule=all --arg i32[31x17]=i.npy --arg i32[48]=poison \
// RUN:   --arg i32[1x17]=poison --expect 1=most48.npy --expect 2=columns.npy | FileCheck %s
// RUN: cd %t && sed "s/33/80/g" %s > 80.mlir && tile-run 80.mlir --entry threads --schedule=all --arg i32[31x17]=i.npy --arg i32[80]=poison \
// RUN:   --arg i32[1x17]=poison --expect 1=most80.npy --expect 2=columns.npy | FileCheck %s
// RUN: cd %t && sed "s/33/144/g" %s > 144.mlir && tile-run 144.mlir --entry threads --schedule=all --arg i32[31x17]=i.npy --arg i32[144]=poison \
// RUN:   --arg i32[1x17]=poison --expect 1=most144.npy --expect 2=columns.npy | FileCheck %s
// CHECK-COUNT-5: schedule {{.*}}: argument 1 holds what

!s = !tile.buffer<255x127xf32, shared>
!t = !tile.buffer<31x17xi32, shared>
!c = !tile.buffer<1x17xi32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @total(%A: memref<255x127xf32>, %B: memref<96xf32>) kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
    %t = gpu.thread_id x
    %a = tile.view %A : memref<255x127xf32>
    %s = tile.alloc : !s
    tile.copy %a to %s scope(cta) : !tile.buffer<255x127xf32, global> to !s
    %sum = tile.total add %s scope(cta) : !s to f32
    memref.store %sum, %B[%t] : memref<96xf32>
    gpu.return
  }

  gpu.func @threads(%A: memref<31x17xi32>, %B: memref<33xi32>, %C: memref<1x17xi32>) kernel
      attributes {known_block_size = array<i32: 33, 1, 1>} {
    %t = gpu.thread_id x
    %a = tile.view %A : memref<31x17xi32>
    %c = tile.view %C : memref<1x17xi32>
    %s = tile.alloc : !t
    %r = tile.alloc : !c
    tile.copy %a to %s scope(cta) : !tile.buffer<31x17xi32, global> to !t
    %most = tile.total max %s scope(cta) : !t to i32
    memref.store %most, %B[%t] : memref<33xi32>
    tile.reduce max %s to %r dim(0) scope(cta) : !t to !c
    tile.copy %r to %c scope(cta) : !c to !tile.buffer<1x17xi32, global>
    gpu.return
  }
}
