// Ops that only name memory or state a promise: duplicates are merged, unused ones are erased. Each tile.alloc is separate
// memory, and is dead where nothing uses it; copies stay, whatever they copy.
// RUN: tile-opt %s --cse | FileCheck %s --check-prefix=CSE
// RUN: tile-opt %s --canonicalize | FileCheck %s --check-prefix=DEAD

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
!rows = !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
!lanes = !tile.buffer<128x4xf32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>
!words = !tile.buffer<128x4xf32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>

// CSE-LABEL: func.func @twice
// CSE:       %[[A:.*]] = tile.view
// CSE-NOT:   tile.view
// CSE:       %[[O:.*]] = tile.assume %{{.*}} divisible_by 8
// CSE-NEXT:  %[[P:.*]] = tile.assume %{{.*}} divisible_by 4
// CSE:       %[[S:.*]] = tile.alloc
// CSE:       %[[T:.*]] = tile.alloc
// CSE:       tile.copy %[[A]][%[[O]], 0] [8, 32] to %[[S]]
// CSE-NEXT:  tile.copy %[[A]][%[[O]], 0] [8, 32] to %[[S]]
// CSE-NEXT:  tile.copy_async %[[A]][%[[P]], 0] [8, 32] to %[[T]]
// CSE-NEXT:  tile.copy_async %[[A]][%[[P]], 0] [8, 32] to %[[T]]
func.func @twice(%A: memref<32x32xf32>, %i: index) {
  %a = tile.view %A : memref<32x32xf32> to !global
  %b = tile.view %A : memref<32x32xf32> to !global
  %o = tile.assume %i divisible_by 8 : index
  %o2 = tile.assume %i divisible_by 8 : index
  %p = tile.assume %i divisible_by 4 : index
  %s = tile.alloc : !shared
  %t = tile.alloc : !shared
  tile.copy %a[%o, 0] [8, 32] to %s[0, 0] [8, 32] scope(warp) : !global to !shared
  tile.copy %b[%o2, 0] [8, 32] to %s[0, 0] [8, 32] scope(warp) : !global to !shared
  tile.copy_async %a[%p, 0] [8, 32] to %t[0, 0] [8, 32] scope(warp) : !global to !shared
  tile.copy_async %b[%p, 0] [8, 32] to %t[0, 0] [8, 32] scope(warp) : !global to !shared
  return
}

// CSE-LABEL: func.func @registers
// CSE:       %[[U:.*]] = tile.tmem
// CSE-NOT:   tile.tmem
// CSE:       %[[R:.*]] = tile.alloc
// CSE:       tile.copy_async %[[U]] to %[[R]]
// CSE:       %[[M:.*]] = tile.local_view %[[R]]
// CSE-NEXT:  return %[[M]], %[[M]]
func.func @registers(%address: i32) -> (memref<4xf32>, memref<4xf32>) {
  %t = tile.tmem %address : !lanes
  %u = tile.tmem %address : !lanes
  %r = tile.alloc : !words
  tile.copy_async %u to %r scope(warpgroup) : !lanes to !words
  %m = tile.local_view %r : !words to memref<4xf32>
  %n = tile.local_view %r : !words to memref<4xf32>
  return %m, %n : memref<4xf32>, memref<4xf32>
}

// A copy of a tile onto itself changes nothing, unless it rounds the elements.
// DEAD-LABEL: func.func @onto_itself
// DEAD-NEXT:    tile.copy %{{.*}} to %{{.*}} scope(cta) convert(tf32)
// DEAD-NEXT:    return
func.func @onto_itself(%s: !shared) {
  tile.copy %s to %s scope(cta) : !shared to !shared
  tile.copy %s to %s scope(cta) convert(tf32) : !shared to !shared
  return
}

// CSE-LABEL: func.func @unread
// CSE-NEXT:  return
func.func @unread() {
  %s = tile.alloc : !shared
  return
}

// DEAD-LABEL: func.func @unused
// DEAD-NEXT:  return
func.func @unused(%A: memref<32x32xf32>, %address: i32, %i: index) {
  %a = tile.view %A : memref<32x32xf32> to !global
  %t = tile.tmem %address : !lanes
  %o = tile.assume %i divisible_by 8 : index
  %r = tile.alloc : !rows
  %m = tile.local_view %r : !rows to memref<8xf32>
  return
}

// A promise is kept although its value equals its operand: it adds a fact. So are copies that are never read.
// DEAD-LABEL: func.func @used
// DEAD:       %[[O:.*]] = tile.assume
// DEAD:       tile.copy %{{.*}}[%[[O]], 0]
// DEAD:       tile.copy_async
func.func @used(%A: memref<32x32xf32>, %i: index) {
  %a = tile.view %A : memref<32x32xf32> to !global
  %o = tile.assume %i divisible_by 8 : index
  %s = tile.alloc : !shared
  tile.copy %a[%o, 0] [8, 32] to %s[0, 0] [8, 32] scope(warp) : !global to !shared
  tile.copy_async %a to %s scope(warp) : !global to !shared
  return
}

// Memory that is only filled is dead; a copy onto itself that reduces is not.
// DEAD-LABEL: func.func @effects
// DEAD-NEXT:    tile.fill %{{.*}} to %{{.*}}[0, 4] [32, 8] scope(cta) : f32 to
// DEAD-NEXT:    tile.copy %{{.*}} to %{{.*}} scope(cta) reduce(add)
// DEAD-NEXT:    return
func.func @effects(%s: !shared, %v: f32) {
  %c4 = arith.constant 4 : index
  %t = tile.alloc : !shared
  tile.fill %v to %t scope(cta) : f32 to !shared
  tile.fill %v to %s[0, %c4] [32, 8] scope(cta) : f32 to !shared
  tile.copy %s to %s scope(cta) reduce(add) : !shared to !shared
  return
}
