// What a kernel prints is printed, in the order of threads under every schedule.
// RUN: tile-run %s --passes=lower-tile-copy,tile-to-nvvm --arg i32=7 --schedule all | FileCheck %s
// CHECK: blocks of 3x1x1 threads
// CHECK-COUNT-15: stage 7

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @print(%n: i32) kernel attributes {known_block_size = array<i32: 3, 1, 1>} {
    gpu.printf "stage %d\n", %n : i32
    gpu.return
  }
}
