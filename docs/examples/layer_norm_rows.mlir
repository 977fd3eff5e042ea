// Layer norm of rows of 65 to 2048 elements: the kernel of short rows of layer_norm.mlir with other tiles.
// The length of rows is a multiple of 8.

!rows = !tile.buffer<?x?xf16, global>
!weights = !tile.buffer<?xf32, global>
// 16 rows of up to 256 elements: a warp has 4, and each lane 8 elements of each.
!short_256 = !tile.buffer<16x256xf16, local, #tile.layout<(4, 4, 32, 8) : (8, 1@warpid, 1@laneid, 1)>>
!wide_256 = !tile.buffer<16x256xf32, local, #tile.layout<(4, 4, 32, 8) : (8, 1@warpid, 1@laneid, 1)>>
!each_256 = !tile.buffer<16x1xf32, local, #tile.layout<(4, 4, 1) : (1, 1@warpid, 1) + R(32 : 1@laneid)>>
!columns_256 = !tile.buffer<1x256xf32, local, #tile.layout<(1, 32, 8) : (1, 1@laneid, 1) + R(4 : 1@warpid)>>
// The same of up to 512 elements, in 2 pieces.
!short_512 = !tile.buffer<16x512xf16, local, #tile.layout<(4, 4, 2, 32, 8) : (16, 1@warpid, 8, 1@laneid, 1)>>
!wide_512 = !tile.buffer<16x512xf32, local, #tile.layout<(4, 4, 2, 32, 8) : (16, 1@warpid, 8, 1@laneid, 1)>>
!each_512 = !tile.buffer<16x1xf32, local, #tile.layout<(4, 4, 1) : (1, 1@warpid, 1) + R(32 : 1@laneid)>>
!columns_512 = !tile.buffer<1x512xf32, local, #tile.layout<(1, 2, 32, 8) : (1, 8, 1@laneid, 1) + R(4 : 1@warpid)>>
// 4 rows of up to 1024 elements, which 2 warps share, in 2 pieces.
!short_1024 = !tile.buffer<4x1024xf16, local, #tile.layout<(4, 2, 2, 32, 8) : (16, 8, 1@warpid, 1@laneid, 1)>>
!wide_1024 = !tile.buffer<4x1024xf32, local, #tile.layout<(4, 2, 2, 32, 8) : (16, 8, 1@warpid, 1@laneid, 1)>>
!each_1024 = !tile.buffer<4x1xf32, local, #tile.layout<(4, 1) : (1, 1) + R((2, 32) : (1@warpid, 1@laneid))>>
!columns_1024 = !tile.buffer<1x1024xf32, local, #tile.layout<(1, 2, 2, 32, 8) : (1, 8, 1@warpid, 1@laneid, 1)>>
// 4 rows of up to 2048 elements, which 4 warps share.
!short_2048 = !tile.buffer<4x2048xf16, local, #tile.layout<(4, 2, 4, 32, 8) : (16, 8, 1@warpid, 1@laneid, 1)>>
!wide_2048 = !tile.buffer<4x2048xf32, local, #tile.layout<(4, 2, 4, 32, 8) : (16, 8, 1@warpid, 1@laneid, 1)>>
!each_2048 = !tile.buffer<4x1xf32, local, #tile.layout<(4, 1) : (1, 1) + R((4, 32) : (1@warpid, 1@laneid))>>
!columns_2048 = !tile.buffer<1x2048xf32, local, #tile.layout<(1, 2, 4, 32, 8) : (1, 8, 1@warpid, 1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @layer_norm_256(%X: memref<?x?xf16>, %Gamma: memref<?xf32>, %Beta: memref<?xf32>, %epsilon: f32,
                           %Y: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %row = arith.muli %block, %c16 : index
    %rows = memref.dim %X, %c0 : memref<?x?xf16>
    %columns = memref.dim %X, %c1 : memref<?x?xf16>
    %length = tile.assume %columns divisible_by 8 : index
    %x = tile.view %X extents(%rows, %length) strides(%length) : memref<?x?xf16> to !rows
    %y = tile.view %Y extents(%rows, %length) strides(%length) : memref<?x?xf16> to !rows
    %gamma = tile.view %Gamma extents(%length) : memref<?xf32> to !weights
    %beta = tile.view %Beta extents(%length) : memref<?xf32> to !weights
    %v, %w, %mean, %scale, %g = tile.allocs : !short_256, !wide_256, !each_256, !each_256, !columns_256
    %b = tile.alloc : !columns_256
    %integer = arith.index_castui %length : index to i32
    %count = arith.uitofp %integer : i32 to f32
    %share = arith.divf %one, %count : f32
    tile.copy %x[%row, 0] to %v scope(cta) masked fill(0.0) : !rows to !short_256

    tile.map { arith.extf } %v to %w scope(cta) : !short_256 to !wide_256
    tile.reduce add %w to %mean dim(1) scope(cta) : !wide_256 to !each_256
    tile.map %mean to %mean scope(cta) : !each_256 to !each_256 {
    ^bb0(%sum: f32):
      %m = arith.mulf %sum, %share : f32
      tile.yield %m : f32
    }

    tile.map %v, %mean to %w scope(cta) : !short_256, !each_256 to !wide_256 {
    ^bb0(%e: f16, %m: f32, %i: index, %j: index):
      %f = arith.extf %e : f16 to f32
      %d = arith.subf %f, %m : f32
      %square = arith.mulf %d, %d : f32
      %there = arith.cmpi ult, %j, %length : index
      %part = arith.select %there, %square, %zero : f32
      tile.yield %part : f32
    }
    tile.reduce add %w to %scale dim(1) scope(cta) : !wide_256 to !each_256
    tile.map %scale to %scale scope(cta) : !each_256 to !each_256 {
    ^bb0(%squares: f32):
      %variance = arith.mulf %squares, %share : f32
      %above = arith.addf %variance, %epsilon : f32
      %factor = math.rsqrt %above fastmath<afn> : f32
      tile.yield %factor : f32
    }

    tile.copy %gamma[0] [256] to %g scope(cta) masked fill(%zero : f32) : !weights to !columns_256
    tile.copy %beta[0] [256] to %b scope(cta) masked fill(%zero : f32) : !weights to !columns_256
    tile.map %v, %mean, %scale, %g, %b to %w scope(cta) : !short_256, !each_256, !each_256, !columns_256, !columns_256 to !wide_256 {
    ^bb0(%e: f16, %m: f32, %factor: f32, %weight: f32, %bias: f32):
      %f = arith.extf %e : f16 to f32
      %d = arith.subf %f, %m : f32
      %s = arith.mulf %d, %factor : f32
      %r = math.fma %s, %weight, %bias : f32
      tile.yield %r : f32
    }
    tile.copy %w to %y[%row, 0] scope(cta) masked : !wide_256 to !rows
    gpu.return
  }

  gpu.func @layer_norm_512(%X: memref<?x?xf16>, %Gamma: memref<?xf32>, %Beta: memref<?xf32>, %epsilon: f32,
                           %Y: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %row = arith.muli %block, %c16 : index
    %rows = memref.dim %X, %c0 : memref<?x?xf16>
    %columns = memref.dim %X, %c1 : memref<?x?xf16>
    %length = tile.assume %columns divisible_by 8 : index
    %x = tile.view %X extents(%rows, %length) strides(%length) : memref<?x?xf16> to !rows
    %y = tile.view %Y extents(%rows, %length) strides(%length) : memref<?x?xf16> to !rows
    %gamma = tile.view %Gamma extents(%length) : memref<?xf32> to !weights
    %beta = tile.view %Beta extents(%length) : memref<?xf32> to !weights
    %v, %w, %mean, %scale, %g = tile.allocs : !short_512, !wide_512, !each_512, !each_512, !columns_512
    %b = tile.alloc : !columns_512
    %integer = arith.index_castui %length : index to i32
    %count = arith.uitofp %integer : i32 to f32
    %share = arith.divf %one, %count : f32
    tile.copy %x[%row, 0] to %v scope(cta) masked fill(0.0) : !rows to !short_512

    tile.map { arith.extf } %v to %w scope(cta) : !short_512 to !wide_512
    tile.reduce add %w to %mean dim(1) scope(cta) : !wide_512 to !each_512
    tile.map %mean to %mean scope(cta) : !each_512 to !each_512 {
    ^bb0(%sum: f32):
      %m = arith.mulf %sum, %share : f32
      tile.yield %m : f32
    }

    tile.map %v, %mean to %w scope(cta) : !short_512, !each_512 to !wide_512 {
    ^bb0(%e: f16, %m: f32, %i: index, %j: index):
      %f = arith.extf %e : f16 to f32
      %d = arith.subf %f, %m : f32
      %square = arith.mulf %d, %d : f32
      %there = arith.cmpi ult, %j, %length : index
      %part = arith.select %there, %square, %zero : f32
      tile.yield %part : f32
    }
    tile.reduce add %w to %scale dim(1) scope(cta) : !wide_512 to !each_512
    tile.map %scale to %scale scope(cta) : !each_512 to !each_512 {
    ^bb0(%squares: f32):
      %variance = arith.mulf %squares, %share : f32
      %above = arith.addf %variance, %epsilon : f32
      %factor = math.rsqrt %above fastmath<afn> : f32
      tile.yield %factor : f32
    }

    tile.copy %gamma[0] [512] to %g scope(cta) masked fill(%zero : f32) : !weights to !columns_512
    tile.copy %beta[0] [512] to %b scope(cta) masked fill(%zero : f32) : !weights to !columns_512
    tile.map %v, %mean, %scale, %g, %b to %w scope(cta) : !short_512, !each_512, !each_512, !columns_512, !columns_512 to !wide_512 {
    ^bb0(%e: f16, %m: f32, %factor: f32, %weight: f32, %bias: f32):
      %f = arith.extf %e : f16 to f32
      %d = arith.subf %f, %m : f32
      %s = arith.mulf %d, %factor : f32
      %r = math.fma %s, %weight, %bias : f32
      tile.yield %r : f32
    }
    tile.copy %w to %y[%row, 0] scope(cta) masked : !wide_512 to !rows
    gpu.return
  }

  gpu.func @layer_norm_1024(%X: memref<?x?xf16>, %Gamma: memref<?xf32>, %Beta: memref<?xf32>, %epsilon: f32,
                            %Y: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %row = arith.muli %block, %c4 : index
    %rows = memref.dim %X, %c0 : memref<?x?xf16>
    %columns = memref.dim %X, %c1 : memref<?x?xf16>
    %length = tile.assume %columns divisible_by 8 : index
    %x = tile.view %X extents(%rows, %length) strides(%length) : memref<?x?xf16> to !rows
    %y = tile.view %Y extents(%rows, %length) strides(%length) : memref<?x?xf16> to !rows
    %gamma = tile.view %Gamma extents(%length) : memref<?xf32> to !weights
    %beta = tile.view %Beta extents(%length) : memref<?xf32> to !weights
    %v, %w, %mean, %scale, %g = tile.allocs : !short_1024, !wide_1024, !each_1024, !each_1024, !columns_1024
    %b = tile.alloc : !columns_1024
    %integer = arith.index_castui %length : index to i32
    %count = arith.uitofp %integer : i32 to f32
    %share = arith.divf %one, %count : f32
    tile.copy %x[%row, 0] to %v scope(cta) masked fill(0.0) : !rows to !short_1024

    tile.map { arith.extf } %v to %w scope(cta) : !short_1024 to !wide_1024
    tile.reduce add %w to %mean dim(1) scope(cta) : !wide_1024 to !each_1024
    tile.map %mean to %mean scope(cta) : !each_1024 to !each_1024 {
    ^bb0(%sum: f32):
      %m = arith.mulf %sum, %share : f32
      tile.yield %m : f32
    }

    tile.map %v, %mean to %w scope(cta) : !short_1024, !each_1024 to !wide_1024 {
    ^bb0(%e: f16, %m: f32, %i: index, %j: index):
      %f = arith.extf %e : f16 to f32
      %d = arith.subf %f, %m : f32
      %square = arith.mulf %d, %d : f32
      %there = arith.cmpi ult, %j, %length : index
      %part = arith.select %there, %square, %zero : f32
      tile.yield %part : f32
    }
    tile.reduce add %w to %scale dim(1) scope(cta) : !wide_1024 to !each_1024
    tile.map %scale to %scale scope(cta) : !each_1024 to !each_1024 {
    ^bb0(%squares: f32):
      %variance = arith.mulf %squares, %share : f32
      %above = arith.addf %variance, %epsilon : f32
      %factor = math.rsqrt %above fastmath<afn> : f32
      tile.yield %factor : f32
    }

    tile.copy %gamma[0] [1024] to %g scope(cta) masked fill(%zero : f32) : !weights to !columns_1024
    tile.copy %beta[0] [1024] to %b scope(cta) masked fill(%zero : f32) : !weights to !columns_1024
    tile.map %v, %mean, %scale, %g, %b to %w scope(cta) : !short_1024, !each_1024, !each_1024, !columns_1024, !columns_1024 to !wide_1024 {
    ^bb0(%e: f16, %m: f32, %factor: f32, %weight: f32, %bias: f32):
      %f = arith.extf %e : f16 to f32
      %d = arith.subf %f, %m : f32
      %s = arith.mulf %d, %factor : f32
      %r = math.fma %s, %weight, %bias : f32
      tile.yield %r : f32
    }
    tile.copy %w to %y[%row, 0] scope(cta) masked : !wide_1024 to !rows
    gpu.return
  }

  gpu.func @layer_norm_2048(%X: memref<?x?xf16>, %Gamma: memref<?xf32>, %Beta: memref<?xf32>, %epsilon: f32,
                            %Y: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %row = arith.muli %block, %c4 : index
    %rows = memref.dim %X, %c0 : memref<?x?xf16>
    %columns = memref.dim %X, %c1 : memref<?x?xf16>
    %length = tile.assume %columns divisible_by 8 : index
    %x = tile.view %X extents(%rows, %length) strides(%length) : memref<?x?xf16> to !rows
    %y = tile.view %Y extents(%rows, %length) strides(%length) : memref<?x?xf16> to !rows
    %gamma = tile.view %Gamma extents(%length) : memref<?xf32> to !weights
    %beta = tile.view %Beta extents(%length) : memref<?xf32> to !weights
    %v, %w, %mean, %scale, %g = tile.allocs : !short_2048, !wide_2048, !each_2048, !each_2048, !columns_2048
    %b = tile.alloc : !columns_2048
    %integer = arith.index_castui %length : index to i32
    %count = arith.uitofp %integer : i32 to f32
    %share = arith.divf %one, %count : f32
    tile.copy %x[%row, 0] to %v scope(cta) masked fill(0.0) : !rows to !short_2048

    tile.map { arith.extf } %v to %w scope(cta) : !short_2048 to !wide_2048
    tile.reduce add %w to %mean dim(1) scope(cta) : !wide_2048 to !each_2048
    tile.map %mean to %mean scope(cta) : !each_2048 to !each_2048 {
    ^bb0(%sum: f32):
      %m = arith.mulf %sum, %share : f32
      tile.yield %m : f32
    }

    tile.map %v, %mean to %w scope(cta) : !short_2048, !each_2048 to !wide_2048 {
    ^bb0(%e: f16, %m: f32, %i: index, %j: index):
      %f = arith.extf %e : f16 to f32
      %d = arith.subf %f, %m : f32
      %square = arith.mulf %d, %d : f32
      %there = arith.cmpi ult, %j, %length : index
      %part = arith.select %there, %square, %zero : f32
      tile.yield %part : f32
    }
    tile.reduce add %w to %scale dim(1) scope(cta) : !wide_2048 to !each_2048
    tile.map %scale to %scale scope(cta) : !each_2048 to !each_2048 {
    ^bb0(%squares: f32):
      %variance = arith.mulf %squares, %share : f32
      %above = arith.addf %variance, %epsilon : f32
      %factor = math.rsqrt %above fastmath<afn> : f32
      tile.yield %factor : f32
    }

    tile.copy %gamma[0] [2048] to %g scope(cta) masked fill(%zero : f32) : !weights to !columns_2048
    tile.copy %beta[0] [2048] to %b scope(cta) masked fill(%zero : f32) : !weights to !columns_2048
    tile.map %v, %mean, %scale, %g, %b to %w scope(cta) : !short_2048, !each_2048, !each_2048, !columns_2048, !columns_2048 to !wide_2048 {
    ^bb0(%e: f16, %m: f32, %factor: f32, %weight: f32, %bias: f32):
      %f = arith.extf %e : f16 to f32
      %d = arith.subf %f, %m : f32
      %s = arith.mulf %d, %factor : f32
      %r = math.fma %s, %weight, %bias : f32
      tile.yield %r : f32
    }
    tile.copy %w to %y[%row, 0] scope(cta) masked : !wide_2048 to !rows
    gpu.return
  }
}
