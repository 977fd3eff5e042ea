// Views that a gpu.launch captures are analysed where they are, outside the launch; canonicalization moves them into the
// kernel before it is outlined, so that the kernel's arguments are memrefs.
// RUN: tile-opt %s --lower-tile-copy --remarks-filter-passed=tile-copy --remark-format=emitRemark -o %t.lowered.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOWERED < %t.lowered.mlir
// RUN: tile-opt %s --canonicalize --gpu-kernel-outlining --lower-tile-copy --remarks-filter-passed=tile-copy \
// RUN:   --remark-format=emitRemark -o %t.outlined.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=OUTLINED < %t.outlined.mlir
// CHECK: remark: [Passed] gmem_smem | {{.*}}Instructions="64 loads and 64 stores of 32 bits"
// CHECK: remark: [Passed] gmem_smem | {{.*}}Instructions="64 loads and 64 stores of 32 bits"
// LOWERED-NOT: tile.
// LOWERED: gpu.launch
// OUTLINED: gpu.launch_func @captured_kernel::@captured_kernel {{.*}} args(%arg1 : memref<64x64xf32>, %arg0 : memref<64x64xf32>
// OUTLINED: gpu.func @captured_kernel(%arg0: memref<64x64xf32> {{.*}}, %arg1: memref<64x64xf32> {{.*}}, %arg2: index)
// OUTLINED-NOT: tile.

!matrix = !tile.buffer<64x64xf32, global>
!part = !tile.buffer<32x64xf32, global>
!turned = !tile.buffer<64x32xf32, global, #tile.layout<(64, 32) : (1, 64)>>
!tile = !tile.buffer<64x32xf32, shared>
func.func @captured(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %row: index) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %a = tile.view %A : memref<64x64xf32> to !matrix
  %b = tile.view %B : memref<64x64xf32> to !matrix
  %even = tile.assume %row divisible_by 32 : index
  %p = tile.subview %a[%even, 0] [32, 64] : !matrix to !part
  %t = tile.permute %p [1, 0] : !part to !turned
  %q = tile.subview %b[%even, 0] [32, 64] : !matrix to !part
  %u = tile.permute %q [1, 0] : !part to !turned
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %s = tile.alloc : !tile
    tile.copy %t to %s scope(warp) : !turned to !tile
    gpu.barrier
    tile.copy %s to %u scope(warp) : !tile to !turned
    gpu.terminator
  }
  return
}
