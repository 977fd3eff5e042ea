// A kernel with synchronization of its own stays as it is written. That is an error where it does not order all accesses, unless the
// kernel is ordered by hand, or an option allows it.
// RUN: split-file %s %t
// RUN: tile-opt --tile-build=lower=false --verify-diagnostics %t/half.mlir -o /dev/null
// RUN: sed -e '/expected-/d' -e 's/known_block_size/tile.order = "by_hand", known_block_size/' %t/half.mlir > %t/by-hand.mlir
// RUN: tile-opt --tile-build=lower=false %t/by-hand.mlir 2>&1 | FileCheck %s --check-prefix=BY-HAND
// RUN: sed -e '/expected-/d' %t/half.mlir > %t/plain.mlir
// RUN: tile-opt --tile-build='lower=false allow-unordered=true' %t/plain.mlir 2>&1 | FileCheck %s --check-prefix=ALLOWED
// RUN: not tile-opt --tile-check-sync %t/by-hand.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHECKED
// RUN: tile-opt --tile-build=lower=false --verify-diagnostics %t/whole.mlir | FileCheck %s --check-prefix=WHOLE
// RUN: tile-opt --tile-build=lower=false --verify-diagnostics %t/without.mlir -o /dev/null
// RUN: tile-opt --tile-build=lower=false --verify-diagnostics %t/misspelt.mlir -o /dev/null
// RUN: tile-opt --tile-check-sync --verify-diagnostics %t/misspelt.mlir -o /dev/null
// RUN: tile-opt --tile-build=lower=false --verify-diagnostics %t/loops.mlir -o /dev/null
// RUN: tile-translate --tile-to-ptx %t/by-hand.mlir 2>&1 | FileCheck %s --check-prefix=PTX
// RUN: not tile-run %t/plain.mlir --arg f32[32x32]=iota --arg f32[32x32]=poison 2>&1 | FileCheck %s --check-prefix=TOOL

// BY-HAND: by-hand.mlir:{{.*}}: warning: leaves the kernel as it is written, and that does not order all accesses: {{.*}}'tile.copy' op
// BY-HAND: tile.copy {{.*}} scope(cta) :
// BY-HAND-NEXT: gpu.barrier
// BY-HAND-NOT: gpu.barrier
// ALLOWED: plain.mlir:{{.*}}: warning: leaves the kernel as it is written
// ALLOWED: tile.copy {{.*}} scope(cta) :
// ALLOWED-NEXT: gpu.barrier
// ALLOWED-NOT: gpu.barrier
// CHECKED: error: 'tile.copy' op writes shared memory that
// PTX: warning: leaves the kernel as it is written
// PTX: .entry half
// PTX-NOT: by_hand
// TOOL: error: tile-translate printed no PTX for

//--- half.mlir
// One barrier, of two that it needs.
!g = !tile.buffer<32x32xf32, global>
!s = !tile.buffer<32x32xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // expected-error@below {{is left as it is written, since it synchronizes itself, and that is not known to order all its accesses}}
  // expected-note@below {{--tile-insert-sync inserts what is missing; tile.order = "by_hand" on the kernel leaves it as it is}}
  gpu.func @half(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = tile.view %A : memref<32x32xf32>
    %b = tile.view %B : memref<32x32xf32>
    %s = tile.alloc : !s
    scf.for %i = %c0 to %c4 step %c1 {
      // expected-error@+2 {{'tile.copy' op writes shared memory that}}
      // expected-note@+1 {{between the two, this orders them: gpu.barrier}}
      tile.copy %a to %s scope(cta) : !g to !s
      // expected-note@below {{it synchronizes here}}
      gpu.barrier
      %t = tile.permute %s [1, 0] : !s to !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 32)>>
      // expected-note@below {{reads it here}}
      tile.copy %t to %b scope(cta) : !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 32)>> to !g
    }
    gpu.return
  }
}

//--- whole.mlir
// With both, there is nothing to say.
!g = !tile.buffer<32x32xf32, global>
!s = !tile.buffer<32x32xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // WHOLE-LABEL: gpu.func @whole
  // WHOLE-COUNT-2: gpu.barrier
  // WHOLE-NOT: gpu.barrier
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

//--- without.mlir
// Ordered by hand, without any synchronization: each thread reads what it has written, so that nothing races.
!g = !tile.buffer<32x32xf32, global>
!s = !tile.buffer<32x32xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  func.func private @external()
  gpu.func @without(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>, tile.order = "by_hand"} {
    %a = tile.view %A : memref<32x32xf32>
    %b = tile.view %B : memref<32x32xf32>
    %s = tile.alloc : !s
    tile.copy %a to %s scope(cta) : !g to !s
    func.call @external() : () -> ()
    tile.copy %s to %b scope(cta) : !s to !g
    gpu.return
  }
}

//--- misspelt.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // expected-error@below {{has tile.order = "byhand", expected "by_hand"}}
  gpu.func @misspelt() kernel attributes {known_block_size = array<i32: 64, 1, 1>, tile.order = "byhand"} {
    gpu.barrier
    gpu.return
  }
}

//--- loops.mlir
// Loops that request stages, and become no rings.
!matrix = !tile.buffer<1024x64xf32, global>
!stage = !tile.buffer<32x64xf32, shared>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @own_waits(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1024 = arith.constant 1024 : index
    %s = tile.alloc : !stage
    // expected-error@below {{has tile.stages, but becomes no ring: the kernel synchronizes in such a loop itself; expected none of that, or no tile.stages}}
    scf.for %row = %c0 to %c1024 step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !stage
      // expected-note@below {{tile.order = "by_hand" on the kernel leaves the loop as it is}}
      nvvm.cp.async.wait.group 0
      gpu.barrier
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !stage to !matrix
      gpu.barrier
    } {tile.stages = 2 : i64}
    gpu.return
  }

  gpu.func @synchronous(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1024 = arith.constant 1024 : index
    %s = tile.alloc : !stage
    // expected-error@+2 {{has tile.stages, but becomes no ring: none of its copies is asynchronous; expected tile.copy_async in it, or no tile.stages}}
    // expected-note@+1 {{tile.order = "by_hand" on the kernel leaves the loop as it is}}
    scf.for %row = %c0 to %c1024 step %c32 {
      tile.copy %a[%row, 0] [32, 64] to %s scope(cta) : !matrix to !stage
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !stage to !matrix
    } {tile.stages = 2 : i64}
    gpu.return
  }
}
