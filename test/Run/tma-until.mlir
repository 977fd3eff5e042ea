// Batches of different lengths that follow each other in a matrix: each block loads and stores the rows of its batch, in boxes that
// may pass its end. What is loaded behind it is zeros, and what is stored there is left out.
// RUN: tile-opt %s --tile-build=lower=false | FileCheck %s --check-prefix=MAPS
// RUN: %python %tile_source/test/tools/npy.py %t.in.npy "<f2" 100,128 0:100
// RUN: tile-run %s --entry move --schedule=all --grid 3 --arg f16[100x128]=%t.in.npy --arg f16[100x128]=zeros --expect-equal 0,1 \
// RUN:   | FileCheck %s --check-prefix=MOVED
// RUN: %python %tile_source/test/tools/npy.py %t.padded.npy "<f2" 192,128 0:37 - - - - - - - - - - - - - - - - - - - - - - - - - - - \
// RUN:   37:38 - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - \
// RUN:   38:100 - -
// RUN: tile-run %s --entry pad --schedule=all --grid 3 --arg f16[100x128]=%t.in.npy --arg f16[192x128]=poison --expect 1=%t.padded.npy
// RUN: tile-run %s --entry pad --delete-sync --grid 3 --arg f16[100x128]=%t.in.npy --arg f16[192x128]=poison --expect 1=%t.padded.npy \
// RUN:   | FileCheck %s --check-prefix=DELETED
// MAPS:       gpu.func @move(
// MAPS-SAME:    dims = [{extent = const(128), stride = bytes(2), box = 128}, {extent = const(1073741789), stride = bytes(256), box = 64}, {extent = const(2147483647), stride = bytes(256), box = 1}, {extent = const(2147483647), stride = bytes(17179868928), box = 1}]
// MAPS:         tile.copy_async {{.*}} through({{.*}}) masked until(%{{.*}}) fill(
// MOVED-COUNT-5: argument 1 holds what argument 0 holds
// MOVED-DAG:  cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group 3
// MOVED-DAG:  cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes 3
// DELETED:    {{[0-9]+}} noticed, {{[0-9]+}} redundant, {{[0-9]+}} not executed, 0 not modelled, 0 missed

!matrix = !tile.buffer<?x128xf16, global>
!shared = !tile.buffer<64x128xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @move(%A: memref<?x128xf16>, %B: memref<?x128xf16>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %phase = arith.constant 0 : i32
    %true = arith.constant true
    %zero = arith.constant 0.0 : f16
    %a = tile.view %A : memref<?x128xf16>
    %b = tile.view %B : memref<?x128xf16>
    %s = tile.alloc : !shared
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    // Batches of 37, 1 and 62 rows.
    %block = gpu.block_id x
    %ends = arith.constant dense<[0, 37, 38, 100]> : vector<4xindex>
    %next = arith.addi %block, %c1 : index
    %row = vector.extract %ends[%block] : index from vector<4xindex>
    %end = vector.extract %ends[%next] : index from vector<4xindex>
    tile.copy_async %a[%row, 0] [64, 128] to %s scope(cta) mbarrier(%full : !llvm.ptr<3>) masked until(%end) fill(%zero : f16)
      : !matrix to !shared
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy_async %s to %b[%row, 0] [64, 128] scope(cta) bulk_group masked until(%end) : !shared to !matrix
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // Each batch in 64 rows, in two steps of a ring.
  gpu.func @pad(%A: memref<?x128xf16>, %B: memref<192x128xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f16
    %a = tile.view %A : memref<?x128xf16>
    %b = tile.view %B : memref<192x128xf16>
    %block = gpu.block_id x
    %ends = arith.constant dense<[0, 37, 38, 100]> : vector<4xindex>
    %next = arith.addi %block, %c1 : index
    %first = vector.extract %ends[%block] : index from vector<4xindex>
    %end = vector.extract %ends[%next] : index from vector<4xindex>
    %to = arith.muli %block, %c64 : index
    scf.for %i = %c0 to %c64 step %c32 {
      %s = tile.alloc : !tile.buffer<32x128xf16, shared>
      %row = arith.addi %first, %i : index
      %there = arith.addi %to, %i : index
      tile.copy_async %a[%row, 0] [32, 128] to %s scope(cta) masked until(%end) fill(%zero : f16)
        : !matrix to !tile.buffer<32x128xf16, shared>
      tile.copy %s to %b[%there, 0] [32, 128] scope(cta) : !tile.buffer<32x128xf16, shared> to !tile.buffer<192x128xf16, global>
    } {tile.stages = 2 : i64}
    gpu.return
  }
}
