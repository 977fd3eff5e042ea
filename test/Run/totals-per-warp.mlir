// A total of each warp of what its threads hold. Under a condition on it, each warp scales its rows, or does not, and lanes exchange maxima.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python -c 'import numpy; r = numpy.random.default_rng(0); s = numpy.save; \
// RUN:   x = r.integers(-9, 9, (64, 128)).astype("f4"); f = numpy.ones((64, 1), "f4"); f[:16] = 2; f[40] = 3; s("x", x); s("f", f); s("y", x * f); \
// RUN:   x[::16, 9] = 99; x[16:32, 9] = 5; s("large", x); \
// RUN:   s("l", numpy.where(numpy.arange(64)[:, None] // 16 == 1, -1, x.max(1, keepdims=True)).astype("f4")); \
// RUN:   i = r.integers(-99, 99, (8, 96)).astype("i4"); s("i", i); w = [[0, 4], [1, 5], [2, 6], [3, 7]]; \
// RUN:   s("m", numpy.repeat([i[k].max() for k in w], 32).astype("i4"))'
// RUN: cd %t && tile-run %s --entry scaled --schedule=all --arg f32[64x128]=x.npy --arg f32[64x1]=f.npy --arg f32[64x128]=poison --expect 2=y.npy
// RUN: cd %t && tile-run %s --entry maxima --schedule=all --arg i32[8x96]=i.npy --arg i32[128]=poison --expect 1=m.npy
// No barrier, no shared memory.
// RUN: tile-translate %s --tile-to-ptx --kernel scaled | FileCheck %s --check-prefix=PTX --implicit-check-not=bar.sync --implicit-check-not=.shared
// PTX: shfl.sync.bfly
// RUN: cd %t && tile-run %s --entry largest --schedule=all --arg f32[64x128]=large.npy --arg f32[64x1]=poison --expect 1=l.npy
// A bit of any lane is a vote.
// RUN: tile-translate %s --tile-to-ptx --kernel largest | FileCheck %s --check-prefix=VOTE --implicit-check-not=bar.sync
// VOTE-NOT: shfl
// VOTE: vote.sync.any
// VOTE: shfl.sync.bfly

!all = !tile.buffer<64x128xf32, global>
!factors = !tile.buffer<64x1xf32, global>
!x = !tile.buffer<64x128xf32, local, #tile.fragment<wgmma.c>>
!f = !tile.buffer<64x1xf32, local, #tile.fragment<wgmma.rows>>
!numbers = !tile.buffer<8x96xi32, global>
!i = !tile.buffer<8x96xi32, local, #tile.layout<(2, 4, 3, 32) : (3, 1@warpid, 1, 1@laneid)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @scaled(%A: memref<64x128xf32>, %F: memref<64x1xf32>, %B: memref<64x128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %one = arith.constant 1.0 : f32
    %a = tile.view %A : memref<64x128xf32>
    %b = tile.view %B : memref<64x128xf32>
    %factors = tile.view %F : memref<64x1xf32>
    %x = tile.alloc : !x
    %f = tile.alloc : !f
    tile.copy %a to %x scope(cta) : !all to !x
    tile.copy %factors to %f scope(cta) : !factors to !f
    %most = tile.total max %f scope(cta) per_warp : !f to f32
    %scales = arith.cmpf one, %most, %one : f32
    scf.if %scales {
      tile.map %x, %f to %x scope(cta) : !x, !f to !x {
      ^bb0(%e: f32, %factor: f32):
        %r = arith.mulf %e, %factor : f32
        tile.yield %r : f32
      }
    }
    tile.copy %x to %b scope(cta) : !x to !all
    gpu.return
  }

  gpu.func @maxima(%A: memref<8x96xi32>, %B: memref<128xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %a = tile.view %A : memref<8x96xi32>
    %x = tile.alloc : !i
    tile.copy %a to %x scope(cta) : !numbers to !i
    %most = tile.total max %x scope(cta) per_warp : !i to i32
    memref.store %most, %B[%t] : memref<128xi32>
    gpu.return
  }

  // The maxima of rows, but -1 in warps without a large element.
  gpu.func @largest(%A: memref<64x128xf32>, %B: memref<64x1xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %large = arith.constant 50.0 : f32
    %minus = arith.constant -1.0 : f32
    %a = tile.view %A : memref<64x128xf32>
    %b = tile.view %B : memref<64x1xf32>
    %x = tile.alloc : !x
    %f = tile.alloc : !f
    tile.copy %a to %x scope(cta) : !all to !x
    tile.fill %minus to %f scope(cta) : f32 to !f
    %any = tile.total or %x scope(cta) per_warp : !x to i1 of {
    ^bb0(%e: f32):
      %is_large = arith.cmpf oge, %e, %large : f32
      tile.yield %is_large : i1
    }
    scf.if %any {
      tile.reduce max %x to %f dim(1) scope(cta) : !x to !f
    }
    tile.copy %f to %b scope(cta) : !f to !factors
    gpu.return
  }
}
