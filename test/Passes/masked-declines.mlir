// Which variants decline a masked copy, what keeps its vectors narrow, and which masked copies are errors.
// RUN: not tile-opt --tile-align-layouts --tile-vectorize-copy --split-input-file %s --remarks-filter-missed=tile-copy --remarks-filter-passed=tile-copy --remark-policy=all -o /dev/null 2>&1 | FileCheck %s
// RUN: not tile-opt --tile-align-layouts %s --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REFUSED

!rows = !tile.buffer<?x64xf16, global>
!tile = !tile.buffer<8x64xf16, shared>
!narrow = !tile.buffer<8x60xf16, global, #tile.layout<(8, 60) : (64, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @declines(%A: memref<?x64xf16>, %N: memref<8x60xf16, strided<[64, 1]>>, %i: index, %n: index, %b: !llvm.ptr<3>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %zero = arith.constant 0.0 : f16
    %one = arith.constant 1.0 : f16
    %a = tile.view %A : memref<?x64xf16> to !rows
    %e = tile.view %N : memref<8x60xf16, strided<[64, 1]>> to !narrow
    %s = tile.alloc : !tile
    %w = tile.alloc : !tile.buffer<8x8xf16, shared>
    %r = tile.alloc : !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
    // CHECK-DAG: :[[#@LINE+1]]:5: remark: [Passed] ldgsts | {{.*}}Masked="1 limit"
    tile.copy_async %a[%i, 0] [8, 64] to %s scope(warp) mbarrier(%b : !llvm.ptr<3>) masked fill(%zero : f16) : !rows to !tile
    // CHECK-DAG: :[[#@LINE+2]]:5: remark: [Missed] fill-not-zero | {{.*}}Reason="cp.async fills with zeros; needed a fill that is known to be zero, or none"
    // CHECK-DAG: :[[#@LINE+1]]:5: remark: [Passed] synchronous
    tile.copy_async %a[%i, 0] [8, 64] to %s scope(warp) group masked fill(%one : f16) : !rows to !tile
    // CHECK-DAG: :[[#@LINE+2]]:5: remark: [Missed] masked-copy | {{.*}}Reason="the copy is masked; needed one that copies all of its region", {{.*}}Variant=ldstmatrix
    // CHECK-DAG: :[[#@LINE+1]]:5: remark: [Passed] reg | {{.*}}Masked="1 limit"
    tile.copy %w[%i, 0] [8, 8] to %r scope(warp) masked fill(%zero : f16)
      : !tile.buffer<8x8xf16, shared> to !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
    // An extent of 60 columns allows vectors of 4.
    // CHECK-DAG: :[[#@LINE+1]]:5: remark: [Passed] gmem_smem | {{.*}}Masked="1 limit", Narrowed=mask-not-divisible, NarrowedWhy="the source is masked at an extent that is a multiple of 60; needed a multiple of 8", {{.*}}VectorBits=64
    tile.copy %e[0, 0] [8, 64] to %s scope(warp) masked : !narrow to !tile
    gpu.return
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Columns from 14 on, 18 of which exist, in a layout that stores them in reverse order.
  gpu.func @backwards(%A: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32xf32> to !tile.buffer<32xf32, global>
    %s = tile.alloc : !tile.buffer<32xf32, shared, #tile.layout<(32) : (-1) + 31>>
    // CHECK-DAG: :[[#@LINE+2]]:5: remark: [Missed] invalid-layout | {{.*}}Reason="the layout reaches address -14 on axis 'm'; addresses start at 0"
    // REFUSED-DAG: :[[#@LINE+1]]:5: error: 'tile.copy' op cannot be done by any variant
    tile.copy %s[14] [32] to %a scope(warp) masked
      : !tile.buffer<32xf32, shared, #tile.layout<(32) : (-1) + 31>> to !tile.buffer<32xf32, global>
    gpu.return
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @threads(%A: memref<64x8xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x8xf16> to !tile.buffer<64x8xf16, global>
    %r = tile.alloc : !tile.buffer<32x8xf16, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    // REFUSED: :[[#@LINE+1]]:5: error: 'tile.copy' op dimension 0 of the destination is masked, and counts on axis 'laneid'; needed memory
    tile.copy %a to %r[0, 0] [64, 8] scope(warp) masked
      : !tile.buffer<64x8xf16, global> to !tile.buffer<32x8xf16, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
    gpu.return
  }
}

// -----

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @one_lane(%A: memref<1x20xf64>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<1x20xf64> to !tile.buffer<1x20xf64, global>
    %r = tile.alloc : !tile.buffer<1x2xf64, local, #tile.layout<(1, 2) : (1@laneid, 1)>>
    // The thread axis of extent 1 puts the tile in lane 0; a mask in the other dimension does not change that.
    // CHECK-DAG: :[[#@LINE+1]]:5: remark: [Missed] thread-axis-wider-than-scope | {{.*}}Reason="the destination's axis 'laneid' counts within a warp, wider than the op's scope, a thread"
    tile.copy %a[0, -2] [1, 9] to %r[0, -4] [1, 9] scope(thread) masked
      : !tile.buffer<1x20xf64, global> to !tile.buffer<1x2xf64, local, #tile.layout<(1, 2) : (1@laneid, 1)>>
    gpu.return
  }
}
