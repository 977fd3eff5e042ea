// Maps and reductions of tiles in shared memory, executed: what they read and write is ordered as copies are.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python %S/Inputs/shared_maps.py
// RUN: cd %t && tile-run %s --entry in_place --schedule=all --arg f32[63x60]=x.npy --arg f32[63x60]=poison --expect 1=moved.npy
// RUN: cd %t && tile-run %s --entry mixed --schedule=all --arg f16[64x64]=half.npy --arg f32[1x64]=weights.npy --arg f32[64x64]=own.npy \
// RUN:   --arg f32[64x64]=poison --expect 3=added.npy
// RUN: cd %t && tile-run %s --entry part --schedule=all --arg i32[5x7]=divisors.npy --arg i32[5x7]=poison --expect 1=quotients.npy
// RUN: cd %t && tile-run %s --entry each_warp --schedule=all --arg i32[4x15x33]=boxes.npy --arg i32[4x15x33]=poison --expect 1=plus_warp.npy
// RUN: cd %t && tile-run %s --entry ring --schedule=all --arg f32[8x640]=pieces.npy --arg f32[8x64]=poison --expect 1=sums.npy
// RUN: cd %t && tile-run %s --entry sums --schedule=all --arg f32[8x640]=pieces.npy --arg f32[8x1]=poison --arg i32[8x1]=poison \
// RUN:   --expect 1=row_sums.npy --expect 2=row_most.npy
// RUN: cd %t && tile-run %s --entry columns --schedule=all --arg f32[8x640]=pieces.npy --arg f32[8x640]=poison --expect 1=centered.npy

// Each barrier, and each wait, is needed.
// RUN: cd %t && tile-run %s --entry in_place --delete-sync --arg f32[63x60]=x.npy --arg f32[63x60]=poison --expect 1=moved.npy \
// RUN:   | FileCheck %s --check-prefix=DELETE
// RUN: cd %t && tile-run %s --entry mixed --delete-sync --arg f16[64x64]=half.npy --arg f32[1x64]=weights.npy --arg f32[64x64]=own.npy \
// RUN:   --arg f32[64x64]=poison --expect 3=added.npy | FileCheck %s --check-prefix=DELETE
// RUN: cd %t && tile-run %s --entry ring --delete-sync --arg f32[8x640]=pieces.npy --arg f32[8x64]=poison --expect 1=sums.npy \
// RUN:   | FileCheck %s --check-prefix=RING
// RUN: cd %t && tile-run %s --entry columns --delete-sync --arg f32[8x640]=pieces.npy --arg f32[8x640]=poison --expect 1=centered.npy \
// RUN:   | FileCheck %s --check-prefix=DELETE

// The first and the last groups of the ring are empty.
// RING: {{[1-9][0-9]*}} noticed, {{[0-9]}} redundant, {{[0-9]+}} not executed, 0 not modelled, 0 missed
// DELETE: {{[1-9][0-9]*}} noticed, 0 redundant, {{[0-9]+}} not executed, 0 not modelled, 0 missed

!rows = !tile.buffer<63x60xf32, shared, #tile.layout<(63, 60) : (60, 1)>>
!half = !tile.buffer<64x64xf16, shared, auto>
!weights = !tile.buffer<1x64xf32, shared>
!own = !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
!part = !tile.buffer<5x7xi32, shared, #tile.layout<(5, 7) : (1, 5)>>
!boxes = !tile.buffer<4x15x33xi32, shared>
!box = !tile.buffer<1x15x33xi32, shared, #tile.layout<(1, 15, 33) : (495, 33, 1)>>
!piece = !tile.buffer<8x64xf32, shared>
!sums = !tile.buffer<8x64xf32, local, #tile.layout<(8, 16, 4) : (16@tx, 1@tx, 1)>>
!long = !tile.buffer<8x640xf32, shared>
!most = !tile.buffer<1x640xf32, shared>
!sum = !tile.buffer<8x1xf32, shared>
!at = !tile.buffer<8x1xi32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Neither 63 rows nor 60 columns divide among 128 threads.
  gpu.func @in_place(%A: memref<63x60xf32>, %B: memref<63x60xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<63x60xf32>
    %b = tile.view %B : memref<63x60xf32>
    %s = tile.alloc : !rows
    tile.copy %a to %s scope(cta) : !tile.buffer<63x60xf32, global> to !rows
    tile.map %s to %s scope(cta) : !rows to !rows {
    ^bb0(%e: f32, %i: index, %j: index):
      %twice = arith.addf %e, %e : f32
      %less = arith.subi %i, %j : index
      %number = arith.index_cast %less : index to i32
      %f = arith.sitofp %number : i32 to f32
      %r = arith.addf %twice, %f : f32
      tile.yield %r : f32
    }
    tile.copy %s to %b scope(cta) : !rows to !tile.buffer<63x60xf32, global>
    gpu.return
  }

  // The tile in registers says which thread computes what; one row of weights is repeated.
  gpu.func @mixed(%H: memref<64x64xf16>, %W: memref<1x64xf32>, %X: memref<64x64xf32>, %R: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %h = tile.view %H : memref<64x64xf16>
    %w = tile.view %W : memref<1x64xf32>
    %x = tile.view %X : memref<64x64xf32>
    %r = tile.view %R : memref<64x64xf32>
    %half = tile.alloc : !half
    %weights = tile.alloc : !weights
    %own = tile.alloc : !own
    tile.copy %h to %half scope(cta) : !tile.buffer<64x64xf16, global> to !half
    tile.copy %w to %weights scope(cta) : !tile.buffer<1x64xf32, global> to !weights
    tile.copy %x to %own scope(cta) : !tile.buffer<64x64xf32, global> to !own
    tile.map %own, %half, %weights to %own scope(cta) : !own, !half, !weights to !own {
    ^bb0(%e: f32, %f: f16, %weight: f32):
      %wide = arith.extf %f : f16 to f32
      %sum = math.fma %wide, %weight, %e : f32
      tile.yield %sum : f32
    }
    tile.copy %own to %r scope(cta) : !own to !tile.buffer<64x64xf32, global>
    gpu.return
  }

  // Most threads have no element: they would divide by what they have not loaded.
  gpu.func @part(%A: memref<5x7xi32>, %B: memref<5x7xi32>) kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c1000 = arith.constant 1000 : i32
    %a = tile.view %A : memref<5x7xi32>
    %b = tile.view %B : memref<5x7xi32>
    %s = tile.alloc : !part
    tile.copy %a to %s scope(cta) : !tile.buffer<5x7xi32, global> to !part
    tile.map %s to %s scope(cta) : !part to !part {
    ^bb0(%e: i32, %i: index, %j: index):
      %q = arith.divsi %c1000, %e : i32
      %row = arith.index_cast %i : index to i32
      %r = arith.addi %q, %row : i32
      tile.yield %r : i32
    }
    tile.copy %s to %b scope(cta) : !part to !tile.buffer<5x7xi32, global>
    gpu.return
  }

  // Four warps, each with a part of the tile that begins at a run-time offset.
  gpu.func @each_warp(%A: memref<4x15x33xi32>, %B: memref<4x15x33xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %warp = arith.divui %t, %c32 : index
    %number = arith.index_cast %warp : index to i32
    %a = tile.view %A : memref<4x15x33xi32>
    %b = tile.view %B : memref<4x15x33xi32>
    %s = tile.alloc : !boxes
    %own = tile.subview %s[%warp, 0, 0] [1, 15, 33] : !boxes to !box
    tile.copy %a to %s scope(cta) : !tile.buffer<4x15x33xi32, global> to !boxes
    tile.map %own to %own scope(warp) : !box to !box {
    ^bb0(%e: i32):
      %r = arith.addi %e, %number : i32
      tile.yield %r : i32
    }
    tile.copy %s to %b scope(cta) : !boxes to !tile.buffer<4x15x33xi32, global>
    gpu.return
  }

  // A map reads the stages of a ring.
  gpu.func @ring(%A: memref<8x640xf32>, %B: memref<8x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c640 = arith.constant 640 : index
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<8x640xf32>
    %b = tile.view %B : memref<8x64xf32>
    %s = tile.alloc : !piece
    %sums = tile.alloc : !sums
    tile.fill %zero to %sums scope(cta) : f32 to !sums
    scf.for %i = %c0 to %c640 step %c64 {
      tile.copy_async %a[0, %i] [8, 64] to %s scope(cta) group : !tile.buffer<8x640xf32, global> to !piece
      tile.map %s, %sums to %sums scope(cta) : !piece, !sums to !sums {
      ^bb0(%e: f32, %sum: f32):
        %r = arith.addf %e, %sum : f32
        tile.yield %r : f32
      }
    } {tile.stages = 3 : i64}
    tile.copy %sums to %b scope(cta) : !sums to !tile.buffer<8x64xf32, global>
    gpu.return
  }

  // Sums of rows, and where their largest elements are, into shared memory.
  gpu.func @sums(%A: memref<8x640xf32>, %B: memref<8x1xf32>, %C: memref<8x1xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<8x640xf32>
    %b = tile.view %B : memref<8x1xf32>
    %c = tile.view %C : memref<8x1xi32>
    %s = tile.alloc : !long
    %sum = tile.alloc : !sum
    %at = tile.alloc : !at
    tile.copy %a to %s scope(cta) : !tile.buffer<8x640xf32, global> to !long
    tile.reduce add %s to %sum dim(1) scope(cta) : !long to !sum
    tile.reduce argmax %s to %at dim(1) scope(cta) : !long to !at
    tile.copy %sum to %b scope(cta) : !sum to !tile.buffer<8x1xf32, global>
    tile.copy %at to %c scope(cta) : !at to !tile.buffer<8x1xi32, global>
    gpu.return
  }

  // The largest element of each column, subtracted from it.
  gpu.func @columns(%A: memref<8x640xf32>, %B: memref<8x640xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<8x640xf32>
    %b = tile.view %B : memref<8x640xf32>
    %s = tile.alloc : !long
    %most = tile.alloc : !most
    tile.copy %a to %s scope(cta) : !tile.buffer<8x640xf32, global> to !long
    tile.reduce max %s to %most dim(0) scope(cta) : !long to !most
    tile.map %s, %most to %s scope(cta) : !long, !most to !long {
    ^bb0(%e: f32, %largest: f32):
      %r = arith.subf %e, %largest : f32
      tile.yield %r : f32
    }
    tile.copy %s to %b scope(cta) : !long to !tile.buffer<8x640xf32, global>
    gpu.return
  }
}
