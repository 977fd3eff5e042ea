// How offsets, transposed layouts and alignment change what gmem_smem does.

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
  // Windows of a larger tile that start at different columns.

  // CHECK-LABEL: gpu.func @column_16(
  // CHECK-COUNT-2: rounds = 2, threads = 128, vector = 8,
  gpu.func @column_16(%A: memref<32x96xf16>, %B: memref<32x96xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x96xf16> to !tile.buffer<32x96xf16, global>
    %b = tile.view %B : memref<32x96xf16> to !tile.buffer<32x96xf16, global>
    %s = tile.alloc : !tile.buffer<32x64xf16, shared>
    tile.copy %a[0, 16] [32, 64] to %s[0, 0] [32, 64] scope(cta)
      : !tile.buffer<32x96xf16, global> to !tile.buffer<32x64xf16, shared>
    gpu.barrier
    tile.copy %s[0, 0] [32, 64] to %b[0, 16] [32, 64] scope(cta)
      : !tile.buffer<32x64xf16, shared> to !tile.buffer<32x96xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @column_8(
  // CHECK-COUNT-2: rounds = 2, threads = 128, vector = 8,
  gpu.func @column_8(%A: memref<32x96xf16>, %B: memref<32x96xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x96xf16> to !tile.buffer<32x96xf16, global>
    %b = tile.view %B : memref<32x96xf16> to !tile.buffer<32x96xf16, global>
    %s = tile.alloc : !tile.buffer<32x64xf16, shared>
    tile.copy %a[0, 8] [32, 64] to %s[0, 0] [32, 64] scope(cta)
      : !tile.buffer<32x96xf16, global> to !tile.buffer<32x64xf16, shared>
    gpu.barrier
    tile.copy %s[0, 0] [32, 64] to %b[0, 8] [32, 64] scope(cta)
      : !tile.buffer<32x64xf16, shared> to !tile.buffer<32x96xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @column_4(
  // CHECK-COUNT-2: rounds = 4, threads = 128, vector = 4,
  gpu.func @column_4(%A: memref<32x96xf16>, %B: memref<32x96xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x96xf16> to !tile.buffer<32x96xf16, global>
    %b = tile.view %B : memref<32x96xf16> to !tile.buffer<32x96xf16, global>
    %s = tile.alloc : !tile.buffer<32x64xf16, shared>
    tile.copy %a[0, 4] [32, 64] to %s[0, 0] [32, 64] scope(cta)
      : !tile.buffer<32x96xf16, global> to !tile.buffer<32x64xf16, shared>
    gpu.barrier
    tile.copy %s[0, 0] [32, 64] to %b[0, 4] [32, 64] scope(cta)
      : !tile.buffer<32x64xf16, shared> to !tile.buffer<32x96xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @column_2(
  // CHECK-COUNT-2: rounds = 8, threads = 128, vector = 2,
  gpu.func @column_2(%A: memref<32x96xf16>, %B: memref<32x96xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x96xf16> to !tile.buffer<32x96xf16, global>
    %b = tile.view %B : memref<32x96xf16> to !tile.buffer<32x96xf16, global>
    %s = tile.alloc : !tile.buffer<32x64xf16, shared>
    tile.copy %a[0, 2] [32, 64] to %s[0, 0] [32, 64] scope(cta)
      : !tile.buffer<32x96xf16, global> to !tile.buffer<32x64xf16, shared>
    gpu.barrier
    tile.copy %s[0, 0] [32, 64] to %b[0, 2] [32, 64] scope(cta)
      : !tile.buffer<32x64xf16, shared> to !tile.buffer<32x96xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @column_1(
  // CHECK-COUNT-2: rounds = 16, threads = 128, vector = 1,
  gpu.func @column_1(%A: memref<32x96xf16>, %B: memref<32x96xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x96xf16> to !tile.buffer<32x96xf16, global>
    %b = tile.view %B : memref<32x96xf16> to !tile.buffer<32x96xf16, global>
    %s = tile.alloc : !tile.buffer<32x64xf16, shared>
    tile.copy %a[0, 1] [32, 64] to %s[0, 0] [32, 64] scope(cta)
      : !tile.buffer<32x96xf16, global> to !tile.buffer<32x64xf16, shared>
    gpu.barrier
    tile.copy %s[0, 0] [32, 64] to %b[0, 1] [32, 64] scope(cta)
      : !tile.buffer<32x64xf16, shared> to !tile.buffer<32x96xf16, global>
    gpu.return
  }

  // The divisor of a run-time column follows from its computation, or from tile.assume.

  // CHECK-LABEL: gpu.func @column_unknown(
  // CHECK-COUNT-2: rounds = 16, threads = 128, vector = 1,
  gpu.func @column_unknown(%A: memref<32x512xf16>, %B: memref<32x512xf16>, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x512xf16> to !tile.buffer<32x512xf16, global>
    %b = tile.view %B : memref<32x512xf16> to !tile.buffer<32x512xf16, global>
    %s = tile.alloc : !tile.buffer<32x64xf16, shared>
    tile.copy %a[0, %i] [32, 64] to %s[0, 0] [32, 64] scope(cta)
      : !tile.buffer<32x512xf16, global> to !tile.buffer<32x64xf16, shared>
    gpu.barrier
    tile.copy %s[0, 0] [32, 64] to %b[0, %i] [32, 64] scope(cta)
      : !tile.buffer<32x64xf16, shared> to !tile.buffer<32x512xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @column_times_8(
  // CHECK-COUNT-2: rounds = 2, threads = 128, vector = 8,
  gpu.func @column_times_8(%A: memref<32x512xf16>, %B: memref<32x512xf16>, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x512xf16> to !tile.buffer<32x512xf16, global>
    %b = tile.view %B : memref<32x512xf16> to !tile.buffer<32x512xf16, global>
    %s = tile.alloc : !tile.buffer<32x64xf16, shared>
    %c8 = arith.constant 8 : index
    %column = arith.muli %i, %c8 : index
    tile.copy %a[0, %column] [32, 64] to %s[0, 0] [32, 64] scope(cta)
      : !tile.buffer<32x512xf16, global> to !tile.buffer<32x64xf16, shared>
    gpu.barrier
    tile.copy %s[0, 0] [32, 64] to %b[0, %column] [32, 64] scope(cta)
      : !tile.buffer<32x64xf16, shared> to !tile.buffer<32x512xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @column_assumed(
  // CHECK-COUNT-2: rounds = 4, threads = 128, vector = 4,
  gpu.func @column_assumed(%A: memref<32x512xf16>, %B: memref<32x512xf16>, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x512xf16> to !tile.buffer<32x512xf16, global>
    %b = tile.view %B : memref<32x512xf16> to !tile.buffer<32x512xf16, global>
    %s = tile.alloc : !tile.buffer<32x64xf16, shared>
    %column = tile.assume %i divisible_by 4 : index
    tile.copy %a[0, %column] [32, 64] to %s[0, 0] [32, 64] scope(cta)
      : !tile.buffer<32x512xf16, global> to !tile.buffer<32x64xf16, shared>
    gpu.barrier
    tile.copy %s[0, 0] [32, 64] to %b[0, %column] [32, 64] scope(cta)
      : !tile.buffer<32x64xf16, shared> to !tile.buffer<32x512xf16, global>
    gpu.return
  }

  // With rows of 64 elements, any row offset is a multiple of 8 elements.
  // CHECK-LABEL: gpu.func @row_unknown(
  // CHECK-COUNT-2: rounds = 2, threads = 128, vector = 8,
  gpu.func @row_unknown(%A: memref<512x64xf16>, %B: memref<512x64xf16>, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<512x64xf16> to !tile.buffer<512x64xf16, global>
    %b = tile.view %B : memref<512x64xf16> to !tile.buffer<512x64xf16, global>
    %s = tile.alloc : !tile.buffer<32x64xf16, shared>
    tile.copy %a[%i, 0] [32, 64] to %s[0, 0] [32, 64] scope(cta)
      : !tile.buffer<512x64xf16, global> to !tile.buffer<32x64xf16, shared>
    gpu.barrier
    tile.copy %s[0, 0] [32, 64] to %b[%i, 0] [32, 64] scope(cta)
      : !tile.buffer<32x64xf16, shared> to !tile.buffer<512x64xf16, global>
    gpu.return
  }

  // If one side is transposed, only single elements are copied; if both are, vectors keep their width.

  // CHECK-LABEL: gpu.func @one_transposed(
  // CHECK-COUNT-2: rounds = 32, threads = 128, vector = 1,
  gpu.func @one_transposed(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (1, 64)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (1, 64)>>
    gpu.barrier
    tile.copy %s to %b scope(cta)
      : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (1, 64)>> to !tile.buffer<64x64xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @both_transposed(
  // CHECK-COUNT-2: rounds = 4, threads = 128, vector = 8,
  gpu.func @both_transposed(%A: memref<64x64xf16, strided<[1, 64]>>, %B: memref<64x64xf16, strided<[1, 64]>>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16, strided<[1, 64]>> to !tile.buffer<64x64xf16, global, #tile.layout<(64, 64) : (1, 64)>>
    %b = tile.view %B : memref<64x64xf16, strided<[1, 64]>> to !tile.buffer<64x64xf16, global, #tile.layout<(64, 64) : (1, 64)>>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (1, 64)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<64x64xf16, global, #tile.layout<(64, 64) : (1, 64)>> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (1, 64)>>
    gpu.barrier
    tile.copy %s to %b scope(cta)
      : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (1, 64)>> to !tile.buffer<64x64xf16, global, #tile.layout<(64, 64) : (1, 64)>>
    gpu.return
  }

  // Columns in panels of 8, as matrix units need them.
  // CHECK-LABEL: gpu.func @panels_of_8(
  // CHECK-COUNT-2: rounds = 4, threads = 128, vector = 8,
  gpu.func @panels_of_8(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 8, 8) : (8, 512, 1)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 8, 8) : (8, 512, 1)>>
    gpu.barrier
    tile.copy %s to %b scope(cta)
      : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 8, 8) : (8, 512, 1)>> to !tile.buffer<64x64xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @panels_of_4(
  // CHECK-COUNT-2: rounds = 8, threads = 128, vector = 4,
  gpu.func @panels_of_4(%A: memref<64x64xf16>, %B: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 16, 4) : (4, 256, 1)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared, #tile.layout<(64, 16, 4) : (4, 256, 1)>>
    gpu.barrier
    tile.copy %s to %b scope(cta)
      : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 16, 4) : (4, 256, 1)>> to !tile.buffer<64x64xf16, global>
    gpu.return
  }

  // Arguments are taken to be aligned to 256 bytes, unless they say otherwise.

  // CHECK-LABEL: gpu.func @argument_aligned_to_4(
  // CHECK-COUNT-2: rounds = 16, threads = 128, vector = 2,
  gpu.func @argument_aligned_to_4(%A: memref<64x64xf16> {llvm.align = 4 : i64}, %B: memref<64x64xf16> {llvm.align = 4 : i64}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %b = tile.view %B : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !tile.buffer<64x64xf16, shared>
    tile.copy %a to %s scope(cta) : !tile.buffer<64x64xf16, global> to !tile.buffer<64x64xf16, shared>
    gpu.barrier
    tile.copy %s to %b scope(cta) : !tile.buffer<64x64xf16, shared> to !tile.buffer<64x64xf16, global>
    gpu.return
  }
}

// The remark says what prevents the next wider vector.
// NARROW-DAG: Function=column_4 | {{.*}}Narrowed=offset-not-divisible, NarrowedWhy="{{[^"]*}} source: 8 {{[^"]*}} 8, {{[^"]*}} 4; {{[^"]*}} 0 {{[^"]*}} (0, 0) {{[^"]*}} 4"
// NARROW-DAG: Function=column_assumed | {{.*}}Narrowed=dynamic-begin-not-divisible, NarrowedWhy="{{[^"]*}} source: 8 {{[^"]*}} 0, 1 {{[^"]*}} 0 {{[^"]*}} 4, {{[^"]*}} 8 {{[^"]*}} 4;
// NARROW-DAG: Function=one_transposed | {{.*}}Narrowed=not-contiguous, NarrowedWhy="{{[^"]*}} destination: 2 {{[^"]*}} 64:64 {{[^"]*}} 1 {{[^"]*}} 64;
// NARROW-DAG: Function=panels_of_4 | {{.*}}Narrowed=run-too-short, NarrowedWhy="{{[^"]*}} source{{[^"]*}} 4 {{[^"]*}} 8"
// NARROW-DAG: Function=argument_aligned_to_4 | {{.*}}Narrowed=storage-alignment, NarrowedWhy="{{[^"]*}} source: 4 {{[^"]*}} 8 {{[^"]*}} 4;

// sass_count lists kernels by name. Kernels that are not listed here have no stack and no local memory, either.
// SASS-LABEL: kernel both_transposed
// SASS:       LDG.E.128: 4
// SASS:       STG.E.128: 4
// SASS:       LDS.128: 4
// SASS:       STS.128: 4
// SASS-LABEL: kernel one_transposed
// SASS:       LDG: 32
// SASS-NEXT:  LDG.E.128: 0
