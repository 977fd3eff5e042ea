// The same loop loads through a tensor map on chips that have it, and by cp.async on others; a copy that asks for a group keeps it.
// RUN: tile-opt %s --tile-build=lower=false --remarks-filter=tile-copy --remark-format=emitRemark -o %t.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tile-opt %t.mlir --tile-check-sync -o /dev/null
// RUN: tile-opt %t.mlir --lower-tile-copy | FileCheck %s --check-prefix=PREFETCH
// RUN: tile-run %s --entry sum --schedule=all --grid 1 --arg f16[64x512]=iota --arg f16[64x64]=zeros | FileCheck %s --check-prefix=NEW
// RUN: tile-run %s --entry sum --delete-sync --grid 1 --arg f16[64x512]=iota --arg f16[64x64]=zeros | FileCheck %s --check-prefix=DELETED
// RUN: tile-run %s --entry sum --chip=sm_80 --schedule=all --grid 1 --arg f16[64x512]=iota --arg f16[64x64]=zeros \
// RUN:   | FileCheck %s --check-prefix=OLD
// RUN: tile-run %s --entry sum --passes='tile-build{maps=false}' --grid 1 --arg f16[64x512]=iota --arg f16[64x64]=zeros \
// RUN:   | FileCheck %s --check-prefix=OLD

!stage = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!matrix = !tile.buffer<?x512xf16, global>
!out = !tile.buffer<64x64xf16, global>
!words = !tile.buffer<64x64xf32, shared>
!numbers = !tile.buffer<?x512xf32, global>
!sums = !tile.buffer<64x64xf32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @sum(
  // CHECK-SAME:    !tile.tensor_map<
  // CHECK-COUNT-3: tile.copy_async {{.*}} mbarrier({{.*}}) through(
  // PREFETCH-COUNT-1: nvvm.prefetch tensormap
  // PREFETCH-NOT:  nvvm.prefetch
  // NEW:           cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes 8 131072
  // DELETED:       {{[0-9]+}} noticed, {{[0-9]+}} redundant, {{[0-9]+}} not executed, 0 not modelled, 0 missed
  // OLD:           cp.async.cg.shared.global
  gpu.func @sum(%A: memref<?x512xf16>, %B: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %a = tile.view %A : memref<?x512xf16>
    %b = tile.view %B : memref<64x64xf16>
    scf.for %k = %c0 to %c512 step %c64 {
      %s = tile.alloc : !stage
      // REMARK: [[@LINE+1]]:7: remark: [Passed] tensor-map-chosen | Category:tile-copy | Function=sum | Bytes=8192, Remark="goes through a tensor map: 1 instruction for 8192 bytes"
      tile.copy_async %a[0, %k] [64, 64] to %s scope(cta) : !matrix to !stage
      tile.copy %s to %b scope(cta) : !stage to !out
    } {tile.stages = 3 : i64}
    gpu.return
  }

  // CHECK-LABEL: gpu.func @grouped(
  // CHECK-NOT:     tensor_map
  gpu.func @grouped(%A: memref<?x512xf16>, %B: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %a = tile.view %A : memref<?x512xf16>
    %b = tile.view %B : memref<64x64xf16>
    scf.for %k = %c0 to %c512 step %c64 {
      %s = tile.alloc : !stage
      tile.copy_async %a[0, %k] [64, 64] to %s scope(cta) group : !matrix to !stage
      tile.copy %s to %b scope(cta) : !stage to !out
    } {tile.stages = 3 : i64}
    gpu.return
  }

  // What prevents it is said: a begin that may be anywhere would make the engine trap.
  // CHECK-LABEL: gpu.func @anywhere(
  // CHECK-NOT:     tensor_map
  gpu.func @anywhere(%A: memref<?x512xf32>, %B: memref<64x64xf32>, %begin: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %a = tile.view %A : memref<?x512xf32>
    %b = tile.view %B : memref<64x64xf32>
    scf.for %k = %c0 to %c8 step %c1 {
      %s = tile.alloc : !words
      %column = arith.addi %begin, %k : index
      // REMARK: [[@LINE+1]]:7: remark: [Missed] coordinate-not-16-bytes | {{.*}}Reason="the first coordinate is known to be a multiple of 4 bytes; needed 16, or the engine traps"
      tile.copy_async %a[0, %column] [64, 64] to %s scope(cta) : !numbers to !words
      tile.copy %s to %b scope(cta) : !words to !sums
    } {tile.stages = 3 : i64}
    gpu.return
  }
}
