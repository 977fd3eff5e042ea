// Which element each thread accesses: indices of the affine dialect, and atomics.
// RUN: tile-opt %s --tile-check-sync --verify-diagnostics -o /dev/null
// RUN: tile-run %s --entry apart --schedule=all --arg i32[64]=zeros --arg i64=1
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --entry neighbours --schedule=all --arg i32[64]=zeros --arg i64=1 2>&1 | FileCheck %s
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --entry transfers --schedule=all --arg i32[64]=zeros --arg i64=1 2>&1 | FileCheck %s
// RUN: not tile-run %s --passes=lower-tile-copy,tile-to-nvvm --entry counted --schedule=all --arg i32[64]=zeros --arg i64=1 2>&1 | FileCheck %s
// CHECK: error: {{.*(race|uninitialized)}}

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Each thread has elements of its own, in both halves.
  gpu.func @apart(%A: memref<64xi32>, %n: index) workgroup(%s: memref<128xi32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %own = arith.index_cast %t : index to i32
    affine.store %own, %s[%t floordiv 2 + (%t mod 2) * 32] : memref<128xi32, #gpu.address_space<workgroup>>
    affine.store %own, %s[127 - %t] : memref<128xi32, #gpu.address_space<workgroup>>
    %low = affine.load %s[%t floordiv 2 + (%t mod 2) * 32] : memref<128xi32, #gpu.address_space<workgroup>>
    %sum = memref.atomic_rmw addi %low, %A[%t] : (i32, memref<64xi32>) -> i32
    %read = memref.load %A[%t] : memref<64xi32>
    memref.store %read, %A[%t] : memref<64xi32>
    gpu.return
  }

  // %n is the same for all threads, so that each reads the element of another.
  gpu.func @neighbours(%A: memref<64xi32>, %n: index) workgroup(%s: memref<128xi32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %own = arith.index_cast %t : index to i32
    // expected-note @below {{writes it here}}
    affine.store %own, %s[%t + symbol(%n)] : memref<128xi32, #gpu.address_space<workgroup>>
    // expected-error @below {{reads shared memory that an earlier operation writes, and nothing orders the two: for example thread 0 and thread 1, byte}}
    // expected-note @below {{between the two, this orders them}}
    %other = affine.load %s[%t + symbol(%n) - 1] : memref<128xi32, #gpu.address_space<workgroup>>
    affine.store %other, %A[%t] : memref<64xi32>
    gpu.return
  }

  // Atomics of one element, and a plain load of it by another thread.
  gpu.func @counted(%A: memref<64xi32>, %n: index) workgroup(%s: memref<128xi32, #gpu.address_space<workgroup>>) kernel
      attributes {tile.order = "by_hand", known_block_size = array<i32: 64, 1, 1>} {  // not in order, on purpose
    %t = gpu.thread_id x
    %c2 = arith.constant 2 : index
    %own = arith.index_cast %t : index to i32
    memref.store %own, %s[%t] : memref<128xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %pair = arith.divui %t, %c2 : index
    // expected-note @below {{writes it here}}
    %sum = memref.atomic_rmw addi %own, %s[%pair] : (i32, memref<128xi32, #gpu.address_space<workgroup>>) -> i32
    // expected-error @below {{reads shared memory that an earlier operation writes, and nothing orders the two: for example thread}}
    // expected-note @below {{between the two, this orders them}}
    %read = memref.load %s[%t] : memref<128xi32, #gpu.address_space<workgroup>>
    memref.store %read, %A[%t] : memref<64xi32>
    gpu.return
  }

  // Vectors of four elements: each thread has its own, and then reads those of the next.
  gpu.func @transfers(%A: memref<64xi32>, %n: index) workgroup(%s: memref<2x128xi32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c124 = arith.constant 124 : index
    %zero = arith.constant 0 : i32
    %t = gpu.thread_id x
    %begin = arith.muli %t, %c4 : index
    %mirrored = arith.subi %c124, %begin : index
    %own = arith.index_cast %t : index to i32
    %four = vector.broadcast %own : i32 to vector<4xi32>
    vector.transfer_write %four, %s[%c0, %begin] {in_bounds = [true]} : vector<4xi32>, memref<2x128xi32, #gpu.address_space<workgroup>>
    // expected-note @below {{writes it here}}
    vector.transfer_write %four, %s[%c1, %begin] {in_bounds = [true]} : vector<4xi32>, memref<2x128xi32, #gpu.address_space<workgroup>>
    %same = vector.transfer_read %s[%c0, %begin], %zero {in_bounds = [true]} : memref<2x128xi32, #gpu.address_space<workgroup>>, vector<4xi32>
    // expected-error @below {{reads shared memory that an earlier operation writes, and nothing orders the two: for example thread 0 and thread 31, byte 512}}
    // expected-note @below {{between the two, this orders them}}
    %other = vector.transfer_read %s[%c1, %mirrored], %zero {in_bounds = [true]} : memref<2x128xi32, #gpu.address_space<workgroup>>, vector<4xi32>
    %sum = arith.addi %same, %other : vector<4xi32>
    %first = vector.extract %sum[0] : i32 from vector<4xi32>
    memref.store %first, %A[%t] : memref<64xi32>
    gpu.return
  }
}
