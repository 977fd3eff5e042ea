// The five widths: the number of elements in a vector, and the loads and stores.

// RUN: tile-opt %s --tile-align-layouts --tile-vectorize-copy | FileCheck %s
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  // CHECK-LABEL: gpu.func @widths(
  gpu.func @widths(%A: memref<32xi8>, %B: memref<32xi8>) kernel attributes {tile.order = "by_hand", known_block_size = array<i32: 32, 1, 1>} {  // several scopes write the same values
    %a = tile.view %A : memref<32xi8> to !tile.buffer<32xi8, global>
    %s = tile.alloc : !tile.buffer<32xi8, shared>
    %r = tile.alloc : !tile.buffer<32xi8, local>
    // CHECK: tile.planned_copy {{.*}} plan<vectors "vec_16b", rounds = 1, threads = 1, vector = 2,
    tile.copy %a[2] [2] to %s[2] [2] scope(thread) {variant = "vec_16b"}
      : !tile.buffer<32xi8, global> to !tile.buffer<32xi8, shared>
    // CHECK: tile.planned_copy {{.*}} plan<vectors "vec_32b", rounds = 1, threads = 1, vector = 4,
    tile.copy %a[4] [4] to %s[4] [4] scope(thread) {variant = "vec_32b"}
      : !tile.buffer<32xi8, global> to !tile.buffer<32xi8, shared>
    // CHECK: tile.planned_copy {{.*}} plan<vectors "vec_64b", rounds = 1, threads = 1, vector = 8,
    tile.copy %a[8] [8] to %s[8] [8] scope(thread) {variant = "vec_64b"}
      : !tile.buffer<32xi8, global> to !tile.buffer<32xi8, shared>
    // CHECK: tile.planned_copy {{.*}} plan<vectors "vec_128b", rounds = 1, threads = 1, vector = 16,
    tile.copy %a[16] [16] to %s[16] [16] scope(thread) {variant = "vec_128b"}
      : !tile.buffer<32xi8, global> to !tile.buffer<32xi8, shared>
    // Registers, too; from sm_100 on, 256 bits from global memory.
    // CHECK: tile.planned_copy {{.*}} plan<vectors "vec_256b", rounds = 1, threads = 1, vector = 32,
    tile.copy %a to %r scope(thread) {variant = "vec_256b"}
      : !tile.buffer<32xi8, global> to !tile.buffer<32xi8, local>
    gpu.return
  }

  // A value that is not unpacked is both loaded and stored by 256 bits.
  // CHECK-LABEL:   gpu.func @through_registers(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<vectors "vec_256b", rounds = 1, threads = 1, vector = 8,
  // SASS:          LDG: 1
  // SASS:          LDG.E.256: 1
  // SASS:          STG: 1
  // SASS:          STG.E.256: 1
  gpu.func @through_registers(%A: memref<256x8xf32>, %B: memref<256x8xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x8xf32> to !tile.buffer<256x8xf32, global>
    %b = tile.view %B : memref<256x8xf32> to !tile.buffer<256x8xf32, global>
    %r = tile.alloc : !tile.buffer<1x8xf32, local>
    %i = gpu.thread_id x
    tile.copy %a[%i, 0] [1, 8] to %r scope(thread) {variant = "vec_256b"}
      : !tile.buffer<256x8xf32, global> to !tile.buffer<1x8xf32, local>
    tile.copy %r to %b[%i, 0] [1, 8] scope(thread) {variant = "vec_256b"}
      : !tile.buffer<1x8xf32, local> to !tile.buffer<256x8xf32, global>
    gpu.return
  }
}
