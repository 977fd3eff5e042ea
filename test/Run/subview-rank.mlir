// Parts that lack dimensions of extent 1: a slot of a ring as a matrix, at a run-time offset, and parts of that.
// RUN: tile-run %s --grid 2 --schedule=all --arg f32[64x128]=random --arg f32[64x128]=poison --expect-equal 0,1
// RUN: tile-opt %s --canonicalize -o %t.mlir
// RUN: tile-run %t.mlir --grid 2 --schedule=all --arg f32[64x128]=random --arg f32[64x128]=poison --expect-equal 0,1

!matrix = !tile.buffer<64x128xf32, global>
!ring = !tile.buffer<2x32x64xf32, shared, #tile.layout<(64, 64) : (65, 1)>>
!slot = !tile.buffer<32x64xf32, shared, #tile.layout<(32, 64) : (65, 1)>>
!half = !tile.buffer<16x64xf32, shared, #tile.layout<(16, 64) : (65, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @slots(%A: memref<64x128xf32>, %B: memref<64x128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x128xf32>
    %b = tile.view %B : memref<64x128xf32>
    %ring = tile.alloc : !ring
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %x = gpu.block_id x
    %column = arith.muli %x, %c64 : index
    scf.for %k = %c0 to %c2 step %c1 {
      %row = arith.muli %k, %c32 : index
      %slot = tile.subview %ring[%k, 0, 0] [1, 32, 64] : !ring to !slot
      tile.copy %a[%row, %column] [32, 64] to %slot scope(cta) : !matrix to !slot
      gpu.barrier
      %low = tile.subview %slot[0, 0] [16, 64] : !slot to !half
      %high = tile.subview %slot[16, 0] [16, 64] : !slot to !half
      %next = arith.addi %row, %c16 : index
      tile.copy %low to %b[%row, %column] [16, 64] scope(cta) : !half to !matrix
      tile.copy %high to %b[%next, %column] [16, 64] scope(cta) : !half to !matrix
    }
    gpu.return
  }
}
