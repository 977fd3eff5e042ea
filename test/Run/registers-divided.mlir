// Tiles in registers that no product decides are divided among the threads that use them: rows of a warp each, rows of a block, sums of
// columns, elements of two widths.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python -c 'import numpy; r = numpy.random.default_rng(0); s = numpy.save; \
// RUN:   x = r.normal(size=(8, 1024)).astype("f4"); e = numpy.exp(x - x.max(1, keepdims=True)); s("x", x); s("y", e / e.sum(1, keepdims=True)); \
// RUN:   h = x.astype("f2"); f = h.astype("f4"); e = numpy.exp(f - f.max(1, keepdims=True)); s("h", h); s("z", (e / e.sum(1, keepdims=True)).astype("f2")); \
// RUN:   c = r.integers(-9, 9, (64, 48)).astype("f4"); s("c", c); s("sums", c.sum(0, keepdims=True)); s("centred", c - c.sum(0, keepdims=True))'
// RUN: cd %t && tile-run %s --entry rows --grid 2 --schedule all --arg f32[8x1024]=x.npy --arg f32[8x1024]=poison --expect 1=y.npy --rtol 1e-5 \
// RUN:   | FileCheck %s --check-prefix=ROWS
// RUN: cd %t && tile-run %s --entry block --grid 8 --schedule all --arg f16[8x1024]=h.npy --arg f16[8x1024]=poison --expect 1=z.npy --rtol 2e-3 --atol 1e-6
// RUN: cd %t && tile-run %s --entry columns --schedule all --arg f32[64x48]=c.npy --arg f32[1x48]=poison --arg f32[64x48]=poison \
// RUN:   --expect 1=sums.npy --expect 2=centred.npy --rtol 1e-5
// RUN: cd %t && tile-run %s --entry warps --grid 2 --schedule all --arg f32[8x1024]=x.npy --arg f32[8x1024]=poison --expect 1=y.npy --rtol 1e-5
// RUN: tile-opt --tile-choose-layouts %s | FileCheck %s

!x = !tile.buffer<4x1024xf32, local, auto>
!each = !tile.buffer<4x1xf32, local, auto>
!row = !tile.buffer<1x1024xf32, local, auto>
!half = !tile.buffer<1x1024xf16, local, auto>
!one = !tile.buffer<1x1xf32, local, auto>
!c = !tile.buffer<64x48xf32, local, auto>
!sums = !tile.buffer<1x48xf32, local, auto>
!g = !tile.buffer<8x1024xf32, global>
!gh = !tile.buffer<8x1024xf16, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // A row is one warp's, whose lanes access 512 bytes of it at once; nothing goes through shared memory.
  // CHECK-LABEL: @rows
  // CHECK: !tile.buffer<4x1024xf32, local, #tile.layout<(4, 8, 32, 4) : (32@tx, 4, 1@tx, 1)>>
  // CHECK: !tile.buffer<4x1xf32, local, #tile.layout<(4, 1) : (32@tx, 1) + R(32 : 1@tx)>>
  // ROWS: ld.global{{.*}}v4.b32
  // ROWS-NOT: shared
  // ROWS: st.global.v4.b32
  // ROWS-NOT: shared
  gpu.func @rows(%A: memref<8x1024xf32>, %B: memref<8x1024xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c4 = arith.constant 4 : index
    %a = tile.view %A : memref<8x1024xf32>
    %b = tile.view %B : memref<8x1024xf32>
    %block = gpu.block_id x
    %i = arith.muli %block, %c4 : index
    %x = tile.alloc : !x
    %r = tile.alloc : !each
    tile.copy %a[%i, 0] [4, 1024] to %x scope(cta) : !g to !x
    tile.reduce max %x to %r dim(1) scope(cta) : !x to !each
    tile.map %x, %r to %x scope(cta) : !x, !each to !x {
    ^bb0(%e: f32, %m: f32):
      %d = arith.subf %e, %m : f32
      %p = math.exp %d : f32
      tile.yield %p : f32
    }
    tile.reduce add %x to %r dim(1) scope(cta) : !x to !each
    tile.map %x, %r to %x scope(cta) : !x, !each to !x {
    ^bb0(%e: f32, %s: f32):
      %q = arith.divf %e, %s : f32
      tile.yield %q : f32
    }
    tile.copy %x to %b[%i, 0] [4, 1024] scope(cta) : !x to !g
    gpu.return
  }

  // The vectors are those of the narrowest elements: 8 of f16, of which the f32 follow.
  // CHECK-LABEL: @block
  // CHECK: !tile.buffer<1x1024xf16, local, #tile.layout<(1, 128, 8) : (1, 1@tx, 1)>>
  // CHECK: !tile.buffer<1x1024xf32, local, #tile.layout<(1, 128, 8) : (1, 1@tx, 1)>>
  gpu.func @block(%A: memref<8x1024xf16>, %B: memref<8x1024xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<8x1024xf16>
    %b = tile.view %B : memref<8x1024xf16>
    %i = gpu.block_id x
    %h = tile.alloc : !half
    %x = tile.alloc : !row
    tile.copy %a[%i, 0] [1, 1024] to %h scope(cta) : !gh to !half
    tile.copy %h to %x scope(cta) : !half to !row
    %most = tile.total max %x scope(cta) : !row to f32
    tile.map %x to %x scope(cta) : !row to !row {
    ^bb0(%e: f32):
      %d = arith.subf %e, %most : f32
      %p = math.exp %d : f32
      tile.yield %p : f32
    }
    %sum = tile.total add %x scope(cta) : !row to f32
    tile.map %x to %h scope(cta) : !row to !half {
    ^bb0(%e: f32):
      %q = arith.divf %e, %sum : f32
      %r = arith.truncf %q : f32 to f16
      tile.yield %r : f16
    }
    tile.copy %h to %b[%i, 0] [1, 1024] scope(cta) : !half to !gh
    gpu.return
  }

  // Sums of columns: the 4 lanes of a row access a sector and more, and 32 rows are summed by lanes and warps.
  // CHECK-LABEL: @columns
  // CHECK: !tile.buffer<64x48xf32, local, #tile.layout<(2, 32, 3, 4, 4) : (12, 4@tx, 4, 1@tx, 1)>>
  gpu.func @columns(%A: memref<64x48xf32>, %S: memref<1x48xf32>, %B: memref<64x48xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x48xf32>
    %s = tile.view %S : memref<1x48xf32>
    %b = tile.view %B : memref<64x48xf32>
    %c = tile.alloc : !c
    %sums = tile.alloc : !sums
    tile.copy %a to %c scope(cta) : !tile.buffer<64x48xf32, global> to !c
    tile.reduce add %c to %sums dim(0) scope(cta) : !c to !sums
    tile.copy %sums to %s scope(cta) : !sums to !tile.buffer<1x48xf32, global>
    tile.map %c, %sums to %c scope(cta) : !c, !sums to !c {
    ^bb0(%e: f32, %m: f32):
      %d = arith.subf %e, %m : f32
      tile.yield %d : f32
    }
    tile.copy %c to %b scope(cta) : !c to !tile.buffer<64x48xf32, global>
    gpu.return
  }

  // Each warp has a tile of its own.
  // CHECK-LABEL: @warps
  // CHECK: !tile.buffer<1x1024xf32, local, #tile.layout<(1, 8, 32, 4) : (1, 4, 1@laneid, 1)>>
  gpu.func @warps(%A: memref<8x1024xf32>, %B: memref<8x1024xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %a = tile.view %A : memref<8x1024xf32>
    %b = tile.view %B : memref<8x1024xf32>
    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %warp = arith.divui %thread, %c32 : index
    %first = arith.muli %block, %c4 : index
    %i = arith.addi %first, %warp : index
    %x = tile.alloc : !row
    %r = tile.alloc : !one
    tile.copy %a[%i, 0] [1, 1024] to %x scope(warp) : !g to !row
    tile.reduce max %x to %r dim(1) scope(warp) : !row to !one
    tile.map %x, %r to %x scope(warp) : !row, !one to !row {
    ^bb0(%e: f32, %m: f32):
      %d = arith.subf %e, %m : f32
      %p = math.exp %d : f32
      tile.yield %p : f32
    }
    tile.reduce add %x to %r dim(1) scope(warp) : !row to !one
    tile.map %x, %r to %x scope(warp) : !row, !one to !row {
    ^bb0(%e: f32, %s: f32):
      %q = arith.divf %e, %s : f32
      tile.yield %q : f32
    }
    tile.copy %x to %b[%i, 0] [1, 1024] scope(warp) : !row to !g
    gpu.return
  }
}
