// What ldgsts does with requests, predicates and mbarriers. test/Run/ldgsts-inputs.test runs it.

// RUN: tile-opt %s --tile-align-layouts --tile-vectorize-copy | FileCheck %s
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_80 \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_90a \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_100a \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @arrived() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  // One instruction per thread, of the size of its region.

  // CHECK-LABEL: gpu.func @direct_16(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 1, threads = 1, vector = 8,
  // PTX-LABEL: .entry direct_16(
  // PTX: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
  // PTX-NEXT: cp.async.commit_group;
  gpu.func @direct_16(%A: memref<128x8xf16>, %B: memref<128x8xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x8xf16> to !tile.buffer<128x8xf16, global>
    %b = tile.view %B : memref<128x8xf16> to !tile.buffer<128x8xf16, global>
    %s = tile.alloc : !tile.buffer<128x8xf16, shared>
    %t = gpu.thread_id x
    tile.copy_async %a[%t, 0] [1, 8] to %s[%t, 0] [1, 8] scope(thread) group {direct}
      : !tile.buffer<128x8xf16, global> to !tile.buffer<128x8xf16, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(cta) : !tile.buffer<128x8xf16, shared> to !tile.buffer<128x8xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @direct_8(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 1, threads = 1, vector = 4,
  // PTX-LABEL: .entry direct_8(
  // PTX: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 8;
  // PTX-NEXT: cp.async.commit_group;
  gpu.func @direct_8(%A: memref<128x4xf16>, %B: memref<128x4xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x4xf16> to !tile.buffer<128x4xf16, global>
    %b = tile.view %B : memref<128x4xf16> to !tile.buffer<128x4xf16, global>
    %s = tile.alloc : !tile.buffer<128x4xf16, shared>
    %t = gpu.thread_id x
    tile.copy_async %a[%t, 0] [1, 4] to %s[%t, 0] [1, 4] scope(thread) group {direct}
      : !tile.buffer<128x4xf16, global> to !tile.buffer<128x4xf16, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(cta) : !tile.buffer<128x4xf16, shared> to !tile.buffer<128x4xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @direct_4(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 1, threads = 1, vector = 2,
  // PTX-LABEL: .entry direct_4(
  // PTX: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 4;
  // PTX-NEXT: cp.async.commit_group;
  gpu.func @direct_4(%A: memref<128x2xf16>, %B: memref<128x2xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x2xf16> to !tile.buffer<128x2xf16, global>
    %b = tile.view %B : memref<128x2xf16> to !tile.buffer<128x2xf16, global>
    %s = tile.alloc : !tile.buffer<128x2xf16, shared>
    %t = gpu.thread_id x
    tile.copy_async %a[%t, 0] [1, 2] to %s[%t, 0] [1, 2] scope(thread) group {direct}
      : !tile.buffer<128x2xf16, global> to !tile.buffer<128x2xf16, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(cta) : !tile.buffer<128x2xf16, shared> to !tile.buffer<128x2xf16, global>
    gpu.return
  }

  // Reads from global memory may fetch more into L2.

  // CHECK-LABEL: gpu.func @prefetch(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 8, threads = 32, vector = 4, {{.*}}cache = {prefetch_size = "L2::128B"}
  // PTX-LABEL: .entry prefetch(
  // PTX-COUNT-8: cp.async.cg.shared.global.L2::128B [{{.*}}], [{{.*}}], 16;
  gpu.func @prefetch(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    tile.copy_async %a to %s scope(warp) group {prefetch_size = "L2::128B"}
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    gpu.return
  }

  // Thread t copies row t. Rows from %n on are zero.
  // CHECK-LABEL: gpu.func @zero_fill(
  // CHECK: tile.planned_copy {{.*}}predicate(%{{[^ ]*}}) {{.*}}zero_fill {{.*}}plan<vectors "ldgsts", rounds = 1, threads = 128, vector = 4, {{.*}}cache = {prefetch_size = "L2::64B"}
  // PTX-LABEL: .entry zero_fill(
  // PTX: setp.{{.*}} [[P:%p[0-9]+]],
  // PTX: selp.b32 [[BYTES:%r[0-9]+]], {{16, 0|0, 16}}, [[P]];
  // PTX: cp.async.cg.shared.global.L2::64B [{{.*}}], [{{.*}}], 16, [[BYTES]];
  gpu.func @zero_fill(%A: memref<128x4xf32>, %B: memref<128x4xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x4xf32> to !tile.buffer<128x4xf32, global>
    %b = tile.view %B : memref<128x4xf32> to !tile.buffer<128x4xf32, global>
    %s = tile.alloc : !tile.buffer<128x4xf32, shared>
    %t = gpu.thread_id x
    %inside = arith.cmpi ult, %t, %n : index
    tile.copy_async %a to %s scope(cta) group predicate(%inside) {fill = "zero", prefetch_size = "L2::64B"}
      : !tile.buffer<128x4xf32, global> to !tile.buffer<128x4xf32, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(cta) : !tile.buffer<128x4xf32, shared> to !tile.buffer<128x4xf32, global>
    gpu.return
  }

  // Rows from %n on keep their values, those of C.
  // CHECK-LABEL: gpu.func @predicate(
  // CHECK: tile.planned_copy {{.*}}predicate(%{{[^ ]*}}) {{.*}}plan<vectors "ldgsts", rounds = 1, threads = 128, vector = 4, {{.*}}thread_iters = 1,{{.*}}:
  // PTX-LABEL: .entry predicate(
  // PTX: @%p{{[0-9]+}} bra
  // PTX: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
  gpu.func @predicate(%A: memref<128x4xf32>, %B: memref<128x4xf32>, %C: memref<128x4xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x4xf32> to !tile.buffer<128x4xf32, global>
    %b = tile.view %B : memref<128x4xf32> to !tile.buffer<128x4xf32, global>
    %c = tile.view %C : memref<128x4xf32> to !tile.buffer<128x4xf32, global>
    %s = tile.alloc : !tile.buffer<128x4xf32, shared>
    tile.copy %c to %s scope(cta) : !tile.buffer<128x4xf32, global> to !tile.buffer<128x4xf32, shared>
    gpu.barrier
    %t = gpu.thread_id x
    %inside = arith.cmpi ult, %t, %n : index
    tile.copy_async %a to %s scope(cta) group predicate(%inside)
      : !tile.buffer<128x4xf32, global> to !tile.buffer<128x4xf32, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(cta) : !tile.buffer<128x4xf32, shared> to !tile.buffer<128x4xf32, global>
    gpu.return
  }

  // Each of the 128 threads arrives on the barrier when its copies are complete.
  // CHECK-LABEL: gpu.func @barrier(
  // CHECK:      tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 2, threads = 128, vector = 4,
  // CHECK-NEXT: nvvm.cp.async.mbarrier.arrive %{{.*}} {noinc = true}
  // PTX-LABEL: .entry barrier(
  // PTX-COUNT-2: cp.async.cg.shared.global
  // PTX-NEXT:    cp.async.mbarrier.arrive.noinc.shared.b64 [{{.*}}];
  gpu.func @barrier(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    %barrier = llvm.mlir.addressof @arrived : !llvm.ptr<3>
    %threads = arith.constant 128 : i32
    %phase = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %barrier, %threads : !llvm.ptr<3>, i32
    }
    gpu.barrier
    tile.copy_async %a to %s scope(cta) mbarrier(%barrier : !llvm.ptr<3>)
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    scf.while : () -> () {
      %done = nvvm.mbarrier.test.wait %barrier, %phase : !llvm.ptr<3>, i32 -> i1
      %true = arith.constant true
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy %s to %b scope(cta) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    gpu.return
  }

  // Barrier %i of four: a memref with a run-time offset.
  // CHECK-LABEL: gpu.func @barrier_memref(
  // CHECK:      tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 2, threads = 128, vector = 4,
  // CHECK:      %[[OFFSET:.*]] = arith.muli
  // CHECK-NEXT: %[[ADDRESS:.*]] = arith.addi %{{.*}}, %[[OFFSET]]
  // CHECK:      nvvm.cp.async.mbarrier.arrive %{{.*}} {noinc = true}
  // PTX-LABEL: .entry barrier_memref(
  // PTX: cp.async.mbarrier.arrive.noinc.shared.b64 [{{.*}}];
  gpu.func @barrier_memref(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %i: index)
      workgroup(%barriers: memref<4xi64, #gpu.address_space<workgroup>>)
      kernel attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>} {  // in order, but not followed
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    %barrier = memref.subview %barriers[%i] [1] [1] : memref<4xi64, #gpu.address_space<workgroup>>
      to memref<1xi64, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
    %base = memref.extract_aligned_pointer_as_index %barriers : memref<4xi64, #gpu.address_space<workgroup>> -> index
    %c8 = arith.constant 8 : index
    %bytes = arith.muli %i, %c8 : index
    %place = arith.addi %base, %bytes : index
    %number = arith.index_castui %place : index to i64
    %pointer = llvm.inttoptr %number : i64 to !llvm.ptr<3>
    %threads = arith.constant 128 : i32
    %phase = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %pointer, %threads : !llvm.ptr<3>, i32
    }
    gpu.barrier
    tile.copy_async %a to %s scope(cta)
      mbarrier(%barrier : memref<1xi64, strided<[1], offset: ?>, #gpu.address_space<workgroup>>)
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    scf.while : () -> () {
      %done = nvvm.mbarrier.test.wait %pointer, %phase : !llvm.ptr<3>, i32 -> i1
      %true = arith.constant true
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy %s to %b scope(cta) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    gpu.return
  }

  // Each block copies its own 32 rows: run-time rows are whole iters, and cost nothing.
  // CHECK-LABEL: gpu.func @run_time_rows(
  // CHECK: tile.planned_copy %{{.*}}[%{{.*}}] {{.*}} plan<vectors "ldgsts", rounds = 2, threads = 128, vector = 8,{{.*}}src = {layout{{.*}}terms = [{value = 0, stride = 64{{(, [^}]*)?}}}
  gpu.func @run_time_rows(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<32x64xf16, shared>
    %c32 = arith.constant 32 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %c32 : index
    tile.copy_async %a[%row, 0] [32, 64] to %s[0, 0] [32, 64] scope(cta) group
      : !tile.buffer<64x64xf16, global> to !tile.buffer<32x64xf16, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s[0, 0] [32, 64] to %b[%row, 0] [32, 64] scope(cta)
      : !tile.buffer<32x64xf16, shared> to !tile.buffer<64x64xf16, global>
    gpu.return
  }
}

// No loads to registers.
// SASS-LABEL: kernel barrier
// SASS: LDG: 0
// SASS: LDGSTS: 2
// SASS-LABEL: kernel barrier_memref
// SASS: LDG: 0
// SASS: LDGSTS: 2
// SASS-LABEL: kernel direct_16
// SASS: LDG: 0
// SASS: LDGSTS: 1
// SASS-LABEL: kernel direct_4
// SASS: LDG: 0
// SASS: LDGSTS: 1
// SASS-LABEL: kernel direct_8
// SASS: LDG: 0
// SASS: LDGSTS: 1
// SASS-LABEL: kernel prefetch
// SASS: LDG: 0
// SASS: LDGSTS: 8
// SASS-LABEL: kernel run_time_rows
// SASS: LDG: 0
// SASS: LDGSTS: 2
// SASS-LABEL: kernel zero_fill
// SASS: LDG: 0
// SASS: LDGSTS: 1
