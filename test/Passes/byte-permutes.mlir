// Bytes that change places within a thread: two prmt for each word of a transpose, one for words of two words, none for whole words.
// RUN: tile-opt --lower-tile-copy %s | FileCheck %s
!rows = !tile.buffer<4x4xi8, local>
!columns = !tile.buffer<4x4xi8, local, #tile.layout<(4, 4) : (1, 4)>>
!pair = !tile.buffer<2x4xi8, local>
!zipped = !tile.buffer<2x4xi8, local, #tile.layout<(2, 4) : (1, 2)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: @transposed
  // CHECK-COUNT-8: nvvm.prmt
  // CHECK-NOT: nvvm.prmt
  gpu.func @transposed() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.alloc : !rows
    %b = tile.alloc : !columns
    tile.copy %a to %b scope(thread) : !rows to !columns
    gpu.return
  }
  // CHECK-LABEL: @zipped
  // CHECK-COUNT-2: nvvm.prmt
  // CHECK-NOT: nvvm.prmt
  gpu.func @zipped() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.alloc : !pair
    %b = tile.alloc : !zipped
    tile.copy %a to %b scope(thread) : !pair to !zipped
    gpu.return
  }
  // CHECK-LABEL: @copied
  // CHECK-NOT: nvvm.prmt
  // CHECK: gpu.return
  gpu.func @copied() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.alloc : !pair
    %b = tile.alloc : !pair
    tile.copy %a to %b scope(thread) : !pair to !pair
    gpu.return
  }
}
