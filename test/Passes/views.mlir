// A view costs nothing: the PTX is the same as with explicit regions.
// RUN: split-file %s %t
// RUN: tile-translate --tile-to-ptx %t/by-views.mlir -o %t/by-views.ptx
// RUN: tile-translate --tile-to-ptx %t/by-hand.mlir -o %t/by-hand.ptx
// RUN: diff %t/by-views.ptx %t/by-hand.ptx

// The stage ops refer to the underlying buffer, at the sum of the views' offsets.
// RUN: tile-opt %t/by-views.mlir --tile-align-layouts | FileCheck %t/by-views.mlir

//--- by-views.mlir
!a = !tile.buffer<64x96xf16, global>
!p = !tile.buffer<32x64xf16, global, #tile.layout<(32, 64) : (96, 1)>>
!s = !tile.buffer<2x32x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!h = !tile.buffer<1x32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!t = !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @window
  gpu.func @window(%A: memref<64x96xf16>, %i: index, %j: index, %k: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    // CHECK: %[[A:.*]] = tile.view
    %a = tile.view %A : memref<64x96xf16> to !a
    %s = tile.alloc : !s
    // CHECK: %[[S:.*]] = tile.alloc
    %i8 = tile.assume %i divisible_by 8 : index
    %part = tile.subview %a[%j, 32] [32, 64] : !a to !p
    %stage = tile.subview %s[%k, 0, 0] [1, 32, 64] : !s to !h
    %tile = tile.reshape %stage : !h to !t
    // CHECK: %[[SUM:.*]] = arith.addi %{{.*}}, %{{.*}} : index
    // CHECK: tile.planned_copy %[[A]][%[[SUM]]] to %[[S]][%{{.*}}] scope(cta) plan<matched "gmem_smem", threads = 64, {{.*}}src = {layout = {{.*}} + 32, space = global, {{.*}}terms = [{value = 0, stride = 96{{(, [^}]*)?}}}]{{.*}}dst = {layout = {{.*}}, swizzle<base = 3, bits = 3, shift = 3>, space = shared, {{.*}}terms = [{value = 0, stride = 2048{{(, [^}]*)?}}}]{{.*}}> : !tile.buffer<64x96xf16, global> to !tile.buffer<2x32x64xf16, shared
    tile.copy %part[%i8, 0] [8, 64] to %tile[8, 0] [8, 64] scope(cta) : !p to !t
    gpu.return
  }
}

//--- by-hand.mlir
!a = !tile.buffer<64x96xf16, global>
!s = !tile.buffer<2x32x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @window(%A: memref<64x96xf16>, %i: index, %j: index, %k: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<64x96xf16> to !a
    %s = tile.alloc : !s
    %i8 = tile.assume %i divisible_by 8 : index
    %row = arith.addi %j, %i8 : index
    tile.copy %a[%row, 32] [8, 64] to %s[%k, 8, 0] [1, 8, 64] scope(cta) : !a to !s
    gpu.return
  }
}
