// A kernel alone is compiled without the scans of other functions of the host; a function that launches kernels stays.
// RUN: tile-translate --tile-to-ptx --kernel=copy %s | FileCheck %s --implicit-check-not=sums
// RUN: tile-translate --tile-to-ptx --kernel=sums %s | FileCheck %s --check-prefix=SUMS
// CHECK-DAG: .entry copy(
// CHECK-DAG: .entry totals(
// SUMS: .entry sums

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
    gpu.func @copy(%A: memref<64xf32>, %B: memref<64xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %a = tile.view %A : memref<64xf32>
      %b = tile.view %B : memref<64xf32>
      tile.copy %a to %b scope(cta) : !tile.buffer<64xf32, global> to !tile.buffer<64xf32, global>
      gpu.return
    }
  }
  func.func @scan(%x: memref<?xi32>, %y: memref<?xi32>, %w: memref<?xi8>, %epoch: i32) {
    tile.scan @kernels::@sums inclusive add %x to %y workspace(%w) epoch(%epoch) : memref<?xi32> to memref<?xi32>, memref<?xi8>
    return
  }
  func.func @both(%A: memref<64xf32>, %B: memref<64xf32>, %x: memref<?xi32>, %y: memref<?xi32>, %w: memref<?xi8>, %epoch: i32) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%A : memref<64xf32>, %B : memref<64xf32>)
    tile.scan @kernels::@totals inclusive add %x to %y workspace(%w) epoch(%epoch) : memref<?xi32> to memref<?xi32>, memref<?xi8>
    return
  }
}
