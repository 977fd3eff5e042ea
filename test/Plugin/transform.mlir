// Our passes in a transform script that a stock mlir-opt interprets: on a gpu.module, with options, or on one function.

// REQUIRES: mlir-opt
// RUN: mlir-opt %s --load-dialect-plugin=%tile_plugin --load-pass-plugin=%tile_plugin --transform-interpreter \
// RUN:   | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%tile_plugin --load-pass-plugin=%tile_plugin \
// RUN:   --transform-interpreter=entry-point=on_functions | FileCheck %s --check-prefix=FUNCTION
// RUN: not mlir-opt %s --load-dialect-plugin=%tile_plugin --load-pass-plugin=%tile_plugin \
// RUN:   --transform-interpreter=entry-point=wrong -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK-LABEL: gpu.func @load
// CHECK-COUNT-16: vector.load {{.*}} vector<2xf32>
// CHECK-NOT: tile.copy
// CHECK: transform.named_sequence

// FUNCTION-LABEL: gpu.func @load
// FUNCTION: tile.planned_copy {{.*}}plan<matched "same_memory"
// FUNCTION: transform.named_sequence

// WRONG: unknown chip 'sm_1'

!matrix = !tile.buffer<32x32xf32, global>
module attributes {transform.with_named_sequence} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    gpu.func @load(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %a = tile.view %A : memref<32x32xf32> to !matrix
      %b = tile.view %B : memref<32x32xf32> to !matrix
      tile.copy %a to %b scope(warp) : !matrix to !matrix
      gpu.return
    }
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %kernels = transform.structured.match ops{["gpu.module"]} in %root : (!transform.any_op) -> !transform.any_op
    %lowered = transform.apply_registered_pass "lower-tile-copy" with options = { "max-vector-bits" = 64 } to %kernels
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  transform.named_sequence @on_functions(%root: !transform.any_op) {
    %functions = transform.structured.match ops{["gpu.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %aligned = transform.apply_registered_pass "tile-align-layouts" to %functions : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  transform.named_sequence @wrong(%root: !transform.any_op) {
    %kernels = transform.structured.match ops{["gpu.module"]} in %root : (!transform.any_op) -> !transform.any_op
    %lowered = transform.apply_registered_pass "lower-tile-copy" with options = { chip = "sm_1" } to %kernels
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
