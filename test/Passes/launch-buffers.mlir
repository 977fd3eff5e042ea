// Tiles that a launch passes to a kernel: both sides use a pointer and the numbers that the tile's type leaves to run time.
// RUN: tile-opt %s --tile-convert-buffers | FileCheck %s
// CHECK: gpu.func @copy(%[[A:.*]]: !llvm.ptr<1>, %[[B:.*]]: !llvm.ptr<1>, %[[N:.*]]: index, %[[LD:.*]]: index) kernel
// CHECK-DAG: tile.view %[[B]] extents(%[[N]]) strides(%[[LD]]) : !llvm.ptr<1> to !tile.buffer<?x64xf32
// CHECK-DAG: tile.view %[[A]] : !llvm.ptr<1> to !tile.buffer<64x64xf32, global>
// CHECK: func.func @host
// CHECK: %[[FROM:.*]] = tile.parts {{.*}} : !tile.buffer<64x64xf32, global> to !llvm.ptr<1>
// CHECK: %[[TO:.*]], %[[NUMBERS:.*]]:2 = tile.parts {{.*}} to !llvm.ptr<1>, index, index
// CHECK: gpu.launch_func @kernels::@copy {{.*}} args(%[[FROM]] : !llvm.ptr<1>, %[[TO]] : !llvm.ptr<1>, %[[NUMBERS]]#0 : index, %[[NUMBERS]]#1 : index)

!matrix = !tile.buffer<64x64xf32, global>
!open = !tile.buffer<?x64xf32, global, #tile.layout<(?, 64) : (?, 1)>>
!tile = !tile.buffer<32x64xf32, shared>
module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    gpu.func @copy(%a: !matrix, %b: !open) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %s = tile.alloc : !tile
      tile.copy %a[32, 0] [32, 64] to %s scope(warp) : !matrix to !tile
      gpu.barrier
      tile.copy %s to %b[0, 0] [32, 64] scope(warp) : !tile to !open
      gpu.return
    }
  }
  func.func @host(%A: memref<64x64xf32>, %B: memref<?x64xf32, strided<[?, 1]>>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %a = tile.view %A : memref<64x64xf32> to !matrix
    %b = tile.view %B : memref<?x64xf32, strided<[?, 1]>> to !open
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%a : !matrix, %b : !open)
    return
  }
}
