// RUN: tile-opt %s --tile-choose-layouts --split-input-file --verify-diagnostics

!odd = !tile.buffer<63x61xf32, local, auto>
gpu.module @kernels {
  gpu.func @uneven(%C: memref<63x61xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c = tile.view %C : memref<63x61xf32>
    // expected-error@below {{cannot be divided: got 63x61 elements of 32 bits over 128 threads, of which 1 divide them; expected at most 255 registers a thread}}
    %x = tile.alloc : !odd
    tile.copy %c to %x scope(cta) : !tile.buffer<63x61xf32, global> to !odd
    tile.copy %x to %c scope(cta) : !odd to !tile.buffer<63x61xf32, global>
    gpu.return
  }
}

// -----

!tile = !tile.buffer<64x64xf32, local, auto>
gpu.module @kernels {
  gpu.func @scopes(%C: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c = tile.view %C : memref<64x64xf32>
    // expected-error@below {{cannot be divided: got ops of scope warp and of scope cta, expected one scope}}
    %x = tile.alloc : !tile
    tile.copy %c to %x scope(cta) : !tile.buffer<64x64xf32, global> to !tile
    tile.copy %x to %c scope(warp) : !tile to !tile.buffer<64x64xf32, global>
    gpu.return
  }
}

// -----

!tile = !tile.buffer<64x64xf32, local, auto>
gpu.module @kernels {
  gpu.func @partial_scope(%C: memref<64x64xf32>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c = tile.view %C : memref<64x64xf32>
    // expected-error@below {{cannot be divided: got threads of which active threads are not known}}
    %x = tile.alloc : !tile
    %t = gpu.thread_id x
    %less = arith.cmpi ult, %t, %n : index
    scf.if %less {
      tile.copy %c to %x scope(cta) : !tile.buffer<64x64xf32, global> to !tile
    }
    tile.copy %x to %c scope(cta) : !tile to !tile.buffer<64x64xf32, global>
    gpu.return
  }
}

// -----

!tile = !tile.buffer<64x64xf32, local, auto>
gpu.module @kernels {
  gpu.func @unknown_block(%C: memref<64x64xf32>) kernel {
    %c = tile.view %C : memref<64x64xf32>
    // expected-error@below {{cannot be divided: got a block of unknown size, expected known_block_size}}
    %x = tile.alloc : !tile
    tile.copy %c to %x scope(cta) : !tile.buffer<64x64xf32, global> to !tile
    gpu.return
  }
}

// -----

!factor = !tile.buffer<64x64xf16, shared, auto>
!sums = !tile.buffer<64x64xf32, local, auto>
gpu.module @kernels {
  gpu.func @disagree(%C: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c = tile.view %C : memref<64x64xf32>
    %s = tile.alloc : !factor
    %x = tile.alloc : !sums
    // expected-note@below {{the other product}}
    tile.mma %s, %s, %x scope(cta) {variant = "fma"} : !factor, !factor, !sums
    // expected-error@below {{disagrees with another product: one can be done by instruction = fma, the other by instruction = mma_sync, over = [1, 4]; instruction}}
    tile.mma %s, %s, %x scope(cta) {variant = "mma_sync"} : !factor, !factor, !sums
    tile.copy %x to %c scope(cta) : !sums to !tile.buffer<64x64xf32, global>
    gpu.return
  }
}

// -----

!factor = !tile.buffer<64x64xf16, shared, auto>
!sums = !tile.buffer<64x64xf32, local, auto>
gpu.module @kernels {
  gpu.func @apart(%C: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c = tile.view %C : memref<64x64xf32>
    %s = tile.alloc : !factor
    %x = tile.alloc : !sums
    // expected-error@below {{and no instruction of sm_80 multiplies 64x64 f16 by 64x64 f16 to f32 with 1 threads}}
    tile.mma %s, %s, %x scope(thread) : !factor, !factor, !sums
    tile.copy %x to %c scope(cta) : !sums to !tile.buffer<64x64xf32, global>
    gpu.return
  }
}

// -----

!factor = !tile.buffer<64x64xf16, shared, auto>
!sums = !tile.buffer<64x64xf32, local, auto>
gpu.module @kernels {
  gpu.func @unknown(%C: memref<64x64xf32>) kernel {
    %c = tile.view %C : memref<64x64xf32>
    %s = tile.alloc : !factor
    %x = tile.alloc : !sums
    // expected-error@below {{has scope cta, but the function's block size is not known}}
    tile.mma %s, %s, %x scope(cta) : !factor, !factor, !sums
    gpu.return
  }
}

// -----

!factor = !tile.buffer<64x64xf16, shared, auto>
!sums = !tile.buffer<64x64xf32, local, auto>
gpu.module @kernels {
  gpu.func @partial(%C: memref<64x64xf32>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c = tile.view %C : memref<64x64xf32>
    %s = tile.alloc : !factor
    %x = tile.alloc : !sums
    %t = gpu.thread_id x
    %less = arith.cmpi ult, %t, %n : index
    scf.if %less {
      // expected-error@below {{got threads of which active threads are not known}}
      tile.mma %s, %s, %x scope(cta) : !factor, !factor, !sums
    }
    gpu.return
  }
}

// -----

// The lanes of mma.sync have two adjacent columns each: three are no part of whole iters.
!factor = !tile.buffer<64x64xf16, shared, auto>
!sums = !tile.buffer<64x64xf32, local, auto>
gpu.module @kernels {
  gpu.func @viewed(%C: memref<64x3xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c = tile.view %C : memref<64x3xf32>
    %s = tile.alloc : !factor
    // expected-note@below {{the tile that is viewed}}
    %x = tile.alloc : !sums
    // expected-note@below {{this product decides}}
    tile.mma %s, %s, %x scope(cta) {variant = "mma_sync"} : !factor, !factor, !sums
    // expected-error@below {{views a tile whose layout is auto: got the layout (2, 2, 2, 8, 2, 4, 4, 2) : (2@warpid, 16, 2, 4@laneid, 1@warpid, 4, 1@laneid, 1) of 64x64, the tile that is viewed, from which none of 64x3 follows: dimension 1: positions [1, 1 + 3) cross the end of iter 2:1}}
    %part = tile.subview %x[0, 1] [64, 3] : !sums to !tile.buffer<64x3xf32, local, auto>
    tile.copy %part to %c scope(cta) : !tile.buffer<64x3xf32, local, auto> to !tile.buffer<64x3xf32, global>
    gpu.return
  }
}

// -----

// A part that decides: the tile is not several of it.
!factor = !tile.buffer<64x64xf16, shared, auto>
!sums = !tile.buffer<64x96xf32, local, auto>
gpu.module @kernels {
  gpu.func @uneven_parts() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !factor
    // expected-note@below {{the tile that is viewed}}
    %x = tile.alloc : !sums
    // expected-error@below {{dimension 1: positions [32, 32 + 64) are none of equal parts of 96; expected a begin and an extent that are multiples of 64}}
    %part = tile.subview %x[0, 32] [64, 64] : !sums
    // expected-note@below {{this product decides}}
    tile.mma %s, %s, %part scope(cta) : !factor, !factor, !tile.buffer<64x64xf32, local, auto>
    gpu.return
  }
}

// -----

// Two parts of a tile whose products need other threads of its rows.
!factor = !tile.buffer<64x64xf16, shared, auto>
!sums = !tile.buffer<64x128xf32, local, auto>
!half = !tile.buffer<64x64xf32, local, auto>
gpu.module @kernels {
  gpu.func @parts_disagree() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !factor
    %x = tile.alloc : !sums
    %left = tile.subview %x[0, 0] [64, 64] : !sums
    %right = tile.subview %x[0, 64] [64, 64] : !sums
    // expected-note@below {{the other product}}
    tile.mma %s, %s, %left scope(cta) {tile.schedule = #tile.schedule<instruction = mma_sync, over = [1, 4]>} : !factor, !factor, !half
    // expected-error@below {{disagrees with another product: one can be done by instruction = mma_sync, over = [1, 4], the other by instruction = mma_sync, over = [4, 1]}}
    tile.mma %s, %s, %right scope(cta) {tile.schedule = #tile.schedule<instruction = mma_sync, over = [4, 1]>} : !factor, !factor, !half
    gpu.return
  }
}

// -----

// Nothing decides, and no division has both halves of a view.
!tile = !tile.buffer<64x24xf32, local, auto>
gpu.module @kernels {
  gpu.func @odd_part(%C: memref<64x24xf32>, %D: memref<64x5xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c = tile.view %C : memref<64x24xf32>
    %d = tile.view %D : memref<64x5xf32>
    // expected-note@below {{the tile that is viewed}}
    %x = tile.alloc : !tile
    // expected-error@below {{from which none of 64x5 follows}}
    %part = tile.subview %x[0, 6] [64, 5] : !tile
    tile.copy %c to %x scope(cta) : !tile.buffer<64x24xf32, global> to !tile
    tile.copy %part to %d scope(cta) : !tile.buffer<64x5xf32, local, auto> to !tile.buffer<64x5xf32, global>
    gpu.return
  }
}

// -----

// A tile of a block is not a warp's, and neither is its part.
!tile = !tile.buffer<64x64xf32, local, auto>
gpu.module @kernels {
  gpu.func @part_of_a_warp(%C: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c = tile.view %C : memref<64x64xf32>
    // expected-error@below {{cannot be divided: got ops of scope cta and of scope warp, expected one scope}}
    %x = tile.alloc : !tile
    %part = tile.subview %x[16, 0] [16, 64] : !tile
    tile.copy %c to %x scope(cta) : !tile.buffer<64x64xf32, global> to !tile
    tile.copy %part to %c[16, 0] [16, 64] scope(warp) : !tile.buffer<16x64xf32, local, auto> to !tile.buffer<64x64xf32, global>
    gpu.return
  }
}

// -----

// Tiles with layouts of their own, between which a tile that has none.
!rows = !tile.buffer<128x2xf32, local, #tile.layout<(128, 2) : (1@tx, 1)>>
!columns = !tile.buffer<128x2xf32, local, #tile.layout<(2, 128) : (1, 1@tx)>>
!tile = !tile.buffer<128x2xf32, local, auto>
gpu.module @kernels {
  gpu.func @between() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %r = tile.alloc : !rows
    // expected-error@below {{is related to tiles whose layout is auto, and what they need disagrees: one needs a tile of [128, 2] elements as (2, 128) : (1, 1@tx), the other as (128, 2) : (1@tx, 1)}}
    %c = tile.alloc : !columns
    %x = tile.alloc : !tile
    tile.fill 0.0 to %r scope(cta) : !rows
    tile.fill 0.0 to %c scope(cta) : !columns
    tile.copy %r to %x scope(cta) : !rows to !tile
    tile.copy %c to %x scope(cta) : !columns to !tile
    gpu.return
  }
}

// -----

!factor = !tile.buffer<64x64xf16, shared, auto>
!sums = !tile.buffer<64x64xf32, local, auto>
gpu.module @kernels {
  gpu.func @pointer() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !factor
    %x = tile.alloc : !sums
    tile.mma %s, %s, %x scope(cta) : !factor, !factor, !sums
    // expected-error@below {{got !tile.buffer<64x64xf32, local, auto>, expected a layout, which says how many elements of it each thread holds, and in which order}}
    %view = tile.local_view %x : !sums to memref<4096xf32>
    gpu.return
  }
}

// -----

// A view that a loop carries, as in shared memory.
!tile = !tile.buffer<64x64xf32, local, auto>
!part = !tile.buffer<32x64xf32, local, auto>
gpu.module @kernels {
  gpu.func @carried(%C: memref<64x64xf32>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-error@below {{a view of it is carried by a loop or a branch; expected the tile itself}}
    %x = tile.alloc : !tile
    %part = tile.subview %x[0, 0] [32, 64] : !tile
    // expected-note@below {{it is used here}}
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%this = %part) -> (!part) {
      tile.fill 0.0 to %this scope(cta) : !part
      scf.yield %this : !part
    }
    gpu.return
  }
}
