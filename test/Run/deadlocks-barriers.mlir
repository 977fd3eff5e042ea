// Barriers that not all threads reach: kernels that --tile-check-sync reports hang or fault at run time; their correct twins run.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null
// RUN: tile-run %s --entry some --schedule=all --arg f32[32x32]=random --arg f32[32x32]=zeros --arg i64=3 --expect-unchanged 1
// RUN: not tile-run %s --entry more --arg f32[32x32]=random --arg f32[32x32]=poison --arg i64=3 2>&1 | FileCheck %s --check-prefix=MORE
// MORE: error: {{.*deadlock: every thread waits}}
// RUN: tile-run %s --entry all --schedule=all --arg f32[32x32]=random --arg f32[32x32]=zeros --arg i64=3 --expect-unchanged 1
// RUN: not tile-run %s --entry ragged --arg f32[32x32]=random --arg f32[32x32]=poison --arg i64=3 2>&1 | FileCheck %s --check-prefix=RAGGED
// RAGGED: error: {{.*deadlock: every thread waits}}
// RUN: tile-run %s --entry lanes --schedule=all --arg f32[32x32]=random --arg f32[32x32]=zeros --arg i64=3 --expect-unchanged 1
// RUN: not tile-run %s --entry half --arg f32[32x32]=random --arg f32[32x32]=poison --arg i64=3 2>&1 | FileCheck %s --check-prefix=HALF
// HALF: error: {{.*does not include the executing lane 16}}

gpu.module @barriers [#nvvm.target<chip = "sm_90a">] {
  // The number of threads that reach the barrier is the number that it waits for.
  gpu.func @some(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %lanes = arith.constant 32 : i32
    %t = gpu.thread_id x
    %low = arith.cmpi ult, %t, %c32 : index
    scf.if %low {
      nvvm.barrier id = %one number_of_threads = %lanes
    }
    gpu.return
  }

  gpu.func @more(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %threads = arith.constant 64 : i32
    %t = gpu.thread_id x
    %low = arith.cmpi ult, %t, %c32 : index
    // expected-note @below {{threads diverge at 'scf.if'}}
    scf.if %low {
      // expected-error @below {{waits for 64 threads, but 32 reach it, expected that many, in whole warps}}
      nvvm.barrier id = %one number_of_threads = %threads
    }
    gpu.return
  }

  // All threads have the same trip count.
  gpu.func @all(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %threads = arith.constant 64 : i32
    scf.for %i = %c0 to %n step %c1 {
      nvvm.barrier id = %one number_of_threads = %threads
    }
    gpu.return
  }

  // The trip count of each thread is its thread id.
  gpu.func @ragged(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %threads = arith.constant 64 : i32
    %t = gpu.thread_id x
    // expected-note @below {{threads diverge at 'scf.for'}}
    scf.for %i = %c0 to %t step %c1 {
      // expected-error @below {{waits for 64 threads, but it is not known which threads reach it}}
      nvvm.barrier id = %one number_of_threads = %threads
    }
    gpu.return
  }

  gpu.func @lanes(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %low = arith.cmpi ult, %t, %c32 : index
    scf.if %low {
      %all = arith.constant -1 : i32
      nvvm.bar.warp.sync %all : i32
    }
    gpu.return
  }

  gpu.func @half(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %half = arith.constant 0xffff : i32
    // expected-error @below {{names the lanes 0xffff, but other lanes reach it, expected the same}}
    nvvm.bar.warp.sync %half : i32
    gpu.return
  }
}
