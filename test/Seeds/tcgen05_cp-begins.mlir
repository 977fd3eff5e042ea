// The offset of a tile in tcgen05_cp: in the layout, constant, or at run time.
// In each kernel one thread copies a tile from shared memory to tensor memory, which holds B before; the warpgroup writes all
// of it back to B. Global memory is in panels of 16 bytes. test/Run/tcgen05_cp-inputs.test runs it.

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  llvm.mlir.global internal @tmem_address() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @copied() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  // From column 8 of 16 on; the rows of 32 from row 8 on.
  // CHECK-LABEL: gpu.func @column_offset(
  // CHECK: tile.planned_copy {{.*}} plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = {{[0-9]+}}, src = {
  // PTX-LABEL: .entry column_offset(
  // PTX-COUNT-1: tcgen05.cp.cta_group::1.32x128b.warpx4 [{{.*}}], {{%rd[0-9]+}};
  // PTX-NOT: tcgen05.cp
  // PTX: tcgen05.commit.cta_group::1
  gpu.func @column_offset(%A: memref<160xi32>, %B: memref<2048xi32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<160xi32> to !tile.buffer<40x4xi32, global, #tile.layout<(40, 1, 4) : (4, 160, 1)>>
    %b = tile.view %B : memref<2048xi32> to !tile.buffer<128x16xi32, global, #tile.layout<(128, 4, 4) : (4, 512, 1)>>
    %s = tile.alloc : !tile.buffer<40x4xi32, shared>
    %r = tile.alloc : !tile.buffer<128x16xi32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
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
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
    }
    tile.copy %a to %s scope(cta)
      : !tile.buffer<40x4xi32, global, #tile.layout<(40, 1, 4) : (4, 160, 1)>> to !tile.buffer<40x4xi32, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address :
      !tile.buffer<32x16xi32, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
    %u = tile.tmem %address : !tile.buffer<128x16xi32, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
    tile.copy %b to %r scope(warpgroup)
      : !tile.buffer<128x16xi32, global, #tile.layout<(128, 4, 4) : (4, 512, 1)>> to !tile.buffer<128x16xi32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
    tile.copy_async %r to %u scope(warpgroup)
      : !tile.buffer<128x16xi32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>> to !tile.buffer<128x16xi32, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    gpu.barrier
    nvvm.tcgen05.fence <after>
    scf.if %is_thread_0 {
      tile.copy_async %s[8, 0] [32, 4] to %t[0, 8] [32, 4] scope(thread)
        : !tile.buffer<40x4xi32, shared> to !tile.buffer<32x16xi32, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
      nvvm.tcgen05.commit %barrier : !llvm.ptr<3>
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
      : !tile.buffer<128x16xi32, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>> to !tile.buffer<128x16xi32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
    nvvm.tcgen05.wait <load>
    tile.copy %r to %b scope(warpgroup)
      : !tile.buffer<128x16xi32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>> to !tile.buffer<128x16xi32, global, #tile.layout<(128, 4, 4) : (4, 512, 1)>>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // The same with the offset of the layout.
  // CHECK-LABEL: gpu.func @layout_offset(
  // CHECK: tile.planned_copy {{.*}} plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = {{[0-9]+}}, src = {
  // PTX-LABEL: .entry layout_offset(
  // PTX-COUNT-1: tcgen05.cp.cta_group::1.32x128b.warpx4 [{{.*}}], {{%rd[0-9]+}};
  // PTX-NOT: tcgen05.cp
  // PTX: tcgen05.commit.cta_group::1
  gpu.func @layout_offset(%A: memref<128xi32>, %B: memref<2048xi32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128xi32> to !tile.buffer<32x4xi32, global, #tile.layout<(32, 1, 4) : (4, 128, 1)>>
    %b = tile.view %B : memref<2048xi32> to !tile.buffer<128x16xi32, global, #tile.layout<(128, 4, 4) : (4, 512, 1)>>
    %s = tile.alloc : !tile.buffer<32x4xi32, shared>
    %r = tile.alloc : !tile.buffer<128x16xi32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
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
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
    }
    tile.copy %a to %s scope(cta)
      : !tile.buffer<32x4xi32, global, #tile.layout<(32, 1, 4) : (4, 128, 1)>> to !tile.buffer<32x4xi32, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address :
      !tile.buffer<32x4xi32, tmem, #tile.layout<(32, 4) : (1@TLane, 1@TCol) + R(4 : 32@TLane) + 8@TCol>>
    %u = tile.tmem %address : !tile.buffer<128x16xi32, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
    tile.copy %b to %r scope(warpgroup)
      : !tile.buffer<128x16xi32, global, #tile.layout<(128, 4, 4) : (4, 512, 1)>> to !tile.buffer<128x16xi32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
    tile.copy_async %r to %u scope(warpgroup)
      : !tile.buffer<128x16xi32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>> to !tile.buffer<128x16xi32, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    gpu.barrier
    nvvm.tcgen05.fence <after>
    scf.if %is_thread_0 {
      tile.copy_async %s to %t scope(thread)
        : !tile.buffer<32x4xi32, shared> to !tile.buffer<32x4xi32, tmem, #tile.layout<(32, 4) : (1@TLane, 1@TCol) + R(4 : 32@TLane) + 8@TCol>>
      nvvm.tcgen05.commit %barrier : !llvm.ptr<3>
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
      : !tile.buffer<128x16xi32, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>> to !tile.buffer<128x16xi32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
    nvvm.tcgen05.wait <load>
    tile.copy %r to %b scope(warpgroup)
      : !tile.buffer<128x16xi32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>> to !tile.buffer<128x16xi32, global, #tile.layout<(128, 4, 4) : (4, 512, 1)>>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // Run-time offsets: columns in steps of 4, rows in steps of 8 under a swizzle.
  // CHECK-LABEL: gpu.func @run_time_column(
  // CHECK: tile.planned_copy {{.*}} plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = {{[0-9]+}}, src = {
  // PTX-LABEL: .entry run_time_column(
  // PTX-COUNT-1: tcgen05.cp.cta_group::1.32x128b.warpx4 [{{.*}}], {{%rd[0-9]+}};
  // PTX-NOT: tcgen05.cp
  // PTX: tcgen05.commit.cta_group::1
  gpu.func @run_time_column(%A: memref<128xi32>, %B: memref<2048xi32>, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128xi32> to !tile.buffer<32x4xi32, global, #tile.layout<(32, 1, 4) : (4, 128, 1)>>
    %b = tile.view %B : memref<2048xi32> to !tile.buffer<128x16xi32, global, #tile.layout<(128, 4, 4) : (4, 512, 1)>>
    %s = tile.alloc : !tile.buffer<32x4xi32, shared>
    %r = tile.alloc : !tile.buffer<128x16xi32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
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
    %column = tile.assume %i divisible_by 4 : index
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
    }
    tile.copy %a to %s scope(cta)
      : !tile.buffer<32x4xi32, global, #tile.layout<(32, 1, 4) : (4, 128, 1)>> to !tile.buffer<32x4xi32, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address :
      !tile.buffer<32x16xi32, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
    %u = tile.tmem %address : !tile.buffer<128x16xi32, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
    tile.copy %b to %r scope(warpgroup)
      : !tile.buffer<128x16xi32, global, #tile.layout<(128, 4, 4) : (4, 512, 1)>> to !tile.buffer<128x16xi32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
    tile.copy_async %r to %u scope(warpgroup)
      : !tile.buffer<128x16xi32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>> to !tile.buffer<128x16xi32, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    gpu.barrier
    nvvm.tcgen05.fence <after>
    scf.if %is_thread_0 {
      tile.copy_async %s to %t[0, %column] [32, 4] scope(thread)
        : !tile.buffer<32x4xi32, shared> to !tile.buffer<32x16xi32, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
      nvvm.tcgen05.commit %barrier : !llvm.ptr<3>
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
      : !tile.buffer<128x16xi32, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>> to !tile.buffer<128x16xi32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>
    nvvm.tcgen05.wait <load>
    tile.copy %r to %b scope(warpgroup)
      : !tile.buffer<128x16xi32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>> to !tile.buffer<128x16xi32, global, #tile.layout<(128, 4, 4) : (4, 512, 1)>>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @run_time_row(
  // CHECK: tile.planned_copy {{.*}} plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 16, swizzle = 1}, {{.*}}tile_iters = 1,
  // PTX-LABEL: .entry run_time_row(
  // PTX-COUNT-2: tcgen05.cp.cta_group::1.32x128b.warpx4 [{{.*}}], {{%rd[0-9]+}};
  // PTX-NOT: tcgen05.cp
  // PTX: tcgen05.commit.cta_group::1
  gpu.func @run_time_row(%A: memref<512xi32>, %B: memref<1024xi32>, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<512xi32> to !tile.buffer<64x8xi32, global, #tile.layout<(64, 2, 4) : (4, 256, 1)>>
    %b = tile.view %B : memref<1024xi32> to !tile.buffer<128x8xi32, global, #tile.layout<(128, 2, 4) : (4, 512, 1)>>
    %s = tile.alloc : !tile.buffer<64x8xi32, shared, #tile.layout<(64, 8) : (8, 1), swizzle<base = 2, bits = 1, shift = 3>>>
    %r = tile.alloc : !tile.buffer<128x8xi32, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>>
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
    %c8 = arith.constant 8 : index
    %row = arith.muli %i, %c8 : index
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
    }
    tile.copy %a to %s scope(cta)
      : !tile.buffer<64x8xi32, global, #tile.layout<(64, 2, 4) : (4, 256, 1)>> to !tile.buffer<64x8xi32, shared, #tile.layout<(64, 8) : (8, 1), swizzle<base = 2, bits = 1, shift = 3>>>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tile.buffer<32x8xi32, tmem, #tile.layout<(32, 8) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
    %u = tile.tmem %address : !tile.buffer<128x8xi32, tmem, #tile.layout<(128, 8) : (1@TLane, 1@TCol)>>
    tile.copy %b to %r scope(warpgroup)
      : !tile.buffer<128x8xi32, global, #tile.layout<(128, 2, 4) : (4, 512, 1)>> to !tile.buffer<128x8xi32, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>>
    tile.copy_async %r to %u scope(warpgroup)
      : !tile.buffer<128x8xi32, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>> to !tile.buffer<128x8xi32, tmem, #tile.layout<(128, 8) : (1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    gpu.barrier
    nvvm.tcgen05.fence <after>
    scf.if %is_thread_0 {
      tile.copy_async %s[%row, 0] [32, 8] to %t scope(thread)
        : !tile.buffer<64x8xi32, shared, #tile.layout<(64, 8) : (8, 1), swizzle<base = 2, bits = 1, shift = 3>>> to !tile.buffer<32x8xi32, tmem, #tile.layout<(32, 8) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
      nvvm.tcgen05.commit %barrier : !llvm.ptr<3>
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
      : !tile.buffer<128x8xi32, tmem, #tile.layout<(128, 8) : (1@TLane, 1@TCol)>> to !tile.buffer<128x8xi32, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>>
    nvvm.tcgen05.wait <load>
    tile.copy %r to %b scope(warpgroup)
      : !tile.buffer<128x8xi32, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>> to !tile.buffer<128x8xi32, global, #tile.layout<(128, 2, 4) : (4, 512, 1)>>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }
}

// SASS-LABEL: kernel column_offset
// SASS: UTCCP: 1
// SASS-LABEL: kernel layout_offset
// SASS: UTCCP: 1
// SASS-LABEL: kernel run_time_column
// SASS: UTCCP: 1
// SASS-LABEL: kernel run_time_row
// SASS: UTCCP: 2
