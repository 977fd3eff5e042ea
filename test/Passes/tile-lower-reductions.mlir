// Reductions over warps become shuffles; reductions over blocks become shuffles around one barrier, or two in a loop.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --tile-lower-reductions | FileCheck %s

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL:   gpu.func @warp
  // CHECK-COUNT-5: gpu.shuffle xor
  // CHECK:         gpu.subgroup_reduce add %{{.*}} uniform : (i32)
  // CHECK-NOT:     gpu.barrier
  gpu.func @warp(%x: f32, %n: i32, %A: memref<2xf32>, %B: memref<2xi32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %s = gpu.all_reduce add %x uniform {} : (f32) -> (f32)
    %m = gpu.subgroup_reduce add %n uniform : (i32) -> i32
    memref.store %s, %A[%c0] : memref<2xf32>
    memref.store %m, %B[%c0] : memref<2xi32>
    gpu.return
  }

  // Eight warps: five steps, a barrier, three steps.
  // CHECK-LABEL:   gpu.func @block
  // CHECK-SAME:    workgroup(%{{.*}} : memref<8xf32, #gpu.address_space<workgroup>>)
  // CHECK-COUNT-5: gpu.shuffle xor
  // CHECK:         memref.store
  // CHECK-COUNT-1: gpu.barrier
  // CHECK-COUNT-3: gpu.shuffle xor
  // CHECK-NOT:     gpu.shuffle
  // CHECK:         gpu.return
  gpu.func @block(%x: f32, %A: memref<2xf32>) kernel attributes {known_block_size = array<i32: 128, 2, 1>} {
    %c0 = arith.constant 0 : index
    %s = gpu.all_reduce maxnumf %x uniform {} : (f32) -> (f32)
    memref.store %s, %A[%c0] : memref<2xf32>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @loop
  // CHECK:       scf.for
  // CHECK:         gpu.barrier
  // CHECK:         memref.store
  // CHECK:         gpu.barrier
  gpu.func @loop(%x: f32, %n: index, %A: memref<2xf32>) kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> f32 {
      %z = gpu.all_reduce add %y uniform {} : (f32) -> (f32)
      scf.yield %z : f32
    }
    memref.store %s, %A[%c0] : memref<2xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @some_threads(%x: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{is not uniform, expected `uniform`}}
    %s = gpu.all_reduce add %x {} : (f32) -> (f32)
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @part_of_a_warp(%x: f32) kernel attributes {known_block_size = array<i32: 100, 1, 1>} {
    // expected-error @+1 {{is in blocks of 100 threads, expected a multiple of 32}}
    %s = gpu.all_reduce add %x uniform {} : (f32) -> (f32)
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @any_size(%x: f32) kernel {
    // expected-error @+1 {{is in a kernel without known_block_size, expected it}}
    %s = gpu.all_reduce add %x uniform {} : (f32) -> (f32)
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @own(%x: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @+1 {{has a region, expected one of the operations, as in `add`}}
    %s = gpu.all_reduce %x uniform {
    ^bb(%a: f32, %b: f32):
      %c = arith.mulf %a, %b : f32
      gpu.yield %c : f32
    } : (f32) -> (f32)
    gpu.return
  }
}
