// Zeros of sums in tensor memory are left where something else than their first product may see them.
// RUN: tile-opt %s --split-input-file --tile-insert-sync | FileCheck %s

!a = !tile.buffer<128x64xf16, shared, #tile.layout<(128, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!b = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!sums = !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
!row = !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
!all = !tile.buffer<128x64xf32, global>

// The first instruction of the product ignores the sums, the others add to them.
// CHECK-LABEL: gpu.func @replaced
// CHECK-NOT: tile.copy_async
// CHECK: nvvm.tcgen05.mma {{.*}}, %false {
// CHECK: nvvm.tcgen05.mma {{.*}}, %true{{.*}} {
// CHECK-NOT: %false
// CHECK: tile.copy_async
gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @replaced(%C: memref<128x64xf32>, %n: index, %more: i1) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %value = arith.constant 0.0 : f32
    %c = tile.view %C : memref<128x64xf32>
    %a = tile.alloc : !a
    %b = tile.alloc : !b
    %sums = tile.alloc : !sums
    %row = tile.alloc : !row
    tile.fill %value to %row scope(cta) : f32 to !row
    tile.copy %row to %sums scope(cta) : !row to !sums
    tile.mma %a, %b, %sums scope(cta) : !a, !b, !sums
    tile.copy %sums to %row scope(cta) : !sums to !row
    tile.copy %row to %c scope(cta) : !row to !all
    gpu.return
  }
}

// -----

!a = !tile.buffer<128x64xf16, shared, #tile.layout<(128, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!b = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!sums = !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
!row = !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
!all = !tile.buffer<128x64xf32, global>

// In a loop, it does in the first iteration. Without one, there are zeros.
// CHECK-LABEL: gpu.func @in_a_loop
// CHECK-NOT: tile.copy_async
// CHECK: scf.for %[[I:.*]] = %[[FIRST:.*]] to %[[END:.*]] step
// CHECK: %[[ADDS:.*]] = arith.cmpi ne, %[[I]], %[[FIRST]]
// CHECK: nvvm.tcgen05.mma {{.*}}, %[[ADDS]] {
// CHECK: %[[EMPTY:.*]] = arith.cmpi sge, %[[FIRST]], %[[END]]
// CHECK: scf.if %[[EMPTY]]
// CHECK: tile.fill
// CHECK: tile.copy_async
gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @in_a_loop(%C: memref<128x64xf32>, %n: index, %more: i1) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %value = arith.constant 0.0 : f32
    %c = tile.view %C : memref<128x64xf32>
    %a = tile.alloc : !a
    %b = tile.alloc : !b
    %sums = tile.alloc : !sums
    %row = tile.alloc : !row
    tile.fill %value to %row scope(cta) : f32 to !row
    tile.copy %row to %sums scope(cta) : !row to !sums
    scf.for %i = %c0 to %n step %c1 {
      tile.mma %a, %b, %sums scope(cta) : !a, !b, !sums
    }
    tile.copy %sums to %row scope(cta) : !sums to !row
    tile.copy %row to %c scope(cta) : !row to !all
    gpu.return
  }
}

// -----

!a = !tile.buffer<128x64xf16, shared, #tile.layout<(128, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!b = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!sums = !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
!row = !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
!all = !tile.buffer<128x64xf32, global>

// Sums are read in between.
// CHECK-LABEL: gpu.func @read
// CHECK: tile.copy_async
// CHECK-NOT: arith.constant false
// CHECK: nvvm.tcgen05.mma {{.*}}, %true{{.*}} {
gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @read(%C: memref<128x64xf32>, %n: index, %more: i1) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %value = arith.constant 0.0 : f32
    %c = tile.view %C : memref<128x64xf32>
    %a = tile.alloc : !a
    %b = tile.alloc : !b
    %sums = tile.alloc : !sums
    %row = tile.alloc : !row
    tile.fill %value to %row scope(cta) : f32 to !row
    tile.copy %row to %sums scope(cta) : !row to !sums
    tile.copy %sums to %row scope(cta) : !sums to !row
    tile.copy %row to %c scope(cta) : !row to !all
    tile.mma %a, %b, %sums scope(cta) : !a, !b, !sums
    tile.copy %sums to %row scope(cta) : !sums to !row
    tile.copy %row to %c scope(cta) : !row to !all
    gpu.return
  }
}

// -----

!a = !tile.buffer<128x64xf16, shared, #tile.layout<(128, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!b = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!sums = !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
!row = !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
!all = !tile.buffer<128x64xf32, global>

// Not every iteration multiplies.
// CHECK-LABEL: gpu.func @in_a_branch
// CHECK: tile.copy_async
// CHECK: scf.for
// CHECK-NOT: arith.cmpi ne
// CHECK: nvvm.tcgen05.mma {{.*}}, %true{{.*}} {
gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @in_a_branch(%C: memref<128x64xf32>, %n: index, %more: i1) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %value = arith.constant 0.0 : f32
    %c = tile.view %C : memref<128x64xf32>
    %a = tile.alloc : !a
    %b = tile.alloc : !b
    %sums = tile.alloc : !sums
    %row = tile.alloc : !row
    tile.fill %value to %row scope(cta) : f32 to !row
    tile.copy %row to %sums scope(cta) : !row to !sums
    scf.for %i = %c0 to %n step %c1 {
      scf.if %more {
        tile.mma %a, %b, %sums scope(cta) : !a, !b, !sums
      }
    }
    tile.copy %sums to %row scope(cta) : !sums to !row
    tile.copy %row to %c scope(cta) : !row to !all
    gpu.return
  }
}

// -----

!a = !tile.buffer<128x64xf16, shared, #tile.layout<(128, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!b = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!sums = !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
!row = !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
!all = !tile.buffer<128x64xf32, global>

// No zeros.
// CHECK-LABEL: gpu.func @ones
// CHECK: tile.copy_async
// CHECK: nvvm.tcgen05.mma {{.*}}, %true{{.*}} {
gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @ones(%C: memref<128x64xf32>, %n: index, %more: i1) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %value = arith.constant 1.0 : f32
    %c = tile.view %C : memref<128x64xf32>
    %a = tile.alloc : !a
    %b = tile.alloc : !b
    %sums = tile.alloc : !sums
    %row = tile.alloc : !row
    tile.fill %value to %row scope(cta) : f32 to !row
    tile.copy %row to %sums scope(cta) : !row to !sums
    tile.mma %a, %b, %sums scope(cta) : !a, !b, !sums
    tile.copy %sums to %row scope(cta) : !sums to !row
    tile.copy %row to %c scope(cta) : !row to !all
    gpu.return
  }
}

// -----

!a = !tile.buffer<128x64xf16, shared, #tile.layout<(128, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!b = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!sums = !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
!row = !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
!all = !tile.buffer<128x64xf32, global>

// The sums are what an iteration before has left.
// CHECK-LABEL: gpu.func @in_two_loops
// CHECK: tile.copy_async
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: arith.cmpi ne
// CHECK: nvvm.tcgen05.mma {{.*}}, %true{{.*}} {
gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @in_two_loops(%C: memref<128x64xf32>, %n: index, %more: i1) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %value = arith.constant 0.0 : f32
    %c = tile.view %C : memref<128x64xf32>
    %a = tile.alloc : !a
    %b = tile.alloc : !b
    %sums = tile.alloc : !sums
    %row = tile.alloc : !row
    tile.fill %value to %row scope(cta) : f32 to !row
    tile.copy %row to %sums scope(cta) : !row to !sums
    scf.for %j = %c0 to %n step %c1 {
      scf.for %i = %c0 to %n step %c1 {
        tile.mma %a, %b, %sums scope(cta) : !a, !b, !sums
      }
    }
    tile.copy %sums to %row scope(cta) : !sums to !row
    tile.copy %row to %c scope(cta) : !row to !all
    gpu.return
  }
}
