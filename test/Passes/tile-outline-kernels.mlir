// A launch that states its order becomes a kernel that states it; others, and kernels that were outlined before, do not.
// RUN: tile-opt %s --tile-outline-kernels | FileCheck %s
// RUN: tile-opt %s --tile-to-host=chip=sm_90a -o %t

// CHECK-LABEL: gpu.func @ordered_kernel
// CHECK-SAME:  tile.order = "by_hand"
// CHECK-LABEL: gpu.module @other_kernel {
// CHECK-NOT:   tile.order
// CHECK-LABEL: gpu.module @other_kernel_0
// CHECK:       gpu.func @other_kernel
// CHECK-SAME:  tile.order = "by_hand"
// CHECK-LABEL: gpu.func @outlined
// CHECK-NOT:   tile.order

module attributes {gpu.container_module} {
  func.func @ordered(%A: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@outlined blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1)
    // Nothing orders the two copies.
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
      %a = tile.view %A : memref<64xf32>
      %s = tile.alloc : !tile.buffer<64xf32, shared>
      gpu.barrier
      tile.copy %a to %s scope(cta) : !tile.buffer<64xf32, global> to !tile.buffer<64xf32, shared>
      tile.copy %s[0] [32] to %a[32] [32] scope(cta) : !tile.buffer<64xf32, shared> to !tile.buffer<64xf32, global>
      gpu.terminator
    } {tile.order = "by_hand"}
    return
  }

  func.func @other() {
    %c1 = arith.constant 1 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      gpu.barrier
      gpu.terminator
    }
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      gpu.barrier
      gpu.terminator
    } {tile.order = "by_hand"}
    return
  }

  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    gpu.func @outlined() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      gpu.return
    }
  }
}
