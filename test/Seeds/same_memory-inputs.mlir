// How inputs change what same_memory does: which side determines the order, the vector width, and which threads copy.
// test/Run/same_memory.test executes all of it.

// RUN: tile-opt %s --tile-align-layouts --tile-vectorize-copy | FileCheck %s
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_90a \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LDL|STL): [1-9]}}' %}
// SASS: kernel

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Columns to columns: both sides are contiguous along them.
  // CHECK-LABEL: gpu.func @columns(
  // CHECK: tile.planned_copy %{{.*}} to {{.*}} plan<vectors "same_memory", {{.*}}vector = 4,{{.*}}src = {layout = (8, 32, 4) : (128, 4, 1), space
  gpu.func @columns(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global, #tile.layout<(32, 32) : (1, 32)>>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global, #tile.layout<(32, 32) : (1, 32)>>
    tile.copy %a to %b scope(warp) : !tile.buffer<32x32xf32, global, #tile.layout<(32, 32) : (1, 32)>>
      to !tile.buffer<32x32xf32, global, #tile.layout<(32, 32) : (1, 32)>>
    gpu.return
  }

  // Rows to columns, which `transpose` would take: one side is not coalesced. Both choices cost the same, and stores are coalesced.
  // CHECK-LABEL: gpu.func @transposed(
  // CHECK: tile.planned_copy %{{.*}} to %{{.*}} plan<vectors "same_memory", {{.*}}vector = 1,{{.*}}src = {layout = (32, 32, 1) : (1, 32, 1), space{{.*}}dst = {layout = (32, 32, 1) : (32, 1, 1), space
  gpu.func @transposed(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global, #tile.layout<(32, 32) : (1, 32)>>
    tile.copy %a to %b scope(warp) {variant = "same_memory"}
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, global, #tile.layout<(32, 32) : (1, 32)>>
    gpu.return
  }

  // From rows to padded columns in shared memory: in column order, the accesses to the rows would be to 32 words of one
  // bank; in row order, the accesses to the columns are to 32 banks. The source determines the order.
  // CHECK-LABEL: gpu.func @conflicts(
  // CHECK: tile.planned_copy %{{.*}} to %{{.*}} plan<vectors "same_memory"{{.*}}src = {layout = (32, 32, 1) : (32, 1, 1), space{{.*}}dst = {layout = (32, 32, 1) : (1, 33, 1), space
  gpu.func @conflicts(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    %t = tile.alloc : !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 33)>>
    tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    gpu.barrier
    tile.copy %s to %t scope(warp)
      : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 33)>>
    gpu.barrier
    tile.copy %t to %b scope(warp)
      : !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 33)>> to !tile.buffer<32x32xf32, global>
    gpu.return
  }

  // To another part of the same buffer, by some of the threads, with a partial last round.
  // CHECK-LABEL: gpu.func @same_buffer(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "same_memory", rounds = 2, threads = 40, vector = 8, last_threads = 8, {{.*}}ranks = {first = 24, digits = [(40, 1)]}
  gpu.func @same_buffer(%A: memref<32x24xf16>, %B: memref<32x24xf16>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x24xf16> to !tile.buffer<32x24xf16, global>
    %b = tile.view %B : memref<32x24xf16> to !tile.buffer<32x24xf16, global>
    %c24 = arith.constant 24 : index
    %thread = gpu.thread_id x
    %some = arith.cmpi uge, %thread, %c24 : index
    tile.copy %a[0, 0] [16, 24] to %b[0, 0] [16, 24] scope(cta)
      : !tile.buffer<32x24xf16, global> to !tile.buffer<32x24xf16, global>
    gpu.barrier
    scf.if %some {
      tile.copy %b[0, 0] [16, 24] to %b[16, 0] [16, 24] scope(cta)
        : !tile.buffer<32x24xf16, global> to !tile.buffer<32x24xf16, global>
    }
    gpu.return
  }

  // At thread scope, by vectors.
  // CHECK-LABEL: gpu.func @alone(
  // CHECK: tile.planned_copy {{.*}} scope(thread) plan<vectors "same_memory", rounds = 2, threads = 1, vector = 4,
  gpu.func @alone(%A: memref<32x8xf32>, %B: memref<32x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
    %b = tile.view %B : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
    %row = gpu.thread_id x
    tile.copy %a[%row, 0] [1, 8] to %b[%row, 0] [1, 8] scope(thread)
      : !tile.buffer<32x8xf32, global> to !tile.buffer<32x8xf32, global>
    gpu.return
  }
}
