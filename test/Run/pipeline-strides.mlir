// The row stride of the source of bulk copies is known only at run time.
// RUN: tile-opt %s --tile-pipeline -o %t.mlir
// RUN: tile-opt %t.mlir --tile-check-sync -o /dev/null
// RUN: tile-run %t.mlir --schedule=all --arg f32[64x32]=random --arg u64=32 --arg f32[64x32]=poison --arg i64=64 --expect-equal 0,2 | FileCheck %s
// CHECK: schedule starve:0: argument 2 holds what argument 0 holds

!matrix = !tile.buffer<64x32xf32, global, #tile.layout<(64, 32) : (?, 1)>>
!dense = !tile.buffer<64x32xf32, global>
!shared = !tile.buffer<16x32xf32, shared, #tile.layout<(16, 32) : (40, 1)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @bulk(%A: memref<64x32xf32, strided<[?, 1]>>, %B: memref<64x32xf32>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %A
      : memref<64x32xf32, strided<[?, 1]>> -> memref<f32>, index, index, index, index, index
    %ld = tile.assume %strides#0 divisible_by 4 : index
    %a = tile.view %A strides(%ld) : memref<64x32xf32, strided<[?, 1]>> to !matrix
    %b = tile.view %B : memref<64x32xf32> to !dense
    %s = tile.alloc : !shared
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    scf.for %row = %c0 to %rows step %c16 {
      tile.copy_async %a[%row, 0] [16, 32] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
      tile.copy %s to %b[%row, 0] [16, 32] scope(cta) : !shared to !dense
    } {tile.stages = 2 : i64}
    gpu.return
  }
}
