// Scans of tiles in shared memory, of extents that divide into nothing, by threads that are no whole warps. The custom operator does not
// commute: it keeps the last even operand.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python -c 'import numpy; r = numpy.random.default_rng(0); s = numpy.save; \
// RUN:   x = r.integers(-99, 99, (7, 33)).astype("i4"); s("x", x); s("rows", x.cumsum(1).astype("i4")); \
// RUN:   s("columns", numpy.vstack([0 * x[:1], x.cumsum(0)[:-1]]).astype("i4")); \
// RUN:   e = x.copy(); [e.__setitem__((slice(None), i), numpy.where(x[:, i] % 2, e[:, i - 1], x[:, i])) for i in range(1, 33)]; s("even", e)'
// RUN: cd %t && tile-run %s --schedule=all --arg i32[7x33]=x.npy --arg i32[7x33]=poison --arg i32[7x33]=poison --arg i32[7x33]=poison \
// RUN:   --expect 1=rows.npy --expect 2=columns.npy --expect 3=even.npy | FileCheck %s
// RUN: cd %t && tile-run %s --delete-sync --arg i32[7x33]=x.npy --arg i32[7x33]=poison --arg i32[7x33]=poison --arg i32[7x33]=poison \
// RUN:   --expect 1=rows.npy --expect 2=columns.npy --expect 3=even.npy | FileCheck %s --check-prefix=REMOVED
// CHECK-COUNT-5: schedule {{.*}}: argument 1 holds what rows.npy holds
// REMOVED: {{[1-9][0-9]*}} noticed, 0 redundant, {{[0-9]+}} not executed, 0 not modelled, 0 missed

!g = !tile.buffer<7x33xi32, global>
!s = !tile.buffer<7x33xi32, shared>
!any = !tile.buffer<7x33xi32, shared, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @scans(%A: memref<7x33xi32>, %B: memref<7x33xi32>, %C: memref<7x33xi32>, %D: memref<7x33xi32>) kernel
      attributes {known_block_size = array<i32: 116, 1, 1>} {
    %a = tile.view %A : memref<7x33xi32>
    %b = tile.view %B : memref<7x33xi32>
    %c = tile.view %C : memref<7x33xi32>
    %d = tile.view %D : memref<7x33xi32>
    %x = tile.alloc : !any
    %y = tile.alloc : !s
    %z = tile.alloc : !s
    tile.copy %a to %x scope(cta) : !g to !any
    tile.block_scan exclusive add %x to %y dim(0) scope(cta) : !any to !s
    tile.block_scan inclusive custom %x to %z dim(1) scope(cta) : !any to !s combine {
    ^bb0(%left: i32, %right: i32):
      %is_odd = arith.trunci %right : i32 to i1
      %last = arith.select %is_odd, %left, %right : i32
      tile.yield %last : i32
    }
    tile.block_scan inclusive add %x to %x dim(1) scope(cta) : !any to !any
    tile.copy %x to %b scope(cta) : !any to !g
    tile.copy %y to %c scope(cta) : !s to !g
    tile.copy %z to %d scope(cta) : !s to !g
    gpu.return
  }
}
