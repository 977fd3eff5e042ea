// Reductions over blocks and warps, and exchanges of lanes, leave the same bits on Vulkan as in the simulator: lanes exchange
// through shared memory, in the order of the shuffles.
// REQUIRES: vulkan
// RUN: split-file %s %t
// RUN: tile-run %t/kernels.mlir --entry sums --grid 2 --arg i64=3 --arg f32[192]=iota --arg f32[192]=poison --arg f16[192]=iota \
// RUN:   --arg f16[192]=poison --arg i32[192]=random --arg i32[192]=poison --write 2=%t/f32.npy --write 4=%t/f16.npy --write 6=%t/i32.npy
// RUN: tile-run %t/kernels.mlir --entry sums --device vulkan --grid 2 --arg i64=3 --arg f32[192]=iota --arg f32[192]=poison --arg f16[192]=iota \
// RUN:   --arg f16[192]=poison --arg i32[192]=random --arg i32[192]=poison --expect 2=%t/f32.npy --expect 4=%t/f16.npy --expect 6=%t/i32.npy \
// RUN:   | FileCheck %s
// RUN: tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=sums -o /dev/null
// RUN: not tile-translate %t/kernels.mlir --tile-to-wgsl --kernel=some 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: tile-opt %t/shuffles.mlir --split-input-file --verify-diagnostics --tile-lower-shuffles | FileCheck %s --check-prefix=LOWERED

// CHECK: argument 2 holds {{.*}}f32.npy holds
// CHECK: argument 4 holds {{.*}}f16.npy holds
// CHECK: argument 6 holds {{.*}}i32.npy holds
// SOME: error: 'gpu.shuffle' op got a condition around a barrier that differs between threads of the cta

//--- kernels.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @sums(%n: index, %A: memref<192xf32>, %B: memref<192xf32>, %C: memref<192xf16>, %D: memref<192xf16>, %E: memref<192xi32>,
      %F: memref<192xi32>) kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c96 = arith.constant 96 : index
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %x = gpu.thread_id x
    %b = gpu.block_id x
    %begin = arith.muli %b, %c96 : index
    %t = arith.addi %begin, %x : index
    %tenth = arith.constant 0.1 : f32
    %a0 = memref.load %A[%t] : memref<192xf32>
    %a = arith.mulf %a0, %tenth : f32
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%y = %a) -> f32 {
      %all = gpu.all_reduce add %y uniform {} : (f32) -> (f32)
      %next = arith.mulf %all, %a : f32
      scf.yield %next : f32
    }
    memref.store %s, %B[%t] : memref<192xf32>
    %small = arith.constant 0.1 : f16
    %d0 = memref.load %C[%t] : memref<192xf16>
    %c = arith.mulf %d0, %small : f16
    %m = gpu.all_reduce add %c uniform {} : (f16) -> (f16)
    memref.store %m, %D[%t] : memref<192xf16>
    %e = memref.load %E[%t] : memref<192xi32>
    %w = gpu.subgroup_reduce maxsi %e uniform : (i32) -> i32
    %o, %valid = gpu.shuffle xor %e, %one, %width : i32
    %f = arith.xori %w, %o : i32
    memref.store %f, %F[%t] : memref<192xi32>
    gpu.return
  }

  gpu.func @some(%A: memref<64xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %t = gpu.thread_id x
    %first = arith.cmpi ult, %t, %c32 : index
    scf.if %first {
      %a = memref.load %A[%t] : memref<64xi32>
      %o, %valid = gpu.shuffle xor %a, %one, %width : i32
      memref.store %o, %A[%t] : memref<64xi32>
    }
    gpu.return
  }
}

//--- shuffles.mlir
gpu.module @kernels {
  // Values of both types have memory of their own; both shuffles of one type share it.
  // LOWERED-LABEL: gpu.func @types
  // LOWERED-SAME: workgroup(%[[A:.*]] : memref<64xi32, #gpu.address_space<workgroup>>, %{{.*}} : memref<64xf32, #gpu.address_space<workgroup>>)
  // LOWERED: gpu.barrier
  // LOWERED-NEXT: memref.store %{{.*}}, %[[A]]
  // LOWERED-NEXT: gpu.barrier
  // LOWERED-NEXT: memref.load %[[A]]
  // LOWERED-NOT: gpu.shuffle
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
  gpu.func @up(%i: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %two = arith.constant 2 : i32
    %width = arith.constant 32 : i32
    // expected-error @+1 {{shuffles lanes up, expected xor: each lane gives and takes one value}}
    %a, %0 = gpu.shuffle up %i, %two, %width : i32
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
