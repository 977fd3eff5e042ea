// Rings of mbarriers that are entered several times: in an outer loop, as in persistent kernels, and one after the other. All
// rows are copied, whatever the trip counts are.

// RUN: tile-opt %s --tile-pipeline -o %t.mlir
// RUN: tile-opt %t.mlir --tile-check-sync -o /dev/null
// RUN: tile-run %t.mlir --entry known --schedule=all --arg f32[6x160x64]=random --arg f32[6x160x64]=poison --expect-equal 0,1
// RUN: tile-run %t.mlir --entry open --schedule=all --arg f32[6x160x64]=random --arg f32[6x160x64]=poison --arg i64=6 --arg i64=160 --expect-equal 0,1
// RUN: tile-run %t.mlir --entry open --schedule=all --arg f32[6x160x64]=random --arg f32[6x160x64]=zeros --arg i64=6 --arg i64=32
// RUN: tile-run %t.mlir --entry open --schedule=all --arg f32[6x160x64]=random --arg f32[6x160x64]=zeros --arg i64=3 --arg i64=64
// RUN: tile-run %t.mlir --entry open --schedule=all --arg f32[6x160x64]=random --arg f32[6x160x64]=random:7 --arg i64=6 --arg i64=0 --expect-unchanged 1
// RUN: tile-run %t.mlir --entry open --schedule=all --arg f32[6x160x64]=random --arg f32[6x160x64]=random:7 --arg i64=6 --arg i64=-64 --expect-unchanged 1
// RUN: tile-run %t.mlir --entry two --schedule=all --arg f32[6x160x64]=random --arg f32[6x160x64]=poison --arg i64=160 --arg i64=5 --expect-equal 0,1

// Without the arrivals that complete the last phases, the check and the simulator find the error at the next entry.
// RUN: sed -e 's/nvvm.mbarrier.arrive .*//' %t.mlir > %t.odd.mlir
// RUN: not tile-opt %t.odd.mlir --tile-check-sync -o /dev/null 2>&1 | FileCheck %s --check-prefix=ODD
// ODD: waits for phase {{.*}} of an mbarrier, but phase {{.*}} may be over by then
// RUN: not tile-run %t.odd.mlir --passes='tile-build{allow-unordered=true}' --entry known --schedule=all --arg f32[6x160x64]=random --arg f32[6x160x64]=poison --expect-equal 0,1 2>&1 | FileCheck %s --check-prefix=HANG
// HANG: {{race|never|wait|Deadlock|differ|expected}}

!matrix = !tile.buffer<6x160x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
!columns = !tile.buffer<32x64xf32, local, #tile.layout<(32, 64) : (1, 1@tx)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @known(%A: memref<6x160x64xf32>, %B: memref<6x160x64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<6x160x64xf32> to !matrix
    %b = tile.view %B : memref<6x160x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c32 = arith.constant 32 : index
    %c160 = arith.constant 160 : index
    %s = tile.alloc : !shared
    scf.for %tile = %c0 to %c6 step %c1 {
      scf.for %row = %c0 to %c160 step %c32 {
        tile.copy_async %a[%tile, %row, 0] [1, 32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
        %mine = tile.alloc : !columns
        tile.copy %s to %mine scope(cta) : !shared to !columns
        tile.copy %mine to %b[%tile, %row, 0] [1, 32, 64] scope(cta) : !columns to !matrix
      } {tile.stages = 3 : i64}
    }
    gpu.return
  }

  // The trip counts of all loops are known only at run time.
  gpu.func @open(%A: memref<6x160x64xf32>, %B: memref<6x160x64xf32>, %tiles: index, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<6x160x64xf32> to !matrix
    %b = tile.view %B : memref<6x160x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc : !shared
    scf.for %tile = %c0 to %tiles step %c1 {
      scf.for %row = %c0 to %rows step %c32 {
        tile.copy_async %a[%tile, %row, 0] [1, 32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
        %mine = tile.alloc : !columns
        tile.copy %s to %mine scope(cta) : !shared to !columns
        tile.copy %mine to %b[%tile, %row, 0] [1, 32, 64] scope(cta) : !columns to !matrix
      } {tile.stages = 3 : i64}
    }
    gpu.return
  }

  // Two rings, one after the other: first the rows of one tile, then all tiles.
  gpu.func @two(%A: memref<6x160x64xf32>, %B: memref<6x160x64xf32>, %rows: index, %tiles: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<6x160x64xf32> to !matrix
    %b = tile.view %B : memref<6x160x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c160 = arith.constant 160 : index
    %s = tile.alloc : !shared
    scf.for %row = %c0 to %rows step %c32 {
      tile.copy_async %a[5, %row, 0] [1, 32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
      %mine = tile.alloc : !columns
      tile.copy %s to %mine scope(cta) : !shared to !columns
      tile.copy %mine to %b[5, %row, 0] [1, 32, 64] scope(cta) : !columns to !matrix
    } {tile.stages = 2 : i64}
    scf.for %tile = %c0 to %tiles step %c1 {
      scf.for %row = %c0 to %c160 step %c32 {
        tile.copy_async %a[%tile, %row, 0] [1, 32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
        %mine = tile.alloc : !columns
        tile.copy %s to %mine scope(cta) : !shared to !columns
        tile.copy %mine to %b[%tile, %row, 0] [1, 32, 64] scope(cta) : !columns to !matrix
      } {tile.stages = 3 : i64}
    }
    gpu.return
  }
}
