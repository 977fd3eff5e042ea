// Elements that no tile has are copied as the integers that they are in memory, beside other copies, and in the compiler's order.
// RUN: tile-opt %s --convert-copies-to-tile | FileCheck %s
// RUN: tile-translate --tile-to-ptx %s -o - | FileCheck %s --check-prefix=PTX
// PTX: .entry elements
// PTX: .entry runs
// RUN: tile-run %s --entry runs --arg i1[3x5]=ones --arg i1[3x5]=zeros --expect-equal 0,1

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @elements(%A: memref<64xf32>, %B: memref<64xf32>, %C: memref<64xcomplex<f32>>, %D: memref<64xcomplex<f32>>,
      %I: memref<64xindex>, %J: memref<64xindex>, %U: memref<64xi24>, %V: memref<64xi24>,
      %F: memref<64xf4E2M1FN>, %G: memref<64xf4E2M1FN>, %P: memref<64xvector<4xf16>>, %Q: memref<64xvector<4xf16>>)
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // CHECK: tile.copy {{.*}} : !tile.buffer<64xf32, global>
    memref.copy %A, %B : memref<64xf32> to memref<64xf32>
    // CHECK: unrealized_conversion_cast {{.*}} : memref<64xcomplex<f32>> to memref<64xi64>
    // CHECK: tile.copy {{.*}} : !tile.buffer<64xi64, global>
    memref.copy %C, %D : memref<64xcomplex<f32>> to memref<64xcomplex<f32>>
    // CHECK: tile.copy {{.*}} : !tile.buffer<64xi64, global>
    memref.copy %I, %J : memref<64xindex> to memref<64xindex>
    // CHECK: tile.copy {{.*}} : !tile.buffer<64xi32, global>
    memref.copy %U, %V : memref<64xi24> to memref<64xi24>
    // CHECK: tile.copy {{.*}} : !tile.buffer<64xi8, global>
    memref.copy %F, %G : memref<64xf4E2M1FN> to memref<64xf4E2M1FN>
    // CHECK: tile.copy {{.*}} : !tile.buffer<64xi64, global>
    memref.copy %P, %Q : memref<64xvector<4xf16>> to memref<64xvector<4xf16>>
    gpu.return
  }

  gpu.func @runs(%A: memref<3x5xi1>, %B: memref<3x5xi1>) workgroup(%S: memref<3x5xi1, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    memref.copy %A, %S : memref<3x5xi1> to memref<3x5xi1, #gpu.address_space<workgroup>>
    memref.copy %S, %B : memref<3x5xi1, #gpu.address_space<workgroup>> to memref<3x5xi1>
    gpu.return
  }
}
