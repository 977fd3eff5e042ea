// What a view promises of its memref is known of the extents that are read behind it, and of no others.
// RUN: tile-run %s --entry behind --grid 3 --schedule all --arg f16[3x64]=random --arg f16[3x64]=poison --expect-equal 0,1
// RUN: tile-opt %s --tile-align-layouts --tile-vectorize-copy | FileCheck %s

!matrix = !tile.buffer<?x?xf16, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: @behind
  // CHECK: vector = 2,
  gpu.func @behind(%A: memref<?x?xf16>, %B: memref<?x?xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = tile.view %A divisible_by 8 : memref<?x?xf16>
    %b = tile.view %B divisible_by 8 : memref<?x?xf16>
    %i = gpu.block_id x
    %n = memref.dim %A, %c1 : memref<?x?xf16>
    %last = arith.subi %n, %c64 : index
    tile.copy %a[%i, %last] [1, 64] to %b[%i, %last] [1, 64] scope(warp) : !matrix to !matrix
    gpu.return
  }

  // In a branch behind it, too.
  // CHECK-LABEL: @inside
  // CHECK: vector = 2,
  gpu.func @inside(%A: memref<?x?xf16>, %B: memref<?x?xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = tile.view %A divisible_by 8 : memref<?x?xf16>
    %b = tile.view %B divisible_by 8 : memref<?x?xf16>
    %i = gpu.block_id x
    %some = arith.cmpi ne, %i, %c0 : index
    scf.if %some {
      %n = memref.dim %A, %c1 : memref<?x?xf16>
      %last = arith.subi %n, %c64 : index
      tile.copy %a[%i, %last] [1, 64] to %b[%i, %last] [1, 64] scope(warp) : !matrix to !matrix
    }
    gpu.return
  }

  // The view may be one that is never made: nothing is promised outside of its branch.
  // CHECK-LABEL: @outside
  // CHECK-NOT: vector = 2,
  // CHECK: gpu.return
  gpu.func @outside(%A: memref<?x?xf16>, %B: memref<?x?xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %b = tile.view %B divisible_by 8 : memref<?x?xf16>
    %i = gpu.block_id x
    %some = arith.cmpi ne, %i, %c0 : index
    scf.if %some {
      %a = tile.view %A divisible_by 8 : memref<?x?xf16>
      tile.copy %a[%i, 0] [1, 4] to %b[%i, 0] [1, 4] scope(warp) : !matrix to !matrix
    }
    %n = memref.dim %A, %c1 : memref<?x?xf16>
    %last = arith.subi %n, %c64 : index
    %a = tile.view %A : memref<?x?xf16>
    tile.copy %a[%i, %last] [1, 64] to %b[%i, %last] [1, 64] scope(warp) : !matrix to !matrix
    gpu.return
  }
}
