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

// Several tiles in one op, extents of a tile, loops with constant bounds, functions that are one op: the same PTX.
// RUN: tile-opt %t/few.mlir --tile-build | tile-translate --tile-to-ptx -o %t/few.ptx
// RUN: tile-opt %t/many.mlir --tile-build | tile-translate --tile-to-ptx -o %t/many.ptx
// RUN: cmp %t/few.ptx %t/many.ptx
// RUN: tile-run %t/few.mlir --entry scale --grid 3 --schedule=all --arg f16[48x104]=%t/halves.npy --arg f16[48x104]=poison --expect 1=%t/scaled.npy

// Each pass that reads loops makes an scf.for of an affine one, with its stages; host code without tiles keeps its own.
// RUN: tile-opt %t/few.mlir --tile-choose-layouts | FileCheck %s --check-prefix=LOOP
// RUN: tile-opt %t/few.mlir --tile-choose-layouts --tile-insert-sync | FileCheck %s --check-prefix=LOOP
// RUN: tile-opt %t/few.mlir --tile-expand-versions | FileCheck %s --check-prefix=LOOP
// RUN: tile-opt %t/few.mlir --tile-check-bounds | FileCheck %s --check-prefix=LOOP
// LOOP: func.func @host
// LOOP: affine.for
// LOOP-LABEL: gpu.func @scale
// LOOP-NOT: affine.for
// LOOP: scf.for
// LOOP: tile.copy_async
// LOOP: } {tile.stages = 3 : i64}
// RUN: tile-opt %t/few.mlir --tile-choose-layouts --tile-pipeline | FileCheck %s --check-prefix=RING
// RING-LABEL: gpu.func @scale
// RING: nvvm.cp.async.wait.group
// RING-NOT: tile.stages

// The structure that kernels have: loops that carry, in both directions of a branch, accesses of memory at an affine place, after an end.
// RUN: tile-run %t/structure.mlir --grid 4 --schedule=all --arg f32[48x32]=%t/rows.npy --arg f32[4]=poison --arg i32[4]=%t/ends.npy --expect 1=%t/sums.npy

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

//--- few.mlir
!matrix = !tile.buffer<?x?xf16, global>
!half = !tile.buffer<16x32xf16, shared, auto>
!sums = !tile.buffer<16x32xf32, local, auto>

func.func @host(%A: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 64 {
    affine.store %zero, %A[%i] : memref<64xf32>
  }
  return
}

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @scale(%A: memref<?x?xf16>, %B: memref<?x?xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A divisible_by 8 : memref<?x?xf16>
    %b = tile.view %B divisible_by 8 : memref<?x?xf16>
    %m, %n = tile.extents %a : !matrix
    %block = gpu.block_id x
    %row = affine.apply affine_map<(block) -> (16 * block)>(%block)
    %s, %t, %x, %two = tile.allocs : !half, !half, !sums, !sums
    tile.fill 2.0 to %two scope(cta) : !sums
    affine.for %i = 0 to %n step 32 {
      tile.copy_async %a[%row, %i] to %s scope(cta) masked fill(0.0) : !matrix to !half
      tile.map { arith.extf } %s to %x scope(cta) : !half to !sums
      tile.map { arith.mulf } %x, %two to %x scope(cta) : !sums, !sums to !sums
      tile.map { arith.truncf } %x to %t scope(cta) : !sums to !half
      tile.copy %t to %b[%row, %i] scope(cta) masked : !half to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

//--- many.mlir
!matrix = !tile.buffer<?x?xf16, global>
!half = !tile.buffer<16x32xf16, shared, auto>
!sums = !tile.buffer<16x32xf32, local, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @scale(%A: memref<?x?xf16>, %B: memref<?x?xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A divisible_by 8 : memref<?x?xf16>
    %b = tile.view %B divisible_by 8 : memref<?x?xf16>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %n = memref.dim %A, %c1 : memref<?x?xf16>
    %block = gpu.block_id x
    %row = affine.apply affine_map<(block) -> (16 * block)>(%block)
    %s = tile.alloc : !half
    %t = tile.alloc : !half
    %x = tile.alloc : !sums
    %two = tile.alloc : !sums
    tile.fill 2.0 to %two scope(cta) : !sums
    scf.for %i = %c0 to %n step %c32 {
      tile.copy_async %a[%row, %i] to %s scope(cta) masked fill(0.0) : !matrix to !half
      tile.map %s to %x scope(cta) : !half to !sums {
      ^bb0(%e: f16):
        %r = arith.extf %e : f16 to f32
        tile.yield %r : f32
      }
      tile.map %x, %two to %x scope(cta) : !sums, !sums to !sums {
      ^bb0(%e: f32, %f: f32):
        %r = arith.mulf %e, %f : f32
        tile.yield %r : f32
      }
      tile.map %x to %t scope(cta) : !sums to !half {
      ^bb0(%e: f32):
        %r = arith.truncf %e : f32 to f16
        tile.yield %r : f16
      }
      tile.copy %t to %b[%row, %i] scope(cta) masked : !half to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }
}

//--- structure.mlir
!rows = !tile.buffer<48x32xf32, global>
!row = !tile.buffer<1x32xf32, local, #tile.layout<(1, 32) : (1, 1@laneid)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Block b sums rows Ends[b] to Ends[b + 1], with a sign that alternates; the last block has none.
  gpu.func @sums(%A: memref<48x32xf32>, %S: memref<4xf32>, %Ends: memref<4xi32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<48x32xf32>
    %s = tile.view %S : memref<4xf32>
    %block = gpu.block_id x
    tile.fill 0.0 to %s[%block] [1] scope(warp) : !tile.buffer<4xf32, global>
    %c3 = arith.constant 3 : index
    %is_last = arith.cmpi eq, %block, %c3 : index
    tile.return_if %is_last
    %e = affine.load %Ends[%block] : memref<4xi32>
    %next = affine.load %Ends[%block + 1] : memref<4xi32>
    %first = arith.index_castui %e : i32 to index
    %end = arith.index_castui %next : i32 to index
    %r = tile.alloc : !row
    %sum = affine.for %i = %first to min affine_map<()[e] -> (e, 48)>()[%end] iter_args(%before = %zero) -> f32 {
      tile.copy %a[%i, 0] to %r scope(warp) : !rows to !row
      %of_row = tile.total add %r scope(warp) : !row to f32
      %more = affine.if affine_set<(i) : (i mod 2 == 0)>(%i) -> f32 {
        %sum = arith.addf %before, %of_row : f32
        affine.yield %sum : f32
      } else {
        %sum = arith.subf %before, %of_row : f32
        affine.yield %sum : f32
      }
      affine.yield %more : f32
    }
    tile.fill %sum to %s[%block] [1] scope(warp) : f32 to !tile.buffer<4xf32, global>
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
halves = np.random.default_rng(0).uniform(-1, 1, (48, 104)).astype(np.float16)
np.save("halves.npy", halves)
np.save("scaled.npy", (2 * halves.astype(np.float32)).astype(np.float16))
rows, ends = np.random.default_rng(0).integers(-9, 9, (48, 32)).astype(np.float32), np.array([0, 7, 7, 48], np.int32)
np.save("rows.npy", rows)
np.save("ends.npy", ends)
signed = rows.sum(1) * (-1) ** np.arange(48)
np.save("sums.npy", np.array([signed[ends[0]:ends[1]].sum(), 0, signed[ends[2]:ends[3]].sum(), 0], np.float32))
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
