// Tiles forwarded through control flow or calls that cannot forward them, or not with these threads.
// RUN: tile-opt %s --lower-tile-copy --split-input-file --verify-diagnostics --mlir-print-op-on-diagnostic=false

!rows = !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
gpu.module @registers {
  gpu.func @registers(%c: i1, %A: memref<32x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x8xf32> to !tile.buffer<32x8xf32, global>
    %r = tile.alloc : !rows
    %s = tile.alloc : !rows
    // expected-error @below {{forwards a local tile that is known only at run time, expected the same one always: copy in each branch, unroll the loop, or inline the function}}
    %x = arith.select %c, %r, %s : !rows
    tile.copy %a to %x scope(warp) : !tile.buffer<32x8xf32, global> to !rows
    gpu.return
  }
}

// -----

!rows = !tile.buffer<32x8xf32, local, #tile.layout<(32, 8) : (1@laneid, 1)>>
gpu.module @function {
  // expected-error @below {{forwards a local tile that is known only at run time}}
  func.func private @load(%a: !tile.buffer<32x8xf32, global>, %r: !rows) {
    tile.copy %a to %r scope(warp) : !tile.buffer<32x8xf32, global> to !rows
    return
  }
}

// -----

!tile = !tile.buffer<32x32xf32, global>
gpu.module @differs {
  gpu.func @differs(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %C: memref<32x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !tile
    %b = tile.view %B : memref<32x32xf32> to !tile
    %c = tile.view %C : memref<32x32xf32> to !tile
    // expected-note @below {{it follows from 'gpu.thread_id', which is 0 for thread 0 and 1 for thread 1}}
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %is = arith.cmpi eq, %t, %c0 : index
    %x = arith.select %is, %a, %b : !tile
    // expected-error @below {{got a memref behind the source, 'arith.select', that is not known to be the same for all threads of the warp; expected one value for all of them}}
    tile.copy %x to %c scope(warp) : !tile to !tile
    gpu.return
  }
}

// -----

// Rows 4 to 12 of a tile whose swizzle repeats after 8 rows.
!tile = !tile.buffer<16x64xf16, shared, #tile.layout<(16, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!part = !tile.buffer<8x64xf16, shared, #tile.layout<(8, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
gpu.module @swizzled {
  gpu.func @swizzled(%c: i1, %A: memref<8x64xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<8x64xf16> to !tile.buffer<8x64xf16, global>
    %s = tile.alloc : !tile
    %p = tile.subview %s[4, 0] [8, 64] : !tile to !part
    %q = tile.subview %s[8, 0] [8, 64] : !tile to !part
    // expected-error @below {{begins at a multiple of 256 elements of a swizzled tile, expected one of 512, after which the swizzle repeats}}
    %x = arith.select %c, %p, %q : !part
    tile.copy %a to %x scope(warp) : !tile.buffer<8x64xf16, global> to !part
    gpu.return
  }
}
