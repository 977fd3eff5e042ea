// An op that states a scope that is none stays, with what it states and what it may.
// RUN: tile-opt --convert-linalg-to-tile %s -o /dev/null --remarks-filter-missed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @other(%a: memref<64xf32>, %b: memref<64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // CHECK: [[@LINE+1]]:5: remark: [Missed] stays-other-scope {{.*}}got tile.scope = "grid", expected one of thread, warp, warpgroup, cta in quotes
    linalg.exp {tile.scope = "grid"} ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    gpu.return
  }
}
