// Conversions that are declined, and for which chips: variants that move bytes decline a converting copy, and name both types.

// RUN: not tile-opt %s --tile-align-layouts -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark:

!global = !tile.buffer<32x32xf32, global>
!half = !tile.buffer<32x32xf16, shared>
!shared = !tile.buffer<32x32xf32, shared>
!tiny = !tile.buffer<32x32xf8E5M2, shared>
!fragment = !tile.buffer<8x8xbf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
!square = !tile.buffer<8x8xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @bytes(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !half
    %t = tile.alloc : !shared
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] converts-elements | {{.*}}Reason="{{.*}} f32, {{.*}} f16; needed elements that are moved as they are"
    tile.copy_async %a to %s scope(warp) group {variant = "ldgsts"} : !global to !half

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] converts-elements | {{.*}}Reason="{{.*}} f32, {{.*}} f32, rounded to tf32; {{.*}}"
    tile.copy_async %a to %t scope(warp) group convert(tf32) {variant = "ldgsts"} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] converts-elements | {{.*}}f32{{.*}}f16
    tile.copy_async %a to %s scope(warp) {variant = "bulk"} : !global to !half
    gpu.return
  }

  gpu.func @matrices() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !square
    %r = tile.alloc : !fragment
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] converts-elements | {{.*}}f16{{.*}}bf16
    tile.copy %s to %r scope(warp) {variant = "ldstmatrix"} : !square to !fragment
    gpu.return
  }

  gpu.func @chip(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !tiny
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chip-lacks-fp8-conversion | {{.*}}Reason="a conversion from f32 to f8E5M2 needs sm_89 {{.*}} got sm_80"
    tile.copy %a to %s scope(warp) {variant = "gmem_smem"} : !global to !tiny

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chip-lacks-fp8-conversion | {{.*}}
    tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !tiny
    gpu.return
  }
}
