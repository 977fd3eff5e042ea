// The two blocks of a cluster swap a 16x64 tile of f16: each copies its tile to the other's shared memory, and waits for
// the tile that the other sends. The barrier of each block expects the 2048 bytes of that tile.

!global = !tile.buffer<2x16x64xf16, global>
!shared = !tile.buffer<16x64xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @received() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  gpu.func @swap(%A: memref<2x16x64xf16>, %B: memref<2x16x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %a = tile.view %A : memref<2x16x64xf16> to !global
    %b = tile.view %B : memref<2x16x64xf16> to !global
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared

    %barrier = llvm.mlir.addressof @received : !llvm.ptr<3>
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %bytes = arith.constant 2048 : i32
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    %block = gpu.block_id x
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %other = arith.xori %rank, %one : i32

    scf.if %is_thread_0 {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.arrive.expect_tx %barrier, %bytes : !llvm.ptr<3>, i32
    }
    tile.copy %a[%block, 0, 0] [1, 16, 64] to %s scope(cta) : !global to !shared
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}

    // Both blocks have initialized their barrier before either sends.
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %is_thread_0 {
      tile.copy_async %s to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%other) : !shared to !shared
    }
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %barrier, %zero : !llvm.ptr<3>, i32 -> i1
      %true = arith.constant true
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy %t to %b[%block, 0, 0] [1, 16, 64] scope(cta) : !shared to !global

    // No block leaves while the other still reads its shared memory.
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }
}

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s --check-prefix=ALIGN
// RUN: tile-opt %s --lower-tile-copy | FileCheck %s --check-prefix=EXPAND
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter-passed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK --implicit-check-not=warning
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx | %sass_count - | FileCheck %s --check-prefix=SASS %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_100a | %sass_count - | FileCheck %s --check-prefix=SASS %}

// ALIGN: tile.planned_copy %{{.*}} to %{{.*}} scope(thread) mbarrier(%{{.*}} : !llvm.ptr<3>) remote_cta(%{{.*}}) plan<bulk "dsmem"{{.*}}src = {layout = (1024) : (1), space{{.*}}dst = {layout = (1024) : (1), space

// The barrier and the destination are in the other block.
// EXPAND:      %[[OWN:.*]] = llvm.mlir.addressof @received : !llvm.ptr<3>
// EXPAND:      %[[OTHER:.*]] = arith.xori
// EXPAND:      %[[MAPPED:.*]] = nvvm.mapa %[[OWN]], %[[OTHER]] : !llvm.ptr<3> -> !llvm.ptr<7>
// EXPAND-NEXT: %[[NUMBER:.*]] = llvm.ptrtoint %[[MAPPED]]
// EXPAND-NEXT: %[[BARRIER:.*]] = llvm.inttoptr %[[NUMBER]] : i64 to !llvm.ptr<3>
// EXPAND:      %[[SIZE:.*]] = arith.constant 2048 : i32
// EXPAND:      %[[TARGET:.*]] = nvvm.mapa %{{.*}}, %[[OTHER]] : !llvm.ptr<3> -> !llvm.ptr<7>
// EXPAND-NEXT: nvvm.cp.async.bulk.shared.cluster.shared.cta %[[TARGET]], %{{.*}}, %[[BARRIER]], %[[SIZE]]

// REMARK-DAG: :39:7: remark: [Passed] dsmem | {{.*}} | BytesPerThread=2048, ChunkBytes=2048, Instructions="1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", {{.*}}Rounds=1, Variant=dsmem

// PTX-DAG: mapa.shared::cluster.u64 [[TARGET:%rd[0-9]+]],
// PTX-DAG: mapa.shared::cluster.u64 [[BARRIER:%rd[0-9]+]],
// PTX:     cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [{{%rd[0-9]+}}], [{{.*}}], {{%r[0-9]+}}, [{{%rd[0-9]+}}];

// SASS:      stack bytes: 0
// SASS-NEXT: spill bytes: 0
// SASS:      UBLKCP: 1
// SASS:      LDL: 0
// SASS-NEXT: STL: 0
