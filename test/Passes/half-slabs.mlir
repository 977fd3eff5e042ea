// 64 rows of a buffer of 128 lanes as 16-lane fragments: the layout says that they are in the lanes of two warps. Nothing
// is interpreted: it is an error, which has the layout that the fragments are in. That layout is accepted, at the same
// columns.
// RUN: tile-opt %s --split-input-file --lower-tile-copy --verify-diagnostics -o /dev/null

!d = !tile.buffer<128x8xf32, tmem, #tile.layout<(128, 8) : (1@TLane, 1@TCol)>>
!f = !tile.buffer<64x8xf32, tmem, #tile.layout<(4, 16, 8) : (32@TLane, 1@TLane, 1@TCol)>>
!fragment = !tile.buffer<64x8xf32, local,
  #tile.layout<(4, 2, 8, 4, 2) : (1@wid_in_wg, 1@laneid, 4@laneid, 1, 2@laneid)>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @kernel(%address: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %d = tile.tmem %address : !d
    %f = tile.tmem %address : !f
    %r = tile.alloc : !fragment
    // expected-error @below {{cannot be done by any variant}}
    // expected-note-re @below {{tcgen05_ldst declined: {{.*}}source {{.*}}lanes 0 to 63{{.*}} #tile.layout<(4, 16, 8) : (32@TLane, 1@TLane, 1@TCol)>}}
    // expected-note @below {{synchronous declined}}
    // expected-note @below {{for other memories only}}
    tile.copy_async %d[0, 0] [64, 8] to %r scope(warpgroup) : !d to !fragment
    tile.copy_async %f to %r scope(warpgroup) : !f to !fragment
    gpu.return
  }
}

// -----

// To tensor memory, from column 8 of columns 64 to 127, by 16x128b. The layout is that of the tile with all columns.
!d = !tile.buffer<128x64xf32, tmem, #tile.layout<(128, 64) : (1@TLane, 1@TCol) + 64@TCol>>
!f = !tile.buffer<64x64xf32, tmem, #tile.layout<(4, 16, 64) : (32@TLane, 1@TLane, 1@TCol) + 64@TCol>>
!fragment = !tile.buffer<64x16xf32, local,
  #tile.layout<(4, 2, 8, 4, 4) : (1@wid_in_wg, 1, 4@laneid, 2, 1@laneid)>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @kernel(%address: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %d = tile.tmem %address : !d
    %f = tile.tmem %address : !f
    %r = tile.alloc : !fragment
    // expected-error @below {{cannot be done by any variant}}
    // expected-note-re @below {{tcgen05_ldst declined: {{.*}}destination {{.*}} #tile.layout<(4, 16, 64) : (32@TLane, 1@TLane, 1@TCol) + 64@TCol>}}
    // expected-note @below {{synchronous declined}}
    // expected-note @below {{for other memories only}}
    tile.copy_async %r to %d[0, 8] [64, 16] scope(warpgroup) : !fragment to !d
    tile.copy_async %r to %f[0, 8] [64, 16] scope(warpgroup) : !fragment to !f
    gpu.return
  }
}
