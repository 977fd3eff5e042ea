// Stage ops that were written by hand: those whose instructions would copy the wrong elements are refused.
// RUN: tile-opt %s --split-input-file --tile-expand-copy --verify-diagnostics

!global = !tile.buffer<256xf32, global>
!shared = !tile.buffer<256xf32, shared>

gpu.module @stride {
  gpu.func @kernel(%A: memref<256xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<256xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{iter 32:5 needs a stride that is a multiple of 4, not 5; element 4 at (1, 0) is at address 5}}
    tile.vector_copy "gmem_smem" %a as #tile.layout<(32, 4) : (4, 1)> to %s as #tile.layout<(32, 4) : (5, 1)>
      scope(warp) rounds(1) threads(32) vector(4) : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<256xf32, global>
!shared = !tile.buffer<256xf32, shared>

gpu.module @offset {
  gpu.func @kernel(%A: memref<256xf32>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<256xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{the source: }}
    tile.vector_copy "gmem_smem" %a[%i * 1] as #tile.layout<(32, 4) : (4, 1)> to %s as #tile.layout<(32, 4) : (4, 1)>
      scope(warp) rounds(1) threads(32) vector(4) : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<256xf32, global>
!shared = !tile.buffer<256xf32, shared>

gpu.module @threads {
  gpu.func @kernel(%A: memref<256xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<256xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{is planned for 32 threads, but scope cta has 64}}
    tile.vector_copy "gmem_smem" %a as #tile.layout<(32, 4) : (4, 1)> to %s as #tile.layout<(32, 4) : (4, 1)>
      scope(cta) rounds(1) threads(32) vector(4) : !global to !shared
    gpu.return
  }
}

// -----

!shared = !tile.buffer<8x16xf16, shared>
!local = !tile.buffer<8x16xf16, local, #tile.layout<(8, 2, 4, 2) : (4@laneid, 2, 1@laneid, 1)>>

gpu.module @rows {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !shared
    %r = tile.alloc : !local
    // expected-error @below {{dimension 1 of the source is (8) : (12); needed 8:16}}
    tile.matrix_copy "ldstmatrix" %s as #tile.layout<(1, 8, 4, 1, 2, 2) : (8, 12, 2, 1, 8, 1)>
      to %r as #tile.layout<(1, 8, 4, 1, 2, 2) : (32@laneid, 4@laneid, 1@laneid, 4, 2, 1)>
      scope(warp) shape [1, 8, 4, 1, 2, 2] row_stride(16) : !shared to !local
    gpu.return
  }
}

// -----

!shared = !tile.buffer<8x16xf16, shared>
!local = !tile.buffer<8x16xf16, local, #tile.layout<(8, 2, 4, 2) : (4@laneid, 2, 1@laneid, 1)>>

gpu.module @lanes {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !shared
    %r = tile.alloc : !local
    // expected-error @below {{dimension 1 of the destination is}}
    tile.matrix_copy "ldstmatrix" %s as #tile.layout<(1, 8, 4, 1, 2, 2) : (8, 16, 2, 1, 8, 1)>
      to %r as #tile.layout<(1, 8, 4, 1, 2, 2) : (32@laneid, 1@laneid, 8@laneid, 4, 2, 1)>
      scope(warp) shape [1, 8, 4, 1, 2, 2] row_stride(16) : !shared to !local
    gpu.return
  }
}

// -----

!shared = !tile.buffer<32x16xi8, shared>
!tensor = !tile.buffer<32x16xi8, tmem, #tile.layout<(32, 16) : (1@TLane, 1@TCol) + R(4 : 32@TLane)>>

gpu.module @descriptor [#nvvm.target<chip = "sm_100a">] {
  gpu.func @kernel(%address: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !shared
    %t = tile.tmem %address : !tensor
    // expected-error @below {{the rest of the source is not where the descriptor has it}}
    tile.tmem_copy "tcgen05_cp" %s as #tile.layout<(32, 16) : (16, 1)> to %t as #tile.layout<(32, 16) : (1@TLane, 1@TCol)>
      scope(thread) shape "32x128b" multicast "warpx4" cta_group(1) descriptor [0, 16, 0] tile_iters(0) : !shared to !tensor
    gpu.return
  }
}

// -----

!tensor = !tile.buffer<128x4xf32, tmem, #tile.layout<(128, 4) : (1@TLane, 1@TCol)>>
!local = !tile.buffer<128x4xf32, local, #tile.layout<(128, 4) : (1@tid_in_wg, 1)>>

gpu.module @registers [#nvvm.target<chip = "sm_100a">] {
  gpu.func @kernel(%address: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = tile.tmem %address : !tensor
    %r = tile.alloc : !local
    // expected-error @below {{the rest has 512 elements; one instruction moves 256}}
    tile.tmem_access "tcgen05_ldst" %t as #tile.layout<(128, 4) : (1@TLane, 1@TCol)>
      to %r as #tile.layout<(128, 4) : (1@tid_in_wg, 1)> scope(warpgroup) shape "16x64b" num(2) instruction_iters(0)
      : !tensor to !local
    gpu.return
  }
}

// -----

!global = !tile.buffer<128xf32, global>
!shared = !tile.buffer<128xf32, shared>

gpu.module @variant {
  gpu.func @kernel(%A: memref<128xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<128xf32> to !global
    %s = tile.alloc : !shared
    // expected-error @below {{got variant = "nosuch", expected one of}}
    tile.vector_copy "nosuch" %a as #tile.layout<(32, 4) : (4, 1)> to %s as #tile.layout<(32, 4) : (4, 1)>
      scope(warp) rounds(1) threads(32) vector(4) : !global to !shared
    gpu.return
  }
}

// -----

!global = !tile.buffer<256xf32, global>
!shared = !tile.buffer<256xf32, shared>

gpu.module @shares {
  gpu.func @kernel(%A: memref<256xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<256xf32> to !global
    %s = tile.alloc : !shared
    // Some threads take no part in the last round, although the layout must count all of them.
    // expected-error @below {{the source's thread part of 1 digit does not count 32 threads}}
    tile.vector_copy "gmem_smem" %a as #tile.layout<(24, 4) : (4, 1)> to %s as #tile.layout<(24, 4) : (4, 1)>
      scope(warp) rounds(1) threads(32) vector(4) {last_threads = 24 : i64, thread_iters = 1 : i64} : !global to !shared
    // expected-error @below {{the ranks begin at thread 28 and leave the scope}}
    tile.vector_copy "gmem_smem" %a as #tile.layout<(8, 4) : (4, 1)> to %s as #tile.layout<(8, 4) : (4, 1)>
      scope(warp) rounds(1) threads(8) vector(4) {ranks = array<i64: 28, 8, 1>} : !global to !shared
    // expected-error @below {{the ranks do not count 8 threads}}
    tile.vector_copy "gmem_smem" %a as #tile.layout<(8, 4) : (4, 1)> to %s as #tile.layout<(8, 4) : (4, 1)>
      scope(warp) rounds(1) threads(8) vector(4) {ranks = array<i64: 0, 4, 1>} : !global to !shared
    %c0 = arith.constant 0 : index
    // expected-error @below {{is no plan: got attributes that do not fit each other}}
    tile.vector_copy "gmem_smem" %a as #tile.layout<(8, 4) : (4, 1)> to %s as #tile.layout<(8, 4) : (4, 1)>
      scope(warp) rounds(1) threads(8) vector(4) masked(%c0, %c0)
      {limited = array<i64: 0, -5, 0>, coordinates = array<i64: 8, 0, 1, 4, 1, 1>} : !global to !shared
    gpu.return
  }
}
