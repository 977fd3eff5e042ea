// Functions that take and return tiles of all memories, allocate, synchronize and reduce over the block of their caller.
// RUN: tile-run %s --entry softmax --grid 3 --schedule=all --arg f32[3x512]=uniform(-4,4) --arg f32[3x512]=poison --arg f32[3]=poison --print 2 | FileCheck %s --check-prefix=ONES
// RUN: tile-run %s --entry twice --schedule=all --arg f32[32x32]=random --arg f32[32x32]=poison --expect-equal 0,1 | FileCheck %s --check-prefix=SAME
// ONES: 1.0 1.0 1.0
// ONES: st.global
// SAME: argument 1 holds what argument 0 holds

!matrix = !tile.buffer<3x512xf32, global>
!rows = !tile.buffer<1x512xf32, local, #tile.layout<(128, 4) : (1@tx, 1)>>
!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
!turned = !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 32)>>
!columns = !tile.buffer<32x32xf32, local, #tile.layout<(32, 32) : (1, 1@laneid)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  func.func private @load(%x: !matrix, %row: index) -> !rows {
    %r = tile.alloc : !rows
    tile.copy %x[%row, 0] [1, 512] to %r scope(cta) : !matrix to !rows
    return %r : !rows
  }

  // The sum over the block of the exponentials of a row, which replace it.
  func.func private @exponentials(%r: !rows) -> f32 {
    %m = tile.local_view %r : !rows to memref<4xf32>
    %zero = arith.constant 0.0 : f32
    %own = affine.for %k = 0 to 4 iter_args(%sum = %zero) -> f32 {
      %x = affine.load %m[%k] : memref<4xf32>
      %e = math.exp %x fastmath<afn> : f32
      affine.store %e, %m[%k] : memref<4xf32>
      %next = arith.addf %sum, %e : f32
      affine.yield %next : f32
    }
    %all = gpu.all_reduce add %own uniform {} : (f32) -> (f32)
    return %all : f32
  }

  gpu.func @softmax(%X: memref<3x512xf32>, %Y: memref<3x512xf32>, %S: memref<3xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %x = tile.view %X : memref<3x512xf32> to !matrix
    %y = tile.view %Y : memref<3x512xf32> to !matrix
    %row = gpu.block_id x
    %r = func.call @load(%x, %row) : (!matrix, index) -> !rows
    %sum = func.call @exponentials(%r) : (!rows) -> f32
    %m = tile.local_view %r : !rows to memref<4xf32>
    %zero = arith.constant 0.0 : f32
    %part = affine.for %k = 0 to 4 iter_args(%total = %zero) -> f32 {
      %e = affine.load %m[%k] : memref<4xf32>
      %p = arith.divf %e, %sum : f32
      affine.store %p, %m[%k] : memref<4xf32>
      %next = arith.addf %total, %p : f32
      affine.yield %next : f32
    }
    tile.copy %r to %y[%row, 0] [1, 512] scope(cta) : !rows to !matrix
    // What a row adds up to, rounded to a multiple of 1/64.
    %whole = gpu.all_reduce add %part uniform {} : (f32) -> (f32)
    %c64 = arith.constant 64.0 : f32
    %scaled = arith.mulf %whole, %c64 : f32
    %rounded = math.roundeven %scaled : f32
    %one = arith.divf %rounded, %c64 : f32
    %thread = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %is_first = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_first {
      memref.store %one, %S[%row] : memref<3xf32>
    }
    gpu.return
  }

  // Each call has shared memory of its own.
  func.func private @turn(%r: !columns, %a: !global) {
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(warp) : !global to !shared
    gpu.barrier
    %t = tile.permute %s [1, 0] : !shared to !turned
    tile.copy %t to %r scope(warp) : !turned to !columns
    return
  }
  gpu.func @twice(%A: memref<32x32xf32>, %B: memref<32x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x32xf32> to !global
    %b = tile.view %B : memref<32x32xf32> to !global
    %r = tile.alloc : !columns
    func.call @turn(%r, %a) : (!columns, !global) -> ()
    tile.copy %r to %b scope(warp) : !columns to !global
    gpu.barrier
    func.call @turn(%r, %b) : (!columns, !global) -> ()
    tile.copy %r to %b scope(warp) : !columns to !global
    gpu.return
  }
}
