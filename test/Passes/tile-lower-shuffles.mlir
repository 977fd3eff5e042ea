// Lanes exchange values through shared memory, for targets whose subgroups are not known to be warps.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-lower-shuffles | FileCheck %s

gpu.module @kernels {
  // Values of both types have memory of their own; both shuffles of one type share it.
  // CHECK-LABEL: gpu.func @types
  // CHECK-SAME: workgroup(%[[A:.*]] : memref<64xi32, #gpu.address_space<workgroup>>, %{{.*}} : memref<64xf32, #gpu.address_space<workgroup>>)
  // CHECK: gpu.barrier
  // CHECK-NEXT: memref.store %{{.*}}, %[[A]]
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: memref.load %[[A]]
  // CHECK-NOT: gpu.shuffle
  gpu.func @types(%i: i32, %f: f32, %A: memref<64xi32>, %B: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 8, 8, 1>} {
    %c0 = arith.constant 0 : index
    %two = arith.constant 2 : i32
    %width = arith.constant 32 : i32
    %a, %0 = gpu.shuffle xor %i, %two, %width : i32
    %b, %1 = gpu.shuffle xor %a, %two, %width : i32
    %c, %2 = gpu.shuffle xor %f, %two, %width : f32
    memref.store %b, %A[%c0] : memref<64xi32>
    memref.store %c, %B[%c0] : memref<64xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @part(%i: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %two = arith.constant 2 : i32
    %width = arith.constant 16 : i32
    // expected-error @+1 {{is of part of a warp, expected a width of 32}}
    %a, %0 = gpu.shuffle xor %i, %two, %width : i32
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @block(%i: i32) kernel attributes {known_block_size = array<i32: 40, 1, 1>} {
    %two = arith.constant 2 : i32
    %width = arith.constant 32 : i32
    // expected-error @+1 {{is in blocks of 40 threads, expected a multiple of 32}}
    %a, %0 = gpu.shuffle xor %i, %two, %width : i32
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @unknown(%i: i32) kernel {
    %two = arith.constant 2 : i32
    %width = arith.constant 32 : i32
    // expected-error @+1 {{is in a kernel without known_block_size, expected it}}
    %a, %0 = gpu.shuffle xor %i, %two, %width : i32
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @vectors(%i: vector<1xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %two = arith.constant 2 : i32
    %width = arith.constant 32 : i32
    // expected-error @+1 {{has a type that is neither an integer nor a float}}
    %a, %0 = gpu.shuffle xor %i, %two, %width : vector<1xi32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  func.func @function(%i: i32) {
    %two = arith.constant 2 : i32
    %width = arith.constant 32 : i32
    // expected-error @+1 {{is not in a gpu.func, expected one, which has shared memory}}
    %a, %0 = gpu.shuffle xor %i, %two, %width : i32
    return
  }
}
