// RUN: tile-opt --tile-align-layouts %s 2>/dev/null | FileCheck %s

// Which threads reach a copy, according to the control flow around it. A copy that whole scopes reach keeps its vectors
// ("gmem_smem"). So does one that only some threads of each scope reach, if they are the same ones in each scope: these
// threads share the copy. Otherwise the first active thread is elected.
// Here all conditions are computed from thread ids and constants, so they are known for each thread. Other conditions are
// in uniformity-unknown.mlir, and those that cannot be decided in uniformity-refused.mlir.

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @thread_ids [#nvvm.target<chip = "sm_90a">] {
  // Warp 3 of 4 is threads 96 to 127 of the block: a part of the block, but a whole warp.
  // CHECK-LABEL: gpu.func @one_warp
  // CHECK: scf.if
  // CHECK-NEXT: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem", threads = 32, {{.*}}ranks = {first = 96, digits = [(32, 1)]}
  // CHECK-NEXT: tile.planned_copy {{.*}} scope(warp) plan<matched "gmem_smem", threads = 32,
  // CHECK: else
  // CHECK-NEXT: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem", threads = 96, {{.*}}ranks = {first = 0, digits = [(96, 1)]}
  // CHECK-NEXT: tile.planned_copy {{.*}} scope(warp) plan<matched "gmem_smem", threads = 32,
  gpu.func @one_warp(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %warp = arith.divui %thread, %c32 : index
    %is_3 = arith.cmpi eq, %warp, %c3 : index
    scf.if %is_3 {
      tile.copy %a to %s scope(cta) : !global to !shared
      tile.copy %a to %s scope(warp) : !global to !shared
    } else {
      tile.copy %a to %s scope(cta) : !global to !shared
      tile.copy %a to %s scope(warp) : !global to !shared
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @half_warps
  // CHECK: scf.if
  // CHECK-NEXT: tile.planned_copy {{.*}} scope(warp) plan<matched "gmem_smem", threads = 16, {{.*}}ranks = {first = 16, digits = [(16, 1)]}
  // CHECK: else
  // CHECK-NEXT: tile.planned_copy {{.*}} scope(warp) plan<matched "gmem_smem", threads = 16, {{.*}}ranks = {first = 0, digits = [(16, 1)]}
  // At thread scope no thread is elected: each thread that reaches the copy performs it.
  // CHECK-NEXT: tile.planned_copy {{.*}} scope(thread) plan<matched "gmem_smem", threads = 1,
  gpu.func @half_warps(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %lane = gpu.lane_id
    %c16 = arith.constant 16 : index
    %upper = arith.cmpi uge, %lane, %c16 : index
    scf.if %upper {
      tile.copy %a to %s scope(warp) : !global to !shared
    } else {
      tile.copy %a to %s scope(warp) : !global to !shared
      tile.copy %a to %s scope(thread) : !global to !shared
    }
    gpu.return
  }

  // Threads 40 to 63 and 0 to 4: the first thread differs between the warps.
  // CHECK-LABEL: gpu.func @another_thread_in_each_warp
  // CHECK: tile.planned_copy {{.*}} scope(warp) plan<scalar "fallback", owner = block_threads([0, 40])
  gpu.func @another_thread_in_each_warp(%A: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %c5 = arith.constant 5 : index
    %c40 = arith.constant 40 : index
    %c64 = arith.constant 64 : index
    %low = arith.cmpi ult, %thread, %c5 : index
    %from_40 = arith.cmpi uge, %thread, %c40 : index
    %below_64 = arith.cmpi ult, %thread, %c64 : index
    %high = arith.andi %from_40, %below_64 : i1
    %either = arith.ori %low, %high : i1
    scf.if %either {
      tile.copy %a to %s scope(warp) : !global to !shared
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @warpgroup
  // CHECK: scf.if
  // CHECK-NEXT: tile.planned_copy {{.*}} scope(warpgroup) plan<matched "gmem_smem", threads = 128,
  // CHECK-NEXT: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem", threads = 128, {{.*}}ranks = {first = 128, digits = [(128, 1)]}
  gpu.func @warpgroup(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    %c7 = arith.constant 7 : i32
    %c1 = arith.constant 1 : i32
    %warpgroup = arith.shrui %thread, %c7 : i32
    %second = arith.cmpi eq, %warpgroup, %c1 : i32
    scf.if %second {
      tile.copy %a to %s scope(warpgroup) : !global to !shared
      tile.copy %a to %s scope(cta) : !global to !shared
    }
    gpu.return
  }

  // Nested conditions: the threads that satisfy all of them.
  // CHECK-LABEL: gpu.func @nested
  // CHECK: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem", threads = 28, {{.*}}ranks = {first = 68, digits = [(28, 1)]}
  // CHECK-NEXT: tile.planned_copy {{.*}} scope(warp) plan<matched "gmem_smem", threads = 28, {{.*}}ranks = {first = 4, digits = [(28, 1)]}
  gpu.func @nested(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %warp = gpu.subgroup_id : index
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : i32
    %is_2 = arith.cmpi eq, %warp, %c2 : index
    %from_4 = arith.cmpi sge, %lane, %c4 : i32
    scf.if %is_2 {
      scf.if %from_4 {
        tile.copy %a to %s scope(cta) : !global to !shared
        tile.copy %a to %s scope(warp) : !global to !shared
      }
    }
    gpu.return
  }

  // Two rows of 16 threads are a warp: y == 1 is its upper half. Four such warps: z counts pairs of them.
  // CHECK-LABEL: gpu.func @two_dimensions
  // CHECK: scf.if
  // CHECK-NEXT: tile.planned_copy {{.*}} scope(warp) plan<matched "gmem_smem", threads = 16, {{.*}}ranks = {first = 16, digits = [(16, 1)]}
  // CHECK: scf.if
  // CHECK-NEXT: tile.planned_copy {{.*}} scope(warp) plan<matched "gmem_smem"
  // CHECK-NEXT: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem", threads = 64, {{.*}}ranks = {first = 64, digits = [(64, 1)]}
  gpu.func @two_dimensions(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 16, 4, 2>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %y = gpu.thread_id y
    %z = gpu.thread_id z
    %c1 = arith.constant 1 : index
    %y_is_1 = arith.cmpi eq, %y, %c1 : index
    %z_is_1 = arith.cmpi eq, %z, %c1 : index
    scf.if %y_is_1 {
      tile.copy %a to %s scope(warp) : !global to !shared
    }
    scf.if %z_is_1 {
      tile.copy %a to %s scope(warp) : !global to !shared
      tile.copy %a to %s scope(cta) : !global to !shared
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @a_row_is_a_warp
  // CHECK: tile.planned_copy {{.*}} scope(warp) plan<matched "gmem_smem"
  gpu.func @a_row_is_a_warp(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 4, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %y = nvvm.read.ptx.sreg.tid.y : i32
    %c1 = arith.constant 1 : i32
    %y_is_1 = arith.cmpi eq, %y, %c1 : i32
    scf.if %y_is_1 {
      tile.copy %a to %s scope(warp) : !global to !shared
    }
    gpu.return
  }

  // Lanes are known even if the block size is not.
  // CHECK-LABEL: gpu.func @unknown_block
  // CHECK: tile.planned_copy {{.*}} scope(warp) plan<matched "gmem_smem", threads = 16, {{.*}}ranks = {first = 16, digits = [(16, 1)]}
  gpu.func @unknown_block(%A: memref<32x32xf32>) kernel {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %lane = gpu.lane_id
    %c16 = arith.constant 16 : index
    %upper = arith.cmpi uge, %lane, %c16 : index
    scf.if %upper {
      tile.copy %a to %s scope(warp) : !global to !shared
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @index_dialect
  // CHECK: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem", threads = 32, {{.*}}ranks = {first = 96, digits = [(32, 1)]}
  gpu.func @index_dialect(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %c32 = index.constant 32
    %c3 = index.constant 3
    %warp = index.divu %thread, %c32
    %is_3 = index.cmp eq(%warp, %c3)
    scf.if %is_3 {
      tile.copy %a to %s scope(cta) : !global to !shared
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @affine_maps
  // CHECK: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem", threads = 62, {{.*}}ranks = {first = 33, digits = [(2, 64), (31, 1)]}
  gpu.func @affine_maps(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %thread = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %row = affine.apply affine_map<(d0) -> ((d0 + 31) floordiv 64 + (d0 mod 64) floordiv 33)>(%thread)
    %second = arith.cmpi sgt, %row, %c1 : index
    scf.if %second {
      tile.copy %a to %s scope(cta) : !global to !shared
    }
    gpu.return
  }

  // An i1 is 0 or 1, even though `true` read as a signed number is -1.
  // CHECK-LABEL: gpu.func @bits
  // CHECK: scf.if
  // CHECK-NEXT: tile.planned_copy {{.*}} scope(cta) plan<matched "gmem_smem"
  // CHECK: scf.if
  // CHECK-NEXT: tile.planned_copy {{.*}} scope(warp) plan<matched "gmem_smem", threads = 16, {{.*}}ranks = {first = 16, digits = [(16, 1)]}
  // CHECK: scf.if
  // CHECK-NEXT: tile.planned_copy {{.*}} scope(warp) plan<matched "gmem_smem", threads = 16, {{.*}}ranks = {first = 16, digits = [(16, 1)]}
  gpu.func @bits(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %lane = gpu.lane_id
    %c16 = arith.constant 16 : index
    %lower = arith.cmpi ult, %lane, %c16 : index
    %true = arith.constant true
    %upper = arith.xori %lower, %true : i1
    %not_upper = arith.cmpi eq, %upper, %true : i1
    scf.if %true {
      tile.copy %a to %s scope(cta) : !global to !shared
    }
    scf.if %upper {
      tile.copy %a to %s scope(warp) : !global to !shared
    }
    scf.if %not_upper {
      tile.copy %a to %s scope(warp) : !global to !shared
    }
    gpu.return
  }
}
