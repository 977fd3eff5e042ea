// The facts about a buffer hold for its views: its writers, overlaps, uniformity and bounds.
// RUN: tile-opt %s --lower-tile-copy --split-input-file --verify-diagnostics --mlir-print-op-on-diagnostic=false

// Two parts of one allocation: rows 2 to 6, and rows 4 to 8.
!tile = !tile.buffer<16x16xf32, shared>
!part = !tile.buffer<4x16xf32, shared>
gpu.module @overlap {
  gpu.func @overlap() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-note @below {{the memory of both is named here}}
    %s = tile.alloc : !tile
    %p = tile.subview %s[2, 0] [4, 16] : !tile to !part
    %q = tile.subview %s[4, 0] [4, 16] : !tile to !part
    // expected-error @below {{got regions that overlap: element [2, 0] of the source region and element [0, 0] of the destination region are at one address}}
    tile.copy %p to %q scope(warp) : !part to !part
    gpu.return
  }
}

// -----

!tile = !tile.buffer<16x16xf32, shared>
!part = !tile.buffer<4x16xf32, shared>
gpu.module @apart {
  gpu.func @apart(%k: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !tile
    %c4 = arith.constant 4 : index
    %j = arith.addi %k, %c4 : index
    %p = tile.subview %s[%k, 0] [4, 16] : !tile to !part
    %q = tile.subview %s[%j, 0] [4, 16] : !tile to !part
    tile.copy %p to %q scope(warp) : !part to !part
    gpu.return
  }
}

// -----

// Four rows, and columns 4 to 8 of the same tile transposed: they cross.
!tile = !tile.buffer<16x16xf32, shared>
!part = !tile.buffer<4x16xf32, shared>
!turned = !tile.buffer<16x16xf32, shared, #tile.layout<(16, 16) : (1, 16)>>
gpu.module @crossing {
  gpu.func @crossing() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-note @below {{the memory of both is named here}}
    %s = tile.alloc : !tile
    %t = tile.permute %s [1, 0] : !tile to !turned
    // expected-error @below {{got regions that overlap: element [0, 4] of the source region and element [0, 0] of the destination region are at one address}}
    tile.copy %s[0, 0] [4, 16] to %t[4, 0] [4, 16] scope(warp) : !tile to !turned
    gpu.return
  }
}

// -----

!tile = !tile.buffer<32x32xf32, global>
!row = !tile.buffer<1x32xf32, global>
gpu.module @uniform {
  gpu.func @uniform(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile
    // expected-note @below {{defined here}}
    %t = gpu.thread_id x
    %p = tile.subview %a[%t, 0] [1, 32] : !tile to !row
    %s = tile.alloc : !tile.buffer<1x32xf32, shared>
    // expected-error @below {{got offset 0 of the views of the source that differs between threads of the warp: 'gpu.thread_id' is 0 for thread 0 and 1 for thread 1; expected one value for all of them}}
    tile.copy %p to %s scope(warp) : !row to !tile.buffer<1x32xf32, shared>
    gpu.return
  }
}

// -----

!tile = !tile.buffer<32x32xf32, global>
!part = !tile.buffer<8x32xf32, global>
gpu.module @written {
  gpu.func @written(%A: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile
    %p = tile.subview %a[0, 0] [8, 32] : !tile to !part
    %q = tile.subview %a[8, 0] [8, 32] : !tile to !part
    %s = tile.alloc : !tile.buffer<8x32xf32, shared>
    // expected-error @below {{got cache = "nc" for memory that the kernel writes}}
    tile.copy %p to %s scope(warp) {cache = "nc", variant = "vec_128b"} : !part to !tile.buffer<8x32xf32, shared>
    // expected-note @below {{written by 'tile.copy' here}}
    tile.copy %s to %q scope(warp) : !tile.buffer<8x32xf32, shared> to !part
    gpu.return
  }
}

// -----

// A reshape after a run-time offset inside a block: no layout describes the elements.
!blocks = !tile.buffer<8x6xf32, shared, #tile.layout<(2, 4, 6) : (32, 6, 1)>>
!part = !tile.buffer<4x6xf32, shared>
gpu.module @inside {
  gpu.func @inside(%A: memref<24xf32>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<24xf32> to !tile.buffer<24xf32, global>
    %s = tile.alloc : !blocks
    %p = tile.subview %s[%i, 0] [4, 6] : !blocks to !part
    %r = tile.reshape %p : !part to !tile.buffer<24xf32, shared>
    // expected-error @below {{dimension 0 of the destination begins at a run-time value}}
    tile.copy %a to %r scope(warp) : !tile.buffer<24xf32, global> to !tile.buffer<24xf32, shared>
    gpu.return
  }
}

// -----

// A buffer has no fewer than no elements, masked or not.
gpu.module @extents {
  gpu.func @negative(%A: memref<?xf32>, %n: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %least = arith.constant -1 : index
    %a = tile.view %A extents(%least) : memref<?xf32> to !tile.buffer<?x64xf32, global>
    %s = tile.alloc : !tile.buffer<16x64xf32, shared>
    // expected-error @below {{has a buffer whose extent in dimension 0 is -1, expected at least 0}}
    tile.copy %a[%n, 0] [16, 64] to %s scope(warp) masked : !tile.buffer<?x64xf32, global> to !tile.buffer<16x64xf32, shared>
    gpu.return
  }
}
