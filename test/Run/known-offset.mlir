// An offset operand with a known value, next to one with an unknown value: copies element by element, asynchronously, and
// by vectors.
// RUN: tile-run %s --entry elements --arg f32[3x5]=random --arg f32[3x5]=poison --arg u64=2 --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry vectors --arg f32[4x32]=random --arg f32[4x32]=poison --arg u64=3 --expect-equal 0,1 | FileCheck %s
// CHECK: argument 1 holds what argument 0 holds

!odd = !tile.buffer<3x5xf32, global>
!near = !tile.buffer<3x5xf32, shared>
!rows = !tile.buffer<4x32xf32, global>
!row = !tile.buffer<32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @elements(%A: memref<3x5xf32>, %B: memref<3x5xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<3x5xf32> to !odd
    %b = tile.view %B : memref<3x5xf32> to !odd
    %s = tile.alloc : !near
    %one = arith.constant 1 : index
    %zero = arith.subi %one, %one : index
    %two = arith.addi %one, %one : index
    %three = arith.constant 3 : index
    %last = arith.remui %n, %three : index
    tile.copy %a[%zero, 0] [2, 5] to %s[0, %zero] [2, 5] scope(cta) : !odd to !near
    tile.copy_async %a[%last, %zero] [1, 5] to %s[%two, 0] [1, 5] scope(cta) group : !odd to !near
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(cta) : !near to !odd
    gpu.return
  }

  gpu.func @vectors(%A: memref<4x32xf32>, %B: memref<4x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<4x32xf32> to !rows
    %b = tile.view %B : memref<4x32xf32> to !rows
    %s = tile.alloc : !row
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %end = arith.addi %n, %one : index
    scf.for %row = %zero to %end step %one {
      tile.copy %a[%row, %zero] [1, 32] to %s[%zero] [32] scope(warp) : !rows to !row
      gpu.barrier
      tile.copy %s to %b[%row, %zero] [1, 32] scope(warp) : !row to !rows
      gpu.barrier
    }
    gpu.return
  }
}
