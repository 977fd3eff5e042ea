// Numbers of warps become arithmetic; numbers and vectors of any width are exchanged as words.
// RUN: tile-opt %s --tile-lower-subgroups | FileCheck %s --implicit-check-not=gpu.subgroup --implicit-check-not=gpu.rotate

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @numbers
  // CHECK-DAG:     arith.constant 32 : index
  // CHECK:         arith.divui
  // CHECK:         gpu.block_dim  z
  // CHECK:         arith.ceildivui
  gpu.func @numbers(%A: memref<3xindex>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %warp = gpu.subgroup_id : index
    %warps = gpu.num_subgroups : index
    %size = gpu.subgroup_size : index
    memref.store %warp, %A[%c0] : memref<3xindex>
    memref.store %warps, %A[%c1] : memref<3xindex>
    memref.store %size, %A[%c2] : memref<3xindex>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @half
  // CHECK:         arith.extui {{.*}} : vector<1xi16> to vector<1xi32>
  // CHECK-COUNT-1: gpu.shuffle xor {{.*}} : i32
  // CHECK:         arith.trunci {{.*}} : vector<1xi32> to vector<1xi16>
  // CHECK-NOT:     gpu.shuffle
  gpu.func @half(%x: f16, %A: memref<1xf16>) kernel {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %y, %valid = gpu.shuffle xor %x, %one, %width : f16
    memref.store %y, %A[%c0] : memref<1xf16>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @wide
  // CHECK:         vector.bitcast {{.*}} : vector<3xf64> to vector<6xi32>
  // CHECK-COUNT-6: gpu.shuffle idx {{.*}} : i32
  // CHECK-NOT:     gpu.shuffle
  gpu.func @wide(%x: vector<3xf64>, %A: memref<1xvector<3xf64>>) kernel {
    %c0 = arith.constant 0 : index
    %y, %valid = gpu.rotate %x, 1, 16 : vector<3xf64>
    memref.store %y, %A[%c0] : memref<1xvector<3xf64>>
    gpu.return
  }
}
