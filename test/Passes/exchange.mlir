// RUN: tile-opt --tile-align-layouts --tile-vectorize-copy %s --remarks-filter-passed=tile-copy \
// RUN:   --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:
// RUN: tile-opt --tile-align-layouts --tile-vectorize-copy %s | FileCheck %s
// RUN: tile-opt --tile-align-layouts --tile-vectorize-copy='chip=sm_100a' %s | FileCheck %s --check-prefix=WIDE --implicit-check-not=exchange
// RUN: tile-opt --lower-tile-copy %s | FileCheck %s --check-prefix=EXPANDED

// Lanes whose contiguous runs in global memory are several vectors long exchange vectors; chips with wider accesses need not.

!global = !tile.buffer<32x8xf32, global>
!rows = !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>

// WIDE-COUNT-3: tile.planned_copy {{.*}}plan<vectors 
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @rows(
  // EXPANDED-LABEL: gpu.func @rows(
  gpu.func @rows(%A: memref<32x8xf32>, %B: memref<32x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x8xf32> to !global
    %b = tile.view %B : memref<32x8xf32> to !global
    %r = tile.alloc : !rows
    // CHECK: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 2, threads = 32, vector = 4, {{.*}}thread_iters = 1, {{.*}}exchange = 2,
    // REMARK: :[[#@LINE+3]]:5: remark: [Passed] reg {{.*}} BytesPerThread=32, Exchange=2, Instructions="2 loads of 128 bits, 4 shuffles",
    // EXPANDED-COUNT-2: vector.load
    // EXPANDED-COUNT-4: nvvm.shfl.sync bfly
    tile.copy %a to %r scope(warp) : !global to !rows
    // CHECK: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 2, threads = 32, vector = 4, {{.*}}thread_iters = 1, {{.*}}exchange = 2,
    // REMARK: :[[#@LINE+3]]:5: remark: [Passed] reg {{.*}} Exchange=2,
    // EXPANDED-COUNT-4: nvvm.shfl.sync bfly
    // EXPANDED-COUNT-2: vector.store
    tile.copy %r to %b scope(warp) : !rows to !global
    gpu.return
  }

  // With a predicate there is no exchange: a lane whose predicate is false would not supply the vectors it loads for others.
  // CHECK-LABEL: gpu.func @predicated(
  // CHECK: tile.planned_copy {{.*}}predicate({{.*}}) {{.*}}plan<vectors "reg", {{.*}}thread_iters = 1,
  gpu.func @predicated(%A: memref<32x8xf32>, %p: i1) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x8xf32> to !global
    %r = tile.alloc : !rows
    // REMARK: :[[#@LINE+1]]:5: remark: [Passed] reg {{.*}} Instructions="2 loads of 128 bits", Remark=
    tile.planned_copy %a to %r scope(warp) predicate(%p)
      plan<matched "reg", threads = 32, thread_iters = 1, bits = 32,
           src = {layout = (32, 8) : (8, 1), space = global, align = 16},
           dst = {layout = (32, 8) : (1@laneid, 1), space = local, align = 16}>
      : !global to !rows
    gpu.return
  }
}
