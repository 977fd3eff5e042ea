// Every reason for which ldgsts declines a copy that the verifier accepts. Forcing the variant makes each an
// error; the remark has the cause's name.

// RUN: not tile-opt %s --tile-align-layouts -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark:
// RUN: not tile-opt %s --tile-align-layouts=max-vector-bits=16 -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LIMIT

!global = !tile.buffer<32x64xf16, global>
!shared = !tile.buffer<32x64xf16, shared>
!blocks = !tile.buffer<32x64xf16, shared, #tile.layout<(2, 16, 64) : (2048, 64, 1)>>
!stacked = !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (0, 1)>>
!columns = !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (1, 32)>>
!swizzled = !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 1, bits = 3, shift = 3>>>
!alone = !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 0, bits = 3, shift = 3>>>
!panels = !tile.buffer<32x64xf16, shared, #tile.layout<(32, 32, 2) : (2, 64, 1)>>

gpu.module @no_cp_async [#nvvm.target<chip = "sm_75">] {
  gpu.func @chip(%A: memref<32x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !global
    %s = tile.alloc : !shared
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chip-lacks-cp-async | {{.*}}Reason="{{.*}} sm_80 {{.*}} sm_75"
    tile.copy_async %a to %s scope(warp) {variant = "ldgsts"} : !global to !shared
    gpu.return
  }
}

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @spaces_and_wishes(%A: memref<32x64xf16>, %rank: i32) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !global
    %s = tile.alloc : !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] unsupported-spaces | {{.*}}Reason="{{.*}} src=shared dst=global; {{.*}} global -> shared"
    tile.copy_async %s to %a scope(warp) {variant = "ldgsts"} : !shared to !global

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] request-not-supported | {{.*}}Reason="{{.*}} remote_cta; {{.*}} group, mbarrier, predicate, fill, direct"
    tile.copy_async %a to %s scope(warp) remote_cta(%rank) {variant = "ldgsts"} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] request-not-supported | {{.*}}Reason="{{.*}} cta_group; {{.*}} group, mbarrier, predicate, fill, direct"
    tile.copy_async %a to %s scope(warp) {variant = "ldgsts", shape = "32x128b", cta_group = 2 : i64} : !global to !shared
    gpu.return
  }

  // A thread's share has no 4 contiguous bytes that start at a multiple of 4.
  gpu.func @shares(%A: memref<32x64xf16>, %C: memref<32x6xi8>, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !global
    %s = tile.alloc : !shared
    %columns = tile.alloc : !columns
    %alone = tile.alloc : !alone
    %c = tile.view %C : memref<32x6xi8> to !tile.buffer<32x6xi8, global>
    %t = tile.alloc : !tile.buffer<32x6xi8, shared>

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] share-under-4-bytes | {{.*}}Operand=source, Reason="{{.*}} 4, 8 {{.*}} 16 {{.*}} 4 {{.*}} 3 {{.*}} 4"
    tile.copy_async %c[0, 0] [32, 3] to %t[0, 0] [32, 3] scope(warp) {variant = "ldgsts"} : !tile.buffer<32x6xi8, global> to !tile.buffer<32x6xi8, shared>

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] share-under-4-bytes | {{.*}}Operand=source, Reason="{{.*}} 4, 8 {{.*}} 16 {{.*}} 4 {{.*}} 2 {{.*}} 2, {{.*}} 1; {{.*}} 0 {{.*}} (0, 0) {{.*}} 1"
    tile.copy_async %a[0, 1] [32, 32] to %s[0, 0] [32, 32] scope(warp) {variant = "ldgsts"} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] share-under-4-bytes | {{.*}}Operand=source, Reason="{{.*}} 4, 8 {{.*}} 16 {{.*}} 4 {{.*}} 2 {{.*}} 0, 1 {{.*}} 0 {{.*}} 1, {{.*}} 2 {{.*}} 1; {{.*}} 0 {{.*}} (0, 0) {{.*}} 1 {{.*}} 1"
    tile.copy_async %a[0, %i] [32, 32] to %s[0, 0] [32, 32] scope(warp) {variant = "ldgsts"} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] share-under-4-bytes | {{.*}}Operand=destination, Reason="{{.*}} 4, 8 {{.*}} 16 {{.*}} 4 {{.*}} 2 {{.*}} 64:32 {{.*}} 1 {{.*}} 32; {{.*}} 0 {{.*}} (0, 0) {{.*}} 0"
    tile.copy_async %a to %columns scope(warp) {variant = "ldgsts"} : !global to !columns

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] share-under-4-bytes | {{.*}}Operand=destination, Reason="{{.*}} 4, 8 {{.*}} 16 {{.*}} 4 {{.*}} 1 {{.*}} 2"
    tile.copy_async %a to %alone scope(warp) {variant = "ldgsts"} : !global to !alone

    // A copy that is declined only because of max-vector-bits=16.
    // LIMIT: :[[#@LINE+1]]:5: remark: [Missed] vector-limit-under-4-bytes | {{.*}}Reason="cp.async moves 32, 64 or 128 bits; vectors are limited to 16"
    tile.copy_async %a to %s scope(cta) {variant = "ldgsts"} : !global to !shared
    gpu.return
  }

  // Direct copies: one instruction for the whole region.
  gpu.func @direct(%A: memref<32x64xf16>, %B: memref<32x64xf16> {llvm.align = 4 : i64}) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !global
    %b = tile.view %B : memref<32x64xf16> to !global
    %s = tile.alloc : !shared
    %columns = tile.alloc : !columns
    %swizzled = tile.alloc : !swizzled
    %panels = tile.alloc : !panels

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] scope-not-thread | {{.*}}Reason="{{.*}} direct {{.*}} thread {{.*}} warp"
    tile.copy_async %a[0, 0] [1, 8] to %s[0, 0] [1, 8] scope(warp) {variant = "ldgsts", direct} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] region-not-one-vector | {{.*}}Reason="{{.*}} 6 {{.*}} 16 {{.*}} 96 {{.*}} direct {{.*}} 32, 64 {{.*}} 128"
    tile.copy_async %a[0, 0] [1, 6] to %s[0, 0] [1, 6] scope(thread) {variant = "ldgsts", direct} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] not-contiguous | {{.*}}Operand=destination, Reason="{{.*}} 2 {{.*}} 2:32 {{.*}} 1 {{.*}} 32; {{.*}} 0 {{.*}} (0) {{.*}} 0"
    tile.copy_async %a[0, 0] [1, 2] to %columns[0, 0] [1, 2] scope(thread) {variant = "ldgsts", direct} : !global to !columns

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] run-too-short | {{.*}}Operand=source, Reason="{{.*}} 2 {{.*}} 4"
    tile.copy_async %a[0, 0] [1, 4] to %panels[0, 0] [1, 4] scope(thread) {variant = "ldgsts", direct} : !global to !panels

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] offset-not-divisible | {{.*}}Operand=source, Reason="{{.*}} 2 {{.*}} 2, {{.*}} 1; {{.*}} 0 {{.*}} (0) {{.*}} 1"
    tile.copy_async %a[0, 1] [1, 2] to %s[0, 0] [1, 2] scope(thread) {variant = "ldgsts", direct} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] swizzle-chunk-too-small | {{.*}}Operand=destination, Reason="{{.*}} 2 {{.*}} 4"
    tile.copy_async %a[0, 0] [1, 4] to %swizzled[0, 16] [1, 4] scope(thread) {variant = "ldgsts", direct} : !global to !swizzled

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] storage-alignment | {{.*}}Operand=source, Reason="{{.*}} 8 {{.*}} 16 {{.*}} 4; {{.*}} 0 {{.*}} (0) {{.*}} 0 {{.*}} 4 {{.*}}"
    tile.copy_async %b[0, 0] [1, 8] to %s[0, 0] [1, 8] scope(thread) {variant = "ldgsts", direct} : !global to !shared
    gpu.return
  }

  // The same reasons as for gmem_smem.
  gpu.func @layouts_and_regions(%A: memref<32x64xf16>, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !global
    %s = tile.alloc : !shared
    %stacked = tile.alloc : !stacked
    %blocks = tile.alloc : !blocks

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] destination-overlaps | {{.*}}Operand=destination, Reason="{{.*}} 32:0); {{.*}}"
    tile.copy_async %a to %stacked scope(warp) {variant = "ldgsts"} : !global to !stacked

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] region-not-sliceable | {{.*}}Operand=destination, Reason="{{.*}} 0: {{.*}} [13, 13 {{.*}} 8) {{.*}} 16:64 {{.*}}"
    tile.copy_async %a[13, 0] [8, 64] to %blocks[13, 0] [8, 64] scope(warp) {variant = "ldgsts"} : !global to !blocks

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-begin-not-divisible | {{.*}}Operand=destination, Reason="{{.*}} 0 {{.*}} 0 {{.*}} 1) {{.*}} 16 {{.*}} 16"
    tile.copy_async %a[%i, 0] [16, 64] to %blocks[%i, 0] [16, 64] scope(warp) {variant = "ldgsts"} : !global to !blocks

    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %rows = arith.muli %i, %c16 : index
    %row = arith.addi %rows, %c8 : index
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] region-out-of-bounds | {{.*}}Operand=source, Reason="{{.*}} 0 {{.*}} 30 {{.*}} 8 {{.*}} 16) {{.*}} [0, 32)"
    tile.copy_async %a[%row, 0] [30, 64] to %s[0, 0] [30, 64] scope(warp) {variant = "ldgsts"} : !global to !shared
    gpu.return
  }

  gpu.func @threads(%A: memref<32x64xf16>, %flags: memref<128xi1>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x64xf16> to !global
    %s = tile.alloc : !shared
    %c0 = arith.constant 0 : index
    %thread = gpu.thread_id x

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
      tile.copy_async %a to %s scope(warp) {variant = "ldgsts"} : !global to !shared
    }
    %flag = memref.load %flags[%thread] : memref<128xi1>
    scf.if %flag {
      // CHECK: :[[#@LINE+1]]:7: remark: [Missed] active-unknown | {{.*}}Reason="{{.*}} 'memref.load' {{.*}}"
      tile.copy_async %a to %s scope(warp) {variant = "ldgsts"} : !global to !shared
    }
    gpu.return
  }

  gpu.func @parts_of_bytes(%A: memref<32x32xi4>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xi4> to !tile.buffer<32x32xi4, global>
    %s = tile.alloc : !tile.buffer<32x32xi4, shared>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] element-width-unsupported | {{.*}}Reason="{{.*}} i4 {{.*}} 4 {{.*}} 8, 16, 32, 64 {{.*}} 128"
    tile.copy_async %a to %s scope(warp) {variant = "ldgsts"}
      : !tile.buffer<32x32xi4, global> to !tile.buffer<32x32xi4, shared>
    gpu.return
  }
}
