// A promise that is hoisted out of a loop with zero iterations must not take effect: with zero iterations the kernel is
// correct for any offset, and otherwise for multiples of 8.

// RUN: tile-opt %s --loop-invariant-code-motion -o %t.moved.mlir
// RUN: FileCheck %s --input-file=%t.moved.mlir
// RUN: tile-opt %s --loop-invariant-code-motion --canonicalize --cse -o %t.all.mlir
// RUN: tile-run %t.moved.mlir --arg f16[32x64]=random --arg f16[32x32]=zeros --arg i64=13 --arg i64=0 --expect-unchanged 1
// RUN: tile-run %t.all.mlir --arg f16[32x64]=random --arg f16[32x32]=zeros --arg i64=13 --arg i64=0 --expect-unchanged 1
// RUN: tile-run %t.all.mlir --arg f16[32x64]=random --arg f16[32x32]=zeros --arg i64=16 --arg i64=1 --schedule=all | FileCheck %s --check-prefix=RUNS

// CHECK:      tile.assume
// CHECK:      scf.for
// CHECK-NOT:  tile.assume
// CHECK:      tile.copy

// The copy in the loop relies on the promise.
// RUNS: {{^ld.global.*v4.b32}}

!window = !tile.buffer<32x64xf16, global>
!out = !tile.buffer<32x32xf16, global>
!rows = !tile.buffer<32x32xf16, local, #tile.layout<(32, 32) : (1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @window(%A: memref<32x64xf16>, %B: memref<32x32xf16>, %column: index, %times: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.view %A : memref<32x64xf16> to !window
    %b = tile.view %B : memref<32x32xf16> to !out
    %r = tile.alloc : !rows
    scf.for %i = %c0 to %times step %c1 {
      %c = tile.assume %column divisible_by 8 : index
      tile.copy %a[0, %c] [32, 32] to %r[0, 0] [32, 32] scope(warp) : !window to !rows
      tile.copy %r to %b scope(warp) : !rows to !out
    }
    gpu.return
  }
}
