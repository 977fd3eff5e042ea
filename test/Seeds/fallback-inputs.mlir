// How inputs change what fallback does: the shape determines the loops; the scope and the conditions around the copy
// determine which thread copies; with a register layout with thread axes, each thread copies the elements that it holds.

// RUN: tile-opt %s --tile-align-layouts 2>/dev/null | FileCheck %s
// RUN: tile-opt %s --lower-tile-copy 2>/dev/null | FileCheck %s --check-prefix=EXPAND
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_80   2>/dev/null \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_90a  2>/dev/null \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_100a 2>/dev/null \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}
// SASS: kernel

!odd_global = !tile.buffer<4x6xf32, global>
!odd_shared = !tile.buffer<4x6xf32, shared>
!cube = !tile.buffer<3x1x5x7xi8, global>
!cube_shared = !tile.buffer<3x5x1x7xi8, shared>
!tile_global = !tile.buffer<16x8xf32, global>
!tile_shared = !tile.buffer<16x8xf32, shared>
!lanes = !tile.buffer<16x8xf32, local, #tile.layout<(16, 8) : (2@laneid, 1)>>

gpu.module @kernels {
  // There is a loop for each extent other than 1, whatever the element type.
  // EXPAND-LABEL: gpu.func @shape(
  // EXPAND:       scf.if
  // EXPAND-NEXT:    scf.for %{{.*}} = %c0 to %c3 step
  // EXPAND-NEXT:      scf.for %{{.*}} = %c0 to %c5 step
  // EXPAND-NEXT:        scf.for %{{.*}} = %c0 to %c7 step
  // EXPAND-NOT:           scf.for
  // EXPAND:               memref.load %{{.*}} : memref<105xi8>
  gpu.func @shape(%A: memref<3x1x5x7xi8>, %B: memref<3x1x5x7xi8>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<3x1x5x7xi8> to !cube
    %b = tile.view %B : memref<3x1x5x7xi8> to !cube
    %s = tile.alloc : !cube_shared
    tile.copy %a to %s scope(warp) {variant = "fallback"} : !cube to !cube_shared
    gpu.barrier
    tile.copy %s to %b scope(warp) {variant = "fallback"} : !cube_shared to !cube
    gpu.return
  }

  // At thread scope, no shape needs the fallback: every count is divisible by 1. Here the fallback is requested.
  // CHECK-LABEL:  gpu.func @scope_thread(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} scope(thread) plan<scalar "fallback", owner = everyone{{.*}}:
  // EXPAND-LABEL: gpu.func @scope_thread(
  // EXPAND-NOT:   scf.if
  // EXPAND:       gpu.return
  gpu.func @scope_thread(%A: memref<4x6xf32>, %B: memref<4x6xf32>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 32, 1, 1>} {  // several scopes write the same values
    %a = tile.view %A : memref<4x6xf32> to !odd_global
    %b = tile.view %B : memref<4x6xf32> to !odd_global
    %s = tile.alloc : !odd_shared
    tile.copy %a to %s scope(thread) {variant = "fallback"} : !odd_global to !odd_shared
    tile.copy %s to %b scope(thread) {variant = "fallback"} : !odd_shared to !odd_global
    gpu.return
  }

  // CHECK-LABEL:   gpu.func @scope_warp(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} scope(warp) plan<scalar "fallback", owner = scope_thread(0)
  // EXPAND-LABEL:  gpu.func @scope_warp(
  // EXPAND:        %[[LANE:.*]] = gpu.lane_id
  // EXPAND:        arith.cmpi eq, %[[LANE]], %c0
  gpu.func @scope_warp(%A: memref<4x6xf32>, %B: memref<4x6xf32>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 256, 1, 1>} {  // several scopes write the same values
    %a = tile.view %A : memref<4x6xf32> to !odd_global
    %b = tile.view %B : memref<4x6xf32> to !odd_global
    %s = tile.alloc : !odd_shared
    tile.copy %a to %s scope(warp) {variant = "fallback"} : !odd_global to !odd_shared
    gpu.barrier
    tile.copy %s to %b scope(warp) {variant = "fallback"} : !odd_shared to !odd_global
    gpu.return
  }

  // CHECK-LABEL:   gpu.func @scope_warpgroup(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} scope(warpgroup) plan<scalar "fallback", owner = scope_thread(0)
  gpu.func @scope_warpgroup(%A: memref<4x6xf32>, %B: memref<4x6xf32>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 256, 1, 1>} {  // several scopes write the same values
    %a = tile.view %A : memref<4x6xf32> to !odd_global
    %b = tile.view %B : memref<4x6xf32> to !odd_global
    %s = tile.alloc : !odd_shared
    tile.copy %a to %s scope(warpgroup) {variant = "fallback"} : !odd_global to !odd_shared
    gpu.barrier
    tile.copy %s to %b scope(warpgroup) {variant = "fallback"} : !odd_shared to !odd_global
    gpu.return
  }

  // CHECK-LABEL:   gpu.func @scope_cta(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} scope(cta) plan<scalar "fallback", owner = scope_thread(0)
  gpu.func @scope_cta(%A: memref<4x6xf32>, %B: memref<4x6xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<4x6xf32> to !odd_global
    %b = tile.view %B : memref<4x6xf32> to !odd_global
    %s = tile.alloc : !odd_shared
    tile.copy %a to %s scope(cta) {variant = "fallback"} : !odd_global to !odd_shared
    gpu.barrier
    tile.copy %s to %b scope(cta) {variant = "fallback"} : !odd_shared to !odd_global
    gpu.return
  }

  // The first thread that reaches the copy, which some threads do not reach because of a condition.
  // CHECK-LABEL: gpu.func @first_active(
  gpu.func @first_active(%A: memref<16x8xf32>, %B: memref<16x8xf32>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 128, 1, 1>} {  // several scopes write the same values
    %a = tile.view %A : memref<16x8xf32> to !tile_global
    %b = tile.view %B : memref<16x8xf32> to !tile_global
    %s = tile.alloc : !tile_shared
    %c16 = arith.constant 16 : index
    %c96 = arith.constant 96 : index
    %thread = gpu.thread_id x
    %lane = gpu.lane_id
    %last_warp = arith.cmpi uge, %thread, %c96 : index
    %upper_lanes = arith.cmpi uge, %lane, %c16 : index
    scf.if %last_warp {
      // Only warp 3 of the block is active.
      // CHECK: tile.planned_copy {{.*}} scope(cta) plan<scalar "fallback", owner = scope_thread(96)
      tile.copy %a to %s scope(cta) {variant = "fallback"} : !tile_global to !tile_shared
      // All lanes of this warp are active.
      // CHECK: tile.planned_copy {{.*}} scope(warp) plan<matched "gmem_smem"
      tile.copy %s to %b scope(warp) : !tile_shared to !tile_global
    }
    scf.if %upper_lanes {
      // CHECK: tile.planned_copy {{.*}} scope(warp) plan<scalar "fallback", owner = scope_thread(16)
      tile.copy %s to %b scope(warp) {variant = "fallback"} : !tile_shared to !tile_global
    }
    %c40 = arith.constant 40 : index
    %not_all = arith.cmpi uge, %thread, %c40 : index
    scf.if %not_all {
      // None of warp 0, a part of warp 1, all of warps 2 and 3: the first active thread differs between warps.
      // CHECK: tile.planned_copy {{.*}} scope(warp) plan<scalar "fallback", owner = block_threads([40, 64, 96])
      tile.copy %s to %b scope(warp) {variant = "fallback"} : !tile_shared to !tile_global
    }
    gpu.return
  }

  // A thread cannot access registers of others, so each thread copies its own. Here every other lane holds a row.
  // CHECK-LABEL:   gpu.func @distributed(
  // CHECK-COUNT-2: tile.planned_copy {{.*}} scope(warp) plan<scalar "fallback", owner = distributed{
  // EXPAND-LABEL:  gpu.func @distributed(
  // EXPAND:        %[[LANE:.*]] = gpu.thread_id x
  // EXPAND:        %[[ROW:.*]] = arith.divui %[[LANE]], %c2
  // EXPAND:        %[[ODD:.*]] = arith.remui %[[LANE]], %c2
  // EXPAND:        %[[EVEN:.*]] = arith.cmpi eq, %[[ODD]], %c0
  // EXPAND:        scf.if
  // EXPAND-COUNT-8:  memref.store %{{.*}} : memref<8xf32>
  gpu.func @distributed(%A: memref<16x8xf32>, %B: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x8xf32> to !tile_global
    %b = tile.view %B : memref<16x8xf32> to !tile_global
    %r = tile.alloc : !lanes
    tile.copy %a to %r scope(warp) : !tile_global to !lanes
    tile.copy %r to %b scope(warp) : !lanes to !tile_global
    gpu.return
  }

  // Any pair of memories that loads and stores can access.
  // CHECK-LABEL: gpu.func @pairs(
  gpu.func @pairs(%A: memref<16x8xf32>, %B: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x8xf32> to !tile_global
    %b = tile.view %B : memref<16x8xf32> to !tile_global
    %s = tile.alloc : !tile_shared
    %t = tile.alloc : !tile_shared
    // CHECK-COUNT-4: tile.planned_copy {{.*}}plan<scalar 
    tile.copy %a to %b scope(warp) {variant = "fallback"} : !tile_global to !tile_global
    tile.copy %a to %s scope(warp) {variant = "fallback"} : !tile_global to !tile_shared
    tile.copy %s to %t scope(warp) {variant = "fallback"} : !tile_shared to !tile_shared
    tile.copy %t to %b scope(warp) {variant = "fallback"} : !tile_shared to !tile_global
    gpu.return
  }
}
