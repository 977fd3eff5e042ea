// Products with an epilogue in few lines: the largest magnitude of each row by atomic maxima; rows as f8E4M3FN with a scale for each.
// REQUIRES: numpy
// RUN: split-file %s %t && cd %t && %python data.py
// RUN: tile-run kernel.mlir --entry rowmax --grid 4 --schedule all --arg f16[200x200]=a.npy --arg f16[200x136]=b.npy --arg f16[200x136]=poison \
// RUN:   --arg i32[200]=zeros --expect 2=c.npy --expect 3=max.npy | FileCheck %s --check-prefix=ROWMAX
// ROWMAX: atom.global.max.u32
// ROWMAX: stmatrix.sync.aligned.m8n8.x4.shared.b16 {{.*}} 0{{$}}
// RUN: tile-run kernel.mlir --entry quantize --grid 2 --schedule all --arg f16[200x200]=a.npy --arg f16[200x256]=wide.npy \
// RUN:   --arg f8E4M3FN[200x256]=poison --arg f32[200]=poison --expect 2=q.npy,rtol=0.07,atol=0.002 --expect 3=scales.npy,rtol=1e-6,atol=0 \
// RUN:   | FileCheck %s --check-prefix=QUANTIZE
// QUANTIZE: st.shared.b16 {{.*}} 0{{$}}

//--- kernel.mlir
!matrix = !tile.buffer<?x?xf16, global>
!a = !tile.buffer<128x64xf16, shared, auto>
!b = !tile.buffer<64x128xf16, shared, auto>
!c = !tile.buffer<128x128xf16, shared, auto>
!sums = !tile.buffer<128x128xf32, local, #tile.fragment<wgmma.c over (2, 1) warpgroups>>
!rows = !tile.buffer<128x1xf32, local, #tile.fragment<wgmma.rows over (2, 1) warpgroups>>
!bits = !tile.buffer<128x1xi32, local, #tile.fragment<wgmma.rows over (2, 1) warpgroups>>

!b2 = !tile.buffer<64x256xf16, shared, auto>
!q = !tile.buffer<128x256xf8E4M3FN, shared, auto>
!sums2 = !tile.buffer<128x256xf32, local, #tile.fragment<wgmma.c over (2, 1) warpgroups>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rowmax(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %C: memref<?x?xf16>, %Max: memref<?xi32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A divisible_by 8 : memref<?x?xf16>
    %b = tile.view %B divisible_by 8 : memref<?x?xf16>
    %c = tile.view %C divisible_by 8 : memref<?x?xf16>
    %m, %k = tile.extents %a : !matrix
    %max = tile.view %Max extents(%m) : memref<?xi32> to !tile.buffer<?x1xi32, global, #tile.layout<(?, 1) : (1, 1)>>
    %block = gpu.block_id x
    %row, %column = tile.block_order %block of %c [128, 128] rows : !matrix
    %sa, %sb, %sc, %sums, %most, %bits = tile.allocs : !a, !b, !c, !sums, !rows, !bits
    tile.fill 0.0 to %sums scope(cta) : !sums
    affine.for %i = 0 to %k step 64 {
      tile.copy_async %a[%row, %i] to %sa scope(cta) masked fill(0.0) : !matrix to !a
      tile.copy_async %b[%i, %column] to %sb scope(cta) masked fill(0.0) : !matrix to !b
      tile.mma %sa, %sb, %sums scope(cta) group : !a, !b, !sums
    } {tile.stages = 4 : i64}
    tile.map { arith.truncf } %sums to %sc scope(cta) : !sums to !c
    tile.copy %sc to %c[%row, %column] scope(cta) masked : !c to !matrix
    tile.map { math.absf } %sums to %sums scope(cta) : !sums to !sums
    tile.reduce max %sums to %most dim(1) scope(cta) : !sums to !rows
    // Magnitudes are ordered as their bits are: an integer maximum is one instruction, one of f32 is a loop.
    tile.map { arith.bitcast } %most to %bits scope(cta) : !rows to !bits
    tile.copy %bits to %max[%row, 0] scope(cta) reduce(umax) masked : !bits to !tile.buffer<?x1xi32, global, #tile.layout<(?, 1) : (1, 1)>>
    gpu.return
  }

  gpu.func @quantize(%A: memref<?x?xf16>, %B: memref<?x256xf16>, %Q: memref<?x256xf8E4M3FN>, %S: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A divisible_by 8 : memref<?x?xf16>
    %b = tile.view %B : memref<?x256xf16>
    %q = tile.view %Q : memref<?x256xf8E4M3FN>
    %m, %k = tile.extents %a : !matrix
    %s = tile.view %S extents(%m) : memref<?xf32> to !tile.buffer<?x1xf32, global, #tile.layout<(?, 1) : (1, 1)>>
    %block = gpu.block_id x
    %row = affine.apply affine_map<(block) -> (128 * block)>(%block)
    %sa, %sb, %sq, %sums, %most, %share = tile.allocs : !a, !b2, !q, !sums2, !rows, !rows
    tile.fill 0.0 to %sums scope(cta) : !sums2
    affine.for %i = 0 to %k step 64 {
      tile.copy_async %a[%row, %i] to %sa scope(cta) masked fill(0.0) : !matrix to !a
      tile.copy_async %b[%i, 0] to %sb scope(cta) masked fill(0.0) : !tile.buffer<?x256xf16, global> to !b2
      tile.mma %sa, %sb, %sums scope(cta) group : !a, !b2, !sums2
    } {tile.stages = 4 : i64}
    // The largest magnitude without a second tile of 128 registers: a reduction with an operator of one's own.
    tile.reduce custom %sums to %most dim(1) scope(cta) : !sums2 to !rows combine {
    ^bb0(%l: f32, %r: f32):
      %la = math.absf %l : f32
      %ra = math.absf %r : f32
      %larger = arith.maximumf %la, %ra : f32
      tile.yield %larger : f32
    }
    tile.fill 2.2321428571428572e-03 to %share scope(cta) : !rows     // 1 / 448
    tile.map { arith.mulf } %most, %share to %most scope(cta) : !rows, !rows to !rows
    tile.map %sums, %most to %sums scope(cta) : !sums2, !rows to !sums2 {
    ^bb0(%e: f32, %scale: f32):
      %quotient = arith.divf %e, %scale : f32
      %zero = arith.constant 0.0 : f32
      %is_zero = arith.cmpf oeq, %scale, %zero : f32
      %r = arith.select %is_zero, %zero, %quotient : f32
      tile.yield %r : f32
    }
    tile.copy %sums to %sq scope(cta) : !sums2 to !q
    tile.copy %sq to %q[%row, 0] scope(cta) masked : !q to !tile.buffer<?x256xf8E4M3FN, global>
    tile.copy %most to %s[%row, 0] scope(cta) masked : !rows to !tile.buffer<?x1xf32, global, #tile.layout<(?, 1) : (1, 1)>>
    gpu.return
  }
}

//--- data.py
import numpy as np

random = np.random.default_rng(0)
a, b, wide = (random.integers(-3, 4, size).astype("f2") for size in ((200, 200), (200, 136), (200, 256)))
c, sums = (a.astype("f4") @ factor.astype("f4") for factor in (b, wide))
scales = np.abs(sums).max(1) * np.float32(1 / 448)
most = np.abs(c).max(1).astype("f4").view("i4")
# Numbers of 8 bits are within a 16th, or half of the smallest.
for name, array in dict(a=a, b=b, wide=wide, c=c.astype("f2"), max=most, q=sums / scales[:, None], scales=scales).items():
    np.save(name, array)
