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

!factor = !tile.buffer<64x64xf16, shared, auto>
!sums = !tile.buffer<64x64xf32, local, auto>
gpu.module @kernels {
  gpu.func @viewed(%C: memref<64x32xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c = tile.view %C : memref<64x32xf32>
    %s = tile.alloc : !factor
    // expected-error@below {{got a view of it, expected uses of the tile itself}}
    %x = tile.alloc : !sums
    tile.mma %s, %s, %x scope(cta) : !factor, !factor, !sums
    // expected-note@below {{it is viewed here}}
    %part = tile.subview %x[0, 0] [64, 32] : !sums to !tile.buffer<64x32xf32, local, auto>
    tile.copy %part to %c scope(cta) : !tile.buffer<64x32xf32, local, auto> to !tile.buffer<64x32xf32, global>
    gpu.return
  }
}

// -----

!factor = !tile.buffer<64x64xf16, shared, auto>
!sums = !tile.buffer<64x64xf32, local, auto>
gpu.module @kernels {
  gpu.func @pointer() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.alloc : !factor
    // expected-error@below {{'tile.local_view' takes it; expected copies, fills, products, maps, reductions}}
    %x = tile.alloc : !sums
    tile.mma %s, %s, %x scope(cta) : !factor, !factor, !sums
    // expected-note@below {{it is used here}}
    %view = tile.local_view %x : !sums to memref<4096xf32>
    gpu.return
  }
}
