// Every reason for which even fallback declines a copy that the verifier accepts: an error with the
// reason of each variant.

// RUN: not tile-opt %s --tile-align-layouts -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s

!global = !tile.buffer<32x8xf32, global>
!rows = !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
!tensor = !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @threads(%A: memref<32x8xf32>, %flags: memref<128xi1>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x8xf32> to !global
    %s = tile.alloc : !tile.buffer<32x8xf32, shared>
    %r = tile.alloc : !rows
    %q = tile.alloc : !rows

    // Registers to registers: a thread cannot access another thread's registers.
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] register-to-register | {{.*}}Variant=fallback
    tile.copy %r to %q scope(warp) {variant = "fallback"} : !rows to !rows

    // A per-thread flag decides which threads reach the copy: the first one is not known.
    %thread = gpu.thread_id x
    %flag = memref.load %flags[%thread] : memref<128xi1>
    scf.if %flag {
      // CHECK: [Missed] active-unknown | {{.*}}Reason="{{.*}} 'memref.load' {{.*}} warp", {{.*}}Variant=fallback
      tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !tile.buffer<32x8xf32, shared>
    }

    // Lanes from 16 on own rows of the tile and would have to store them.
    %c16 = arith.constant 16 : index
    %lower = arith.cmpi ult, %thread, %c16 : index
    scf.if %lower {
      // CHECK: :[[#@LINE+5]]:7: remark: [Missed] register-to-register | {{.*}}Variant=fallback
      // CHECK: :[[#@LINE+4]]:7: error: 'tile.copy' op cannot be done by any variant
      // CHECK: note: shuffle declined
      // CHECK: note: fallback declined
      // CHECK: note: for other memories only: ldstmatrix, transpose, realign, gmem_smem, realign_reg, reg, same_memory
      tile.copy %r to %q scope(warp) : !rows to !rows
      // CHECK: [Missed] owner-not-active | {{.*}}Operand=source, Reason="thread 16 {{.*}}"
      tile.copy %r to %a scope(warp) {variant = "fallback"} : !rows to !global
    }
    gpu.return
  }

  // Lane 1 would hold row 1 as (0, 1), and row 2 as (1, 0).
  gpu.func @overlap(%A: memref<4x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<4x8xf32> to !tile.buffer<4x8xf32, global>
    %r = tile.alloc : !tile.buffer<4x8xf32, local, #tile.layout<(2, 2, 8) : (1@laneid, 1@laneid, 1)>>
    // CHECK: [Missed] destination-overlaps | {{.*}}Operand=destination, Reason="{{.*}}, as (1, 0) and (2, 0) {{.*}}
    tile.copy %a to %r scope(warp) {variant = "fallback"}
      : !tile.buffer<4x8xf32, global>
      to !tile.buffer<4x8xf32, local, #tile.layout<(2, 2, 8) : (1@laneid, 1@laneid, 1)>>
    gpu.return
  }

  // Each lane has a row of its own, but its id does not determine the digits of its row one after the other: lanes 0, 2, 4, 3, 5 and 7.
  gpu.func @between(%A: memref<6x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<6x8xf32> to !tile.buffer<6x8xf32, global>
    %r = tile.alloc : !tile.buffer<6x8xf32, local, #tile.layout<(2, 3, 8) : (3@laneid, 2@laneid, 1)>>
    // CHECK: [Missed] thread-iters-overlap | {{.*}}Operand=destination
    tile.copy %a to %r scope(warp) {variant = "fallback"}
      : !tile.buffer<6x8xf32, global>
      to !tile.buffer<6x8xf32, local, #tile.layout<(2, 3, 8) : (3@laneid, 2@laneid, 1)>>
    gpu.return
  }

  // Only tensor core instructions reach tensor memory.
  gpu.func @tensor_memory(%address: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = tile.tmem %address : !tensor
    %s = tile.alloc : !tile.buffer<32x16xi8, shared>
    // CHECK: [Missed] tensor-memory | {{.*}}Operand=destination, Reason="{{.*}} global, shared {{.*}} local"
    tile.copy %s to %t scope(warp) {variant = "fallback"} : !tile.buffer<32x16xi8, shared> to !tensor
    gpu.return
  }
}

// A pass option may exclude variants, even fallback.
// RUN: not tile-opt %s --tile-align-layouts=variants=gmem_smem -o /dev/null 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: note: gmem_smem declined: unsupported memory scopes src=local dst=local
// OPTION: note: left out by the pass option 'variants': ldstmatrix, transpose, realign, realign_reg, reg, same_memory, shuffle, scratch, fallback
