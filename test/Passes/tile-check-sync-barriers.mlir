// Barriers that the hardware does not have: their numbers and counts of threads.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @count() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %id = arith.constant 1 : i32
    %n = arith.constant 33 : i32
    // expected-error @below {{waits for 33 threads, expected a multiple of the 32 of a warp}}
    nvvm.barrier id = %id number_of_threads = %n
    gpu.return
  }

  gpu.func @none() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %id = arith.constant 1 : i32
    %n = arith.constant 0 : i32
    // expected-error @below {{waits for 0 threads, expected a multiple of the 32 of a warp}}
    nvvm.barrier id = %id number_of_threads = %n
    gpu.return
  }

  gpu.func @beyond() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %id = arith.constant 1 : i32
    %n = arith.constant 96 : i32
    // expected-error @below {{waits for 96 threads, expected at most the 64 of a block}}
    nvvm.barrier id = %id number_of_threads = %n
    gpu.return
  }

  gpu.func @number() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %id = arith.constant 16 : i32
    %negative = arith.constant -1 : i32
    %n = arith.constant 64 : i32
    // expected-error @below {{has barrier number 16, expected one from 0 to 15}}
    nvvm.barrier id = %id number_of_threads = %n
    // expected-error @below {{has barrier number -1, expected one from 0 to 15}}
    nvvm.barrier id = %negative number_of_threads = %n
    gpu.return
  }

  // Warp 1 may wait at the barrier of all threads while warp 0 waits at the one of 32 threads, which has the same number.
  gpu.func @shared() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %id = arith.constant 0 : i32
    %n = arith.constant 32 : i32
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %low = arith.cmpi ult, %t, %c32 : index
    scf.if %low {
      // expected-note @below {{32 threads use barrier 0 here}}
      nvvm.barrier id = %id number_of_threads = %n
    }
    // expected-error @below {{uses barrier 0, which other threads use too, expected a separate number}}
    gpu.barrier
    gpu.return
  }

  gpu.func @cluster() kernel attributes {known_block_size = array<i32: 64, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %low = arith.cmpi ult, %t, %c32 : index
    // expected-note @below {{threads diverge at 'scf.if'}}
    scf.if %low {
      // expected-error @below {{is reached by 32 of 64 threads, expected all of the block}}
      nvvm.cluster.arrive {aligned}
      // expected-error @below {{is reached by 32 of 64 threads, expected all of the block}}
      nvvm.cluster.wait {aligned}
    }
    gpu.return
  }
}
