// Vector counts that the number of threads does not divide: full rounds by all threads, the last round by some.
// RUN: tile-opt %s --tile-align-layouts --tile-vectorize-copy | FileCheck %s
// RUN: tile-opt %s --lower-tile-copy | FileCheck %s --check-prefix=EXPAND
// RUN: tile-run %s --entry lanes --schedule=all --arg f32[4x6]=random --arg f32[4x6]=poison --expect-equal 0,1 \
// RUN:   | FileCheck %s --check-prefix=LANES
// RUN: tile-run %s --entry rows --schedule=all --arg f32[33x32]=random --arg f32[33x32]=poison --expect-equal 0,1
// RUN: tile-run %s --entry many --schedule=all --arg i8[167x31]=random --arg i8[167x31]=poison --expect-equal 0,1
// RUN: tile-run %s --entry group --schedule=all --arg f32[5x20]=random --arg f32[5x20]=poison --expect-equal 0,1
// RUN: tile-run %s --entry arrivals --schedule=all --arg f32[5x20]=random --arg f32[5x20]=poison --expect-equal 0,1

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // 6 vectors of 128 bits, by 6 lanes.
  // CHECK-LABEL: gpu.func @lanes(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "gmem_smem", rounds = 1, threads = 32, vector = 4, last_threads = 6,{{.*}}src = {layout = (6, 4) : (4, 1), space
  // EXPAND-LABEL: gpu.func @lanes(
  // EXPAND:       %[[FIRST:.*]] = arith.cmpi ult, %{{.*}}, %c6
  // EXPAND:       scf.if %[[FIRST]] {
  // EXPAND-COUNT-1: vector.load
  // EXPAND:         vector.store {{.*}}, vector<4xf32>
  // EXPAND-NEXT:  }
  // LANES:      opcode
  // LANES-NEXT: ld.global{{.*}}.v4.b32 1 96 3{{$}}
  // LANES-NEXT: ld.shared.v4.b32 1 96
  // LANES-NEXT: st.global.v4.b32 1 96 3{{$}}
  // LANES-NEXT: st.shared.v4.b32 1 96
  gpu.func @lanes(%A: memref<4x6xf32>, %B: memref<4x6xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<4x6xf32> to !tile.buffer<4x6xf32, global>
    %b = tile.view %B : memref<4x6xf32> to !tile.buffer<4x6xf32, global>
    %s = tile.alloc : !tile.buffer<4x6xf32, shared>
    tile.copy %a to %s scope(warp) : !tile.buffer<4x6xf32, global> to !tile.buffer<4x6xf32, shared>
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<4x6xf32, shared> to !tile.buffer<4x6xf32, global>
    gpu.return
  }

  // 264 vectors: 256 threads once, and 8 of them again, whose load is issued before the first store.
  // CHECK-LABEL: gpu.func @rows(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "gmem_smem", rounds = 2, threads = 256, vector = 4, last_threads = 8,
  // EXPAND-LABEL: gpu.func @rows(
  // EXPAND:       vector.load
  // EXPAND-NOT:   vector.store
  // EXPAND:       scf.if
  // EXPAND:         vector.load
  // EXPAND:         vector.store {{.*}}, vector<4xf32>
  // EXPAND-NEXT:  }
  // EXPAND:       vector.store
  // EXPAND:       gpu.barrier
  gpu.func @rows(%A: memref<33x32xf32>, %B: memref<33x32xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<33x32xf32> to !tile.buffer<33x32xf32, global>
    %b = tile.view %B : memref<33x32xf32> to !tile.buffer<33x32xf32, global>
    %s = tile.alloc : !tile.buffer<33x32xf32, shared, #tile.layout<(33, 32) : (36, 1)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<33x32xf32, global> to !tile.buffer<33x32xf32, shared, #tile.layout<(33, 32) : (36, 1)>>
    gpu.barrier
    tile.copy %s to %b scope(cta)
      : !tile.buffer<33x32xf32, shared, #tile.layout<(33, 32) : (36, 1)>> to !tile.buffer<33x32xf32, global>
    gpu.return
  }

  // A loop over groups of 8 rounds, and remaining rounds, the last one by some threads.
  // CHECK-LABEL: gpu.func @many(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "gmem_smem", rounds = 162, threads = 32, vector = 1, last_threads = 25,
  gpu.func @many(%A: memref<167x31xi8>, %B: memref<167x31xi8>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<167x31xi8> to !tile.buffer<167x31xi8, global>
    %b = tile.view %B : memref<167x31xi8> to !tile.buffer<167x31xi8, global>
    %s = tile.alloc : !tile.buffer<167x31xi8, shared, #tile.layout<(167, 31) : (1, 168)>>
    tile.copy %a to %s scope(warp)
      : !tile.buffer<167x31xi8, global> to !tile.buffer<167x31xi8, shared, #tile.layout<(167, 31) : (1, 168)>>
    gpu.barrier
    tile.copy %s to %b scope(warp)
      : !tile.buffer<167x31xi8, shared, #tile.layout<(167, 31) : (1, 168)>> to !tile.buffer<167x31xi8, global>
    gpu.return
  }

  // All threads commit the group, even those without a vector.
  // CHECK-LABEL: gpu.func @group(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 1, threads = 64, vector = 4, last_threads = 25,
  // CHECK-NEXT: nvvm.cp.async.commit.group
  gpu.func @group(%A: memref<5x20xf32>, %B: memref<5x20xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<5x20xf32> to !tile.buffer<5x20xf32, global>
    %b = tile.view %B : memref<5x20xf32> to !tile.buffer<5x20xf32, global>
    %s = tile.alloc : !tile.buffer<5x20xf32, shared>
    tile.copy_async %a to %s scope(cta) group : !tile.buffer<5x20xf32, global> to !tile.buffer<5x20xf32, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(cta) : !tile.buffer<5x20xf32, shared> to !tile.buffer<5x20xf32, global>
    gpu.return
  }

  // 64 threads arrive on the mbarrier; 25 of them copy.
  // EXPAND-LABEL: gpu.func @arrivals(
  // EXPAND:       arith.cmpi ult, %{{.*}}, %c25
  // EXPAND-NEXT:  scf.if
  // EXPAND:         nvvm.cp.async.shared.global
  // EXPAND-NEXT:  }
  // EXPAND:       nvvm.cp.async.mbarrier.arrive
  gpu.func @arrivals(%A: memref<5x20xf32>, %B: memref<5x20xf32>)
      workgroup(%barrier: memref<1xi64, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %base = memref.extract_aligned_pointer_as_index %barrier : memref<1xi64, #gpu.address_space<workgroup>> -> index
    %number = arith.index_castui %base : index to i64
    %pointer = llvm.inttoptr %number : i64 to !llvm.ptr<3>
    %threads = arith.constant 64 : i32
    %phase = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      nvvm.mbarrier.init %pointer, %threads : !llvm.ptr<3>, i32
    }
    gpu.barrier
    %a = tile.view %A : memref<5x20xf32> to !tile.buffer<5x20xf32, global>
    %b = tile.view %B : memref<5x20xf32> to !tile.buffer<5x20xf32, global>
    %s = tile.alloc : !tile.buffer<5x20xf32, shared>
    tile.copy_async %a to %s scope(cta) mbarrier(%barrier : memref<1xi64, #gpu.address_space<workgroup>>)
      : !tile.buffer<5x20xf32, global> to !tile.buffer<5x20xf32, shared>
    scf.while : () -> () {
      %done = nvvm.mbarrier.test.wait %pointer, %phase : !llvm.ptr<3>, i32 -> i1
      %true = arith.constant true
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    tile.copy %s to %b scope(cta) : !tile.buffer<5x20xf32, shared> to !tile.buffer<5x20xf32, global>
    gpu.return
  }
}
