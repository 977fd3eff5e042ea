// A read of a stage that may be of any stage waits for all copies, and a remark says so. Pointers and matrix descriptors of a stage
// are followed to that stage.

// RUN: tile-opt %s --tile-pipeline --remarks-filter=tile-copy --remark-format=emitRemark -o %t.mlir 2> %t.remarks
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: tile-opt %t.mlir --tile-check-sync -o /dev/null

// REMARK-NOT: ring-serialised
// REMARK:     :[[#@LINE+35]]:5: remark: [Passed] pipelined | {{.*}}Function=anywhere | {{.*}}Pending=0, {{.*}}waited for early"
// REMARK:     :[[#@LINE+37]]:7: remark: [Missed] ring-serialised | {{.*}}Expected=1, Loop={{.*}}Pending=0, {{.*}}Stages=3
// REMARK:     [Passed] pipelined | {{.*}}Function=descriptors | {{.*}}Pending=1, {{.*}}are in flight"
// REMARK-NOT: ring-serialised
// REMARK:     [Passed] pipelined | {{.*}}Function=in_bulk | {{.*}}are in flight"
// REMARK-NOT: ring-serialised

// CHECK-LABEL: gpu.func @anywhere
// CHECK:         scf.for
// CHECK:           nvvm.cp.async.wait.group 1
// CHECK:           nvvm.cp.async.wait.group 0
// CHECK-LABEL: gpu.func @descriptors
// CHECK:         scf.for
// CHECK:           nvvm.cp.async.wait.group 1
// CHECK-NOT:       nvvm.cp.async.wait.group
// CHECK:         scf.yield
// CHECK:         nvvm.cp.async.wait.group 0
// CHECK-LABEL: gpu.func @in_bulk
// CHECK:         nvvm.mbarrier.try_wait

!matrix = !tile.buffer<1024x64xf16, global>
!plain = !tile.buffer<64x64xf16, shared>
!row = !tile.buffer<1x64xf16, local>
!a = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!struct = !llvm.struct<(f32, f32, f32, f32)>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @anywhere(%A: memref<1024x64xf16>, %B: memref<1024x64xf16>, %rows: memref<1024xindex>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf16> to !matrix
    %b = tile.view %B : memref<1024x64xf16> to !matrix
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1024 = arith.constant 1024 : index
    %s = tile.alloc : !plain
    scf.for %row = %c0 to %c1024 step %c64 {
      tile.copy_async %a[%row, 0] [64, 64] to %s scope(cta) group : !matrix to !plain
      %which = memref.load %rows[%row] : memref<1024xindex>
      tile.copy %s[%which, 0] [1, 64] to %b[%row, 0] [1, 64] scope(cta) : !plain to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }

  gpu.func @descriptors(%A: memref<1024x64xf16>, %C: memref<128x4xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf16> to !matrix
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1024 = arith.constant 1024 : index
    %mask = arith.constant 262143 : i64
    %four = arith.constant 4 : i64
    %mode = arith.constant 4611686293305360384 : i64
    %zero = llvm.mlir.zero : !struct
    %s = tile.alloc {alignment = 1024 : i64} : !a
    %sum = scf.for %row = %c0 to %c1024 step %c64 iter_args(%so_far = %zero) -> (!struct) {
      tile.copy_async %a[%row, 0] [64, 64] to %s scope(cta) group : !matrix to !a
      %p = tile.parts %s : !a to !llvm.ptr<3>
      %i = llvm.ptrtoint %p : !llvm.ptr<3> to i64
      %m = arith.andi %i, %mask : i64
      %h = arith.shrui %m, %four : i64
      %d = arith.ori %h, %mode : i64
      nvvm.wgmma.fence.aligned
      %more = nvvm.wgmma.mma_async %d, %d, %so_far, <m = 64, n = 8, k = 16>,
        D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
      scf.yield %more : !struct
    } {tile.stages = 3 : i64}
    %t = gpu.thread_id x
    %e = llvm.extractvalue %sum[0] : !struct
    memref.store %e, %C[%t, %c0] : memref<128x4xf32>
    gpu.return
  }

  gpu.func @in_bulk(%A: memref<1024x64xf16>, %C: memref<128x4xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<1024x64xf16> to !matrix
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1024 = arith.constant 1024 : index
    %mask = arith.constant 262143 : i64
    %four = arith.constant 4 : i64
    %mode = arith.constant 4611686293305360384 : i64
    %zero = llvm.mlir.zero : !struct
    %s = tile.alloc {alignment = 1024 : i64} : !a
    %sum = scf.for %row = %c0 to %c1024 step %c64 iter_args(%so_far = %zero) -> (!struct) {
      tile.copy_async %a[%row, 0] [64, 64] to %s scope(cta) {variant = "bulk"} : !matrix to !a
      %p = tile.parts %s : !a to !llvm.ptr<3>
      %i = llvm.ptrtoint %p : !llvm.ptr<3> to i64
      %m = arith.andi %i, %mask : i64
      %h = arith.shrui %m, %four : i64
      %d = arith.ori %h, %mode : i64
      nvvm.wgmma.fence.aligned
      %more = nvvm.wgmma.mma_async %d, %d, %so_far, <m = 64, n = 8, k = 16>,
        D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !struct -> !struct
      scf.yield %more : !struct
    } {tile.stages = 3 : i64}
    %t = gpu.thread_id x
    %e = llvm.extractvalue %sum[0] : !struct
    memref.store %e, %C[%t, %c0] : memref<128x4xf32>
    gpu.return
  }
}
