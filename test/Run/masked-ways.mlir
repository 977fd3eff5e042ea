// A masked copy is done in one of two ways, vector by vector where its region is inside. What it touches is known for both, each
// with the width that it gets: a copy that is inside only at column 0 begins there.

// RUN: tile-opt %s --tile-insert-sync | FileCheck %s --check-prefix=ORDER
// RUN: not tile-opt %s --tile-check-sync -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: tile-run %s --schedule=all --arg i32[16x13]=iota --arg i32[16x16]=zeros --arg i64=0
// RUN: tile-run %s --schedule=all --arg i32[16x13]=iota --arg i32[16x16]=zeros --arg i64=3
// ORDER: tile.copy
// ORDER-NEXT: gpu.barrier
// ORDER-NEXT: tile.copy
// ERROR: error: 'tile.copy' op reads shared memory that an earlier operation writes, and nothing orders the two

!in = !tile.buffer<16x13xi32, global>
!out = !tile.buffer<16x16xi32, global>
!s = !tile.buffer<16x16xi32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @k(%A: memref<16x13xi32>, %B: memref<16x16xi32>, %q: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %z = arith.constant 5 : i32
    %a = tile.view %A : memref<16x13xi32>
    %b = tile.view %B : memref<16x16xi32>
    %s = tile.alloc : !s
    tile.copy %a[0, 0] [16, 16] to %s scope(cta) masked fill(%z : i32) : !in to !s
    tile.copy %s to %b[0, %q] [16, 16] scope(cta) masked : !s to !out
    gpu.return
  }
}
