// Maps and reductions of tiles whose layouts do not fit, and why.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --lower-tile-copy
// RUN: not tile-opt %s --split-input-file --lower-tile-copy --remarks-filter-missed='tile-(map|reduce|block-scan)' --remark-format=emitRemark 2>&1 | FileCheck %s

// CHECK-DAG: remark: [Missed] operand-elsewhere | Category:tile-map
// CHECK-DAG: remark: [Missed] registers-partly-held | Category:tile-map
// CHECK-DAG: remark: [Missed] too-many-instructions | Category:tile-map
// CHECK-DAG: remark: [Missed] coordinates-not-regular | Category:tile-map
// CHECK-DAG: remark: [Missed] dimension-not-of-iters | Category:tile-reduce
// CHECK-DAG: remark: [Missed] result-elsewhere | Category:tile-reduce
// CHECK-DAG: remark: [Missed] threads-not-warps | Category:tile-reduce
// CHECK-DAG: remark: [Missed] registers-partly-held | Category:tile-reduce
// CHECK-DAG: remark: [Missed] not-all-threads-active | Category:tile-reduce
// CHECK-DAG: remark: [Missed] block-size-unknown | Category:tile-reduce
// CHECK-DAG: remark: [Missed] coordinates-not-regular | Category:tile-reduce
// CHECK-DAG: remark: [Missed] operand-elsewhere | Category:tile-block-scan
// CHECK-DAG: remark: [Missed] registers-partly-held | Category:tile-block-scan
// CHECK-DAG: remark: [Missed] threads-not-warps | Category:tile-block-scan
// CHECK-DAG: remark: [Missed] not-all-threads-active | Category:tile-block-scan

!x = !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>>
!y = !tile.buffer<16x8xf32, local, #tile.layout<(2, 8, 2, 4) : (2, 4@laneid, 1, 1@laneid)>>
!m = !tile.buffer<16x1xf32, local, #tile.layout<(2, 8, 1) : (1, 4@laneid, 1) + R(4 : 1@laneid)>>
!n = !tile.buffer<16x1xf32, local, #tile.layout<(16, 1) : (2@laneid, 1)>>
!large = !tile.buffer<256x512xf32, local>
!uneven = !tile.buffer<2x16xf32, local, #tile.layout<(2, 16) : (32@tx, 1@tx)>>
!wide = !tile.buffer<2x48xf32, local, #tile.layout<(2, 48) : (48@tx, 1@tx)>>
!rows = !tile.buffer<2x1xf32, local, #tile.layout<(2, 1) : (48@tx, 1)>>
!back = !tile.buffer<32xf32, local, #tile.layout<(32) : (-1@laneid) + 31@laneid>>
!turned = !tile.buffer<32x4xf32, local, #tile.layout<(32, 4) : (-1@laneid, 1) + 31@laneid>>
!at = !tile.buffer<32x1xi32, local, #tile.layout<(32, 1) : (-1@laneid, 1) + 31@laneid>>
!elsewhere = !tile.buffer<16x1xi32, local, #tile.layout<(16, 1) : (2@laneid, 1)>>
!across = !tile.buffer<2x6xf32, local, #tile.layout<(3, 4) : (4, 1)>>
!two = !tile.buffer<2x1xf32, local>
!few = !tile.buffer<24xf32, local, #tile.layout<(24) : (1@laneid)>>
!one = !tile.buffer<1xf32, local, #tile.layout<(1) : (1) + R(24 : 1@laneid)>>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // expected-note @below {{the kernel has blocks of 96x1x1 threads, by known_block_size}}
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
    %x = tile.alloc : !x
    %y = tile.alloc : !y
    %m = tile.alloc : !m
    %n = tile.alloc : !n
    // expected-error @below {{cannot be done: thread 0 computes element [0, 1] of the result, and needs element [0, 1] of the source, which it does not hold}}
    tile.map %y to %x scope(warp) : !y to !x {
    ^bb0(%e: f32):
      tile.yield %e : f32
    }
    %uneven = tile.alloc : !uneven
    // expected-error @below {{cannot be done: thread 16 holds 0 elements of the result, thread 0 holds 1; needed the same}}
    tile.map %uneven to %uneven scope(cta) : !uneven to !uneven {
    ^bb0(%e: f32):
      tile.yield %e : f32
    }
    %large = tile.alloc : !large
    // expected-error @below {{cannot be done: every thread would execute 1 ops for each of 131072 elements; at most 65536 in all are written out}}
    tile.map %large to %large scope(thread) : !large to !large {
    ^bb0(%e: f32):
      tile.yield %e : f32
    }
    // expected-error @below {{does not have the terms of element [1, 0] of the result, which it holds in the layout that the result has; needed #tile.layout<(2, 8, 1) : (1, 4@laneid, 1) + R(4 : 1@laneid)>, or one with the same rows in each thread}}
    tile.reduce add %x to %n dim(1) scope(warp) : !x to !n
    %wide = tile.alloc : !wide
    %rows = tile.alloc : !rows
    // expected-error @below {{cannot be done: the source: the threads of 48:1@tx are neither lanes of a warp nor whole warps}}
    tile.reduce add %wide to %rows dim(1) scope(cta) : !wide to !rows
    %back = tile.alloc : !back
    // expected-error @below {{cannot be done: the coordinates of the result are no sum of a part of the thread and one of the register}}
    tile.map to %back scope(warp) : to !back {
    ^bb0(%i: index):
      %e = arith.constant 0.0 : f32
      tile.yield %e : f32
    }
    %turned = tile.alloc : !turned
    %at = tile.alloc : !at
    // expected-error @below {{cannot be done: the coordinates of the source are no sum of a part of the thread and one of the register}}
    tile.reduce argmax %turned to %at dim(1) scope(warp) : !turned to !at
    %elsewhere = tile.alloc : !elsewhere
    // expected-error @below {{does not have the terms of element [1, 0] of the result, which it holds in the layout that the result has; needed #tile.layout<(2, 8, 1) : (1, 4@laneid, 1) + R(4 : 1@laneid)>, or one with the same rows in each thread}}
    tile.reduce argmin %x to %elsewhere dim(1) scope(warp) : !x to !elsewhere
    %across = tile.alloc : !across
    %two = tile.alloc : !two
    // expected-error @below {{cannot be done: the source: }}
    tile.reduce add %across to %two dim(1) scope(thread) : !across to !two
    %few = tile.alloc : !few
    %one = tile.alloc : !one
    // expected-error @below {{cannot be done: only 24 of 32 threads hold elements of the source; a reduction with a region needs all of the scope}}
    tile.reduce custom %few to %one dim(0) scope(warp) : !few to !one combine {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %b : f32
      tile.yield %r : f32
    }
    %t = gpu.thread_id x
    %c16 = arith.constant 16 : index
    %first = arith.cmpi ult, %t, %c16 : index
    scf.if %first {
      // expected-error @below {{cannot be done: laneid narrowed to [0, 16) vs full [0, 32)}}
      tile.reduce add %x to %m dim(1) scope(warp) : !x to !m
      // expected-error @below {{cannot be done: laneid narrowed to [0, 16) vs full [0, 32)}}
      tile.block_scan inclusive add %x to %x dim(1) scope(warp) : !x to !x
    }
    // expected-error @below {{cannot be done: thread 0 does not hold element [0, 1] of the result, or not in the register in which thread 0 does; needed the layout of the source: #tile.layout<(2, 8, 4, 2) : (2, 4@laneid, 1@laneid, 1)>}}
    tile.block_scan inclusive add %x to %y dim(1) scope(warp) : !x to !y
    // expected-error @below {{cannot be done: the source: the threads of 48:1@tx are neither lanes of a warp nor whole warps}}
    tile.block_scan inclusive add %wide to %wide dim(1) scope(cta) : !wide to !wide
    // expected-error @below {{cannot be done: only 24 of 32 threads hold elements of the source; a scan with a region needs all of the scope}}
    tile.block_scan inclusive custom %few to %few dim(0) scope(warp) : !few to !few combine {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %a, %b : f32
      tile.yield %r : f32
    }
    gpu.return
  }
}

// -----

!all = !tile.buffer<128xf32, local, #tile.layout<(128) : (1@tx)>>
!sum = !tile.buffer<1xf32, local, #tile.layout<(1) : (1) + R(128 : 1@tx)>>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // expected-note @below {{the kernel does not state the size of its blocks}}
  gpu.func @unknown() kernel {
    %x = tile.alloc : !all
    %m = tile.alloc : !sum
    // expected-error @below {{cannot be done: the size of the block is not known}}
    tile.reduce add %x to %m dim(0) scope(cta) : !all to !sum
    gpu.return
  }
}

// -----

!part = !tile.buffer<64xf32, local, #tile.layout<(64) : (1@tid_in_wg)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // expected-note @below {{the kernel has blocks of 128x1x1 threads, by known_block_size}}
  gpu.func @a_total_of_warps_without_elements(%B: memref<128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %x = tile.alloc : !part
    // expected-error @below {{only 64 of 128 threads hold elements of the source; a total of each warp needs all of the scope}}
    %most = tile.total max %x scope(cta) per_warp : !part to f32
    memref.store %most, %B[%t] : memref<128xf32>
    gpu.return
  }
}
