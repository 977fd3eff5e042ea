// All elements of a tile as one value that every thread has: in registers of lanes and warps, in shared memory, with a function of the
// elements, and with threads that hold copies.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python -c 'import numpy; r = numpy.random.default_rng(0); s = numpy.save; x = r.integers(-9, 9, (8, 96)).astype("f4"); \
// RUN:   i = r.integers(-99, 99, (8, 96)).astype("i4"); s("x", x); s("i", i); f = lambda v, t: numpy.full(128, v, t); \
// RUN:   s("sum", f(x.sum(), "f4")); s("squares", f((x * x).sum(), "f4")); s("most", f(i.max(), "i4")); \
// RUN:   s("rows", numpy.repeat(x[:4].sum(axis=1), 32))'
// RUN: cd %t && tile-run %s --entry registers --schedule=all --arg f32[8x96]=x.npy --arg f32[128]=poison --expect 1=sum.npy
// RUN: cd %t && tile-run %s --entry squares --schedule=all --arg f32[8x96]=x.npy --arg f32[128]=poison --expect 1=squares.npy
// RUN: cd %t && tile-run %s --entry shared --schedule=all --arg i32[8x96]=i.npy --arg i32[128]=poison --expect 1=most.npy
// RUN: cd %t && tile-run %s --entry warps --schedule=all --arg f32[8x96]=x.npy --arg f32[128]=poison --expect 1=rows.npy
// RUN: cd %t && tile-run %s --entry shared --delete-sync --arg i32[8x96]=i.npy --arg i32[128]=poison --expect 1=most.npy | FileCheck %s
// CHECK: {{[1-9][0-9]*}} noticed, 0 redundant, {{[0-9]+}} not executed, 0 not modelled, 0 missed

!all = !tile.buffer<8x96xf32, global>
!numbers = !tile.buffer<8x96xi32, global>
!x = !tile.buffer<8x96xf32, local, #tile.layout<(2, 4, 3, 32) : (3, 1@warpid, 1, 1@laneid)>>
!half = !tile.buffer<8x96xf16, local, #tile.layout<(2, 4, 3, 32) : (3, 1@warpid, 1, 1@laneid)>>
!row = !tile.buffer<1x96xf32, local, #tile.layout<(1, 3, 32) : (1, 1, 1@laneid)>>
!s = !tile.buffer<8x96xi32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @registers(%A: memref<8x96xf32>, %B: memref<128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %a = tile.view %A : memref<8x96xf32>
    %x = tile.alloc : !x
    tile.copy %a to %x scope(cta) : !all to !x
    %sum = tile.total add %x scope(cta) : !x to f32
    memref.store %sum, %B[%t] : memref<128xf32>
    gpu.return
  }

  gpu.func @squares(%A: memref<8x96xf32>, %B: memref<128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %a = tile.view %A : memref<8x96xf32>
    %x = tile.alloc : !half
    tile.copy %a to %x scope(cta) : !all to !half
    %sum = tile.total add %x scope(cta) : !half to f32 of {
    ^bb0(%e: f16):
      %f = arith.extf %e : f16 to f32
      %square = arith.mulf %f, %f : f32
      tile.yield %square : f32
    }
    memref.store %sum, %B[%t] : memref<128xf32>
    gpu.return
  }

  gpu.func @shared(%A: memref<8x96xi32>, %B: memref<128xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %a = tile.view %A : memref<8x96xi32>
    %s = tile.alloc : !s
    tile.copy %a to %s scope(cta) : !numbers to !s
    %most = tile.total max %s scope(cta) : !s to i32
    memref.store %most, %B[%t] : memref<128xi32>
    gpu.return
  }

  // Each warp has a row of its own.
  gpu.func @warps(%A: memref<8x96xf32>, %B: memref<128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %warp = arith.divui %t, %c32 : index
    %a = tile.view %A : memref<8x96xf32>
    %x = tile.alloc : !row
    tile.copy %a[%warp, 0] [1, 96] to %x scope(warp) : !all to !row
    %sum = tile.total add %x scope(warp) : !row to f32
    memref.store %sum, %B[%t] : memref<128xf32>
    gpu.return
  }
}
