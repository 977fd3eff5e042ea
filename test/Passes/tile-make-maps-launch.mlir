// A launch that is not outlined yet: the map is made before it, and captured.
// RUN: tile-opt %s --tile-make-maps=chip=sm_90a | FileCheck %s

!shared = !tile.buffer<32x32xf32, shared>

module attributes {gpu.container_module} {
  // CHECK-LABEL: func.func @launch(
  // CHECK:         tile.tensor_map
  // CHECK:         gpu.launch
  func.func @launch(%A: memref<32x32xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch blocks(%i, %j, %k) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%x, %y, %z) in (%bx = %c32, %by = %c1, %bz = %c1) {
      %a = tile.view %A : memref<32x32xf32>
      %s = tile.alloc : !shared
      tile.copy_async %s to %a scope(cta) bulk_group {variant = "tma"} : !shared to !tile.buffer<32x32xf32, global>
      nvvm.cp.async.bulk.wait_group 0
      gpu.terminator
    }
    return
  }
}
