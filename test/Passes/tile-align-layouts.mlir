// Chooses a variant for each copy: the first that accepts it, by priority. The resulting op names the variant, and both of
// its sides have the same order. tile-align-layouts-refused.mlir has the copies that are errors.
// RUN: tile-opt %s --tile-align-layouts --verify-diagnostics | FileCheck %s --implicit-check-not='{{tile.copy(_async)? }}'

// Options: the chip, which may rule out variants; the allowed variants; the widest vector (cp.async needs at least 4 bytes);
// and the alignment of arguments (one copy requests vectors of 16 bytes, which need it).
// RUN: tile-opt %s --tile-align-layouts=chip=sm_75 2>/dev/null | FileCheck %s --check-prefix=CHIP
// RUN: not tile-opt %s --tile-align-layouts=variants=reg,fallback 2>&1 | FileCheck %s --check-prefix=VARIANTS
// RUN: tile-opt %s --tile-align-layouts=max-vector-bits=16 2>/dev/null | FileCheck %s --check-prefix=NARROW
// RUN: not tile-opt %s --tile-align-layouts=argument-alignment=8 2>&1 | FileCheck %s --check-prefix=ALIGNMENT
// RUN: not tile-opt %s --tile-align-layouts=chip=sm_50 2>&1 | FileCheck %s --check-prefix=NO-CHIP
// RUN: not tile-opt %s --tile-align-layouts=variants=synchronous,vec_128b 2>&1 | FileCheck %s --check-prefix=SYNCHRONOUS
// RUN: tile-opt %s --tile-align-layouts=variants=synchronous,gmem_smem,ldstmatrix,reg,vec_128b,fallback 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=AT-ONCE
// RUN: not tile-opt %s --tile-align-layouts=variants=fastest 2>&1 | FileCheck %s --check-prefix=NO-VARIANT
// RUN: not tile-opt %s --tile-align-layouts=max-vector-bits=48 2>&1 | FileCheck %s --check-prefix=NO-WIDTH

// CHIP-LABEL: gpu.func @asynchronous
// CHIP: tile.planned_copy {{.*}}plan<matched "gmem_smem"
// VARIANTS: error: 'tile.copy' op cannot be done by 'vec_128b': the pass option 'variants' does not allow it; allowed: reg, fallback
// SYNCHRONOUS: error: 'tile.copy_async' op cannot be done by any variant
// SYNCHRONOUS: note: synchronous declined: no synchronous variant takes the copy: ldstmatrix declined: the pass option
// SYNCHRONOUS-SAME: gmem_smem declined: the pass option 'variants' does not allow it; allowed: synchronous, vec_128b
// SYNCHRONOUS: note: left out by the pass option 'variants': ldgsts, dsmem, tcgen05_cp, tcgen05_ldst
// AT-ONCE-LABEL: gpu.func @asynchronous
// AT-ONCE-COUNT-2: tile.planned_copy {{.*}}plan<matched "gmem_smem"
// NARROW-LABEL: gpu.func @asynchronous
// NARROW: tile.planned_copy {{.*}}plan<matched "gmem_smem"
// ALIGNMENT: error: 'tile.copy' op cannot be done by 'vec_128b': the source: 8 elements at a time: the base needs an alignment of 16 bytes; proven is 8
// NO-CHIP: error: {{.*}}unknown chip 'sm_50'
// NO-VARIANT: error: {{.*}}got variants = "fastest", expected one of {{.*}}gmem_smem, {{.*}}ldgsts, {{.*}}synchronous
// NO-WIDTH: error: {{.*}}got max-vector-bits = 48, expected a power of two from 8 to 256

!global = !tile.buffer<16x16xf16, global>
!shared = !tile.buffer<16x16xf16, shared>
!fragment = !tile.buffer<16x16xf16, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
!spread = !tile.buffer<32x16xf16, local, #tile.layout<(32, 16) : (1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @synchronous
  gpu.func @synchronous(%A: memref<16x16xf16>, %B: memref<32x16xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x16xf16> to !global
    %b = tile.view %B : memref<32x16xf16> to !tile.buffer<32x16xf16, global>
    %s = tile.alloc : !shared
    %r = tile.alloc : !fragment
    %q = tile.alloc : !spread
    // CHECK: tile.planned_copy %{{.*}} to %{{.*}} scope(warp) plan<matched "gmem_smem", threads = 32,{{.*}}src = {layout = (256) : (1), space{{.*}}dst = {layout = (256) : (1), space{{.*}}:
    tile.copy %a to %s scope(warp) : !global to !shared
    // CHECK: tile.planned_copy {{.*}} plan<matrix "ldstmatrix", {{.*}}num = 4, threads = 32, shape = (1, 8, 4, 1, 4, 2), row_stride = 16,
    tile.copy %s to %r scope(warp) : !shared to !fragment
    // CHECK: tile.planned_copy %{{.*}} to %{{.*}} scope(warp) plan<matched "reg", threads = 32,{{.*}}src = {layout = (32, 16) : (16, 1), space{{.*}}dst = {layout = (32, 16) : (1@laneid, 1), space
    tile.copy %b to %q scope(warp) : !tile.buffer<32x16xf16, global> to !spread
    // CHECK: tile.planned_copy {{.*}} scope(thread) plan<matched "vec_128b", threads = 1, {{.*}}forced_bits = 128,
    tile.copy %a[0, 0] [1, 8] to %s[0, 0] [1, 8] scope(thread) {variant = "vec_128b"} : !global to !shared
    // 15 elements for 32 threads.
    // CHECK: tile.planned_copy %{{.*}} scope(warp) plan<matched "gmem_smem", threads = 32,{{.*}}src = {layout = (3, 5) : (16, 1), space{{.*}}:
    tile.copy %a[0, 0] [3, 5] to %s[0, 0] [3, 5] scope(warp) : !global to !shared
    // CHECK: tile.planned_copy {{.*}} scope(warp) plan<matched "same_memory", threads = 32,{{.*}}:
    tile.copy %s[0, 0] [3, 5] to %s[8, 0] [3, 5] scope(warp) : !shared to !shared
    gpu.return
  }

  // CHECK-LABEL: gpu.func @asynchronous
  gpu.func @asynchronous(%A: memref<16x16xf16>, %barrier: !llvm.ptr<3>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<16x16xf16> to !global
    %s = tile.alloc : !shared
    // CHECK: tile.planned_copy %{{.*}} to %{{.*}} scope(warp) plan<matched "ldgsts", threads = 32,{{.*}}src = {layout = (256) : (1), space{{.*}}dst = {layout = (256) : (1), space{{.*}}:
    tile.copy_async %a to %s scope(warp) : !global to !shared
    // Nothing asynchronous reads shared memory into global memory.
    // CHECK-NEXT: tile.planned_copy {{.*}}plan<matched "gmem_smem"
    tile.copy_async %s to %a scope(warp) : !shared to !global
    gpu.return
  }
}
