// Every reason for which reg declines a copy that the verifier accepts. Forcing the variant makes
// each an error; the remark has the cause's name. What gmem_smem declines for the same cause is not repeated.

// RUN: not tile-opt %s --tile-align-layouts -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark:

!shared = !tile.buffer<32x8xf32, shared>
!rows = !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @spaces(%A: memref<32x8xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %s = tile.alloc : !shared
    %r = tile.alloc : !rows
    %q = tile.alloc : !rows
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] unsupported-spaces | {{.*}}Reason="{{.*}} src=local dst=local; {{.*}} local <-> shared {{.*}} global"
    tile.copy %r to %q scope(warp) {variant = "reg"} : !rows to !rows

    // Lanes 0 to 15 own the region; lanes 16 to 31 would have nothing to copy.
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] threads-not-covered | {{.*}}Operand=destination, Reason="{{.*}} (16:1) {{.*}} 0, {{.*}} 16 {{.*}} 0 {{.*}} 31 {{.*}}"
    tile.copy %s[0, 0] [16, 8] to %r[0, 0] [16, 8] scope(warp) {variant = "reg"} : !shared to !rows

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] threads-not-covered | {{.*}}Reason="{{.*}} destination{{.*}} (16:1) {{.*}} 8, {{.*}} 16 {{.*}} 0 {{.*}} 31 {{.*}}"
    tile.copy %s[8, 0] [16, 8] to %r[8, 0] [16, 8] scope(warp) {variant = "reg"} : !shared to !rows
    gpu.return
  }

  gpu.func @every_other_lane(%i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %s = tile.alloc : !tile.buffer<16x8xf32, shared>
    %r = tile.alloc : !tile.buffer<16x8xf32, local, #tile.layout<(16, 8) : (2@laneid, 1)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] threads-not-covered | {{.*}}Reason="{{.*}} destination{{.*}} (16:2) {{.*}} 0, {{.*}} 16 {{.*}} 0 {{.*}} 31 {{.*}}"
    tile.copy %s to %r scope(warp) {variant = "reg"}
      : !tile.buffer<16x8xf32, shared> to !tile.buffer<16x8xf32, local, #tile.layout<(16, 8) : (2@laneid, 1)>>
    gpu.return
  }

  gpu.func @axes(%i: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %s = tile.alloc : !tile.buffer<64x8xf32, shared>
    %r = tile.alloc : !tile.buffer<64x8xf32, local, #tile.layout<(64, 8) : (1@tx, 1)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] thread-axis-wider-than-scope | {{.*}}Operand=destination, Reason="{{.*}} 'tx' {{.*}} cta, {{.*}} warp"
    tile.copy %s to %r scope(warp) {variant = "reg"}
      : !tile.buffer<64x8xf32, shared> to !tile.buffer<64x8xf32, local, #tile.layout<(64, 8) : (1@tx, 1)>>

    // A block of 64 threads has no thread 64.
    %l = tile.alloc : !tile.buffer<128x8xf32, shared>
    %q = tile.alloc : !tile.buffer<128x8xf32, local, #tile.layout<(128, 8) : (1@tx, 1)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] thread-axis-too-long | {{.*}}Operand=destination, Reason="{{.*}} 128 {{.*}} 'tx'; {{.*}} 64"
    tile.copy %l to %q scope(cta) {variant = "reg"}
      : !tile.buffer<128x8xf32, shared> to !tile.buffer<128x8xf32, local, #tile.layout<(128, 8) : (1@tx, 1)>>
    gpu.return
  }

  gpu.func @orders(%i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // Iters of extents (6, 4) and (4, 6) have no common refinement.
    %s = tile.alloc : !tile.buffer<32x24xf32, shared, #tile.layout<(32, 6, 4) : (24, 1, 6)>>
    %r = tile.alloc : !tile.buffer<32x24xf32, local, #tile.layout<(32, 4, 6) : (1@laneid, 1, 4)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] no-common-refinement |
    tile.copy %s to %r scope(warp) {variant = "reg"}
      : !tile.buffer<32x24xf32, shared, #tile.layout<(32, 6, 4) : (24, 1, 6)>>
      to !tile.buffer<32x24xf32, local, #tile.layout<(32, 4, 6) : (1@laneid, 1, 4)>>

    %t = tile.alloc : !shared
    %q = tile.alloc : !rows
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-begin-on-thread-axis | {{.*}}Operand=destination, Reason="{{.*}} 0 {{.*}} 'laneid'; {{.*}}"
    tile.copy %t[%i, 0] [16, 8] to %q[%i, 0] [16, 8] scope(warp) {variant = "reg"} : !shared to !rows
    gpu.return
  }
}
