// Products of factors in shared memory that no descriptor names, or that warpgroups do not hold.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --lower-tile-copy
// RUN: not tile-opt %s --split-input-file --lower-tile-copy --remarks-filter-missed=tile-mma --remark-format=emitRemark 2>&1 | FileCheck %s

// CHECK-DAG: remark: [Missed] storage-alignment | {{.*}}Variant=wgmma
// CHECK-DAG: remark: [Missed] not-of-descriptor | {{.*}}Variant=wgmma
// CHECK-DAG: remark: [Missed] swizzle-not-of-descriptor | {{.*}}Variant=wgmma
// CHECK-DAG: remark: [Missed] scope-not-whole-warpgroups | {{.*}}Variant=wgmma
// CHECK-DAG: remark: [Missed] fragment-mismatch | {{.*}}Variant=wgmma
// CHECK-DAG: remark: [Missed] fragment-too-small | {{.*}}Variant=wgmma
// CHECK-DAG: remark: [Missed] warpgroups-not-regular | {{.*}}Variant=wgmma
// CHECK-DAG: remark: [Missed] chip-lacks-wgmma | {{.*}}Variant=wgmma
// CHECK-DAG: remark: [Missed] types-not-multiplied | {{.*}}Variant=wgmma
// CHECK-DAG: remark: [Missed] unsupported-spaces | {{.*}}Variant=mma_sync

!s = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!rows = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (72, 1)>>
!other = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 2, bits = 3, shift = 3>>>
!short = !tile.buffer<64x8xf16, shared, #tile.layout<(64, 8) : (8, 1)>>
!short_b = !tile.buffer<8x64xf16, shared, #tile.layout<(8, 64) : (1, 8)>>
!c = !tile.buffer<64x64xf32, local, #tile.layout<(4, 2, 8, 8, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
!by_rows = !tile.buffer<64x64xf32, local, #tile.layout<(4, 2, 8, 8, 4, 2) : (1@wid_in_wg, 2, 1@laneid, 4, 8@laneid, 1)>>
!warp = !tile.buffer<16x64xf32, local, #tile.layout<(2, 8, 8, 4, 2) : (2, 4@laneid, 4, 1@laneid, 1)>>
!sixteen = !tile.buffer<16x64xf16, shared, #tile.layout<(16, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>

gpu.module @layouts [#nvvm.target<chip = "sm_90a">] {
  gpu.func @kernel() workgroup(%m : memref<64x64xf16, 3> {llvm.align = 256 : i64}) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.alloc : !s
    %b = tile.alloc : !s
    %c = tile.alloc : !c
    %loose = tile.view %m : memref<64x64xf16, 3> to !s
    // expected-error @below {{cannot be done by 'wgmma': a is aligned to 256 bytes; needed 1024, the pattern of the 128-byte swizzle (`alignment = 1024`)}}
    tile.mma %loose, %b, %c scope(cta) {variant = "wgmma"} : !s, !s, !c
    %padded = tile.alloc : !rows
    // expected-error @below {{cannot be done by 'wgmma': no descriptor names 64 rows of a: under a descriptor without swizzle needed rows of 16 contiguous bytes, 8 of them 16 bytes apart, along the depth or, for 16 bits, across it}}
    tile.mma %padded, %b, %c scope(cta) {variant = "wgmma"} : !rows, !s, !c
    %small = tile.alloc : !other
    // expected-error @below {{cannot be done by 'wgmma': a has swizzle<base = 2, bits = 3, shift = 3>, which is none of a descriptor's: 1 to 3 bits of pieces of 16 bytes}}
    tile.mma %small, %b, %c scope(cta) {variant = "wgmma"} : !other, !s, !c
    %d = tile.alloc : !by_rows
    // expected-error @below {{cannot be done by 'wgmma': register 0 of thread 1 holds element (1, 0) of c; the instruction needs (0, 2) there; wgmma takes c in #tile.fragment<wgmma.c>}}
    tile.mma %a, %b, %d scope(cta) {variant = "wgmma"} : !s, !s, !by_rows
    %e = tile.alloc : !warp
    %f = tile.alloc : !sixteen
    // expected-error @below {{cannot be done by 'wgmma': scope warp with 32 threads; needed whole warpgroups of 128}}
    tile.mma %f, %b, %e scope(warp) {variant = "wgmma"} : !sixteen, !s, !warp
    %g = tile.alloc : !short
    %h = tile.alloc : !short_b
    // expected-error @below {{cannot be done by 'wgmma': 64 columns of each warpgroup, and depth 8; needed multiples of 8 and of 16}}
    tile.mma %g, %h, %c scope(cta) {variant = "wgmma"} : !short, !short_b, !c
    // expected-error @below {{cannot be done by 'mma_sync': a is in shared memory; needed registers}}
    tile.mma %a, %b, %c scope(cta) {variant = "mma_sync"} : !s, !s, !c
    gpu.return
  }
}

// -----

!s = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!c = !tile.buffer<64x64xf32, local, #tile.layout<(4, 2, 8, 8, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>

gpu.module @chip [#nvvm.target<chip = "sm_80">] {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.alloc : !s
    %b = tile.alloc : !s
    %c = tile.alloc : !c
    // expected-error @below {{cannot be done by any variant}}
    // expected-note @below {{wgmma declined: wgmma needs sm_90a; got sm_80}}
    // expected-note @below {{for other memories only: tcgen05, mma_sync, fma}}
    tile.mma %a, %b, %c scope(cta) : !s, !s, !c
    gpu.return
  }
}

// -----

!a = !tile.buffer<64x16xf64, shared>
!b = !tile.buffer<16x64xf64, shared>
!c = !tile.buffer<64x64xf64, local, #tile.layout<(4, 2, 8, 8, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>

gpu.module @types [#nvvm.target<chip = "sm_90a">] {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.alloc : !a
    %b = tile.alloc : !b
    %c = tile.alloc : !c
    // expected-error @below {{cannot be done by 'wgmma': does not multiply f64 x f64 + f64}}
    tile.mma %a, %b, %c scope(cta) {variant = "wgmma"} : !a, !b, !c
    gpu.return
  }
}

// -----

// The list is that of the variant.
!s = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!c = !tile.buffer<64x64xf16, local, #tile.layout<(4, 2, 8, 8, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>

gpu.module @halves [#nvvm.target<chip = "sm_90a">] {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.alloc : !s
    %b = tile.alloc : !s
    %c = tile.alloc : !c
    // expected-error @below {{cannot be done by any variant}}
    // expected-note @below {{wgmma declined: does not multiply f16 x f16 + f16; needed f16 x f16 + f32, bf16 x bf16 + f32, tf32 x tf32 + f32, f8E4M3FN or f8E5M2 + f32, or signed or unsigned i8 + i32}}
    // expected-note @below {{for other memories only: tcgen05, mma_sync, fma}}
    tile.mma %a, %b, %c scope(cta) : !s, !s, !c
    gpu.return
  }
}

// -----

// Warpgroups 0 to 3 have the first, the third, the second and the fourth 64 rows.
!a = !tile.buffer<256x64xf16, shared, #tile.layout<(256, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!s = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!c = !tile.buffer<256x64xf32, local, #tile.layout<(2, 2, 4, 2, 8, 8, 4, 2) : (1@wgid, 2@wgid, 1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>

gpu.module @regular [#nvvm.target<chip = "sm_90a">] {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 512, 1, 1>} {
    %a = tile.alloc : !a
    %b = tile.alloc : !s
    %c = tile.alloc : !c
    // expected-error @below {{cannot be done by 'wgmma': the parts of a that warpgroups read do not lie at equal distances}}
    tile.mma %a, %b, %c scope(cta) {variant = "wgmma"} : !a, !s, !c
    gpu.return
  }
}
