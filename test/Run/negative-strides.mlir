// An array backwards: the negative strides of a memref's type are strides of run time for its tile, whether one views it or an upstream copy
// is converted.
// RUN: tile-run %s --entry viewed --arg i32[3x4]=iota --arg i32[3x4]=poison --print 1 | FileCheck %s
// RUN: tile-run %s --entry upstream --arg i32[3x4]=iota --arg i32[3x4]=poison --print 1 | FileCheck %s
// CHECK: 11 10 9 8
// CHECK-NEXT: 7 6 5 4
// CHECK-NEXT: 3 2 1 0

!backwards = memref<3x4xi32, strided<[-4, -1], offset: 11>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @viewed(%A: memref<3x4xi32>, %B: memref<3x4xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %r = memref.reinterpret_cast %A to offset: [11], sizes: [3, 4], strides: [-4, -1] : memref<3x4xi32> to !backwards
    %a = tile.view %r : !backwards
    %b = tile.view %B : memref<3x4xi32>
    tile.copy %a to %b scope(cta)
      : !tile.buffer<3x4xi32, global, #tile.layout<(3, 4) : (?, ?)>> to !tile.buffer<3x4xi32, global>
    gpu.return
  }

  gpu.func @upstream(%A: memref<3x4xi32>, %B: memref<3x4xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %r = memref.reinterpret_cast %A to offset: [11], sizes: [3, 4], strides: [-4, -1] : memref<3x4xi32> to !backwards
    memref.copy %r, %B : !backwards to memref<3x4xi32>
    gpu.return
  }
}
