// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta, each row of f16 by itself, a block a row, computed in f32.
// Rows have up to 4096 elements.

!rows = !tile.buffer<?x?xf16, global>
!weights = !tile.buffer<1x?xf32, global, #tile.layout<(1, ?) : (1, 1)>>
!x = !tile.buffer<1x4096xf32, local, #tile.layout<(1, 4, 128, 8) : (1, 8, 1@tx, 1)>>
!one = !tile.buffer<1x1xf32, local, #tile.layout<(1, 1) : (1, 1) + R(128 : 1@tx)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @layer_norm(%X: memref<?x?xf16>, %Gamma: memref<?xf32>, %Beta: memref<?xf32>, %epsilon: f32,
                       %Y: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %row = gpu.block_id x
    %length = memref.dim %X, %c1 : memref<?x?xf16>
    %integer = arith.index_castui %length : index to i32
    %count = arith.uitofp %integer : i32 to f32
    %rows = tile.view %X : memref<?x?xf16>
    %results = tile.view %Y : memref<?x?xf16>
    %gamma = tile.view %Gamma extents(%length) : memref<?xf32> to !weights
    %beta = tile.view %Beta extents(%length) : memref<?xf32> to !weights
    %x = tile.alloc : !x
    %squares = tile.alloc : !x
    %g = tile.alloc : !x
    %b = tile.alloc : !x
    %sum = tile.alloc : !one
    tile.version %X divisible_by 8, %Y divisible_by 8 : memref<?x?xf16>, memref<?x?xf16> {
      tile.copy %rows[%row, 0] [1, 4096] to %x scope(cta) masked fill(%zero : f32) : !rows to !x
      tile.reduce add %x to %sum dim(1) scope(cta) : !x to !one
      tile.map %x, %sum to %x, %squares scope(cta) : !x, !one to !x, !x {
      ^bb0(%e: f32, %all: f32, %i: index, %j: index):
        %mean = arith.divf %all, %count : f32
        %difference = arith.subf %e, %mean : f32
        %inside = arith.cmpi ult, %j, %length : index
        %d = arith.select %inside, %difference, %zero : f32
        %square = arith.mulf %d, %d : f32
        tile.yield %d, %square : f32, f32
      }
      tile.reduce add %squares to %sum dim(1) scope(cta) : !x to !one
      tile.copy %gamma[0, 0] [1, 4096] to %g scope(cta) masked : !weights to !x
      tile.copy %beta[0, 0] [1, 4096] to %b scope(cta) masked : !weights to !x
      tile.map %x, %g, %b, %sum to %x scope(cta) : !x, !x, !x, !one to !x {
      ^bb0(%d: f32, %weight: f32, %bias: f32, %all: f32):
        %variance = arith.divf %all, %count : f32
        %above = arith.addf %variance, %epsilon : f32
        %scale = math.rsqrt %above : f32
        %scaled = arith.mulf %d, %scale : f32
        %e = math.fma %scaled, %weight, %bias : f32
        tile.yield %e : f32
      }
      tile.copy %x to %results[%row, 0] [1, 4096] scope(cta) masked : !x to !rows
    }
    gpu.return
  }
}
