// Views of tiles: every form, as text, as generic text, and as bytecode; and their folds.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s
// RUN: tile-opt %s --verify-roundtrip -o /dev/null
// RUN: tile-opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

!ring = !tile.buffer<3x64x64xf16, shared, #tile.layout<(3, 64, 64) : (4096, 64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!stage = !tile.buffer<1x64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!tile = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!big = !tile.buffer<64x96xf16, global>
!turned = !tile.buffer<96x64xf16, global, #tile.layout<(96, 64) : (1, 96)>>
!open = !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (?, ?)>>
!rows = !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
!some = !tile.buffer<8x4xf32, local, #tile.layout<(8, 4) : (1@laneid, 1) + 4 + 8@laneid>>
!tensor = !tile.buffer<128x64xf32, tmem, #tile.layout<(128, 64) : (1@TLane, 1@TCol)>>
!columns = !tile.buffer<128x16xf32, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>

// CHECK-LABEL: func.func @forms
func.func @forms(%ring: !ring, %a: !big, %o: !open, %r: !rows, %t: !tensor, %k: index)
    -> (!tile, !tile.buffer<16x32xf16, global, #tile.layout<(16, 32) : (96, 1)>>, !turned, !open, !some, !columns,
        !tile.buffer<64x8x12xf16, global>, !tile.buffer<?x96xf16, global>) {
  // CHECK: %[[STAGE:.*]] = tile.subview %{{.*}}[%{{.*}}, 0, 0] [1, 64, 64] : !tile.buffer<3x64x64xf16, shared, #tile.layout<(3, 64, 64) : (4096, 64, 1), swizzle<base = 3, bits = 3, shift = 3>>> to !tile.buffer<1x64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
  %stage = tile.subview %ring[%k, 0, 0] [1, 64, 64] : !ring to !stage
  // CHECK: tile.reshape %[[STAGE]] : !tile.buffer<1x64x64xf16, shared, {{.*}} to !tile.buffer<64x64xf16, shared,
  %tile = tile.reshape %stage : !stage to !tile
  // CHECK: tile.subview %{{.*}}[8, %{{.*}}] [16, 32] : !tile.buffer<64x96xf16, global> to !tile.buffer<16x32xf16, global, #tile.layout<(16, 32) : (96, 1)>>
  %part = tile.subview %a[8, %k] [16, 32] : !big to !tile.buffer<16x32xf16, global, #tile.layout<(16, 32) : (96, 1)>>
  // CHECK: tile.permute %{{.*}} [1, 0] : !tile.buffer<64x96xf16, global> to !tile.buffer<96x64xf16, global, #tile.layout<(96, 64) : (1, 96)>>
  %turned = tile.permute %a [1, 0] : !big to !turned
  // CHECK: tile.permute %{{.*}} [1, 0] : !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (?, ?)>> to !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (?, ?)>>
  %open = tile.permute %o [1, 0] : !open to !open
  // CHECK: tile.subview %{{.*}}[8, 4] [8, 4] : !tile.buffer<32x8xf32, local, {{.*}} to !tile.buffer<8x4xf32, local, #tile.layout<(8, 4) : (1@laneid, 1) + 4 + 8@laneid>>
  %some = tile.subview %r[8, 4] [8, 4] : !rows to !some
  // CHECK: tile.subview %{{.*}}[0, %{{.*}}] [128, 16] : !tile.buffer<128x64xf32, tmem
  %columns = tile.subview %t[0, %k] [128, 16] : !tensor to !columns
  // CHECK: tile.reshape %{{.*}} : !tile.buffer<64x96xf16, global> to !tile.buffer<64x8x12xf16, global>
  %split = tile.reshape %a : !big to !tile.buffer<64x8x12xf16, global>
  // CHECK: tile.cast %{{.*}} : !tile.buffer<64x96xf16, global> to !tile.buffer<?x96xf16, global>
  %any = tile.cast %a : !big to !tile.buffer<?x96xf16, global>
  return %tile, %part, %turned, %open, %some, %columns, %split, %any
    : !tile, !tile.buffer<16x32xf16, global, #tile.layout<(16, 32) : (96, 1)>>, !turned, !open, !some, !columns,
      !tile.buffer<64x8x12xf16, global>, !tile.buffer<?x96xf16, global>
}

!part = !tile.buffer<16x32xf16, global, #tile.layout<(16, 32) : (96, 1)>>
!small = !tile.buffer<8x32xf16, global, #tile.layout<(8, 32) : (96, 1)>>

// Offsets of nested parts are added where that needs no new op.
// FOLD-LABEL: func.func @parts
// FOLD-SAME: %[[A:.*]]: !tile.buffer<64x96xf16, global>, %[[I:.*]]: index
func.func @parts(%a: !big, %i: index) -> (!small, !small, !big, !small) {
  %c8 = arith.constant 8 : index
  %p = tile.subview %a[%c8, 32] [16, 32] : !big to !part
  // FOLD-DAG: %[[ONE:.*]] = tile.subview %[[A]][12, 32] [8, 32]
  %one = tile.subview %p[4, 0] [8, 32] : !part to !small
  %q = tile.subview %a[0, 32] [16, 32] : !big to !part
  // FOLD-DAG: %[[TWO:.*]] = tile.subview %[[A]][%[[I]], 32] [8, 32]
  %two = tile.subview %q[%i, 0] [8, 32] : !part to !small
  %all = tile.subview %a[0, 0] [64, 96] : !big to !big
  // FOLD-DAG: %[[P:.*]] = tile.subview %[[A]][8, 32] [16, 32]
  // FOLD-DAG: %[[SUM:.*]] = tile.subview %[[P]][%[[I]], 0] [8, 32]
  %sum = tile.subview %p[%i, 0] [8, 32] : !part to !small
  // FOLD: return %[[ONE]], %[[TWO]], %[[A]], %[[SUM]]
  return %one, %two, %all, %sum : !small, !small, !big, !small
}

// FOLD-LABEL: func.func @others
// FOLD-SAME: %[[A:.*]]: !tile.buffer<64x96xf16, global>, %[[C:.*]]: !tile.buffer<2x3x4xf16, shared>
func.func @others(%a: !big, %c: !tile.buffer<2x3x4xf16, shared>)
    -> (!big, !tile.buffer<3x4x2xf16, shared, #tile.layout<(12, 2) : (1, 12)>>, !big, !tile.buffer<6144xf16, global>,
        !big, !tile.buffer<?x96xf16, global>) {
  %t = tile.permute %a [1, 0] : !big to !turned
  %back = tile.permute %t [1, 0] : !turned to !big
  %u = tile.permute %c [1, 0, 2]
    : !tile.buffer<2x3x4xf16, shared> to !tile.buffer<3x2x4xf16, shared, #tile.layout<(3, 2, 4) : (4, 12, 1)>>
  // FOLD-DAG: %[[V:.*]] = tile.permute %[[C]] [1, 2, 0]
  %v = tile.permute %u [0, 2, 1] : !tile.buffer<3x2x4xf16, shared, #tile.layout<(3, 2, 4) : (4, 12, 1)>>
    to !tile.buffer<3x4x2xf16, shared, #tile.layout<(12, 2) : (1, 12)>>
  %r = tile.reshape %a : !big to !tile.buffer<32x192xf16, global>
  %whole = tile.reshape %r : !tile.buffer<32x192xf16, global> to !big
  // FOLD-DAG: %[[FLAT:.*]] = tile.reshape %[[A]] : !tile.buffer<64x96xf16, global> to !tile.buffer<6144xf16, global>
  %flat = tile.reshape %r : !tile.buffer<32x192xf16, global> to !tile.buffer<6144xf16, global>
  %f = tile.cast %a : !big to !tile.buffer<?x96xf16, global, #tile.layout<(?, 96) : (?, 1)>>
  %known = tile.cast %f : !tile.buffer<?x96xf16, global, #tile.layout<(?, 96) : (?, 1)>> to !big
  // FOLD-DAG: %[[ANY:.*]] = tile.cast %[[A]] : !tile.buffer<64x96xf16, global> to !tile.buffer<?x96xf16, global>
  %any = tile.cast %f : !tile.buffer<?x96xf16, global, #tile.layout<(?, 96) : (?, 1)>> to !tile.buffer<?x96xf16, global>
  // FOLD: return %[[A]], %[[V]], %[[A]], %[[FLAT]], %[[A]], %[[ANY]]
  return %back, %v, %whole, %flat, %known, %any
    : !big, !tile.buffer<3x4x2xf16, shared, #tile.layout<(12, 2) : (1, 12)>>, !big, !tile.buffer<6144xf16, global>,
      !big, !tile.buffer<?x96xf16, global>
}
