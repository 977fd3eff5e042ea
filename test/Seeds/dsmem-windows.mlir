// Parts of a tile, also at run time, by dsmem.
// In each kernel block 0 of a cluster sends a tile of its shared memory to block 1, which writes it out;
// test/Run/dsmem-inputs.test runs it.

// RUN: tile-opt %s --tile-align-layouts -o /dev/null --remarks-filter-passed=.* --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: tile-opt %s --tile-align-layouts | FileCheck %s --check-prefix=PLAN
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_90a \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_100a \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @received() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  // Half of a row is half of a row of the swizzle pattern.
  // CHECK: remark: [Passed] dsmem | {{.*}}Function=half_rows | BytesPerThread=4096, ChunkBytes=16, Instructions="256 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", {{.*}}Rounds=256, Variant=dsmem
  // CHECK: remark: [Passed] dsmem | {{.*}}Function=half_rows | BytesPerThread=4096, ChunkBytes=16, Instructions="256 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", {{.*}}Rounds=256, Variant=dsmem
  // PLAN-LABEL: gpu.func @half_rows(
  // PLAN: tile.planned_copy %{{.*}} to %{{.*}} scope(thread) {{.*}}plan<bulk "dsmem"{{.*}}src = {layout = (64, 4, 8) : (64, 8, 1), swizzle<base = 3, bits = 3, shift = 3>, space{{.*}}dst = {layout = (64, 4, 8) : (64, 8, 1), swizzle<base = 3, bits = 3, shift = 3>, space
  gpu.func @half_rows(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %t = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %barrier = llvm.mlir.addressof @received : !llvm.ptr<3>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %bytes = arith.constant 8192 : i32
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %sends = arith.cmpi eq, %rank, %zero : i32
    %sends_alone = arith.andi %sends, %is_thread_0 : i1
    %receives = arith.cmpi eq, %rank, %one : i32
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.arrive.expect_tx %barrier, %bytes : !llvm.ptr<3>, i32
    }
    tile.copy %a to %s scope(cta)
      : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %sends_alone {
      tile.copy_async %s[0, 0] [64, 32] to %t[0, 0] [64, 32] scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%one)
        : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
      tile.copy_async %s[0, 32] [64, 32] to %t[0, 32] [64, 32] scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%one)
        : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    }
    scf.if %receives {
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %barrier, %zero : !llvm.ptr<3>, i32 -> i1
        %true = arith.constant true
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      tile.copy %t to %b scope(cta)
        : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>> to !tile.buffer<64x64xf16, global>
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }

  // 8 rows from a run-time row on: with a swizzle, chunks are long only if the row is known to be a multiple of 8.
  // CHECK: remark: [Passed] dsmem | {{.*}}Function=run_time_row | BytesPerThread=1024, ChunkBytes=16, Instructions="64 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", {{.*}}Rounds=64, Variant=dsmem
  // PLAN-LABEL: gpu.func @run_time_row(
  // PLAN: tile.planned_copy %{{.*}}[%{{.*}}] to %{{.*}} scope(thread) {{.*}}plan<bulk "dsmem"{{.*}}src = {layout = (64, 8) : (8, 1), swizzle<base = 3, bits = 3, shift = 3>, space{{.*}}terms = [{value = 0, stride = 64{{(, [^}]*)?}}}{{.*}}dst = {layout = (64, 8) : (8, 1), swizzle<base = 3, bits = 3, shift = 3>, space
  gpu.func @run_time_row(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %t = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %barrier = llvm.mlir.addressof @received : !llvm.ptr<3>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %bytes = arith.constant 1024 : i32
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %sends = arith.cmpi eq, %rank, %zero : i32
    %sends_alone = arith.andi %sends, %is_thread_0 : i1
    %receives = arith.cmpi eq, %rank, %one : i32
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.arrive.expect_tx %barrier, %bytes : !llvm.ptr<3>, i32
    }
    tile.copy %a to %s scope(cta)
      : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.copy %b to %t scope(cta)
      : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %sends_alone {
      tile.copy_async %s[%i, 0] [8, 64] to %t[0, 0] [8, 64] scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%one)
        : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    }
    scf.if %receives {
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %barrier, %zero : !llvm.ptr<3>, i32 -> i1
        %true = arith.constant true
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      tile.copy %t to %b scope(cta)
        : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>> to !tile.buffer<64x64xf16, global>
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }

  // CHECK: remark: [Passed] dsmem | {{.*}}Function=run_time_rows_of_8 | BytesPerThread=1024, ChunkBytes=1024, Instructions="1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", {{.*}}Rounds=1, Variant=dsmem
  // PLAN-LABEL: gpu.func @run_time_rows_of_8(
  // PLAN: tile.planned_copy %{{.*}} to %{{.*}} scope(thread) {{.*}}plan<bulk "dsmem"{{.*}}src = {layout = (512) : (1), space{{.*}}dst = {layout = (512) : (1), space
  gpu.func @run_time_rows_of_8(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %t = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %barrier = llvm.mlir.addressof @received : !llvm.ptr<3>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %bytes = arith.constant 1024 : i32
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x
    %is_thread_0 = arith.cmpi eq, %thread, %c0 : index
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %sends = arith.cmpi eq, %rank, %zero : i32
    %sends_alone = arith.andi %sends, %is_thread_0 : i1
    %receives = arith.cmpi eq, %rank, %one : i32
    %row = tile.assume %i divisible_by 8 : index
    scf.if %is_thread_0 {
      nvvm.mbarrier.init %barrier, %one : !llvm.ptr<3>, i32
      nvvm.mbarrier.arrive.expect_tx %barrier, %bytes : !llvm.ptr<3>, i32
    }
    tile.copy %a to %s scope(cta)
      : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.copy %b to %t scope(cta)
      : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %sends_alone {
      tile.copy_async %s[%row, 0] [8, 64] to %t[0, 0] [8, 64] scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%one)
        : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    }
    scf.if %receives {
      scf.while : () -> () {
        %done = nvvm.mbarrier.try_wait %barrier, %zero : !llvm.ptr<3>, i32 -> i1
        %true = arith.constant true
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      tile.copy %t to %b scope(cta)
        : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>> to !tile.buffer<64x64xf16, global>
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }
}

// SASS-LABEL: kernel half_rows
