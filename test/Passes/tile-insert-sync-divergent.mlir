// Loops that threads go round differently: no barrier goes into them, and where one outside does not order the accesses, the
// error names the value that differs. A barrier of each warp may stand where whole warps go round equally often.
// RUN: tile-opt %s --tile-insert-sync --split-input-file --verify-diagnostics | FileCheck %s

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @trips(%G: memref<64xi32>) workgroup(%S : memref<64xi32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c63 = arith.constant 63 : index
    %ti = arith.index_cast %t : index to i32
    %r = arith.subi %c63, %t : index
    memref.store %ti, %S[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    // expected-note @below {{no barrier can order them in this loop, which threads go round differently: got a loop bound that differs between threads of the cta: 'gpu.thread_id' is 0 for thread 0 and 1 for thread 1}}
    scf.for %i = %c0 to %t step %c1 {
      // expected-error @below {{reads shared memory that an earlier operation writes, and nothing orders the two in a later iteration}}
      // expected-note @below {{'memref.load' reads it here}}
      %v = memref.load %S[%r] : memref<64xi32, #gpu.address_space<workgroup>>
      memref.store %v, %G[%t] : memref<64xi32>
      // expected-error @below {{writes shared memory that an earlier operation reads, and nothing orders the two}}
      // expected-note @below {{'memref.store' writes it here}}
      memref.store %ti, %S[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    }
    gpu.return
  }
}

// -----

// The loop only reads, so that a barrier before it and one after it are enough.
// CHECK-LABEL: gpu.func @around
// CHECK:         memref.store
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    scf.for
// CHECK-NOT:     gpu.barrier
// CHECK:         }
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    memref.store
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @around(%G: memref<64xi32>) workgroup(%S : memref<64xi32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c63 = arith.constant 63 : index
    %ti = arith.index_cast %t : index to i32
    %r = arith.subi %c63, %t : index
    memref.store %ti, %S[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    scf.for %i = %c0 to %t step %c1 {
      %v = memref.load %S[%r] : memref<64xi32, #gpu.address_space<workgroup>>
      memref.store %v, %G[%t] : memref<64xi32>
    }
    memref.store %ti, %S[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// -----

// Warp 0 goes round once, warp 1 twice: each exchanges values within itself.
// CHECK-LABEL: gpu.func @warps
// CHECK:         scf.for
// CHECK:           nvvm.bar.warp.sync
// CHECK-NEXT:      memref.store
// CHECK:           nvvm.bar.warp.sync
// CHECK-NEXT:      memref.load
// CHECK-NEXT:      memref.store
// CHECK-NEXT:    }
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @warps(%G: memref<64xi32>) workgroup(%S : memref<64xi32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c31 = arith.constant 31 : index
    %c32 = arith.constant 32 : index
    %ti = arith.index_cast %t : index to i32
    %w = arith.divui %t, %c32 : index
    %n = arith.addi %w, %c1 : index
    %r = arith.xori %t, %c31 : index
    scf.for %i = %c0 to %n step %c1 {
      memref.store %ti, %S[%t] : memref<64xi32, #gpu.address_space<workgroup>>
      %v = memref.load %S[%r] : memref<64xi32, #gpu.address_space<workgroup>>
      memref.store %v, %G[%t] : memref<64xi32>
    }
    gpu.return
  }
}

// -----

// Each thread starts elsewhere, but all go round once: they stay together.
// CHECK-LABEL: gpu.func @strided
// CHECK:         scf.for
// CHECK-NEXT:      memref.store
// CHECK-NEXT:      gpu.barrier
// CHECK-NEXT:      memref.load
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @strided(%G: memref<64xi32>) workgroup(%S : memref<64xi32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c63 = arith.constant 63 : index
    %c64 = arith.constant 64 : index
    %ti = arith.index_cast %t : index to i32
    %r = arith.subi %c63, %t : index
    scf.for %i = %t to %c64 step %c64 {
      memref.store %ti, %S[%t] : memref<64xi32, #gpu.address_space<workgroup>>
      %v = memref.load %S[%r] : memref<64xi32, #gpu.address_space<workgroup>>
      memref.store %v, %G[%t] : memref<64xi32>
    }
    gpu.return
  }
}

// -----

// What no thread executes does nothing, its barriers included.
// CHECK-LABEL: gpu.func @never
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @never(%G: memref<64xi32>) workgroup(%S : memref<64xi32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c63 = arith.constant 63 : index
    %c64 = arith.constant 64 : index
    %ti = arith.index_cast %t : index to i32
    %r = arith.subi %c63, %t : index
    %beyond = arith.cmpi uge, %t, %c64 : index
    memref.store %ti, %S[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    // CHECK: scf.if
    // CHECK-NEXT: gpu.barrier
    // CHECK-NEXT: memref.load
    scf.if %beyond {
      gpu.barrier
      %v = memref.load %S[%r] : memref<64xi32, #gpu.address_space<workgroup>>
      memref.store %v, %G[%t] : memref<64xi32>
    }
    // CHECK: scf.for
    // CHECK-NEXT: memref.load
    scf.for %i = %c1 to %c0 step %c1 {
      %v = memref.load %S[%r] : memref<64xi32, #gpu.address_space<workgroup>>
      memref.store %v, %G[%t] : memref<64xi32>
      gpu.barrier
    }
    gpu.return
  }
}
