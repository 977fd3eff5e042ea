// Every reason for which tcgen05_cp declines a copy that the verifier accepts. Forcing the variant makes each
// an error; the remark has the cause's name.

// RUN: not tile-opt %s --tile-align-layouts -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark:

!bytes = !tile.buffer<32x16xi8, shared>
!four = !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
!words = !tile.buffer<128x8xi32, shared>
!lanes = !tile.buffer<128x8xi32, tmem, #tile.layout<(128, 8) : (1@TLane, 1@TCol)>>

gpu.module @hopper [#nvvm.target<chip = "sm_90a">] {
  gpu.func @chip(%address: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !bytes
    %t = tile.tmem %address : !four
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chip-lacks-tcgen05 | {{.*}}Reason="tcgen05 {{.*}} sm_100 {{.*}} sm_110, {{.*}} sm_100a; {{.*}} sm_90a"
    tile.copy_async %s to %t scope(thread) {variant = "tcgen05_cp"} : !bytes to !four
    gpu.return
  }
}

// The plain chip has no tensor memory: only its own code (sm_100a) and that of its family (sm_100f) may use it.
gpu.module @plain [#nvvm.target<chip = "sm_100">] {
  gpu.func @chip(%address: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !bytes
    %t = tile.tmem %address : !four
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chip-lacks-tcgen05 | {{.*}}Reason="tcgen05 {{.*}} sm_100 {{.*}} sm_110, {{.*}} sm_100a; {{.*}} sm_100"
    tile.copy_async %s to %t scope(thread) {variant = "tcgen05_cp"} : !bytes to !four
    gpu.return
  }
}

gpu.module @consumer [#nvvm.target<chip = "sm_120a">] {
  gpu.func @chip(%address: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !bytes
    %t = tile.tmem %address : !four
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chip-lacks-tcgen05 | {{.*}}Reason="tcgen05 {{.*}} sm_100 {{.*}} sm_110, {{.*}} sm_100a; {{.*}} sm_120a"
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

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] unsupported-spaces | {{.*}}Reason="{{.*}} src=tmem dst=shared; {{.*}} shared -> tmem"
    tile.copy_async %t to %s scope(thread) {variant = "tcgen05_cp"} : !four to !bytes

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] unsupported-spaces | {{.*}}Reason="{{.*}} src=global dst=tmem; {{.*}} shared -> tmem"
    tile.copy_async %a to %t scope(thread) {variant = "tcgen05_cp"} : !tile.buffer<32x16xi8, global> to !four

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] scope-not-thread | {{.*}}Reason="{{.*}} tcgen05.cp: {{.*}} thread {{.*}} warp"
    tile.copy_async %s to %t scope(warp) {variant = "tcgen05_cp"} : !bytes to !four

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] request-not-supported | {{.*}}Reason="{{.*}} mbarrier, predicate; {{.*}} cta_group"
    tile.copy_async %s to %t scope(thread) mbarrier(%barrier : !llvm.ptr<3>) predicate(%p) {variant = "tcgen05_cp"} : !bytes to !four

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] cache-needs-global-source | {{.*}}Operand=source, Reason="{{.*}} global {{.*}} shared"
    tile.copy_async %s to %t scope(thread) {variant = "tcgen05_cp", prefetch_size = "L2::64B"} : !bytes to !four
    gpu.return
  }

  // Lanes, columns and replicas of the form.
  gpu.func @tensor_memory(%address: i32, %i: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !bytes
    %once = tile.tmem %address : !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] replica-not-of-form | {{.*}}Operand=destination, Reason="32x128b.warpx4 {{.*}} 4:32@TLane {{.*}}"
    tile.copy_async %s to %once scope(thread) {variant = "tcgen05_cp", shape = "32x128b"}
      : !bytes to !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol)>>

    %w = tile.alloc : !tile.buffer<4x8xi32, shared>
    %twice = tile.tmem %address : !tile.buffer<4x8xi32, tmem, #tile.layout<(4, 8) : (32@TLane, 1@TCol) + R(2 : 1@TLane)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] replica-not-of-form | {{.*}}Operand=destination, Reason="4x256b {{.*}} 2:1@TLane"
    tile.copy_async %w to %twice scope(thread) {variant = "tcgen05_cp", shape = "4x256b"}
      : !tile.buffer<4x8xi32, shared> to !tile.buffer<4x8xi32, tmem, #tile.layout<(4, 8) : (32@TLane, 1@TCol) + R(2 : 1@TLane)>>

    %half = tile.tmem %address : !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(2 : 64@TLane)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] lanes-not-of-form | {{.*}}Operand=destination, Reason="64x128b.warpx2::02_13 {{.*}} 64:1; {{.*}} 32:1"
    tile.copy_async %s to %half scope(thread) {variant = "tcgen05_cp"}
      : !bytes to !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(2 : 64@TLane)>>

    %spread = tile.tmem %address : !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 2@TCol) + R(4 : 32@TLane)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] columns-not-of-form | {{.*}}Operand=destination, Reason="32x128b.warpx4 {{.*}} 16 {{.*}} 16:2"
    tile.copy_async %s to %spread scope(thread) {variant = "tcgen05_cp"}
      : !bytes to !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 2@TCol) + R(4 : 32@TLane)>>

    %s12 = tile.alloc : !tile.buffer<32x12xi32, shared, #tile.layout<(32, 4, 3) : (32, 8, 1)>>
    %t12 = tile.tmem %address : !tile.buffer<32x12xi32, tmem, #tile.layout<(32, 3, 4) : (1@TLane, 8@TCol, 1@TCol) + R(4 : 32@TLane)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] no-common-refinement |
    tile.copy_async %s12 to %t12 scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<32x12xi32, shared, #tile.layout<(32, 4, 3) : (32, 8, 1)>>
      to !tile.buffer<32x12xi32, tmem, #tile.layout<(32, 3, 4) : (1@TLane, 8@TCol, 1@TCol) + R(4 : 32@TLane)>>

    %stacked = tile.tmem %address : !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (0@TLane, 1@TCol) + R(4 : 32@TLane)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] destination-overlaps | {{.*}}Operand=destination, Reason="{{.*}} 32:0@TLane); {{.*}}"
    tile.copy_async %s to %stacked scope(thread) {variant = "tcgen05_cp"}
      : !bytes to !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (0@TLane, 1@TCol) + R(4 : 32@TLane)>>

    // A tile must start at a multiple of 4 columns of 32 bits.
    %wide = tile.tmem %address : !tile.buffer<32x64xi8, tmem, #tile.layout<(32, 64) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] columns-misaligned | {{.*}}Operand=destination, Reason="{{.*}} 64 {{.*}} 128"
    tile.copy_async %s to %wide[0, 8] [32, 16] scope(thread) {variant = "tcgen05_cp"}
      : !bytes to !tile.buffer<32x64xi8, tmem, #tile.layout<(32, 64) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-begin-not-divisible | {{.*}}Operand=destination, Reason="{{.*}} 1 {{.*}} 1) {{.*}} 0 {{.*}} 1, {{.*}} 16 {{.*}}"
    tile.copy_async %s to %wide[0, %i] [32, 16] scope(thread) {variant = "tcgen05_cp"}
      : !bytes to !tile.buffer<32x64xi8, tmem, #tile.layout<(32, 64) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>

    %i8 = tile.assume %i divisible_by 8 : index
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-begin-not-divisible | {{.*}}Operand=destination, Reason="{{.*}} 1 {{.*}} 1) {{.*}} 0 {{.*}} 8, {{.*}} 16 {{.*}}"
    tile.copy_async %s to %wide[0, %i8] [32, 16] scope(thread) {variant = "tcgen05_cp"}
      : !bytes to !tile.buffer<32x64xi8, tmem, #tile.layout<(32, 64) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>

    %s2 = tile.alloc : !tile.buffer<32x32xi8, shared, #tile.layout<(32, 2, 16) : (16, 512, 1)>>
    %gap = tile.tmem %address : !tile.buffer<32x32xi8, tmem, #tile.layout<(32, 2, 16) : (1@TLane, 24@TCol, 1@TCol) + R(4 : 32@TLane)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] columns-misaligned | {{.*}}Operand=destination, Reason="{{.*}} 192 {{.*}} 128"
    tile.copy_async %s2 to %gap scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<32x32xi8, shared, #tile.layout<(32, 2, 16) : (16, 512, 1)>>
      to !tile.buffer<32x32xi8, tmem, #tile.layout<(32, 2, 16) : (1@TLane, 24@TCol, 1@TCol) + R(4 : 32@TLane)>>
    gpu.return
  }

  // Layouts of shared memory that a descriptor can express.
  gpu.func @shared_memory(%address: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = tile.tmem %address : !four

    // Each of the four groups of 8 rows is split into two halves.
    %uneven = tile.alloc : !tile.buffer<32x16xi8, shared, #tile.layout<(4, 2, 4, 16) : (64, 256, 16, 1)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] rows-uneven | {{.*}}Operand=source, Reason="{{.*}} 32x128b.warpx4 {{.*}} 8 {{.*}}"
    tile.copy_async %uneven to %t scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<32x16xi8, shared, #tile.layout<(4, 2, 4, 16) : (64, 256, 16, 1)>> to !four

    %apart = tile.alloc : !tile.buffer<32x16xi8, shared, #tile.layout<(32, 16) : (32, 1)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] rows-not-of-swizzle | {{.*}}Operand=source, Reason="{{.*}} 32 {{.*}} 16"
    tile.copy_async %apart to %t scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<32x16xi8, shared, #tile.layout<(32, 16) : (32, 1)>> to !four

    %halves = tile.alloc : !tile.buffer<32x16xi8, shared, #tile.layout<(32, 2, 8) : (16, 512, 1)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] row-not-contiguous | {{.*}}Operand=source, Reason="16 {{.*}} 16 {{.*}}"
    tile.copy_async %halves to %t scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<32x16xi8, shared, #tile.layout<(32, 2, 8) : (16, 512, 1)>> to !four

    %groups = tile.alloc : !tile.buffer<32x16xi8, shared, #tile.layout<(4, 8, 16) : (136, 16, 1)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] descriptor-field-out-of-range | {{.*}}Operand=source, Reason="{{.*}} 8 {{.*}} 136 {{.*}} 16 {{.*}} 262128"
    tile.copy_async %groups to %t scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<32x16xi8, shared, #tile.layout<(4, 8, 16) : (136, 16, 1)>> to !four

    %tiles = tile.alloc : !tile.buffer<32x32xi8, shared, #tile.layout<(32, 2, 16) : (16, 520, 1)>>
    %t2 = tile.tmem %address : !tile.buffer<32x32xi8, tmem, #tile.layout<(32, 32) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] tile-step-misaligned | {{.*}}Operand=source, Reason="{{.*}} 520 {{.*}} 16"
    tile.copy_async %tiles to %t2 scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<32x32xi8, shared, #tile.layout<(32, 2, 16) : (16, 520, 1)>>
      to !tile.buffer<32x32xi8, tmem, #tile.layout<(32, 32) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>

    // Under a swizzle, both halves of a 256-bit row must be in one row of the pattern.
    %split = tile.alloc : !tile.buffer<128x8xi32, shared, #tile.layout<(128, 2, 4) : (8, 1024, 1), swizzle<base = 2, bits = 1, shift = 3>>>
    %l = tile.tmem %address : !lanes
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] row-not-contiguous | {{.*}}Operand=source, Reason="{{.*}} 1024 {{.*}} 32-byte {{.*}} 4"
    tile.copy_async %split to %l scope(thread) {variant = "tcgen05_cp", shape = "128x256b"}
      : !tile.buffer<128x8xi32, shared, #tile.layout<(128, 2, 4) : (8, 1024, 1), swizzle<base = 2, bits = 1, shift = 3>>> to !lanes
    gpu.return
  }

  // Swizzles, and the alignment of their patterns.
  gpu.func @swizzles(%address: i32, %i: index)
      workgroup(%M: memref<128x32xi32, #gpu.address_space<workgroup>> {llvm.align = 512 : i64})
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %l = tile.tmem %address : !lanes
    %three = tile.alloc : !tile.buffer<128x8xi32, shared, #tile.layout<(128, 8) : (8, 1), swizzle<base = 3, bits = 1, shift = 3>>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] swizzle-not-of-descriptor | {{.*}}Operand=source, Reason="{{.*}} swizzle<base = 3, bits = 1, shift = 3>; {{.*}} 32-bit {{.*}} none, swizzle<base = 2, bits = 1, shift = 3>, swizzle<base = 2, bits = 2, shift = 3> {{.*}} swizzle<base = 2, bits = 3, shift = 3>"
    tile.copy_async %three to %l scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<128x8xi32, shared, #tile.layout<(128, 8) : (8, 1), swizzle<base = 3, bits = 1, shift = 3>>> to !lanes

    %m = tile.view %M : memref<128x32xi32, #gpu.address_space<workgroup>>
      to !tile.buffer<128x32xi32, shared, #tile.layout<(128, 32) : (32, 1), swizzle<base = 2, bits = 3, shift = 3>>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] storage-alignment | {{.*}}Operand=source, Reason="{{.*}} 512 {{.*}} 128-byte {{.*}} 1024"
    tile.copy_async %m[0, 0] [128, 8] to %l scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<128x32xi32, shared, #tile.layout<(128, 32) : (32, 1), swizzle<base = 2, bits = 3, shift = 3>>> to !lanes

    %s = tile.alloc : !tile.buffer<136x32xi32, shared, #tile.layout<(136, 32) : (32, 1), swizzle<base = 2, bits = 3, shift = 3>>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] shared-begin-misaligned | {{.*}}Operand=source, Reason="{{.*}} 512 {{.*}} 128-byte {{.*}} 1024"
    tile.copy_async %s[4, 0] [128, 8] to %l scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<136x32xi32, shared, #tile.layout<(136, 32) : (32, 1), swizzle<base = 2, bits = 3, shift = 3>>> to !lanes

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-begin-not-divisible | {{.*}}Operand=source, Reason="{{.*}} 32 {{.*}} 1) {{.*}} 0 {{.*}} 1, {{.*}} 256 {{.*}}"
    tile.copy_async %s[%i, 0] [128, 8] to %l scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<136x32xi32, shared, #tile.layout<(136, 32) : (32, 1), swizzle<base = 2, bits = 3, shift = 3>>> to !lanes

    // Without a swizzle, an alignment of 16 bytes is enough.
    %plain = tile.alloc : !tile.buffer<32x32xi8, shared, #tile.layout<(32, 32) : (16, 1)>>
    %t = tile.tmem %address : !four
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] shared-begin-misaligned | {{.*}}Operand=source, Reason="{{.*}} 8 {{.*}} 16"
    tile.copy_async %plain[0, 8] [32, 16] to %t scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<32x32xi8, shared, #tile.layout<(32, 32) : (16, 1)>> to !four
    gpu.return
  }

  gpu.func @regions(%address: i32, %i: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = tile.tmem %address : !four
    %blocks = tile.alloc : !tile.buffer<64x16xi8, shared, #tile.layout<(2, 32, 16) : (1024, 16, 1)>>
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] region-not-sliceable | {{.*}}Operand=source, Reason="{{.*}} 0: {{.*}} [8, 8 {{.*}} 32) {{.*}} 32:16 {{.*}}"
    tile.copy_async %blocks[8, 0] [32, 16] to %t scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<64x16xi8, shared, #tile.layout<(2, 32, 16) : (1024, 16, 1)>> to !four

    %c8 = arith.constant 8 : index
    %rows = arith.muli %i, %c8 : index
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-begin-not-divisible | {{.*}}Operand=source, Reason="{{.*}} 0 {{.*}} 0 {{.*}} 8) {{.*}} 32 {{.*}} 32"
    tile.copy_async %blocks[%rows, 0] [32, 16] to %t scope(thread) {variant = "tcgen05_cp"}
      : !tile.buffer<64x16xi8, shared, #tile.layout<(2, 32, 16) : (1024, 16, 1)>> to !four

    %c1 = arith.constant 1 : index
    %odd = arith.addi %rows, %c1 : index
    %s = tile.alloc : !bytes
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] region-out-of-bounds | {{.*}}Operand=source, Reason="{{.*}} 0 {{.*}} 32 {{.*}} 1 {{.*}} 8) {{.*}} [0, 32)"
    tile.copy_async %s[%odd, 0] [32, 16] to %t scope(thread) {variant = "tcgen05_cp"} : !bytes to !four
    gpu.return
  }
}
