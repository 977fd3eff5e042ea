// 8-bit floats are computed in f32, scaled ones are multiplied.
// RUN: tile-opt %s --tile-lower-arithmetic | FileCheck %s

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @sum
  // CHECK-COUNT-2: arith.extf {{.*}} : f8E4M3FN to f32
  // CHECK:         arith.addf {{.*}} : f32
  // CHECK:         arith.truncf {{.*}} : f32 to f8E4M3FN
  gpu.func @sum(%x: f8E4M3FN, %y: f8E4M3FN, %A: memref<1xf8E4M3FN>) kernel {
    %c0 = arith.constant 0 : index
    %sum = arith.addf %x, %y : f8E4M3FN
    memref.store %sum, %A[%c0] : memref<1xf8E4M3FN>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @scaled
  // CHECK-NOT:     arith.scaling_extf
  // CHECK:         arith.mulf {{.*}} : f32
  gpu.func @scaled(%x: f8E4M3FN, %scale: f8E8M0FNU, %A: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %y = arith.scaling_extf %x, %scale : f8E4M3FN, f8E8M0FNU to f32
    memref.store %y, %A[%c0] : memref<1xf32>
    gpu.return
  }
}
