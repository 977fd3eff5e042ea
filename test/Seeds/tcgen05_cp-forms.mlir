// The forms of tcgen05_cp that write each row once.
// In each kernel one thread copies a tile from shared memory to tensor memory, which holds B before; the warpgroup writes all
// of it back to B. Global memory is in panels of 16 bytes. test/Run/tcgen05_cp-inputs.test runs it.

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  llvm.mlir.global internal @tmem_address() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @copied() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  // The six forms.
  // CHECK-LABEL: gpu.func @form_128x256b(
  // CHECK: tile.planned_copy {{.*}} plan<tmem_copy "tcgen05_cp", form = "128x256b", cta_group = 1, descriptor = {leading = 128, stride = 8, swizzle = 0}, bits = {{[0-9]+}}, src = {
  // PTX-LABEL: .entry form_128x256b(
  // PTX-COUNT-1: tcgen05.cp.cta_group::1.128x256b [{{.*}}], {{%rd[0-9]+}};
  // PTX-NOT: tcgen05.cp
  // PTX: tcgen05.commit.cta_group::1
  gpu.func @form_128x256b(%A: memref<1024xi32>, %B: memref<1024xi32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<1024xi32> to !tile.buffer<128x8xi32, global, #tile.layout<(128, 2, 4) : (4, 512, 1)>>
    %b = tile.view %B : memref<1024xi32> to !tile.buffer<128x8xi32, global, #tile.layout<(128, 2, 4) : (4, 512, 1)>>
    %s = tile.alloc : !tile.buffer<128x8xi32, shared, #tile.layout<(128, 2, 4) : (4, 512, 1)>>
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
      : !tile.buffer<128x8xi32, global, #tile.layout<(128, 2, 4) : (4, 512, 1)>> to !tile.buffer<128x8xi32, shared, #tile.layout<(128, 2, 4) : (4, 512, 1)>>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tile.buffer<128x8xi32, tmem, #tile.layout<(128, 8) : (1@TLane, 1@TCol)>>
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
        : !tile.buffer<128x8xi32, shared, #tile.layout<(128, 2, 4) : (4, 512, 1)>> to !tile.buffer<128x8xi32, tmem, #tile.layout<(128, 8) : (1@TLane, 1@TCol)>>
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

  // CHECK-LABEL: gpu.func @form_4x256b(
  // CHECK: tile.planned_copy {{.*}} plan<tmem_copy "tcgen05_cp", form = "4x256b", cta_group = 1, descriptor = {leading = 8, stride = 0, swizzle = 0}, bits = {{[0-9]+}}, src = {
  // PTX-LABEL: .entry form_4x256b(
  // PTX-COUNT-1: tcgen05.cp.cta_group::1.4x256b [{{.*}}], {{%rd[0-9]+}};
  // PTX-NOT: tcgen05.cp
  // PTX: tcgen05.commit.cta_group::1
  gpu.func @form_4x256b(%A: memref<32xi32>, %B: memref<1024xi32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32xi32> to !tile.buffer<4x8xi32, global, #tile.layout<(4, 2, 4) : (4, 16, 1)>>
    %b = tile.view %B : memref<1024xi32> to !tile.buffer<128x8xi32, global, #tile.layout<(128, 2, 4) : (4, 512, 1)>>
    %s = tile.alloc : !tile.buffer<4x8xi32, shared, #tile.layout<(4, 2, 4) : (4, 32, 1)>>
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
      : !tile.buffer<4x8xi32, global, #tile.layout<(4, 2, 4) : (4, 16, 1)>> to !tile.buffer<4x8xi32, shared, #tile.layout<(4, 2, 4) : (4, 32, 1)>>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tile.buffer<4x8xi32, tmem, #tile.layout<(4, 8) : (32@TLane, 1@TCol)>>
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
        : !tile.buffer<4x8xi32, shared, #tile.layout<(4, 2, 4) : (4, 32, 1)>> to !tile.buffer<4x8xi32, tmem, #tile.layout<(4, 8) : (32@TLane, 1@TCol)>>
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

  // CHECK-LABEL: gpu.func @form_128x128b(
  // CHECK: tile.planned_copy {{.*}} plan<tmem_copy "tcgen05_cp", form = "128x128b", cta_group = 1, descriptor = {leading = 0, stride = 8, swizzle = 0}, bits = {{[0-9]+}}, src = {
  // PTX-LABEL: .entry form_128x128b(
  // PTX-COUNT-1: tcgen05.cp.cta_group::1.128x128b [{{.*}}], {{%rd[0-9]+}};
  // PTX-NOT: tcgen05.cp
  // PTX: tcgen05.commit.cta_group::1
  gpu.func @form_128x128b(%A: memref<512xi32>, %B: memref<512xi32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<512xi32> to !tile.buffer<128x4xi32, global, #tile.layout<(128, 1, 4) : (4, 512, 1)>>
    %b = tile.view %B : memref<512xi32> to !tile.buffer<128x4xi32, global, #tile.layout<(128, 1, 4) : (4, 512, 1)>>
    %s = tile.alloc : !tile.buffer<128x4xi32, shared>
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
      nvvm.tcgen05.alloc %slot, %columns : !llvm.ptr<3>, i32
    }
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
    }
    tile.copy %a to %s scope(cta)
      : !tile.buffer<128x4xi32, global, #tile.layout<(128, 1, 4) : (4, 512, 1)>> to !tile.buffer<128x4xi32, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tile.buffer<128x4xi32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>
    %u = tile.tmem %address : !tile.buffer<128x4xi32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>
    tile.copy %b to %r scope(warpgroup)
      : !tile.buffer<128x4xi32, global, #tile.layout<(128, 1, 4) : (4, 512, 1)>> to !tile.buffer<128x4xi32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>
    tile.copy_async %r to %u scope(warpgroup)
      : !tile.buffer<128x4xi32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>> to !tile.buffer<128x4xi32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>
    nvvm.tcgen05.wait <store>
    nvvm.tcgen05.fence <before>
    gpu.barrier
    nvvm.tcgen05.fence <after>
    scf.if %is_thread_0 {
      tile.copy_async %s to %t scope(thread)
        : !tile.buffer<128x4xi32, shared> to !tile.buffer<128x4xi32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>
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
      : !tile.buffer<128x4xi32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>> to !tile.buffer<128x4xi32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>
    nvvm.tcgen05.wait <load>
    tile.copy %r to %b scope(warpgroup)
      : !tile.buffer<128x4xi32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>> to !tile.buffer<128x4xi32, global, #tile.layout<(128, 1, 4) : (4, 512, 1)>>
    gpu.barrier
    scf.if %is_warp_0 {
      %tensor = llvm.inttoptr %address : i32 to !llvm.ptr<6>
      nvvm.tcgen05.dealloc %tensor, %columns : !llvm.ptr<6>, i32
    }
    gpu.return
  }

  // A form may be requested: 128 bits per row instead of 256.
  // CHECK-LABEL: gpu.func @asked_form(
  // CHECK: tile.planned_copy {{.*}} plan<tmem_copy "tcgen05_cp", form = "128x128b", cta_group = 1, descriptor = {leading = 0, stride = 8, swizzle = 0}, {{.*}}tile_iters = 1,
  // PTX-LABEL: .entry asked_form(
  // PTX-COUNT-2: tcgen05.cp.cta_group::1.128x128b [{{.*}}], {{%rd[0-9]+}};
  // PTX-NOT: tcgen05.cp
  // PTX: tcgen05.commit.cta_group::1
  gpu.func @asked_form(%A: memref<1024xi32>, %B: memref<1024xi32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<1024xi32> to !tile.buffer<128x8xi32, global, #tile.layout<(128, 2, 4) : (4, 512, 1)>>
    %b = tile.view %B : memref<1024xi32> to !tile.buffer<128x8xi32, global, #tile.layout<(128, 2, 4) : (4, 512, 1)>>
    %s = tile.alloc : !tile.buffer<128x8xi32, shared, #tile.layout<(128, 2, 4) : (4, 512, 1)>>
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
      : !tile.buffer<128x8xi32, global, #tile.layout<(128, 2, 4) : (4, 512, 1)>> to !tile.buffer<128x8xi32, shared, #tile.layout<(128, 2, 4) : (4, 512, 1)>>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %address = llvm.load %slot : !llvm.ptr<3> -> i32
    %t = tile.tmem %address : !tile.buffer<128x8xi32, tmem, #tile.layout<(128, 8) : (1@TLane, 1@TCol)>>
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
      tile.copy_async %s to %t scope(thread) {shape = "128x128b"}
        : !tile.buffer<128x8xi32, shared, #tile.layout<(128, 2, 4) : (4, 512, 1)>> to !tile.buffer<128x8xi32, tmem, #tile.layout<(128, 8) : (1@TLane, 1@TCol)>>
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

// SASS-LABEL: kernel asked_form
// SASS: UTCCP: 2
// SASS-LABEL: kernel form_128x128b
// SASS: UTCCP: 1
// SASS-LABEL: kernel form_128x256b
// SASS: UTCCP: 1
// SASS-LABEL: kernel form_4x256b
// SASS: UTCCP: 1
