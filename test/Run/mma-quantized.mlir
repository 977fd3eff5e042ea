// A product of bytes with a scale for each row of both factors and a bias, rounded to f16 where the sums are. The layouts of the shared
// tiles are chosen; fragments are loaded from them by ldmatrix.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python -c 'import numpy; r = numpy.random.default_rng(1); s = numpy.save; \
// RUN:   a = r.integers(-128, 128, (100, 176)).astype("i1"); w = r.integers(-128, 128, (72, 176)).astype("i1"); \
// RUN:   p = r.integers(1, 5, 100).astype("f4") / 64; q = r.integers(1, 5, 72).astype("f4") / 64; b = r.integers(-9, 9, 72).astype("f4"); \
// RUN:   s("a", a); s("w", w); s("p", p); s("q", q); s("b", b); \
// RUN:   s("c", ((a.astype("i4") @ w.astype("i4").T).astype("f4") * p[:, None] * q[None, :] + b).astype("f2"))'
// RUN: cd %t && tile-run %s --grid 2,2 --schedule all --arg i8[100x176]=a.npy --arg i8[72x176]=w.npy --arg f32[100]=p.npy --arg f32[72]=q.npy \
// RUN:   --arg f32[72]=b.npy --arg f16[100x72]=poison --expect 5=c.npy | FileCheck %s
// CHECK: schedule {{.*}}: argument 5 holds what c.npy holds
// CHECK-NOT: ld.shared.b32
// CHECK: ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{[0-9]+}} {{[0-9]+}} {{.*}} 0{{$}}

!ga = !tile.buffer<?x?xi8, global>
!gc = !tile.buffer<?x?xf16, global>
!sa = !tile.buffer<64x64xi8, shared, auto>
!sw = !tile.buffer<64x64xi8, shared, auto>
!a = !tile.buffer<64x64xi8, local, auto>
!b = !tile.buffer<64x64xi8, local, auto>
!c = !tile.buffer<64x64xi32, local, auto>
!h = !tile.buffer<64x64xf16, local, auto>
!rows = !tile.buffer<64x1xf32, local, auto>
!cols = !tile.buffer<1x64xf32, local, auto>
!sc = !tile.buffer<64x64xf16, shared, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @qgemm(%A: memref<?x?xi8>, %W: memref<?x?xi8>, %SA: memref<?xf32>, %SW: memref<?xf32>, %Bias: memref<?xf32>, %C: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %z8 = arith.constant 0 : i8
    %z = arith.constant 0 : i32
    %zf = arith.constant 0.0 : f32
    %pa = tile.assume %A divisible_by 16 : memref<?x?xi8>
    %pw = tile.assume %W divisible_by 16 : memref<?x?xi8>
    %pc = tile.assume %C divisible_by 8 : memref<?x?xf16>
    %k = memref.dim %pa, %c1 : memref<?x?xi8>
    %a = tile.view %pa : memref<?x?xi8>
    %w = tile.view %pw : memref<?x?xi8>
    %c = tile.view %pc : memref<?x?xf16>
    %sav = tile.view %SA : memref<?xf32>
    %swv = tile.view %SW : memref<?xf32>
    %bv = tile.view %Bias : memref<?xf32>
    %say = tile.reshape %sav : !tile.buffer<?xf32, global> to !tile.buffer<?x1xf32, global>
    %swy = tile.reshape %swv : !tile.buffer<?xf32, global> to !tile.buffer<1x?xf32, global>
    %by = tile.reshape %bv : !tile.buffer<?xf32, global> to !tile.buffer<1x?xf32, global>
    %x = gpu.block_id x
    %y = gpu.block_id y
    %row = arith.muli %y, %c64 : index
    %col = arith.muli %x, %c64 : index
    %sa = tile.alloc : !sa
    %sw = tile.alloc : !sw
    %sc = tile.alloc : !sc
    %fa = tile.alloc : !a
    %fb = tile.alloc : !b
    %fc = tile.alloc : !c
    %fh = tile.alloc : !h
    %ra = tile.alloc : !rows
    %rw = tile.alloc : !cols
    %rb = tile.alloc : !cols
    %swt = tile.permute %sw [1, 0] : !sw
    tile.fill %z to %fc scope(cta) : i32 to !c
    scf.for %i = %c0 to %k step %c64 {
      tile.copy_async %a[%row, %i] [64, 64] to %sa masked fill(%z8 : i8) scope(cta) : !ga to !sa
      tile.copy_async %w[%col, %i] [64, 64] to %sw masked fill(%z8 : i8) scope(cta) : !ga to !sw
      tile.copy %sa to %fa scope(cta) : !sa to !a
      tile.copy %swt to %fb scope(cta) : !tile.buffer<64x64xi8, shared, auto> to !b
      tile.mma %fa, %fb, %fc convert(signed) scope(cta) : !a, !b, !c
    } {tile.stages = 3 : i64}
    tile.copy %say[%row, 0] [64, 1] to %ra scope(cta) masked fill(%zf : f32) : !tile.buffer<?x1xf32, global> to !rows
    tile.copy %swy[0, %col] [1, 64] to %rw scope(cta) masked fill(%zf : f32) : !tile.buffer<1x?xf32, global> to !cols
    tile.copy %by[0, %col] [1, 64] to %rb scope(cta) masked fill(%zf : f32) : !tile.buffer<1x?xf32, global> to !cols
    tile.map %fc, %ra, %rw, %rb to %fh scope(cta) : !c, !rows, !cols, !cols to !h {
    ^bb0(%s: i32, %p: f32, %q: f32, %o: f32):
      %sf = arith.sitofp %s : i32 to f32
      %s1 = arith.mulf %sf, %p : f32
      %s2 = arith.mulf %s1, %q : f32
      %s3 = arith.addf %s2, %o : f32
      %r = arith.truncf %s3 : f32 to f16
      tile.yield %r : f16
    }
    tile.copy %fh to %sc scope(cta) : !h to !sc
    tile.copy %sc to %c[%row, %col] [64, 64] scope(cta) masked : !sc to !gc
    gpu.return
  }
}
