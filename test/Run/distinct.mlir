// Scattered accesses: rows and bins whose numbers are loaded from memory. By the promise that none comes twice they need no order;
// where it is broken, they race.

// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null
// RUN: tile-run %s --entry rows --schedule=all --arg f32[64x64]=random --arg i64[64]=iota --arg f32[64x64]=zeros --expect-equal 0,2
// RUN: tile-run %s --entry pairs --schedule=all --arg f32[64x64]=random --arg i64[32]=iota --arg f32[64x64]=zeros --expect-equal 0,2
// RUN: tile-run %s --entry bins --schedule=all --arg i64[128]=iota --arg f32[128]=zeros --arg f32[128]=ones --expect-equal 1,2
// RUN: not tile-run %s --entry rows --schedule=all --arg f32[64x64]=random --arg i64[64]=zeros --arg f32[64x64]=zeros 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RACE
// RUN: not tile-run %s --entry bins --schedule=all --arg i64[128]=zeros --arg f32[128]=zeros --arg f32[128]=ones 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RACE
// RACE: error: {{.*race.*thread}}

!matrix = !tile.buffer<64x64xf32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // A row for each warp and iteration.
  gpu.func @rows(%A: memref<64x64xf32>, %rows: memref<64xi64>, %B: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32> to !matrix
    %b = tile.view %B : memref<64x64xf32> to !matrix
    %thread = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %warp = arith.divui %thread, %c32 : index
    scf.for %i = %warp to %c64 step %c4 {
      %row = memref.load %rows[%i] : memref<64xi64>
      %number = arith.index_cast %row : i64 to index
      %own = tile.assume %number uniform(warp) distinct(cta) : index
      tile.copy %a[%i, 0] [1, 64] to %b[%own, 0] [1, 64] scope(warp) : !matrix to !matrix
    }
    gpu.return
  }

  // Two rows for each, of which the second begins at an odd number.
  gpu.func @pairs(%A: memref<64x64xf32>, %rows: memref<32xi64>, %B: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32> to !matrix
    %b = tile.view %B : memref<64x64xf32> to !matrix
    %thread = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %warp = arith.divui %thread, %c32 : index
    scf.for %i = %warp to %c32 step %c4 {
      %row = memref.load %rows[%i] : memref<32xi64>
      %number = arith.index_cast %row : i64 to index
      %own = tile.assume %number uniform(warp) distinct(cta) : index
      %first = arith.muli %own, %c2 : index
      %second = arith.addi %first, %c1 : index
      %from = arith.muli %i, %c2 : index
      %next = arith.addi %from, %c1 : index
      tile.copy %a[%from, 0] [1, 64] to %b[%first, 0] [1, 64] scope(warp) : !matrix to !matrix
      tile.copy %a[%next, 0] [1, 64] to %b[%second, 0] [1, 64] scope(warp) : !matrix to !matrix
    }
    gpu.return
  }

  // An element for each thread, which it reads again.
  gpu.func @bins(%bins: memref<128xi64>, %B: memref<?xf32>, %ones: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %thread = gpu.thread_id x
    %half = arith.constant 0.5 : f32
    %bin = memref.load %bins[%thread] : memref<128xi64>
    %number = arith.index_cast %bin : i64 to index
    %own = tile.assume %number distinct(cta) : index
    memref.store %half, %B[%own] : memref<?xf32>
    %back = memref.load %B[%own] : memref<?xf32>
    %sum = arith.addf %back, %half : f32
    memref.store %sum, %B[%own] : memref<?xf32>
    gpu.return
  }
}
