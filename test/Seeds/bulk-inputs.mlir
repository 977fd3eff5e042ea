// How inputs change a bulk copy: each kernel copies a tile to shared memory and back to global memory, in bulk in one direction
// or in both.

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s
// RUN: tile-opt %s --lower-tile-copy | FileCheck %s --check-prefix=EXPAND
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx | %sass_count - | FileCheck %s --check-prefix=SASS %}

!tile = !tile.buffer<64x64xf16, shared>
!swizzled = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!half = !tile.buffer<32x64xf16, shared>
!whole = !tile.buffer<64x64xf16, global>
!wide = !tile.buffer<64x256xf16, global>
!tall = !tile.buffer<128x64xf16, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @arrived() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  // All threads wait for the first phase.
  func.func private @wait() {
    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    %zero = arith.constant 0 : i32
    %true = arith.constant true
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %barrier, %zero : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    func.return
  }

  // Thread 0 initializes the mbarrier with the given number of arrivals.
  func.func private @prepare(%arrivals: i32) {
    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %barrier, %arrivals : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    func.return
  }

  // CHECK-LABEL: gpu.func @whole
  // CHECK: tile.planned_copy %{{.*}} to %{{.*}} scope(cta) mbarrier({{.*}}) plan<bulk "bulk"{{.*}}src = {layout = (4096) : (1), space{{.*}}dst = {layout = (4096) : (1), space
  // EXPAND-LABEL: gpu.func @whole
  // EXPAND: scf.if
  // EXPAND: %[[BYTES:.*]] = arith.constant 8192 : i32
  // EXPAND: nvvm.mbarrier.arrive.expect_tx %[[BARRIER:.*]], %[[BYTES]]
  // EXPAND: nvvm.cp.async.bulk.shared.cluster.global %{{.*}}, %{{.*}}, %[[BARRIER]], %{{.*}} : !llvm.ptr<7>, <1>
  // EXPAND-NOT: cp.async.bulk
  gpu.func @whole(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !whole
    %b = tile.view %B : memref<64x64xf16> to !whole
    %s = tile.alloc : !tile
    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    %one = arith.constant 1 : i32
    func.call @prepare(%one) : (i32) -> ()
    tile.copy_async %a to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !whole to !tile
    func.call @wait() : () -> ()
    tile.copy %s to %b scope(cta) : !tile to !whole
    gpu.return
  }

  // Rows of a wider matrix: one chunk per row, in a loop.
  // CHECK-LABEL: gpu.func @window
  // CHECK: tile.planned_copy %{{.*}} to %{{.*}} scope(cta) {{.*}}plan<bulk "bulk"{{.*}}src = {layout = (64, 64) : (256, 1) + 64, space{{.*}}dst = {layout = (64, 64) : (64, 1), space
  // CHECK: tile.planned_copy %{{.*}} to %{{.*}} scope(cta) {{.*}}plan<bulk "bulk"{{.*}}src = {layout = (64, 64) : (64, 1), space{{.*}}dst = {layout = (64, 64) : (256, 1) + 128, space{{.*}}:
  // CHECK-NEXT: nvvm.cp.async.bulk.commit.group
  // EXPAND-LABEL: gpu.func @window
  // EXPAND: scf.for
  // EXPAND: nvvm.cp.async.bulk.shared.cluster.global
  // EXPAND: scf.for
  // EXPAND: nvvm.cp.async.bulk.global.shared.cta
  gpu.func @window(%A: memref<64x256xf16>, %B: memref<64x256xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x256xf16> to !wide
    %b = tile.view %B : memref<64x256xf16> to !wide
    %s = tile.alloc : !tile
    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    %one = arith.constant 1 : i32
    func.call @prepare(%one) : (i32) -> ()
    tile.copy_async %a[0, 64] [64, 64] to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !wide to !tile
    func.call @wait() : () -> ()
    gpu.barrier
    tile.copy_async %s to %b[0, 128] [64, 64] scope(cta) bulk_group : !tile to !wide
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // The swizzle keeps 16 bytes together.
  // CHECK-LABEL: gpu.func @to_swizzle
  // CHECK: tile.planned_copy %{{.*}} to %{{.*}} plan<bulk "bulk"{{.*}}src = {layout = (512, 8) : (8, 1), space{{.*}}dst = {layout = (512, 8) : (8, 1), swizzle<base = 3, bits = 3, shift = 3>, space
  gpu.func @to_swizzle(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !whole
    %b = tile.view %B : memref<64x64xf16> to !whole
    %s = tile.alloc : !swizzled
    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    %one = arith.constant 1 : i32
    func.call @prepare(%one) : (i32) -> ()
    tile.copy_async %a to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !whole to !swizzled
    func.call @wait() : () -> ()
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group : !swizzled to !whole
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // Threads write the tile: each makes its writes visible to bulk copies with a fence, before the barrier.
  // CHECK-LABEL: gpu.func @store
  // CHECK: tile.planned_copy %{{.*}} to %{{.*}} scope(cta) {{.*}}plan<bulk "bulk"{{.*}}src = {layout = (4096) : (1), space{{.*}}dst = {layout = (4096) : (1), space{{.*}}:
  // EXPAND-LABEL: gpu.func @store
  // EXPAND: scf.if
  // EXPAND: nvvm.cp.async.bulk.global.shared.cta %{{.*}}, %{{.*}}, %{{.*}} : <1>, <3>
  // EXPAND: }
  // EXPAND-NEXT: nvvm.cp.async.bulk.commit.group
  // EXPAND-NEXT: nvvm.cp.async.bulk.wait_group 0
  gpu.func @store(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !whole
    %b = tile.view %B : memref<64x64xf16> to !whole
    %s = tile.alloc : !tile
    tile.copy %a to %s scope(cta) : !whole to !tile
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group : !tile to !whole
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // CHECK-LABEL: gpu.func @one_warp
  // CHECK: tile.planned_copy {{.*}} scope(warp) mbarrier({{.*}}) plan<bulk 
  // CHECK: tile.planned_copy {{.*}} scope(warp) {{.*}}plan<bulk {{.*}}:
  gpu.func @one_warp(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !whole
    %b = tile.view %B : memref<64x64xf16> to !whole
    %s = tile.alloc : !tile
    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    %one = arith.constant 1 : i32
    func.call @prepare(%one) : (i32) -> ()
    tile.copy_async %a to %s scope(warp) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !whole to !tile
    func.call @wait() : () -> ()
    gpu.barrier
    tile.copy_async %s to %b scope(warp) bulk_group : !tile to !whole
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // At thread scope, every thread that reaches the copy issues it: the caller elects one.
  // CHECK-LABEL: gpu.func @one_thread
  // CHECK: tile.planned_copy {{.*}} scope(thread) mbarrier({{.*}}) plan<bulk 
  // EXPAND-LABEL: gpu.func @one_thread
  // EXPAND: nvvm.mbarrier.arrive.expect_tx
  gpu.func @one_thread(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !whole
    %b = tile.view %B : memref<64x64xf16> to !whole
    %s = tile.alloc : !tile
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    %one = arith.constant 1 : i32
    func.call @prepare(%one) : (i32) -> ()
    scf.if %first {
      tile.copy_async %a to %s scope(thread) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !whole to !tile
    }
    func.call @wait() : () -> ()
    gpu.barrier
    scf.if %first {
      tile.copy_async %s to %b scope(thread) bulk_group : !tile to !whole
      nvvm.cp.async.bulk.wait_group 0
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @run_time_row
  // CHECK: tile.planned_copy %{{.*}}[%{{.*}}] to {{.*}}plan<bulk "bulk"{{.*}}src = {layout = (4096) : (1), space{{.*}}terms = [{value = 0, stride = 64{{(, [^}]*)?}}}
  gpu.func @run_time_row(%A: memref<128x64xf16>, %B: memref<64x64xf16>, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x64xf16> to !tall
    %b = tile.view %B : memref<64x64xf16> to !whole
    %s = tile.alloc : !tile
    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    %one = arith.constant 1 : i32
    func.call @prepare(%one) : (i32) -> ()
    tile.copy_async %a[%i, 0] [64, 64] to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !tall to !tile
    func.call @wait() : () -> ()
    tile.copy %s to %b scope(cta) : !tile to !whole
    gpu.return
  }

  // Without the promise, chunks might not start at a multiple of 16 bytes.
  // CHECK-LABEL: gpu.func @run_time_column
  // CHECK: tile.planned_copy %{{.*}}[%{{.*}}] to {{.*}}plan<bulk "bulk"{{.*}}src = {layout = (64, 64) : (256, 1), space
  gpu.func @run_time_column(%A: memref<64x256xf16>, %B: memref<64x64xf16>, %j: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x256xf16> to !wide
    %b = tile.view %B : memref<64x64xf16> to !whole
    %s = tile.alloc : !tile
    %column = tile.assume %j divisible_by 8 : index
    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    %one = arith.constant 1 : i32
    func.call @prepare(%one) : (i32) -> ()
    tile.copy_async %a[0, %column] [64, 64] to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !wide to !tile
    func.call @wait() : () -> ()
    tile.copy %s to %b scope(cta) : !tile to !whole
    gpu.return
  }

  // CHECK-LABEL: gpu.func @hinted
  // CHECK: tile.planned_copy {{.*}}plan<bulk "bulk", {{.*}}l2_evict = "L2::evict_first",
  // CHECK: tile.planned_copy {{.*}}plan<bulk "bulk", {{.*}}l2_evict = "L2::evict_last",
  // EXPAND-LABEL: gpu.func @hinted
  // EXPAND: %[[FIRST:.*]] = llvm.inline_asm "createpolicy.fractional.L2::evict_first.b64 $0;", "=l"
  // EXPAND: nvvm.cp.async.bulk.shared.cluster.global {{.*}} l2_cache_hint = %[[FIRST]]
  // EXPAND: %[[LAST:.*]] = llvm.inline_asm "createpolicy.fractional.L2::evict_last.b64 $0;", "=l"
  // EXPAND: nvvm.cp.async.bulk.global.shared.cta {{.*}} l2_cache_hint = %[[LAST]]
  gpu.func @hinted(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !whole
    %b = tile.view %B : memref<64x64xf16> to !whole
    %s = tile.alloc : !tile
    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    %one = arith.constant 1 : i32
    func.call @prepare(%one) : (i32) -> ()
    tile.copy_async %a to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk", l2_evict = "L2::evict_first"} : !whole to !tile
    func.call @wait() : () -> ()
    gpu.barrier
    tile.copy_async %s to %b scope(cta) bulk_group {l2_evict = "L2::evict_last"} : !tile to !whole
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }

  // Each copy arrives once, so the barrier expects two arrivals. On the way out, the caller commits both as one group.
  // CHECK-LABEL: gpu.func @two_on_a_barrier
  // CHECK-COUNT-4: tile.planned_copy {{.*}}plan<bulk 
  // CHECK-NEXT: nvvm.cp.async.bulk.commit.group
  // CHECK-NEXT: nvvm.cp.async.bulk.wait_group 0
  gpu.func @two_on_a_barrier(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !whole
    %b = tile.view %B : memref<64x64xf16> to !whole
    %s = tile.alloc : !half
    %t = tile.alloc : !half
    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    %two = arith.constant 2 : i32
    func.call @prepare(%two) : (i32) -> ()
    tile.copy_async %a[0, 0] [32, 64] to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !whole to !half
    tile.copy_async %a[32, 0] [32, 64] to %t scope(cta) mbarrier(%barrier : !llvm.ptr<3>) {variant = "bulk"} : !whole to !half
    func.call @wait() : () -> ()
    gpu.barrier
    tile.copy_async %s to %b[0, 0] [32, 64] scope(cta) {variant = "bulk"} : !half to !whole
    tile.copy_async %t to %b[32, 0] [32, 64] scope(cta) {variant = "bulk"} : !half to !whole
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0
    gpu.return
  }
}

// SASS-LABEL: kernel store
// SASS: UBLKCP: 1
// SASS-LABEL: kernel whole
// SASS: UBLKCP: 1
