// A ring of rows that another argument chooses: the kernel only reads that, so what a later iteration copies is known earlier. The same
// loop without stages is what the ring is compared with.
// RUN: tile-run %s --entry plain --grid 3 --arg f32[16x512]=random:1 --arg i32[12]=random:2 --arg f32[3x512]=poison --write 2=%t.npy
// RUN: tile-run %s --entry ring --grid 3 --schedule=all --arg f32[16x512]=random:1 --arg i32[12]=random:2 --arg f32[3x512]=poison \
// RUN:   --expect 2=%t.npy | FileCheck %s
// CHECK: cp.async.cg.shared.global
// RUN: tile-opt %s --tile-pipeline -o /dev/null --remarks-filter-passed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=FLIGHT
// FLIGHT: [Passed] pipelined {{.*}}Function=ring | Copies=1, Pending=1,

// Where arguments may overlap, the kernel may write what chooses the rows.
// RUN: not tile-opt %s --tile-pipeline=noalias=false -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALIAS
// ALIAS: error: {{.*}}requests stages, but the offsets of a copy are not known 2 iterations earlier
// ALIAS: note: this 'memref.load' is not known to give the same result for the same operands

!table = !tile.buffer<16x512xf32, global>
!out = !tile.buffer<3x512xf32, global>
!row = !tile.buffer<1x512xf32, shared>
!r = !tile.buffer<1x512xf32, local, #tile.layout<(128, 4) : (1@tx, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @ring(%Table: memref<16x512xf32>, %Rows: memref<12xi32>, %Out: memref<3x512xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c15 = arith.constant 15 : index
    %none = arith.constant 0.0 : f32
    %table = tile.view %Table : memref<16x512xf32>
    %out = tile.view %Out : memref<3x512xf32>
    %bag = gpu.block_id x
    %from = arith.muli %bag, %c4 : index
    %to = arith.addi %from, %c4 : index
    %s = tile.alloc : !row
    %x = tile.alloc : !r
    %sum = tile.alloc : !r
    tile.fill %none to %sum scope(cta) : f32 to !r
    scf.for %p = %from to %to step %c1 {
      %number = memref.load %Rows[%p] : memref<12xi32>
      %any = arith.index_castui %number : i32 to index
      %i = arith.andi %any, %c15 : index
      tile.copy_async %table[%i, 0] [1, 512] to %s scope(cta) group : !table to !row
      tile.copy %s to %x scope(cta) : !row to !r
      tile.map %sum, %x to %sum scope(cta) : !r, !r to !r {
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tile.yield %c : f32
      }
    } {tile.stages = 3 : i64}
    tile.copy %sum to %out[%bag, 0] [1, 512] scope(cta) : !r to !out
    gpu.return
  }

  gpu.func @plain(%Table: memref<16x512xf32>, %Rows: memref<12xi32>, %Out: memref<3x512xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c15 = arith.constant 15 : index
    %none = arith.constant 0.0 : f32
    %table = tile.view %Table : memref<16x512xf32>
    %out = tile.view %Out : memref<3x512xf32>
    %bag = gpu.block_id x
    %from = arith.muli %bag, %c4 : index
    %to = arith.addi %from, %c4 : index
    %x = tile.alloc : !r
    %sum = tile.alloc : !r
    tile.fill %none to %sum scope(cta) : f32 to !r
    scf.for %p = %from to %to step %c1 {
      %number = memref.load %Rows[%p] : memref<12xi32>
      %any = arith.index_castui %number : i32 to index
      %i = arith.andi %any, %c15 : index
      tile.copy %table[%i, 0] [1, 512] to %x scope(cta) : !table to !r
      tile.map %sum, %x to %sum scope(cta) : !r, !r to !r {
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tile.yield %c : f32
      }
    }
    tile.copy %sum to %out[%bag, 0] [1, 512] scope(cta) : !r to !out
    gpu.return
  }
}
