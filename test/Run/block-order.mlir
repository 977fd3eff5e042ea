// Each tile is visited by one block, whatever the order: blocks add a tile to zeros, with more blocks than tiles, and sizes that neither
// tiles nor groups divide. Then the order itself: each block writes its number at its tile.
// RUN: tile-run %s --entry add_rows --grid 40 --arg f32[100x70]=uniform(0,100) --arg f32[100x70]=zeros --expect-equal 0,1
// RUN: tile-run %s --entry add_columns --grid 40 --arg f32[100x70]=uniform(0,100) --arg f32[100x70]=zeros --expect-equal 0,1
// RUN: tile-run %s --entry add_grouped --grid 40 --schedule=all --arg f32[100x70]=uniform(0,100) --arg f32[100x70]=zeros --expect-equal 0,1
// RUN: tile-run %s --entry add_grouped --grid 16 --arg f32[64x50]=uniform(0,100) --arg f32[64x50]=zeros --expect-equal 0,1
// RUN: tile-run %s --entry add_grouped --grid 40 --arg f32[96x50]=uniform(0,100) --arg f32[96x50]=zeros --expect-equal 0,1
// RUN: tile-run %s --entry add_grouped --grid 2 --arg f32[3x3]=uniform(0,100) --arg f32[3x3]=zeros --expect-equal 0,1
// RUN: tile-run %s --entry add_grouped --grid 64 --arg f32[17x500]=uniform(0,100) --arg f32[17x500]=zeros --expect-equal 0,1

// A block that is missing is seen.
// RUN: not tile-run %s --entry add_grouped --grid 34 --arg f32[100x70]=uniform(1,100) --arg f32[100x70]=zeros --expect-equal 0,1 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: argument 1

// Blocks that take several tiles, by their numbers.
// RUN: tile-run %s --entry several --grid 4 --arg f32[100x70]=uniform(0,100) --arg f32[100x70]=zeros --expect-equal 0,1

// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python %S/Inputs/block-order.py
// RUN: tile-run %s --entry number_rows --grid 35 --arg i32[7x5]=poison --expect 0=%t/rows.npy
// RUN: tile-run %s --entry number_columns --grid 35 --arg i32[7x5]=poison --expect 0=%t/columns.npy
// RUN: tile-run %s --entry number_grouped --grid 35 --arg i32[7x5]=poison --expect 0=%t/grouped.npy

// The same arithmetic for portable targets.
// RUN: tile-translate %s --tile-to-wgsl --kernel=number_grouped | FileCheck %s --check-prefix=WGSL
// WGSL: min(
!matrix = !tile.buffer<?x?xf32, global, #tile.layout<(?, ?) : (?, 1)>>
!part = !tile.buffer<16x16xf32, local, #tile.layout<(16, 4, 4) : (4@tx, 1@tx, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @add_rows(%A: memref<?x?xf32>, %B: memref<?x?xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %a = tile.view %A : memref<?x?xf32>
    %b = tile.view %B : memref<?x?xf32>
    %rows = memref.dim %A, %c0 : memref<?x?xf32>
    %columns = memref.dim %A, %c1 : memref<?x?xf32>
    %m = arith.ceildivui %rows, %c16 : index
    %n = arith.ceildivui %columns, %c16 : index
    %block = gpu.block_id x
    %i, %j = tile.block_order %block of (%m, %n) rows
    %row = arith.muli %i, %c16 : index
    %column = arith.muli %j, %c16 : index
    %r = tile.alloc : !part
    tile.copy %a[%row, %column] [16, 16] to %r scope(cta) masked : !matrix to !part
    tile.copy %r to %b[%row, %column] [16, 16] scope(cta) reduce(add) masked : !part to !matrix
    gpu.return
  }
  gpu.func @add_columns(%A: memref<?x?xf32>, %B: memref<?x?xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %a = tile.view %A : memref<?x?xf32>
    %b = tile.view %B : memref<?x?xf32>
    %rows = memref.dim %A, %c0 : memref<?x?xf32>
    %columns = memref.dim %A, %c1 : memref<?x?xf32>
    %m = arith.ceildivui %rows, %c16 : index
    %n = arith.ceildivui %columns, %c16 : index
    %block = gpu.block_id x
    %i, %j = tile.block_order %block of (%m, %n) columns
    %row = arith.muli %i, %c16 : index
    %column = arith.muli %j, %c16 : index
    %r = tile.alloc : !part
    tile.copy %a[%row, %column] [16, 16] to %r scope(cta) masked : !matrix to !part
    tile.copy %r to %b[%row, %column] [16, 16] scope(cta) reduce(add) masked : !part to !matrix
    gpu.return
  }
  gpu.func @add_grouped(%A: memref<?x?xf32>, %B: memref<?x?xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %a = tile.view %A : memref<?x?xf32>
    %b = tile.view %B : memref<?x?xf32>
    %rows = memref.dim %A, %c0 : memref<?x?xf32>
    %columns = memref.dim %A, %c1 : memref<?x?xf32>
    %m = arith.ceildivui %rows, %c16 : index
    %n = arith.ceildivui %columns, %c16 : index
    %block = gpu.block_id x
    %i, %j = tile.block_order %block of (%m, %n) grouped(3)
    %row = arith.muli %i, %c16 : index
    %column = arith.muli %j, %c16 : index
    %r = tile.alloc : !part
    tile.copy %a[%row, %column] [16, 16] to %r scope(cta) masked : !matrix to !part
    tile.copy %r to %b[%row, %column] [16, 16] scope(cta) reduce(add) masked : !part to !matrix
    gpu.return
  }
  gpu.func @several(%A: memref<?x?xf32>, %B: memref<?x?xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %a = tile.view %A : memref<?x?xf32>
    %b = tile.view %B : memref<?x?xf32>
    %rows = memref.dim %A, %c0 : memref<?x?xf32>
    %columns = memref.dim %A, %c1 : memref<?x?xf32>
    %m = arith.ceildivui %rows, %c16 : index
    %n = arith.ceildivui %columns, %c16 : index
    %tiles = arith.muli %m, %n : index
    %block = gpu.block_id x
    %blocks = gpu.grid_dim x
    %r = tile.alloc : !part
    scf.for %tile = %block to %tiles step %blocks {
      %i, %j = tile.block_order %tile of (%m, %n) grouped(3)
      %row = arith.muli %i, %c16 : index
      %column = arith.muli %j, %c16 : index
      tile.copy %a[%row, %column] [16, 16] to %r scope(cta) masked : !matrix to !part
      tile.copy %r to %b[%row, %column] [16, 16] scope(cta) reduce(add) masked : !part to !matrix
    }
    gpu.return
  }
  gpu.func @number_rows(%numbers: memref<?x?xi32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.dim %numbers, %c0 : memref<?x?xi32>
    %n = memref.dim %numbers, %c1 : memref<?x?xi32>
    %block = gpu.block_id x
    %i, %j = tile.block_order %block of (%m, %n) rows
    %number = arith.index_cast %block : index to i32
    memref.store %number, %numbers[%i, %j] : memref<?x?xi32>
    gpu.return
  }
  gpu.func @number_columns(%numbers: memref<?x?xi32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.dim %numbers, %c0 : memref<?x?xi32>
    %n = memref.dim %numbers, %c1 : memref<?x?xi32>
    %block = gpu.block_id x
    %i, %j = tile.block_order %block of (%m, %n) columns
    %number = arith.index_cast %block : index to i32
    memref.store %number, %numbers[%i, %j] : memref<?x?xi32>
    gpu.return
  }
  gpu.func @number_grouped(%numbers: memref<?x?xi32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.dim %numbers, %c0 : memref<?x?xi32>
    %n = memref.dim %numbers, %c1 : memref<?x?xi32>
    %block = gpu.block_id x
    %i, %j = tile.block_order %block of (%m, %n) grouped(3)
    %number = arith.index_cast %block : index to i32
    memref.store %number, %numbers[%i, %j] : memref<?x?xi32>
    gpu.return
  }
}
