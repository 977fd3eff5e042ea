// Element types, scopes and swizzles, by ldstmatrix.

// RUN: tile-opt %s --tile-align-layouts | FileCheck %s
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_90a \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_100a \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}

// Chips before sm_90 have no stmatrix: loads are the same, stores are left to reg.
// RUN: tile-opt %s --tile-align-layouts=chip=sm_80 | FileCheck %s --check-prefix=SM80
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_80 \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS80 --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL|STSM): [1-9]}}' %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_75 \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS80 --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL|STSM): [1-9]}}' %}

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Any 16-bit type.

  // CHECK-LABEL: gpu.func @bf16(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 4, threads = 32, shape = (1, 8, 4, 1, 4, 2)
  // SM80-LABEL:   gpu.func @bf16(
  // SM80:          tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 4, threads = 32, shape = (1, 8, 4, 1, 4, 2)
  // SM80-NEXT:     tile.planned_copy {{.*}}plan<matched "reg"
  // PTX-LABEL:    .entry bf16(
  // PTX-NOT:       matrix
  // PTX-COUNT-1:   ldmatrix.sync.aligned.m8n8.x4.shared.b16
  // PTX-NOT:       ldmatrix
  // PTX-COUNT-1:   stmatrix.sync.aligned.m8n8.x4.shared.b16
  // PTX-NOT:       matrix
  // PTX:           ret;
  gpu.func @bf16(%A: memref<16x16xbf16>, %B: memref<16x16xbf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x16xbf16> to !tile.buffer<16x16xbf16, global>
    %b = tile.view %B : memref<16x16xbf16> to !tile.buffer<16x16xbf16, global>
    %s = tile.alloc : !tile.buffer<16x16xbf16, shared>
    %t = tile.alloc : !tile.buffer<16x16xbf16, shared>
    %r = tile.alloc : !tile.buffer<16x16xbf16, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<16x16xbf16, global> to !tile.buffer<16x16xbf16, shared>
    gpu.barrier
    tile.copy %s to %r scope(warp)
      : !tile.buffer<16x16xbf16, shared>
      to !tile.buffer<16x16xbf16, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
    tile.copy %r to %t scope(warp)
      : !tile.buffer<16x16xbf16, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
      to !tile.buffer<16x16xbf16, shared>
    gpu.barrier
    tile.copy %t to %b scope(cta)
      : !tile.buffer<16x16xbf16, shared> to !tile.buffer<16x16xbf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @i16(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 4, threads = 32, shape = (1, 8, 4, 1, 4, 2)
  // SM80-LABEL:   gpu.func @i16(
  // SM80:          tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 4, threads = 32, shape = (1, 8, 4, 1, 4, 2)
  // SM80-NEXT:     tile.planned_copy {{.*}}plan<matched "reg"
  // PTX-LABEL:    .entry i16(
  // PTX-NOT:       matrix
  // PTX-COUNT-1:   ldmatrix.sync.aligned.m8n8.x4.shared.b16
  // PTX-NOT:       ldmatrix
  // PTX-COUNT-1:   stmatrix.sync.aligned.m8n8.x4.shared.b16
  // PTX-NOT:       matrix
  // PTX:           ret;
  gpu.func @i16(%A: memref<16x16xi16>, %B: memref<16x16xi16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x16xi16> to !tile.buffer<16x16xi16, global>
    %b = tile.view %B : memref<16x16xi16> to !tile.buffer<16x16xi16, global>
    %s = tile.alloc : !tile.buffer<16x16xi16, shared>
    %t = tile.alloc : !tile.buffer<16x16xi16, shared>
    %r = tile.alloc : !tile.buffer<16x16xi16, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<16x16xi16, global> to !tile.buffer<16x16xi16, shared>
    gpu.barrier
    tile.copy %s to %r scope(warp)
      : !tile.buffer<16x16xi16, shared>
      to !tile.buffer<16x16xi16, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
    tile.copy %r to %t scope(warp)
      : !tile.buffer<16x16xi16, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
      to !tile.buffer<16x16xi16, shared>
    gpu.barrier
    tile.copy %t to %b scope(cta)
      : !tile.buffer<16x16xi16, shared> to !tile.buffer<16x16xi16, global>
    gpu.return
  }

  // Wider scopes: each warp has its own matrices.

  // CHECK-LABEL: gpu.func @scope_warpgroup(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 4, threads = 128, shape = (4, 8, 4, 1, 4, 2)
  // SM80-LABEL:   gpu.func @scope_warpgroup(
  // SM80:          tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 4, threads = 128, shape = (4, 8, 4, 1, 4, 2)
  // SM80-NEXT:     tile.planned_copy {{.*}}plan<matched "reg"
  // PTX-LABEL:    .entry scope_warpgroup(
  // PTX-NOT:       matrix
  // PTX-COUNT-1:   ldmatrix.sync.aligned.m8n8.x4.shared.b16
  // PTX-NOT:       ldmatrix
  // PTX-COUNT-1:   stmatrix.sync.aligned.m8n8.x4.shared.b16
  // PTX-NOT:       matrix
  // PTX:           ret;
  gpu.func @scope_warpgroup(%A: memref<64x16xf16>, %B: memref<64x16xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x16xf16> to !tile.buffer<64x16xf16, global>
    %b = tile.view %B : memref<64x16xf16> to !tile.buffer<64x16xf16, global>
    %s = tile.alloc : !tile.buffer<64x16xf16, shared>
    %t = tile.alloc : !tile.buffer<64x16xf16, shared>
    %r = tile.alloc : !tile.buffer<64x16xf16, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 4, 4@laneid, 2, 1@laneid, 1)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<64x16xf16, global> to !tile.buffer<64x16xf16, shared>
    gpu.barrier
    tile.copy %s to %r scope(warpgroup)
      : !tile.buffer<64x16xf16, shared>
      to !tile.buffer<64x16xf16, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 4, 4@laneid, 2, 1@laneid, 1)>>
    tile.copy %r to %t scope(warpgroup)
      : !tile.buffer<64x16xf16, local, #tile.layout<(4, 2, 8, 2, 4, 2) : (1@wid_in_wg, 4, 4@laneid, 2, 1@laneid, 1)>>
      to !tile.buffer<64x16xf16, shared>
    gpu.barrier
    tile.copy %t to %b scope(cta)
      : !tile.buffer<64x16xf16, shared> to !tile.buffer<64x16xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @scope_cta(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 4, threads = 64, shape = (2, 8, 4, 1, 4, 2)
  // SM80-LABEL:   gpu.func @scope_cta(
  // SM80:          tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 4, threads = 64, shape = (2, 8, 4, 1, 4, 2)
  // SM80-NEXT:     tile.planned_copy {{.*}}plan<matched "reg"
  // PTX-LABEL:    .entry scope_cta(
  // PTX-NOT:       matrix
  // PTX-COUNT-1:   ldmatrix.sync.aligned.m8n8.x4.shared.b16
  // PTX-NOT:       ldmatrix
  // PTX-COUNT-1:   stmatrix.sync.aligned.m8n8.x4.shared.b16
  // PTX-NOT:       matrix
  // PTX:           ret;
  gpu.func @scope_cta(%A: memref<32x16xf16>, %B: memref<32x16xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x16xf16> to !tile.buffer<32x16xf16, global>
    %b = tile.view %B : memref<32x16xf16> to !tile.buffer<32x16xf16, global>
    %s = tile.alloc : !tile.buffer<32x16xf16, shared>
    %t = tile.alloc : !tile.buffer<32x16xf16, shared>
    %r = tile.alloc : !tile.buffer<32x16xf16, local, #tile.layout<(2, 2, 8, 2, 4, 2) : (1@warpid, 4, 4@laneid, 2, 1@laneid, 1)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<32x16xf16, global> to !tile.buffer<32x16xf16, shared>
    gpu.barrier
    tile.copy %s to %r scope(cta)
      : !tile.buffer<32x16xf16, shared>
      to !tile.buffer<32x16xf16, local, #tile.layout<(2, 2, 8, 2, 4, 2) : (1@warpid, 4, 4@laneid, 2, 1@laneid, 1)>>
    tile.copy %r to %t scope(cta)
      : !tile.buffer<32x16xf16, local, #tile.layout<(2, 2, 8, 2, 4, 2) : (1@warpid, 4, 4@laneid, 2, 1@laneid, 1)>>
      to !tile.buffer<32x16xf16, shared>
    gpu.barrier
    tile.copy %t to %b scope(cta)
      : !tile.buffer<32x16xf16, shared> to !tile.buffer<32x16xf16, global>
    gpu.return
  }

  // A swizzle must keep the 8 elements of a matrix row together.

  // CHECK-LABEL: gpu.func @swizzled(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 4, threads = 32, shape = (1, 8, 4, 4, 4, 2)
  // SM80-LABEL:   gpu.func @swizzled(
  // SM80:          tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 4, threads = 32, shape = (1, 8, 4, 4, 4, 2)
  // SM80-NEXT:     tile.planned_copy {{.*}}plan<matched "reg"
  // PTX-LABEL:    .entry swizzled(
  // PTX-NOT:       matrix
  // PTX-COUNT-4:   ldmatrix.sync.aligned.m8n8.x4.shared.b16
  // PTX-NOT:       ldmatrix
  // PTX-COUNT-4:   stmatrix.sync.aligned.m8n8.x4.shared.b16
  // PTX-NOT:       matrix
  // PTX:           ret;
  gpu.func @swizzled(%A: memref<16x64xf16>, %B: memref<16x64xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x64xf16> to !tile.buffer<16x64xf16, global>
    %b = tile.view %B : memref<16x64xf16> to !tile.buffer<16x64xf16, global>
    %s = tile.alloc : !tile.buffer<16x64xf16, shared, #tile.layout<(16, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %t = tile.alloc : !tile.buffer<16x64xf16, shared, #tile.layout<(16, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    %r = tile.alloc : !tile.buffer<16x64xf16, local, #tile.layout<(2, 8, 8, 4, 2) : (2, 4@laneid, 4, 1@laneid, 1)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<16x64xf16, global> to !tile.buffer<16x64xf16, shared, #tile.layout<(16, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    gpu.barrier
    tile.copy %s to %r scope(warp)
      : !tile.buffer<16x64xf16, shared, #tile.layout<(16, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
      to !tile.buffer<16x64xf16, local, #tile.layout<(2, 8, 8, 4, 2) : (2, 4@laneid, 4, 1@laneid, 1)>>
    tile.copy %r to %t scope(warp)
      : !tile.buffer<16x64xf16, local, #tile.layout<(2, 8, 8, 4, 2) : (2, 4@laneid, 4, 1@laneid, 1)>>
      to !tile.buffer<16x64xf16, shared, #tile.layout<(16, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
    gpu.barrier
    tile.copy %t to %b scope(cta)
      : !tile.buffer<16x64xf16, shared, #tile.layout<(16, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>> to !tile.buffer<16x64xf16, global>
    gpu.return
  }
}

// SASS-LABEL: kernel bf16
// SASS80-LABEL: kernel bf16
