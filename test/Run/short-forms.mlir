// What is written short does what is written long: the same PTX, and the same memory.
// RUN: split-file %s %t
// RUN: tile-opt %t/short.mlir --tile-build | tile-translate --tile-to-ptx -o %t/short.ptx
// RUN: tile-opt %t/long.mlir --tile-build | tile-translate --tile-to-ptx -o %t/long.ptx
// RUN: cmp %t/short.ptx %t/long.ptx
// The promises make the accesses wide; without them, they are not.
// RUN: FileCheck %s --check-prefix=WIDE --input-file %t/short.ptx
// WIDE: ld.global{{.*}}.v4
// RUN: sed 's/ divisible_by 4//' %t/short.mlir | tile-opt --tile-build | tile-translate --tile-to-ptx | FileCheck %s --check-prefix=NARROW
// NARROW-NOT: ld.global{{.*}}.v4

// 48 x 100 elements are 3 x 4 tiles of 16 x 32, the last of which are not whole. A block without a tile ends.
// RUN: tile-run %t/short.mlir --entry copy --grid 14 --schedule=all --arg f32[48x100]=uniform(0,100) --arg f32[48x100]=zeros --arg index=12 --expect-equal 0,1
// A block too few leaves a tile.
// RUN: not tile-run %t/short.mlir --entry copy --grid 14 --arg f32[48x100]=uniform(1,100) --arg f32[48x100]=zeros --arg index=11 --expect-equal 0,1 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT: argument 1

// Step by step, as in one.
// RUN: tile-opt %t/short.mlir --lower-tile-copy --tile-to-nvvm | tile-translate --tile-to-ptx -o %t/lowered.ptx
// RUN: tile-run %t/lowered.ptx --entry copy --grid 14 --block 128 --arg f32[48x100]=uniform(0,100) --arg u64=48 --arg u64=100 --arg f32[48x100]=zeros --arg u64=48 --arg u64=100 --arg u64=12 --expect-equal 0,3

// Bounds are proved by what is written short, and not without it.
// RUN: tile-opt %t/bounds.mlir --tile-check-bounds=strict=true -o /dev/null
// RUN: sed '/return_if/d' %t/bounds.mlir | not tile-opt --tile-check-bounds=strict=true -o /dev/null 2>&1 | FileCheck %s --check-prefix=END
// END: error: 'tile.copy' op is not proved to stay inside its buffer in dimension 0
// RUN: sed 's/i32: 6, 1, 1/i32: 7, 1, 1/' %t/bounds.mlir | not tile-opt --tile-check-bounds=strict=true -o /dev/null 2>&1 | FileCheck %s --check-prefix=MATRIX
// MATRIX: error: 'tile.fill' op {{.*}} in dimension 0
// RUN: tile-opt %t/short.mlir --tile-check-sync -o /dev/null

// Constants of all kinds, in registers, in memory and outside of a matrix.
// REQUIRES: numpy
// RUN: cd %t && %python constants.py
// RUN: tile-run %t/constants.mlir --entry floats --grid 1 --schedule=all --arg f32[4x32]=poison --expect 0=%t/floats.npy
// RUN: tile-run %t/constants.mlir --entry integers --grid 1 --arg i8[2x32]=poison --expect 0=%t/integers.npy
// RUN: tile-run %t/constants.mlir --entry outside --grid 1 --arg f32[2x32]=ones --arg f32[4x32]=poison --expect 1=%t/outside.npy

// What a block_order knows of a tile that a branch yields: its extents.
// RUN: tile-run %t/constants.mlir --entry either --grid 12 --arg f32[48x100]=zeros --arg f32[20x20]=zeros --arg i1=1 --expect 0=%t/all.npy

// The body of a launch ends, too.
// RUN: tile-opt %t/launch.mlir --lower-tile-copy | FileCheck %s --check-prefix=LAUNCH
// LAUNCH: gpu.launch
// LAUNCH:   scf.if
// LAUNCH:   } else {
// LAUNCH:     vector.store

//--- short.mlir
!matrix = !tile.buffer<?x?xf32, global>
!tile = !tile.buffer<16x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copy(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %tiles: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A divisible_by 4 aligned 16 : memref<?x?xf32>
    %b = tile.view %B divisible_by 4 aligned 16 : memref<?x?xf32>
    %block = gpu.block_id x
    %beyond = arith.cmpi uge, %block, %tiles : index
    tile.return_if %beyond
    %row, %column = tile.block_order %block of %b [16, 32] grouped(2) : !matrix
    %s = tile.alloc : !tile
    tile.copy %a[%row, %column] to %s scope(cta) masked fill(0.0) : !matrix to !tile
    gpu.barrier
    tile.copy %s to %b[%row, %column] scope(cta) masked : !tile to !matrix
    gpu.return
  }
}

//--- long.mlir
!matrix = !tile.buffer<?x?xf32, global>
!tile = !tile.buffer<16x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copy(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %tiles: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %A4 = tile.assume %A divisible_by 4 aligned 16 : memref<?x?xf32>
    %B4 = tile.assume %B divisible_by 4 aligned 16 : memref<?x?xf32>
    %a = tile.view %A4 : memref<?x?xf32>
    %b = tile.view %B4 : memref<?x?xf32>
    %block = gpu.block_id x
    %inside = arith.cmpi ult, %block, %tiles : index
    scf.if %inside {
      %rows = memref.dim %B, %c0 : memref<?x?xf32>
      %columns = memref.dim %B, %c1 : memref<?x?xf32>
      %m = arith.ceildivui %rows, %c16 : index
      %n = arith.ceildivui %columns, %c32 : index
      %i, %j = tile.block_order %block of (%m, %n) grouped(2)
      %row = arith.muli %i, %c16 : index
      %column = arith.muli %j, %c32 : index
      %s = tile.alloc : !tile
      tile.copy %a[%row, %column] [16, 32] to %s scope(cta) masked fill(%zero : f32) : !matrix to !tile
      gpu.barrier
      tile.copy %s to %b[%row, %column] [16, 32] scope(cta) masked : !tile to !matrix
    }
    gpu.return
  }
}

//--- bounds.mlir
!rows = !tile.buffer<?x16xf32, global>
!tile = !tile.buffer<16x16xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rows(%A: memref<?x16xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %a = tile.view %A aligned 16 : memref<?x16xf32>
    %m = memref.dim %A, %c0 : memref<?x16xf32>
    %block = gpu.block_id x
    %row = arith.muli %block, %c16 : index
    %last = arith.subi %m, %c16 : index
    %beyond = arith.cmpi sgt, %row, %last : index
    tile.return_if %beyond
    %s = tile.alloc : !tile
    tile.copy %a[%row, 0] to %s scope(cta) : !rows to !tile
    gpu.return
  }
  gpu.func @tiles(%A: memref<96x64xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 6, 1, 1>} {
    %a = tile.view %A : memref<96x64xf32>
    %block = gpu.block_id x
    %row, %column = tile.block_order %block of %a [32, 32] rows : !tile.buffer<96x64xf32, global>
    tile.fill 0.0 to %a[%row, %column] [32, 32] scope(cta) : !tile.buffer<96x64xf32, global>
    gpu.return
  }
}

//--- constants.mlir
!four = !tile.buffer<4x32xf32, global>
!two = !tile.buffer<2x32xf32, global>
!row = !tile.buffer<1x32xf32, local, #tile.layout<(1, 32) : (1, 1@laneid)>>
!bytes = !tile.buffer<2x32xi8, global>
!tile = !tile.buffer<4x32xf32, shared>
!matrix = !tile.buffer<?x?xf32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @floats(%A: memref<4x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<4x32xf32>
    tile.fill -inf to %a[0, 0] [1, 32] scope(cta) : !four
    tile.fill 0.1 to %a[1, 0] [1, 32] scope(cta) : !four
    tile.fill 0xC0490FDB : f32 to %a[2, 0] [1, 32] scope(cta) : !four
    %r = tile.alloc : !row
    tile.fill 7.0 to %r scope(warp) : !row
    tile.copy %r to %a[3, 0] scope(warp) : !row to !four
    gpu.return
  }
  gpu.func @integers(%A: memref<2x32xi8>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<2x32xi8>
    tile.fill -3 to %a[0, 0] [1, 32] scope(cta) : !bytes
    tile.fill 200 to %a[1, 0] [1, 32] scope(cta) : !bytes
    gpu.return
  }
  gpu.func @outside(%A: memref<2x32xf32>, %B: memref<4x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<2x32xf32>
    %b = tile.view %B : memref<4x32xf32>
    %s = tile.alloc : !tile
    tile.copy_async %a[0, 0] to %s scope(cta) group masked fill(0.0) : !two to !tile
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(cta) : !tile to !four
    gpu.barrier
    tile.copy %a[1, 0] to %b[2, 0] [2, 32] scope(cta) masked fill(-2.5) : !two to !four
    gpu.return
  }
  gpu.func @either(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %which: i1) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<?x?xf32>
    %b = tile.view %B : memref<?x?xf32>
    %block = gpu.block_id x
    %c = arith.select %which, %a, %b : !matrix
    %row, %column = tile.block_order %block of %c [16, 32] columns : !matrix
    tile.fill 1.0 to %a[%row, %column] [16, 32] scope(cta) masked : !matrix
    gpu.return
  }
}

//--- constants.py
import numpy as np
rows = lambda *values: np.repeat(np.array(values)[:, None], 32, 1)
np.save("floats.npy", rows(-np.inf, 0.1, np.float32(np.array(0xC0490FDB, np.uint32).view(np.float32)), 7).astype(np.float32))
np.save("integers.npy", rows(-3, 200 - 256).astype(np.int8))
np.save("outside.npy", rows(1, 1, 1, -2.5).astype(np.float32))
np.save("all.npy", np.ones((48, 100), np.float32))

//--- launch.mlir
func.func @main(%A: memref<64xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%x, %y, %z) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %beyond = arith.cmpi uge, %bx, %n : index
    tile.return_if %beyond
    %a = tile.view %A : memref<64xf32>
    tile.fill 1.0 to %a scope(cta) : !tile.buffer<64xf32, global>
    gpu.terminator
  }
  return
}
