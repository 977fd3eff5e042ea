// Pixels of 3 bytes: rows shorter than a vector are joined where the image ends with a whole vector, at edges, too.
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter-passed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter-passed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=ANY
// RUN: tile-run %s --entry copy --grid 2,3 --schedule=all --arg u8[3x6000x3]=random --arg u8[3x6000x3]=poison --expect-equal 0,1
// RUN: tile-run %s --entry copy --grid 2,1 --arg u8[1x5008x3]=random --arg u8[1x5008x3]=poison --expect-equal 0,1
// RUN: tile-run %s --entry copy --grid 1,1 --arg u8[1x16x3]=random --arg u8[1x16x3]=poison --expect-equal 0,1
// RUN: tile-run %s --entry staged --grid 2,1 --schedule=all --arg u8[4999x3]=random --arg u8[4999x3]=poison --expect-equal 0,1
// RUN: tile-run %s --entry any --grid 2,1 --arg u8[4999x3]=random --arg u8[4999x3]=poison --expect-equal 0,1

!all = !tile.buffer<?x?x3xi8, global, #tile.layout<(?, ?, 3) : (?, 3, 1)>>
!image = !tile.buffer<?x3xi8, global>
!pixels = !tile.buffer<1x4096x3xi8, local, #tile.layout<(256, 16, 3) : (1@tx, 3, 1)>>
!stage = !tile.buffer<4096x3xi8, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK: copied by reg: 3 loads of 128 bits per thread
  // CHECK: copied by reg: 3 loads of 128 bits per thread, checked against 2 limits
  // CHECK: copied by reg: 3 stores of 128 bits per thread
  // CHECK: copied by reg: 3 stores of 128 bits per thread, checked against 2 limits
  gpu.func @copy(%X: memref<?x?x3xi8>, %Y: memref<?x?x3xi8>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4096 = arith.constant 4096 : index
    %m = memref.dim %X, %c0 : memref<?x?x3xi8>
    %p0 = memref.dim %X, %c1 : memref<?x?x3xi8>
    %p = tile.assume %p0 divisible_by 16 : index
    %p3 = arith.muli %p, %c3 : index
    %x = tile.view %X extents(%m, %p) strides(%p3) : memref<?x?x3xi8> to !all
    %y = tile.view %Y extents(%m, %p) strides(%p3) : memref<?x?x3xi8> to !all
    %b = gpu.block_id x
    %n = gpu.block_id y
    %o = arith.muli %b, %c4096 : index
    %r = tile.alloc : !pixels
    tile.copy %x[%n, %o, 0] [1, 4096, 3] to %r scope(cta) masked : !all to !pixels
    tile.copy %r to %y[%n, %o, 0] [1, 4096, 3] scope(cta) masked : !pixels to !all
    gpu.return
  }

  // cp.async that fills: the vectors at the end are clipped.
  // CHECK: copied by ldgsts: 3 cp.async of 128 bits per thread
  // CHECK: copied by ldgsts: 3 cp.async of 128 bits per thread, checked against 1 limit
  gpu.func @staged(%X: memref<?x3xi8>, %Y: memref<?x3xi8>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %zero = arith.constant 0 : i8
    %c4096 = arith.constant 4096 : index
    %x = tile.view %X : memref<?x3xi8>
    %y = tile.view %Y : memref<?x3xi8>
    %b = gpu.block_id x
    %o = arith.muli %b, %c4096 : index
    %s = tile.alloc : !stage
    tile.copy_async %x[%o, 0] [4096, 3] to %s scope(cta) group masked fill(%zero : i8) : !image to !stage
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %y[%o, 0] [4096, 3] scope(cta) masked : !stage to !image
    gpu.return
  }

  // An image that ends anywhere: pixels that follow each other are one row, of chunks.
  // ANY: copied by realign: 3 x 2 loads and 1 store of 128 bits, 1 x 1 load and 1 store of 8 bits per thread
  gpu.func @any(%X: memref<?x3xi8>, %Y: memref<?x3xi8>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c4096 = arith.constant 4096 : index
    %x = tile.view %X : memref<?x3xi8>
    %y = tile.view %Y : memref<?x3xi8>
    %b = gpu.block_id x
    %o = arith.muli %b, %c4096 : index
    tile.copy %x[%o, 0] [4096, 3] to %y[%o, 0] [4096, 3] scope(cta) masked : !image to !image
    gpu.return
  }
}
