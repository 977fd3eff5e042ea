// A launch whose constant sizes are not those that the kernel needs is an error.
// RUN: tile-opt %s --tile-to-nvvm --split-input-file --verify-diagnostics

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    // expected-note @below {{the kernel is here}}
    gpu.func @block() kernel attributes {known_block_size = array<i32: 64, 2, 1>} { gpu.return }
  }
  func.func @main(%n: index) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@block blocks in (%c1, %c1, %c1) threads in (%c64, %c2, %c1)
    // What is not constant is checked at run time.
    gpu.launch_func @kernels::@block blocks in (%n, %c1, %c1) threads in (%n, %c2, %c1)
    // expected-error @below {{launches blocks of 128x?x1 threads, but the kernel needs 64x2x1 (known_block_size)}}
    gpu.launch_func @kernels::@block blocks in (%c1, %c1, %c1) threads in (%c128, %n, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    // expected-note @below {{the kernel is here}}
    gpu.func @grid() kernel { gpu.return }
  }
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error @below {{launches a grid of 1x0x1 blocks, expected 1 or more of each}}
    gpu.launch_func @kernels::@grid blocks in (%c1, %c0, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    // expected-note @below {{the kernel is here}}
    gpu.func @cluster() kernel attributes {nvvm.cluster_dim = array<i32: 2, 1, 1>} { gpu.return }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @kernels::@cluster blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1)
    gpu.launch_func @kernels::@cluster clusters in (%c2, %c1, %c1) blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1)
    // expected-error @below {{launches clusters of 4x1x1 blocks, but the kernel needs 2x1x1}}
    gpu.launch_func @kernels::@cluster clusters in (%c4, %c1, %c1) blocks in (%c4, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    // expected-note @below {{the kernel is here}}
    gpu.func @shared() kernel attributes {tile.dynamic_shared = array<i64: 4096, 16>} { gpu.return }
  }
  func.func @main() {
    %c1 = arith.constant 1 : index
    %more = arith.constant 8192 : i32
    %less = arith.constant 1024 : i32
    gpu.launch_func @kernels::@shared blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) dynamic_shared_memory_size %more
    // expected-error @below {{gives 1024 bytes of dynamic shared memory, but the kernel needs 4096 (dynamic_shared_memory_size)}}
    gpu.launch_func @kernels::@shared blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) dynamic_shared_memory_size %less
    return
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // expected-error @below {{has known_block_size = array<i32: 32, 1, 1> and nvvm.reqntid = array<i32: 64, 1, 1>, expected the same}}
  gpu.func @two() kernel attributes {known_block_size = array<i32: 32, 1, 1>, nvvm.reqntid = array<i32: 64, 1, 1>} { gpu.return }
}
