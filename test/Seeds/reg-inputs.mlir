// How inputs change what reg does: elements per thread and their type, the scope, the register layout.

// RUN: tile-opt %s --tile-align-layouts --tile-vectorize-copy | FileCheck %s
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_80 \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_90a \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_100a \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SM100 --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}

gpu.module @kernels {
  // Lane i holds row i of k elements: k registers, k / vector rounds.

  // CHECK-LABEL: gpu.func @f32_rows_of_8(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 2, threads = 32, vector = 4,
  gpu.func @f32_rows_of_8(%A: memref<32x8xf32>, %B: memref<32x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
    %b = tile.view %B : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
    %r = tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    tile.copy %a to %r scope(warp)
      : !tile.buffer<32x8xf32, global> to !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    tile.copy %r to %b scope(warp)
      : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>> to !tile.buffer<32x8xf32, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @f32_rows_of_16(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 4, threads = 32, vector = 4,
  gpu.func @f32_rows_of_16(%A: memref<32x16xf32>, %B: memref<32x16xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x16xf32> to !tile.buffer<32x16xf32, global>
    %b = tile.view %B : memref<32x16xf32> to !tile.buffer<32x16xf32, global>
    %r = tile.alloc : !tile.buffer<32x16xf32, local, #tile.layout<(32, 16) : (1@laneid, 1)>>
    tile.copy %a to %r scope(warp)
      : !tile.buffer<32x16xf32, global> to !tile.buffer<32x16xf32, local, #tile.layout<(32, 16) : (1@laneid, 1)>>
    tile.copy %r to %b scope(warp)
      : !tile.buffer<32x16xf32, local, #tile.layout<(32, 16) : (1@laneid, 1)>> to !tile.buffer<32x16xf32, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @f16_rows_of_8(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 1, threads = 32, vector = 8,
  gpu.func @f16_rows_of_8(%A: memref<32x8xf16>, %B: memref<32x8xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x8xf16> to !tile.buffer<32x8xf16, global>
    %b = tile.view %B : memref<32x8xf16> to !tile.buffer<32x8xf16, global>
    %r = tile.alloc : !tile.buffer<32x8xf16, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    tile.copy %a to %r scope(warp)
      : !tile.buffer<32x8xf16, global> to !tile.buffer<32x8xf16, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    tile.copy %r to %b scope(warp)
      : !tile.buffer<32x8xf16, local, #tile.layout<(32, 8) : (1@laneid, 1)>> to !tile.buffer<32x8xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @f16_rows_of_16(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 2, threads = 32, vector = 8,
  gpu.func @f16_rows_of_16(%A: memref<32x16xf16>, %B: memref<32x16xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x16xf16> to !tile.buffer<32x16xf16, global>
    %b = tile.view %B : memref<32x16xf16> to !tile.buffer<32x16xf16, global>
    %r = tile.alloc : !tile.buffer<32x16xf16, local, #tile.layout<(32, 16) : (1@laneid, 1)>>
    tile.copy %a to %r scope(warp)
      : !tile.buffer<32x16xf16, global> to !tile.buffer<32x16xf16, local, #tile.layout<(32, 16) : (1@laneid, 1)>>
    tile.copy %r to %b scope(warp)
      : !tile.buffer<32x16xf16, local, #tile.layout<(32, 16) : (1@laneid, 1)>> to !tile.buffer<32x16xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @f32_rows_of_3(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 3, threads = 32, vector = 1,
  gpu.func @f32_rows_of_3(%A: memref<32x3xf32>, %B: memref<32x3xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x3xf32> to !tile.buffer<32x3xf32, global>
    %b = tile.view %B : memref<32x3xf32> to !tile.buffer<32x3xf32, global>
    %r = tile.alloc : !tile.buffer<32x3xf32, local, #tile.layout<(32, 3) : (1@laneid, 1)>>
    tile.copy %a to %r scope(warp)
      : !tile.buffer<32x3xf32, global> to !tile.buffer<32x3xf32, local, #tile.layout<(32, 3) : (1@laneid, 1)>>
    tile.copy %r to %b scope(warp)
      : !tile.buffer<32x3xf32, local, #tile.layout<(32, 3) : (1@laneid, 1)>> to !tile.buffer<32x3xf32, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @f64_rows_of_8(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 4, threads = 32, vector = 2,
  gpu.func @f64_rows_of_8(%A: memref<32x8xf64>, %B: memref<32x8xf64>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x8xf64> to !tile.buffer<32x8xf64, global>
    %b = tile.view %B : memref<32x8xf64> to !tile.buffer<32x8xf64, global>
    %r = tile.alloc : !tile.buffer<32x8xf64, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    tile.copy %a to %r scope(warp)
      : !tile.buffer<32x8xf64, global> to !tile.buffer<32x8xf64, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    tile.copy %r to %b scope(warp)
      : !tile.buffer<32x8xf64, local, #tile.layout<(32, 8) : (1@laneid, 1)>> to !tile.buffer<32x8xf64, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @i8_rows_of_32(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 2, threads = 32, vector = 16,
  gpu.func @i8_rows_of_32(%A: memref<32x32xi8>, %B: memref<32x32xi8>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xi8> to !tile.buffer<32x32xi8, global>
    %b = tile.view %B : memref<32x32xi8> to !tile.buffer<32x32xi8, global>
    %r = tile.alloc : !tile.buffer<32x32xi8, local, #tile.layout<(32, 32) : (1@laneid, 1)>>
    tile.copy %a to %r scope(warp)
      : !tile.buffer<32x32xi8, global> to !tile.buffer<32x32xi8, local, #tile.layout<(32, 32) : (1@laneid, 1)>>
    tile.copy %r to %b scope(warp)
      : !tile.buffer<32x32xi8, local, #tile.layout<(32, 32) : (1@laneid, 1)>> to !tile.buffer<32x32xi8, global>
    gpu.return
  }

  // The scope determines which thread axis the layout uses.

  // No thread axis: every thread holds the whole tile.
  // CHECK-LABEL: gpu.func @scope_thread(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 8, threads = 1, vector = 4,
  gpu.func @scope_thread(%A: memref<4x8xf32>, %B: memref<4x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<4x8xf32> to !tile.buffer<4x8xf32, global>
    %b = tile.view %B : memref<4x8xf32> to !tile.buffer<4x8xf32, global>
    %r = tile.alloc : !tile.buffer<4x8xf32, local, #tile.layout<(4, 8) : (8, 1)>>
    tile.copy %a to %r scope(thread)
      : !tile.buffer<4x8xf32, global> to !tile.buffer<4x8xf32, local, #tile.layout<(4, 8) : (8, 1)>>
    tile.copy %r to %b scope(thread)
      : !tile.buffer<4x8xf32, local, #tile.layout<(4, 8) : (8, 1)>> to !tile.buffer<4x8xf32, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @scope_warpgroup(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 2, threads = 128, vector = 4,
  gpu.func @scope_warpgroup(%A: memref<128x8xf32>, %B: memref<128x8xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<128x8xf32> to !tile.buffer<128x8xf32, global>
    %b = tile.view %B : memref<128x8xf32> to !tile.buffer<128x8xf32, global>
    %r = tile.alloc : !tile.buffer<128x8xf32, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>>
    tile.copy %a to %r scope(warpgroup)
      : !tile.buffer<128x8xf32, global> to !tile.buffer<128x8xf32, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>>
    tile.copy %r to %b scope(warpgroup)
      : !tile.buffer<128x8xf32, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>> to !tile.buffer<128x8xf32, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @scope_warpgroup_by_warps(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 2, threads = 128, vector = 4,
  gpu.func @scope_warpgroup_by_warps(%A: memref<128x8xf32>, %B: memref<128x8xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<128x8xf32> to !tile.buffer<128x8xf32, global>
    %b = tile.view %B : memref<128x8xf32> to !tile.buffer<128x8xf32, global>
    %r = tile.alloc : !tile.buffer<128x8xf32, local, #tile.layout<(4, 32, 8) : (1@wid_in_wg, 1@laneid, 1)>>
    tile.copy %a to %r scope(warpgroup)
      : !tile.buffer<128x8xf32, global> to !tile.buffer<128x8xf32, local, #tile.layout<(4, 32, 8) : (1@wid_in_wg, 1@laneid, 1)>>
    tile.copy %r to %b scope(warpgroup)
      : !tile.buffer<128x8xf32, local, #tile.layout<(4, 32, 8) : (1@wid_in_wg, 1@laneid, 1)>> to !tile.buffer<128x8xf32, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @scope_cta(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 2, threads = 256, vector = 4,
  gpu.func @scope_cta(%A: memref<256x8xf32>, %B: memref<256x8xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x8xf32> to !tile.buffer<256x8xf32, global>
    %b = tile.view %B : memref<256x8xf32> to !tile.buffer<256x8xf32, global>
    %r = tile.alloc : !tile.buffer<256x8xf32, local, #tile.layout<(256, 8) : (1@tx, 1)>>
    tile.copy %a to %r scope(cta)
      : !tile.buffer<256x8xf32, global> to !tile.buffer<256x8xf32, local, #tile.layout<(256, 8) : (1@tx, 1)>>
    tile.copy %r to %b scope(cta)
      : !tile.buffer<256x8xf32, local, #tile.layout<(256, 8) : (1@tx, 1)>> to !tile.buffer<256x8xf32, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @scope_cta_by_warps(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 2, threads = 256, vector = 4,
  gpu.func @scope_cta_by_warps(%A: memref<256x8xf32>, %B: memref<256x8xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<256x8xf32> to !tile.buffer<256x8xf32, global>
    %b = tile.view %B : memref<256x8xf32> to !tile.buffer<256x8xf32, global>
    %r = tile.alloc : !tile.buffer<256x8xf32, local, #tile.layout<(8, 32, 8) : (1@warpid, 1@laneid, 1)>>
    tile.copy %a to %r scope(cta)
      : !tile.buffer<256x8xf32, global> to !tile.buffer<256x8xf32, local, #tile.layout<(8, 32, 8) : (1@warpid, 1@laneid, 1)>>
    tile.copy %r to %b scope(cta)
      : !tile.buffer<256x8xf32, local, #tile.layout<(8, 32, 8) : (1@warpid, 1@laneid, 1)>> to !tile.buffer<256x8xf32, global>
    gpu.return
  }

  // A different distribution over threads changes the number of rounds or the vector width.

  // Lane i holds rows i and i + 32, which are not contiguous: they are separate vectors.
  // CHECK-LABEL: gpu.func @two_rows_per_lane(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 4, threads = 32, vector = 4,
  gpu.func @two_rows_per_lane(%A: memref<64x8xf32>, %B: memref<64x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x8xf32> to !tile.buffer<64x8xf32, global>
    %b = tile.view %B : memref<64x8xf32> to !tile.buffer<64x8xf32, global>
    %r = tile.alloc : !tile.buffer<64x8xf32, local, #tile.layout<(2, 32, 8) : (8, 1@laneid, 1)>>
    tile.copy %a to %r scope(warp)
      : !tile.buffer<64x8xf32, global> to !tile.buffer<64x8xf32, local, #tile.layout<(2, 32, 8) : (8, 1@laneid, 1)>>
    tile.copy %r to %b scope(warp)
      : !tile.buffer<64x8xf32, local, #tile.layout<(2, 32, 8) : (8, 1@laneid, 1)>> to !tile.buffer<64x8xf32, global>
    gpu.return
  }

  // Lane i holds column i: consecutive registers are 32 elements apart in memory.
  // CHECK-LABEL: gpu.func @columns(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 8, threads = 32, vector = 1,
  gpu.func @columns(%A: memref<8x32xf32>, %B: memref<8x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<8x32xf32> to !tile.buffer<8x32xf32, global>
    %b = tile.view %B : memref<8x32xf32> to !tile.buffer<8x32xf32, global>
    %r = tile.alloc : !tile.buffer<8x32xf32, local, #tile.layout<(8, 32) : (1, 1@laneid)>>
    tile.copy %a to %r scope(warp)
      : !tile.buffer<8x32xf32, global> to !tile.buffer<8x32xf32, local, #tile.layout<(8, 32) : (1, 1@laneid)>>
    tile.copy %r to %b scope(warp)
      : !tile.buffer<8x32xf32, local, #tile.layout<(8, 32) : (1, 1@laneid)>> to !tile.buffer<8x32xf32, global>
    gpu.return
  }

  // The matrix fragment with elements too wide for ldmatrix: register pairs of f32.
  // CHECK-LABEL: gpu.func @fragment(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 4, threads = 32, vector = 2,
  gpu.func @fragment(%A: memref<16x16xf32>, %B: memref<16x16xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x16xf32> to !tile.buffer<16x16xf32, global>
    %b = tile.view %B : memref<16x16xf32> to !tile.buffer<16x16xf32, global>
    %r = tile.alloc : !tile.buffer<16x16xf32, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
    tile.copy %a to %r scope(warp)
      : !tile.buffer<16x16xf32, global> to !tile.buffer<16x16xf32, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
    tile.copy %r to %b scope(warp)
      : !tile.buffer<16x16xf32, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>> to !tile.buffer<16x16xf32, global>
    gpu.return
  }

  // No axis distinguishes the four warps: all of them load, only the first stores.
  // CHECK-LABEL: gpu.func @every_warp_the_same(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<vectors "reg", rounds = 2, threads = 128, vector = 4,
  // CHECK-SAME: guards = [{div = 32, extent = 4}]
  gpu.func @every_warp_the_same(%A: memref<32x8xf32>, %B: memref<32x8xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
    %b = tile.view %B : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
    %r = tile.alloc : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    tile.copy %a to %r scope(cta)
      : !tile.buffer<32x8xf32, global> to !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    tile.copy %r to %b scope(cta)
      : !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>> to !tile.buffer<32x8xf32, global>
    gpu.return
  }
}

// sm_100 has 256-bit accesses of global memory, and LLVM combines adjacent accesses into these.
// SM100-LABEL: kernel f32_rows_of_8
// SM100:       LDG.E.256: 1
// SM100:       STG.E.256: 1

// sass_count lists kernels by name. Kernels that are not listed here have no stack and no local memory, either.
// SASS-LABEL: kernel columns
// SASS:       LDG: 8
// SASS:       STG: 8
// SASS-LABEL: kernel f16_rows_of_16
// SASS:       LDG.E.128: 2
// SASS:       STG.E.128: 2
// SASS-LABEL: kernel f16_rows_of_8
// SASS:       LDG.E.128: 1
// SASS:       STG.E.128: 1
// SASS-LABEL: kernel f32_rows_of_16
// SASS:       LDG.E.128: 4
// SASS:       STG.E.128: 4
// SASS-LABEL: kernel f32_rows_of_8
// SASS:       LDG.E.128: 2
// SASS:       STG.E.128: 2
// SASS-LABEL: kernel scope_thread
// SASS:       LDG.E.128: 8
// SASS:       STG.E.128: 8
