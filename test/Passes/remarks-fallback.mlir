// RUN: tile-opt --lower-tile-copy --split-input-file --verify-diagnostics %s -o %t

// A copy that every faster variant declines gets a warning, with a note per variant that says why. A copy that every variant
// declines is an error with the same notes.

!global = !tile.buffer<4x6xf32, global>
!blocks = !tile.buffer<8x6xf32, shared, #tile.layout<(2, 4, 6) : (32, 6, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @one_thread(%A: memref<4x6xf32>, %row: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<4x6xf32> to !global
    %s = tile.alloc : !blocks
    // expected-warning @below {{is copied by the scalar fallback (one thread copies everything); all faster variants declined}}
    // expected-note-re @below {{realign declined: {{.*}} multiples of 8 bytes; {{.*}}}}
    // expected-note-re @below {{gmem_smem declined: dimension 0 {{.*}} inside iters of 4 positions; {{.*}}}}
    // expected-note @below {{for other memories only: ldstmatrix, transpose, realign_reg, reg, same_memory, shuffle, scratch}}
    tile.copy %a to %s[%row, 0] [4, 6] scope(warp) : !global to !blocks
    gpu.return
  }
}

// -----

!tile = !tile.buffer<41x25xf32, local>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @each_thread(%A: memref<41x25xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !tile
    %t = tile.alloc : !tile
    // expected-warning @below {{is copied by the scalar fallback (each thread copies everything); all faster variants declined}}
    // expected-note-re @below {{shuffle declined: {{.*}} 1025 {{.*}} 1024}}
    // expected-note-re @below {{scratch declined: {{.*}} thread}}
    // expected-note @below {{for other memories only: ldstmatrix, transpose, realign, gmem_smem, realign_reg, reg, same_memory}}
    tile.copy %s to %t scope(thread) : !tile to !tile
    gpu.return
  }
}

// -----

// 24 of the 32 lanes hold a row each.
!shared = !tile.buffer<24x4xf32, shared>
!rows = !tile.buffer<24x4xf32, local, #tile.layout<(24, 4) : (1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @owners() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !shared
    %r = tile.alloc : !rows
    // expected-warning @below {{is copied by the scalar fallback (each thread copies the elements that it owns); all faster variants declined}}
    // expected-note-re @below {{ldstmatrix declined: {{.*}} count 24 positions; needed each of the threads 0 to 31 once}}
    // expected-note @below {{for other memories only: transpose, realign, gmem_smem, realign_reg, same_memory, shuffle, scratch}}
    // expected-note-re @below {{reg declined: {{.*}} destination{{.*}} (24:1) {{.*}} 0, {{.*}} 24 {{.*}} 0 {{.*}} 31 {{.*}}}}
    tile.copy %s to %r scope(warp) : !shared to !rows
    gpu.return
  }
}

// -----

!rows = !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @nobody() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %q = tile.alloc : !rows
    %r = tile.alloc : !rows
    %lane = gpu.lane_id
    %c16 = arith.constant 16 : index
    %lower = arith.cmpi ult, %lane, %c16 : index
    scf.if %lower {
      // expected-error @below {{cannot be done by any variant}}
      // expected-note @below {{for other memories only: ldstmatrix, transpose, realign, gmem_smem, realign_reg, reg, same_memory}}
      // expected-note-re @below {{shuffle declined: {{.*}}[0, 16) {{.*}}[0, 32)}}
      // expected-note-re @below {{scratch declined: {{.*}}[0, 16) {{.*}}[0, 32)}}
      // expected-note @below {{fallback declined}}
      tile.copy %q to %r scope(warp) : !rows to !rows
    }
    gpu.return
  }
}
