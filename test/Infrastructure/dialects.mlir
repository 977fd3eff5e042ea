// Kernels come from compilers that tile, bufferize and map them: their dialects, and the scripts that say how, are known.
// RUN: tile-opt %s | FileCheck %s
// RUN: printf '%%s\n' '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"processId":1,"rootPath":"mlir","capabilities":{},"trace":"off"}}' \
// RUN:   '// -----' '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"test:///tensors.mlir","languageId":"mlir","version":1,"text":"func.func @f(%%a: tensor<4xf32>, %%i: index) -> f32 {\n  %%x = tensor.extract %%a[%%i] : tensor<4xf32>\n  return %%x : f32\n}"}}}' \
// RUN:   '// -----' '{"jsonrpc":"2.0","id":3,"method":"shutdown"}' '// -----' '{"jsonrpc":"2.0","method":"exit"}' \
// RUN:   | tile-lsp-server -lit-test | FileCheck %s --check-prefix=EDITOR
// EDITOR: "diagnostics": []

// CHECK-LABEL: func.func @buffers
func.func @buffers(%A: memref<8x8xf32>, %i: index) -> f32 {
  // CHECK: bufferization.to_tensor
  %a = bufferization.to_tensor %A restrict : memref<8x8xf32> to tensor<8x8xf32>
  %x = tensor.extract %a[%i, %i] : tensor<8x8xf32>
  return %x : f32
}

// CHECK-LABEL: func.func @copies
func.func @copies(%A: memref<8x8xf16>, %w: memref<8x8xf16, #gpu.address_space<workgroup>>, %i: index) {
  // CHECK: nvgpu.device_async_copy
  %t = nvgpu.device_async_copy %A[%i, %i], %w[%i, %i], 8 : memref<8x8xf16> to memref<8x8xf16, #gpu.address_space<workgroup>>
  %group = nvgpu.device_async_create_group %t
  nvgpu.device_async_wait %group
  return
}

// CHECK-LABEL: func.func @later
func.func @later() {
  // CHECK: async.execute
  %token = async.execute {
    async.yield
  }
  async.await %token : !async.token
  return
}

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: transform.named_sequence @__transform_main
  transform.named_sequence @__transform_main(%top: !transform.any_op) {
    %products = transform.structured.match ops{["linalg.matmul"]} in %top : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %products tile_sizes [0, 0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %function = transform.structured.match ops{["func.func"]} in %top : (!transform.any_op) -> !transform.any_op
    %launch = transform.gpu.map_forall_to_blocks %function {generate_gpu_launch} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
