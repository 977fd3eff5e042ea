// Products into tensor memory that no instruction computes, and tensor memory that is not allocated.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --lower-tile-copy
// RUN: not tile-opt %s --split-input-file --lower-tile-copy --remarks-filter-missed=tile-mma --remark-format=emitRemark 2>&1 | FileCheck %s

// CHECK-DAG: remark: [Missed] unsupported-spaces | {{.*}}Variant=tcgen05
// CHECK-DAG: remark: [Missed] fragment-mismatch | {{.*}}Variant=tcgen05
// CHECK-DAG: remark: [Missed] fragment-too-small | {{.*}}Variant=tcgen05
// CHECK-DAG: remark: [Missed] storage-alignment | {{.*}}Variant=tcgen05
// CHECK-DAG: remark: [Missed] not-of-descriptor | {{.*}}Variant=tcgen05
// CHECK-DAG: remark: [Missed] scope-not-whole-warps | {{.*}}Variant=tcgen05
// CHECK-DAG: remark: [Missed] scope-not-single | {{.*}}Variant=tcgen05
// CHECK-DAG: remark: [Missed] types-not-multiplied | {{.*}}Variant=tcgen05
// CHECK-DAG: remark: [Missed] chip-lacks-tcgen05 | {{.*}}Variant=tcgen05

!a = !tile.buffer<128x64xf16, shared, #tile.layout<(128, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!b = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!rows = !tile.buffer<128x64xf16, shared, #tile.layout<(128, 64) : (72, 1)>>
!few = !tile.buffer<32x64xf16, shared, #tile.layout<(32, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!short = !tile.buffer<128x8xf16, shared, #tile.layout<(128, 8) : (8, 1)>>
!short_b = !tile.buffer<8x64xf16, shared, #tile.layout<(8, 64) : (1, 8)>>
!c = !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
!reversed = !tile.buffer<128x64xf32, tmem, #tile.layout<(64, 2, 64) : (2@TLane, 1@TLane, 2@TCol)>>
!late = !tile.buffer<64x64xf32, tmem, #tile.layout<(4, 16, 64) : (32@TLane, 1@TLane, 1@TCol) + 8@TLane>>
!half = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!thin = !tile.buffer<32x64xf32, tmem, #tile.layout<(32, 64) : (1@TLane, 1@TCol)>>
!registers = !tile.buffer<128x64xf32, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>

gpu.module @layouts [#nvvm.target<chip = "sm_100a">] {
  gpu.func @kernel() workgroup(%m : memref<128x64xf16, 3> {llvm.align = 256 : i64}) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.alloc : !a
    %b = tile.alloc : !b
    %c = tile.alloc : !c
    %r = tile.alloc : !registers
    // expected-error @below {{cannot be done by 'tcgen05': c is in local memory; needed tensor memory}}
    tile.mma %a, %b, %r scope(cta) {variant = "tcgen05"} : !a, !b, !registers
    %d = tile.alloc : !reversed
    // expected-error @below {{cannot be done by 'tcgen05': element (0, 1) of c is in lane 0, column 2; an instruction of 128 rows has it in lane 0, column 1; tcgen05 takes c in #tile.fragment<tcgen05.c>}}
    tile.mma %a, %b, %d scope(cta) {variant = "tcgen05"} : !a, !b, !reversed
    %e = tile.alloc : !late
    %h = tile.alloc : !half
    // expected-error @below {{cannot be done by 'tcgen05': element (0, 0) of c is in lane 8, column 0; needed lane 0 or 16; tcgen05 takes c in #tile.fragment<tcgen05.c>}}
    tile.mma %h, %b, %e scope(cta) {variant = "tcgen05"} : !half, !b, !late
    %f = tile.alloc : !few
    %t = tile.alloc : !thin
    // expected-error @below {{cannot be done by 'tcgen05': 32 rows and 64 columns; needed rows in multiples of 128 and columns of 16, or rows of 64 and columns of 8}}
    tile.mma %f, %b, %t scope(cta) {variant = "tcgen05"} : !few, !b, !thin
    %g = tile.alloc : !short
    %i = tile.alloc : !short_b
    // expected-error @below {{cannot be done by 'tcgen05': depth 8; needed a multiple of 16, 32 bytes}}
    tile.mma %g, %i, %c scope(cta) {variant = "tcgen05"} : !short, !short_b, !c
    %loose = tile.view %m : memref<128x64xf16, 3> to !a
    // expected-error @below {{cannot be done by 'tcgen05': a is aligned to 256 bytes; needed 1024, the pattern of the 128-byte swizzle (`alignment = 1024`)}}
    tile.mma %loose, %b, %c scope(cta) {variant = "tcgen05"} : !a, !b, !c
    %padded = tile.alloc : !rows
    // expected-error @below {{cannot be done by 'tcgen05': no descriptor names 128 rows of a}}
    tile.mma %padded, %b, %c scope(cta) {variant = "tcgen05"} : !rows, !b, !c
    // expected-error @below {{cannot be done by 'tcgen05': scope thread; needed a warp or more, of which one thread is elected}}
    tile.mma %a, %b, %c scope(thread) {variant = "tcgen05"} : !a, !b, !c
    // expected-error @below {{cannot be done by 'tcgen05': 128 threads reach it, 4 warps, each of which would add the product to the same sums; needed one, or scope cta}}
    tile.mma %a, %b, %c scope(warp) {variant = "tcgen05"} : !a, !b, !c
    gpu.return
  }
}

// -----

!a = !tile.buffer<128x16xf64, shared>
!b = !tile.buffer<16x64xf64, shared>
!c = !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
!h = !tile.buffer<128x64xbf16, shared, #tile.layout<(128, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!g = !tile.buffer<64x64xbf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!d = !tile.buffer<128x64xbf16, tmem, #tile.layout<(128, 64) : (1@TLane, 1@TCol)>>

gpu.module @types [#nvvm.target<chip = "sm_100a">] {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %h = tile.alloc : !h
    %g = tile.alloc : !g
    %d = tile.alloc : !d
    // expected-error @below {{cannot be done by 'tcgen05': does not multiply bf16 x bf16 + bf16}}
    tile.mma %h, %g, %d scope(cta) {variant = "tcgen05"} : !h, !g, !d
    gpu.return
  }
}

// -----

!a = !tile.buffer<128x128xi8, shared, #tile.layout<(128, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>
!b = !tile.buffer<128x64xi8, shared, #tile.layout<(128, 64) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
!c = !tile.buffer<128x64xi32, tmem, #tile.fragment<tcgen05.c>>

gpu.module @chip [#nvvm.target<chip = "sm_100f">] {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.alloc : !a
    %b = tile.alloc : !b
    %c = tile.alloc : !c
    // expected-error @below {{cannot be done by 'tcgen05': tcgen05.mma of integers needs sm_100a or sm_110a; got sm_100f}}
    tile.mma %a, %b, %c scope(cta) convert(signed) {variant = "tcgen05"} : !a, !b, !c
    gpu.return
  }
}

// -----

!c = !tile.buffer<128x256xf32, tmem, #tile.fragment<tcgen05.c>>

gpu.module @allocations [#nvvm.target<chip = "sm_100a">] {
  gpu.func @too_many() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @below {{needs 768 columns of tensor memory with the others of its kernel, expected at most 512}}
    %a = tile.alloc : !c
    %b = tile.alloc : !c
    %c = tile.alloc : !c
    gpu.return
  }
  gpu.func @few_threads() kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    // expected-error @below {{allocates tensor memory in a block of 16 threads, expected a warp of 32}}
    %a = tile.alloc : !c
    gpu.return
  }
  gpu.func @called() attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @below {{allocates tensor memory in a function that is called, expected it in a kernel: inline the function (--tile-inline)}}
    %a = tile.alloc : !c
    gpu.return
  }
}

// -----

// expected-error @below {{got fragment tcgen05.c in local memory, expected it in tmem memory}}
func.func private @fragment(!tile.buffer<128x256xf32, local, #tile.fragment<tcgen05.c>>)

// -----

func.func @too_wide() {
  // expected-error @below {{the layout reaches 1024 columns of 32 bits, expected at most 512}}
  %a = tile.alloc : !tile.buffer<128x1024xf32, tmem, #tile.layout<(128, 1024) : (1@TLane, 1@TCol)>>
  return
}

// -----

func.func @aligned() {
  // expected-error @below {{got alignment 64 of tensor memory, expected none: tiles begin at a multiple of 32 columns}}
  %a = tile.alloc {alignment = 64 : i64} : !tile.buffer<128x64xf32, tmem, #tile.fragment<tcgen05.c>>
  return
}
