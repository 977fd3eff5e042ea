// 64 rows of a buffer of 128 lanes as 16-lane fragments: no warp reaches the lanes that the layout names, so the rows are
// interpreted as datapath F, as in the reference. A warning says so, and says how to write the intended layout.
// RUN: tile-opt %s --lower-tile-copy --verify-diagnostics -o /dev/null

!d = !tile.buffer<128x8xf32, tmem, #tile.layout<(128, 8) : (1@TLane, 1@TCol)>>
!f = !tile.buffer<64x8xf32, tmem, #tile.layout<(4, 16, 8) : (32@TLane, 1@TLane, 1@TCol)>>
!fragment = !tile.buffer<64x8xf32, local,
  #tile.layout<(4, 2, 8, 4, 2) : (1@wid_in_wg, 1@laneid, 4@laneid, 1, 2@laneid)>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @kernel(%address: i32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %d = tile.tmem %address : !d
    %f = tile.tmem %address : !f
    %r = tile.alloc : !fragment
    // expected-warning @below {{takes its 64 rows of 128 lanes for datapath F, row 16w+i in lane 32w+i}}
    tile.copy_async %d[0, 0] [64, 8] to %r scope(warpgroup) : !d to !fragment
    tile.copy_async %f to %r scope(warpgroup) : !f to !fragment
    gpu.return
  }
}
