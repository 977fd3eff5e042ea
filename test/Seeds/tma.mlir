// Two stages of a tile of 64x64 halfwords go through tensor maps: from a matrix whose rows only the host knows, to shared memory
// with the swizzle that tensor cores read, and on to another matrix. Rows outside of the matrix are filled with zeros, and left
// out of the store. Both loads share a map.

!matrix = !tile.buffer<?x512xf16, global>
!shared = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @round_trip(%A: memref<?x512xf16>, %B: memref<?x512xf16>)
      workgroup(%barriers: memref<2xi64, 3> {llvm.align = 16}) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1 : i32
    %phase = arith.constant 0 : i32
    %zero = arith.constant 0.0 : f16
    %true = arith.constant true
    %a = tile.view %A : memref<?x512xf16>
    %b = tile.view %B : memref<?x512xf16>
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<2xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %next = llvm.getelementptr %full[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.init %next, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    %block = gpu.block_id x
    %row = arith.muli %block, %c64 : index
    tile.copy_async %a[%row, 64] [64, 64] to %s[0, 0] [64, 64] scope(cta) mbarrier(%full : !llvm.ptr<3>) masked fill(%zero : f16)
      {variant = "tma"} : !matrix to !shared
    tile.copy_async %a[%row, 192] [64, 64] to %t[0, 0] [64, 64] scope(cta) mbarrier(%next : !llvm.ptr<3>) masked fill(%zero : f16)
      {variant = "tma"} : !matrix to !shared
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy_async %s[0, 0] [64, 64] to %b[%row, 64] [64, 64] scope(cta) bulk_group masked {variant = "tma"} : !shared to !matrix
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %next, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy_async %t[0, 0] [64, 64] to %b[%row, 192] [64, 64] scope(cta) bulk_group masked {variant = "tma"} : !shared to !matrix
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }
}

// RUN: tile-opt %s --tile-make-maps | FileCheck %s --check-prefix=MAPS
// RUN: tile-opt %s --tile-make-maps --tile-align-layouts | FileCheck %s --check-prefix=ALIGN
// RUN: tile-opt %s --tile-make-maps --lower-tile-copy | FileCheck %s --check-prefix=EXPAND
// RUN: tile-opt %s --tile-make-maps --lower-tile-copy -o /dev/null --remarks-filter-passed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=warning
// RUN: tile-opt %s --tile-check-sync --tile-check-bounds -o /dev/null
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: tile-run %s --schedule=all --grid 2 --arg f16[100x512]=random --arg f16[100x512]=poison | FileCheck %s --check-prefix=DONE

// Stage 0: a map for each matrix, as arguments of the kernel; the extent of the rows is that of the memref.
// MAPS:       gpu.func @round_trip(%[[A:[a-z0-9]*]]: memref<?x512xf16>{{.*}}, %[[B:[a-z0-9]*]]: memref<?x512xf16>
// MAPS-SAME:    %[[FROM:[a-z0-9]*]]: !tile.tensor_map<element = float16, dims = [{extent = const(512), stride = bytes(2), box = 64}, {extent = of(0), stride = bytes(1024), box = 64}], swizzle = b128
// MAPS-SAME:    {tile.map_of = array<i64: 0, 1, 1, 0, 0>}, %[[TO:[a-z0-9]*]]: !tile.tensor_map<
// MAPS-SAME:    {tile.map_of = array<i64: 1, 1, 1, 1, 0>}) workgroup(
// MAPS-COUNT-2: tile.copy_async %{{.*}} scope(cta) mbarrier(%{{.*}} : !llvm.ptr<3>) through(%[[FROM]] : !tile.tensor_map<{{.*}}>) masked fill
// MAPS-COUNT-2: tile.copy_async %{{.*}} scope(cta) bulk_group through(%[[TO]] : !tile.tensor_map<{{.*}}>) masked {variant = "tma"}
// MAPS-NOT:   tile.tensor_map %

// Stage 1: the coordinates of the box.
// ALIGN:      tile.planned_copy %{{.*}}[%[[ROW:.*]]] to %{{.*}} scope(cta) mbarrier({{.*}}) through({{.*}}) plan<tensor_map "tma", form = load, bits = 16, parts = [{map = {element = float16, dims = [{{.*}}], swizzle = b128{{.*}}}, at = [{constant = 64}, {moving = {value = 0, divisor = 64}}]}]

// Stage 3: one thread prefetches both maps, expects the bytes and issues the box.
// EXPAND-COUNT-2: nvvm.prefetch tensormap, %{{.*}} : !llvm.ptr
// EXPAND:     scf.if
// EXPAND:       nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c8192
// EXPAND:       %[[MAP:.*]] = builtin.unrealized_conversion_cast %{{.*}} : !tile.tensor_map<{{.*}}> to !llvm.ptr
// EXPAND:       nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %[[MAP]], %{{.*}}, box[%c64{{.*}}, %{{.*}}] : !llvm.ptr<7>, !llvm.ptr
// EXPAND:     scf.if
// EXPAND:       nvvm.cp.async.bulk.tensor.global.shared.cta
// EXPAND:     nvvm.cp.async.bulk.commit.group

// REMARK-COUNT-2: remark: [Passed] tma | {{.*}} | Function=round_trip | Box=64x64, BytesPerThread=8192, Instructions="1 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes", Maps=1, {{.*}}Rounds=1, Swizzle="128 bytes", Variant=tma
// REMARK-COUNT-2: remark: [Passed] tma | {{.*}} | Function=round_trip | Box=64x64, BytesPerThread=8192, Instructions="1 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group", Maps=1,

// PTX:        .param .align 64 .b8 round_trip_param_4[128],
// PTX-NEXT:   .param .align 64 .b8 round_trip_param_5[128]
// PTX:        cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%{{.*}}], [%{{.*}}, {%{{.*}}, %{{.*}}{{[}]}}], [{{.*}}];
// PTX:        cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%{{.*}}, {%{{.*}}, %{{.*}}{{[}]}}], [{{.*}}];
// PTX:        // tensor map of round_trip, parameter 4: base=p0,type=f16,dims=512xp1,strides=1024,box=64x64,swizzle=128,promotion={{.*}},fill=zero
// PTX-NEXT:   // tensor map of round_trip, parameter 5: base=p2,type=f16,dims=512xp3,

// DONE-COUNT-5: nothing was compared
