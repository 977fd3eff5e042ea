// How swizzles and padding change what gmem_smem does.

// RUN: tile-opt %s --tile-align-layouts --tile-vectorize-copy | FileCheck %s
// RUN: tile-opt %s --tile-align-layouts --tile-vectorize-copy -o /dev/null --remarks-filter-passed=.* --remark-format=emitRemark \
// RUN:   2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_80 \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_90a \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_100a \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}

gpu.module @kernels {
  // A vector stays inside one chunk of the swizzle: 2^per_element elements.

  // CHECK-LABEL: gpu.func @swizzle_chunk_16(
  // CHECK-COUNT-2: rounds = 4, threads = 128, vector = 8,
  gpu.func @swizzle_chunk_16(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 4, bits = 3, shift = 3>>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 4, bits = 3, shift = 3>>>
    gpu.barrier
    tile.copy %s to %b scope(cta)
      : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 4, bits = 3, shift = 3>>> to !tile.buffer<64x64xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @swizzle_chunk_8(
  // CHECK-COUNT-2: rounds = 4, threads = 128, vector = 8,
  gpu.func @swizzle_chunk_8(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    gpu.barrier
    tile.copy %s to %b scope(cta)
      : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>> to !tile.buffer<64x64xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @swizzle_chunk_4(
  // CHECK-COUNT-2: rounds = 8, threads = 128, vector = 4,
  gpu.func @swizzle_chunk_4(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 2, bits = 3, shift = 3>>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 2, bits = 3, shift = 3>>>
    gpu.barrier
    tile.copy %s to %b scope(cta)
      : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 2, bits = 3, shift = 3>>> to !tile.buffer<64x64xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @swizzle_chunk_2(
  // CHECK-COUNT-2: rounds = 16, threads = 128, vector = 2,
  gpu.func @swizzle_chunk_2(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 1, bits = 3, shift = 3>>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 1, bits = 3, shift = 3>>>
    gpu.barrier
    tile.copy %s to %b scope(cta)
      : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 1, bits = 3, shift = 3>>> to !tile.buffer<64x64xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @swizzle_chunk_1(
  // CHECK-COUNT-2: rounds = 32, threads = 128, vector = 1,
  gpu.func @swizzle_chunk_1(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 0, bits = 3, shift = 3>>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 0, bits = 3, shift = 3>>>
    gpu.barrier
    tile.copy %s to %b scope(cta)
      : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 0, bits = 3, shift = 3>>> to !tile.buffer<64x64xf16, global>
    gpu.return
  }

  // Padded rows of shared memory start at multiples of the padded length.

  // CHECK-LABEL: gpu.func @padded_by_8(
  // CHECK-COUNT-2: rounds = 4, threads = 128, vector = 8,
  gpu.func @padded_by_8(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (72, 1)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (72, 1)>>
    gpu.barrier
    tile.copy %s to %b scope(cta)
      : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (72, 1)>> to !tile.buffer<64x64xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @padded_by_4(
  // CHECK-COUNT-2: rounds = 8, threads = 128, vector = 4,
  gpu.func @padded_by_4(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (68, 1)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (68, 1)>>
    gpu.barrier
    tile.copy %s to %b scope(cta)
      : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (68, 1)>> to !tile.buffer<64x64xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @padded_by_2(
  // CHECK-COUNT-2: rounds = 16, threads = 128, vector = 2,
  gpu.func @padded_by_2(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (66, 1)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (66, 1)>>
    gpu.barrier
    tile.copy %s to %b scope(cta)
      : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (66, 1)>> to !tile.buffer<64x64xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @padded_by_1(
  // CHECK-COUNT-2: rounds = 32, threads = 128, vector = 1,
  gpu.func @padded_by_1(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (65, 1)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (65, 1)>>
    gpu.barrier
    tile.copy %s to %b scope(cta)
      : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (65, 1)>> to !tile.buffer<64x64xf16, global>
    gpu.return
  }
}

// The remark says what prevents the next wider vector.
// NARROW-DAG: Function=swizzle_chunk_4 | {{.*}}Narrowed=swizzle-chunk-too-small, NarrowedWhy="{{[^"]*}} destination{{[^"]*}} 4 {{[^"]*}} 8"
// NARROW-DAG: Function=padded_by_4 | {{.*}}Narrowed=stride-not-divisible, NarrowedWhy="{{[^"]*}} destination: 8 {{[^"]*}} 64:68 {{[^"]*}} 8, {{[^"]*}} 68; {{[^"]*}} 64 {{[^"]*}} (1, 0) {{[^"]*}} 68"

// sass_count lists kernels by name. Kernels that are not listed here have no stack and no local memory, either.
// SASS-LABEL: kernel swizzle_chunk_2
// SASS:       LDG.E.128: 0
// SASS-LABEL: kernel swizzle_chunk_8
// SASS:       LDG.E.128: 4
// SASS:       STG.E.128: 4
// SASS:       LDS.128: 4
// SASS:       STS.128: 4
