// Copies of memory to itself, which bufferization leaves, are erased, whatever their size and elements; others are not.
// RUN: tile-opt --convert-linalg-to-tile %s | FileCheck %s
// RUN: tile-opt --convert-copies-to-tile %s | FileCheck %s
// RUN: tile-opt --tile-build %s -o /dev/null

!part = memref<8x16xf32, strided<[?, 1], offset: ?>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @erased(
  // CHECK-NOT: copy
  // CHECK: gpu.return
  gpu.func @erased(%A: memref<4096x4096xf32>, %B: memref<?x?xf32>, %V: memref<4xvector<4xf32>>, %i: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    memref.copy %A, %A : memref<4096x4096xf32> to memref<4096x4096xf32>
    linalg.copy ins(%A : memref<4096x4096xf32>) outs(%A : memref<4096x4096xf32>)
    memref.copy %V, %V : memref<4xvector<4xf32>> to memref<4xvector<4xf32>>
    %from = memref.subview %B[%i, 16] [8, 16] [1, 1] : memref<?x?xf32> to !part
    %to = memref.subview %B[%i, 16] [8, 16] [1, 1] : memref<?x?xf32> to !part
    memref.copy %from, %to : !part to !part
    %c = memref.cast %from : !part to memref<?x16xf32, strided<[?, 1], offset: ?>>
    %d = memref.cast %to : !part to memref<?x16xf32, strided<[?, 1], offset: ?>>
    memref.copy %c, %d : memref<?x16xf32, strided<[?, 1], offset: ?>> to memref<?x16xf32, strided<[?, 1], offset: ?>>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @kept(
  // CHECK-COUNT-2: tile.copy
  gpu.func @kept(%A: memref<16x16xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %first = memref.subview %A[0, 0] [8, 16] [1, 1] : memref<16x16xf32> to memref<8x16xf32, strided<[16, 1]>>
    %second = memref.subview %A[8, 0] [8, 16] [1, 1] : memref<16x16xf32> to memref<8x16xf32, strided<[16, 1], offset: 128>>
    memref.copy %first, %second : memref<8x16xf32, strided<[16, 1]>> to memref<8x16xf32, strided<[16, 1], offset: 128>>
    linalg.copy ins(%second : memref<8x16xf32, strided<[16, 1], offset: 128>>) outs(%first : memref<8x16xf32, strided<[16, 1]>>)
    gpu.return
  }
}
