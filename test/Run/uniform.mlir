// Run-time operands on which the threads of a scope agree, executed: the result is correct under every schedule.

// RUN: tile-run %s --entry warps --grid 2 --schedule=all --arg f32[64x32]=random --arg f32[64x32]=poison \
// RUN:   --expect-equal 0,1 --expect-unchanged 0 | FileCheck %s --check-prefix=RIGHT
// RUN: tile-run %s --entry carried --schedule=all --arg f32[64x32]=random --arg f32[64x32]=poison --arg i64=16 \
// RUN:   --expect-equal 0,1 --expect-unchanged 0 | FileCheck %s --check-prefix=RIGHT
// RUN: tile-run %s --entry broadcast --schedule=all --arg f32[64x32]=random --arg f32[64x32]=poison \
// RUN:   --expect-equal 0,1 --expect-unchanged 0 | FileCheck %s --check-prefix=RIGHT
// RUN: tile-run %s --entry distances --schedule=all --arg f32[64x32]=random --arg i64=0 | FileCheck %s --check-prefix=DISTANCE

// RIGHT: schedule fair: argument 1 holds what argument 0 holds
// RIGHT: schedule random:0: argument 1 holds what argument 0 holds
// RIGHT: schedule one-block-at-a-time: argument 1 holds what argument 0 holds
// RIGHT: schedule reversed: argument 1 holds what argument 0 holds
// DISTANCE: st.global

!global = !tile.buffer<64x32xf32, global>
!rows = !tile.buffer<4x32xf32, local, #tile.layout<(4, 8, 4) : (8@laneid, 1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Each of 8 warps in each of two blocks copies its own rows.
  gpu.func @warps(%A: memref<64x32xf32>, %B: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<64x32xf32> to !global
    %b = tile.view %B : memref<64x32xf32> to !global
    %r = tile.alloc : !rows
    %thread = gpu.thread_id x
    %block = gpu.block_id x
    %threads = gpu.block_dim x
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %warp = arith.divui %thread, %c32 : index
    %warps = arith.divui %threads, %c32 : index
    %first = arith.muli %block, %warps : index
    %tile = arith.addi %first, %warp : index
    %row = arith.muli %tile, %c4 : index
    tile.copy %a[%row, 0] [4, 32] to %r scope(warp) : !global to !rows
    tile.copy %r to %b[%row, 0] [4, 32] scope(warp) : !rows to !global
    gpu.return
  }

  // A row that a loop carries, next to a sum that differs between threads.
  gpu.func @carried(%A: memref<64x32xf32>, %B: memref<64x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x32xf32> to !global
    %b = tile.view %B : memref<64x32xf32> to !global
    %r = tile.alloc : !rows
    %lane = gpu.lane_id
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %end:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %lane, %row = %c0) -> (index, index) {
      tile.copy %a[%row, 0] [4, 32] to %r scope(warp) : !global to !rows
      tile.copy %r to %b[%row, 0] [4, 32] scope(warp) : !rows to !global
      %more = arith.addi %sum, %i : index
      %next = arith.addi %row, %c4 : index
      scf.yield %more, %next : index, index
    }
    gpu.return
  }

  // All lanes use the value of one lane.
  gpu.func @broadcast(%A: memref<64x32xf32>, %B: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 512, 1, 1>} {
    %a = tile.view %A : memref<64x32xf32> to !global
    %b = tile.view %B : memref<64x32xf32> to !global
    %r = tile.alloc : !rows
    %thread = gpu.thread_id x
    %c3 = arith.constant 3 : i32
    %c32 = arith.constant 32 : i32
    %c4 = arith.constant 4 : index
    %own = arith.index_cast %thread : index to i32
    %of_3, %valid = gpu.shuffle idx %own, %c3, %c32 : i32
    %five = arith.constant 5 : i32
    %warp = arith.shrui %of_3, %five : i32
    %wide = arith.index_cast %warp : i32 to index
    %row = arith.muli %wide, %c4 : index
    tile.copy %a[%row, 0] [4, 32] to %r scope(warp) : !global to !rows
    tile.copy %r to %b[%row, 0] [4, 32] scope(warp) : !rows to !global
    gpu.return
  }

  // Rows of one buffer, eight apart, at a run-time offset.
  gpu.func @distances(%A: memref<64x32xf32>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x32xf32> to !global
    %c8 = arith.constant 8 : index
    %next = arith.addi %i, %c8 : index
    tile.copy %a[%i, 0] [8, 32] to %a[%next, 0] [8, 32] scope(warp) {variant = "fallback"} : !global to !global
    gpu.return
  }
}
