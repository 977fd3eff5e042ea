// A product reads its scales in tensor memory. What writes them needs an order before it; the barrier in it orders what comes after.
// RUN: tile-opt %s --split-input-file --tile-check-sync --verify-diagnostics
// RUN: tile-opt %s --split-input-file --tile-insert-sync | tile-opt --split-input-file --tile-check-sync

!a = !tile.buffer<128x128xf8E4M3FN, shared, #tile.layout<(128, 128) : (128, 1), swizzle<base = 4, bits = 3, shift = 3>>>
!b = !tile.buffer<128x32xf8E4M3FN, shared, #tile.layout<(128, 32) : (1, 128), swizzle<base = 4, bits = 3, shift = 3>>>
!c = !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
!of_a = !tile.buffer<128x4xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_a>>
!of_b = !tile.buffer<4x32xf8E8M0FNU, tmem, #tile.fragment<tcgen05.scales_b>>
!ra = !tile.buffer<128x4xf8E8M0FNU, local, #tile.layout<(4, 32, 4) : (4, 1@laneid, 1) + R(4 : 1@wid_in_wg)>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @unordered() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.alloc : !a
    %b = tile.alloc : !b
    %c = tile.alloc : !c
    %of_a = tile.alloc : !of_a
    %of_b = tile.alloc : !of_b
    %ra = tile.alloc : !ra
    // expected-note @below {{'tile.copy_async' writes it here}}
    tile.copy %ra to %of_a scope(cta) : !ra to !of_a
    // expected-error @below {{'nvvm.tcgen05.mma.block_scale' op reads tensor memory that an earlier operation writes, and nothing orders the two: for example thread 32 and thread 31, lane 32, column 32}}
    // expected-note @below {{between the two, this orders them: nvvm.tcgen05.fence <before>, gpu.barrier, nvvm.tcgen05.fence <after>}}
    tile.mma %a, %b, %c scales(%of_a, %of_b : !of_a, !of_b) scope(cta) : !a, !b, !c
    tile.copy %ra to %of_a scope(cta) : !ra to !of_a
    gpu.return
  }
}
