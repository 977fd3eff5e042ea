// How swizzles on both sides change the chunks of dsmem.
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

  // With the same swizzle on both sides, bytes are copied in memory order, even if the swizzle keeps less than 16 bytes together.
  // CHECK: remark: [Passed] dsmem | {{.*}}Function=same_swizzle | BytesPerThread=8192, ChunkBytes=8192, Instructions="1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", {{.*}}Rounds=1, Variant=dsmem
  // PLAN-LABEL: gpu.func @same_swizzle(
  // PLAN: tile.planned_copy %{{.*}} to %{{.*}} scope(thread) {{.*}}plan<bulk "dsmem"{{.*}}src = {layout = (4096) : (1), space{{.*}}dst = {layout = (4096) : (1), space
  gpu.func @same_swizzle(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
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
      tile.copy_async %s to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%one)
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

  // CHECK: remark: [Passed] dsmem | {{.*}}Function=same_fine_swizzle | BytesPerThread=8192, ChunkBytes=8192, Instructions="1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", {{.*}}Rounds=1, Variant=dsmem
  // PLAN-LABEL: gpu.func @same_fine_swizzle(
  // PLAN: tile.planned_copy %{{.*}} to %{{.*}} scope(thread) {{.*}}plan<bulk "dsmem"{{.*}}src = {layout = (4096) : (1), space{{.*}}dst = {layout = (4096) : (1), space
  gpu.func @same_fine_swizzle(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 1, bits = 3, shift = 3>>>
    %t = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 1, bits = 3, shift = 3>>>
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
      : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 1, bits = 3, shift = 3>>>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %sends_alone {
      tile.copy_async %s to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%one)
        : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 1, bits = 3, shift = 3>>> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 1, bits = 3, shift = 3>>>
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
        : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 1, bits = 3, shift = 3>>> to !tile.buffer<64x64xf16, global>
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }

  // From rows to a swizzle, and between two swizzles: chunks of 16 bytes, which the swizzle keeps together, or 32 bytes.
  // CHECK: remark: [Passed] dsmem | {{.*}}Function=to_swizzle | BytesPerThread=8192, ChunkBytes=16, Instructions="512 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", {{.*}}Rounds=512, Variant=dsmem
  // PLAN-LABEL: gpu.func @to_swizzle(
  // PLAN: tile.planned_copy %{{.*}} to %{{.*}} scope(thread) {{.*}}plan<bulk "dsmem"{{.*}}src = {layout = (512, 8) : (8, 1), space{{.*}}dst = {layout = (512, 8) : (8, 1), swizzle<base = 3, bits = 3, shift = 3>, space
  gpu.func @to_swizzle(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared>
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
    tile.copy %a to %s scope(cta) : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %sends_alone {
      tile.copy_async %s to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%one)
        : !tile.buffer<64x64xf16, shared> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
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

  // CHECK: remark: [Passed] dsmem | {{.*}}Function=to_wide_swizzle | BytesPerThread=8192, ChunkBytes=32, Instructions="256 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", {{.*}}Rounds=256, Variant=dsmem
  // PLAN-LABEL: gpu.func @to_wide_swizzle(
  // PLAN: tile.planned_copy %{{.*}} to %{{.*}} scope(thread) {{.*}}plan<bulk "dsmem"{{.*}}src = {layout = (256, 16) : (16, 1), space{{.*}}dst = {layout = (256, 16) : (16, 1), swizzle<base = 4, bits = 2, shift = 3>, space
  gpu.func @to_wide_swizzle(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared>
    %t = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 4, bits = 2, shift = 3>>>
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
    tile.copy %a to %s scope(cta) : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %sends_alone {
      tile.copy_async %s to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%one)
        : !tile.buffer<64x64xf16, shared> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 4, bits = 2, shift = 3>>>
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
        : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 4, bits = 2, shift = 3>>> to !tile.buffer<64x64xf16, global>
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }

  // CHECK: remark: [Passed] dsmem | {{.*}}Function=between_swizzles | BytesPerThread=8192, ChunkBytes=16, Instructions="512 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", {{.*}}Rounds=512, Variant=dsmem
  // PLAN-LABEL: gpu.func @between_swizzles(
  // PLAN: tile.planned_copy %{{.*}} to %{{.*}} scope(thread) {{.*}}plan<bulk "dsmem"{{.*}}src = {layout = (512, 8) : (8, 1), swizzle<base = 4, bits = 2, shift = 3>, space{{.*}}dst = {layout = (512, 8) : (8, 1), swizzle<base = 3, bits = 3, shift = 3>, space
  gpu.func @between_swizzles(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 4, bits = 2, shift = 3>>>
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
      : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 4, bits = 2, shift = 3>>>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %sends_alone {
      tile.copy_async %s to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%one)
        : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 4, bits = 2, shift = 3>>> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
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

  // Rows 3 to 18 have the same phase in the swizzle as rows 11 to 26; rows 4 to 19 have not.
  // CHECK: remark: [Passed] dsmem | {{.*}}Function=same_phase | BytesPerThread=2048, ChunkBytes=2048, Instructions="1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", {{.*}}Rounds=1, Variant=dsmem
  // PLAN-LABEL: gpu.func @same_phase(
  // PLAN: tile.planned_copy %{{.*}} to %{{.*}} scope(thread) {{.*}}plan<bulk "dsmem"{{.*}}src = {layout = (1024) : (1) + 192, space{{.*}}dst = {layout = (1024) : (1) + 704, space
  gpu.func @same_phase(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %t = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %barrier = llvm.mlir.addressof @received : !llvm.ptr<3>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %bytes = arith.constant 2048 : i32
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
      tile.copy_async %s[3, 0] [16, 64] to %t[11, 0] [16, 64] scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%one)
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

  // CHECK: remark: [Passed] dsmem | {{.*}}Function=other_phase | BytesPerThread=2048, ChunkBytes=16, Instructions="128 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", {{.*}}Rounds=128, Variant=dsmem
  // PLAN-LABEL: gpu.func @other_phase(
  // PLAN: tile.planned_copy %{{.*}} to %{{.*}} scope(thread) {{.*}}plan<bulk "dsmem"{{.*}}src = {layout = (128, 8) : (8, 1) + 192, swizzle<base = 3, bits = 3, shift = 3>, space{{.*}}dst = {layout = (128, 8) : (8, 1) + 256, swizzle<base = 3, bits = 3, shift = 3>, space
  gpu.func @other_phase(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %t = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %barrier = llvm.mlir.addressof @received : !llvm.ptr<3>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %bytes = arith.constant 2048 : i32
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
      tile.copy_async %s[3, 0] [16, 64] to %t[4, 0] [16, 64] scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%one)
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

// SASS-LABEL: kernel same_phase
// SASS: UBLKCP: 1
// SASS-LABEL: kernel same_swizzle
// SASS: UBLKCP: 1
