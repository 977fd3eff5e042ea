// An op of a whole block whose tiles need another number of threads says how many, and where the block has its size from.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --lower-tile-copy
// RUN: not tile-opt %s --split-input-file --lower-tile-copy --remarks-filter-missed='tile-(map|reduce)' --remark-format=emitRemark 2>&1 | FileCheck %s
// CHECK: remark: [Missed] too-few-threads | Category:tile-reduce

!x = !tile.buffer<128xf32, local, #tile.layout<(128) : (1@tx)>>
!sum = !tile.buffer<1xf32, local, #tile.layout<(1) : (1) + R(128 : 1@tx)>>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // expected-note @below {{the kernel has blocks of 64x1x1 threads, by known_block_size}}
  gpu.func @few() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %x = tile.alloc : !x
    %m = tile.alloc : !sum
    // expected-error @below {{cannot be done: the source is held by 128 threads, the cta has 64}}
    tile.reduce add %x to %m dim(0) scope(cta) : !x to !sum
    gpu.return
  }
}

// -----

!x = !tile.buffer<128xf32, local, #tile.layout<(128) : (1@tx)>>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // expected-note @below {{the kernel does not state the size of its blocks; expected known_block_size = array<i32: …>}}
  gpu.func @unknown() kernel {
    %x = tile.alloc : !x
    // expected-error @below {{cannot be done: the size of the block is not known; the source is held by 128 threads of it}}
    tile.map %x to %x scope(cta) : !x to !x {
    ^bb0(%e: f32):
      tile.yield %e : f32
    }
    gpu.return
  }
}

// -----

!x = !tile.buffer<128xf32, local, #tile.layout<(128) : (1@tx)>>

func.func @launched(%n: index) {
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  // expected-note @below {{the launch has blocks of 256x1x1 threads}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c256, %sy = %c1, %sz = %c1) {
    %x = tile.alloc : !x
    // expected-error @below {{cannot be done: only 128 of 256 threads hold elements of the source; a scan with a region needs all of the scope}}
    tile.block_scan inclusive custom %x to %x dim(0) scope(cta) : !x to !x combine {
    ^bb0(%left: f32, %right: f32):
      tile.yield %right : f32
    }
    gpu.terminator
  }
  return
}

// -----

!s = !tile.buffer<128xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // expected-note @below {{the kernel does not state the size of its blocks}}
  gpu.func @shared() kernel {
    %s = tile.alloc : !s
    // expected-error @below {{cannot be done: the size of the block is not known, whose threads divide the source among themselves}}
    %t = tile.total add %s scope(cta) : !s to f32
    gpu.return
  }
}

// -----

!a = !tile.buffer<64x16xf16, local, #tile.fragment<mma.m16n8k16.a over (4, 1) warps>>
!b = !tile.buffer<16x8xf16, local, #tile.fragment<mma.m16n8k16.b over (4, 1) warps>>
!c = !tile.buffer<64x8xf32, local, #tile.fragment<mma.m16n8k16.c over (4, 1) warps>>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // expected-note @below {{the kernel has blocks of 64x1x1 threads, by known_block_size}}
  gpu.func @product() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.alloc : !a
    %b = tile.alloc : !b
    %c = tile.alloc : !c
    // expected-error @below {{cannot be done by any variant}}
    // expected-note @below {{mma_sync declined: a is held by 128 threads, the cta has 64}}
    // expected-note @below {{fma declined: a is held by 128 threads, the cta has 64}}
    // expected-note @below {{for other memories only}}
    tile.mma %a, %b, %c scope(cta) : !a, !b, !c
    gpu.return
  }
}
