// Barriers that nothing within a block needs, but that order what other blocks see: --tile-insert-sync keeps them, and without
// any one of them the simulator finds a race.
// RUN: tile-opt %s --tile-insert-sync=remove-redundant=true -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: tile-run %t.mlir --entry last --grid 2 --schedule=all --arg f32[64]=random --arg f32[2x64]=zeros --arg i32[1]=zeros --arg f32[64]=zeros --expect-equal 0,3
// RUN: tile-run %t.mlir --entry polled --grid 2 --schedule=all --arg f32[64]=zeros --arg i32[1]=zeros --arg f32[64]=zeros --expect-equal 0,2
// RUN: tile-run %t.mlir --entry last --grid 2 --schedule=all --delete-sync --arg f32[64]=random --arg f32[2x64]=zeros --arg i32[1]=zeros --arg f32[64]=zeros | FileCheck %s --check-prefix=DELETED
// RUN: tile-run %t.mlir --entry polled --grid 2 --schedule=all --delete-sync --arg f32[64]=zeros --arg i32[1]=zeros --arg f32[64]=zeros | FileCheck %s --check-prefix=DELETED
// DELETED: {{^}}4 noticed, 0 redundant, {{[0-9]+}} not executed, 0 not modelled, 0 missed

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // The last block to count adds the rows of all.
  // CHECK-LABEL: gpu.func @last
  // CHECK:         memref.store
  // CHECK-NEXT:    gpu.barrier
  // CHECK:         scf.if
  // CHECK:         gpu.barrier
  // CHECK-NOT:     gpu.barrier
  gpu.func @last(%X: memref<64xf32>, %P: memref<2x64xf32>, %F: memref<1xi32>, %S: memref<64xf32>) workgroup(%w : memref<1xi32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %half = arith.constant 0.5 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %v = memref.load %X[%t] : memref<64xf32>
    memref.store %v, %P[%b, %t] : memref<2x64xf32>
    gpu.barrier
    %leads = arith.cmpi eq, %t, %c0 : index
    scf.if %leads {
      nvvm.memory.barrier #nvvm.mem_scope<gpu>
      %o = memref.atomic_rmw addi %one, %F[%c0] : (i32, memref<1xi32>) -> i32
      nvvm.memory.barrier #nvvm.mem_scope<gpu>
      memref.store %o, %w[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %count = memref.load %w[%c0] : memref<1xi32, #gpu.address_space<workgroup>>
    %is = arith.cmpi eq, %count, %one : i32
    scf.if %is {
      %x = memref.load %P[%c0, %t] : memref<2x64xf32>
      %y = memref.load %P[%c1, %t] : memref<2x64xf32>
      %z = arith.addf %x, %y : f32
      %mean = arith.mulf %z, %half : f32
      memref.store %mean, %S[%t] : memref<64xf32>
    }
    gpu.return
  }
  // The second block polls a flag that the first one sets.
  // CHECK-LABEL: gpu.func @polled
  // CHECK:         memref.store
  // CHECK-NEXT:    gpu.barrier
  // CHECK:         scf.while
  // CHECK:         gpu.barrier
  // CHECK:         memref.load
  gpu.func @polled(%P: memref<64xf32>, %F: memref<1xi32>, %Q: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %v = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %leads = arith.cmpi eq, %t, %c0 : index
    %first = arith.cmpi eq, %b, %c0 : index
    scf.if %first {
      memref.store %v, %P[%t] : memref<64xf32>
      gpu.barrier
      scf.if %leads {
        nvvm.memory.barrier #nvvm.mem_scope<gpu>
        %o = memref.atomic_rmw addi %one, %F[%c0] : (i32, memref<1xi32>) -> i32
      }
    } else {
      scf.if %leads {
        scf.while : () -> () {
          %flag = memref.atomic_rmw addi %zero, %F[%c0] : (i32, memref<1xi32>) -> i32
          %waits = arith.cmpi eq, %flag, %zero : i32
          scf.condition(%waits)
        } do {
          scf.yield
        }
        nvvm.memory.barrier #nvvm.mem_scope<gpu>
      }
      gpu.barrier
      %x = memref.load %P[%t] : memref<64xf32>
      memref.store %x, %Q[%t] : memref<64xf32>
    }
    gpu.return
  }
}
