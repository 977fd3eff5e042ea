// The numbers of a map are what the kernel computes of its arguments; where no launch computes them, or the encoder refuses them, the error
// names the copy and its tile.
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX
// RUN: tile-run %s --schedule=all --entry packed --arg i32[16x64]=random --arg i32[16x64]=poison --arg i64=128 --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --schedule=all --entry rest --arg i32[13x64]=random --arg i32[13x64]=poison --arg i64=130 --arg i32=4 --expect-equal 0,1 | FileCheck %s
// RUN: not tile-run %s --entry rest --arg i32[13x64]=random --arg i32[13x64]=poison --arg i64=130 --arg i32=-4 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not tile-run %s --entry padded --arg i32[9x66]=random --arg i32[9x64]=poison 2>&1 | FileCheck %s --check-prefix=STRIDE
// RUN: not tile-run %s --entry masked_bits --arg i32[16x64]=random --arg i32[16x64]=poison --arg i64=128 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// PTX: // tensor map of packed, parameter 5: base=p0,type=i32,dims=32xdiv(p4;8)x2,strides=256x128,
// PTX: // tensor map of rest, parameter 6: base=p0,type=i32,dims=32xmax(ceildiv(p4;8)-i32(p5);0)x2,strides=256x128,
// PTX: // tensor map of masked_bits, parameter 5: unknown{{$}}
// CHECK-COUNT-5: argument 1 holds what argument 0 holds
// CHECK: cp.async.bulk.tensor.3d
// NEGATIVE:      tma-numbers.mlir:56:7: error: the tensor map of a copy cannot be made: got `i32(p5)`, which is beyond 32 bits
// NEGATIVE-NEXT: tma-numbers.mlir:52:10: note: the tile is here
// STRIDE:        tma-numbers.mlir:91:7: error: the tensor map of a copy cannot be made: got a stride of 264 bytes of dimension 1, expected a multiple of 16
// STRIDE-NEXT:   tma-numbers.mlir:87:10: note: the tile is here
// UNKNOWN:       tma-numbers.mlir:72:7: error: got 3 arguments, expected 6, of which the last 1 are tensor maps
// UNKNOWN-NEXT:  tma-numbers.mlir:68:10: note: the tile is here

!w = !tile.buffer<?x64xi32, global>
!s = !tile.buffer<8x64xi32, shared, auto>
!matrix = !tile.buffer<?x?xi32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Eight numbers to a word.
  gpu.func @packed(%Q: memref<?x64xi32>, %O: memref<?x64xi32>, %k: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %z = arith.constant 0 : i32
    %words = arith.divui %k, %c8 : index
    %q = tile.view %Q extents(%words) : memref<?x64xi32> to !w
    %o = tile.view %O : memref<?x64xi32> to !w
    scf.for %i = %c0 to %words step %c8 {
      %s = tile.alloc : !s
      tile.copy_async %q[%i, 0] [8, 64] to %s scope(cta) masked fill(%z : i32) {variant = "tma"} : !w to !s
      tile.copy %s to %o[%i, 0] [8, 64] scope(cta) masked : !s to !w
    } {tile.stages = 3 : i64}
    gpu.return
  }

  // Some rows are left out.
  gpu.func @rest(%Q: memref<?x64xi32>, %O: memref<?x64xi32>, %k: index, %left: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %z = arith.constant 0 : i32
    %up = arith.ceildivsi %k, %c8 : index
    %out = arith.index_cast %left : i32 to index
    %difference = arith.subi %up, %out : index
    %rows = arith.maxsi %difference, %c0 : index
    %q = tile.view %Q extents(%rows) : memref<?x64xi32> to !w
    %o = tile.view %O : memref<?x64xi32> to !w
    scf.for %i = %c0 to %rows step %c8 {
      %s = tile.alloc : !s
      tile.copy_async %q[%i, 0] [8, 64] to %s scope(cta) masked fill(%z : i32) {variant = "tma"} : !w to !s
      tile.copy %s to %o[%i, 0] [8, 64] scope(cta) masked : !s to !w
    } {tile.stages = 3 : i64}
    gpu.return
  }

  gpu.func @masked_bits(%Q: memref<?x64xi32>, %O: memref<?x64xi32>, %k: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %z = arith.constant 0 : i32
    %even = arith.ori %k, %c8 : index
    %words = arith.divui %even, %c8 : index
    %q = tile.view %Q extents(%words) : memref<?x64xi32> to !w
    %o = tile.view %O : memref<?x64xi32> to !w
    scf.for %i = %c0 to %words step %c8 {
      %s = tile.alloc : !s
      tile.copy_async %q[%i, 0] [8, 64] to %s scope(cta) masked fill(%z : i32) {variant = "tma"} : !w to !s
      tile.copy %s to %o[%i, 0] [8, 64] scope(cta) masked : !s to !w
    } {tile.stages = 3 : i64}
    gpu.return
  }

  // A promise that the launch does not keep.
  gpu.func @padded(%Q: memref<?x?xi32>, %O: memref<?x64xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %z = arith.constant 0 : i32
    %rows = memref.dim %Q, %c0 : memref<?x?xi32>
    %columns = memref.dim %Q, %c1 : memref<?x?xi32>
    %n = tile.assume %columns divisible_by 4 : index
    %q = tile.view %Q extents(%rows, %n) strides(%n) : memref<?x?xi32> to !matrix
    %o = tile.view %O : memref<?x64xi32> to !w
    scf.for %i = %c0 to %rows step %c8 {
      %s = tile.alloc : !s
      tile.copy_async %q[%i, 0] [8, 64] to %s scope(cta) masked fill(%z : i32) {variant = "tma"} : !matrix to !s
      tile.copy %s to %o[%i, 0] [8, 64] scope(cta) masked : !s to !w
    } {tile.stages = 3 : i64}
    gpu.return
  }
}
