// y = (x - mean) / sqrt(variance + epsilon) * gamma + beta, each row of f16 by itself, a block a row, computed in f32.
// Rows have up to 4096 elements, a multiple of 8.

!rows = !tile.buffer<?x?xf16, global>
!weights = !tile.buffer<?xf32, global>
!part = !tile.buffer<1x32xf32, local>
!eight = !tile.buffer<8xf32, local>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
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
        %g = tile.alloc : !eight
        %b = tile.alloc : !eight
        tile.copy %gamma[%column] [8] to %g scope(thread) : !weights to !eight
        tile.copy %beta[%column] [8] to %b scope(thread) : !weights to !eight
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
}
