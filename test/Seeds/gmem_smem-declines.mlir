// Every reason for which gmem_smem declines a copy that the verifier accepts. Forcing the variant
// makes each an error; the remark has the cause's name.

// RUN: not tile-opt %s --tile-align-layouts -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark:

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
!blocks = !tile.buffer<32x32xf32, shared, #tile.layout<(2, 16, 32) : (1024, 32, 1)>>
!stacked = !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (0, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_75">] {
  gpu.func @spaces_counts_and_hints(%A: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] unsupported-spaces | {{.*}}Reason="{{.*}} src=shared dst=shared; {{.*}} global -> shared, shared -> global"
    tile.copy %s to %t scope(warp) {variant = "gmem_smem"} : !shared to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] cache-needs-global-source | {{.*}}Operand=source, Reason="{{.*}} global {{.*}} shared"
    tile.copy %s to %a scope(warp) {variant = "gmem_smem", cache = "nc"} : !shared to !global

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] hint-needs-256-bits | {{.*}}Reason="L2::evict_first {{.*}} 256-bit {{.*}} (vec_256b)"
    tile.copy %a to %s scope(warp) {variant = "gmem_smem", l2_evict = "L2::evict_first"} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chip-lacks-prefetch-size | {{.*}}Reason="L2::256B {{.*}} sm_80 {{.*}} sm_75"
    tile.copy %a to %s scope(warp) {variant = "gmem_smem", prefetch_size = "L2::256B"} : !global to !shared
    gpu.return
  }

  gpu.func @layouts_and_regions(%A: memref<32x32xf32>, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %stacked = tile.alloc : !stacked
    %blocks = tile.alloc : !blocks

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] destination-overlaps | {{.*}}Operand=destination, Reason="{{.*}} 32:0); {{.*}}"
    tile.copy %a to %stacked scope(warp) {variant = "gmem_smem"} : !global to !stacked

    // Rows 13 to 20 are unevenly spread over two blocks of 16; the region of global memory has a run-time offset and is not split.
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] region-not-sliceable | {{.*}}Operand=destination, Reason="{{.*}} 0: {{.*}} [13, 13 {{.*}} 8) {{.*}} 16:32 {{.*}}"
    tile.copy %a[%i, 0] [8, 4] to %blocks[13, 0] [8, 4] scope(warp) {variant = "gmem_smem"} : !global to !blocks

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-begin-not-divisible | {{.*}}Operand=destination, Reason="{{.*}} 0 {{.*}} 0 {{.*}} 1) {{.*}} 16 {{.*}} 16"
    tile.copy %a[%i, 0] [16, 32] to %blocks[%i, 0] [16, 32] scope(warp) {variant = "gmem_smem"} : !global to !blocks

    // The smallest possible row is 8, and 8 + 30 exceeds the 32 rows.
    // CHECK: :[[#@LINE+5]]:5: remark: [Missed] region-out-of-bounds | {{.*}}Operand=source, Reason="{{.*}} 0 {{.*}} 30 {{.*}} 8 {{.*}} 16) {{.*}} [0, 32)"
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %rows = arith.muli %i, %c16 : index
    %row = arith.addi %rows, %c8 : index
    tile.copy %a[%row, 0] [30, 32] to %s[0, 0] [30, 32] scope(warp) {variant = "gmem_smem"} : !global to !shared
    gpu.return
  }

  gpu.func @threads(%A: memref<32x32xf32>, %flags: memref<128xi1>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x

    // Lanes 0, 5 and 6: no formula computes ranks for these.
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %lane = gpu.lane_id
    %is_0 = arith.cmpi eq, %lane, %c0 : index
    %is_5 = arith.cmpi eq, %lane, %c5 : index
    %is_6 = arith.cmpi eq, %lane, %c6 : index
    %two = arith.ori %is_0, %is_5 : i1
    %three = arith.ori %two, %is_6 : i1
    scf.if %three {
      // CHECK: :[[#@LINE+1]]:7: remark: [Missed] not-all-threads-active | {{.*}}Reason="the warp has 3 active threads of 32"
      tile.copy %a to %s scope(warp) {variant = "gmem_smem"} : !global to !shared
    }
    %flag = memref.load %flags[%thread] : memref<128xi1>
    scf.if %flag {
      // CHECK: :[[#@LINE+1]]:7: remark: [Missed] active-unknown | {{.*}}Reason="{{.*}} 'memref.load' {{.*}}"
      tile.copy %a to %s scope(warp) {variant = "gmem_smem"} : !global to !shared
    }
    gpu.return
  }

  gpu.func @parts_of_bytes(%A: memref<32x32xi4>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xi4> to !tile.buffer<32x32xi4, global>
    %s = tile.alloc : !tile.buffer<32x32xi4, shared>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] element-width-unsupported | {{.*}}Reason="{{.*}} i4 {{.*}} 4 {{.*}} 8, 16, 32, 64 {{.*}} 128"
    tile.copy %a to %s scope(warp) {variant = "gmem_smem"}
      : !tile.buffer<32x32xi4, global> to !tile.buffer<32x32xi4, shared>
    gpu.return
  }
}
