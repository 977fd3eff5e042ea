// Products with scales that no instruction computes, and a copy of scales that several warps would issue.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --lower-tile-copy
// RUN: not tile-opt %s --split-input-file --lower-tile-copy --remarks-filter-missed=tile-mma --remark-format=emitRemark 2>&1 | FileCheck %s

// CHECK-DAG: remark: [Missed] fragment-mismatch | {{.*}}Variant=tcgen05
// CHECK-DAG: remark: [Missed] fragment-too-small | {{.*}}Variant=tcgen05
// CHECK-DAG: remark: [Missed] chip-lacks-tcgen05 | {{.*}}Variant=tcgen05
// CHECK-DAG: remark: [Missed] scales-not-multiplied | {{.*}}Variant=mma_sync

!a = !tile.buffer<128x128xf8E4M3FN, shared, #tile.layout<(128, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>
!b = !tile.buffer<128x32xf8E4M3FN, shared, #tile.layout<(128, 32) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
!c = !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
!of_a = !tile.buffer<128x4xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_a>>
!of_b = !tile.buffer<4x32xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_b>>
!rows = !tile.buffer<128x4xf8E8M0FNU, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>
!beside = !tile.buffer<4x32xf8E8M0FNU, tmem, #tile.layout<(4, 32) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>
!half = !tile.buffer<64x128xf8E4M3FN, shared, #tile.layout<(64, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>
!half_c = !tile.buffer<64x32xf32, tmem, #tile.fragment<tcgen05.c>>
!of_half = !tile.buffer<64x4xf8E8M0FNU, tmem, #tile.layout<(2, 32, 4) : (4@TCol, 1@TLane, 1@TCol) + R(4 : 32@TLane)>>
!many = !tile.buffer<16x32xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_b>>
!four = !tile.buffer<4x32xf8E8M0FNU, tmem, #tile.layout<(4, 32) : (1@TCol, 1@TLane) + R(4 : 32@TLane)>>

gpu.module @layouts [#nvvm.target<chip = "sm_100a">] {
  gpu.func @kernel(%step: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.alloc : !a
    %b = tile.alloc : !b
    %c = tile.alloc : !c
    %of_a = tile.alloc : !of_a
    %of_b = tile.alloc : !of_b
    %rows = tile.alloc : !rows
    // expected-error @below {{cannot be done by 'tcgen05': the scales of a are not in the lanes of each of four warps; needed R(4 : 32@TLane); tcgen05 takes c in #tile.fragment<tcgen05.c>, scales_a in #tile.fragment<tcgen05.scales_a>, scales_b in #tile.fragment<tcgen05.scales_b>}}
    tile.mma %a, %b, %c scales(%rows, %of_b : !rows, !of_b) scope(cta) {variant = "tcgen05"} : !a, !b, !c
    %beside = tile.alloc : !beside
    // expected-error @below {{cannot be done by 'tcgen05': element (0, 1) of the scales of b is in lane 0, column 1; an instruction of 32 has it in lane 1, column 0; tcgen05 takes}}
    tile.mma %a, %b, %c scales(%of_a, %beside : !of_a, !beside) scope(cta) {variant = "tcgen05"} : !a, !b, !c
    %half = tile.alloc : !half
    %half_c = tile.alloc : !half_c
    %of_half = tile.alloc : !of_half
    // expected-error @below {{cannot be done by 'tcgen05': 64 rows and 32 columns; needed rows in multiples of 128 and columns of 8, of more than 256 of 32}}
    tile.mma %half, %b, %half_c scales(%of_half, %of_b : !of_half, !of_b) scope(cta) {variant = "tcgen05"} : !half, !b, !half_c
    %many = tile.alloc : !many
    %four = tile.subview %many[%step, 0] [4, 32] : !many to !four
    // expected-error @below {{cannot be done by 'tcgen05': the scales of b begin at a run-time byte of a column of tensor memory; needed an offset of steps that is a multiple of 4, or a constant one}}
    tile.mma %a, %b, %c scales(%of_a, %four : !of_a, !four) scope(cta) {variant = "tcgen05"} : !a, !b, !c
    gpu.return
  }
}

// -----

!a = !tile.buffer<16x32xf8E4M3FN, local, #tile.fragment<mma.m16n8k32.a>>
!b = !tile.buffer<32x8xf8E4M3FN, local, #tile.fragment<mma.m16n8k32.b>>
!c = !tile.buffer<16x8xf32, local, #tile.fragment<mma.m16n8k32.c>>
!of_a = !tile.buffer<16x1xf8E8M0FNU, tmem, #tile.layout<(16, 1) : (1@TLane, 1@TCol)>>
!of_b = !tile.buffer<1x8xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_b>>

gpu.module @in_registers [#nvvm.target<chip = "sm_100a">] {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.alloc : !a
    %b = tile.alloc : !b
    %c = tile.alloc : !c
    %of_a = tile.alloc : !of_a
    %of_b = tile.alloc : !of_b
    // expected-error @below {{cannot be done by 'mma_sync': the factors have scales, by which only tcgen05.mma multiplies; needed none}}
    tile.mma %a, %b, %c scales(%of_a, %of_b : !of_a, !of_b) scope(warp) {variant = "mma_sync"} : !a, !b, !c
    gpu.return
  }
}

// -----

!a = !tile.buffer<128x128xf8E4M3FN, shared, #tile.layout<(128, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>
!b = !tile.buffer<128x32xf8E4M3FN, shared, #tile.layout<(128, 32) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
!c = !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
!of_a = !tile.buffer<128x4xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_a>>
!of_b = !tile.buffer<4x32xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_b>>

gpu.module @older [#nvvm.target<chip = "sm_90a">] {
  gpu.func @kernel(%address: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.alloc : !a
    %b = tile.alloc : !b
    %c = tile.tmem %address : !c
    %of_a = tile.tmem %address : !of_a
    %of_b = tile.tmem %address : !of_b
    // expected-error @below {{cannot be done by 'tcgen05': tcgen05.mma needs}}
    tile.mma %a, %b, %c scales(%of_a, %of_b : !of_a, !of_b) scope(cta) {variant = "tcgen05"} : !a, !b, !c
    gpu.return
  }
}

// -----

!bytes = !tile.buffer<128x4xf8E8M0FNU, shared, #tile.layout<(4, 32, 4) : (4, 16, 1)>>
!of_a = !tile.buffer<128x4xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_a>>

gpu.module @copies [#nvvm.target<chip = "sm_100a">] {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %bytes = tile.alloc : !bytes
    %of_a = tile.alloc : !of_a
    // expected-error @below {{128 threads reach it, 4 warps, each of which would issue the copy; needed one, or scope cta}}
    tile.copy %bytes to %of_a scope(warp) : !bytes to !of_a
    gpu.return
  }
}
