// How padding and element types change the chunks of dsmem.
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

  // Elements that are contiguous on both sides are one chunk.
  // CHECK: remark: [Passed] dsmem | {{.*}}Function=plain | BytesPerThread=8192, ChunkBytes=8192, Instructions="1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", {{.*}}Rounds=1, Variant=dsmem
  // PLAN-LABEL: gpu.func @plain(
  // PLAN: tile.planned_copy %{{.*}} to %{{.*}} scope(thread) {{.*}}plan<bulk "dsmem"{{.*}}src = {layout = (4096) : (1), space{{.*}}dst = {layout = (4096) : (1), space
  gpu.func @plain(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared>
    %t = tile.alloc : !tile.buffer<64x64xf16, shared>
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
        : !tile.buffer<64x64xf16, shared> to !tile.buffer<64x64xf16, shared>
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
      tile.copy %t to %b scope(cta) : !tile.buffer<64x64xf16, shared> to !tile.buffer<64x64xf16, global>
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }

  // If rows are not adjacent on one side, each row is a chunk; 64 chunks become a loop.
  // CHECK: remark: [Passed] dsmem | {{.*}}Function=padded | BytesPerThread=8192, ChunkBytes=128, Instructions="64 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", {{.*}}Rounds=64, Variant=dsmem
  // PLAN-LABEL: gpu.func @padded(
  // PLAN: tile.planned_copy %{{.*}} to %{{.*}} scope(thread) {{.*}}plan<bulk "dsmem"{{.*}}src = {layout = (64, 64) : (64, 1), space{{.*}}dst = {layout = (64, 64) : (72, 1), space
  gpu.func @padded(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared>
    %t = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (72, 1)>>
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
        : !tile.buffer<64x64xf16, shared> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (72, 1)>>
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
        : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (72, 1)>> to !tile.buffer<64x64xf16, global>
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }

  // Up to 16 chunks are straight-line code.
  // CHECK: remark: [Passed] dsmem | {{.*}}Function=few_rows | BytesPerThread=1024, ChunkBytes=128, Instructions="8 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", {{.*}}Rounds=8, Variant=dsmem
  // PLAN-LABEL: gpu.func @few_rows(
  // PLAN: tile.planned_copy %{{.*}} to %{{.*}} scope(thread) {{.*}}plan<bulk "dsmem"{{.*}}src = {layout = (8, 32) : (32, 1), space{{.*}}dst = {layout = (8, 32) : (40, 1), space
  gpu.func @few_rows(%A: memref<8x32xf32>, %B: memref<8x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %a = tile.view %A : memref<8x32xf32> to !tile.buffer<8x32xf32, global>
    %b = tile.view %B : memref<8x32xf32> to !tile.buffer<8x32xf32, global>
    %s = tile.alloc : !tile.buffer<8x32xf32, shared>
    %t = tile.alloc : !tile.buffer<8x32xf32, shared, #tile.layout<(8, 32) : (40, 1)>>
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
    tile.copy %a to %s scope(cta) : !tile.buffer<8x32xf32, global> to !tile.buffer<8x32xf32, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %sends_alone {
      tile.copy_async %s to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%one)
        : !tile.buffer<8x32xf32, shared> to !tile.buffer<8x32xf32, shared, #tile.layout<(8, 32) : (40, 1)>>
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
        : !tile.buffer<8x32xf32, shared, #tile.layout<(8, 32) : (40, 1)>> to !tile.buffer<8x32xf32, global>
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }

  // Byte elements are treated like floats.
  // CHECK: remark: [Passed] dsmem | {{.*}}Function=bytes | BytesPerThread=4096, ChunkBytes=64, Instructions="64 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", {{.*}}Rounds=64, Variant=dsmem
  // PLAN-LABEL: gpu.func @bytes(
  // PLAN: tile.planned_copy %{{.*}} to %{{.*}} scope(thread) {{.*}}plan<bulk "dsmem"{{.*}}src = {layout = (64, 64) : (80, 1), space{{.*}}dst = {layout = (64, 64) : (64, 1), space
  gpu.func @bytes(%A: memref<64x64xi8>, %B: memref<64x64xi8>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %a = tile.view %A : memref<64x64xi8> to !tile.buffer<64x64xi8, global>
    %b = tile.view %B : memref<64x64xi8> to !tile.buffer<64x64xi8, global>
    %s = tile.alloc : !tile.buffer<64x64xi8, shared, #tile.layout<(64, 64) : (80, 1)>>
    %t = tile.alloc : !tile.buffer<64x64xi8, shared>
    %barrier = llvm.mlir.addressof @received : !llvm.ptr<3>
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %bytes = arith.constant 4096 : i32
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
      : !tile.buffer<64x64xi8, global> to !tile.buffer<64x64xi8, shared, #tile.layout<(64, 64) : (80, 1)>>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %sends_alone {
      tile.copy_async %s to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%one)
        : !tile.buffer<64x64xi8, shared, #tile.layout<(64, 64) : (80, 1)>> to !tile.buffer<64x64xi8, shared>
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
      tile.copy %t to %b scope(cta) : !tile.buffer<64x64xi8, shared> to !tile.buffer<64x64xi8, global>
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }

  // CHECK: remark: [Passed] dsmem | {{.*}}Function=doubles | BytesPerThread=1024, ChunkBytes=64, Instructions="16 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", {{.*}}Rounds=16, Variant=dsmem
  // PLAN-LABEL: gpu.func @doubles(
  // PLAN: tile.planned_copy %{{.*}} to %{{.*}} scope(thread) {{.*}}plan<bulk "dsmem"{{.*}}src = {layout = (16, 8) : (8, 1), space{{.*}}dst = {layout = (16, 8) : (10, 1), space
  gpu.func @doubles(%A: memref<16x8xf64>, %B: memref<16x8xf64>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %a = tile.view %A : memref<16x8xf64> to !tile.buffer<16x8xf64, global>
    %b = tile.view %B : memref<16x8xf64> to !tile.buffer<16x8xf64, global>
    %s = tile.alloc : !tile.buffer<16x8xf64, shared>
    %t = tile.alloc : !tile.buffer<16x8xf64, shared, #tile.layout<(16, 8) : (10, 1)>>
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
    tile.copy %a to %s scope(cta) : !tile.buffer<16x8xf64, global> to !tile.buffer<16x8xf64, shared>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    scf.if %sends_alone {
      tile.copy_async %s to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%one)
        : !tile.buffer<16x8xf64, shared> to !tile.buffer<16x8xf64, shared, #tile.layout<(16, 8) : (10, 1)>>
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
        : !tile.buffer<16x8xf64, shared, #tile.layout<(16, 8) : (10, 1)>> to !tile.buffer<16x8xf64, global>
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }

  // Barrier %i of four: a memref with a run-time offset.
  // CHECK: remark: [Passed] dsmem | {{.*}}Function=barrier_memref | BytesPerThread=8192, ChunkBytes=8192, Instructions="1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", {{.*}}Rounds=1, Variant=dsmem
  // PLAN-LABEL: gpu.func @barrier_memref(
  // PLAN: tile.planned_copy %{{.*}} to %{{.*}} scope(thread) {{.*}}plan<bulk "dsmem"{{.*}}src = {layout = (4096) : (1), space{{.*}}dst = {layout = (4096) : (1), space
  gpu.func @barrier_memref(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %i: index)
      workgroup(%barriers: memref<4xi64, #gpu.address_space<workgroup>>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {  // in order, but not followed
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared>
    %t = tile.alloc : !tile.buffer<64x64xf16, shared>
    %word = memref.subview %barriers[%i] [1] [1] : memref<4xi64, #gpu.address_space<workgroup>>
      to memref<1xi64, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
    %base = memref.extract_aligned_pointer_as_index %barriers : memref<4xi64, #gpu.address_space<workgroup>> -> index
    %c8 = arith.constant 8 : index
    %distance = arith.muli %i, %c8 : index
    %place = arith.addi %base, %distance : index
    %number = arith.index_castui %place : index to i64
    %barrier = llvm.inttoptr %number : i64 to !llvm.ptr<3>
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
      tile.copy_async %s to %t scope(thread)
        mbarrier(%word : memref<1xi64, strided<[1], offset: ?>, #gpu.address_space<workgroup>>) remote_cta(%one)
        : !tile.buffer<64x64xf16, shared> to !tile.buffer<64x64xf16, shared>
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
      tile.copy %t to %b scope(cta) : !tile.buffer<64x64xf16, shared> to !tile.buffer<64x64xf16, global>
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    gpu.return
  }
}

// SASS-LABEL: kernel barrier_memref
// SASS: UBLKCP: 1
// SASS-LABEL: kernel few_rows
// SASS: UBLKCP: 8
// SASS-LABEL: kernel plain
// SASS: UBLKCP: 1
