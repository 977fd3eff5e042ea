// RUN: tile-opt --lower-tile-copy --split-input-file --verify-diagnostics %s -o /dev/null

// The copies in a function assume that all threads that call it pass the same memrefs, so the visible calls must
// prove that.

!global = !tile.buffer<4x32xf32, global, #tile.layout<(4, 32) : (64, 1)>>
!shared = !tile.buffer<4x32xf32, shared>
!part = memref<4x32xf32, strided<[64, 1], offset: ?>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @calls(%A: memref<128x64xf32>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %thread = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %warp = arith.divui %thread, %c32 : index
    %of_all = memref.subview %A[%n, 0] [4, 32] [1, 1] : memref<128x64xf32> to !part
    func.call @block(%of_all) : (!part) -> ()
    %of_warp = memref.subview %A[%warp, 0] [4, 32] [1, 1] : memref<128x64xf32> to !part
    func.call @warp(%of_warp) : (!part) -> ()
    %own = memref.subview %A[%thread, 0] [4, 32] [1, 1] : memref<128x64xf32> to !part
    func.call @thread(%own) : (!part) -> ()
    gpu.return
  }
  func.func @block(%A: !part) {
    func.call @warp(%A) : (!part) -> ()
    return
  }
  func.func @warp(%A: !part) {
    %a = tile.view %A : !part to !global
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(warp) : !global to !shared
    return
  }
  func.func @thread(%A: !part) {
    %a = tile.view %A : !part to !global
    %s = tile.alloc : !shared
    tile.copy %a[0, 0] [1, 4] to %s[0, 0] [1, 4] scope(thread) : !global to !shared
    return
  }
}

// -----

!global = !tile.buffer<4x32xf32, global, #tile.layout<(4, 32) : (64, 1)>>
!shared = !tile.buffer<4x32xf32, shared>
!part = memref<4x32xf32, strided<[64, 1], offset: ?>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @calls(%A: memref<128x64xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-note @below {{it follows from 'gpu.lane_id', which is 0 for thread 0 and 1 for thread 1}}
    %lane = gpu.lane_id
    %own = memref.subview %A[%lane, 0] [4, 32] [1, 1] : memref<128x64xf32> to !part
    // expected-error @below {{got a memref, or a number of a tile, for a function with copies, 'memref.subview', that is not known to be the same for all threads of the warp; expected one value for all of them}}
    func.call @warp(%own) : (!part) -> ()
    gpu.return
  }
  func.func @warp(%A: !part) {
    %a = tile.view %A : !part to !global
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(warp) : !global to !shared
    return
  }
}

// -----

// The same holds for the extents and strides of the tiles that a function takes.

!matrix = !tile.buffer<?x?xf32, global, #tile.layout<(?, ?) : (?, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @same(%A: memref<?x?xf32>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<?x?xf32> to !matrix
    func.call @clear(%a) : (!matrix) -> ()
    gpu.return
  }
  gpu.func @differs(%A: memref<?xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-note @below {{it follows from 'gpu.lane_id', which is 0 for thread 0 and 1 for thread 1}}
    %lane = gpu.lane_id
    %a = tile.view %A extents(%lane, %lane) strides(%lane) : memref<?xf32> to !matrix
    // expected-error @below {{got a memref, or a number of a tile, for a function with copies, 'tile.view', that is not known to be the same for all threads of the cta}}
    func.call @clear(%a) : (!matrix) -> ()
    gpu.return
  }
  func.func @clear(%t: !matrix) attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    tile.fill %zero to %t[0, 0] [16, 64] scope(cta) masked : f32 to !matrix
    return
  }
}
