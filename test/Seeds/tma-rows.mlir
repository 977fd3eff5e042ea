// Rows of a table that are named by their numbers at run time: each block reads 8 numbers, loads the rows that are so far from the
// last one, and stores them to the rows of these numbers. Where the chip has it, an instruction takes four rows; elsewhere one.

!table = !tile.buffer<?x128xf16, global>
!shared = !tile.buffer<8x128xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @move_rows(%A: memref<?x128xf16>, %Rows: memref<?xi32>, %B: memref<?x128xf16>)
      workgroup(%barrier: memref<1xi64, 3> {llvm.align = 8}) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %one = arith.constant 1 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %a = tile.view %A : memref<?x128xf16>
    %b = tile.view %B : memref<?x128xf16>
    %s = tile.alloc : !shared
    %index = memref.extract_aligned_pointer_as_index %barrier : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    %block = gpu.block_id x
    %first = arith.muli %block, %c8 : index
    %last = arith.constant dense<19> : vector<8xindex>
    %numbers = vector.load %Rows[%first] : memref<?xi32>, vector<8xi32>
    %targets = arith.index_castui %numbers : vector<8xi32> to vector<8xindex>
    %sources = arith.subi %last, %targets : vector<8xindex>
    %f:8 = vector.to_elements %sources : vector<8xindex>
    %t:8 = vector.to_elements %targets : vector<8xindex>
    tile.copy_async %a[0, 0] [8, 128] to %s scope(cta) mbarrier(%full : !llvm.ptr<3>)
      rows(%f#0, %f#1, %f#2, %f#3, %f#4, %f#5, %f#6, %f#7) : !table to !shared
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy_async %s to %b[0, 0] [8, 128] scope(cta) bulk_group
      rows(%t#0, %t#1, %t#2, %t#3, %t#4, %t#5, %t#6, %t#7) : !shared to !table
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }
}

// RUN: tile-opt %s --tile-make-maps | FileCheck %s --check-prefix=MAPS
// RUN: tile-opt %s --tile-make-maps --tile-align-layouts | FileCheck %s --check-prefix=ALIGN
// RUN: tile-opt %s --tile-make-maps --lower-tile-copy | FileCheck %s --check-prefix=EXPAND
// RUN: tile-opt %s --tile-make-maps --lower-tile-copy -o /dev/null --remarks-filter-passed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=warning
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: tile-opt %s --tile-check-sync -o /dev/null

// RUN: %python %tile_source/test/tools/npy.py %t.table.npy "<f2" 20,128 0:20
// RUN: %python %tile_source/test/tools/npy.py %t.moved.npy "<f2" 20,128 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 - - - -
// RUN: tile-run %s --schedule=all --grid 2 --arg f16[20x128]=%t.table.npy --arg i32[16]=iota --arg f16[20x128]=zeros \
// RUN:   --expect 2=%t.moved.npy | FileCheck %s --check-prefix=FOUR
// RUN: tile-run %s --chip sm_90a --schedule=all --grid 2 --arg f16[20x128]=%t.table.npy --arg i32[16]=iota \
// RUN:   --arg f16[20x128]=zeros --expect 2=%t.moved.npy | FileCheck %s --check-prefix=ONE
// RUN: tile-run %s --delete-sync --grid 2 --arg f16[20x128]=%t.table.npy --arg i32[16]=iota --arg f16[20x128]=zeros \
// RUN:   --expect 2=%t.moved.npy | FileCheck %s --check-prefix=DELETED

// Stage 0: the box of a map is one row.
// MAPS:       gpu.func @move_rows(
// MAPS-SAME:    %[[FROM:[a-z0-9]*]]: !tile.tensor_map<element = float16, dims = [{extent = const(128), stride = bytes(2), box = 128}, {extent = of(0), stride = bytes(256), box = 1}]
// MAPS:       tile.copy_async {{.*}} through(%[[FROM]] : !tile.tensor_map<{{.*}}>) rows(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : !tile

// Stage 1: coordinate 1 counts the rows.
// ALIGN:      tile.planned_copy {{.*}} rows(%{{.*}}) plan<tensor_map "tma", form = load, bits = 16, rows = 4, parts = [{map = {{.*}}, at = [{}, {}], loops = [{count = 2, offset = 512, steps = [0, 4]}]}]

// Stage 3: the bytes of all rows; four numbers in each instruction.
// EXPAND:     nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c2048
// EXPAND:     nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}box[%c0_i32{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] {mode = #nvvm.tma_load_mode<tile_gather4>}
// EXPAND:     nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}tile_gather4
// EXPAND:     nvvm.cp.async.bulk.tensor.global.shared.cta {{.*}}tile_scatter4
// EXPAND:     nvvm.cp.async.bulk.tensor.global.shared.cta {{.*}}tile_scatter4

// REMARK:     remark: [Passed] tma | {{.*}} Box=128x1, BytesPerThread=2048, Instructions="2 cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes"
// REMARK:     remark: [Passed] tma | {{.*}} Box=128x1, BytesPerThread=2048, Instructions="2 cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group"

// PTX-COUNT-2: cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes [%{{.*}}], [%{{.*}}, {%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}{{[}]}}], [{{.*}}];
// PTX-COUNT-2: cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%{{.*}}, {%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}{{[}]}}], [{{.*}}];

// FOUR:       move_rows: 2x1x1 blocks of 128x1x1 threads, sm_100a, simulated
// FOUR-COUNT-5: argument 2 holds what {{.*}}moved.npy holds
// FOUR-DAG:   cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes 4
// FOUR-DAG:   cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group 4
// ONE:        move_rows: 2x1x1 blocks of 128x1x1 threads, sm_90a, simulated
// ONE-COUNT-5: argument 2 holds what {{.*}}moved.npy holds
// ONE-DAG:    cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes 16
// ONE-DAG:    cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group 16
// DELETED:    {{[0-9]+}} noticed, {{[0-9]+}} redundant, 0 not executed, 0 not modelled, 0 missed
