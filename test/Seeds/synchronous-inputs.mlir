// Which variant performs an asynchronous copy, and which copies are synchronous, depending on the chip, the size of a thread's
// share, and the copy's requests. test/Run/synchronous-inputs.test runs all kernels.

// RUN: tile-opt %s --tile-align-layouts 2>/dev/null | FileCheck %s
// RUN: tile-opt %s --tile-align-layouts -o /dev/null --remarks-filter-passed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: sed 's/ group//' %s | tile-opt - --tile-align-layouts=chip=sm_75 -o /dev/null --remarks-filter-passed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SM75
// RUN: tile-translate %s --tile-to-ptx --chip=sm_80 2>/dev/null | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ tile-translate %s --tile-to-ptx --chip=sm_90a 2>/dev/null \
// RUN:   | %sass_count - | FileCheck %s --check-prefix=SASS --implicit-check-not='{{^(stack bytes|spill bytes|LD|ST|LDL|STL): [1-9]}}' %}

!apart = !tile.buffer<32x6xi8, shared, #tile.layout<(32, 6) : (8, 1)>>
!blocks = !tile.buffer<8x6xf32, shared, #tile.layout<(2, 4, 6) : (32, 6, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Rows of 6 bytes, 8 apart in shared memory, are too narrow for cp.async. The group is committed, because the caller counts it.
  // CHECK-LABEL: gpu.func @small_shares(
  // CHECK:      tile.planned_copy {{.*}}plan<matched "gmem_smem"
  // CHECK-NEXT: nvvm.cp.async.commit.group
  // CHECK-NEXT: nvvm.cp.async.wait.group 0
  // REMARK: remark: [Passed] synchronous | {{.*}}Function=small_shares | Remark="done by the synchronous variant gmem_smem", Variant=gmem_smem
  // PTX-LABEL: .entry small_shares(
  // PTX-NOT: cp.async.{{c[ag]}}
  // PTX: cp.async.commit_group;
  // PTX: ret;
  gpu.func @small_shares(%A: memref<32x6xi8>, %B: memref<32x6xi8>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x6xi8> to !tile.buffer<32x6xi8, global>
    %b = tile.view %B : memref<32x6xi8> to !tile.buffer<32x6xi8, global>
    %s = tile.alloc : !apart
    tile.copy_async %a to %s scope(warp) group : !tile.buffer<32x6xi8, global> to !apart
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b scope(warp) : !apart to !tile.buffer<32x6xi8, global>
    gpu.return
  }

  // Rows at a run-time offset inside a block of rows: one thread copies.
  // CHECK-LABEL: gpu.func @inside_blocks(
  // CHECK: tile.planned_copy {{.*}} plan<scalar "fallback", owner = scope_thread(0)
  // CHECK-NOT: commit.group
  // REMARK: remark: [Passed] synchronous | {{.*}}Function=inside_blocks | Remark="done by the synchronous variant fallback", Variant=fallback
  // PTX-LABEL: .entry inside_blocks(
  gpu.func @inside_blocks(%A: memref<4x6xf32>, %B: memref<4x6xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<4x6xf32> to !tile.buffer<4x6xf32, global>
    %b = tile.view %B : memref<4x6xf32> to !tile.buffer<4x6xf32, global>
    %s = tile.alloc : !blocks
    %row = gpu.block_id x
    tile.copy_async %a to %s[%row, 0] [4, 6] scope(warp) : !tile.buffer<4x6xf32, global> to !blocks
    gpu.barrier
    tile.copy %s[%row, 0] [4, 6] to %b scope(warp) : !blocks to !tile.buffer<4x6xf32, global>
    gpu.return
  }

  // From shared memory to registers, and from registers to global memory, no instruction is asynchronous.
  // CHECK-LABEL: gpu.func @other_ways(
  // CHECK: tile.planned_copy {{.*}}plan<matched "ldgsts"
  // CHECK: tile.planned_copy {{.*}}plan<matrix 
  // CHECK: tile.planned_copy {{.*}}plan<matched "reg"
  // REMARK: remark: [Passed] synchronous | {{.*}}Function=other_ways | Remark="done by the synchronous variant ldstmatrix", Variant=ldstmatrix
  // REMARK: remark: [Passed] synchronous | {{.*}}Function=other_ways | Remark="done by the synchronous variant reg", Variant=reg
  gpu.func @other_ways(%A: memref<8x8xf16>, %B: memref<8x8xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<8x8xf16> to !tile.buffer<8x8xf16, global>
    %b = tile.view %B : memref<8x8xf16> to !tile.buffer<8x8xf16, global>
    %s = tile.alloc : !tile.buffer<8x8xf16, shared>
    %r = tile.alloc : !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
    tile.copy_async %a to %s scope(warp) group : !tile.buffer<8x8xf16, global> to !tile.buffer<8x8xf16, shared>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy_async %s to %r scope(warp)
      : !tile.buffer<8x8xf16, shared> to !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>>
    tile.copy_async %r to %b scope(warp)
      : !tile.buffer<8x8xf16, local, #tile.layout<(8, 4, 2) : (4@laneid, 1@laneid, 1)>> to !tile.buffer<8x8xf16, global>
    gpu.return
  }

  // Before sm_80 there is no cp.async.
  // SM75: remark: [Passed] synchronous | {{.*}}Function=other_ways | Remark="done by the synchronous variant gmem_smem", Variant=gmem_smem

  // The variant may be requested.
  // CHECK-LABEL: gpu.func @asked(
  // CHECK: tile.planned_copy {{.*}}plan<matched "gmem_smem"
  // REMARK: remark: [Passed] synchronous | {{.*}}Function=asked | Remark="done by the synchronous variant gmem_smem", Variant=gmem_smem
  gpu.func @asked(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %b = tile.view %B : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
    %s = tile.alloc : !tile.buffer<32x32xf32, shared>
    tile.copy_async %a to %s scope(warp) {variant = "synchronous"}
      : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, shared>
    gpu.barrier
    tile.copy %s to %b scope(warp) : !tile.buffer<32x32xf32, shared> to !tile.buffer<32x32xf32, global>
    gpu.return
  }

  // SASS-LABEL: kernel asked
  // SASS: LDGSTS: 0
  // SASS-LABEL: kernel other_ways
  // SASS: LDSM: 1
  // SASS: LDGSTS: 1
  // SASS-LABEL: kernel small_shares
  // SASS: LDGSTS: 0
}
