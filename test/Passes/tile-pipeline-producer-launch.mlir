// A producer makes the block of a kernel larger, and its launches.
// RUN: tile-opt %s --tile-pipeline --canonicalize | FileCheck %s
// RUN: tile-opt %s --tile-build=lower=false --remarks-filter=tile-copy --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: sed 's/sm_90a/sm_80/; s/ {variant = "bulk"}//' %s > %t.mlir
// RUN: tile-opt %t.mlir --tile-build=lower=false --remarks-filter=tile-copy --remark-format=emitRemark -o %t.old.mlir 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: FileCheck %s --check-prefix=RING < %t.old.mlir

// CHECK-DAG: %[[THREADS:.*]] = arith.constant 256 : index
// CHECK-DAG: %[[GRID:.*]] = arith.constant 1 : index
// CHECK:     gpu.launch_func @kernels::@copy blocks in (%[[GRID]], %[[GRID]], %[[GRID]]) threads in (%[[THREADS]], %[[GRID]], %[[GRID]])
// CHECK:     known_block_size = array<i32: 256, 1, 1>
// One warpgroup of consumers has all registers that it can have.
// CHECK-NOT: setmaxregister
// CHECK:     } {tile.role = 128 : i64}
// REMARK:    [Passed] specialised | {{.*}}Awaited=1, Consumers=128, Copies=1, Remark="a warp of its own makes the copies", Stages=3

// OLD:       [Missed] no-producer | {{.*}}Remark="the threads of the kernel make the copies: the chip has no tensor maps"
// RING:      known_block_size = array<i32: 128, 1, 1>
// RING:      nvvm.cp.async.wait.group 1

!matrix = !tile.buffer<1024x64xf32, global>
!shared = !tile.buffer<32x64xf32, shared>

module attributes {gpu.container_module} {
  func.func @host(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
      args(%A : memref<1024x64xf32>, %B : memref<1024x64xf32>)
    return
  }

  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    gpu.func @copy(%A: memref<1024x64xf32>, %B: memref<1024x64xf32>) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %a = tile.view %A : memref<1024x64xf32>
      %b = tile.view %B : memref<1024x64xf32>
      %c0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c1024 = arith.constant 1024 : index
      %s = tile.alloc : !shared
      scf.for %row = %c0 to %c1024 step %c32 {
        tile.copy_async %a[%row, 0] [32, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !shared
        tile.copy %s to %b[%row, 0] [32, 64] scope(cta) : !shared to !matrix
      } {tile.stages = 3 : i64, tile.producer}
      gpu.return
    }
  }
}
