// A plain loop, pipelined, copies all rows: with no iteration, fewer than stages, or many; also with dynamic shared memory.

// RUN: tile-opt %s --tile-pipeline -o %t.mlir
// RUN: tile-opt %t.mlir --tile-check-sync -o /dev/null
// RUN: tile-run %t.mlir --entry known --schedule=all --arg f32[1024x64]=random --arg f32[1024x64]=poison --expect-equal 0,1
// RUN: tile-run %t.mlir --entry rows --schedule=all --arg f32[1x64]=random --arg f32[1x64]=random:7 --arg i64=0 --expect-unchanged 1
// RUN: tile-run %t.mlir --entry rows --schedule=all --arg f32[32x64]=random --arg f32[32x64]=poison --arg i64=32 --expect-equal 0,1
// RUN: tile-run %t.mlir --entry rows --schedule=all --arg f32[64x64]=random --arg f32[64x64]=poison --arg i64=64 --expect-equal 0,1
// RUN: tile-run %t.mlir --entry rows --schedule=all --arg f32[490x64]=random --arg f32[490x64]=poison --arg i64=490 --expect-equal 0,1

// Regions of consecutive iterations overlap where the step is less than 32.
// RUN: tile-run %t.mlir --entry steps --schedule=all --arg f32[90x64]=random --arg f32[90x64]=poison --arg i64=0 --arg i64=90 --arg i64=1 --expect-equal 0,1
// RUN: tile-run %t.mlir --entry steps --schedule=all --arg f32[90x64]=random --arg f32[90x64]=poison --arg i64=0 --arg i64=90 --arg i64=7 --expect-equal 0,1
// RUN: tile-run %t.mlir --entry steps --schedule=all --arg f32[90x64]=random --arg f32[90x64]=poison --arg i64=0 --arg i64=90 --arg i64=32 --expect-equal 0,1
// RUN: tile-run %t.mlir --entry steps --schedule=all --arg f32[9x64]=random --arg f32[9x64]=poison --arg i64=0 --arg i64=9 --arg i64=9223372036854775807 --expect-equal 0,1
// An upper bound so far below the lower one that their difference wraps.
// RUN: tile-run %t.mlir --entry steps --schedule=all --arg f32[9x64]=random --arg f32[9x64]=random:7 --arg i64=1 --arg i64=-9223372036854775808 --arg i64=4611686018427387904 --expect-unchanged 1

// RUN: tile-opt %s --tile-pipeline --tile-plan-memory --tile-insert-sync -o %t.planned.mlir
// RUN: tile-run %t.planned.mlir --entry rows --schedule=all --arg f32[490x64]=random --arg f32[490x64]=poison --arg i64=490 --expect-equal 0,1

!matrix = !tile.buffer<1024x64xf32, global>
!open = !tile.buffer<?x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
!columns = !tile.buffer<32x64xf32, local, #tile.layout<(32, 64) : (1, 1@tx)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @known(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1024 = arith.constant 1024 : index
    %s = tile.alloc : !shared
    scf.for %row = %c0 to %c1024 step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      %mine = tile.alloc : !columns
      tile.copy %s to %mine scope(cta) : !shared to !columns
      tile.copy %mine to %b[%row, 0] [32, 64] scope(cta) : !columns to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }

  // The last tile is not full.
  gpu.func @rows(%A: memref<?x64xf32>, %B: memref<?x64xf32>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x64xf32> to !open
    %b = tile.view %B : memref<?x64xf32> to !open
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc : !shared
    scf.for %row = %c0 to %rows step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group masked fill(%zero : f32) : !open to !shared
      %mine = tile.alloc : !columns
      tile.copy %s to %mine scope(cta) : !shared to !columns
      tile.copy %mine to %b[%row, 0] [32, 64] scope(cta) masked : !columns to !open
    } {tile.stages = 4 : i64}
    gpu.return
  }

  // The bounds and the step are known at run time alone.
  gpu.func @steps(%A: memref<?x64xf32>, %B: memref<?x64xf32>, %first: index, %rows: index, %step: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x64xf32> to !open
    %b = tile.view %B : memref<?x64xf32> to !open
    %zero = arith.constant 0.0 : f32
    %s = tile.alloc : !shared
    scf.for %row = %first to %rows step %step {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group masked fill(%zero : f32) : !open to !shared
      %mine = tile.alloc : !columns
      tile.copy %s to %mine scope(cta) : !shared to !columns
      tile.copy %mine to %b[%row, 0] [32, 64] scope(cta) masked : !columns to !open
    } {tile.stages = 3 : i64}
    gpu.return
  }
}
