// Folders and canonicalization: views of casts, promises about constants, regions in their shortest form, copies that change
// nothing, and memory that is never read.
// RUN: tile-opt %s --canonicalize --split-input-file | FileCheck %s
// RUN: tile-opt %s --canonicalize --canonicalize --split-input-file | FileCheck %s

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

// CHECK-LABEL: func.func @casts(%arg0: memref<32x32xf32>, %arg1: memref<?x32xf32>)
// CHECK-NEXT:    %[[C:.*]] = memref.cast %arg1
// CHECK-NEXT:    %[[A:.*]] = tile.view %arg0 : memref<32x32xf32> to
// CHECK-NEXT:    %[[B:.*]] = tile.view %[[C]] : memref<32x32xf32> to
// CHECK-NEXT:    return %[[A]], %[[B]]
func.func @casts(%A: memref<32x32xf32>, %B: memref<?x32xf32>) -> (!global, !global) {
  %any = memref.cast %A : memref<32x32xf32> to memref<32x32xf32, strided<[32, 1], offset: ?>>
  %sized = memref.cast %B : memref<?x32xf32> to memref<32x32xf32>
  %a = tile.view %any : memref<32x32xf32, strided<[32, 1], offset: ?>> to !global
  %b = tile.view %sized : memref<32x32xf32> to !global
  return %a, %b : !global, !global
}

// -----

// A promise that its constant keeps is folded away; one that the constant breaks stays visible. 13 is no multiple of 8; i8 200
// is 200 or -56: both are multiples of 8, but only one is a multiple of 7.
// CHECK-LABEL: func.func @constants
// CHECK-DAG:     %[[SEVEN:.*]] = tile.assume %{{.*}} divisible_by 7 : i8
// CHECK-DAG:     %[[FALSE:.*]] = tile.assume %{{.*}} divisible_by 8 : index
// CHECK-DAG:     %[[C16:.*]] = arith.constant 16 : index
// CHECK-DAG:     %[[C200:.*]] = arith.constant -56 : i8
// CHECK-DAG:     %[[HALF:.*]] = arith.constant 5.000000e-01 : f32
// CHECK:         return %[[C16]], %[[FALSE]], %[[C200]], %[[SEVEN]], %[[HALF]]
func.func @constants() -> (index, index, i8, i8, f32) {
  %c16 = arith.constant 16 : index
  %c13 = arith.constant 13 : index
  %c200 = arith.constant 200 : i8
  %half = arith.constant 0.5 : f32
  %0 = tile.assume %c16 divisible_by 8 uniform(cta) : index
  %1 = tile.assume %c13 divisible_by 8 : index
  %2 = tile.assume %c200 divisible_by 8 : i8
  %3 = tile.assume %c200 divisible_by 7 : i8
  %4 = tile.assume %half uniform(warp) : f32
  return %0, %1, %2, %3, %4 : index, index, i8, i8, f32
}

// -----

// A promise that an earlier one implies is dropped.
// CHECK-LABEL: func.func @again(%arg0: index)
// CHECK-NEXT:    %[[A:.*]] = tile.assume %arg0 divisible_by 24 uniform(cta) : index
// CHECK-NEXT:    %[[B:.*]] = tile.assume %[[A]] divisible_by 16 : index
// CHECK-NEXT:    %[[C:.*]] = tile.assume %arg0 uniform(warp) : index
// CHECK-NEXT:    %[[D:.*]] = tile.assume %[[C]] uniform(cta) : index
// CHECK-NEXT:    return %[[A]], %[[A]], %[[A]], %[[B]], %[[D]]
func.func @again(%i: index) -> (index, index, index, index, index) {
  %0 = tile.assume %i divisible_by 24 uniform(cta) : index
  %1 = tile.assume %0 divisible_by 8 : index
  %2 = tile.assume %0 uniform(warp) : index
  %3 = tile.assume %2 divisible_by 12 uniform(warpgroup) : index
  %4 = tile.assume %3 divisible_by 16 : index
  %5 = tile.assume %i uniform(warp) : index
  %6 = tile.assume %5 uniform(cta) : index
  return %1, %2, %3, %4, %6 : index, index, index, index, index
}

// -----

// A promise of distinct numbers is about each execution of its op: another op may be executed less often, and a constant comes
// again.
// CHECK-LABEL: func.func @distinct(%arg0: index)
// CHECK:         %[[FIVE:.*]] = tile.assume %{{.*}} distinct(cta) : index
// CHECK:         %[[A:.*]] = tile.assume %arg0 distinct(cta) : index
// CHECK:         %[[B:.*]] = tile.assume %[[A]] distinct(cta) : index
// CHECK:         return %[[FIVE]], %[[B]]
func.func @distinct(%i: index) -> (index, index) {
  %c5 = arith.constant 5 : index
  %0 = tile.assume %c5 distinct(cta) : index
  %1 = tile.assume %i distinct(cta) : index
  %2 = tile.assume %1 distinct(cta) : index
  return %0, %2 : index, index
}

// -----

!row = !tile.buffer<1x64xf32, global>
!rows = !tile.buffer<8x64xf32, global>
!shared = !tile.buffer<1x64xf32, shared>

// A constant offset becomes a static one if it is in bounds. In a dimension that the region fills, the offset is 0. A region
// that is the whole tile is omitted.
// CHECK-LABEL: func.func @regions(%arg0: !tile.buffer<1x64xf32, global>, %arg1: !tile.buffer<8x64xf32, global>, %arg2: !tile.buffer<1x64xf32, shared>, %arg3: index)
// CHECK:         %[[FAR:.*]] = arith.constant 9 : index
// CHECK-NEXT:    tile.copy %arg0 to %arg2 scope(warp)
// CHECK-NEXT:    tile.copy %arg1[4, 0] [1, 64] to %arg2 scope(warp)
// CHECK-NEXT:    tile.copy %arg1[%arg3, 8] [1, 32] to %arg2[0, %arg3] [1, 32] scope(warp)
// CHECK-NEXT:    tile.copy_async %arg1[%arg3, 0] [1, 64] to %arg2 scope(warp) group
// CHECK-NEXT:    tile.copy %arg1[%[[FAR]], 0] [1, 64] to %arg2 scope(warp)
func.func @regions(%r: !row, %a: !rows, %s: !shared, %i: index) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %far = arith.constant 9 : index
  tile.copy %r[%i, 0] [1, 64] to %s[0, 0] [1, 64] scope(warp) : !row to !shared
  tile.copy %a[%c4, %i] [1, 64] to %s[%i, 0] [1, 64] scope(warp) : !rows to !shared
  tile.copy %a[%i, %c8] [1, 32] to %s[%i, %i] [1, 32] scope(warp) : !rows to !shared
  tile.copy_async %a[%i, %i] [1, 64] to %s[%i, %i] [1, 64] scope(warp) group : !rows to !shared
  tile.copy %a[%far, 0] [1, 64] to %s scope(warp) : !rows to !shared
  return
}

// -----

!tile = !tile.buffer<32x32xf32, shared>

// A copy of a region onto itself is erased. An asynchronous one stays if a wait may follow it, if its destination is in
// another CTA, or if it writes zeros.
// CHECK-LABEL: func.func @itself
// CHECK-NEXT:    tile.copy %arg0[%arg1, 0] [8, 32] to %arg0[%arg2, 0] [8, 32] scope(cta)
// CHECK-NEXT:    tile.copy_async %arg0 to %arg0 scope(cta) group
// CHECK-NEXT:    tile.copy_async %arg0 to %arg0 scope(cta) mbarrier(%arg3
// CHECK-NEXT:    tile.copy_async %arg0 to %arg0 scope(thread) mbarrier(%arg3 : !llvm.ptr<3>) remote_cta(%arg4)
// CHECK-NEXT:    tile.copy_async %arg0 to %arg0 scope(cta) predicate(%arg5) {fill = "zero"}
// CHECK-NEXT:    return
func.func @itself(%s: !tile, %i: index, %j: index, %bar: !llvm.ptr<3>, %rank: i32, %p: i1) {
  tile.copy %s to %s scope(cta) : !tile to !tile
  tile.copy %s[0, 0] [32, 32] to %s scope(cta) : !tile to !tile
  tile.copy %s[%i, 0] [8, 32] to %s[%i, 0] [8, 32] scope(cta) : !tile to !tile
  tile.copy %s[%i, 0] [8, 32] to %s[%j, 0] [8, 32] scope(cta) : !tile to !tile
  tile.copy_async %s to %s scope(cta) : !tile to !tile
  tile.copy_async %s to %s scope(cta) group : !tile to !tile
  tile.copy_async %s to %s scope(cta) mbarrier(%bar : !llvm.ptr<3>) : !tile to !tile
  tile.copy_async %s to %s scope(thread) mbarrier(%bar : !llvm.ptr<3>) remote_cta(%rank) : !tile to !tile
  tile.copy_async %s to %s scope(cta) predicate(%p) {fill = "zero"} : !tile to !tile
  return
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

// Memory that is only written is erased together with its writes; the source of these copies may be dead then, too.
// CHECK-LABEL: func.func @unread
// CHECK-NEXT:    %[[A:.*]] = tile.view
// CHECK-NEXT:    %[[S:.*]] = tile.alloc
// CHECK-NEXT:    tile.copy_async %[[A]] to %[[S]]
// CHECK-NEXT:    return
func.func @unread(%A: memref<32x32xf32>) {
  %a = tile.view %A : memref<32x32xf32> to !global
  %first = tile.alloc : !shared
  %second = tile.alloc : !shared
  tile.copy %a to %first scope(cta) : !global to !shared
  tile.copy %first to %second scope(cta) : !shared to !shared
  %awaited = tile.alloc : !shared
  tile.copy_async %a to %awaited scope(cta) group : !global to !shared
  return
}
