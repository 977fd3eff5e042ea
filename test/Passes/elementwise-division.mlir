// RUN: tile-opt %s --lower-tile-copy -o /dev/null --remarks-filter=tile-map --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s

// Rows are divided by their sums: of two rows a thread, 64 elements each.
!global = !tile.buffer<64x64xf32, global>
!x = !tile.buffer<64x64xf32, local, #tile.layout<(32, 2, 64) : (1@laneid, 64, 1)>>
!sums = !tile.buffer<64x1xf32, local, #tile.layout<(32, 2, 1) : (1@laneid, 1, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // REMARK: elementwise-division.mlir:[[#@LINE+16]]:12: remark: [Missed] full-division | {{.*}}Function=exact | Divisions=128, Reciprocals=2,
  // REMARK-SAME: Remark="128 full divisions by 2 different numbers; with fastmath<arcp> they are as many products, and 2 reciprocals"
  // REMARK-NOT: full-division
  // CHECK-LABEL: .entry exact(
  // CHECK-NOT: rcp
  // CHECK-COUNT-128: div.rn.f32
  gpu.func @exact(%A: memref<64x64xf32>, %B: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32> to !global
    %b = tile.view %B : memref<64x64xf32> to !global
    %x = tile.alloc : !x
    %s = tile.alloc : !sums
    tile.copy %a to %x scope(cta) : !global to !x
    tile.reduce add %x to %s dim(1) scope(cta) : !x to !sums
    tile.map %x, %s to %x scope(cta) : !x, !sums to !x {
    ^bb0(%e: f32, %sum: f32):
      %r = arith.divf %e, %sum : f32
      tile.yield %r : f32
    }
    tile.copy %x to %b scope(cta) : !x to !global
    gpu.return
  }

  // CHECK-LABEL: .entry shared(
  // CHECK-NOT: div.
  // CHECK-COUNT-2: rcp.rn.f32
  // CHECK-NOT: rcp
  gpu.func @shared(%A: memref<64x64xf32>, %B: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32> to !global
    %b = tile.view %B : memref<64x64xf32> to !global
    %x = tile.alloc : !x
    %s = tile.alloc : !sums
    tile.copy %a to %x scope(cta) : !global to !x
    tile.reduce add %x to %s dim(1) scope(cta) : !x to !sums
    tile.map %x, %s to %x scope(cta) : !x, !sums to !x {
    ^bb0(%e: f32, %sum: f32):
      %r = arith.divf %e, %sum fastmath<arcp> : f32
      tile.yield %r : f32
    }
    tile.copy %x to %b scope(cta) : !x to !global
    gpu.return
  }

  // Each element has a divisor of its own: there is nothing to share.
  gpu.func @each(%A: memref<64x64xf32>, %B: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<64x64xf32> to !global
    %b = tile.view %B : memref<64x64xf32> to !global
    %x = tile.alloc : !x
    %y = tile.alloc : !x
    tile.copy %a to %x scope(cta) : !global to !x
    tile.copy %b to %y scope(cta) : !global to !x
    tile.map %x, %y to %x scope(cta) : !x, !x to !x {
    ^bb0(%e: f32, %f: f32):
      %r = arith.divf %e, %f : f32
      tile.yield %r : f32
    }
    tile.copy %x to %b scope(cta) : !x to !global
    gpu.return
  }
}
