// A view of tensor memory is a region of the underlying tile: the same accesses, from a constant column and from a run-time
// column.
// RUN: tile-opt %s --tile-align-layouts | FileCheck %s
// CHECK-LABEL: gpu.func @region(
// CHECK: %[[T:.*]] = tile.tmem
// CHECK: tile.planned_copy %[[T]] to {{.*}} plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 8,{{.*}}layout = (128, 8) : (1@TLane, 1@TCol) + 16@TCol, space
// CHECK: tile.planned_copy %[[T]][%arg1] to {{.*}} plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 8,{{.*}}layout = (128, 8) : (1@TLane, 1@TCol), space{{.*}}terms = [{value = 0, stride = 1{{(, [^}]*)?}}}
// CHECK-LABEL: gpu.func @view(
// CHECK: %[[T:.*]] = tile.tmem
// CHECK: tile.planned_copy %[[T]] to {{.*}} plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 8,{{.*}}layout = (128, 8) : (1@TLane, 1@TCol) + 16@TCol, space
// CHECK: tile.planned_copy %[[T]][%arg1] to {{.*}} plan<tmem_access "tcgen05_ldst", {{.*}}shape = "32x32b", num = 8,{{.*}}layout = (128, 8) : (1@TLane, 1@TCol), space{{.*}}terms = [{value = 0, stride = 1{{(, [^}]*)?}}}

!wide = !tile.buffer<128x32xf32, tmem, #tile.layout<(128, 32) : (1@TLane, 1@TCol)>>
!part = !tile.buffer<128x8xf32, tmem, #tile.layout<(128, 8) : (1@TLane, 1@TCol)>>
!regs = !tile.buffer<128x8xf32, local, #tile.layout<(128, 8) : (1@tid_in_wg, 1)>>
gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @region(%address: i32, %column: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = tile.tmem %address : !wide
    %r = tile.alloc : !regs
    tile.copy_async %t[0, 16] [128, 8] to %r scope(warpgroup) : !wide to !regs
    tile.copy_async %t[0, %column] [128, 8] to %r scope(warpgroup) : !wide to !regs
    gpu.return
  }
  gpu.func @view(%address: i32, %column: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = tile.tmem %address : !wide
    %r = tile.alloc : !regs
    %p = tile.subview %t[0, 16] [128, 8] : !wide to !part
    tile.copy_async %p to %r scope(warpgroup) : !part to !regs
    %q = tile.subview %t[0, %column] [128, 8] : !wide to !part
    tile.copy_async %q to %r scope(warpgroup) : !part to !regs
    gpu.return
  }
}
