// Every reason for which tcgen05_ldst declines a copy that the verifier accepts. Forcing the variant makes
// each an error; the remark has the cause's name.

// RUN: not tile-opt %s --tile-align-layouts -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark:

!lanes = !tile.buffer<128x16xf32, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
!rows = !tile.buffer<128x16xf32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>

gpu.module @hopper [#nvvm.target<chip = "sm_90a">] {
  gpu.func @chip(%address: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = tile.tmem %address : !lanes
    %r = tile.alloc : !rows
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chip-lacks-tcgen05 | {{.*}}Reason="tcgen05 {{.*}} sm_100 {{.*}} sm_110, {{.*}} sm_100a; {{.*}} sm_90a"
    tile.copy_async %t to %r scope(warpgroup) {variant = "tcgen05_ldst"} : !lanes to !rows
    gpu.return
  }
}

gpu.module @consumer [#nvvm.target<chip = "sm_120a">] {
  gpu.func @chip(%address: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = tile.tmem %address : !lanes
    %r = tile.alloc : !rows
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chip-lacks-tcgen05 | {{.*}}Reason="tcgen05 {{.*}} sm_100 {{.*}} sm_110, {{.*}} sm_100a; {{.*}} sm_120a"
    tile.copy_async %r to %t scope(warpgroup) {variant = "tcgen05_ldst"} : !rows to !lanes
    gpu.return
  }
}

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @spaces_and_wishes(%A: memref<128x16xf32>, %address: i32, %barrier: !llvm.ptr<3>, %p: i1) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x16xf32> to !tile.buffer<128x16xf32, global>
    %t = tile.tmem %address : !lanes
    %r = tile.alloc : !rows

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] unsupported-spaces | {{.*}}Reason="{{.*}} src=tmem dst=tmem; {{.*}} tmem <-> local"
    tile.copy_async %t to %t scope(warpgroup) {variant = "tcgen05_ldst"} : !lanes to !lanes

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] unsupported-spaces | {{.*}}Reason="{{.*}} src=global dst=local; {{.*}} tmem <-> local"
    tile.copy_async %a to %r scope(warpgroup) {variant = "tcgen05_ldst"} : !tile.buffer<128x16xf32, global> to !rows

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] scope-not-warpgroup | {{.*}}Reason="{{.*}} warp {{.*}} warpgroup {{.*}} warp"
    tile.copy_async %t to %r scope(warp) {variant = "tcgen05_ldst"} : !lanes to !rows

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] scope-not-warpgroup | {{.*}}Reason="{{.*}} warp {{.*}} warpgroup {{.*}} thread"
    tile.copy_async %t to %r scope(thread) {variant = "tcgen05_ldst"} : !lanes to !rows

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] request-not-supported | {{.*}}Reason="{{.*}} mbarrier; {{.*}} none"
    tile.copy_async %t to %r scope(warpgroup) mbarrier(%barrier : !llvm.ptr<3>) {variant = "tcgen05_ldst"} : !lanes to !rows

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] request-not-supported | {{.*}}Reason="{{.*}} predicate, cta_group; {{.*}} none"
    tile.copy_async %r to %t scope(warpgroup) predicate(%p) {variant = "tcgen05_ldst", cta_group = 2 : i64} : !rows to !lanes

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] cache-needs-global-source | {{.*}}Operand=source, Reason="{{.*}} global {{.*}} tmem"
    tile.copy_async %t to %r scope(warpgroup) {variant = "tcgen05_ldst", prefetch_size = "L2::64B"} : !lanes to !rows
    gpu.return
  }

  gpu.func @threads(%flags: memref<256xi1>, %address: i32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %t = tile.tmem %address : !lanes
    %r = tile.alloc : !rows
    %c32 = arith.constant 32 : index
    %thread = gpu.thread_id x

    %first_warp = arith.cmpi ult, %thread, %c32 : index
    scf.if %first_warp {
      // CHECK: :[[#@LINE+1]]:7: remark: [Missed] not-all-threads-active | {{.*}}Reason="wid_in_wg {{.*}} [0, 1) {{.*}} [0, 4)"
      tile.copy_async %t to %r scope(warpgroup) {variant = "tcgen05_ldst"} : !lanes to !rows
    }
    %flag = memref.load %flags[%thread] : memref<256xi1>
    scf.if %flag {
      // CHECK: :[[#@LINE+1]]:7: remark: [Missed] active-unknown | {{.*}}Reason="{{.*}} 'memref.load' {{.*}}"
      tile.copy_async %t to %r scope(warpgroup) {variant = "tcgen05_ldst"} : !lanes to !rows
    }
    gpu.return
  }

  // The distribution over threads.
  gpu.func @fragments(%address: i32) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %t = tile.tmem %address : !lanes

    // A row order of no shape: thread t holds row 2 * t of the first or the second half.
    %shuffled = tile.alloc : !tile.buffer<128x16xf32, local, #tile.layout<(64, 2, 16) : (1@tid_in_wg, 64@tid_in_wg, 1)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] fragment-not-of-shape | {{.*}}Operand=destination, Reason="{{.*}} tcgen05.ld {{.*}} 32x32b {{.*}} 32 {{.*}} 1, {{.*}} 1 {{.*}} 0 {{.*}} 64 {{.*}} 2 {{.*}} 0 {{.*}}"
    tile.copy_async %t to %shuffled scope(warpgroup) {variant = "tcgen05_ldst"}
      : !lanes to !tile.buffer<128x16xf32, local, #tile.layout<(64, 2, 16) : (1@tid_in_wg, 64@tid_in_wg, 1)>>

    // The two elements of a register are 4 columns apart.
    %h = tile.tmem %address : !tile.buffer<128x8xf16, tmem, #tile.layout<(128, 8) : (1@TLane, 1@TCol)>>
    %crossed = tile.alloc : !tile.buffer<128x8xf16, local, #tile.layout<(128, 2, 4) : (1@tid_in_wg, 1, 2)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] elements-not-of-column | {{.*}}Operand=destination, Reason="{{.*}} 2 {{.*}} 32-bit {{.*}} 32 {{.*}}"
    tile.copy_async %h to %crossed scope(warpgroup) {variant = "tcgen05_ldst"}
      : !tile.buffer<128x8xf16, tmem, #tile.layout<(128, 8) : (1@TLane, 1@TCol)>>
      to !tile.buffer<128x8xf16, local, #tile.layout<(128, 2, 4) : (1@tid_in_wg, 1, 2)>>

    // A quarter of the threads.
    %warp = tile.alloc : !tile.buffer<32x16xf32, local, #tile.layout<(32, 16) : (1@laneid, 1)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] replica-unmatched | {{.*}}Operand=destination, Reason="{{.*}} 4 {{.*}} 1 {{.*}}"
    tile.copy_async %t[0, 0] [32, 16] to %warp scope(warpgroup) {variant = "tcgen05_ldst"}
      : !lanes to !tile.buffer<32x16xf32, local, #tile.layout<(32, 16) : (1@laneid, 1)>>

    // Rows 64 to 127 belong to the last two warps.
    %r = tile.alloc : !rows
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] threads-not-covered | {{.*}}Operand=destination, Reason="{{.*}} thread 64; {{.*}} warpgroup, {{.*}} 0"
    tile.copy_async %t[0, 0] [64, 16] to %r[64, 0] [64, 16] scope(warpgroup) {variant = "tcgen05_ldst"} : !lanes to !rows

    %block = tile.alloc : !tile.buffer<256x8xf32, local, #tile.layout<(256, 8) : (1@tx, 1)>>
    %t8 = tile.tmem %address : !tile.buffer<256x8xf32, tmem, #tile.layout<(2, 128, 8) : (8@TCol, 1@TLane, 1@TCol)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] thread-axis-wider-than-scope | {{.*}}Operand=destination, Reason="{{.*}} 'tx' {{.*}} cta, {{.*}} warpgroup"
    tile.copy_async %t8 to %block scope(warpgroup) {variant = "tcgen05_ldst"}
      : !tile.buffer<256x8xf32, tmem, #tile.layout<(2, 128, 8) : (8@TCol, 1@TLane, 1@TCol)>>
      to !tile.buffer<256x8xf32, local, #tile.layout<(256, 8) : (1@tx, 1)>>

    %far = tile.alloc : !tile.buffer<128x16xf32, local, #tile.layout<(128, 16) : (4@tx, 1)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] thread-axis-too-long | {{.*}}Operand=destination, Reason="{{.*}} 509 {{.*}} 'tx'; {{.*}} 256"
    tile.copy_async %t to %far scope(warpgroup) {variant = "tcgen05_ldst"}
      : !lanes to !tile.buffer<128x16xf32, local, #tile.layout<(128, 16) : (4@tx, 1)>>

    %threes = tile.alloc : !tile.buffer<128x12xf32, local, #tile.layout<(128, 3, 4) : (1@tid_in_wg, 8, 1)>>
    %fours = tile.tmem %address : !tile.buffer<128x12xf32, tmem, #tile.layout<(128, 4, 3) : (1@TLane, 8@TCol, 1@TCol)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] no-common-refinement |
    tile.copy_async %fours to %threes scope(warpgroup) {variant = "tcgen05_ldst"}
      : !tile.buffer<128x12xf32, tmem, #tile.layout<(128, 4, 3) : (1@TLane, 8@TCol, 1@TCol)>>
      to !tile.buffer<128x12xf32, local, #tile.layout<(128, 3, 4) : (1@tid_in_wg, 8, 1)>>

    // Replicas in the lanes of two warps, and in the registers of four.
    %twice = tile.tmem %address : !tile.buffer<32x4xf32, tmem, #tile.layout<(32, 4) : (1@TLane, 1@TCol) + R(2 : 32@TLane)>>
    %four = tile.alloc : !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@laneid, 1) + R(4 : 1@wid_in_wg)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] replica-unmatched | {{.*}}Operand=destination, Reason="{{.*}} 4 {{.*}} 2 {{.*}}"
    tile.copy_async %twice to %four scope(warpgroup) {variant = "tcgen05_ldst"}
      : !tile.buffer<32x4xf32, tmem, #tile.layout<(32, 4) : (1@TLane, 1@TCol) + R(2 : 32@TLane)>>
      to !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@laneid, 1) + R(4 : 1@wid_in_wg)>>
    gpu.return
  }

  // The first registers, columns and lanes of instructions.
  gpu.func @begins(%address: i32, %i: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = tile.tmem %address : !lanes
    %r = tile.alloc : !rows
    %h = tile.tmem %address : !tile.buffer<128x16xf16, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
    %q = tile.alloc : !tile.buffer<128x16xf16, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] register-misaligned | {{.*}}Operand=destination, Reason="{{.*}} 16 {{.*}} 32"
    tile.copy_async %h[0, 0] [128, 8] to %q[0, 1] [128, 8] scope(warpgroup) {variant = "tcgen05_ldst"}
      : !tile.buffer<128x16xf16, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
      to !tile.buffer<128x16xf16, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] columns-misaligned | {{.*}}Operand=source, Reason="{{.*}} 16 {{.*}} 32"
    tile.copy_async %h[0, 1] [128, 8] to %q[0, 0] [128, 8] scope(warpgroup) {variant = "tcgen05_ldst"}
      : !tile.buffer<128x16xf16, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
      to !tile.buffer<128x16xf16, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-begin-not-divisible | {{.*}}Operand=source, Reason="{{.*}} 1 {{.*}} 1) {{.*}} 0 {{.*}} 1, {{.*}} 2 {{.*}}"
    tile.copy_async %h[0, %i] [128, 8] to %q[0, 0] [128, 8] scope(warpgroup) {variant = "tcgen05_ldst"}
      : !tile.buffer<128x16xf16, tmem, #tile.layout<(128, 16) : (1@TLane, 1@TCol)>>
      to !tile.buffer<128x16xf16, local, #tile.layout<(128, 16) : (1@tid_in_wg, 1)>>

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-register | {{.*}}Operand=destination
    tile.copy_async %t[0, 0] [128, 8] to %r[0, %i] [128, 8] scope(warpgroup) {variant = "tcgen05_ldst"} : !lanes to !rows

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-begin-on-thread-axis | {{.*}}Operand=source, Reason="{{.*}} 0 {{.*}} 'tid_in_wg'; {{.*}}"
    tile.copy_async %r[%i, 0] [64, 16] to %t[0, 0] [64, 16] scope(warpgroup) {variant = "tcgen05_ldst"} : !rows to !lanes

    // A fragment of 16 lanes per warp, from a lane that is known only at run time.
    %b = tile.tmem %address : !tile.buffer<128x8xf32, tmem, #tile.layout<(2, 4, 16, 8) : (16@TLane, 32@TLane, 1@TLane, 1@TCol)>>
    %f = tile.alloc : !tile.buffer<64x8xf32, local, #tile.layout<(4, 2, 8, 4, 2) : (32@tid_in_wg, 2, 4@tid_in_wg, 1@tid_in_wg, 1)>>
    %c64 = arith.constant 64 : index
    %half = arith.muli %i, %c64 : index
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-lane | {{.*}}Operand=source
    tile.copy_async %b[%half, 0] [64, 8] to %f scope(warpgroup) {variant = "tcgen05_ldst"}
      : !tile.buffer<128x8xf32, tmem, #tile.layout<(2, 4, 16, 8) : (16@TLane, 32@TLane, 1@TLane, 1@TCol)>>
      to !tile.buffer<64x8xf32, local, #tile.layout<(4, 2, 8, 4, 2) : (32@tid_in_wg, 2, 4@tid_in_wg, 1@tid_in_wg, 1)>>

    // Lanes 8 to 23 of each quarter.
    %off = tile.tmem %address : !tile.buffer<64x8xf32, tmem, #tile.layout<(4, 16, 8) : (32@TLane, 1@TLane, 1@TCol) + 8@TLane>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] lanes-not-reached | {{.*}}Operand=source, Reason="16x256b {{.*}} warp 0 {{.*}} 8 {{.*}} 8 {{.*}} warp {{.*}} 32 {{.*}} 0 {{.*}} 16"
    tile.copy_async %off to %f scope(warpgroup) {variant = "tcgen05_ldst"}
      : !tile.buffer<64x8xf32, tmem, #tile.layout<(4, 16, 8) : (32@TLane, 1@TLane, 1@TCol) + 8@TLane>>
      to !tile.buffer<64x8xf32, local, #tile.layout<(4, 2, 8, 4, 2) : (32@tid_in_wg, 2, 4@tid_in_wg, 1@tid_in_wg, 1)>>
    gpu.return
  }

  gpu.func @layouts_and_regions(%address: i32, %i: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = tile.tmem %address : !lanes
    %r = tile.alloc : !rows

    %stacked = tile.alloc : !tile.buffer<128x16xf32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 0)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] destination-overlaps | {{.*}}Operand=destination, Reason="{{.*}} 16:0); {{.*}}"
    tile.copy_async %t to %stacked scope(warpgroup) {variant = "tcgen05_ldst"}
      : !lanes to !tile.buffer<128x16xf32, local, #tile.layout<(128, 16) : (1@tid_in_wg, 0)>>

    %broad = tile.tmem %address : !tile.buffer<128x2049xf32, tmem, #tile.layout<(128, 2049) : (1@TLane, 0@TCol)>>
    %many = tile.alloc : !tile.buffer<128x2049xf32, local, #tile.layout<(128, 2049) : (1@tid_in_wg, 1)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] too-many-instructions | {{.*}}Reason="{{.*}} warp {{.*}} 2049 {{.*}} 2048 {{.*}}"
    tile.copy_async %broad to %many scope(warpgroup) {variant = "tcgen05_ldst"}
      : !tile.buffer<128x2049xf32, tmem, #tile.layout<(128, 2049) : (1@TLane, 0@TCol)>>
      to !tile.buffer<128x2049xf32, local, #tile.layout<(128, 2049) : (1@tid_in_wg, 1)>>

    %panels = tile.alloc : !tile.buffer<128x16xf32, local, #tile.layout<(128, 2, 8) : (1@tid_in_wg, 16, 1)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] region-not-sliceable | {{.*}}Operand=destination, Reason="{{.*}} 1: {{.*}} [5, 5 {{.*}} 5) {{.*}} 8:1 {{.*}}"
    tile.copy_async %t[0, 0] [128, 5] to %panels[0, 5] [128, 5] scope(warpgroup) {variant = "tcgen05_ldst"}
      : !lanes to !tile.buffer<128x16xf32, local, #tile.layout<(128, 2, 8) : (1@tid_in_wg, 16, 1)>>

    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    %fours = arith.muli %i, %c4 : index
    %column = arith.addi %fours, %c2 : index
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] region-out-of-bounds | {{.*}}Operand=source, Reason="{{.*}} 1 {{.*}} 15 {{.*}} 2 {{.*}} 4) {{.*}} [0, 16)"
    tile.copy_async %t[0, %column] [128, 15] to %r[0, 0] [128, 15] scope(warpgroup) {variant = "tcgen05_ldst"} : !lanes to !rows
    gpu.return
  }
}
