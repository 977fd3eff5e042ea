// The two blocks of a cluster need the same tile. Each loads one half of it through a tensor map, into the shared memory of both,
// so that the tile is read once for the cluster. The mbarrier of a block expects the bytes of both halves.

!source = !tile.buffer<64x32xi32, global>
!target = !tile.buffer<128x32xi32, global>
!shared = !tile.buffer<64x32xi32, shared, #tile.layout<(64, 32) : (32, 1), swizzle<base = 2, bits = 3, shift = 3>>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @halves(%A: memref<64x32xi32>, %B: memref<128x32xi32>) workgroup(%barriers: memref<1xi64, 3> {llvm.align = 16}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %one = arith.constant 1 : i32
    %half_rows = arith.constant 32 : i32
    %bytes = arith.constant 8192 : i32
    %phase = arith.constant 0 : i32
    %both = arith.constant 3 : i16
    %true = arith.constant true
    %a = tile.view %A : memref<64x32xi32>
    %b = tile.view %B : memref<128x32xi32>
    %s = tile.alloc : !shared
    %index = memref.extract_aligned_pointer_as_index %barriers : memref<1xi64, 3> -> index
    %address = arith.index_cast %index : index to i64
    %full = llvm.inttoptr %address : i64 to !llvm.ptr<3>
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
      nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %first = arith.muli %rank, %half_rows : i32
    %row = arith.index_cast %first : i32 to index
    tile.copy_async %a[%row, 0] [32, 32] to %s[%row, 0] [32, 32] scope(cta) mbarrier(%full : !llvm.ptr<3>) cta_mask(%both)
      {variant = "tma"} : !source to !shared
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %full, %phase : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    %block = gpu.block_id x
    %own = arith.muli %block, %c64 : index
    tile.copy_async %s to %b[%own, 0] [64, 32] scope(cta) bulk_group {variant = "tma"} : !shared to !target
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }
}

// RUN: tile-opt %s --tile-make-maps --tile-align-layouts | FileCheck %s --check-prefix=ALIGN
// RUN: tile-opt %s --tile-make-maps --tile-align-layouts | tile-opt --tile-align-layouts | FileCheck %s --check-prefix=ALIGN
// RUN: tile-opt %s --tile-make-maps --lower-tile-copy | FileCheck %s --check-prefix=EXPAND
// RUN: tile-opt %s --tile-make-maps --lower-tile-copy -o /dev/null --remarks-filter-passed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=warning
// RUN: tile-opt %s --tile-check-sync --tile-check-bounds -o /dev/null
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %python %tile_source/test/tools/npy.py %t.in.npy "<i4" 64,32 0:64
// RUN: %python %tile_source/test/tools/npy.py %t.out.npy "<i4" 128,32 0:64 0:64
// RUN: tile-run %s --schedule=all --grid 2 --arg i32[64x32]=%t.in.npy --arg i32[128x32]=poison --expect 1=%t.out.npy \
// RUN:   | FileCheck %s --check-prefix=DONE
// RUN: tile-run %s --delete-sync --grid 2 --arg i32[64x32]=%t.in.npy --arg i32[128x32]=poison --expect 1=%t.out.npy \
// RUN:   | FileCheck %s --check-prefix=DELETED

// ALIGN:      tile.planned_copy %{{.*}}[%[[ROW:.*]]] to %{{.*}}[%[[ROW]]] scope(cta) mbarrier({{.*}}) cta_mask(%{{.*}}) through({{.*}}) plan<tensor_map "tma", form = multicast,

// The copy expects no bytes: the kernel does, of both halves.
// EXPAND:     nvvm.mbarrier.arrive.expect_tx
// EXPAND-NOT: nvvm.mbarrier.arrive.expect_tx
// EXPAND:     nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}} multicast_mask = %c3_i16

// REMARK:     remark: [Passed] tma | {{.*}}BytesPerThread=4096, Instructions="1 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster"

// PTX:        cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%{{.*}}], [%{{.*}}, {%{{.*}}, %{{.*}}{{[}]}}], [__wg_halves_0], %{{.*}};

// DONE-COUNT-5: argument 1 holds what {{.*}}out.npy holds
// DELETED: {{[0-9]+}} noticed{{.*}}, 0 missed
