// Maps of tiles in shared memory that cannot be done, and why.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --lower-tile-copy
// RUN: not tile-opt %s --split-input-file --lower-tile-copy --remarks-filter-missed='tile-(map|reduce)' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

!s = !tile.buffer<7xf32, shared>

// REMARK: remark: [Missed] block-size-unknown | Category:tile-map
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // expected-note @below {{the kernel does not state the size of its blocks}}
  gpu.func @unknown_size() kernel {
    %s = tile.alloc : !s
    // expected-error @below {{cannot be done: the size of the block is not known}}
    tile.map %s to %s scope(cta) : !s to !s {
    ^bb0(%e: f32):
      tile.yield %e : f32
    }
    gpu.return
  }
}

// -----

!s = !tile.buffer<16x8xf32, shared>
!row = !tile.buffer<16x1xf32, local, #tile.layout<(16, 1) : (2@laneid, 1)>>

// REMARK: remark: [Missed] operand-elsewhere | Category:tile-map
// REMARK: remark: [Missed] no-partition | Category:tile-map
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @elsewhere() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !s
    %row = tile.alloc : !row
    // expected-error @below {{cannot be done: thread 1 computes element [0, 4] of the result, and needs element [0, 0] of source 2, but its register 0, where thread 0 has its own, holds none}}
    tile.map %s, %row to %s scope(warp) : !s, !row to !s {
    ^bb0(%e: f32, %f: f32):
      %r = arith.addf %e, %f : f32
      tile.yield %r : f32
    }
    gpu.return
  }
}

// -----

!s = !tile.buffer<3x5xi4, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @parts_of_bytes() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !s
    // expected-error @below {{cannot be done: no partition of 3x5 over 32 threads suits all tiles: }}
    tile.map %s to %s scope(warp) : !s to !s {
    ^bb0(%e: i4):
      tile.yield %e : i4
    }
    gpu.return
  }
}

// -----

!s = !tile.buffer<255x127xi32, shared>

// REMARK: remark: [Missed] registers-partly-held | Category:tile-reduce
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // expected-note @below {{the kernel has blocks of 33x1x1 threads}}
  gpu.func @no_whole_warps(%to: memref<33xi32>) kernel attributes {known_block_size = array<i32: 33, 1, 1>} {
    %t = gpu.thread_id x
    %s = tile.alloc : !s
    // expected-error @below {{cannot be done: lanes exchange what they have of the source: got 33 threads, needed whole warps}}
    %most = tile.total max %s scope(cta) : !s to i32
    memref.store %most, %to[%t] : memref<33xi32>
    gpu.return
  }
}
