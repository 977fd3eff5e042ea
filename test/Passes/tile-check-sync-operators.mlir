// Reductions of the same elements by one operator need no order. By different operators the result depends on it: found among random
// programs, where other threads took the minimum than added. So it does with increments, whose operands are limits.
// RUN: split-file %s %t
// RUN: tile-opt %t/check.mlir --tile-check-sync --verify-diagnostics -o /dev/null
// RUN: tile-opt %t/insert.mlir --tile-insert-sync | FileCheck %s

//--- check.mlir
!global = !tile.buffer<128xi32, global>
!shared = !tile.buffer<128xi32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @one_operator(%a: memref<128xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %g = tile.view %a : memref<128xi32>
    %s = tile.alloc : !shared
    tile.copy %g to %s scope(cta) : !global to !shared
    gpu.barrier
    tile.copy %g[0] [96] to %s[0] [96] scope(cta) reduce(add) : !global to !shared
    tile.copy %g[0] [96] to %s[32] [96] scope(cta) reduce(add) : !global to !shared
    gpu.return
  }

  gpu.func @two_operators(%a: memref<128xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %g = tile.view %a : memref<128xi32>
    %s = tile.alloc : !shared
    tile.copy %g to %s scope(cta) : !global to !shared
    gpu.barrier
    // expected-note@below {{'tile.copy' writes it here}}
    tile.copy %g[0] [96] to %s[0] [96] scope(cta) reduce(min) : !global to !shared
    // expected-error@below {{writes shared memory that an earlier operation writes, and nothing orders the two}}
    // expected-note@below {{between the two, this orders them: nvvm.bar.warp.sync: both are threads of one warp}}
    tile.copy %g[0] [96] to %s[32] [96] scope(cta) reduce(add) : !global to !shared
    gpu.return
  }

  gpu.func @two_limits(%a: memref<128xi32>, %b: memref<128xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %g = tile.view %a : memref<128xi32>
    %h = tile.view %b : memref<128xi32>
    %s = tile.alloc : !shared
    tile.copy %g to %s scope(cta) : !global to !shared
    gpu.barrier
    // expected-note@below {{'tile.copy' writes it here}}
    tile.copy %g[0] [96] to %s[0] [96] scope(cta) reduce(inc) : !global to !shared
    // expected-error@below {{writes shared memory that an earlier operation writes, and nothing orders the two}}
    // expected-note@below {{between the two, this orders them: nvvm.bar.warp.sync: both are threads of one warp}}
    tile.copy %h[0] [96] to %s[32] [96] scope(cta) reduce(inc) : !global to !shared
    gpu.return
  }

  // Signed and unsigned maxima, of elements that are the same thread's each time.
  gpu.func @own_elements(%a: memref<128xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %g = tile.view %a : memref<128xi32>
    %s = tile.alloc : !shared
    tile.copy %g to %s scope(cta) : !global to !shared
    tile.copy %g to %s scope(cta) reduce(max) : !global to !shared
    tile.copy %g to %s scope(cta) reduce(umax) : !global to !shared
    gpu.return
  }
}

//--- insert.mlir
!global = !tile.buffer<128xi32, global>
!shared = !tile.buffer<128xi32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: @inserted
  gpu.func @inserted(%a: memref<128xi32>, %b: memref<128xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %g = tile.view %a : memref<128xi32>
    %h = tile.view %b : memref<128xi32>
    %s = tile.alloc : !shared
    tile.copy %g to %s scope(cta) : !global to !shared
    // CHECK: reduce(min)
    // CHECK: nvvm.bar.warp.sync
    // CHECK-NEXT: {{.*}}reduce(add)
    // CHECK-NEXT: {{.*}}reduce(add)
    // CHECK-NEXT: gpu.barrier
    tile.copy %g[0] [96] to %s[0] [96] scope(cta) reduce(min) : !global to !shared
    tile.copy %g[0] [96] to %s[32] [96] scope(cta) reduce(add) : !global to !shared
    tile.copy %g[0] [96] to %s[16] [96] scope(cta) reduce(add) : !global to !shared
    tile.copy %s to %h scope(cta) : !shared to !global
    gpu.return
  }
}
