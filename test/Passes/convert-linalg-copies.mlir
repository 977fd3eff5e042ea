// Ops of linalg that store what they read become tile copies, and others stay, with the reason.
// RUN: split-file %s %t
// RUN: tile-opt --convert-copies-to-tile %t/others.mlir --remarks-filter-missed=tile-copy --remark-format=emitRemark -o %t.others 2>&1 \
// RUN:   | FileCheck %t/others.mlir --check-prefix=STAYS
// RUN: FileCheck %t/others.mlir --input-file=%t.others
// RUN: tile-opt --convert-copies-to-tile %t/copies.mlir | FileCheck %t/copies.mlir
// RUN: tile-run %t/copies.mlir --entry copies --schedule=all --arg f32[32x16]=iota --arg f32[32x16]=poison --arg f32[16x32]=poison --arg f16[32x16]=poison \
// RUN:   --expect-equal 0,1 --print 2 | FileCheck %s --check-prefix=TURNED
// TURNED: 0.0 16.0 32.0

//--- copies.mlir
#same = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @copies
  gpu.func @copies(%A: memref<32x16xf32>, %B: memref<32x16xf32>, %C: memref<16x32xf32>, %D: memref<32x16xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    // CHECK: tile.copy {{.*}} : !tile.buffer<32x16xf32, global> to !tile.buffer<32x16xf32, global>
    linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%A : memref<32x16xf32>) outs(%B : memref<32x16xf32>) {
    ^bb0(%x: f32, %y: f32):
      linalg.yield %x : f32
    }
    // CHECK: tile.permute {{.*}} [1, 0]
    // CHECK: tile.copy
    linalg.generic {indexing_maps = [#turned, #same], iterator_types = ["parallel", "parallel"]}
        ins(%A : memref<32x16xf32>) outs(%C : memref<16x32xf32>) {
    ^bb0(%x: f32, %y: f32):
      linalg.yield %x : f32
    }
    // CHECK: tile.copy {{.*}} : !tile.buffer<32x16xf32, global> to !tile.buffer<32x16xf16, global>
    linalg.generic {indexing_maps = [#turned, #turned], iterator_types = ["parallel", "parallel"]}
        ins(%A : memref<32x16xf32>) outs(%D : memref<32x16xf16>) {
    ^bb0(%x: f32, %y: f16):
      %half = arith.truncf %x : f32 to f16
      linalg.yield %half : f16
    }
    gpu.return
  }
}

//--- others.mlir
#same = affine_map<(i, j) -> (i, j)>
#columns = affine_map<(i, j) -> (j)>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @others
  // CHECK-NOT: tile.copy
  gpu.func @others(%A: memref<32x16xf32>, %R: memref<16xf32>, %B: memref<32x16xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    // STAYS: :[[#@LINE+1]]:5: remark: [Missed] stays-fill
    linalg.fill ins(%zero : f32) outs(%B : memref<32x16xf32>)
    // STAYS: :[[#@LINE+1]]:5: remark: [Missed] stays-broadcast
    linalg.broadcast ins(%R : memref<16xf32>) outs(%B : memref<32x16xf32>) dimensions = [0]
    // STAYS: :[[#@LINE+1]]:5: remark: [Missed] stays-broadcast
    linalg.generic {indexing_maps = [#columns, #same], iterator_types = ["parallel", "parallel"]}
        ins(%R : memref<16xf32>) outs(%B : memref<32x16xf32>) {
    ^bb0(%x: f32, %y: f32):
      linalg.yield %x : f32
    }
    // It computes: no copy.
    linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%A : memref<32x16xf32>) outs(%B : memref<32x16xf32>) {
    ^bb0(%x: f32, %y: f32):
      %sum = arith.addf %x, %y : f32
      linalg.yield %sum : f32
    }
    // It stores what is there.
    linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel", "parallel"]}
        ins(%A : memref<32x16xf32>) outs(%B : memref<32x16xf32>) {
    ^bb0(%x: f32, %y: f32):
      linalg.yield %y : f32
    }
    gpu.return
  }
}
