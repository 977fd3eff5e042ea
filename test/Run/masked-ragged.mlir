// Columns that are beyond the end of a matrix are not those of the next row, wherever the rows begin.
// RUN: tile-opt %s --tile-insert-sync | FileCheck %s
// RUN: tile-run %s --schedule=all --grid 2 --arg i32[9x18]=iota --arg i32[9x18]=zeros --expect-equal 0,1
// CHECK: tile.copy
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: tile.copy
// CHECK-NEXT: tile.copy

!s = !tile.buffer<8x32xi32, shared>
!g = !tile.buffer<9x18xi32, global>
!r = !tile.buffer<8x32xi32, local, #tile.layout<(4, 2, 32) : (1, 32@tx, 1@tx)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @k(%A: memref<9x18xi32>, %B: memref<9x18xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %z = arith.constant 0 : i32
    %c8 = arith.constant 8 : index
    %x = gpu.block_id x
    %row = arith.muli %x, %c8 : index
    %a = tile.view %A : memref<9x18xi32>
    %b = tile.view %B : memref<9x18xi32>
    %s = tile.alloc : !s
    %r = tile.alloc : !r
    tile.copy %a[%row, 0] [8, 32] to %s scope(cta) masked fill(%z : i32) : !g to !s
    tile.copy %s to %r scope(cta) : !s to !r
    tile.copy %r to %b[%row, 0] [8, 32] scope(cta) masked : !r to !g
    gpu.return
  }
}
