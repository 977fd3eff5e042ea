// Copies that are converted by a pass of its own are ordered by the compilation that follows: threads share them now, and the barrier
// that the kernel has is behind what reads them. In a launch, the marks are on the copies, until it is outlined.
// RUN: tile-run %s --entry f --arg f32[64x4]=iota --arg f32[64x4]=poison --schedule=all
// RUN: tile-opt --convert-copies-to-tile %s -o %t.mlir
// RUN: FileCheck %s --check-prefix=MARKS < %t.mlir
// RUN: tile-run %t.mlir --entry f --arg f32[64x4]=iota --arg f32[64x4]=poison --schedule=all
// RUN: tile-opt --convert-copies-to-tile --gpu-kernel-outlining %s | tile-opt --tile-build=lower=false | FileCheck %s --check-prefix=LAUNCH
// RUN: tile-opt --convert-copies-to-tile=scope=thread %s | FileCheck %s --check-prefix=ALONE
// MARKS: tile.copy {{.*}} {tile.converted}
// MARKS: gpu.func @f{{.*}}tile.converted
// ALONE-NOT: tile.converted
// LAUNCH-LABEL: gpu.func @launched_kernel
// LAUNCH-NOT: tile.converted
// LAUNCH: tile.copy
// LAUNCH: gpu.barrier
// LAUNCH: memref.load
module attributes {gpu.container_module} {
  func.func @launched(%A: memref<64x4xf32>, %B: memref<64x4xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch blocks(%bx, %by, %bz) in (%nx = %c1, %ny = %c1, %nz = %c1)
               threads(%t, %ty, %tz) in (%mx = %c64, %my = %c1, %mz = %c1)
               workgroup(%W: memref<64x4xf32, #gpu.address_space<workgroup>>) {
      %c0 = arith.constant 0 : index
      %c63 = arith.constant 63 : index
      memref.copy %A, %W : memref<64x4xf32> to memref<64x4xf32, #gpu.address_space<workgroup>>
      %r = arith.subi %c63, %t : index
      %x = memref.load %W[%r, %c0] : memref<64x4xf32, #gpu.address_space<workgroup>>
      memref.store %x, %B[%t, %c0] : memref<64x4xf32>
      gpu.barrier
      gpu.terminator
    }
    return
  }
  gpu.module @k [#nvvm.target<chip = "sm_80">] {
    gpu.func @f(%A: memref<64x4xf32>, %B: memref<64x4xf32>) workgroup(%W: memref<64x4xf32, #gpu.address_space<workgroup>>) kernel
        attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c63 = arith.constant 63 : index
      %t = gpu.thread_id x
      %r = arith.subi %c63, %t : index
      %d = memref.subview %B[%t, 0] [1, 4] [1, 1] : memref<64x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
      %s = memref.subview %W[%r, 0] [1, 4] [1, 1] : memref<64x4xf32, #gpu.address_space<workgroup>>
        to memref<1x4xf32, strided<[4, 1], offset: ?>, #gpu.address_space<workgroup>>
      scf.for %k = %c0 to %c2 step %c1 {
        memref.copy %A, %W : memref<64x4xf32> to memref<64x4xf32, #gpu.address_space<workgroup>>
        scf.for %j = %c0 to %c4 step %c1 {
          %x = memref.load %s[%c0, %j] : memref<1x4xf32, strided<[4, 1], offset: ?>, #gpu.address_space<workgroup>>
          memref.store %x, %d[%c0, %j] : memref<1x4xf32, strided<[4, 1], offset: ?>>
        }
        gpu.barrier
      }
      gpu.return
    }
  }
}
