// A plain loop with bulk copies becomes a ring of mbarriers.
// RUN: tile-opt %s --tile-pipeline --canonicalize | FileCheck %s
// RUN: tile-opt %s --tile-pipeline --tile-check-sync -o /dev/null
// RUN: tile-opt %s --tile-pipeline --tile-insert-sync=remove-redundant=true -o /dev/null --remarks-filter-passed=.* --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// Every barrier is needed, and none is missing: none is removed, none is inserted.
// REMARK: remark: [Passed] pipelined | {{.*}}Copies=2, Pending=1, {{.*}}StageBytes=9216, Stages=3
// REMARK-NOT: redundant

!matrix = !tile.buffer<1024x64xf32, global>
!vectors = !tile.buffer<1024x8xf32, global>
!shared = !tile.buffer<32x64xf32, shared>
!few = !tile.buffer<32x8xf32, shared>
!columns = !tile.buffer<32x64xf32, local, #tile.layout<(32, 64) : (1, 1@tx)>>

// Both copies of an iteration arrive on the mbarrier of its stage.
// CHECK-LABEL: gpu.func @run_time
// CHECK:         %[[TRIPS:.*]] = arith.ceildivsi %arg3, %c32
// CHECK:         %[[ROOM:.*]] = tile.alloc {alignment = 8 : i64} : !tile.buffer<3xi64, shared>
// CHECK-NEXT:    %[[BARS:.*]] = tile.parts %[[ROOM]]
// CHECK:         scf.if %{{.*}} {
// CHECK-NEXT:      nvvm.mbarrier.init %[[BARS]], %c2_i32
// CHECK:           nvvm.mbarrier.init %{{.*}}, %c2_i32
// CHECK:           nvvm.mbarrier.init %{{.*}}, %c2_i32
// CHECK-NEXT:      nvvm.fence.mbarrier.init
// CHECK-NEXT:    }
// CHECK-NEXT:    gpu.barrier
// CHECK:         scf.if
// CHECK:           tile.copy_async %{{.*}}[0, 0] [32, 64] to %{{[0-9]+}} scope(cta) mbarrier(%[[BARS]] : !llvm.ptr<3>)
// CHECK:           tile.copy_async %{{.*}}[0, 0] [32, 8] to %{{[0-9]+}} scope(cta) mbarrier(%[[BARS]] : !llvm.ptr<3>)
// CHECK:         scf.if
// CHECK:           %[[ONE:.*]] = llvm.getelementptr %[[BARS]][1]
// CHECK:           tile.copy_async %{{.*}}[32, 0] [32, 64] to %{{[0-9]+}} scope(cta) mbarrier(%[[ONE]] : !llvm.ptr<3>)
// CHECK:         scf.for %[[K:.*]] = %c0 to %[[TRIPS]] step %c1
// CHECK-NEXT:      %[[STAGE:.*]] = arith.remui %[[K]], %c3
// CHECK:           %[[NUMBER:.*]] = arith.index_cast %[[STAGE]] : index to i32
// CHECK-NEXT:      %[[OWN:.*]] = llvm.getelementptr %[[BARS]][%[[NUMBER]]]
// CHECK-NEXT:      %[[LAP:.*]] = arith.divui %[[K]], %c3
// CHECK-NEXT:      %[[ODD:.*]] = arith.andi %[[LAP]], %c1
// CHECK-NEXT:      %[[PARITY:.*]] = arith.index_cast %[[ODD]] : index to i32
// CHECK-NEXT:      scf.while
// CHECK-NEXT:        nvvm.mbarrier.try_wait %[[OWN]], %[[PARITY]]
// CHECK:           %[[NEXT:.*]] = arith.addi %[[K]], %c2
// CHECK-NEXT:      %[[IS:.*]] = arith.cmpi slt, %[[NEXT]], %[[TRIPS]]
// CHECK-NEXT:      gpu.barrier
// CHECK-NEXT:      scf.if %[[IS]] {
// CHECK:             tile.copy_async {{.*}} mbarrier({{.*}} to !tile.buffer<32x64xf32, shared>
// CHECK-NEXT:        tile.copy_async {{.*}} mbarrier({{.*}} to !tile.buffer<32x8xf32, shared>
// CHECK-NEXT:      }
// CHECK-NOT:       gpu.barrier
// CHECK-NOT:       nvvm
// CHECK:         gpu.return
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @run_time(%A: memref<1024x64xf32>, %V: memref<1024x8xf32>, %B: memref<1024x64xf32>, %rows: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %v = tile.view %V : memref<1024x8xf32> to !vectors
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %s = tile.alloc : !shared
    %f = tile.alloc : !few
    scf.for %row = %c0 to %rows step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
      tile.copy_async %v[%row, 0] [32, 8] to %f scope(cta) {variant = "bulk"} : !vectors to !few
      %mine = tile.alloc : !columns
      tile.copy %s to %mine scope(cta) : !shared to !columns
      tile.copy %mine to %b[%row, 0] [32, 64] scope(cta) : !columns to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }

  // Each stage is used once: the only barrier follows the mbarriers' initialization. For a single warp, a warp barrier is enough.
  // CHECK-LABEL: gpu.func @once
  // CHECK:         nvvm.fence.mbarrier.init
  // CHECK:         nvvm.bar.warp.sync
  // CHECK:         scf.for
  // CHECK-NOT:       nvvm.bar.warp.sync
  // CHECK-NOT:       gpu.barrier
  // CHECK:         gpu.return
  gpu.func @once(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf32> to !matrix
    %b = tile.view %B : memref<1024x64xf32> to !matrix
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c96 = arith.constant 96 : index
    %s = tile.alloc : !shared
    scf.for %row = %c0 to %c96 step %c32 {
      tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
      tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
    } {tile.stages = 5 : i64}
    gpu.return
  }
}
