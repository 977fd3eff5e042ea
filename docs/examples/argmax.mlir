// Where the largest element of each row of f32 is, the first of several.

!rows = !tile.buffer<?x?xf32, global>
!results = !tile.buffer<?x1xi32, global>
!piece = !tile.buffer<1x5120xf32, local, #tile.layout<(1, 10, 128, 4) : (1, 4, 1@tx, 1)>>
!value = !tile.buffer<1x1xf32, local, #tile.layout<(1, 1) : (1, 1) + R(128 : 1@tx)>>
!index = !tile.buffer<1x1xi32, local, #tile.layout<(1, 1) : (1, 1) + R(128 : 1@tx)>>
// 32 rows of up to 64 elements: 16 lanes a row, 4 rows each.
!short = !tile.buffer<32x64xf32, local, #tile.layout<(4, 4, 2, 16, 4) : (4, 1@warpid, 16@laneid, 1@laneid, 1)>>
!indices = !tile.buffer<32x1xi32, local, #tile.layout<(4, 4, 2, 1) : (1, 1@warpid, 16@laneid, 1) + R(16 : 1@laneid)>>
// A warp has whole rows: 2 of up to 512 elements, or 1 of up to 1024 or 2048.
!rows_512 = !tile.buffer<8x512xf32, local, #tile.layout<(2, 4, 4, 32, 4) : (16, 1@warpid, 4, 1@laneid, 1)>>
!indices_512 = !tile.buffer<8x1xi32, local, #tile.layout<(2, 4, 1) : (1, 1@warpid, 1) + R(32 : 1@laneid)>>
!rows_1024 = !tile.buffer<4x1024xf32, local, #tile.layout<(4, 8, 32, 4) : (1@warpid, 4, 1@laneid, 1)>>
!indices_1024 = !tile.buffer<4x1xi32, local, #tile.layout<(4, 1) : (1@warpid, 1) + R(32 : 1@laneid)>>
!rows_2048 = !tile.buffer<4x2048xf32, local, #tile.layout<(4, 16, 32, 4) : (1@warpid, 4, 1@laneid, 1)>>
!indices_2048 = !tile.buffer<4x1xi32, local, #tile.layout<(4, 1) : (1@warpid, 1) + R(32 : 1@laneid)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // A block of 128 threads a row, of any length.
  gpu.func @argmax(%X: memref<?x?xf32>, %At: memref<?x1xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5120 = arith.constant 5120 : index
    %row = gpu.block_id x
    %length = memref.dim %X, %c1 : memref<?x?xf32>
    %rows = tile.view %X : memref<?x?xf32>
    %results = tile.view %At : memref<?x1xi32>
    %x, %most, %at, %largest, %where = tile.allocs : !piece, !value, !index, !value, !index
    tile.fill -inf to %largest scope(cta) : !value
    tile.fill 0 to %where scope(cta) : !index
    tile.version %X divisible_by 4 : memref<?x?xf32> {
      scf.for %i = %c0 to %length step %c5120 {
        tile.copy %rows[%row, %i] to %x scope(cta) masked fill(-inf) : !rows to !piece
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
    tile.copy %where to %results[%row, 0] scope(cta) : !index to !results
    gpu.return
  }

  // A block of 128 threads 32 rows of up to 64 elements.
  gpu.func @argmax_short(%X: memref<?x?xf32>, %At: memref<?x1xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c32 = arith.constant 32 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %c32 : index
    %rows = tile.view %X : memref<?x?xf32>
    %results = tile.view %At : memref<?x1xi32>
    %x, %at = tile.allocs : !short, !indices
    tile.version %X divisible_by 4 : memref<?x?xf32> {
      tile.copy %rows[%row, 0] to %x scope(cta) masked fill(-inf) : !rows to !short
    }
    tile.reduce argmax %x to %at dim(1) scope(cta) : !short to !indices
    tile.copy %at to %results[%row, 0] scope(cta) masked : !indices to !results
    gpu.return
  }

  // A block of 128 threads 8 rows of up to 512 elements.
  gpu.func @argmax_512(%X: memref<?x?xf32>, %At: memref<?x1xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c8 = arith.constant 8 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %c8 : index
    %rows = tile.view %X : memref<?x?xf32>
    %results = tile.view %At : memref<?x1xi32>
    %x, %at = tile.allocs : !rows_512, !indices_512
    tile.version %X divisible_by 4 : memref<?x?xf32> {
      tile.copy %rows[%row, 0] to %x scope(cta) masked fill(-inf) : !rows to !rows_512
    }
    tile.reduce argmax %x to %at dim(1) scope(cta) : !rows_512 to !indices_512
    tile.copy %at to %results[%row, 0] scope(cta) masked : !indices_512 to !results
    gpu.return
  }

  // A block of 128 threads 4 rows of up to 1024 elements.
  gpu.func @argmax_1024(%X: memref<?x?xf32>, %At: memref<?x1xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c4 = arith.constant 4 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %c4 : index
    %rows = tile.view %X : memref<?x?xf32>
    %results = tile.view %At : memref<?x1xi32>
    %x, %at = tile.allocs : !rows_1024, !indices_1024
    tile.version %X divisible_by 4 : memref<?x?xf32> {
      tile.copy %rows[%row, 0] to %x scope(cta) masked fill(-inf) : !rows to !rows_1024
    }
    tile.reduce argmax %x to %at dim(1) scope(cta) : !rows_1024 to !indices_1024
    tile.copy %at to %results[%row, 0] scope(cta) masked : !indices_1024 to !results
    gpu.return
  }

  // A block of 128 threads 4 rows of up to 2048 elements.
  gpu.func @argmax_2048(%X: memref<?x?xf32>, %At: memref<?x1xi32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c4 = arith.constant 4 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %c4 : index
    %rows = tile.view %X : memref<?x?xf32>
    %results = tile.view %At : memref<?x1xi32>
    %x, %at = tile.allocs : !rows_2048, !indices_2048
    tile.version %X divisible_by 4 : memref<?x?xf32> {
      tile.copy %rows[%row, 0] to %x scope(cta) masked fill(-inf) : !rows to !rows_2048
    }
    tile.reduce argmax %x to %at dim(1) scope(cta) : !rows_2048 to !indices_2048
    tile.copy %at to %results[%row, 0] scope(cta) masked : !indices_2048 to !results
    gpu.return
  }
}
