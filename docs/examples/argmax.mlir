// Where the largest element of each row of f32 is, the first of several.

!rows = !tile.buffer<?x?xf32, global>
!results = !tile.buffer<?x1xi32, global>
!piece = !tile.buffer<1x5120xf32, local, #tile.layout<(1, 10, 128, 4) : (1, 4, 1@tx, 1)>>
!value = !tile.buffer<1x1xf32, local, #tile.layout<(1, 1) : (1, 1) + R(128 : 1@tx)>>
!index = !tile.buffer<1x1xi32, local, #tile.layout<(1, 1) : (1, 1) + R(128 : 1@tx)>>
// 32 rows of up to 64 elements: 16 lanes a row, 4 rows each.
!short = !tile.buffer<32x64xf32, local, #tile.layout<(4, 4, 2, 16, 4) : (4, 1@warpid, 16@laneid, 1@laneid, 1)>>
!indices = !tile.buffer<32x1xi32, local, #tile.layout<(4, 4, 2, 1) : (1, 1@warpid, 16@laneid, 1) + R(16 : 1@laneid)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // A block of 128 threads a row, of any length.
  gpu.func @argmax(%X: memref<?x?xf32>, %At: memref<?x1xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5120 = arith.constant 5120 : index
    %first = arith.constant 0 : i32
    %nothing = arith.constant 0xFF800000 : f32
    %row = gpu.block_id x
    %length = memref.dim %X, %c1 : memref<?x?xf32>
    %rows = tile.view %X : memref<?x?xf32>
    %results = tile.view %At : memref<?x1xi32>
    %x = tile.alloc : !piece
    %most = tile.alloc : !value
    %at = tile.alloc : !index
    %largest = tile.alloc : !value
    %where = tile.alloc : !index
    tile.fill %nothing to %largest scope(cta) : f32 to !value
    tile.fill %first to %where scope(cta) : i32 to !index
    tile.version %X divisible_by 4 : memref<?x?xf32> {
      scf.for %i = %c0 to %length step %c5120 {
        tile.copy %rows[%row, %i] [1, 5120] to %x scope(cta) masked fill(%nothing : f32) : !rows to !piece
        tile.reduce argmax %x to %most, %at dim(1) scope(cta) : !piece to !value, !index
        tile.map %most, %at, %largest, %where to %largest, %where scope(cta)
          : !value, !index, !value, !index to !value, !index {
        ^bb0(%new: f32, %here: i32, %known: f32, %there: i32):
          %begin = arith.index_cast %i : index to i32
          %index = arith.addi %begin, %here : i32
          %more = arith.cmpf ugt, %new, %known : f32       // more, or NaN
          %number = arith.cmpf ord, %known, %known : f32   // the first NaN stays
          %better = arith.andi %more, %number : i1
          %value = arith.select %better, %new, %known : f32
          %place = arith.select %better, %index, %there : i32
          tile.yield %value, %place : f32, i32
        }
      }
    }
    tile.copy %where to %results[%row, 0] [1, 1] scope(cta) : !index to !results
    gpu.return
  }

  // A block of 128 threads 32 rows of up to 64 elements.
  gpu.func @argmax_short(%X: memref<?x?xf32>, %At: memref<?x1xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c32 = arith.constant 32 : index
    %nothing = arith.constant 0xFF800000 : f32
    %block = gpu.block_id x
    %row = arith.muli %block, %c32 : index
    %rows = tile.view %X : memref<?x?xf32>
    %results = tile.view %At : memref<?x1xi32>
    %x = tile.alloc : !short
    %at = tile.alloc : !indices
    tile.version %X divisible_by 4 : memref<?x?xf32> {
      tile.copy %rows[%row, 0] [32, 64] to %x scope(cta) masked fill(%nothing : f32) : !rows to !short
    }
    tile.reduce argmax %x to %at dim(1) scope(cta) : !short to !indices
    tile.copy %at to %results[%row, 0] [32, 1] scope(cta) masked : !indices to !results
    gpu.return
  }
}
