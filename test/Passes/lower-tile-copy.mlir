// The three copy stages in one pass: the same result as the three passes in sequence.
// RUN: tile-opt %s --lower-tile-copy | FileCheck %s --implicit-check-not='{{= tile\.|^ *tile\.}}'
// RUN: tile-opt %s --lower-tile-copy -o %t.one.mlir
// RUN: tile-opt %s --tile-align-layouts --tile-vectorize-copy --tile-expand-copy | diff %t.one.mlir -

// Its options are the options of the stages.
// RUN: tile-opt %s '--lower-tile-copy=max-vector-bits=64 chip=sm_80 argument-alignment=16 variants=gmem_smem,ldgsts' -o %t.one.mlir
// RUN: tile-opt %s '--tile-align-layouts=max-vector-bits=64 chip=sm_80 argument-alignment=16 variants=gmem_smem,ldgsts' \
// RUN:   '--tile-vectorize-copy=max-vector-bits=64 chip=sm_80 argument-alignment=16' --tile-expand-copy=chip=sm_80 | diff %t.one.mlir -
// RUN: FileCheck %s --input-file=%t.one.mlir --check-prefix=NARROW

// If one copy cannot be lowered, nothing is printed.
// RUN: not tile-opt %s --lower-tile-copy=variants=reg 2>&1 | FileCheck %s --check-prefix=REFUSED --implicit-check-not=gpu.module

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL:   gpu.func @copy
  // CHECK-COUNT-8: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg
  // CHECK:         nvvm.cp.async.commit.group
  // CHECK-NEXT:    nvvm.cp.async.wait.group 0
  // CHECK-NEXT:    gpu.barrier
  // CHECK:         vector.load {{.*}} vector<4xf32>
  // NARROW:        nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache = ca
  // NARROW:        vector.load {{.*}} vector<2xf32>
  // REFUSED:       :[[#@LINE+6]]:5: error: 'tile.copy_async' op cannot be done by any variant
  gpu.func @copy(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    tile.copy_async %a to %s scope(warp) group : !global to !shared
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(warp) : !shared to !global
    gpu.return
  }
}
