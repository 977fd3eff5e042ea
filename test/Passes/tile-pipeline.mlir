// A plain loop becomes a ring: prologue, one wait, one barrier, copies ahead, epilogue.
// RUN: tile-opt %s --tile-pipeline --canonicalize --split-input-file | FileCheck %s
// RUN: tile-opt %s --tile-pipeline --tile-check-sync --split-input-file -o /dev/null

!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
!columns = !tile.buffer<32x64xf32, local, #tile.layout<(32, 64) : (1, 1@tx)>>

// CHECK-LABEL: gpu.func @run_time
// CHECK:         %[[TRIPS:.*]] = arith.ceildivsi %arg2, %c32
// CHECK:         %[[RING:.*]] = tile.alloc {{.*}}: !tile.buffer<3x32x64xf32, shared>
// CHECK:         scf.if
// CHECK:           tile.subview %[[RING]][0, 0, 0]
// CHECK:           tile.copy_async %{{.*}}[0, 0] [32, 64] to %{{[0-9]+}} scope(cta) :
// CHECK:         nvvm.cp.async.commit.group
// CHECK:         scf.if
// CHECK:           tile.subview %[[RING]][1, 0, 0]
// CHECK:           tile.copy_async %{{.*}}[32, 0] [32, 64]
// CHECK:         nvvm.cp.async.commit.group
// CHECK-NEXT:    %[[SUM:.*]] = scf.for %[[K:.*]] = %c0 to %[[TRIPS]] step %c1 iter_args(%[[SO_FAR:.*]] = %c0)
// CHECK-NEXT:      %[[STAGE:.*]] = arith.remui %[[K]], %c3
// CHECK-NEXT:      tile.subview %[[RING]][%[[STAGE]], 0, 0]
// CHECK:           nvvm.cp.async.wait.group 1
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %[[K]], %c2
// CHECK-NEXT:      %[[IS:.*]] = arith.cmpi slt, %[[NEXT]], %[[TRIPS]]
// CHECK-NEXT:      gpu.barrier
// CHECK-NEXT:      scf.if %[[IS]] {
// CHECK-NEXT:        %[[AHEAD:.*]] = arith.remui %[[NEXT]], %c3
// CHECK-NEXT:        tile.subview %[[RING]][%[[AHEAD]], 0, 0]
// CHECK:             tile.copy_async
// CHECK-NEXT:      }
// CHECK-NEXT:      nvvm.cp.async.commit.group
// CHECK-NOT:       gpu.barrier
// CHECK:           scf.yield
// CHECK:         nvvm.cp.async.wait.group 0
gpu.module @first [#nvvm.target<chip = "sm_90a">] {
  gpu.func @run_time(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %rows: index, %C: memref<1xindex>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc : !shared
    %sum = scf.for %row = %c0 to %rows step %c32 iter_args(%so_far = %c0) -> (index) {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      %mine = tile.alloc : !columns
      tile.copy %s to %mine scope(cta) : !shared to !columns
      tile.copy %mine to %b[%row, 0] [32, 64] scope(cta) : !columns to !matrix
      %more = arith.addi %so_far, %row : index
      scf.yield %more : index
    } {tile.stages = 3 : i64}
    %thread = gpu.thread_id x
    %is_first = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_first {
      memref.store %sum, %C[%c0] : memref<1xindex>
    }
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<1024x64xf16, global>
!tile = !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>

// Two iterations: two stages. Each thread reads what it has copied: no barrier. The alloc is in the loop; a copy uses a view.
// CHECK-LABEL: gpu.func @known
// CHECK:         tile.alloc {alignment = 1024 : i64} : !tile.buffer<2x32x64xf16, shared, #tile.layout<(2, 32, 64) : (2048, 64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
// CHECK-NOT:     scf.if
// CHECK:         nvvm.cp.async.commit.group
// CHECK-NOT:     gpu.barrier
// CHECK:         scf.for
// CHECK:           nvvm.cp.async.wait.group 0
// CHECK:           scf.if
// CHECK-COUNT-2:     tile.copy_async
gpu.module @second [#nvvm.target<chip = "sm_90a">] {
  gpu.func @known(%A: memref<1024x64xf16>, %B: memref<1024x64xf16>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf16> to !matrix
    %b = tile.view %B : memref<1024x64xf16> to !matrix
    %c7 = arith.constant 7 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c71 = arith.constant 71 : index
    scf.for %row = %c7 to %c71 step %c32 {
      %s = tile.alloc : !tile
      %top = tile.subview %s[0, 0] [16, 64] : !tile to !tile.buffer<16x64xf16, shared, #tile.layout<(16, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
      %middle = arith.addi %row, %c16 : index
      tile.copy_async %a[%row, 0] [16, 64] to %top scope(cta) group : !matrix to !tile.buffer<16x64xf16, shared, #tile.layout<(16, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
      tile.copy_async %a[%middle, 0] [16, 64] to %s[16, 0] [16, 64] scope(cta) group : !matrix to !tile
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !tile to !matrix
    } {tile.stages = 8 : i64}
    gpu.return
  }
}

// -----

!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>

// With one stage the loop stays a plain loop, and gets its waits and barriers.
// CHECK-LABEL: gpu.func @one
// CHECK:         tile.copy_async
// CHECK-NEXT:    nvvm.cp.async.wait.group 0
gpu.module @third [#nvvm.target<chip = "sm_90a">] {
  gpu.func @one(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc : !shared
    scf.for %row = %c0 to %rows step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) group : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 1 : i64}
    gpu.return
  }
}

// -----

// A loop without iterations stays.
!source = !tile.buffer<32x64xf32, global>
!stage = !tile.buffer<32x64xf32, shared>

// CHECK-LABEL: gpu.func @never
// CHECK-NOT:     tile.stages
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @never(%A: memref<32x64xf32>, %B: memref<32x64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<32x64xf32> to !source
    %b = tile.view %B : memref<32x64xf32> to !source
    %s = tile.alloc : !stage
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c4 to %c4 step %c1 {
      tile.copy_async %a to %s scope(cta) group : !source to !stage
      tile.copy %s to %b scope(cta) : !stage to !source
    } {tile.stages = 3 : i64}
    gpu.return
  }
}
