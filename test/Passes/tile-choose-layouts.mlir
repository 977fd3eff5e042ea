// Layouts that the compiler chooses: two orders, a ring through tensor maps, a product, views, tiles that loops carry, and what nobody
// accesses. The remark says what is proved.
// RUN: tile-opt %s --tile-choose-layouts --remarks-filter=tile-copy --remark-format=emitRemark -o %t.mlir 2> %t.remarks
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: tile-opt %t.mlir --tile-choose-layouts | FileCheck %s --check-prefix=NONE
// NONE-NOT: auto

!g32 = !tile.buffer<64x64xf32, global>
!t32 = !tile.buffer<64x64xf32, shared, auto>
!g16 = !tile.buffer<256x64xf16, global>
!t16 = !tile.buffer<64x64xf16, shared, auto>
!a = !tile.buffer<64x64xf16, local, #tile.fragment<mma.m16n8k16.a over (4, 1) warps>>
!c = !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @turn
  // CHECK:         tile.alloc : !tile.buffer<64x64xf32, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 0, bits = 5, shift = 6>>>
  // CHECK:         tile.permute {{.*}} to !tile.buffer<64x64xf32, shared, #tile.layout<(64, 64) : (1, 64), swizzle<base = 0, bits = 5, shift = 6>>>
  // REMARK:      [Passed] layout-chosen | {{.*}}Function=turn | Accesses="0: tile.copy at {{[^;]*}}; 1: tile.copy at {{[^;]*}}", IdealWavefronts=256, {{.*}}Remark="0 conflicts", Wavefronts=256
  gpu.func @turn(%A: memref<64x64xf32>, %B: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32>
    %b = tile.view %B : memref<64x64xf32>
    %s = tile.alloc : !t32
    tile.copy %a to %s scope(cta) : !g32 to !t32
    %t = tile.permute %s [1, 0] : !t32
    tile.copy %t to %b scope(cta) : !t32 to !g32
    gpu.return
  }

  // The engine's layouts, of which one is free of conflicts for ldmatrix.
  // CHECK-LABEL: gpu.func @ring
  // CHECK:         tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
  // REMARK:      [Passed] layout-chosen | {{.*}}Function=ring | Accesses="0: tile.copy at {{[^;]*}}", IdealWavefronts=256, {{.*}}Remark="0 conflicts", Wavefronts=256
  gpu.func @ring(%A: memref<256x64xf16>, %B: memref<256x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %a = tile.view %A : memref<256x64xf16>
    %b = tile.view %B : memref<256x64xf16>
    %f = tile.alloc : !a
    scf.for %i = %c0 to %c256 step %c64 {
      %s = tile.alloc : !t16
      tile.copy_async %a[%i, 0] [64, 64] to %s scope(cta) : !g16 to !t16
      tile.copy %s to %f scope(cta) : !t16 to !a
      tile.copy %f to %b[%i, 0] [64, 64] scope(cta) : !a to !g16
    } {tile.stages = 3 : i64}
    gpu.return
  }

  // Both factors of a product, which reads them by descriptors. The second one is used as it is, and by columns: two engines' worth of
  // layouts allow that, and one of them suits the copy best.
  // CHECK-LABEL: gpu.func @product
  // CHECK-COUNT-2: tile.alloc : !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
  gpu.func @product(%A: memref<256x64xf16>, %C: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<256x64xf16>
    %c = tile.view %C : memref<64x64xf32>
    %zero = arith.constant 0.0 : f32
    %sa = tile.alloc : !t16
    %sb = tile.alloc : !t16
    %sums = tile.alloc : !c
    tile.fill %zero to %sums scope(cta) : f32 to !c
    tile.copy %a[0, 0] [64, 64] to %sa scope(cta) : !g16 to !t16
    tile.copy %a[64, 0] [64, 64] to %sb scope(cta) : !g16 to !t16
    tile.mma %sa, %sb, %sums scope(cta) : !t16, !t16, !c
    tile.copy %sums to %c scope(cta) : !c to !g32
    gpu.return
  }

  // Two tiles that take turns have one layout, and their views follow.
  // CHECK-LABEL: gpu.func @turns
  // CHECK:         %[[ONE:.*]] = tile.alloc : [[TYPE:.*]]
  // CHECK:         %[[OTHER:.*]] = tile.alloc : [[TYPE]]
  // CHECK:         scf.for {{.*}} iter_args({{.*}} = %[[ONE]], {{.*}} = %[[OTHER]]) -> ([[TYPE]], [[TYPE]])
  // CHECK:           tile.subview {{.*}} : [[TYPE]] to !tile.buffer<32x64xf16, shared>
  gpu.func @turns(%A: memref<256x64xf16>, %B: memref<256x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c256 = arith.constant 256 : index
    %a = tile.view %A : memref<256x64xf16>
    %b = tile.view %B : memref<256x64xf16>
    %one = tile.alloc : !t16
    %other = tile.alloc : !t16
    %last:2 = scf.for %i = %c0 to %c256 step %c32 iter_args(%this = %one, %next = %other) -> (!t16, !t16) {
      %part = tile.subview %this[32, 0] [32, 64] : !t16
      tile.copy %a[%i, 0] [32, 64] to %part scope(cta) : !g16 to !tile.buffer<32x64xf16, shared, auto>
      gpu.barrier
      tile.copy %part to %b[%i, 0] [32, 64] scope(cta) : !tile.buffer<32x64xf16, shared, auto> to !g16
      scf.yield %next, %this : !t16, !t16
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @unused
  // CHECK:         tile.alloc : !tile.buffer<64x64xf16, shared>
  gpu.func @unused() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !t16
    gpu.return
  }
}
