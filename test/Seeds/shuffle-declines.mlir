// Every reason for which shuffle and scratch decline a copy that the verifier accepts.

// RUN: not tile-opt %s --tile-align-layouts -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s
// RUN: not tile-opt %s --tile-align-layouts='variants=shuffle,scratch' -o /dev/null --remarks-filter-missed=.* \
// RUN:   --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=OPTION

!rows = !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
!turned = !tile.buffer<32x8xf32, local, #tile.layout<(4, 8, 8) : (1@laneid, 4@laneid, 1)>>
!column = !tile.buffer<32x32xf32, local, #tile.layout<(32, 32) : (1, 1@laneid)>>
!row = !tile.buffer<32x32xf32, local, #tile.layout<(32, 32) : (1@laneid, 1)>>
!block = !tile.buffer<64x4xf32, local, #tile.layout<(64, 4) : (1@tx, 1)>>
!other = !tile.buffer<64x4xf32, local, #tile.layout<(2, 32, 4) : (1@tx, 2@tx, 1)>>
!thirds = !tile.buffer<3x8xf32, local, #tile.layout<(3, 8) : (8@laneid, 1@laneid)>>
!held = !tile.buffer<3x8xf32, local, #tile.layout<(3, 8) : (1, 1@laneid) + R(4 : 8@laneid)>>
!many = !tile.buffer<2048xf32, local>
!mixed = !tile.buffer<2048xf32, local, #tile.layout<(2048) : (2)>>
!large = !tile.buffer<32x64xf32, local, #tile.layout<(32, 64) : (1@laneid, 1)>>
!shifted = !tile.buffer<32x64xf32, local, #tile.layout<(4, 8, 64) : (1@laneid, 4@laneid, 1)>>
!few = !tile.buffer<16xf32, local, #tile.layout<(16) : (1@tx)>>
!fewer = !tile.buffer<16xf32, local, #tile.layout<(2, 8) : (1@tx, 2@tx)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @block_of_64(%A: memref<32x8xf32>, %flags: memref<64xi1>, %i: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %r = tile.alloc : !rows
    %q = tile.alloc : !turned
    %a = tile.view %A : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] unsupported-spaces | {{.*}}Reason="{{.*}} src=local dst=global; {{.*}} local -> local"
    tile.copy %r to %a scope(warp) {variant = "shuffle"} : !rows to !tile.buffer<32x8xf32, global>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] unsupported-spaces | {{.*}}Reason="{{.*}} src=local dst=global; {{.*}} local -> local"
    tile.copy %r to %a scope(warp) {variant = "scratch"} : !rows to !tile.buffer<32x8xf32, global>

    // The active half of the lanes would wait for the others, at a shuffle and at a barrier.
    %thread = gpu.thread_id x
    %c16 = arith.constant 16 : index
    %lower = arith.cmpi ult, %thread, %c16 : index
    scf.if %lower {
      // CHECK: :[[#@LINE+1]]:7: remark: [Missed] not-all-threads-active | {{.*}}Variant=shuffle
      tile.copy %r to %q scope(warp) {variant = "shuffle"} : !rows to !turned
      // CHECK: :[[#@LINE+1]]:7: remark: [Missed] not-all-threads-active | {{.*}}Variant=scratch
      tile.copy %r to %q scope(warp) {variant = "scratch"} : !rows to !turned
    }
    %flag = memref.load %flags[%thread] : memref<64xi1>
    scf.if %flag {
      // CHECK: :[[#@LINE+1]]:7: remark: [Missed] active-unknown | {{.*}}Variant=shuffle
      tile.copy %r to %q scope(warp) {variant = "shuffle"} : !rows to !turned
    }

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-register | {{.*}}Operand=source, {{.*}}Variant=shuffle
    tile.copy %r[0, %i] [32, 2] to %q[0, 0] [32, 2] scope(warp) {variant = "shuffle"} : !rows to !turned

    // CHECK: :[[#@LINE+3]]:5: remark: [Missed] crosses-warps | {{.*}}Variant=shuffle
    %b = tile.alloc : !block
    %o = tile.alloc : !other
    tile.copy %b to %o scope(cta) {variant = "shuffle"} : !block to !other

    // CHECK: :[[#@LINE+3]]:5: remark: [Missed] not-powers-of-two | {{.*}}Reason="{{.*}} 3 {{.*}}Variant=shuffle
    %t = tile.alloc : !thirds
    %h = tile.alloc : !held
    tile.copy %t to %h scope(warp) {variant = "shuffle"} : !thirds to !held

    // CHECK: :[[#@LINE+4]]:5: remark: [Missed] too-many-registers | {{.*}}Reason="{{.*}} 2048 {{.*}} 1024 {{.*}}Variant=shuffle
    // CHECK: :[[#@LINE+4]]:5: remark: [Missed] scope-has-no-warps | {{.*}}Variant=scratch
    %m = tile.alloc : !many
    %x = tile.alloc : !mixed
    tile.copy %m to %x scope(thread) {variant = "shuffle"} : !many to !mixed
    tile.copy %m to %x scope(thread) {variant = "scratch"} : !many to !mixed
    gpu.return
  }

  // OPTION: :[[#@LINE+4]]:5: remark: [Missed] scratch-not-reached | {{.*}}variants{{.*}}Variant=scratch
  gpu.func @no_halves() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %r = tile.alloc : !column
    %q = tile.alloc : !row
    tile.copy %r to %q scope(warp) {variant = "scratch"} : !column to !row
    gpu.return
  }

  gpu.func @block_of_16() kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    // CHECK: :[[#@LINE+3]]:5: remark: [Missed] threads-not-whole-warps | {{.*}}Reason="{{.*}} 16 threads {{.*}}Variant=shuffle
    %r = tile.alloc : !few
    %q = tile.alloc : !fewer
    tile.copy %r to %q scope(cta) {variant = "shuffle"} : !few to !fewer
    gpu.return
  }

  gpu.func @block_of_1024() kernel attributes {known_block_size = array<i32: 1024, 1, 1>} {
    // CHECK: :[[#@LINE+3]]:5: remark: [Missed] scratch-too-large | {{.*}}Reason="{{.*}} 262144 bytes{{.*}} 49152"
    %r = tile.alloc : !large
    %q = tile.alloc : !shifted
    tile.copy %r to %q scope(warp) {variant = "scratch"} : !large to !shifted
    gpu.return
  }

  gpu.func @any_block() kernel {
    // CHECK: :[[#@LINE+3]]:5: remark: [Missed] block-size-unknown | {{.*}}Variant=scratch
    %r = tile.alloc : !rows
    %q = tile.alloc : !turned
    tile.copy %r to %q scope(warp) {variant = "scratch"} : !rows to !turned
    gpu.return
  }
}
