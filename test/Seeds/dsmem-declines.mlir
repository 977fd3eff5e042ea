// Every reason for which dsmem does not take a copy that the verifier lets through. Forcing the variant makes each an
// error; the remark has the cause's name.

// RUN: not tile-opt %s --tile-align-copy -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark:

!shared = !tile.buffer<64x64xf16, shared>
!narrow = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<2, 3, 3>>>
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
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chip-lacks-clusters | {{.*}}Reason="a copy to another CTA of a cluster needs sm_90 or later; got sm_89"
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

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] unsupported-spaces | {{.*}}Reason="unsupported memory scopes src=global dst=shared; allowed: shared -> shared of another CTA"
    tile.copy_async %a to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !tile.buffer<64x64xf16, global> to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] remote-cta-missing | {{.*}}Reason="the copy does not say which CTA of the cluster the destination is in; needed remote_cta"
    tile.copy_async %s to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) {variant = "dsmem"} : !shared to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] mbarrier-missing | {{.*}}Reason="a copy to another CTA is completed by an mbarrier there; got the caller's commit"
    tile.copy_async %s to %t scope(thread) remote_cta(%rank) {variant = "dsmem"} : !shared to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] wish-not-honoured | {{.*}}Reason="the copy asks for group; allowed: mbarrier, remote_cta"
    tile.copy_async %s to %t scope(thread) group remote_cta(%rank) {variant = "dsmem"} : !shared to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] wish-not-honoured | {{.*}}Reason="the copy asks for predicate; allowed: mbarrier, remote_cta"
    tile.copy_async %s to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) predicate(%p) {variant = "dsmem"} : !shared to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] scope-not-thread | {{.*}}Reason="a bulk copy is issued by one thread and needs thread scope; got warp"
    tile.copy_async %s to %t scope(warp) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] cache-needs-global-source | {{.*}}Operand=source, Reason="cache hints need a global source; got shared"
    tile.copy_async %s to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem", prefetch_size = "L2::128B"} : !shared to !shared
    gpu.return
  }

  // Chunks are 16 bytes at least, and begin at multiples of 16 bytes.
  gpu.func @chunks(%barrier: !llvm.ptr<3>, %rank: i32, %i: index)
      workgroup(%M: memref<64x64xf16, #gpu.address_space<workgroup>> {llvm.align = 8 : i64})
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared
    %columns = tile.alloc : !columns
    %padded = tile.alloc : !padded
    %m = tile.view %M : memref<64x64xf16, #gpu.address_space<workgroup>> to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chunk-not-16-bytes | {{.*}}Reason="chunk_bytes=2, of neighbours on both sides; needed 16 or a multiple"
    tile.copy_async %s to %columns scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !columns

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chunk-not-16-bytes | {{.*}}Reason="chunk_bytes=24, of neighbours on both sides; needed 16 or a multiple"
    tile.copy_async %s[0, 0] [8, 12] to %t[0, 0] [8, 12] scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] offset-not-divisible | {{.*}}Operand=source, Reason="bulk copies begin at multiples of 16 bytes: the source: 8 elements at a time: the offset needs to be a multiple of 8, not 4; element 0 at (0, 0) is at address 4"
    tile.copy_async %s[0, 4] [8, 8] to %t[0, 0] [8, 8] scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] stride-not-divisible | {{.*}}Operand=destination, Reason="bulk copies begin at multiples of 16 bytes: the destination: 8 elements at a time: iter 64:68 needs a stride that is a multiple of 8, not 68; element 64 at (1, 0) is at address 68"
    tile.copy_async %s to %padded scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !padded

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-begin-not-divisible | {{.*}}Operand=source, Reason="bulk copies begin at multiples of 16 bytes: the source: 8 elements at a time: dynamic term 0, 1 * n with n = 0 mod 1, needs to move in multiples of 8 elements, not 1; element 0 at (0, 0) with n = 1 is at address 1"
    tile.copy_async %s[0, %i] [8, 8] to %t[0, 0] [8, 8] scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] storage-alignment | {{.*}}Operand=destination, Reason="bulk copies begin at multiples of 16 bytes: the destination: 8 elements at a time: the base needs an alignment of 16 bytes; proven is 8; element 0 at (0) is at address 0 from byte 8 on"
    tile.copy_async %s to %m scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !shared

    %narrow = tile.alloc : !narrow
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] swizzle-chunk-too-small | {{.*}}Operand=source, Reason="the source's swizzle keeps 4 elements together; needed 8, 16 bytes, or whole blocks of the same swizzle on both sides"
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

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] no-common-refinement | {{.*}}Reason="the iters of the two sides have no common refinement"
    tile.copy_async %threes to %fours scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !threes to !fours

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] destination-overlaps | {{.*}}Operand=destination, Reason="the destination has several elements in one place (iter 64:0); needed one"
    tile.copy_async %s to %stacked scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !stacked

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] region-not-sliceable | {{.*}}Operand=destination, Reason="dimension 0: positions [13, 13 + 8) cross the end of iter 16:64 in a way that no list of iters describes"
    tile.copy_async %s[13, 0] [8, 64] to %blocks[13, 0] [8, 64] scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !blocks

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-begin-not-divisible | {{.*}}Operand=source, Reason="dimension 0 of the source begins at a run-time value ≡ 0 (mod 1) inside iters of 16 positions; needed a value known modulo a multiple of 16"
    tile.copy_async %blocks[%i, 0] [16, 64] to %s[0, 0] [16, 64] scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !blocks to !shared

    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %rows = arith.muli %i, %c16 : index
    %row = arith.addi %rows, %c8 : index
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] region-out-of-bounds | {{.*}}Operand=source, Reason="dimension 0 of the source's region is 60 elements from a run-time value ≡ 8 (mod 16) on; needed a non-empty part of [0, 64)"
    tile.copy_async %s[%row, 0] [60, 64] to %s[0, 0] [60, 64] scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"} : !shared to !shared

    %bits = tile.alloc : !tile.buffer<64x64xi4, shared>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] element-width-unsupported | {{.*}}Reason="elements of type i4 have 4 bits; needed 8, 16, 32, 64 or 128"
    tile.copy_async %bits to %bits scope(thread) mbarrier(%barrier : !llvm.ptr<3>) remote_cta(%rank) {variant = "dsmem"}
      : !tile.buffer<64x64xi4, shared> to !tile.buffer<64x64xi4, shared>
    gpu.return
  }
}
