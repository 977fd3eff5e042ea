// RUN: tile-opt --lower-tile-copy --split-input-file --verify-diagnostics %s -o %t
// RUN: not tile-opt --lower-tile-copy --split-input-file %s -o /dev/null \
// RUN:   --remarks-filter=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --implicit-check-not=remark:

// A copy may name its variant. Then only that variant is tried, whatever its priority; if it declines, its reason
// is the error.

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @applied [#nvvm.target<chip = "sm_90a">] {
  gpu.func @applied(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    // A fallback that is requested by name does not warn.
    // CHECK: :[[#@LINE+1]]:5: remark: [Passed] fallback | {{.*}} Variant=fallback
    tile.copy %a to %s scope(warp) {variant = "fallback"} : !global to !shared
    // CHECK: :[[#@LINE+2]]:5: remark: [Passed] gmem_smem | {{.*}} Variant=gmem_smem
    // CHECK: :[[#@LINE+2]]:5: remark: [Passed] vec_64b | {{.*}} VectorBits=64
    tile.copy %a to %s scope(warp) {variant = "gmem_smem"} : !global to !shared
    tile.copy %a[0, 0] [1, 2] to %s[0, 0] [1, 2] scope(thread) {variant = "vec_64b"} : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @declined [#nvvm.target<chip = "sm_90a">] {
  gpu.func @declined(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    // CHECK: :[[#@LINE+2]]:5: remark: [Missed] unsupported-spaces | {{.*}} Variant=gmem_smem
    // expected-error @below {{cannot be done by 'gmem_smem': unsupported memory scopes src=shared dst=shared; allowed: global -> shared, shared -> global}}
    tile.copy %s[0, 0] [3, 5] to %s[4, 0] [3, 5] scope(warp) {variant = "gmem_smem"} : !shared to !shared
    // CHECK: :[[#@LINE+2]]:5: remark: [Missed] unsupported-spaces | {{.*}} Variant=ldstmatrix
    // expected-error @below {{cannot be done by 'ldstmatrix': unsupported memory scopes src=global dst=shared; allowed: local <-> shared}}
    tile.copy %a to %s scope(warp) {variant = "ldstmatrix"} : !global to !shared
    // CHECK: :[[#@LINE+2]]:5: remark: [Missed] scope-not-thread | {{.*}} Variant=vec_128b
    // expected-error @below {{cannot be done by 'vec_128b': a forced width needs thread scope; got warp}}
    tile.copy %a to %s scope(warp) {variant = "vec_128b"} : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

// An unknown variant name: no variant is tried, so there are no remarks.
gpu.module @unknown [#nvvm.target<chip = "sm_90a">] {
  gpu.func @unknown(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{got variant = "tma", expected one of}}
    tile.copy %a to %s scope(warp) {variant = "tma"} : !global to !shared
    // expected-error @below {{got variant = "", expected one of vec_256b, vec_128b, vec_64b, vec_32b, vec_16b, ldstmatrix, transpose, realign, realign_loads, gmem_smem, realign_reg, reg, same_memory, shuffle, scratch, fallback}}
    tile.copy %a to %s scope(warp) {variant = ""} : !global to !shared
    gpu.return
  }
}
