// Shuffles of all modes give the same values, and say alike whether they are another lane's, on Vulkan and in the simulator.
// REQUIRES: vulkan
// RUN: tile-run %s --arg i32[64]=iota --arg i32[4x64]=poison --arg i32[4x64]=poison --write 1=%t.values.npy --write 2=%t.valid.npy
// RUN: tile-run %s --device vulkan --chip vulkan1.2-64 --arg i32[64]=iota --arg i32[4x64]=zeros --arg i32[4x64]=zeros \
// RUN:   --expect 1=%t.values.npy --expect 2=%t.valid.npy | FileCheck %s
// CHECK: argument 1 holds what {{.*}} holds, argument 2 holds what {{.*}} holds

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @shuffles(%A: memref<64xi32>, %B: memref<4x64xi32>, %C: memref<4x64xi32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %width = arith.constant 32 : i32
    %five = arith.constant 5 : i32
    %large = arith.constant 70 : i32
    %t = gpu.thread_id x
    %x = memref.load %A[%t] : memref<64xi32>
    %t32 = arith.index_cast %t : index to i32
    %up, %p0 = gpu.shuffle up %x, %five, %width : i32
    %down, %p1 = gpu.shuffle down %x, %large, %width : i32
    %any, %p2 = gpu.shuffle idx %x, %t32, %width : i32
    %other, %p3 = gpu.shuffle xor %x, %five, %width : i32
    memref.store %up, %B[%c0, %t] : memref<4x64xi32>
    memref.store %down, %B[%c1, %t] : memref<4x64xi32>
    memref.store %any, %B[%c2, %t] : memref<4x64xi32>
    memref.store %other, %B[%c3, %t] : memref<4x64xi32>
    %v0 = arith.extui %p0 : i1 to i32
    %v1 = arith.extui %p1 : i1 to i32
    %v2 = arith.extui %p2 : i1 to i32
    %v3 = arith.extui %p3 : i1 to i32
    memref.store %v0, %C[%c0, %t] : memref<4x64xi32>
    memref.store %v1, %C[%c1, %t] : memref<4x64xi32>
    memref.store %v2, %C[%c2, %t] : memref<4x64xi32>
    memref.store %v3, %C[%c3, %t] : memref<4x64xi32>
    gpu.return
  }
}
