// How element type and scope change what gmem_smem does.

// RUN: tile-opt %s --tile-align-layouts --tile-vectorize-copy | FileCheck %s
// RUN: tile-opt %s --tile-align-layouts --tile-vectorize-copy -o /dev/null --remarks-filter-passed=.* --remark-format=emitRemark \
// RUN:   2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: tile-opt %s --lower-tile-copy | FileCheck %s --check-prefix=LOOP
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_80 \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_90a \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_100a \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}

gpu.module @kernels {
  // The element type determines how many elements fit 128 bits, and thus the number of rounds: 1024 / (32 * vector).

  // CHECK-LABEL: gpu.func @f64(
  // CHECK-COUNT-2: rounds = 16, threads = 32, vector = 2,
  gpu.func @f64(%A: memref<32x32xf64>, %B: memref<32x32xf64>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf64> to !tile.buffer<32x32xf64, global>
    %b = tile.view %B : memref<32x32xf64> to !tile.buffer<32x32xf64, global>
    %s = tile.alloc : !tile.buffer<32x32xf64, shared>
    tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf64, global> to !tile.buffer<32x32xf64, shared>
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<32x32xf64, shared> to !tile.buffer<32x32xf64, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @f32(
  // CHECK-COUNT-2: rounds = 8, threads = 32, vector = 4,
  gpu.func @f32(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @f16(
  // CHECK-COUNT-2: rounds = 4, threads = 32, vector = 8,
  gpu.func @f16(%A: memref<32x32xf16>, %B: memref<32x32xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf16> to !tile.buffer<32x32xf16, global>
    %b = tile.view %B : memref<32x32xf16> to !tile.buffer<32x32xf16, global>
    %s = tile.alloc : !tile.buffer<32x32xf16, shared>
    tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf16, global> to !tile.buffer<32x32xf16, shared>
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<32x32xf16, shared> to !tile.buffer<32x32xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @i8(
  // CHECK-COUNT-2: rounds = 2, threads = 32, vector = 16,
  gpu.func @i8(%A: memref<32x32xi8>, %B: memref<32x32xi8>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xi8> to !tile.buffer<32x32xi8, global>
    %b = tile.view %B : memref<32x32xi8> to !tile.buffer<32x32xi8, global>
    %s = tile.alloc : !tile.buffer<32x32xi8, shared>
    tile.copy %a to %s scope(warp) : !tile.buffer<32x32xi8, global> to !tile.buffer<32x32xi8, shared>
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<32x32xi8, shared> to !tile.buffer<32x32xi8, global>
    gpu.return
  }

  // The scope determines which threads share the copy.

  // CHECK-LABEL: gpu.func @scope_thread(
  // CHECK-COUNT-2: rounds = 256, threads = 1, vector = 4,
  gpu.func @scope_thread(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 32, 1, 1>} {  // several scopes write the same values
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    tile.copy %a to %s scope(thread) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    gpu.barrier
    tile.copy %s to %b scope(thread) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @scope_warp(
  // CHECK-COUNT-2: rounds = 8, threads = 32, vector = 4,
  gpu.func @scope_warp(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>} {  // several scopes write the same values
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    tile.copy %a to %s scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @scope_warpgroup(
  // CHECK-COUNT-2: rounds = 2, threads = 128, vector = 4,
  gpu.func @scope_warpgroup(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 256, 1, 1>} {  // several scopes write the same values
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    tile.copy %a to %s scope(warpgroup) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    gpu.barrier
    tile.copy %s to %b scope(warpgroup) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @scope_cta(
  // CHECK-COUNT-2: rounds = 1, threads = 256, vector = 4,
  gpu.func @scope_cta(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    tile.copy %a to %s scope(cta) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    gpu.barrier
    tile.copy %s to %b scope(cta) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    gpu.return
  }

  // With vectors of 4, 3 of 4 threads would be idle; instead, every thread copies one element.
  // CHECK-LABEL: gpu.func @cta_more_threads_than_vectors(
  // CHECK-COUNT-2: rounds = 1, threads = 1024, vector = 1,
  gpu.func @cta_more_threads_than_vectors(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 1024, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    tile.copy %a to %s scope(cta) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    gpu.barrier
    tile.copy %s to %b scope(cta) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    gpu.return
  }
}

// Up to 16 rounds are straight-line code; more become a loop of 8 loads and 8 stores.
// LOOP-LABEL:   gpu.func @f64(
// LOOP-NOT:     scf.for
// LOOP-LABEL:   gpu.func @f32(
// LOOP-NOT:     scf.for
// LOOP-LABEL:   gpu.func @scope_thread(
// LOOP:         scf.for %{{.*}} = %c0 to %c32 step %c1 {
// LOOP-COUNT-8:   vector.load
// LOOP-COUNT-8:   vector.store
// LOOP-NEXT:    {{^ *}$}}
// LOOP-NEXT:    gpu.barrier
// LOOP-LABEL:   gpu.func @scope_warp(

// The remark says what prevents the next wider vector.
// NARROW-DAG: Function=f32 | {{.*}}per thread", Rounds=8, Variant=gmem_smem, VectorBits=128
// NARROW-DAG: Function=cta_more_threads_than_vectors | {{.*}}Narrowed=elements-per-thread, NarrowedWhy="{{[^"]*}} 1024 {{[^"]*}} 1 {{[^"]*}} 2"

// sass_count lists kernels by name. Kernels that are not listed here have no stack and no local memory, either.
// SASS-LABEL: kernel f16
// SASS:       LDG.E.128: 4
// SASS:       STG.E.128: 4
// SASS:       LDS.128: 4
// SASS:       STS.128: 4
// SASS-LABEL: kernel f32
// SASS:       LDG.E.128: 8
// SASS:       STG.E.128: 8
// SASS:       LDS.128: 8
// SASS:       STS.128: 8
// SASS-LABEL: kernel i8
// SASS:       LDG.E.128: 2
// SASS:       STG.E.128: 2
// SASS:       LDS.128: 2
// SASS:       STS.128: 2
