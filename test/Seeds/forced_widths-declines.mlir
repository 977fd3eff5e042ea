// Every reason for which a forced width declines a copy that the verifier accepts. The error says
// why; the remark has the cause's name.

// RUN: not tile-opt %s --tile-align-layouts -o /dev/null --remarks-filter-missed=.* --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=remark:

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @what(%A: memref<32x32xf32>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    %t = tile.alloc : !shared

    // CHECK: :[[#@LINE+2]]:5: remark: [Missed] scope-not-thread | {{.*}}Reason="{{.*}} thread {{.*}} warp"{{.*}}Variant=vec_128b
    // CHECK: :[[#@LINE+1]]:5: error: 'tile.copy' op cannot be done by 'vec_128b': a forced width needs thread scope; got warp
    tile.copy %a[0, 0] [1, 4] to %s[0, 0] [1, 4] scope(warp) {variant = "vec_128b"} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] unsupported-spaces | {{.*}}Reason="{{.*}} src=shared dst=shared; {{.*}} global, shared {{.*}} local"
    tile.copy %s[0, 0] [1, 4] to %t[0, 0] [1, 4] scope(thread) {variant = "vec_128b"} : !shared to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] region-not-one-vector | {{.*}}Reason="{{.*}} 8 {{.*}} 32 {{.*}} 256 {{.*}} 128"
    tile.copy %a[0, 0] [1, 8] to %s[0, 0] [1, 8] scope(thread) {variant = "vec_128b"} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] chip-lacks-256-bit-access | {{.*}}Reason="256-bit {{.*}} sm_100 {{.*}} sm_90a"
    tile.copy %a[0, 0] [1, 8] to %s[0, 0] [1, 8] scope(thread) {variant = "vec_256b"} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] offset-not-divisible | {{.*}}Operand=source
    tile.copy %a[0, 2] [1, 4] to %s[0, 0] [1, 4] scope(thread) {variant = "vec_128b"} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] dynamic-begin-not-divisible | {{.*}}Operand=destination
    tile.copy %a[0, 0] [1, 4] to %s[0, %i] [1, 4] scope(thread) {variant = "vec_128b"} : !global to !shared

    // A column is not contiguous.
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] not-contiguous | {{.*}}Operand=source
    tile.copy %a[0, 0] [4, 1] to %s[0, 0] [1, 4] scope(thread) {variant = "vec_128b"} : !global to !shared

    // Two half rows.
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] run-too-short | {{.*}}Operand=source
    tile.copy %a[0, 0] [2, 2] to %s[0, 0] [2, 2] scope(thread) {variant = "vec_128b"} : !global to !shared

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] hint-needs-256-bits | {{.*}}Reason="L2::evict_last {{.*}} 256-bit {{.*}} (vec_256b)"
    tile.copy %a[0, 0] [1, 4] to %s[0, 0] [1, 4] scope(thread) {variant = "vec_128b", l2_evict = "L2::evict_last"}
      : !global to !shared
    gpu.return
  }

  gpu.func @layouts(%A: memref<32x32xf32>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %swizzled = tile.alloc : !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (32, 1), swizzle<base = 1, bits = 3, shift = 3>>>
    %r = tile.alloc : !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@laneid, 1)>>

    // The swizzle leaves the first columns in place, but permutes columns 16 to 19 by pairs.
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] swizzle-chunk-too-small | {{.*}}Operand=destination
    tile.copy %a[0, 0] [1, 4] to %swizzled[0, 16] [1, 4] scope(thread) {variant = "vec_128b"}
      : !global to !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (32, 1), swizzle<base = 1, bits = 3, shift = 3>>>

    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] thread-axis-wider-than-scope | {{.*}}Operand=destination
    tile.copy %a[0, 0] [1, 4] to %r[0, 0] [1, 4] scope(thread) {variant = "vec_128b"}
      : !global to !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@laneid, 1)>>
    gpu.return
  }

  // An argument promised to be aligned to 8 bytes only.
  gpu.func @alignment(%A: memref<32x32xf32> {llvm.align = 8 : i64}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] storage-alignment | {{.*}}Operand=source
    tile.copy %a[0, 0] [1, 4] to %s[0, 0] [1, 4] scope(thread) {variant = "vec_128b"} : !global to !shared
    gpu.return
  }
}

gpu.module @newer [#nvvm.target<chip = "sm_100a">] {
  gpu.func @shared(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    // CHECK: :[[#@LINE+1]]:5: remark: [Missed] shared-lacks-256-bit-access | {{.*}}Reason="shared {{.*}} 256-bit {{.*}} global"
    tile.copy %a[0, 0] [1, 8] to %s[0, 0] [1, 8] scope(thread) {variant = "vec_256b"} : !global to !shared
    gpu.return
  }
}
