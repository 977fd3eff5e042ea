// Functions of 16-bit floats are computed on pairs of elements that share a register: the same bits as each alone.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python -c 'import numpy; h = numpy.float16; r = numpy.random.default_rng(0); \
// RUN:   x = r.normal(size=(16, 16)).astype(h); y = r.normal(size=(16, 16)).astype(h); m = r.normal(size=(16, 1)).astype(h); s = numpy.save; \
// RUN:   s("x", x); s("y", y); s("m", m); s("r", numpy.maximum((x * y).astype(h) - m, h(-0.5)) + h(0.75))'
// RUN: cd %t && tile-run %s --entry pairs --arg f16[16x16]=x.npy --arg f16[16x16]=y.npy --arg f16[16x1]=m.npy --arg f16[16x16]=poison --expect 3=r.npy
// RUN: cd %t && tile-run %s --entry columns --arg f16[16x16]=x.npy --arg f16[16x16]=y.npy --arg f16[16x1]=m.npy --arg f16[16x16]=poison --expect 3=r.npy
// RUN: cd %t && %python -c 'import numpy; x = numpy.random.default_rng(1).normal(size=(16, 16)).astype("f4"); s = numpy.save; \
// RUN:   s("f", x); s("doubled", (x * 2).astype("f2")); s("more", (x + 1).astype("f2"))'
// RUN: cd %t && tile-run %s --entry rounded --arg f32[16x16]=f.npy --arg i32=0 --arg f16[16x16]=poison --expect 2=doubled.npy
// RUN: cd %t && tile-run %s --entry rounded --arg f32[16x16]=f.npy --arg i32=1 --arg f16[16x16]=poison --expect 2=more.npy
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s

!x = !tile.buffer<16x16xf16, local, #tile.fragment<mma.m16n8k16.c>>
!m = !tile.buffer<16x1xf16, local, #tile.fragment<mma.m16n8k16.rows>>
!columns = !tile.buffer<16x16xf16, local, #tile.layout<(16, 16) : (1, 1@laneid)>>
!values = !tile.buffer<16x1xf16, local, #tile.layout<(16, 1) : (1, 1) + R(16 : 1@laneid)>>
!f = !tile.buffer<16x16xf32, local, #tile.fragment<mma.m16n8k16.c>>
!g = !tile.buffer<16x16xf16, global>
!gf = !tile.buffer<16x16xf32, global>
!h = !tile.buffer<16x1xf16, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Two columns of a row share a register; a row's value is used for both.
  // CHECK-LABEL: .entry pairs(
  // CHECK-NOT: {{(mul|sub|add)\.rn\.f16 }}
  // CHECK: mul.rn.f16x2
  // CHECK-NEXT: sub.rn.f16x2
  // CHECK: max.NaN.f16x2
  // CHECK: add.rn.f16x2
  gpu.func @pairs(%X: memref<16x16xf16>, %Y: memref<16x16xf16>, %M: memref<16x1xf16>, %R: memref<16x16xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %least = arith.constant -0.5 : f16
    %gx = tile.view %X : memref<16x16xf16>
    %gy = tile.view %Y : memref<16x16xf16>
    %gm = tile.view %M : memref<16x1xf16>
    %gr = tile.view %R : memref<16x16xf16>
    %x = tile.alloc : !x
    %y = tile.alloc : !x
    %m = tile.alloc : !m
    tile.copy %gx to %x scope(warp) : !g to !x
    tile.copy %gy to %y scope(warp) : !g to !x
    tile.copy %gm to %m scope(warp) : !h to !m
    tile.map %x, %y, %m to %x scope(warp) : !x, !x, !m to !x {
    ^bb0(%a: f16, %b: f16, %c: f16):
      %shift = arith.constant 0.75 : f16
      %p = arith.mulf %a, %b : f16
      %d = arith.subf %p, %c : f16
      %e = arith.maximumf %d, %least : f16
      %f = arith.addf %e, %shift : f16
      tile.yield %f : f16
    }
    tile.copy %x to %gr scope(warp) : !x to !g
    gpu.return
  }

  // Two rows of a column share a register, and each has a value of its own.
  // CHECK-LABEL: .entry columns(
  // CHECK-COUNT-8: mul.rn.f16x2
  // CHECK-NOT: mul.rn.f16
  gpu.func @columns(%X: memref<16x16xf16>, %Y: memref<16x16xf16>, %M: memref<16x1xf16>, %R: memref<16x16xf16>) kernel
      attributes {known_block_size = array<i32: 16, 1, 1>} {
    %least = arith.constant -0.5 : f16
    %gx = tile.view %X : memref<16x16xf16>
    %gy = tile.view %Y : memref<16x16xf16>
    %gm = tile.view %M : memref<16x1xf16>
    %gr = tile.view %R : memref<16x16xf16>
    %x = tile.alloc : !columns
    %y = tile.alloc : !columns
    %m = tile.alloc : !values
    tile.copy %gx to %x scope(cta) : !g to !columns
    tile.copy %gy to %y scope(cta) : !g to !columns
    tile.copy %gm to %m scope(cta) : !h to !values
    tile.map %x, %y, %m to %x scope(cta) : !columns, !columns, !values to !columns {
    ^bb0(%a: f16, %b: f16, %c: f16):
      %shift = arith.constant 0.75 : f16
      %p = arith.mulf %a, %b : f16
      %d = arith.subf %p, %c : f16
      %e = arith.maximumf %d, %least : f16
      %f = arith.addf %e, %shift : f16
      tile.yield %f : f16
    }
    tile.copy %x to %gr scope(cta) : !columns to !g
    gpu.return
  }

  // Two numbers that are rounded to one register are rounded where they stand: behind the branch, twice as many registers would be live.
  // CHECK-LABEL: .entry rounded(
  // CHECK-COUNT-4: cvt.rn.f16x2.f32
  // CHECK: bra
  // CHECK-COUNT-4: cvt.rn.f16x2.f32
  // CHECK-NOT: cvt.rn
  gpu.func @rounded(%X: memref<16x16xf32>, %adds: i32, %R: memref<16x16xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %none = arith.constant 0 : i32
    %two = arith.constant 2.0 : f32
    %one = arith.constant 1.0 : f32
    %gx = tile.view %X : memref<16x16xf32>
    %gr = tile.view %R : memref<16x16xf16>
    %x = tile.alloc : !f
    %r = tile.alloc : !x
    tile.copy %gx to %x scope(warp) : !gf to !f
    tile.map %x to %r scope(warp) : !f to !x {
    ^bb0(%e: f32):
      %p = arith.mulf %e, %two : f32
      %h = arith.truncf %p : f32 to f16
      tile.yield %h : f16
    }
    %is_added = arith.cmpi ne, %adds, %none : i32
    scf.if %is_added {
      tile.map %x to %r scope(warp) : !f to !x {
      ^bb0(%e: f32):
        %p = arith.addf %e, %one : f32
        %h = arith.truncf %p : f32 to f16
        tile.yield %h : f16
      }
    }
    tile.copy %r to %gr scope(warp) : !x to !g
    gpu.return
  }
}
