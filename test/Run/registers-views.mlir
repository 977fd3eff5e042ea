// Views of tiles in registers whose layouts are chosen: either side decides the other's, whatever decides first. Under every schedule: numpy's
// results.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python -c 'import numpy; r = numpy.random.default_rng(0); s = numpy.save; i = lambda *e: r.integers(-4, 5, e); \
// RUN:   a = i(64, 64).astype("f4"); c = numpy.concatenate([a @ a, a @ a.T], 1); s("a", a.astype("f2")); s("c", c); \
// RUN:   s("c1", c.sum(1, keepdims=True)); \
// RUN:   g = i(32, 256).astype("f4"); s("g", g); s("g8", g.reshape(32, 8, 32).max(2)); \
// RUN:   t = i(64, 32).astype("f4"); s("t", t); s("tt", numpy.ascontiguousarray(t.T - t.T.max(1, keepdims=True))); \
// RUN:   h = i(32, 128).astype("f2"); s("h", h); s("hr", numpy.concatenate([-h[:, 64:], h[:, :64]], 1)); \
// RUN:   x = i(128, 64).astype("f4"); s("x", x); s("xr", numpy.stack([x.max(1), x.sum(1)])); \
// RUN:   k = i(4, 16, 64).astype("f4"); s("k", k); s("ks", k.sum((0, 2), keepdims=True).reshape(16, 1))'
// RUN: cd %t && tile-run %s --chip sm_80 --entry halves --schedule all --arg f16[64x64]=a.npy --arg f32[64x128]=poison --arg f32[64x1]=poison \
// RUN:   --expect 1=c.npy --expect 2=c1.npy
// RUN: cd %t && tile-run %s --chip sm_90a --entry halves --schedule all --arg f16[64x64]=a.npy --arg f32[64x128]=poison --arg f32[64x1]=poison \
// RUN:   --expect 1=c.npy --expect 2=c1.npy
// RUN: cd %t && tile-run %s --chip sm_100a --entry halves --schedule all --arg f16[64x64]=a.npy --arg f32[64x128]=poison --arg f32[64x1]=poison \
// RUN:   --expect 1=c.npy --expect 2=c1.npy
// RUN: cd %t && tile-run %s --chip sm_90a --entry groups --schedule all --arg f32[32x256]=g.npy --arg f32[32x8]=poison --expect 1=g8.npy
// RUN: cd %t && tile-run %s --chip sm_90a --entry turned --schedule all --arg f32[64x32]=t.npy --arg f32[32x64]=poison --expect 1=tt.npy
// RUN: cd %t && tile-run %s --chip sm_90a --entry rotary --schedule all --arg f16[32x128]=h.npy --arg f16[32x128]=poison --expect 1=hr.npy
// RUN: cd %t && tile-run %s --chip sm_90a --entry two --schedule all --arg f32[128x64]=x.npy --arg f32[2x128]=poison --expect 1=xr.npy
// RUN: cd %t && tile-run %s --chip sm_90a --entry planes --schedule all --arg f32[4x16x64]=k.npy --arg f32[16x1]=poison --expect 1=ks.npy
// RUN: tile-opt --tile-choose-layouts=chip=sm_90a %s | FileCheck %s
// RUN: tile-opt --tile-choose-layouts=chip=sm_100a %s | FileCheck %s --check-prefix=TENSOR

!half = !tile.buffer<64x64xf16, global>
!factor = !tile.buffer<64x64xf16, shared, auto>
!wide = !tile.buffer<64x128xf32, local, auto>
!part = !tile.buffer<64x64xf32, local, auto>
!row = !tile.buffer<64x1xf32, local, auto>
!columns = !tile.buffer<32x256xf32, local, auto>
!grouped = !tile.buffer<32x8x32xf32, local, auto>
!each = !tile.buffer<32x8x1xf32, local, auto>
!largest = !tile.buffer<32x8xf32, local, auto>
!x = !tile.buffer<64x32xf32, local, auto>
!y = !tile.buffer<32x64xf32, local, auto>
!rows = !tile.buffer<32x1xf32, local, auto>
!both = !tile.buffer<32x128xf16, local, auto>
!one = !tile.buffer<32x64xf16, local, auto>
!tall = !tile.buffer<128x64xf32, local, auto>
!pair = !tile.buffer<128x2xf32, local, auto>
!single = !tile.buffer<128x1xf32, local, auto>
!turned = !tile.buffer<2x128xf32, local, auto>
!sums = !tile.buffer<16x1xf32, local, auto>
!planes = !tile.buffer<4x16x64xf32, local, auto>
!plane = !tile.buffer<16x64xf32, local, auto>

gpu.module @kernels {
  // Products decide the halves of a tile, and these the tile: the second one is in further registers of the same threads. In tensor memory
  // each half is added to by itself, since both are parts of what is copied back.
  // CHECK-LABEL: @halves
  // CHECK: tile.subview {{.*}}[0, 64] [64, 64] : !tile.buffer<64x128xf32, local, #tile.layout<(4, 2, 8, 2, 8, 4, 2) : ({{.*}}, 32, 4, 1@laneid, 1)>> to {{.*}} + 32>>
  // TENSOR-LABEL: @halves
  // TENSOR-COUNT-2: tile.mma {{.*}}tmem
  gpu.func @halves(%A: memref<64x64xf16>, %C: memref<64x128xf32>, %R: memref<64x1xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16>
    %c = tile.view %C : memref<64x128xf32>
    %r = tile.view %R : memref<64x1xf32>
    %s = tile.alloc : !factor
    %st = tile.permute %s [1, 0] : !factor
    %x = tile.alloc : !wide
    %row = tile.alloc : !row
    %x0 = tile.subview %x[0, 0] [64, 64] : !wide
    %x1 = tile.subview %x[0, 64] [64, 64] : !wide
    tile.copy %a to %s scope(cta) : !half to !factor
    tile.fill 0.0 to %x scope(cta) : !wide
    tile.mma %s, %s, %x0 scope(cta) : !factor, !factor, !part
    tile.mma %s, %st, %x1 scope(cta) : !factor, !factor, !part
    tile.reduce add %x to %row dim(1) scope(cta) : !wide to !row
    tile.copy %x to %c scope(cta) : !wide to !tile.buffer<64x128xf32, global>
    tile.copy %row to %r scope(cta) : !row to !tile.buffer<64x1xf32, global>
    gpu.return
  }
  // The view that is reduced is divided, so that a group of columns is in few lanes, and the tile follows. So does a view of the results.
  // CHECK-LABEL: @groups
  // CHECK: tile.reshape {{.*}} to !tile.buffer<32x8x32xf32, local, #tile.layout<(16, 2, 8, 8, 4) : (4, 64@tx, 8@tx, 1@tx, 1)>>
  gpu.func @groups(%A: memref<32x256xf32>, %C: memref<32x8xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x256xf32>
    %c = tile.view %C : memref<32x8xf32>
    %x = tile.alloc : !columns
    %g = tile.reshape %x : !columns to !grouped
    %m = tile.alloc : !each
    %r = tile.reshape %m : !each to !largest
    tile.copy %a to %x scope(cta) : !tile.buffer<32x256xf32, global> to !columns
    tile.reduce max %g to %m dim(2) scope(cta) : !grouped to !each
    tile.copy %r to %c scope(cta) : !largest to !tile.buffer<32x8xf32, global>
    gpu.return
  }
  // The larger of two tiles decides the other through a transposed view.
  // CHECK-LABEL: @turned
  gpu.func @turned(%A: memref<64x32xf32>, %C: memref<32x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x32xf32>
    %c = tile.view %C : memref<32x64xf32>
    %x = tile.alloc : !x
    %y = tile.alloc : !y
    %row = tile.alloc : !rows
    %t = tile.permute %x [1, 0] : !x
    tile.copy %a to %x scope(cta) : !tile.buffer<64x32xf32, global> to !x
    tile.reduce max %t to %row dim(1) scope(cta) : !y to !rows
    tile.map %t, %row to %y scope(cta) : !y, !rows to !y {
    ^bb0(%e: f32, %m: f32):
      %d = arith.subf %e, %m : f32
      tile.yield %d : f32
    }
    tile.copy %y to %c scope(cta) : !y to !tile.buffer<32x64xf32, global>
    gpu.return
  }
  // A tile is divided as its parts are: a thread has the same columns of both halves, and the map moves nothing.
  // CHECK-LABEL: @rotary
  // CHECK: tile.subview {{.*}}[0, 64] [32, 64] : {{.*}} to !tile.buffer<32x64xf16, local, #tile.layout<{{.*}} + 16>>
  gpu.func @rotary(%A: memref<32x128xf16>, %C: memref<32x128xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x128xf16>
    %c = tile.view %C : memref<32x128xf16>
    %x = tile.alloc : !both
    %lo = tile.subview %x[0, 0] [32, 64] : !both
    %hi = tile.subview %x[0, 64] [32, 64] : !both
    tile.copy %a to %x scope(cta) : !tile.buffer<32x128xf16, global> to !both
    tile.map %lo, %hi to %lo, %hi scope(cta) : !one, !one to !one, !one {
    ^bb0(%l: f16, %h: f16):
      %m = arith.negf %h : f16
      tile.yield %m, %l : f16, f16
    }
    tile.copy %x to %c scope(cta) : !both to !tile.buffer<32x128xf16, global>
    gpu.return
  }
  // Results of reductions are parts of a tile, which is copied transposed.
  // CHECK-LABEL: @two
  gpu.func @two(%A: memref<128x64xf32>, %C: memref<2x128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x64xf32>
    %c = tile.view %C : memref<2x128xf32>
    %x = tile.alloc : !tall
    %r = tile.alloc : !pair
    %r0 = tile.subview %r[0, 0] [128, 1] : !pair
    %r1 = tile.subview %r[0, 1] [128, 1] : !pair
    %t = tile.permute %r [1, 0] : !pair
    tile.copy %a to %x scope(cta) : !tile.buffer<128x64xf32, global> to !tall
    tile.reduce max %x to %r0 dim(1) scope(cta) : !tall to !single
    tile.reduce add %x to %r1 dim(1) scope(cta) : !tall to !single
    tile.copy %t to %c scope(cta) : !turned to !tile.buffer<2x128xf32, global>
    gpu.return
  }

  // Parts without their first dimension: each plane is added to the others.
  // CHECK-LABEL: @planes
  gpu.func @planes(%A: memref<4x16x64xf32>, %C: memref<16x1xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<4x16x64xf32>
    %c = tile.view %C : memref<16x1xf32>
    %x = tile.alloc : !planes
    %row = tile.alloc : !sums
    %sum = tile.subview %x[0, 0, 0] [1, 16, 64] : !planes to !plane
    tile.copy %a to %x scope(cta) : !tile.buffer<4x16x64xf32, global> to !planes
    %one = tile.subview %x[1, 0, 0] [1, 16, 64] : !planes to !plane
    %two = tile.subview %x[2, 0, 0] [1, 16, 64] : !planes to !plane
    %three = tile.subview %x[3, 0, 0] [1, 16, 64] : !planes to !plane
    tile.map %sum, %one, %two, %three to %sum scope(cta) : !plane, !plane, !plane, !plane to !plane {
    ^bb0(%p: f32, %q: f32, %r: f32, %s: f32):
      %pq = arith.addf %p, %q : f32
      %rs = arith.addf %r, %s : f32
      %all = arith.addf %pq, %rs : f32
      tile.yield %all : f32
    }
    tile.reduce add %sum to %row dim(1) scope(cta) : !plane to !sums
    tile.copy %row to %c scope(cta) : !sums to !tile.buffer<16x1xf32, global>
    gpu.return
  }
}
