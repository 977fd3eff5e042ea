// Types that operands determine may be left out; a part may lack dimensions of extent 1.
// RUN: tile-opt %s --split-input-file --verify-diagnostics | FileCheck %s
// RUN: tile-opt %s --split-input-file --verify-diagnostics | tile-opt --split-input-file | FileCheck %s

!ring = !tile.buffer<2x32x64xf32, shared, #tile.layout<(64, 64) : (65, 1)>>
!rows = !tile.buffer<32x64xf32, shared, #tile.layout<(32, 64) : (65, 1)>>
!regs = !tile.buffer<32x32xf32, local, #tile.layout<(32, 32) : (1@tx, 1)>>
// CHECK-LABEL: func.func @inferred
func.func @inferred(%ring: !ring, %regs: !regs, %k: index) {
  // CHECK: %[[ROWS:.*]] = tile.subview %{{.*}}[%{{.*}}, 0, 0] [1, 32, 64] : !tile.buffer<2x32x64xf32, shared, #tile.layout<(64, 64) : (65, 1)>> to !tile.buffer<32x64xf32, shared, #tile.layout<(32, 64) : (65, 1)>>
  %rows = tile.subview %ring[%k, 0, 0] [1, 32, 64] : !ring to !rows
  // CHECK: tile.subview %{{.*}} to !tile.buffer<1x32x64xf32, shared, #tile.layout<(1, 32, 64) : (2080, 65, 1)>>
  %slot = tile.subview %ring[%k, 0, 0] [1, 32, 64] : !ring
  // CHECK: tile.permute %[[ROWS]] [1, 0] : {{.*}} to !tile.buffer<64x32xf32, shared, #tile.layout<(64, 32) : (1, 65)>>
  %turned = tile.permute %rows [1, 0] : !rows
  // CHECK: tile.local_view %{{.*}} to memref<32xf32>
  %m = tile.local_view %regs : !regs
  return
}

// CHECK-LABEL: func.func @views
func.func @views(%A: memref<?x?xf32>, %B: memref<4x8xf32, strided<[16, 1]>>, %C: memref<?x8xf32, strided<[?, 1], offset: ?>>,
                 %D: memref<8xf32, 3>) {
  // CHECK: to !tile.buffer<?x?xf32, global>
  %a = tile.view %A : memref<?x?xf32>
  // CHECK: to !tile.buffer<4x8xf32, global, #tile.layout<(4, 8) : (16, 1)>>
  %b = tile.view %B : memref<4x8xf32, strided<[16, 1]>>
  // CHECK: to !tile.buffer<?x8xf32, global, #tile.layout<(?, 8) : (?, 1)>>
  %c = tile.view %C : memref<?x8xf32, strided<[?, 1], offset: ?>>
  // CHECK: to !tile.buffer<8xf32, shared>
  %d = tile.view %D : memref<8xf32, 3>
  return
}

// -----

func.func @view_of_pointer(%p: !llvm.ptr<1>) {
  // expected-error @below {{got !llvm.ptr<1>, which does not say the tile's type; expected it after 'to'}}
  %a = tile.view %p : !llvm.ptr<1>
  return
}

// -----

!ring = !tile.buffer<2x32x64xf32, shared>
func.func @part_of_few_dimensions(%ring: !ring) {
  // expected-error @below {{got 2}}
  %a = tile.subview %ring[0, 0] [1, 32] : !ring
  return
}

// -----

!ring = !tile.buffer<2x32x64xf32, shared>
func.func @no_permutation(%ring: !ring) {
  // expected-error @below {{got [0, 0, 1]; expected a permutation of 0 to 3, exclusive}}
  %a = tile.permute %ring [0, 0, 1] : !ring
  return
}

// -----

// Only dimensions of extent 1 may be left out.
!ring = !tile.buffer<2x32x64xf32, shared>
func.func @part_without_a_dimension(%ring: !ring) {
  // expected-error @below {{got !tile.buffer<32x64xf32, shared>, expected !tile.buffer<2x32x64xf32, shared>}}
  %a = tile.subview %ring[0, 0, 0] [2, 32, 64] : !ring to !tile.buffer<32x64xf32, shared>
  return
}

// -----

!ring = !tile.buffer<2x32x64xf32, shared>
func.func @run_time_size(%ring: !ring, %n: index) {
  // expected-error @below {{got a run-time size %n, expected an integer: sizes are constants, and 'masked' leaves out what is beyond an extent}}
  %a = tile.subview %ring[0, 0, 0] [1, %n, 64] : !ring
  return
}

// -----

!row = !tile.buffer<1x?x64xf32, global>
func.func @two_unknown_numbers(%A: memref<?xf32>, %n: index) {
  // expected-error @below {{got 1 extents and 0 strides, expected 1 and 1, one for each '?' of '!tile.buffer<1x?x64xf32, global>'; the type states no layout, which is then (1, ?, 64) : (?, 64, 1): outer rows are a run-time stride apart}}
  %a = tile.view %A extents(%n) : memref<?xf32> to !row
  return
}
