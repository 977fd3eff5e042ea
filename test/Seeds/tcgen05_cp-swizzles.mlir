// Swizzles of shared memory, by tcgen05_cp.
// In each kernel one thread copies a tile from shared memory to tensor memory, which holds B before; the warpgroup writes all
// of it back to B. Global memory is in panels of 16 bytes. test/Run/tcgen05_cp-inputs.test runs it.

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  llvm.mlir.global internal @tmem_address() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @copied() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  // Rows of 32, 64 and 128 bytes, each with the swizzle of that width.
  // CHECK-LABEL: gpu.func @swizzle_1(
  // CHECK: tile.planned_copy {{.*}} plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 16, swizzle = 1}, {{.*}}tile_iters = 1,
  // PTX-LABEL: .entry swizzle_1(
  // PTX-COUNT-2: tcgen05.cp.cta_group::1.32x128b.warpx4 [{{.*}}], {{%rd[0-9]+}};
  // PTX-NOT: tcgen05.cp
  // PTX: tcgen05.commit.cta_group::1
  gpu.func @swizzle_1(%A: memref<256xi32>, %B: memref<1024xi32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<256xi32> to !tile.buffer<32x8xi32, global, #tile.layout<(32, 2, 4) : (4, 128, 1)>>
    %b = tile.view %B : memref<1024xi32> to !tile.buffer<128x8xi32, global, #tile.layout<(128, 2, 4) : (4, 512, 1)>>
    %s = tile.alloc : !tile.buffer<32x8xi32, shared, #tile.layout<(32, 8) : (8, 1), swizzle<base = 2, bits = 1, shift = 3>>>
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
    scf.if %is_warp_0 {
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
    }
    tile.copy %a to %s scope(cta)
      : !tile.buffer<32x8xi32, global, #tile.layout<(32, 2, 4) : (4, 128, 1)>> to !tile.buffer<32x8xi32, shared, #tile.layout<(32, 8) : (8, 1), swizzle<base = 2, bits = 1, shift = 3>>>
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
      tile.copy_async %s to %t scope(thread)
        : !tile.buffer<32x8xi32, shared, #tile.layout<(32, 8) : (8, 1), swizzle<base = 2, bits = 1, shift = 3>>> to !tile.buffer<32x8xi32, tmem, #tile.layout<(32, 8) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
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

  // CHECK-LABEL: gpu.func @swizzle_2(
  // CHECK: tile.planned_copy {{.*}} plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 32, swizzle = 2}, {{.*}}tile_iters = 1,
  // PTX-LABEL: .entry swizzle_2(
  // PTX-COUNT-4: tcgen05.cp.cta_group::1.32x128b.warpx4 [{{.*}}], {{%rd[0-9]+}};
  // PTX-NOT: tcgen05.cp
  // PTX: tcgen05.commit.cta_group::1
  gpu.func @swizzle_2(%A: memref<512xi32>, %B: memref<2048xi32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<512xi32> to !tile.buffer<32x16xi32, global, #tile.layout<(32, 4, 4) : (4, 128, 1)>>
    %b = tile.view %B : memref<2048xi32> to !tile.buffer<128x16xi32, global, #tile.layout<(128, 4, 4) : (4, 512, 1)>>
    %s = tile.alloc : !tile.buffer<32x16xi32, shared, #tile.layout<(32, 16) : (16, 1), swizzle<base = 2, bits = 2, shift = 3>>>
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
      : !tile.buffer<32x16xi32, global, #tile.layout<(32, 4, 4) : (4, 128, 1)>> to !tile.buffer<32x16xi32, shared, #tile.layout<(32, 16) : (16, 1), swizzle<base = 2, bits = 2, shift = 3>>>
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
      tile.copy_async %s to %t scope(thread)
        : !tile.buffer<32x16xi32, shared, #tile.layout<(32, 16) : (16, 1), swizzle<base = 2, bits = 2, shift = 3>>> to !tile.buffer<32x16xi32, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
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

  // CHECK-LABEL: gpu.func @swizzle_3(
  // CHECK: tile.planned_copy {{.*}} plan<tmem_copy "tcgen05_cp", form = "32x128b.warpx4", cta_group = 1, descriptor = {leading = 0, stride = 64, swizzle = 3}, {{.*}}tile_iters = 1,
  // PTX-LABEL: .entry swizzle_3(
  // PTX-COUNT-8: tcgen05.cp.cta_group::1.32x128b.warpx4 [{{.*}}], {{%rd[0-9]+}};
  // PTX-NOT: tcgen05.cp
  // PTX: tcgen05.commit.cta_group::1
  gpu.func @swizzle_3(%A: memref<1024xi32>, %B: memref<4096xi32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<1024xi32> to !tile.buffer<32x32xi32, global, #tile.layout<(32, 8, 4) : (4, 128, 1)>>
    %b = tile.view %B : memref<4096xi32> to !tile.buffer<128x32xi32, global, #tile.layout<(128, 8, 4) : (4, 512, 1)>>
    %s = tile.alloc : !tile.buffer<32x32xi32, shared, #tile.layout<(32, 32) : (32, 1), swizzle<base = 2, bits = 3, shift = 3>>>
    %r = tile.alloc : !tile.buffer<128x32xi32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
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
      : !tile.buffer<32x32xi32, global, #tile.layout<(32, 8, 4) : (4, 128, 1)>> to !tile.buffer<32x32xi32, shared, #tile.layout<(32, 32) : (32, 1), swizzle<base = 2, bits = 3, shift = 3>>>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address :
      !tile.buffer<32x32xi32, tmem, #tile.layout<(32, 32) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
    %u = tile.tmem %address : !tile.buffer<128x32xi32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
    tile.copy %b to %r scope(warpgroup)
      : !tile.buffer<128x32xi32, global, #tile.layout<(128, 8, 4) : (4, 512, 1)>> to !tile.buffer<128x32xi32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy_async %r to %u scope(warpgroup)
      : !tile.buffer<128x32xi32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xi32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    gpu.barrier
    nvvm.tcgen05.fence <after>
    scf.if %is_thread_0 {
      tile.copy_async %s to %t scope(thread)
        : !tile.buffer<32x32xi32, shared, #tile.layout<(32, 32) : (32, 1), swizzle<base = 2, bits = 3, shift = 3>>> to !tile.buffer<32x32xi32, tmem, #tile.layout<(32, 32) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
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
      : !tile.buffer<128x32xi32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>> to !tile.buffer<128x32xi32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    nvvm.tcgen05.wait <load>
    tile.copy %r to %b scope(warpgroup)
      : !tile.buffer<128x32xi32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xi32, global, #tile.layout<(128, 8, 4) : (4, 512, 1)>>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // Under a swizzle, both halves of a 256-bit row are in one row of the pattern.
  // CHECK-LABEL: gpu.func @swizzled_halves(
  // CHECK: tile.planned_copy {{.*}} plan<tmem_copy "tcgen05_cp", form = "128x256b", cta_group = 1, descriptor = {leading = 1, stride = 64, swizzle = 3}, {{.*}}tile_iters = 1,
  // PTX-LABEL: .entry swizzled_halves(
  // PTX-COUNT-4: tcgen05.cp.cta_group::1.128x256b [{{.*}}], {{%rd[0-9]+}};
  // PTX-NOT: tcgen05.cp
  // PTX: tcgen05.commit.cta_group::1
  gpu.func @swizzled_halves(%A: memref<4096xi32>, %B: memref<4096xi32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<4096xi32> to !tile.buffer<128x32xi32, global, #tile.layout<(128, 8, 4) : (4, 512, 1)>>
    %b = tile.view %B : memref<4096xi32> to !tile.buffer<128x32xi32, global, #tile.layout<(128, 8, 4) : (4, 512, 1)>>
    %s = tile.alloc : !tile.buffer<128x32xi32, shared, #tile.layout<(128, 32) : (32, 1), swizzle<base = 2, bits = 3, shift = 3>>>
    %r = tile.alloc : !tile.buffer<128x32xi32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
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
      : !tile.buffer<128x32xi32, global, #tile.layout<(128, 8, 4) : (4, 512, 1)>> to !tile.buffer<128x32xi32, shared, #tile.layout<(128, 32) : (32, 1), swizzle<base = 2, bits = 3, shift = 3>>>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tile.buffer<128x32xi32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
    %u = tile.tmem %address : !tile.buffer<128x32xi32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
    tile.copy %b to %r scope(warpgroup)
      : !tile.buffer<128x32xi32, global, #tile.layout<(128, 8, 4) : (4, 512, 1)>> to !tile.buffer<128x32xi32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    tile.copy_async %r to %u scope(warpgroup)
      : !tile.buffer<128x32xi32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xi32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    gpu.barrier
    nvvm.tcgen05.fence <after>
    scf.if %is_thread_0 {
      tile.copy_async %s to %t scope(thread)
        : !tile.buffer<128x32xi32, shared, #tile.layout<(128, 32) : (32, 1), swizzle<base = 2, bits = 3, shift = 3>>> to !tile.buffer<128x32xi32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
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
      : !tile.buffer<128x32xi32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>> to !tile.buffer<128x32xi32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>
    nvvm.tcgen05.wait <load>
    tile.copy %r to %b scope(warpgroup)
      : !tile.buffer<128x32xi32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>> to !tile.buffer<128x32xi32, global, #tile.layout<(128, 8, 4) : (4, 512, 1)>>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @swizzled_bytes(
  // CHECK: tile.planned_copy {{.*}} plan<tmem_copy "tcgen05_cp", form = "64x128b.warpx2::02_13", cta_group = 1, descriptor = {leading = 0, stride = 32, swizzle = 2}, {{.*}}tile_iters = 1,
  // PTX-LABEL: .entry swizzled_bytes(
  // PTX-COUNT-4: tcgen05.cp.cta_group::1.64x128b.warpx2::02_13 [{{.*}}], {{%rd[0-9]+}};
  // PTX-NOT: tcgen05.cp
  // PTX: tcgen05.commit.cta_group::1
  gpu.func @swizzled_bytes(%A: memref<4096xi8>, %B: memref<2048xi32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<4096xi8> to !tile.buffer<64x64xi8, global, #tile.layout<(64, 4, 16) : (16, 1024, 1)>>
    %b = tile.view %B : memref<2048xi32> to !tile.buffer<128x16xi32, global, #tile.layout<(128, 4, 4) : (4, 512, 1)>>
    %s = tile.alloc : !tile.buffer<64x64xi8, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 4, bits = 2, shift = 3>>>
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
      : !tile.buffer<64x64xi8, global, #tile.layout<(64, 4, 16) : (16, 1024, 1)>> to !tile.buffer<64x64xi8, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 4, bits = 2, shift = 3>>>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tile.buffer<64x64xi8, tmem, #tile.layout<(64, 64) : (1@TLane, 1@TCol) + R(2 : 64@TLane)>>
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
        : !tile.buffer<64x64xi8, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 4, bits = 2, shift = 3>>> to !tile.buffer<64x64xi8, tmem, #tile.layout<(64, 64) : (1@TLane, 1@TCol) + R(2 : 64@TLane)>>
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
}

// SASS-LABEL: kernel swizzle_1
// SASS: UTCCP: 2
// SASS-LABEL: kernel swizzle_2
// SASS: UTCCP: 4
// SASS-LABEL: kernel swizzle_3
// SASS: UTCCP: 8
// SASS-LABEL: kernel swizzled_bytes
// SASS: UTCCP: 4
// SASS-LABEL: kernel swizzled_halves
// SASS: UTCCP: 4
