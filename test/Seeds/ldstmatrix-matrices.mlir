// How many matrices an instruction of ldstmatrix moves, and whether it transposes them.

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
  // One instruction moves all matrices of the fragment: 1, 2 or 4.

  // CHECK-LABEL: gpu.func @x1(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 1, threads = 32, shape = (1, 8, 4, 1, 1, 2)
  // SM80-LABEL:   gpu.func @x1(
  // SM80:          tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 1, threads = 32, shape = (1, 8, 4, 1, 1, 2)
  // SM80-NEXT:     tile.planned_copy {{.*}}plan<matched "reg"
  // PTX-LABEL:    .entry x1(
  // PTX-NOT:       matrix
  // PTX-COUNT-1:   ldmatrix.sync.aligned.m8n8.x1.shared.b16
  // PTX-NOT:       ldmatrix
  // PTX-COUNT-1:   stmatrix.sync.aligned.m8n8.x1.shared.b16
  // PTX-NOT:       matrix
  // PTX:           ret;
  gpu.func @x1(%A: memref<8x8xf16>, %B: memref<8x8xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<8x8xf16> to !tile.buffer<8x8xf16, global>
    %b = tile.view %B : memref<8x8xf16> to !tile.buffer<8x8xf16, global>
    %s = tile.alloc : !tile.buffer<8x8xf16, shared>
    %t = tile.alloc : !tile.buffer<8x8xf16, shared>
    %r = tile.alloc : !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<8x8xf16, global> to !tile.buffer<8x8xf16, shared>
    gpu.barrier
    tile.copy %s to %r scope(warp)
      : !tile.buffer<8x8xf16, shared>
      to !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
    tile.copy %r to %t scope(warp)
      : !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
      to !tile.buffer<8x8xf16, shared>
    gpu.barrier
    tile.copy %t to %b scope(cta)
      : !tile.buffer<8x8xf16, shared> to !tile.buffer<8x8xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @x2(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 2, threads = 32, shape = (1, 8, 4, 1, 2, 2)
  // SM80-LABEL:   gpu.func @x2(
  // SM80:          tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 2, threads = 32, shape = (1, 8, 4, 1, 2, 2)
  // SM80-NEXT:     tile.planned_copy {{.*}}plan<matched "reg"
  // PTX-LABEL:    .entry x2(
  // PTX-NOT:       matrix
  // PTX-COUNT-1:   ldmatrix.sync.aligned.m8n8.x2.shared.b16
  // PTX-NOT:       ldmatrix
  // PTX-COUNT-1:   stmatrix.sync.aligned.m8n8.x2.shared.b16
  // PTX-NOT:       matrix
  // PTX:           ret;
  gpu.func @x2(%A: memref<16x8xf16>, %B: memref<16x8xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x8xf16> to !tile.buffer<16x8xf16, global>
    %b = tile.view %B : memref<16x8xf16> to !tile.buffer<16x8xf16, global>
    %s = tile.alloc : !tile.buffer<16x8xf16, shared>
    %t = tile.alloc : !tile.buffer<16x8xf16, shared>
    %r = tile.alloc : !tile.buffer<16x8xf16, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<16x8xf16, global> to !tile.buffer<16x8xf16, shared>
    gpu.barrier
    tile.copy %s to %r scope(warp)
      : !tile.buffer<16x8xf16, shared>
      to !tile.buffer<16x8xf16, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %r to %t scope(warp)
      : !tile.buffer<16x8xf16, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
      to !tile.buffer<16x8xf16, shared>
    gpu.barrier
    tile.copy %t to %b scope(cta)
      : !tile.buffer<16x8xf16, shared> to !tile.buffer<16x8xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @x4(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 4, threads = 32, shape = (1, 8, 4, 1, 4, 2)
  // SM80-LABEL:   gpu.func @x4(
  // SM80:          tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 4, threads = 32, shape = (1, 8, 4, 1, 4, 2)
  // SM80-NEXT:     tile.planned_copy {{.*}}plan<matched "reg"
  // PTX-LABEL:    .entry x4(
  // PTX-NOT:       matrix
  // PTX-COUNT-1:   ldmatrix.sync.aligned.m8n8.x4.shared.b16
  // PTX-NOT:       ldmatrix
  // PTX-COUNT-1:   stmatrix.sync.aligned.m8n8.x4.shared.b16
  // PTX-NOT:       matrix
  // PTX:           ret;
  gpu.func @x4(%A: memref<16x16xf16>, %B: memref<16x16xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x16xf16> to !tile.buffer<16x16xf16, global>
    %b = tile.view %B : memref<16x16xf16> to !tile.buffer<16x16xf16, global>
    %s = tile.alloc : !tile.buffer<16x16xf16, shared>
    %t = tile.alloc : !tile.buffer<16x16xf16, shared>
    %r = tile.alloc : !tile.buffer<16x16xf16, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<16x16xf16, global> to !tile.buffer<16x16xf16, shared>
    gpu.barrier
    tile.copy %s to %r scope(warp)
      : !tile.buffer<16x16xf16, shared>
      to !tile.buffer<16x16xf16, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
    tile.copy %r to %t scope(warp)
      : !tile.buffer<16x16xf16, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
      to !tile.buffer<16x16xf16, shared>
    gpu.barrier
    tile.copy %t to %b scope(cta)
      : !tile.buffer<16x16xf16, shared> to !tile.buffer<16x16xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @x4_twice(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 4, threads = 32, shape = (1, 8, 4, 2, 4, 2)
  // SM80-LABEL:   gpu.func @x4_twice(
  // SM80:          tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 4, threads = 32, shape = (1, 8, 4, 2, 4, 2)
  // SM80-NEXT:     tile.planned_copy {{.*}}plan<matched "reg"
  // PTX-LABEL:    .entry x4_twice(
  // PTX-NOT:       matrix
  // PTX-COUNT-2:   ldmatrix.sync.aligned.m8n8.x4.shared.b16
  // PTX-NOT:       ldmatrix
  // PTX-COUNT-2:   stmatrix.sync.aligned.m8n8.x4.shared.b16
  // PTX-NOT:       matrix
  // PTX:           ret;
  gpu.func @x4_twice(%A: memref<32x16xf16>, %B: memref<32x16xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x16xf16> to !tile.buffer<32x16xf16, global>
    %b = tile.view %B : memref<32x16xf16> to !tile.buffer<32x16xf16, global>
    %s = tile.alloc : !tile.buffer<32x16xf16, shared>
    %t = tile.alloc : !tile.buffer<32x16xf16, shared>
    %r = tile.alloc : !tile.buffer<32x16xf16, local, #tile.layout<(4, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<32x16xf16, global> to !tile.buffer<32x16xf16, shared>
    gpu.barrier
    tile.copy %s to %r scope(warp)
      : !tile.buffer<32x16xf16, shared>
      to !tile.buffer<32x16xf16, local, #tile.layout<(4, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
    tile.copy %r to %t scope(warp)
      : !tile.buffer<32x16xf16, local, #tile.layout<(4, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
      to !tile.buffer<32x16xf16, shared>
    gpu.barrier
    tile.copy %t to %b scope(cta)
      : !tile.buffer<32x16xf16, shared> to !tile.buffer<32x16xf16, global>
    gpu.return
  }

  // Three matrices need three instructions of one matrix each.
  // CHECK-LABEL: gpu.func @x1_three_times(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 1, threads = 32, shape = (1, 8, 4, 3, 1, 2)
  // SM80-LABEL:   gpu.func @x1_three_times(
  // SM80:          tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 1, threads = 32, shape = (1, 8, 4, 3, 1, 2)
  // SM80-NEXT:     tile.planned_copy {{.*}}plan<matched "reg"
  // PTX-LABEL:    .entry x1_three_times(
  // PTX-NOT:       matrix
  // PTX-COUNT-3:   ldmatrix.sync.aligned.m8n8.x1.shared.b16
  // PTX-NOT:       ldmatrix
  // PTX-COUNT-3:   stmatrix.sync.aligned.m8n8.x1.shared.b16
  // PTX-NOT:       matrix
  // PTX:           ret;
  gpu.func @x1_three_times(%A: memref<24x8xf16>, %B: memref<24x8xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<24x8xf16> to !tile.buffer<24x8xf16, global>
    %b = tile.view %B : memref<24x8xf16> to !tile.buffer<24x8xf16, global>
    %s = tile.alloc : !tile.buffer<24x8xf16, shared>
    %t = tile.alloc : !tile.buffer<24x8xf16, shared>
    %r = tile.alloc : !tile.buffer<24x8xf16, local, #tile.layout<(3, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<24x8xf16, global> to !tile.buffer<24x8xf16, shared>
    gpu.barrier
    tile.copy %s to %r scope(warp)
      : !tile.buffer<24x8xf16, shared>
      to !tile.buffer<24x8xf16, local, #tile.layout<(3, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %r to %t scope(warp)
      : !tile.buffer<24x8xf16, local, #tile.layout<(3, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
      to !tile.buffer<24x8xf16, shared>
    gpu.barrier
    tile.copy %t to %b scope(cta)
      : !tile.buffer<24x8xf16, shared> to !tile.buffer<24x8xf16, global>
    gpu.return
  }

  // A tile that is column-major in shared memory is transposed by the instruction.

  // CHECK-LABEL: gpu.func @x1_trans(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}transposed, num = 1, threads = 32, shape = (1, 8, 4, 1, 1, 2)
  // SM80-LABEL:   gpu.func @x1_trans(
  // SM80:          tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 1, threads = 32, shape = (1, 8, 4, 1, 1, 2)
  // SM80-NEXT:     tile.planned_copy {{.*}}plan<matched "reg"
  // PTX-LABEL:    .entry x1_trans(
  // PTX-NOT:       matrix
  // PTX-COUNT-1:   ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16
  // PTX-NOT:       ldmatrix
  // PTX-COUNT-1:   stmatrix.sync.aligned.m8n8.x1.trans.shared.b16
  // PTX-NOT:       matrix
  // PTX:           ret;
  gpu.func @x1_trans(%A: memref<8x8xf16>, %B: memref<8x8xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<8x8xf16> to !tile.buffer<8x8xf16, global>
    %b = tile.view %B : memref<8x8xf16> to !tile.buffer<8x8xf16, global>
    %s = tile.alloc : !tile.buffer<8x8xf16, shared, #tile.layout<(8, 8) : (1, 8)>>
    %t = tile.alloc : !tile.buffer<8x8xf16, shared, #tile.layout<(8, 8) : (1, 8)>>
    %r = tile.alloc : !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<8x8xf16, global> to !tile.buffer<8x8xf16, shared, #tile.layout<(8, 8) : (1, 8)>>
    gpu.barrier
    tile.copy %s to %r scope(warp)
      : !tile.buffer<8x8xf16, shared, #tile.layout<(8, 8) : (1, 8)>>
      to !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
    tile.copy %r to %t scope(warp)
      : !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
      to !tile.buffer<8x8xf16, shared, #tile.layout<(8, 8) : (1, 8)>>
    gpu.barrier
    tile.copy %t to %b scope(cta)
      : !tile.buffer<8x8xf16, shared, #tile.layout<(8, 8) : (1, 8)>> to !tile.buffer<8x8xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @x2_trans(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}transposed, num = 2, threads = 32, shape = (1, 8, 4, 1, 2, 2)
  // SM80-LABEL:   gpu.func @x2_trans(
  // SM80:          tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 2, threads = 32, shape = (1, 8, 4, 1, 2, 2)
  // SM80-NEXT:     tile.planned_copy {{.*}}plan<matched "reg"
  // PTX-LABEL:    .entry x2_trans(
  // PTX-NOT:       matrix
  // PTX-COUNT-1:   ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16
  // PTX-NOT:       ldmatrix
  // PTX-COUNT-1:   stmatrix.sync.aligned.m8n8.x2.trans.shared.b16
  // PTX-NOT:       matrix
  // PTX:           ret;
  gpu.func @x2_trans(%A: memref<16x8xf16>, %B: memref<16x8xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x8xf16> to !tile.buffer<16x8xf16, global>
    %b = tile.view %B : memref<16x8xf16> to !tile.buffer<16x8xf16, global>
    %s = tile.alloc : !tile.buffer<16x8xf16, shared, #tile.layout<(16, 8) : (1, 16)>>
    %t = tile.alloc : !tile.buffer<16x8xf16, shared, #tile.layout<(16, 8) : (1, 16)>>
    %r = tile.alloc : !tile.buffer<16x8xf16, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<16x8xf16, global> to !tile.buffer<16x8xf16, shared, #tile.layout<(16, 8) : (1, 16)>>
    gpu.barrier
    tile.copy %s to %r scope(warp)
      : !tile.buffer<16x8xf16, shared, #tile.layout<(16, 8) : (1, 16)>>
      to !tile.buffer<16x8xf16, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
    tile.copy %r to %t scope(warp)
      : !tile.buffer<16x8xf16, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
      to !tile.buffer<16x8xf16, shared, #tile.layout<(16, 8) : (1, 16)>>
    gpu.barrier
    tile.copy %t to %b scope(cta)
      : !tile.buffer<16x8xf16, shared, #tile.layout<(16, 8) : (1, 16)>> to !tile.buffer<16x8xf16, global>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @x4_trans(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}transposed, num = 4, threads = 32, shape = (1, 8, 4, 1, 4, 2)
  // SM80-LABEL:   gpu.func @x4_trans(
  // SM80:          tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 4, threads = 32, shape = (1, 8, 4, 1, 4, 2)
  // SM80-NEXT:     tile.planned_copy {{.*}}plan<matched "reg"
  // PTX-LABEL:    .entry x4_trans(
  // PTX-NOT:       matrix
  // PTX-COUNT-1:   ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
  // PTX-NOT:       ldmatrix
  // PTX-COUNT-1:   stmatrix.sync.aligned.m8n8.x4.trans.shared.b16
  // PTX-NOT:       matrix
  // PTX:           ret;
  gpu.func @x4_trans(%A: memref<16x16xf16>, %B: memref<16x16xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x16xf16> to !tile.buffer<16x16xf16, global>
    %b = tile.view %B : memref<16x16xf16> to !tile.buffer<16x16xf16, global>
    %s = tile.alloc : !tile.buffer<16x16xf16, shared, #tile.layout<(16, 16) : (1, 16)>>
    %t = tile.alloc : !tile.buffer<16x16xf16, shared, #tile.layout<(16, 16) : (1, 16)>>
    %r = tile.alloc : !tile.buffer<16x16xf16, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
    tile.copy %a to %s scope(cta)
      : !tile.buffer<16x16xf16, global> to !tile.buffer<16x16xf16, shared, #tile.layout<(16, 16) : (1, 16)>>
    gpu.barrier
    tile.copy %s to %r scope(warp)
      : !tile.buffer<16x16xf16, shared, #tile.layout<(16, 16) : (1, 16)>>
      to !tile.buffer<16x16xf16, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
    tile.copy %r to %t scope(warp)
      : !tile.buffer<16x16xf16, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
      to !tile.buffer<16x16xf16, shared, #tile.layout<(16, 16) : (1, 16)>>
    gpu.barrier
    tile.copy %t to %b scope(cta)
      : !tile.buffer<16x16xf16, shared, #tile.layout<(16, 16) : (1, 16)>> to !tile.buffer<16x16xf16, global>
    gpu.return
  }
}

// SASS-LABEL:   kernel x1
// SASS:         LDSM: 1
// SASS-NEXT:    STSM: 1
// SASS-LABEL:   kernel x4_twice
// SASS:         LDSM: 2
// SASS-NEXT:    STSM: 2
// SASS80-LABEL: kernel x4_twice
// SASS80:       LDSM: 2
// SASS80-NEXT:  STSM: 0
