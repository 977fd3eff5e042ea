// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta, each row of f16 by itself, computed in f32.
// The length of rows is a multiple of 8.

!rows = !tile.buffer<?x?xf16, global>
!weights = !tile.buffer<?xf32, global>
!part = !tile.buffer<1x32xf32, local>
!eight = !tile.buffer<8xf32, local>
// 32 rows of up to 64 elements: 8 lanes a row, 4 rows each.
!short = !tile.buffer<32x64xf16, local, auto>
!wide = !tile.buffer<32x64xf32, local, auto>
!each = !tile.buffer<32x1xf32, local, auto>
!columns = !tile.buffer<1x64xf32, local, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // A block a row, of up to 4096 elements.
  gpu.func @layer_norm(%X: memref<?x?xf16>, %Gamma: memref<?xf32>, %Beta: memref<?xf32>, %epsilon: f32,
                       %Y: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %row = gpu.block_id x
    %thread = gpu.thread_id x
    %length = memref.dim %X, %c1 : memref<?x?xf16>
    %ld = tile.assume %length divisible_by 8 : index
    %x = tile.view %X strides(%ld) : memref<?x?xf16> to !rows
    %y = tile.view %Y strides(%ld) : memref<?x?xf16> to !rows
    %gamma = tile.view %Gamma : memref<?xf32> to !weights
    %beta = tile.view %Beta : memref<?xf32> to !weights

    %mine = tile.alloc : !part
    %v = tile.local_view %mine : !part to memref<32xf32>
    affine.for %k = 0 to 4 {
      %first = affine.apply affine_map<(k)[t] -> (k * 1024 + t * 8)>(%k)[%thread]
      %column = tile.assume %first divisible_by 8 : index
      %register = affine.apply affine_map<(k) -> (k * 8)>(%k)
      %there = arith.cmpi ult, %first, %length : index
      scf.if %there {
        tile.copy %x[%row, %column] [1, 8] to %mine[0, %register] [1, 8] scope(thread) : !rows to !part
      }
    }

    %part = affine.for %k = 0 to 4 iter_args(%before = %zero) -> f32 {
      %first = affine.apply affine_map<(k)[t] -> (k * 1024 + t * 8)>(%k)[%thread]
      %there = arith.cmpi ult, %first, %length : index
      %after = scf.if %there -> f32 {
        %sum = affine.for %j = 0 to 8 iter_args(%so = %before) -> f32 {
          %e = affine.load %v[%k * 8 + %j] : memref<32xf32>
          %more = arith.addf %so, %e : f32
          affine.yield %more : f32
        }
        scf.yield %sum : f32
      } else {
        scf.yield %before : f32
      }
      affine.yield %after : f32
    }
    %sum = gpu.all_reduce add %part uniform {} : (f32) -> (f32)
    %integer = arith.index_castui %length : index to i32
    %count = arith.uitofp %integer : i32 to f32
    %mean = arith.divf %sum, %count : f32

    %square = affine.for %k = 0 to 4 iter_args(%before = %zero) -> f32 {
      %first = affine.apply affine_map<(k)[t] -> (k * 1024 + t * 8)>(%k)[%thread]
      %there = arith.cmpi ult, %first, %length : index
      %after = scf.if %there -> f32 {
        %sum2 = affine.for %j = 0 to 8 iter_args(%so = %before) -> f32 {
          %e = affine.load %v[%k * 8 + %j] : memref<32xf32>
          %d = arith.subf %e, %mean : f32
          affine.store %d, %v[%k * 8 + %j] : memref<32xf32>
          %more = math.fma %d, %d, %so : f32
          affine.yield %more : f32
        }
        scf.yield %sum2 : f32
      } else {
        scf.yield %before : f32
      }
      affine.yield %after : f32
    }
    %squares = gpu.all_reduce add %square uniform {} : (f32) -> (f32)
    %variance = arith.divf %squares, %count : f32
    %above = arith.addf %variance, %epsilon : f32
    %scale = math.rsqrt %above : f32

    affine.for %k = 0 to 4 {
      %first = affine.apply affine_map<(k)[t] -> (k * 1024 + t * 8)>(%k)[%thread]
      %column = tile.assume %first divisible_by 8 : index
      %register = affine.apply affine_map<(k) -> (k * 8)>(%k)
      %there = arith.cmpi ult, %first, %length : index
      scf.if %there {
        %g, %b = tile.allocs : !eight, !eight
        tile.copy %gamma[%column] to %g scope(thread) : !weights to !eight
        tile.copy %beta[%column] to %b scope(thread) : !weights to !eight
        %gs = tile.local_view %g : !eight to memref<8xf32>
        %bs = tile.local_view %b : !eight to memref<8xf32>
        affine.for %j = 0 to 8 {
          %d = affine.load %v[%k * 8 + %j] : memref<32xf32>
          %gj = affine.load %gs[%j] : memref<8xf32>
          %bj = affine.load %bs[%j] : memref<8xf32>
          %s = arith.mulf %d, %scale : f32
          %e = math.fma %s, %gj, %bj : f32
          affine.store %e, %v[%k * 8 + %j] : memref<32xf32>
        }
        tile.copy %mine[0, %register] [1, 8] to %y[%row, %column] [1, 8] scope(thread) : !part to !rows
      }
    }
    gpu.return
  }

  // A block 32 rows of up to 64 elements.
  gpu.func @layer_norm_short(%X: memref<?x?xf16>, %Gamma: memref<?xf32>, %Beta: memref<?xf32>, %epsilon: f32,
                             %Y: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %row = arith.muli %block, %c32 : index
    %rows = memref.dim %X, %c0 : memref<?x?xf16>
    %columns = memref.dim %X, %c1 : memref<?x?xf16>
    %length = tile.assume %columns divisible_by 8 : index
    %x = tile.view %X extents(%rows, %length) strides(%length) : memref<?x?xf16> to !rows
    %y = tile.view %Y extents(%rows, %length) strides(%length) : memref<?x?xf16> to !rows
    %gamma = tile.view %Gamma extents(%length) : memref<?xf32> to !weights
    %beta = tile.view %Beta extents(%length) : memref<?xf32> to !weights
    %v, %w, %mean, %scale, %g, %b = tile.allocs : !short, !wide, !each, !each, !columns, !columns
    %integer = arith.index_castui %length : index to i32
    %count = arith.uitofp %integer : i32 to f32
    %share = arith.divf %one, %count : f32
    tile.copy %x[%row, 0] to %v scope(cta) masked fill(0.0) : !rows to !short

    tile.map { arith.extf } %v to %w scope(cta) : !short to !wide
    tile.reduce add %w to %mean dim(1) scope(cta) : !wide to !each
    tile.map %mean to %mean scope(cta) : !each to !each {
    ^bb0(%sum: f32):
      %m = arith.mulf %sum, %share : f32
      tile.yield %m : f32
    }

    tile.map %v, %mean to %w scope(cta) : !short, !each to !wide {
    ^bb0(%e: f16, %m: f32, %i: index, %j: index):
      %f = arith.extf %e : f16 to f32
      %d = arith.subf %f, %m : f32
      %square = arith.mulf %d, %d : f32
      %there = arith.cmpi ult, %j, %length : index
      %part = arith.select %there, %square, %zero : f32
      tile.yield %part : f32
    }
    tile.reduce add %w to %scale dim(1) scope(cta) : !wide to !each
    tile.map %scale to %scale scope(cta) : !each to !each {
    ^bb0(%squares: f32):
      %variance = arith.mulf %squares, %share : f32
      %above = arith.addf %variance, %epsilon : f32
      %factor = math.rsqrt %above fastmath<afn> : f32
      tile.yield %factor : f32
    }

    tile.copy %gamma[0] [64] to %g scope(cta) masked fill(%zero : f32) : !weights to !columns
    tile.copy %beta[0] [64] to %b scope(cta) masked fill(%zero : f32) : !weights to !columns
    tile.map %v, %mean, %scale, %g, %b to %w scope(cta) : !short, !each, !each, !columns, !columns to !wide {
    ^bb0(%e: f16, %m: f32, %factor: f32, %weight: f32, %bias: f32):
      %f = arith.extf %e : f16 to f32
      %d = arith.subf %f, %m : f32
      %s = arith.mulf %d, %factor : f32
      %r = math.fma %s, %weight, %bias : f32
      tile.yield %r : f32
    }
    tile.copy %w to %y[%row, 0] scope(cta) masked : !wide to !rows
    gpu.return
  }
}
