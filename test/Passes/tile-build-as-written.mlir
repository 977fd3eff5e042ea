// A kernel with one barrier of its own, of two that it needs: it stays as it is written, with a warning that says what is missing.
// RUN: tile-opt --tile-build=lower=false --verify-diagnostics --split-input-file %s | FileCheck %s
!g = !tile.buffer<32x32xf32, global>
!s = !tile.buffer<32x32xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // CHECK-LABEL: gpu.func @half
  // CHECK: gpu.barrier
  // CHECK-NOT: gpu.barrier
  gpu.func @half(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = tile.view %A : memref<32x32xf32>
    %b = tile.view %B : memref<32x32xf32>
    %s = tile.alloc : !s
    scf.for %i = %c0 to %c4 step %c1 {
      tile.copy %a to %s scope(cta) : !g to !s
      // expected-warning@below {{leaves the kernel as it is written, since it synchronizes here, and that does not order all accesses: }}
      // expected-note@below {{--tile-insert-sync inserts what is missing, --tile-check-sync lists it}}
      gpu.barrier
      %t = tile.permute %s [1, 0] : !s to !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 32)>>
      tile.copy %t to %b scope(cta) : !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 32)>> to !g
    }
    gpu.return
  }
}

// -----

// With both, there is nothing to say.
!g = !tile.buffer<32x32xf32, global>
!s = !tile.buffer<32x32xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // CHECK-LABEL: gpu.func @whole
  // CHECK-COUNT-2: gpu.barrier
  // CHECK-NOT: gpu.barrier
  gpu.func @whole(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = tile.view %A : memref<32x32xf32>
    %b = tile.view %B : memref<32x32xf32>
    %s = tile.alloc : !s
    scf.for %i = %c0 to %c4 step %c1 {
      tile.copy %a to %s scope(cta) : !g to !s
      gpu.barrier
      %t = tile.permute %s [1, 0] : !s to !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 32)>>
      tile.copy %t to %b scope(cta) : !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 32)>> to !g
      gpu.barrier
    }
    gpu.return
  }
}
