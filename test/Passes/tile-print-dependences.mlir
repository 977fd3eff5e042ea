// RUN: tile-opt %s --tile-print-dependences -o /dev/null 2>&1 | FileCheck %s

!global = !tile.buffer<32x8xf32, global>
!shared = !tile.buffer<32x8xf32, shared>
!rows = !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>

// CHECK:      digraph "hasty" {
// CHECK-NEXT:   node [shape=box];
// CHECK-NEXT:   n0 [label="tile.copy {{.*}}"];
// CHECK:        n0 -> n1 [style=dotted];
// CHECK:        n0 -> n1 [label="RAW\nthreads 1 and 0, byte 16\nmissing: nvvm.bar.warp.sync: both are threads of one warp", color=red];
// CHECK:      digraph "ordered" {
// CHECK:        n0 -> n2 [label="RAW\nthreads 1 and 0, byte 16"];
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @hasty(%A: memref<32x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x8xf32> to !global
    %s = tile.alloc : !shared
    %r = tile.alloc : !rows
    tile.copy %a to %s scope(warp) : !global to !shared
    tile.copy %s to %r scope(warp) : !shared to !rows
    gpu.return
  }

  gpu.func @ordered(%A: memref<32x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x8xf32> to !global
    %s = tile.alloc : !shared
    %r = tile.alloc : !rows
    tile.copy %a to %s scope(warp) : !global to !shared
    gpu.barrier
    tile.copy %s to %r scope(warp) : !shared to !rows
    gpu.return
  }
}
