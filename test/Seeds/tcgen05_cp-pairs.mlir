// tcgen05_cp for a pair of CTAs: each has its own tile in its own shared and tensor memory, and one thread of the first
// issues for both. test/Run executes it.

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx | %sass_count - | FileCheck %s --check-prefix=SASS %}

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  llvm.mlir.global internal @tmem_address() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @copied() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  // CHECK-LABEL: gpu.func @two_ctas(
  // CHECK: tile.planned_copy {{.*}} plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 2, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = {{[0-9]+}}, src = {
  // PTX-LABEL: .entry two_ctas(
  // PTX-COUNT-1: tcgen05.cp.cta_group::2.32x128b.warpx4 [{{.*}}], {{%rd[0-9]+}};
  // PTX-NOT: tcgen05.cp
  // PTX: tcgen05.commit.cta_group::2
  gpu.func @two_ctas(%A: memref<256xi32>, %B: memref<1024xi32>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {  // in order, but not followed
    %a = tile.view %A : memref<256xi32> to !tile.buffer<64x4xi32, global, #tile.layout<(64, 1, 4) : (4, 256, 1)>>
    %b = tile.view %B : memref<1024xi32> to !tile.buffer<256x4xi32, global, #tile.layout<(256, 1, 4) : (4, 1024, 1)>>
    %s = tile.alloc : !tile.buffer<32x4xi32, shared>
    %r = tile.alloc : !tile.buffer<128x4xi32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>
    %slot = llvm.mlir.addressof @tmem_address : !llvm.ptr<3>
    %barrier = llvm.mlir.addressof @copied : !llvm.ptr<3>
    %columns = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %is_warp_0 = arith.cmpi ult, %thread, %c32 : index
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
    }
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
    }
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %leads = arith.cmpi eq, %rank, %zero : i32
    %issues = arith.andi %leads, %is_thread_0 : i1
    %number = arith.index_castui %rank : i32 to index
    %row = arith.muli %number, %c32 : index
    %c128 = arith.constant 128 : index
    %lane = arith.muli %number, %c128 : index
    tile.copy %a[%row, 0] [32, 4] to %s scope(cta)
      : !tile.buffer<64x4xi32, global, #tile.layout<(64, 1, 4) : (4, 256, 1)>> to !tile.buffer<32x4xi32, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tile.buffer<32x4xi32, tmem, #tile.layout<(32, 4) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
    %u = tile.tmem %address : !tile.buffer<128x4xi32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>
    tile.copy %b[%lane, 0] [128, 4] to %r scope(warpgroup)
      : !tile.buffer<256x4xi32, global, #tile.layout<(256, 1, 4) : (4, 1024, 1)>> to !tile.buffer<128x4xi32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>
    tile.copy_async %r to %u scope(warpgroup)
      : !tile.buffer<128x4xi32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>> to !tile.buffer<128x4xi32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    nvvm.tcgen05.fence <after>
    scf.if %issues {
      tile.copy_async %s to %t scope(thread) {cta_group = 2 : i64}
        : !tile.buffer<32x4xi32, shared> to !tile.buffer<32x4xi32, tmem, #tile.layout<(32, 4) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
      %both = arith.constant 3 : i16
      nvvm.tcgen05.commit %barrier, multicast_mask = %both {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i16
    }
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %barrier, %zero : !llvm.ptr<3>, i32 -> i1
      %true = arith.constant true
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    nvvm.tcgen05.fence <after>
    tile.copy_async %u to %r scope(warpgroup)
      : !tile.buffer<128x4xi32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>> to !tile.buffer<128x4xi32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>
    nvvm.tcgen05.wait <load>
    tile.copy %r to %b[%lane, 0] [128, 4] scope(warpgroup)
      : !tile.buffer<128x4xi32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>> to !tile.buffer<256x4xi32, global, #tile.layout<(256, 1, 4) : (4, 1024, 1)>>
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}

// SASS: kernel two_ctas
// SASS: stack bytes: 0
// SASS: UTCCP: 1
