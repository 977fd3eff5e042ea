// A copy that would take fewer accesses if something were promised offers the line that begins a version.
// RUN: tile-opt --lower-tile-copy %s -o /dev/null --remarks-filter-missed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --implicit-check-not=version-would-widen

!matrix = !tile.buffer<?x?xf16, global>
!regs = !tile.buffer<1x512xf16, local, #tile.layout<(64, 8) : (1@tx, 1)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Extents and strides of a memref are its rows. The part of a masked copy that is inside needs no extent.
  // CHECK: :[[@LINE+8]]:5: remark: [Missed] version-would-widen | Category:tile-copy | Function=rows |
  // CHECK-SAME: Remark="would take accesses of 128 bits in a version", VectorBits=128, Version="tile.version %arg0 divisible_by 8 : memref<?x?xf16> {"
  // CHECK: :[[@LINE+6]]:5: remark: [Missed] version-would-widen | {{.*}}Version="tile.version %arg0 divisible_by 8 : memref<?x?xf16> {"
  gpu.func @rows(%A: memref<?x?xf16>, %B: memref<1x512xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16>
    %b = tile.view %B : memref<1x512xf16>
    %r = tile.alloc : !regs
    %row = gpu.block_id x
    tile.copy %a[%row, 0] [1, 512] to %r scope(cta) masked : !matrix to !regs
    tile.copy %r to %b scope(cta) : !regs to !tile.buffer<1x512xf16, global>
    gpu.return
  }

  // Numbers that are passed to the view, and an offset; each only as far as it helps.
  // CHECK: :[[@LINE+9]]:5: remark: [Missed] version-would-widen | {{.*}}Function=numbers
  // CHECK-SAME: Version="tile.version %arg3 divisible_by 8, %arg2 divisible_by 2 : index, index {"
  gpu.func @numbers(%A: memref<?xf16>, %n: index, %ld: index, %begin: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c4 = arith.constant 4 : index
    %step = arith.muli %ld, %c4 : index
    %a = tile.view %A extents(%n, %n) strides(%step) : memref<?xf16> to !matrix
    %r = tile.alloc : !regs
    %row = gpu.block_id x
    tile.copy %a[%row, %begin] [1, 512] to %r scope(cta) : !matrix to !regs
    gpu.return
  }

  // An address.
  // CHECK: :[[@LINE+5]]:5: remark: [Missed] version-would-widen | {{.*}}Function=address
  // CHECK-SAME: Version="tile.version %arg0 aligned 16 : memref<1x512xf16> {"
  gpu.func @address(%A: memref<1x512xf16> {llvm.align = 4}) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1x512xf16>
    %r = tile.alloc : !regs
    tile.copy %a to %r scope(cta) : !tile.buffer<1x512xf16, global> to !regs
    gpu.return
  }

  // None where the copy is in a version by these promises, and none where no promise helps: runs of one element.
  gpu.func @versioned(%A: memref<?x?xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16>
    %r = tile.alloc : !regs
    %row = gpu.block_id x
    tile.version %A divisible_by 8 : memref<?x?xf16> {
      tile.copy %a[%row, 0] [1, 512] to %r scope(cta) masked : !matrix to !regs
    }
    gpu.return
  }
  // Nor where the copy would take still more promises: a version has it for numbers of which nothing is promised. With the promises
  // it has the line, once for whole tiles and once for those at an edge.
  // CHECK: :[[@LINE+9]]:7: remark: [Missed] version-would-widen | {{.*}}Function=more
  // CHECK-SAME: Version="tile.version %arg0 aligned 16 : memref<?x?xf16> {"
  // CHECK: :[[@LINE+7]]:7: remark: [Missed] version-would-widen | {{.*}}Function=more
  // CHECK-SAME: Version="tile.version %arg0 aligned 16 : memref<?x?xf16> {"
  gpu.func @more(%A: memref<?x?xf16> {llvm.align = 2}) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16>
    %r = tile.alloc : !regs
    %row = gpu.block_id x
    tile.version %A divisible_by 8 : memref<?x?xf16> {
      tile.copy %a[%row, 0] [1, 512] to %r scope(cta) masked : !matrix to !regs
    }
    gpu.return
  }
  gpu.func @columns(%A: memref<?x?xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x?xf16>
    %r = tile.alloc : !tile.buffer<64x1xf16, local, #tile.layout<(64, 1) : (1@tx, 1)>>
    tile.copy %a[0, 0] [64, 1] to %r scope(cta)
      : !matrix to !tile.buffer<64x1xf16, local, #tile.layout<(64, 1) : (1@tx, 1)>>
    gpu.return
  }
  // None where a version cannot make the promise: no memref of 12 columns has rows that are multiples of 8.
  gpu.func @twelve(%A: memref<?x12xf16>, %i: index) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %a = tile.view %A : memref<?x12xf16>
    %r = tile.alloc : !tile.buffer<4x8xf16, local, #tile.layout<(4, 8) : (1@tx, 1)>>
    tile.copy %a[0, 4] [4, 8] to %r scope(cta) masked
      : !tile.buffer<?x12xf16, global> to !tile.buffer<4x8xf16, local, #tile.layout<(4, 8) : (1@tx, 1)>>
    gpu.return
  }
}
