// Copies under conditions that leave out threads of the scope: the active threads share the copy by their ranks.
// RUN: tile-opt %s --tile-align-layouts --tile-vectorize-copy | FileCheck %s
// RUN: tile-opt %s --lower-tile-copy | FileCheck %s --check-prefix=EXPAND
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter-passed=tile-copy --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: tile-run %s --entry upper_lanes --schedule=all --arg f32[7x16]=random --arg f32[7x16]=poison --expect-equal 0,1
// RUN: tile-run %s --entry strided --schedule=all --arg f32[7x16]=random --arg f32[7x16]=poison --expect-equal 0,1
// RUN: tile-run %s --entry box --schedule=all --arg f32[7x16]=random --arg f32[7x16]=poison --expect-equal 0,1
// RUN: tile-run %s --entry different --schedule=all --arg f32[2x7x16]=random --arg f32[2x7x16]=poison --expect-equal 0,1
// RUN: tile-run %s --entry half_a_warp --schedule=all --arg f32[2x7x16]=random --arg f32[2x7x16]=poison --expect-equal 0,1
// RUN: tile-run %s --entry one --schedule=all --arg f32[7x16]=random --arg f32[7x16]=poison --expect-equal 0,1
// RUN: tile-run %s --entry group --schedule=all --arg f32[7x16]=random --arg f32[7x16]=poison --expect-equal 0,1

!rows = !tile.buffer<7x16xf32, global>
!tile = !tile.buffer<7x16xf32, shared>
!pair = !tile.buffer<2x7x16xf32, global>
!tiles = !tile.buffer<2x7x16xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // 28 vectors by 16 lanes: 16 and 12. No other lane reaches the copy, so no condition is needed.
  // CHECK-LABEL: gpu.func @upper_lanes(
  // CHECK: tile.planned_copy {{.*}} scope(warp) plan<vectors "gmem_smem", rounds = 2, threads = 16, vector = 4, last_threads = 12, {{.*}}ranks = {first = 16, digits = [(16, 1)]}
  // EXPAND-LABEL: gpu.func @upper_lanes(
  // EXPAND:       scf.if
  // EXPAND-NOT:     arith.cmpi
  // EXPAND:         vector.load
  // EXPAND:         arith.cmpi ult, %{{.*}}, %c12
  // EXPAND-NEXT:    scf.if
  // REMARK: Function=upper_lanes | {{.*}}LastRound="12 of 16 threads"{{.*}}Sharers=16
  gpu.func @upper_lanes(%A: memref<7x16xf32>, %B: memref<7x16xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<7x16xf32> to !rows
    %b = tile.view %B : memref<7x16xf32> to !rows
    %s = tile.alloc : !tile
    %c16 = arith.constant 16 : index
    %lane = gpu.lane_id
    %upper = arith.cmpi uge, %lane, %c16 : index
    scf.if %upper {
      tile.copy %a to %s scope(warp) : !rows to !tile
    }
    gpu.barrier
    scf.if %upper {
      tile.copy %s to %b scope(warp) : !tile to !rows
    }
    gpu.return
  }

  // Every third thread of 128.
  // CHECK-LABEL: gpu.func @strided(
  // CHECK: tile.planned_copy {{.*}} scope(cta) plan<vectors "gmem_smem", rounds = 1, threads = 43, vector = 4, last_threads = 28, {{.*}}ranks = {first = 0, digits = [(43, 3)]}
  gpu.func @strided(%A: memref<7x16xf32>, %B: memref<7x16xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<7x16xf32> to !rows
    %b = tile.view %B : memref<7x16xf32> to !rows
    %s = tile.alloc : !tile
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %thread = gpu.thread_id x
    %rest = arith.remui %thread, %c3 : index
    %third = arith.cmpi eq, %rest, %c0 : index
    scf.if %third {
      tile.copy %a to %s scope(cta) : !rows to !tile
    }
    gpu.barrier
    scf.if %third {
      tile.copy %s to %b scope(cta) : !tile to !rows
    }
    gpu.return
  }

  // Lanes 8 to 15 of warps 1 and 2.
  // CHECK-LABEL: gpu.func @box(
  // CHECK: tile.planned_copy {{.*}} plan<vectors "gmem_smem", {{.*}}threads = 16, vector = 4, last_threads = 12, {{.*}}ranks = {first = 40, digits = [(2, 32), (8, 1)]}
  gpu.func @box(%A: memref<7x16xf32>, %B: memref<7x16xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<7x16xf32> to !rows
    %b = tile.view %B : memref<7x16xf32> to !rows
    %s = tile.alloc : !tile
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %lane = gpu.lane_id
    %warp = arith.divui %thread, %c32 : index
    %eighth = arith.divui %lane, %c8 : index
    %lanes = arith.cmpi eq, %eighth, %c1 : index
    %from = arith.cmpi uge, %warp, %c1 : index
    %to = arith.cmpi ule, %warp, %c2 : index
    %warps = arith.andi %from, %to : i1
    %inside = arith.andi %warps, %lanes : i1
    scf.if %inside {
      tile.copy %a to %s scope(cta) : !rows to !tile
    }
    gpu.barrier
    scf.if %inside {
      tile.copy %s to %b scope(cta) : !tile to !rows
    }
    gpu.return
  }

  // All lanes of warp 0, lanes 24 to 31 of warp 1: the 8 lanes that both have share the copies; a condition excludes the others.
  // CHECK-LABEL: gpu.func @different(
  // CHECK: tile.planned_copy {{.*}} scope(warp) plan<vectors "gmem_smem", rounds = 4, threads = 8, vector = 4, last_threads = 4, {{.*}}ranks = {first = 24, digits = [(8, 1)]}
  // EXPAND-LABEL: gpu.func @different(
  // EXPAND:       scf.if
  // EXPAND:         arith.cmpi ult, %{{.*}}, %c8
  // EXPAND:         scf.if
  // EXPAND:           vector.load
  gpu.func @different(%A: memref<2x7x16xf32>, %B: memref<2x7x16xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<2x7x16xf32> to !pair
    %b = tile.view %B : memref<2x7x16xf32> to !pair
    %s = tile.alloc : !tiles
    %c32 = arith.constant 32 : index
    %c56 = arith.constant 56 : index
    %thread = gpu.thread_id x
    %warp = arith.divui %thread, %c32 : index
    %first = arith.cmpi ult, %thread, %c32 : index
    %last = arith.cmpi uge, %thread, %c56 : index
    %some = arith.ori %first, %last : i1
    scf.if %some {
      tile.copy %a[%warp, 0, 0] [1, 7, 16] to %s[%warp, 0, 0] [1, 7, 16] scope(warp) : !pair to !tiles
    }
    gpu.barrier
    scf.if %some {
      tile.copy %s[%warp, 0, 0] [1, 7, 16] to %b[%warp, 0, 0] [1, 7, 16] scope(warp) : !tiles to !pair
    }
    gpu.return
  }

  // A block of 48 threads is one and a half warps.
  // CHECK-LABEL: gpu.func @half_a_warp(
  // CHECK: tile.planned_copy {{.*}} scope(warp) plan<vectors "gmem_smem", rounds = 2, threads = 16, vector = 4, last_threads = 12, {{.*}}ranks = {first = 0, digits = [(16, 1)]}
  gpu.func @half_a_warp(%A: memref<2x7x16xf32>, %B: memref<2x7x16xf32>) kernel
      attributes {known_block_size = array<i32: 48, 1, 1>} {
    %a = tile.view %A : memref<2x7x16xf32> to !pair
    %b = tile.view %B : memref<2x7x16xf32> to !pair
    %s = tile.alloc : !tiles
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %warp = arith.divui %thread, %c32 : index
    tile.copy %a[%warp, 0, 0] [1, 7, 16] to %s[%warp, 0, 0] [1, 7, 16] scope(warp) : !pair to !tiles
    gpu.barrier
    tile.copy %s[%warp, 0, 0] [1, 7, 16] to %b[%warp, 0, 0] [1, 7, 16] scope(warp) : !tiles to !pair
    gpu.return
  }

  // One thread, in vectors nevertheless.
  // CHECK-LABEL: gpu.func @one(
  // CHECK: tile.planned_copy {{.*}} scope(cta) plan<vectors "gmem_smem", rounds = 28, threads = 1, vector = 4, {{.*}}ranks = {first = 37}
  gpu.func @one(%A: memref<7x16xf32>, %B: memref<7x16xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<7x16xf32> to !rows
    %b = tile.view %B : memref<7x16xf32> to !rows
    %s = tile.alloc : !tile
    %c37 = arith.constant 37 : index
    %thread = gpu.thread_id x
    %this = arith.cmpi eq, %thread, %c37 : index
    scf.if %this {
      tile.copy %a to %s scope(cta) : !rows to !tile
      tile.copy %s to %b scope(cta) : !tile to !rows
    }
    gpu.return
  }

  // The first warp of four, by cp.async.
  // CHECK-LABEL: gpu.func @group(
  // CHECK: tile.planned_copy {{.*}} scope(cta) plan<vectors "ldgsts", rounds = 1, threads = 32, vector = 4, last_threads = 28, {{.*}}ranks = {first = 0, digits = [(32, 1)]}
  // CHECK-NEXT: nvvm.cp.async.commit.group
  gpu.func @group(%A: memref<7x16xf32>, %B: memref<7x16xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<7x16xf32> to !rows
    %b = tile.view %B : memref<7x16xf32> to !rows
    %s = tile.alloc : !tile
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %warp_0 = arith.cmpi ult, %thread, %c32 : index
    scf.if %warp_0 {
      tile.copy_async %a to %s scope(cta) group : !rows to !tile
      nvvm.cp.async.wait.group 0
    }
    gpu.barrier
    tile.copy %s to %b scope(cta) : !tile to !rows
    gpu.return
  }
}
