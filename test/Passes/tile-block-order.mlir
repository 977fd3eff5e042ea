// The tile of a block becomes arithmetic before copies are planned, and its range is known before that.
// RUN: tile-opt %s --lower-tile-copy | FileCheck %s
// RUN: tile-opt %s --tile-expand-versions | FileCheck %s
// RUN: tile-opt %s --tile-check-bounds=strict=true | FileCheck %s --check-prefix=KEPT
// RUN: sed 's/i32: 6, 1, 1/i32: 7, 1, 1/' %s > %t.more.mlir
// RUN: not tile-opt %t.more.mlir --tile-check-bounds=strict=true -o /dev/null 2>&1 | FileCheck %s --check-prefix=MORE

!matrix = !tile.buffer<96x64xf32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @rows
  // CHECK-SAME:    %[[M:[a-z0-9]*]]: index, %[[N:[a-z0-9]*]]: index, %[[B:[a-z0-9]*]]: index, %{{.*}}: memref
  // CHECK:         %[[I:.*]] = arith.divui %[[B]], %[[N]] : index
  // CHECK-NEXT:    %[[J:.*]] = arith.remui %[[B]], %[[N]] : index
  // CHECK:         memref.store %[[I]]
  // CHECK:         memref.store %[[J]]
  gpu.func @rows(%m: index, %n: index, %b: index, %out: memref<2xindex>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %i, %j = tile.block_order %b of (%m, %n) rows
    memref.store %i, %out[%c0] : memref<2xindex>
    memref.store %j, %out[%c1] : memref<2xindex>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @columns
  // CHECK-SAME:    %[[M:[a-z0-9]*]]: index, %[[N:[a-z0-9]*]]: index, %[[B:[a-z0-9]*]]: index, %{{.*}}: memref
  // CHECK:         %[[J:.*]] = arith.divui %[[B]], %[[M]] : index
  // CHECK-NEXT:    %[[I:.*]] = arith.remui %[[B]], %[[M]] : index
  // CHECK:         memref.store %[[I]]
  // CHECK:         memref.store %[[J]]
  gpu.func @columns(%m: index, %n: index, %b: index, %out: memref<2xindex>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %i, %j = tile.block_order %b of (%m, %n) columns
    memref.store %i, %out[%c0] : memref<2xindex>
    memref.store %j, %out[%c1] : memref<2xindex>
    gpu.return
  }

  // A grid of 3 x 2 tiles of 32 x 32 for six blocks: all are inside, in any order.
  // KEPT-LABEL:  gpu.func @inside
  // KEPT-COUNT-3: tile.block_order
  // CHECK-LABEL: gpu.func @inside
  // CHECK-NOT:     tile.block_order
  // A seventh block may leave it, in groups in either dimension.
  // MORE: note: %row: known only that it is from 0 to 4
  // MORE: %i, %j = tile.block_order
  // MORE: note: %column: known only that it is from 0 to 6
  // MORE: %i, %j = tile.block_order
  // MORE: note: %row{{.*}}: known only that it is from 0 to 3
  // MORE: %k, %l = tile.block_order
  // MORE: note: %column{{.*}}: known only that it is from 0 to 2
  // MORE: %o, %p = tile.block_order
  gpu.func @inside(%A: memref<96x64xf32>, %B: memref<96x64xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 6, 1, 1>} {
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %a = tile.view %A : memref<96x64xf32>
    %b = tile.view %B : memref<96x64xf32>
    %block = gpu.block_id x
    %i, %j = tile.block_order %block of (%c3, %c2) grouped(2)
    %k, %l = tile.block_order %block of (%c3, %c2) rows
    %o, %p = tile.block_order %block of (%c3, %c2) columns
    %i32 = arith.muli %i, %c32 : index
    %j32 = arith.muli %j, %c32 : index
    %k32 = arith.muli %k, %c32 : index
    %l32 = arith.muli %l, %c32 : index
    %o32 = arith.muli %o, %c32 : index
    %p32 = arith.muli %p, %c32 : index
    tile.copy %a[%i32, %j32] [32, 32] to %b[%k32, %l32] [32, 32] scope(cta) : !matrix to !matrix
    tile.copy %a[%o32, %p32] [32, 32] to %b[%k32, %l32] [32, 32] scope(cta) : !matrix to !matrix
    gpu.return
  }
}
