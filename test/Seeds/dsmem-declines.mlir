// Every reason for which dsmem declines a copy that the verifier accepts. Forcing the variant makes each an
// error; the remark has the cause's name.

// RUN: not tile-opt %s --tile-align-layouts -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark:

!shared = !tile.buffer<64x64xf16, shared>
!narrow = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 2, bits = 3, shift = 3>>>
!columns = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (1, 64)>>
!padded = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (68, 1)>>
!blocks = !tile.buffer<64x64xf16, shared, #tile.layout<(4, 16, 64) : (2048, 64, 1)>>
!stacked = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (0, 1)>>
!threes = !tile.buffer<12x8xf16, shared, #tile.layout<(4, 3, 8) : (32, 8, 1)>>
!fours = !tile.buffer<12x8xf16, shared, #tile.layout<(3, 4, 8) : (40, 8, 1)>>

gpu.module @no_clusters [#nvvm.target<chip = "sm_89">] {
  gpu.func @chip(%barrier: !llvm.ptr<3>, %rank: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chip-lacks-clusters | {{.*}}Reason="{{.*}} sm_90 {{.*}} sm_89"
    tile.copy_async %s to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !shared
    gpu.return
  }
}

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @spaces_and_wishes(%A: memref<64x64xf16>, %barrier: !llvm.ptr<3>, %rank: i32, %p: i1) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !tile.buffer<64x64xf16, global>
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] unsupported-spaces | {{.*}}Reason="{{.*}} src=global dst=shared; {{.*}} shared -> shared {{.*}}"
    tile.copy_async %a to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !tile.buffer<64x64xf16, global> to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] remote-cta-missing | {{.*}}Reason="{{.*}} destination{{.*}} remote_cta"
    tile.copy_async %s to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) {variant = "dsmem"} : !shared to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] mbarrier-missing | {{.*}}Reason="{{.*}} mbarrier {{.*}}"
    tile.copy_async %s to %t scope(thread) remote_cta(%rank) {variant = "dsmem"} : !shared to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] request-not-supported | {{.*}}Reason="{{.*}} group; {{.*}} mbarrier, remote_cta"
    tile.copy_async %s to %t scope(thread) group remote_cta(%rank) {variant = "dsmem"} : !shared to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] request-not-supported | {{.*}}Reason="{{.*}} predicate; {{.*}} mbarrier, remote_cta"
    tile.copy_async %s to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) predicate(%p) {variant = "dsmem"} : !shared to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] scope-not-thread | {{.*}}Reason="{{.*}} thread {{.*}} warp"
    tile.copy_async %s to %t scope(warp) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] cache-needs-global-source | {{.*}}Operand=source, Reason="{{.*}} global {{.*}} shared"
    tile.copy_async %s to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem", prefetch_size = "L2::128B"} : !shared to !shared
    gpu.return
  }

  // Chunks are at least 16 bytes, and start at multiples of 16 bytes.
  gpu.func @chunks(%barrier: !llvm.ptr<3>, %rank: i32, %i: index)
      workgroup(%M: memref<64x64xf16, #gpu.address_space<workgroup>> {llvm.align = 8 : i64})
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared
    %columns = tile.alloc : !columns
    %padded = tile.alloc : !padded
    %m = tile.view %M : memref<64x64xf16, #gpu.address_space<workgroup>> to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chunk-not-16-bytes | {{.*}}Reason="chunk_bytes=2, {{.*}} 16 {{.*}}"
    tile.copy_async %s to %columns scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !columns

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chunk-not-16-bytes | {{.*}}Reason="chunk_bytes=24, {{.*}} 16 {{.*}}"
    tile.copy_async %s[0, 0] [8, 12] to %t[0, 0] [8, 12] scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] offset-not-divisible | {{.*}}Operand=source, Reason="{{.*}} 16 {{.*}} 8 {{.*}} 8, {{.*}} 4; {{.*}} 0 {{.*}} (0, 0) {{.*}} 4"
    tile.copy_async %s[0, 4] [8, 8] to %t[0, 0] [8, 8] scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] stride-not-divisible | {{.*}}Operand=destination, Reason="{{.*}} 16 {{.*}} 8 {{.*}} 64:68 {{.*}} 8, {{.*}} 68; {{.*}} 64 {{.*}} (1, 0) {{.*}} 68"
    tile.copy_async %s to %padded scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !padded

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-begin-not-divisible | {{.*}}Operand=source, Reason="{{.*}} 16 {{.*}} 8 {{.*}} 0, 1 {{.*}} 0 {{.*}} 1, {{.*}} 8 {{.*}} 1; {{.*}} 0 {{.*}} (0, 0) {{.*}} 1 {{.*}} 1"
    tile.copy_async %s[0, %i] [8, 8] to %t[0, 0] [8, 8] scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] storage-alignment | {{.*}}Operand=destination, Reason="{{.*}} 16 {{.*}} 8 {{.*}} 16 {{.*}} 8; {{.*}} 0 {{.*}} (0) {{.*}} 0 {{.*}} 8 {{.*}}"
    tile.copy_async %s to %m scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !shared

    %narrow = tile.alloc : !narrow
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] swizzle-chunk-too-small | {{.*}}Operand=source, Reason="{{.*}} 4 {{.*}} 8, 16 {{.*}}"
    tile.copy_async %narrow to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !narrow to !shared
    gpu.return
  }

  gpu.func @layouts_and_regions(%barrier: !llvm.ptr<3>, %rank: i32, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %stacked = tile.alloc : !stacked
    %blocks = tile.alloc : !blocks
    %threes = tile.alloc : !threes
    %fours = tile.alloc : !fours

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] no-common-refinement |
    tile.copy_async %threes to %fours scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !threes to !fours

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] destination-overlaps | {{.*}}Operand=destination, Reason="{{.*}} 64:0); {{.*}}"
    tile.copy_async %s to %stacked scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !stacked

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] region-not-sliceable | {{.*}}Operand=destination, Reason="{{.*}} 0: {{.*}} [13, 13 {{.*}} 8) {{.*}} 16:64 {{.*}}"
    tile.copy_async %s[13, 0] [8, 64] to %blocks[13, 0] [8, 64] scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !blocks

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-begin-not-divisible | {{.*}}Operand=source, Reason="{{.*}} 0 {{.*}} 0 {{.*}} 1) {{.*}} 16 {{.*}} 16"
    tile.copy_async %blocks[%i, 0] [16, 64] to %s[0, 0] [16, 64] scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !blocks to !shared

    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %rows = arith.muli %i, %c16 : index
    %row = arith.addi %rows, %c8 : index
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] region-out-of-bounds | {{.*}}Operand=source, Reason="{{.*}} 0 {{.*}} 60 {{.*}} 8 {{.*}} 16) {{.*}} [0, 64)"
    tile.copy_async %s[%row, 0] [60, 64] to %s[0, 0] [60, 64] scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !shared

    %bits = tile.alloc : !tile.buffer<64x64xi4, shared>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] element-width-unsupported | {{.*}}Reason="{{.*}} i4 {{.*}} 4 {{.*}} 8, 16, 32, 64 {{.*}} 128"
    tile.copy_async %bits to %bits scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"}
      : !tile.buffer<64x64xi4, shared> to !tile.buffer<64x64xi4, shared>
    gpu.return
  }
}
