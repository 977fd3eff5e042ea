// Quotes and backslashes in the names of source files are escaped in PTX; a fault names the file as it is.
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --arg f32[64]=poison 2>&1 | FileCheck %s
// CHECK: error: schedule fair: kernel `outside`, line {{[0-9]+}} ({{.*}}), a"b\c.py:3:4, {{.*}}out of bounds

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @outside(%A: memref<64xf32>) kernel attributes {known_block_size = array<i32: 65, 1, 1>} {
    %z = arith.constant 1.0 : f32
    %i = gpu.thread_id x loc("a\"b\\c.py":2:4)
    memref.store %z, %A[%i] : memref<64xf32> loc("a\"b\\c.py":3:4)
    gpu.return
  } loc("a\"b\\c.py":1:1)
}
