// A ring that gathers: the numbers of the rows are loaded from an argument that the kernel only reads, iterations ahead of the copy.
// RUN: tile-run %s --schedule=all --arg i32[16x256]=random:1 --arg i32[16]=iota --arg i32[16x256]=poison --expect-equal 0,2 | FileCheck %s
// RUN: tile-run %s --chip sm_90a --schedule=all --arg i32[16x256]=random:1 --arg i32[16]=iota --arg i32[16x256]=poison --expect-equal 0,2
// RUN: tile-run %s --delete-sync --arg i32[16x256]=random:1 --arg i32[16]=iota --arg i32[16x256]=poison --expect-equal 0,2 \
// RUN:   | FileCheck %s --check-prefix=DELETED
// CHECK: cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes{{ +}}4
// DELETED: {{[0-9]+}} noticed, {{[0-9]+}} redundant, {{[0-9]+}} not executed, 0 not modelled, 0 missed

!table = !tile.buffer<?x256xi32, global>
!out = !tile.buffer<?x256xi32, global>
!stage = !tile.buffer<4x256xi32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @ring(%A: memref<?x256xi32>, %Rows: memref<?xi32>, %B: memref<?x256xi32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %a = tile.view %A : memref<?x256xi32>
    %b = tile.view %B : memref<?x256xi32>
    scf.for %k = %c0 to %c16 step %c4 {
      %numbers = vector.load %Rows[%k] : memref<?xi32>, vector<4xi32>
      %rows = arith.index_castui %numbers : vector<4xi32> to vector<4xindex>
      %r:4 = vector.to_elements %rows : vector<4xindex>
      %s = tile.alloc : !stage
      tile.copy_async %a[0, 0] [4, 256] to %s scope(cta) rows(%r#0, %r#1, %r#2, %r#3) : !table to !stage
      tile.copy %s to %b[%k, 0] [4, 256] scope(cta) : !stage to !out
    } {tile.stages = 3 : i64}
    gpu.return
  }
}
