// Barriers, waits and fences that are inserted where they are missing, and removed where they are redundant.
// RUN: tile-opt %s --tile-insert-sync --split-input-file | FileCheck %s
// RUN: tile-opt %s --tile-insert-sync --tile-check-sync --split-input-file -o /dev/null
// RUN: tile-opt %s --tile-insert-sync --tile-insert-sync=remove-redundant=true --split-input-file | FileCheck %s --check-prefix=LEAST

!global = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<64x32xf32, shared>

// The seed of ldgsts without its waits and barriers: one wait is inserted for each half. No barrier is needed, because
// threads read what they copied themselves.
// CHECK-LABEL: gpu.func @halves
// CHECK:         tile.copy_async
// CHECK-NEXT:    tile.copy_async
// CHECK-NEXT:    nvvm.cp.async.wait.group 1
// CHECK-NEXT:    tile.copy
// CHECK-NEXT:    nvvm.cp.async.wait.group 0
// CHECK-NEXT:    tile.copy
// CHECK-NEXT:    gpu.return
gpu.module @seed [#nvvm.target<chip = "sm_90a">] {
  gpu.func @halves(%A: memref<64x32xf32>, %B: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x32xf32> to !global
    %b = tile.view %B : memref<64x32xf32> to !global
    %s = tile.alloc : !shared
    tile.copy_async %a[0, 0] [32, 32] to %s[0, 0] [32, 32] scope(cta) group : !global to !shared
    tile.copy_async %a[32, 0] [32, 32] to %s[32, 0] [32, 32] scope(cta) group : !global to !shared
    tile.copy %s[0, 0] [32, 32] to %b[0, 0] [32, 32] scope(cta) : !shared to !global
    tile.copy %s[32, 0] [32, 32] to %b[32, 0] [32, 32] scope(cta) : !shared to !global
    gpu.return
  }

  // LEAST-LABEL: gpu.func @vain
  // LEAST-NOT:     gpu.barrier
  // LEAST:         gpu.return
  gpu.func @vain(%A: memref<64x32xf32>, %B: memref<64x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x32xf32> to !global
    %b = tile.view %B : memref<64x32xf32> to !global
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    gpu.barrier
    tile.copy %s to %b scope(cta) : !shared to !global
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x64xf32, global>
!turned = !tile.buffer<32x64xf32, shared, #tile.layout<(32, 64) : (1, 33)>>

// For two intervals that overlap, one barrier is enough: right before the end of the first.
// CHECK-LABEL: gpu.func @overlap
// CHECK:         tile.copy
// CHECK-NEXT:    tile.copy
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    tile.copy
// CHECK-NEXT:    tile.copy
// CHECK-NEXT:    gpu.return
// CHECK-LABEL: gpu.func @around
// CHECK:         scf.for
// CHECK-COUNT-2: gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
// CHECK-LABEL: gpu.func @within
// CHECK:         scf.if
// CHECK-NOT:       gpu.barrier
// CHECK:         nvvm.bar.warp.sync
// CHECK:         gpu.return
gpu.module @intervals [#nvvm.target<chip = "sm_90a">] {
  gpu.func @overlap(%A: memref<32x64xf32>, %B: memref<32x64xf32>, %C: memref<32x64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x64xf32> to !global
    %b = tile.view %B : memref<32x64xf32> to !global
    %c = tile.view %C : memref<32x64xf32> to !global
    %s = tile.alloc : !turned
    %t = tile.alloc : !turned
    tile.copy %a[0, 0] [16, 64] to %s[0, 0] [16, 64] scope(cta) : !global to !turned
    tile.copy %a[0, 0] [16, 64] to %t[0, 0] [16, 64] scope(cta) : !global to !turned
    tile.copy %s[0, 0] [16, 32] to %b[0, 0] [16, 32] scope(cta) : !turned to !global
    tile.copy %t[0, 0] [16, 32] to %c[0, 0] [16, 32] scope(cta) : !turned to !global
    gpu.return
  }

  gpu.func @around(%A: memref<32x64xf32>, %B: memref<32x64xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.view %A : memref<32x64xf32> to !global
    %b = tile.view %B : memref<32x64xf32> to !global
    %s = tile.alloc : !turned
    scf.for %i = %c0 to %n step %c1 {
      tile.copy %a[0, 0] [16, 64] to %s[0, 0] [16, 64] scope(cta) : !global to !turned
      tile.copy %s[0, 0] [16, 32] to %b[0, 0] [16, 32] scope(cta) : !turned to !global
    }
    gpu.return
  }

  gpu.func @within(%A: memref<32x64xf32>, %B: memref<32x64xf32>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x
    %first = arith.cmpi ult, %thread, %c32 : index
    %a = tile.view %A : memref<32x64xf32> to !global
    %b = tile.view %B : memref<32x64xf32> to !global
    %s = tile.alloc : !turned
    scf.if %first {
      tile.copy %a[0, 0] [16, 64] to %s[0, 0] [16, 64] scope(warp) : !global to !turned
      tile.copy %s[0, 8] [16, 32] to %b[0, 0] [16, 32] scope(warp) : !turned to !global
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x64xf32, global>
!turned = !tile.buffer<32x64xf32, shared, #tile.layout<(32, 64) : (1, 33)>>

// Paths are cut where it costs least: in the only arm that needs it, before a branch both of whose arms need it, before a loop.
// CHECK-LABEL: gpu.func @arm
// CHECK:         scf.if
// CHECK-NEXT:      gpu.barrier
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
// CHECK-LABEL: gpu.func @both
// CHECK:         gpu.barrier
// CHECK-NEXT:    scf.if
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
// CHECK-LABEL: gpu.func @before
// CHECK:         gpu.barrier
// CHECK-NEXT:    scf.for
// CHECK-NOT:     gpu.barrier
// CHECK:         gpu.return
gpu.module @branches [#nvvm.target<chip = "sm_90a">] {
  gpu.func @arm(%A: memref<32x64xf32>, %B: memref<32x64xf32>, %f: i1) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x64xf32> to !global
    %b = tile.view %B : memref<32x64xf32> to !global
    %s = tile.alloc : !turned
    tile.copy %a[0, 0] [16, 64] to %s[0, 0] [16, 64] scope(cta) : !global to !turned
    scf.if %f {
      tile.copy %s[0, 0] [16, 32] to %b[0, 0] [16, 32] scope(cta) : !turned to !global
    }
    gpu.return
  }

  gpu.func @both(%A: memref<32x64xf32>, %B: memref<32x64xf32>, %f: i1) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x64xf32> to !global
    %b = tile.view %B : memref<32x64xf32> to !global
    %s = tile.alloc : !turned
    tile.copy %a[0, 0] [16, 64] to %s[0, 0] [16, 64] scope(cta) : !global to !turned
    scf.if %f {
      tile.copy %s[0, 0] [16, 32] to %b[0, 0] [16, 32] scope(cta) : !turned to !global
    } else {
      tile.copy %s[0, 8] [16, 32] to %b[0, 0] [16, 32] scope(cta) : !turned to !global
    }
    gpu.return
  }

  gpu.func @before(%A: memref<32x64xf32>, %B: memref<32x64xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.view %A : memref<32x64xf32> to !global
    %b = tile.view %B : memref<32x64xf32> to !global
    %s = tile.alloc : !turned
    tile.copy %a[0, 0] [16, 64] to %s[0, 0] [16, 64] scope(cta) : !global to !turned
    scf.for %i = %c0 to %n step %c1 {
      tile.copy %s[0, 0] [16, 32] to %b[0, 0] [16, 32] scope(cta) : !turned to !global
    }
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x64xf32, global>
!turned = !tile.buffer<32x64xf32, shared, #tile.layout<(32, 64) : (1, 33)>>

// Inside an arm, the wait for the copies before the branch is followed by a barrier.
// CHECK-LABEL: gpu.func @waits_in_an_arm
// CHECK:         scf.if
// CHECK-NEXT:      nvvm.cp.async.wait.group 0
// CHECK-NEXT:      gpu.barrier
// CHECK-NEXT:      tile.copy
// CHECK:         nvvm.cp.async.wait.group 0
// CHECK-NEXT:    gpu.return

// The program point before an operation is in the operation's own region, even if that is neither a branch nor a loop.
// CHECK-LABEL: gpu.func @in_a_region
// CHECK-NOT:     gpu.barrier
// CHECK:         scf.if
// CHECK-NEXT:      scf.execute_region
// CHECK-NEXT:        gpu.barrier
// CHECK-NEXT:        tile.copy
// CHECK-NOT:     gpu.barrier
// CHECK-LABEL: gpu.func @around_regions
// CHECK:         gpu.barrier
// CHECK-NEXT:    scf.if
// CHECK-NOT:     gpu.barrier
// CHECK-LABEL: gpu.func @in_the_first_part
// CHECK-NOT:     gpu.barrier
// CHECK:         scf.while
// CHECK-NEXT:      gpu.barrier
// CHECK-NEXT:      tile.copy
// CHECK:           scf.condition
// CHECK:         } do {
// CHECK:           gpu.barrier
// CHECK-NEXT:      tile.copy
// CHECK-NOT:     gpu.barrier
gpu.module @regions [#nvvm.target<chip = "sm_90a">] {
  gpu.func @waits_in_an_arm(%A: memref<32x64xf32>, %B: memref<32x64xf32>, %f: i1) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x64xf32> to !global
    %b = tile.view %B : memref<32x64xf32> to !global
    %s = tile.alloc : !turned
    tile.copy_async %a to %s scope(cta) group : !global to !turned
    scf.if %f {
      tile.copy %s[0, 0] [16, 32] to %b[0, 0] [16, 32] scope(cta) : !turned to !global
    }
    gpu.return
  }

  gpu.func @in_a_region(%A: memref<32x64xf32>, %B: memref<32x64xf32>, %f: i1) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x64xf32> to !global
    %b = tile.view %B : memref<32x64xf32> to !global
    %s = tile.alloc : !turned
    tile.copy %a[0, 0] [16, 64] to %s[0, 0] [16, 64] scope(cta) : !global to !turned
    scf.if %f {
      scf.execute_region {
        tile.copy %s[0, 0] [16, 32] to %b[0, 0] [16, 32] scope(cta) : !turned to !global
        scf.yield
      }
    }
    gpu.return
  }

  gpu.func @around_regions(%A: memref<32x64xf32>, %B: memref<32x64xf32>, %f: i1) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x64xf32> to !global
    %b = tile.view %B : memref<32x64xf32> to !global
    %s = tile.alloc : !turned
    tile.copy %a[0, 0] [16, 64] to %s[0, 0] [16, 64] scope(cta) : !global to !turned
    scf.if %f {
      scf.execute_region {
        tile.copy %s[0, 0] [16, 32] to %b[0, 0] [16, 32] scope(cta) : !turned to !global
        scf.yield
      }
    } else {
      scf.execute_region {
        tile.copy %s[0, 8] [16, 32] to %b[0, 0] [16, 32] scope(cta) : !turned to !global
        scf.yield
      }
    }
    gpu.return
  }

  gpu.func @in_the_first_part(%A: memref<32x64xf32>, %B: memref<32x64xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.view %A : memref<32x64xf32> to !global
    %b = tile.view %B : memref<32x64xf32> to !global
    %s = tile.alloc : !turned
    tile.copy %a[0, 0] [16, 64] to %s[0, 0] [16, 64] scope(cta) : !global to !turned
    %last = scf.while (%i = %c0) : (index) -> index {
      tile.copy %s[0, 0] [16, 32] to %b[0, 0] [16, 32] scope(cta) : !turned to !global
      %on = arith.cmpi ult, %i, %n : index
      scf.condition(%on) %i : index
    } do {
    ^bb0(%i: index):
      tile.copy %a[0, 0] [16, 64] to %s[0, 0] [16, 64] scope(cta) : !global to !turned
      %next = arith.addi %i, %c1 : index
      scf.yield %next : index
    }
    gpu.return
  }
}
