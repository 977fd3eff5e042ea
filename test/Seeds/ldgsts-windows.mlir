// How element type, scope, windows and swizzles change what ldgsts does. test/Run/ldgsts-inputs.test runs it.

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

  // The element type determines how many elements are 16 bytes, and thus the number of rounds: 1024 / (32 * vector).

  // CHECK-LABEL: gpu.func @f64(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 16, threads = 32, vector = 2,
  // PTX-LABEL: .entry f64(
  // PTX-COUNT-16: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
  // PTX-NEXT: cp.async.commit_group;
  gpu.func @f64(%A: memref<32x32xf64>, %B: memref<32x32xf64>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf64> to !tile.buffer<32x32xf64, global>
    %b = tile.view %B : memref<32x32xf64> to !tile.buffer<32x32xf64, global>
    %s = tile.alloc : !tile.buffer<32x32xf64, shared>
    tile.copy_async %a to %s scope(warp) group : !tile.buffer<32x32xf64, global> to !tile.buffer<32x32xf64, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<32x32xf64, shared> to !tile.buffer<32x32xf64, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @f32(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 8, threads = 32, vector = 4,
  // PTX-LABEL: .entry f32(
  // PTX-COUNT-8: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
  // PTX-NEXT: cp.async.commit_group;
  gpu.func @f32(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    tile.copy_async %a to %s scope(warp) group : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @f16(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 4, threads = 32, vector = 8,
  // PTX-LABEL: .entry f16(
  // PTX-COUNT-4: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
  // PTX-NEXT: cp.async.commit_group;
  gpu.func @f16(%A: memref<32x32xf16>, %B: memref<32x32xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf16> to !tile.buffer<32x32xf16, global>
    %b = tile.view %B : memref<32x32xf16> to !tile.buffer<32x32xf16, global>
    %s = tile.alloc : !tile.buffer<32x32xf16, shared>
    tile.copy_async %a to %s scope(warp) group : !tile.buffer<32x32xf16, global> to !tile.buffer<32x32xf16, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<32x32xf16, shared> to !tile.buffer<32x32xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @i8(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 2, threads = 32, vector = 16,
  // PTX-LABEL: .entry i8(
  // PTX-COUNT-2: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
  // PTX-NEXT: cp.async.commit_group;
  gpu.func @i8(%A: memref<32x32xi8>, %B: memref<32x32xi8>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xi8> to !tile.buffer<32x32xi8, global>
    %b = tile.view %B : memref<32x32xi8> to !tile.buffer<32x32xi8, global>
    %s = tile.alloc : !tile.buffer<32x32xi8, shared>
    tile.copy_async %a to %s scope(warp) group : !tile.buffer<32x32xi8, global> to !tile.buffer<32x32xi8, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<32x32xi8, shared> to !tile.buffer<32x32xi8, global>
    gpu.return
  }

  // The scope determines which threads share the copy.

  // CHECK-LABEL: gpu.func @scope_thread(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 256, threads = 1, vector = 4,
  gpu.func @scope_thread(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 1, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    tile.copy_async %a to %s scope(thread) group : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(cta) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @scope_warpgroup(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 2, threads = 128, vector = 4,
  gpu.func @scope_warpgroup(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    tile.copy_async %a to %s scope(warpgroup) group : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(warpgroup) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @scope_cta(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 1, threads = 256, vector = 4,
  gpu.func @scope_cta(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    tile.copy_async %a to %s scope(cta) group : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(cta) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    gpu.return
  }

  // Copies whose vectors the number of threads does not divide: some threads copy one vector fewer.

  // CHECK-LABEL: gpu.func @rows_of_3_words(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 1, threads = 32, vector = 8, last_threads = 24,
  // PTX-LABEL: .entry rows_of_3_words(
  // PTX-COUNT-1: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
  gpu.func @rows_of_3_words(%A: memref<32x6xf16>, %B: memref<32x6xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x6xf16> to !tile.buffer<32x6xf16, global>
    %b = tile.view %B : memref<32x6xf16> to !tile.buffer<32x6xf16, global>
    %s = tile.alloc : !tile.buffer<32x6xf16, shared>
    tile.copy_async %a to %s scope(warp) group : !tile.buffer<32x6xf16, global> to !tile.buffer<32x6xf16, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<32x6xf16, shared> to !tile.buffer<32x6xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @odd_rows(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 9, threads = 32, vector = 4, last_threads = 8,
  // PTX-LABEL: .entry odd_rows(
  // PTX-COUNT-9: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
  gpu.func @odd_rows(%A: memref<33x32xf32>, %B: memref<33x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<33x32xf32> to !tile.buffer<33x32xf32, global>
    %b = tile.view %B : memref<33x32xf32> to !tile.buffer<33x32xf32, global>
    %s = tile.alloc : !tile.buffer<33x32xf32, shared>
    tile.copy_async %a to %s scope(warp) group : !tile.buffer<33x32xf32, global> to !tile.buffer<33x32xf32, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<33x32xf32, shared> to !tile.buffer<33x32xf32, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @column_4(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 1, threads = 32, vector = 4,
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 15, threads = 32, vector = 4,
  // PTX-LABEL: .entry column_4(
  // PTX-COUNT-16: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 8;
  gpu.func @column_4(%A: memref<32x64xf16>, %B: memref<32x64xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !tile.buffer<32x64xf16, global>
    %b = tile.view %B : memref<32x64xf16> to !tile.buffer<32x64xf16, global>
    %s = tile.alloc : !tile.buffer<32x64xf16, shared>
    tile.copy_async %a[0, 0] [32, 4] to %s[0, 0] [32, 4] scope(warp) group
      : !tile.buffer<32x64xf16, global> to !tile.buffer<32x64xf16, shared>
    tile.copy_async %a[0, 4] [32, 60] to %s[0, 4] [32, 60] scope(warp) group
      : !tile.buffer<32x64xf16, global> to !tile.buffer<32x64xf16, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<32x64xf16, shared> to !tile.buffer<32x64xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @column_2(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 1, threads = 32, vector = 2,
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 31, threads = 32, vector = 2,
  // PTX-LABEL: .entry column_2(
  // PTX: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 4;
  gpu.func @column_2(%A: memref<32x64xf16>, %B: memref<32x64xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !tile.buffer<32x64xf16, global>
    %b = tile.view %B : memref<32x64xf16> to !tile.buffer<32x64xf16, global>
    %s = tile.alloc : !tile.buffer<32x64xf16, shared>
    tile.copy_async %a[0, 0] [32, 2] to %s[0, 0] [32, 2] scope(warp) group
      : !tile.buffer<32x64xf16, global> to !tile.buffer<32x64xf16, shared>
    tile.copy_async %a[0, 2] [32, 62] to %s[0, 2] [32, 62] scope(warp) group
      : !tile.buffer<32x64xf16, global> to !tile.buffer<32x64xf16, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<32x64xf16, shared> to !tile.buffer<32x64xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @swizzle_3(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 8, threads = 32, vector = 8,
  // PTX-LABEL: .entry swizzle_3(
  // PTX-COUNT-8: cp.async.cg.shared.global [{{.*}}], [{{.*}}], 16;
  gpu.func @swizzle_3(%A: memref<32x64xf16>, %B: memref<32x64xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !tile.buffer<32x64xf16, global>
    %b = tile.view %B : memref<32x64xf16> to !tile.buffer<32x64xf16, global>
    %s = tile.alloc : !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    tile.copy_async %a to %s scope(warp) group
      : !tile.buffer<32x64xf16, global> to !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(warp)
      : !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>> to !tile.buffer<32x64xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @swizzle_2(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 16, threads = 32, vector = 4,
  // PTX-LABEL: .entry swizzle_2(
  // PTX-COUNT-8: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 8;
  gpu.func @swizzle_2(%A: memref<32x64xf16>, %B: memref<32x64xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !tile.buffer<32x64xf16, global>
    %b = tile.view %B : memref<32x64xf16> to !tile.buffer<32x64xf16, global>
    %s = tile.alloc : !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 2, bits = 3, shift = 3>>>
    tile.copy_async %a to %s scope(warp) group
      : !tile.buffer<32x64xf16, global> to !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 2, bits = 3, shift = 3>>>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(warp)
      : !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 2, bits = 3, shift = 3>>> to !tile.buffer<32x64xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @swizzle_1(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 32, threads = 32, vector = 2,
  // PTX-LABEL: .entry swizzle_1(
  // PTX-COUNT-8: cp.async.ca.shared.global [{{.*}}], [{{.*}}], 4;
  gpu.func @swizzle_1(%A: memref<32x64xf16>, %B: memref<32x64xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !tile.buffer<32x64xf16, global>
    %b = tile.view %B : memref<32x64xf16> to !tile.buffer<32x64xf16, global>
    %s = tile.alloc : !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 1, bits = 3, shift = 3>>>
    tile.copy_async %a to %s scope(warp) group
      : !tile.buffer<32x64xf16, global> to !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 1, bits = 3, shift = 3>>>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(warp)
      : !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 1, bits = 3, shift = 3>>> to !tile.buffer<32x64xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @padded(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "ldgsts", rounds = 8, threads = 32, vector = 8,
  gpu.func @padded(%A: memref<32x64xf16>, %B: memref<32x64xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !tile.buffer<32x64xf16, global>
    %b = tile.view %B : memref<32x64xf16> to !tile.buffer<32x64xf16, global>
    %s = tile.alloc : !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (72, 1)>>
    tile.copy_async %a to %s scope(warp) group
      : !tile.buffer<32x64xf16, global> to !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (72, 1)>>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(warp)
      : !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (72, 1)>> to !tile.buffer<32x64xf16, global>
    gpu.return
  }
}

// No loads to registers.
// SASS-LABEL: kernel f16
// SASS: LDG: 0
// SASS: LDGSTS: 4
// SASS-LABEL: kernel f32
// SASS: LDG: 0
// SASS: LDGSTS: 8
// SASS-LABEL: kernel f64
// SASS: LDG: 0
// SASS: LDGSTS: 16
// SASS-LABEL: kernel i8
// SASS: LDG: 0
// SASS: LDGSTS: 2
// SASS-LABEL: kernel padded
// SASS: LDG: 0
// SASS: LDGSTS: 8
// SASS-LABEL: kernel rows_of_3_words
// SASS: LDG: 0
// SASS: LDGSTS: 1
// SASS-LABEL: kernel scope_cta
// SASS: LDG: 0
// SASS: LDGSTS: 1
// SASS-LABEL: kernel scope_warpgroup
// SASS: LDG: 0
// SASS: LDGSTS: 2
