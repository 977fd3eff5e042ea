// Matrices of a group, of which a table has the place, the number of rows and the leading dimension of each: copies name the
// variant alone, and the kernel has memory for maps. `--tile-make-maps` makes a template of each map on the host and changes it where
// the tile is made.
// REQUIRES: numpy
// RUN: mkdir -p %t && cd %t && %python -c 'import numpy; t = lambda n, *v: numpy.save(n, numpy.array(v, "i8")); t("at", 0, 2368, 2432); \
// RUN:   t("rows", 37, 1, 5); t("ld", 64, 64, 72); r = numpy.random.default_rng(0); a = r.integers(-99, 99, 2792).astype("f2"); \
// RUN:   numpy.save("in", a); own = numpy.zeros(2792, "?"); [own.__setitem__(slice(at + i * ld, at + i * ld + 64), True) for at, n, ld \
// RUN:   in ((0, 37, 64), (2368, 1, 64), (2432, 5, 72)) for i in range(n)]; numpy.save("out", numpy.where(own, a, 0).astype("f2"))'
// RUN: tile-opt %s --tile-make-maps | FileCheck %s --check-prefix=MAPS
// RUN: tile-opt %s --tile-make-maps -o /dev/null --remarks-filter-passed=.* --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-run %s --entry move --schedule=all --grid 3 --arg f16[2792]=%t/in.npy --arg f16[2792]=zeros --arg i64[3]=%t/at.npy \
// RUN:   --arg i64[3]=%t/rows.npy --arg i64[3]=%t/ld.npy --arg i8[6x128]=poison --expect 1=%t/out.npy | FileCheck %s --check-prefix=MOVED
// RUN: tile-run %s --entry move --delete-sync --grid 3 --arg f16[2792]=%t/in.npy --arg f16[2792]=zeros --arg i64[3]=%t/at.npy \
// RUN:   --arg i64[3]=%t/rows.npy --arg i64[3]=%t/ld.npy --arg i8[6x128]=poison --expect 1=%t/out.npy | FileCheck %s --check-prefix=DELETED
// RUN: tile-run %s --entry ring --schedule=all --grid 1,3 --arg f16[2792]=%t/in.npy --arg f16[2792]=zeros --arg i64[3]=%t/at.npy \
// RUN:   --arg i64[3]=%t/rows.npy --arg i64[3]=%t/ld.npy --arg i8[3x128]=poison --expect 1=%t/out.npy | FileCheck %s --check-prefix=RING
// RUN: tile-run %s --entry turns --schedule=all --arg f16[96x64]=random --arg f16[96x64]=zeros --arg i8[1x128]=poison --expect-equal 0,1 \
// RUN:   | FileCheck %s --check-prefix=TURNS
// Each block has two rows of the workspace; copies of one tile share its map.
// MAPS-LABEL: gpu.func @move(
// MAPS-SAME:    %[[W:[a-z0-9]+]]: memref<?x128xi8> {llvm.align = 256 : i64, tile.map_workspace}, %[[ANY:[a-z0-9]+]]: !tile.tensor_map<{{[^>]*}}> {tile.map_of = array<i64: 5, 1, 3, 1, 0, 1, 3, 16, 0>}) workgroup
// MAPS:         %[[ROWS:.*]] = tile.view %[[W]] : memref<?x128xi8>
// MAPS:         %[[SCRATCH:.*]] = tile.alloc : !tile.buffer<128xi8, shared>
// MAPS:         %[[TWO:.*]] = arith.constant 2 : index
// MAPS:         %[[FIRST:.*]] = arith.muli %{{.*}}, %[[TWO]] : index
// MAPS:         %[[TILE:.*]] = tile.view %{{.*}} extents(
// MAPS:         %[[ROW:.*]] = arith.addi %[[FIRST]], %{{.*}} : index
// MAPS:         %[[SLOT:.*]] = tile.subview %[[ROWS]][%[[ROW]], 0] [1, 128]
// MAPS:         %[[OWN:.*]] = tile.update_map %[[ANY]] to %[[TILE]] in(%[[SLOT]] : {{.*}}) scratch(%[[SCRATCH]] : {{.*}}) scope(cta)
// MAPS:         tile.update_map
// MAPS-NOT:     tile.update_map
// MAPS:         tile.copy_async %[[TILE]]{{.*}} through(%[[OWN]] :
// REMARK: remark: [Passed] map-of-kernel | Category:tile-copy | Function=move | Fields=3, Maps=2, Remark="goes through a map that the kernel changes where it makes the tile: 3 fields replaced, in row 0 of 2 that each block has in the workspace"
// REMARK: remark: [Passed] map-of-kernel | {{.*}} in row 1 of 2 that
// REMARK: remark: [Passed] map-of-kernel | {{.*}}Function=turns | Fields=1, Maps=1,
// MOVED-COUNT-5: argument 1 holds what
// MOVED-DAG:  cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group 4
// MOVED-DAG:  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes 4
// MOVED-DAG:  tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned 6
// DELETED:    {{[0-9]+}} noticed, {{[0-9]+}} redundant, {{[0-9]+}} not executed, 0 not modelled, 0 missed
// RING-COUNT-5: argument 1 holds what
// RING-DAG:   cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes 4
// RING-DAG:   tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned 3
// TURNS-COUNT-5: argument 1 holds what
// TURNS-DAG:  tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned 3

!matrix = !tile.buffer<?x64xf16, global, #tile.layout<(?, 64) : (1@s0, 1)>>
!shared = !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!plain = !tile.buffer<32x64xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @move(%A: memref<?xf16>, %B: memref<?xf16>, %places: memref<?xi64>, %counts: memref<?xi64>, %strides: memref<?xi64>,
                 %W: memref<?x128xi8> {tile.map_workspace})
      workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %first_phase = arith.constant 0 : i32
    %zero = arith.constant 0.0 : f16
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

    // The matrix of the block.
    %block = gpu.block_id x
    %place = memref.load %places[%block] : memref<?xi64>
    %count = memref.load %counts[%block] : memref<?xi64>
    %stride = memref.load %strides[%block] : memref<?xi64>
    %count_index = arith.index_cast %count : i64 to index
    %stride_index = arith.index_cast %stride : i64 to index
    %offset = tile.assume %place uniform(cta) : i64
    %rows = tile.assume %count_index uniform(cta) : index
    %ld = tile.assume %stride_index divisible_by 8 uniform(cta) : index
    %A_index = memref.extract_aligned_pointer_as_index %A : memref<?xf16> -> index
    %B_index = memref.extract_aligned_pointer_as_index %B : memref<?xf16> -> index
    %A_start = arith.index_cast %A_index : index to i64
    %B_start = arith.index_cast %B_index : index to i64
    %A_begin = llvm.inttoptr %A_start : i64 to !llvm.ptr<1>
    %B_begin = llvm.inttoptr %B_start : i64 to !llvm.ptr<1>
    %A_own = llvm.getelementptr %A_begin[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    %B_own = llvm.getelementptr %B_begin[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    %A_matrix = tile.assume %A_own aligned 16 : !llvm.ptr<1>
    %B_matrix = tile.assume %B_own aligned 16 : !llvm.ptr<1>
    %a = tile.view %A_matrix extents(%rows) strides(%ld) : !llvm.ptr<1> to !matrix
    %b = tile.view %B_matrix extents(%rows) strides(%ld) : !llvm.ptr<1> to !matrix

    scf.for %row = %c0 to %rows step %c32 iter_args(%phase = %first_phase) -> i32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) mbarrier(%full : !llvm.ptr<3>) masked fill(%zero : f16)
        {variant = "tma"} : !matrix to !shared
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      tile.copy_async %s to %b[%row, 0] [32, 64] scope(cta) bulk_group masked {variant = "tma"} : !shared to !matrix
      nvvm.cp.async.bulk.wait_group 0
      gpu.barrier
      %next = arith.xori %phase, %one : i32
      scf.yield %next : i32
    }
    gpu.return
  }

  // A ring of two stages, whose copies name no variant.
  gpu.func @ring(%A: memref<?xf16>, %B: memref<?xf16>, %places: memref<?xi64>, %counts: memref<?xi64>, %strides: memref<?xi64>,
                 %W: memref<?x128xi8> {tile.map_workspace}) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f16
    %block = gpu.block_id y
    %place = memref.load %places[%block] : memref<?xi64>
    %count = memref.load %counts[%block] : memref<?xi64>
    %stride = memref.load %strides[%block] : memref<?xi64>
    %count_index = arith.index_cast %count : i64 to index
    %stride_index = arith.index_cast %stride : i64 to index
    %offset = tile.assume %place uniform(cta) : i64
    %rows = tile.assume %count_index uniform(cta) : index
    %ld = tile.assume %stride_index divisible_by 8 uniform(cta) : index
    %A_index = memref.extract_aligned_pointer_as_index %A : memref<?xf16> -> index
    %B_index = memref.extract_aligned_pointer_as_index %B : memref<?xf16> -> index
    %A_start = arith.index_cast %A_index : index to i64
    %B_start = arith.index_cast %B_index : index to i64
    %A_begin = llvm.inttoptr %A_start : i64 to !llvm.ptr<1>
    %B_begin = llvm.inttoptr %B_start : i64 to !llvm.ptr<1>
    %A_own = llvm.getelementptr %A_begin[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    %B_own = llvm.getelementptr %B_begin[%offset] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f16
    %A_matrix = tile.assume %A_own aligned 16 : !llvm.ptr<1>
    %B_matrix = tile.assume %B_own aligned 16 : !llvm.ptr<1>
    %a = tile.view %A_matrix extents(%rows) strides(%ld) : !llvm.ptr<1> to !matrix
    %b = tile.view %B_matrix extents(%rows) strides(%ld) : !llvm.ptr<1> to !matrix
    scf.for %row = %c0 to %rows step %c32 {
      %s = tile.alloc : !plain
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) masked fill(%zero : f16) : !matrix to !plain
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) masked : !plain to !matrix
    } {tile.stages = 2 : i64}
    gpu.return
  }

  // A tile for each turn of a loop: that its copy is complete at the end of the turn is known.
  gpu.func @turns(%A: memref<96x64xf16>, %B: memref<96x64xf16>, %W: memref<?x128xi8> {tile.map_workspace})
      workgroup(%barriers: memref<1xi64, 3> {llvm.align = 8}) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %true = arith.constant true
    %first_phase = arith.constant 0 : i32
    %thread = gpu.thread_id x
    %b = tile.view %B : memref<96x64xf16>
    %s = tile.alloc : !plain
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    %A_index = memref.extract_aligned_pointer_as_index %A : memref<96x64xf16> -> index
    %A_start = arith.index_cast %A_index : index to i64
    %A_begin = llvm.inttoptr %A_start : i64 to !llvm.ptr<1>
    scf.for %turn = %c0 to %c3 step %c1 iter_args(%phase = %first_phase) -> i32 {
      %row = arith.muli %turn, %c32 : index
      %bytes = arith.muli %row, %c32 : index
      %words = arith.index_cast %bytes : index to i64
      %A_own = llvm.getelementptr %A_begin[%words] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
      %A_tile = tile.assume %A_own aligned 16 : !llvm.ptr<1>
      %a = tile.view %A_tile : !llvm.ptr<1> to !tile.buffer<32x64xf16, global>
      tile.copy_async %a to %s scope(cta) mbarrier(%full : !llvm.ptr<3>) {variant = "tma"}
        : !tile.buffer<32x64xf16, global> to !plain
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !plain to !tile.buffer<96x64xf16, global>
      gpu.barrier
      %next = arith.xori %phase, %one : i32
      scf.yield %next : i32
    }
    gpu.return
  }
}
