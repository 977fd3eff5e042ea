// One warp a row, the last block with fewer rows: a barrier of the warp orders it in a branch that each warp decides for itself, also in
// both arms of a version there, which exclude each other.
// RUN: tile-opt %s --tile-insert-sync -o %t.mlir --remarks-filter-passed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: tile-opt %t.mlir --tile-check-sync -o /dev/null
// RUN: tile-run %s --entry rows --schedule=all --arg f32[3x128]=random --arg f32[3x128]=poison --expect-equal 0,1
// RUN: tile-run %s --entry rows --schedule=all --arg f32[4x128]=random --arg f32[4x128]=poison --expect-equal 0,1
// RUN: tile-run %s --entry versions --schedule=all --arg f32[3x128]=random --arg f32[3x128]=poison --expect-equal 0,1
// RUN: tile-run %s --entry versions --schedule=all --arg f32[3x127]=random --arg f32[3x127]=poison --expect-equal 0,1

!m = !tile.buffer<?x128xf32, global>
!any = !tile.buffer<?x?xf32, global>
!s = !tile.buffer<4x128xf32, shared>
!x = !tile.buffer<1x128xf32, local, #tile.layout<(4, 32) : (1, 1@laneid)>>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // CHECK: [Passed] inserted {{.*}}Function=rows {{.*}}'nvvm.bar.warp.sync'
  // CHECK-NOT: Function=rows
  gpu.func @rows(%X: memref<?x128xf32>, %Y: memref<?x128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %m = memref.dim %X, %c0 : memref<?x128xf32>
    %x = tile.view %X : memref<?x128xf32>
    %y = tile.view %Y : memref<?x128xf32>
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %s = tile.alloc : !s
    %q = tile.alloc : !x
    %there = arith.cmpi ult, %warp, %m : index
    scf.if %there {
      tile.copy %x[%warp, 0] [1, 128] to %s[%warp, 0] [1, 128] scope(warp) : !m to !s
      tile.copy %s[%warp, 0] [1, 128] to %q scope(warp) : !s to !x
      tile.copy %q to %y[%warp, 0] [1, 128] scope(warp) : !x to !m
    }
    gpu.return
  }

  // Without the promise each lane reads what it has written itself.
  // CHECK: [Passed] inserted {{.*}}Function=versions {{.*}}'nvvm.bar.warp.sync'
  // CHECK-NOT: Function=versions
  gpu.func @versions(%X: memref<?x?xf32>, %Y: memref<?x?xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %m = memref.dim %X, %c0 : memref<?x?xf32>
    %n = memref.dim %X, %c1 : memref<?x?xf32>
    %tid = gpu.thread_id x
    %warp = arith.divui %tid, %c32 : index
    %s = tile.alloc : !s
    %q = tile.alloc : !x
    %zero = arith.constant 0.0 : f32
    %there = arith.cmpi ult, %warp, %m : index
    scf.if %there {
      tile.version %n divisible_by 4 : index {
        %x = tile.view %X extents(%m, %n) strides(%n) : memref<?x?xf32> to !any
        %y = tile.view %Y extents(%m, %n) strides(%n) : memref<?x?xf32> to !any
        tile.copy %x[%warp, 0] [1, 128] to %s[%warp, 0] [1, 128] scope(warp) masked fill(%zero : f32) : !any to !s
        tile.copy %s[%warp, 0] [1, 128] to %q scope(warp) : !s to !x
        tile.copy %q to %y[%warp, 0] [1, 128] scope(warp) masked : !x to !any
      }
    }
    gpu.return
  }
}
