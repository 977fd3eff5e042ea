// Which variants decline a copy that reduces, and which reducing copies and fills are errors.
// RUN: not tile-opt --tile-align-layouts %s -o /dev/null --remarks-filter-missed=tile-copy --remark-policy=all --remark-format=emitRemark 2>&1 | FileCheck %s

!shared = !tile.buffer<8x8xf16, shared>
!fragment = !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
!words = !tile.buffer<8x8xi32, shared>
!global = !tile.buffer<8x8xi32, global>
!lanes = !tile.buffer<128x4xf32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @declines(%A: memref<8x8xi32>, %address: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !shared
    %r = tile.alloc : !fragment
    %zero = arith.constant 0.0 : f16
    tile.fill %zero to %r scope(warp) : f16 to !fragment
    // CHECK-DAG: :[[#@LINE+1]]:5: remark: [Missed] reducing-copy | {{.*}}Reason="the copy reduces by max; needed one that stores what it reads", {{.*}}Variant=ldstmatrix
    tile.copy %r to %s scope(warp) reduce(max) : !fragment to !shared
    %w = tile.alloc : !words
    %a = tile.view %A : memref<8x8xi32> to !global
    // CHECK-DAG: :[[#@LINE+2]]:5: error: 'tile.copy' op cannot be done by 'vec_128b': sm_100a reduces by 32 bits at a time; needed 128
    // CHECK-DAG: :[[#@LINE+1]]:5: remark: [Missed] reduction-width |
    tile.copy %w[0, 0] [1, 4] to %a[0, 0] [1, 4] scope(thread) reduce(add) {variant = "vec_128b"} : !words to !global
    %t = tile.tmem %address : !lanes
    %f = arith.constant 0.0 : f32
    // CHECK-DAG: :[[#@LINE+2]]:5: error: 'tile.fill' op cannot be done by any variant
    // CHECK-DAG: :[[#@LINE+1]]:5: note: fill declined: stores do not reach tensor memory; needed a fill of registers, and a copy of them
    tile.fill %f to %t scope(warpgroup) : f32 to !lanes
    gpu.return
  }

  // CHECK-DAG: :[[#@LINE+5]]:5: error: 'tile.fill' op got a filler that differs between threads of the warp: {{.*}} is 0 for thread 0 and 1 for thread 1; expected one value for all of them
  gpu.func @differs() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = gpu.thread_id x
    %i = arith.index_cast %x : index to i32
    %w = tile.alloc : !words
    tile.fill %i to %w scope(warp) : i32 to !words
    gpu.return
  }
}
