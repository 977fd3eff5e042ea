// A copy that no variant accepts is one error at its location, with each variant's reason as a note, or with the reason of
// the variant that was requested.
// RUN: tile-opt %s --tile-align-layouts --split-input-file --verify-diagnostics --mlir-print-op-on-diagnostic=false -o /dev/null

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @nobody(%A: memref<32x32xf32>, %rank: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{cannot be done by any variant}}
    // expected-note-re @below {{ldgsts declined: {{.*}} remote_cta; {{.*}} group, mbarrier, predicate, fill, direct}}
    // expected-note-re @below {{bulk declined: {{.*}} remote_cta; {{.*}} mbarrier}}
    // expected-note-re @below {{synchronous declined: {{.*}} remote_cta; {{.*}} group}}
    // expected-note @below {{for other memories only: dsmem, tcgen05_cp, tcgen05_ldst}}
    tile.copy_async %a to %s scope(cta) remote_cta(%rank) : !global to !shared
    gpu.return
  }
}

// -----

!bytes = !tile.buffer<32x16xi8, shared>
!tensor = !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @chip(%address: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !bytes
    %t = tile.tmem %address : !tensor
    // expected-error @below {{cannot be done by any variant}}
    // expected-note-re @below {{tcgen05_cp declined: tcgen05 {{.*}} sm_100 {{.*}} sm_110, {{.*}} sm_100a; {{.*}} sm_90a}}
    // expected-note-re @below {{synchronous declined: {{.*}} global, shared {{.*}} local}}
    // expected-note @below {{for other memories only: ldgsts, dsmem, tcgen05_ldst}}
    tile.copy_async %s to %t scope(thread) : !bytes to !tensor
    gpu.return
  }
}

// -----

!global = !tile.buffer<32x6xi8, global>
!shared = !tile.buffer<32x6xi8, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @named(%A: memref<32x6xi8>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x6xi8> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{cannot be done by 'ldgsts': cp.async moves 4, 8 or 16 bytes; 4 are not possible: the source holds runs of 5 elements; needed a multiple of 4}}
    tile.copy_async %a[0, 0] [32, 5] to %s[0, 0] [32, 5] scope(warp) {variant = "ldgsts"} : !global to !shared
    // expected-error @below {{got variant = "cp_async", expected one of ldgsts, dsmem, tcgen05_cp, tcgen05_ldst, tma, bulk, synchronous}}
    tile.copy_async %a to %s scope(warp) {variant = "cp_async"} : !global to !shared
    // Each kind of copy has its own variants.
    // expected-error @below {{got variant = "gmem_smem", expected one of ldgsts, dsmem, tcgen05_cp, tcgen05_ldst, tma, bulk, synchronous}}
    tile.copy_async %a to %s scope(warp) {variant = "gmem_smem"} : !global to !shared
    // expected-error @below {{got variant = "ldgsts", expected one of vec_256b, vec_128b, vec_64b, vec_32b, vec_16b, ldstmatrix, transpose, realign, realign_loads, gmem_smem, realign_reg, reg, same_memory, shuffle, scratch, fallback}}
    tile.copy %a to %s scope(warp) {variant = "ldgsts"} : !global to !shared
    gpu.return
  }
}

