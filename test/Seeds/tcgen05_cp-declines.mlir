// Every reason for which tcgen05_cp does not take a copy that the verifier lets through. Forcing the variant makes each
// an error; the remark has the cause's name.

// RUN: not tile-opt %s --tile-align-copy -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark:

!bytes = !tile.buffer<32x16xi8, shared>
!four = !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
!words = !tile.buffer<128x8xi32, shared>
!lanes = !tile.buffer<128x8xi32, tmem, #tile.layout<(128, 8) : (1@TLane, 1@TCol)>>

gpu.module @hopper [#nvvm.target<chip = "sm_90a">] {
  gpu.func @chip(%address: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !bytes
    %t = tile.tmem %address : !four
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chip-lacks-tcgen05 | {{.*}}Reason="tcgen05 needs a chip or family of sm_100 to sm_110, as sm_100a; got sm_90a"
    tile.copy_async %s to %t scope(thread) {variant = "tcgen05_cp"} : !bytes to !four
    gpu.return
  }
}

// The plain chip has no tensor memory: only its own code (sm_100a) and that of its family (sm_100f) may use it.
gpu.module @plain [#nvvm.target<chip = "sm_100">] {
  gpu.func @chip(%address: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !bytes
    %t = tile.tmem %address : !four
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chip-lacks-tcgen05 | {{.*}}Reason="tcgen05 needs a chip or family of sm_100 to sm_110, as sm_100a; got sm_100"
    tile.copy_async %s to %t scope(thread) {variant = "tcgen05_cp"} : !bytes to !four
    gpu.return
  }
}

gpu.module @consumer [#nvvm.target<chip = "sm_120a">] {
  gpu.func @chip(%address: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !bytes
    %t = tile.tmem %address : !four
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chip-lacks-tcgen05 | {{.*}}Reason="tcgen05 needs a chip or family of sm_100 to sm_110, as sm_100a; got sm_120a"
    tile.copy_async %s to %t scope(thread) {variant = "tcgen05_cp"} : !bytes to !four
    gpu.return
  }
}

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @spaces_and_wishes(%A: memref<32x16xi8>, %address: i32, %barrier: !llvm.ptr<3>, %rank: i32, %p: i1) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x16xi8> to !tile.buffer<32x16xi8, global>
    %s = tile.alloc : !bytes
    %t = tile.tmem %address : !four

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] unsupported-spaces | {{.*}}Reason="unsupported memory scopes src=tmem dst=shared; allowed: shared -> tmem"
    tile.copy_async %t to %s scope(thread) {variant = "tcgen05_cp"} : !four to !bytes

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] unsupported-spaces | {{.*}}Reason="unsupported memory scopes src=global dst=tmem; allowed: shared -> tmem"
    tile.copy_async %a to %t scope(thread) {variant = "tcgen05_cp"} : !tile.buffer<32x16xi8, global> to !four

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] scope-not-thread | {{.*}}Reason="one thread issues tcgen05.cp: needed thread scope; got warp"
    tile.copy_async %s to %t scope(warp) {variant = "tcgen05_cp"} : !bytes to !four

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] wish-not-honoured | {{.*}}Reason="the copy asks for mbarrier, predicate; allowed: shape, multicast, cta_group"
    tile.copy_async %s to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) predicate(%p) {variant = "tcgen05_cp"} : !bytes to !four

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] cache-needs-global-source | {{.*}}Operand=source, Reason="cache hints need a global source; got shared"
    tile.copy_async %s to %t scope(thread) {variant = "tcgen05_cp", prefetch_size = "L2::64B"} : !bytes to !four
    gpu.return
  }

  // Lanes, columns and copies of the form.
  gpu.func @tensor_memory(%address: i32, %i: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !bytes
    %once = tile.tmem %address : !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] replica-not-of-form | {{.*}}Operand=destination, Reason="32x128b.warpx4 needs replica 4:32@TLane in the destination; got no replica"
    tile.copy_async %s to %once scope(thread) {variant = "tcgen05_cp", shape = "32x128b"}
      : !bytes to !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>

    %w = tile.alloc : !tile.buffer<4x8xi32, shared>
    %twice = tile.tmem %address : !tile.buffer<4x8xi32, tmem, #tile.layout<(4, 8) : (32@TLane, 1@TCol) + R(2 : 1@TLane)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] replica-not-of-form | {{.*}}Operand=destination, Reason="4x256b needs no replica in the destination; got replica 2:1@TLane"
    tile.copy_async %w to %twice scope(thread) {variant = "tcgen05_cp", shape = "4x256b"}
      : !tile.buffer<4x8xi32, shared> to !tile.buffer<4x8xi32, tmem, #tile.layout<(4, 8) : (32@TLane, 1@TCol) + R(2 : 1@TLane)>>

    %half = tile.tmem %address : !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(2 : 64@TLane)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] lanes-not-of-form | {{.*}}Operand=destination, Reason="64x128b.warpx2::02_13 needs rows in lanes 64:1; got lanes 32:1"
    tile.copy_async %s to %half scope(thread) {variant = "tcgen05_cp"}
      : !bytes to !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(2 : 64@TLane)>>

    %spread = tile.tmem %address : !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 2@TCol) + R(4 : 32@TLane)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] columns-not-of-form | {{.*}}Operand=destination, Reason="32x128b.warpx4 needs rows of 16 neighbouring columns; got columns 16:2"
    tile.copy_async %s to %spread scope(thread) {variant = "tcgen05_cp"}
      : !bytes to !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 2@TCol) + R(4 : 32@TLane)>>

    %s12 = tile.alloc : !tile.buffer<32x12xi32, shared, #tile.layout<(32, 4, 3) : (32, 8, 1)>>
    %t12 = tile.tmem %address : !tile.buffer<32x12xi32, tmem, #tile.layout<(32, 3, 4) : (1@TLane, 8@TCol, 1@TCol) + R(4 : 32@TLane)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] no-common-refinement | {{.*}}Reason="the iters of the two sides have no common refinement"
    tile.copy_async %s12 to %t12 scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<32x12xi32, shared, #tile.layout<(32, 4, 3) : (32, 8, 1)>>
      to !tile.buffer<32x12xi32, tmem, #tile.layout<(32, 3, 4) : (1@TLane, 8@TCol, 1@TCol) + R(4 : 32@TLane)>>

    %stacked = tile.tmem %address : !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (0@TLane, 1@TCol) + R(4 : 32@TLane)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] destination-overlaps | {{.*}}Operand=destination, Reason="the destination has several elements in one place (iter 32:0@TLane); needed one"
    tile.copy_async %s to %stacked scope(thread) {variant = "tcgen05_cp"}
      : !bytes to !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (0@TLane, 1@TCol) + R(4 : 32@TLane)>>

    // A tile begins at a multiple of 4 columns of 32 bits.
    %wide = tile.tmem %address : !tile.buffer<32x64xi8, tmem, #tile.layout<(32, 64) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] columns-misaligned | {{.*}}Operand=destination, Reason="the destination's region begins 64 bits into the buffer in its lane; needed a multiple of 128"
    tile.copy_async %s to %wide[0, 8] [32, 16] scope(thread) {variant = "tcgen05_cp"}
      : !bytes to !tile.buffer<32x64xi8, tmem, #tile.layout<(32, 64) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-begin-not-divisible | {{.*}}Operand=destination, Reason="the destination begins 1 time a run-time value further on; the value (divided by 1) is known as 0 modulo 1, and steps of 16 elements are needed"
    tile.copy_async %s to %wide[0, %i] [32, 16] scope(thread) {variant = "tcgen05_cp"}
      : !bytes to !tile.buffer<32x64xi8, tmem, #tile.layout<(32, 64) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>

    %i8 = tile.assume %i divisible_by 8 : index
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-begin-not-divisible | {{.*}}Operand=destination, Reason="the destination begins 1 time a run-time value further on; the value (divided by 1) is known as 0 modulo 8, and steps of 16 elements are needed"
    tile.copy_async %s to %wide[0, %i8] [32, 16] scope(thread) {variant = "tcgen05_cp"}
      : !bytes to !tile.buffer<32x64xi8, tmem, #tile.layout<(32, 64) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>

    %s2 = tile.alloc : !tile.buffer<32x32xi8, shared, #tile.layout<(32, 2, 16) : (16, 512, 1)>>
    %gap = tile.tmem %address : !tile.buffer<32x32xi8, tmem, #tile.layout<(32, 2, 16) : (1@TLane, 24@TCol, 1@TCol) + R(4 : 32@TLane)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] columns-misaligned | {{.*}}Operand=destination, Reason="the destination's tiles are 192 bits apart in its lane; needed a multiple of 128"
    tile.copy_async %s2 to %gap scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<32x32xi8, shared, #tile.layout<(32, 2, 16) : (16, 512, 1)>>
      to !tile.buffer<32x32xi8, tmem, #tile.layout<(32, 2, 16) : (1@TLane, 24@TCol, 1@TCol) + R(4 : 32@TLane)>>
    gpu.return
  }

  // What a descriptor can say of shared memory.
  gpu.func @shared_memory(%address: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = tile.tmem %address : !four

    // The four rows of 8 lie in two halves.
    %uneven = tile.alloc : !tile.buffer<32x16xi8, shared, #tile.layout<(4, 2, 4, 16) : (64, 256, 16, 1)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] rows-uneven | {{.*}}Operand=source, Reason="the rows of 32x128b.warpx4 lie unevenly in the source; needed groups of 8 even rows"
    tile.copy_async %uneven to %t scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<32x16xi8, shared, #tile.layout<(4, 2, 4, 16) : (64, 256, 16, 1)>> to !four

    %apart = tile.alloc : !tile.buffer<32x16xi8, shared, #tile.layout<(32, 16) : (32, 1)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] rows-not-of-swizzle | {{.*}}Operand=source, Reason="rows 32 bytes apart in the source; a descriptor without swizzle needs 16"
    tile.copy_async %apart to %t scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<32x16xi8, shared, #tile.layout<(32, 16) : (32, 1)>> to !four

    %halves = tile.alloc : !tile.buffer<32x16xi8, shared, #tile.layout<(32, 2, 8) : (16, 512, 1)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] row-not-contiguous | {{.*}}Operand=source, Reason="16 bytes of a row are not 16 neighbours in the source"
    tile.copy_async %halves to %t scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<32x16xi8, shared, #tile.layout<(32, 2, 8) : (16, 512, 1)>> to !four

    %groups = tile.alloc : !tile.buffer<32x16xi8, shared, #tile.layout<(4, 8, 16) : (136, 16, 1)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] descriptor-field-out-of-range | {{.*}}Operand=source, Reason="the groups of 8 rows are 136 bytes apart in the source; needed a multiple of 16 up to 262128"
    tile.copy_async %groups to %t scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<32x16xi8, shared, #tile.layout<(4, 8, 16) : (136, 16, 1)>> to !four

    %tiles = tile.alloc : !tile.buffer<32x32xi8, shared, #tile.layout<(32, 2, 16) : (16, 520, 1)>>
    %t2 = tile.tmem %address : !tile.buffer<32x32xi8, tmem, #tile.layout<(32, 32) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] tile-step-misaligned | {{.*}}Operand=source, Reason="the source's tiles are 520 bytes apart; needed a multiple of 16"
    tile.copy_async %tiles to %t2 scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<32x32xi8, shared, #tile.layout<(32, 2, 16) : (16, 520, 1)>>
      to !tile.buffer<32x32xi8, tmem, #tile.layout<(32, 32) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>

    // Under a swizzle both halves of a 256-bit row are in one row of the pattern.
    %split = tile.alloc : !tile.buffer<128x8xi32, shared, #tile.layout<(128, 2, 4) : (8, 1024, 1), swizzle<2, 1, 3>>>
    %l = tile.tmem %address : !lanes
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] row-not-contiguous | {{.*}}Operand=source, Reason="the halves of a row are 1024 elements apart in the source; the 32-byte swizzle needs 4"
    tile.copy_async %split to %l scope(thread) {variant = "tcgen05_cp", shape = "128x256b"}
      : !tile.buffer<128x8xi32, shared, #tile.layout<(128, 2, 4) : (8, 1024, 1), swizzle<2, 1, 3>>> to !lanes
    gpu.return
  }

  // Swizzles, and where their patterns begin.
  gpu.func @swizzles(%address: i32, %i: index)
      workgroup(%M: memref<128x32xi32, #gpu.address_space<workgroup>> {llvm.align = 512 : i64})
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %l = tile.tmem %address : !lanes
    %three = tile.alloc : !tile.buffer<128x8xi32, shared, #tile.layout<(128, 8) : (8, 1), swizzle<3, 1, 3>>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] swizzle-not-of-descriptor | {{.*}}Operand=source, Reason="the source has swizzle<3, 1, 3>; a descriptor of 32-bit elements has none, swizzle<2, 1, 3>, swizzle<2, 2, 3> and swizzle<2, 3, 3>"
    tile.copy_async %three to %l scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<128x8xi32, shared, #tile.layout<(128, 8) : (8, 1), swizzle<3, 1, 3>>> to !lanes

    %m = tile.view %M : memref<128x32xi32, #gpu.address_space<workgroup>>
      to !tile.buffer<128x32xi32, shared, #tile.layout<(128, 32) : (32, 1), swizzle<2, 3, 3>>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] storage-alignment | {{.*}}Operand=source, Reason="the source's storage is aligned to 512 bytes; the 128-byte swizzle needs 1024"
    tile.copy_async %m[0, 0] [128, 8] to %l scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<128x32xi32, shared, #tile.layout<(128, 32) : (32, 1), swizzle<2, 3, 3>>> to !lanes

    %s = tile.alloc : !tile.buffer<136x32xi32, shared, #tile.layout<(136, 32) : (32, 1), swizzle<2, 3, 3>>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] shared-begin-misaligned | {{.*}}Operand=source, Reason="the source region begins 512 bytes into its storage; the 128-byte swizzle needs a multiple of 1024"
    tile.copy_async %s[4, 0] [128, 8] to %l scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<136x32xi32, shared, #tile.layout<(136, 32) : (32, 1), swizzle<2, 3, 3>>> to !lanes

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-begin-not-divisible | {{.*}}Operand=source, Reason="the source begins 32 times a run-time value further on; the value (divided by 1) is known as 0 modulo 1, and steps of 256 elements are needed"
    tile.copy_async %s[%i, 0] [128, 8] to %l scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<136x32xi32, shared, #tile.layout<(136, 32) : (32, 1), swizzle<2, 3, 3>>> to !lanes

    // Without a swizzle 16 bytes are enough.
    %plain = tile.alloc : !tile.buffer<32x32xi8, shared, #tile.layout<(32, 32) : (16, 1)>>
    %t = tile.tmem %address : !four
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] shared-begin-misaligned | {{.*}}Operand=source, Reason="the source region begins 8 bytes into its storage; a descriptor without swizzle needs a multiple of 16"
    tile.copy_async %plain[0, 8] [32, 16] to %t scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<32x32xi8, shared, #tile.layout<(32, 32) : (16, 1)>> to !four
    gpu.return
  }

  gpu.func @regions(%address: i32, %i: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = tile.tmem %address : !four
    %blocks = tile.alloc : !tile.buffer<64x16xi8, shared, #tile.layout<(2, 32, 16) : (1024, 16, 1)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] region-not-sliceable | {{.*}}Operand=source, Reason="dimension 0: positions [8, 8 + 32) cross the end of iter 32:16 in a way that no list of iters describes"
    tile.copy_async %blocks[8, 0] [32, 16] to %t scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<64x16xi8, shared, #tile.layout<(2, 32, 16) : (1024, 16, 1)>> to !four

    %c8 = arith.constant 8 : index
    %rows = arith.muli %i, %c8 : index
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-begin-not-divisible | {{.*}}Operand=source, Reason="dimension 0 of the source begins at a run-time value ≡ 0 (mod 8) inside iters of 32 positions; needed a value known modulo a multiple of 32"
    tile.copy_async %blocks[%rows, 0] [32, 16] to %t scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<64x16xi8, shared, #tile.layout<(2, 32, 16) : (1024, 16, 1)>> to !four

    %c1 = arith.constant 1 : index
    %odd = arith.addi %rows, %c1 : index
    %s = tile.alloc : !bytes
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] region-out-of-bounds | {{.*}}Operand=source, Reason="dimension 0 of the source's region is 32 elements from a run-time value ≡ 1 (mod 8) on; needed a non-empty part of [0, 32)"
    tile.copy_async %s[%odd, 0] [32, 16] to %t scope(thread) {variant = "tcgen05_cp"} : !bytes to !four
    gpu.return
  }
}
