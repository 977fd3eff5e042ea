// Rows that are named by their numbers: in a ring, which is chosen without a variant; outside of the table; added to what is there.
// RUN: %python %tile_source/test/tools/npy.py %t.table.npy "<i4" 16,256 0:16
// RUN: tile-run %s --entry ring --schedule=all --grid 2 --arg i32[16x256]=%t.table.npy --arg i32[16]=iota --arg i32[16x256]=poison \
// RUN:   --expect-equal 0,2 | FileCheck %s --check-prefix=RING
// RUN: tile-run %s --entry ring --chip sm_90a --schedule=all --grid 2 --arg i32[16x256]=%t.table.npy --arg i32[16]=iota \
// RUN:   --arg i32[16x256]=poison --expect-equal 0,2 | FileCheck %s --check-prefix=BOXES
// RUN: tile-run %s --entry ring --delete-sync --grid 2 --arg i32[16x256]=%t.table.npy --arg i32[16]=iota --arg i32[16x256]=poison \
// RUN:   --expect-equal 0,2 | FileCheck %s --check-prefix=DELETED
// RING-COUNT-5: argument 2 holds what argument 0 holds
// RING:       cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes 16 32768
// BOXES-COUNT-5: argument 2 holds what argument 0 holds
// BOXES:      cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes 64 32768
// DELETED:    {{[0-9]+}} noticed, {{[0-9]+}} redundant, {{[0-9]+}} not executed, 0 not modelled, 0 missed

// A number outside of the table is a trap, where traps are asked for.
// RUN: not tile-run %s --entry ring --passes='tile-insert-bounds-traps,tile-build' --grid 2 --arg i32[15x256]=random \
// RUN:   --arg i32[16]=iota --arg i32[16x256]=poison 2>&1 | FileCheck %s --check-prefix=TRAP
// TRAP:       tile.copy_async: the source begins out of bounds in dimension 0, expected 0 to its extent less 1

// Rows 8 to 23 of 16: the last 8 are zeros, by boxes of a row and by four.
// RUN: %python %tile_source/test/tools/npy.py %t.outside.npy "<i4" 16,256 8:16 - - - - - - - -
// RUN: tile-run %s --entry outside --schedule=all --grid 2 --arg i32[16x256]=%t.table.npy --arg i32[16x256]=poison --expect 1=%t.outside.npy
// RUN: tile-run %s --entry outside --chip sm_90a --schedule=all --grid 2 --arg i32[16x256]=%t.table.npy --arg i32[16x256]=poison \
// RUN:   --expect 1=%t.outside.npy

// Added to zeros, in reverse; no instruction adds to four rows.
// RUN: %python %tile_source/test/tools/npy.py %t.added.npy "<i4" 16,256 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
// RUN: tile-run %s --entry add --schedule=all --grid 4 --arg i32[16x256]=%t.table.npy --arg i32[16x256]=zeros --expect 1=%t.added.npy \
// RUN:   | FileCheck %s --check-prefix=ADD
// ADD:        cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group 16 {{[0-9]+}}

!shared = !tile.buffer<4x256xi32, shared>
!table = !tile.buffer<?x256xi32, global>
!out = !tile.buffer<?x256xi32, global>
!stage = !tile.buffer<8x64xi32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @ring(%A: memref<?x256xi32>, %Rows: memref<?xi32>, %B: memref<?x256xi32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %a = tile.view %A : memref<?x256xi32>
    %b = tile.view %B : memref<?x256xi32>
    %block = gpu.block_id x
    %first = arith.muli %block, %c8 : index
    %numbers = vector.load %Rows[%first] : memref<?xi32>, vector<8xi32>
    %rows = arith.index_castui %numbers : vector<8xi32> to vector<8xindex>
    %r:8 = vector.to_elements %rows : vector<8xindex>
    scf.for %k = %c0 to %c256 step %c64 {
      %s = tile.alloc : !stage
      tile.copy_async %a[0, %k] [8, 64] to %s scope(cta) rows(%r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7) : !table to !stage
      tile.copy %s to %b[%first, %k] [8, 64] scope(cta) : !stage to !out
    } {tile.stages = 3 : i64}
    gpu.return
  }

  gpu.func @outside(%A: memref<?x256xi32>, %B: memref<?x256xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %zero = arith.constant 0 : i32
    %a = tile.view %A : memref<?x256xi32>
    %b = tile.view %B : memref<?x256xi32>
    %block = gpu.block_id x
    %first = arith.muli %block, %c8 : index
    %begin = vector.broadcast %first : index to vector<8xindex>
    %offsets = arith.constant dense<[8, 9, 10, 11, 12, 13, 14, 15]> : vector<8xindex>
    %rows = arith.addi %begin, %offsets : vector<8xindex>
    %r:8 = vector.to_elements %rows : vector<8xindex>
    scf.for %k = %c0 to %c256 step %c64 {
      %s = tile.alloc : !stage
      tile.copy_async %a[0, %k] [8, 64] to %s scope(cta) rows(%r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7) masked fill(%zero : i32)
        : !table to !stage
      tile.copy %s to %b[%first, %k] [8, 64] scope(cta) : !stage to !out
    } {tile.stages = 2 : i64}
    gpu.return
  }

  gpu.func @add(%A: memref<?x256xi32>, %B: memref<?x256xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c15 = arith.constant 15 : index
    %a = tile.view %A : memref<?x256xi32>
    %b = tile.view %B : memref<?x256xi32>
    %s = tile.alloc : !shared
    %block = gpu.block_id x
    %first = arith.muli %block, %c4 : index
    %r0 = arith.subi %c15, %first : index
    %r1 = arith.subi %r0, %c1 : index
    %r2 = arith.subi %r1, %c1 : index
    %r3 = arith.subi %r2, %c1 : index
    tile.copy %a[%first, 0] [4, 256] to %s scope(cta) : !table to !shared
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b[0, 0] [4, 256] scope(cta) bulk_group rows(%r0, %r1, %r2, %r3) reduce(add) : !shared to !out
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

}
