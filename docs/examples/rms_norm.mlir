// Y = X / sqrt(mean(X^2) + 1e-5) * W, by rows of 4096 f16: a block of 256 threads a row, 16 elements in the registers of each.
!rows = !tile.buffer<?x4096xf16, global>
!weights = !tile.buffer<1x4096xf16, global>
!x = !tile.buffer<1x4096xf16, local, #tile.layout<(1, 2, 256, 8) : (1, 8, 1@tx, 1)>>
!wide = !tile.buffer<1x4096xf32, local, #tile.layout<(1, 2, 256, 8) : (1, 8, 1@tx, 1)>>
!sum = !tile.buffer<1x1xf32, local, #tile.layout<(1, 1) : (1, 1) + R(256 : 1@tx)>>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @rms_norm(%X: memref<?x4096xf16>, %W: memref<1x4096xf16>, %Y: memref<?x4096xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %share = arith.constant 2.44140625e-4 : f32
    %small = arith.constant 1.0e-5 : f32
    %rows = tile.view %X : memref<?x4096xf16>
    %weights = tile.view %W : memref<1x4096xf16>
    %results = tile.view %Y : memref<?x4096xf16>
    %row = gpu.block_id x
    %x = tile.alloc : !x
    %w = tile.alloc : !x
    %squares = tile.alloc : !wide
    %sum = tile.alloc : !sum
    tile.copy %rows[%row, 0] [1, 4096] to %x scope(cta) : !rows to !x
    tile.copy %weights to %w scope(cta) : !weights to !x
    tile.map %x to %squares scope(cta) : !x to !wide {
    ^bb0(%e: f16):
      %f = arith.extf %e : f16 to f32
      %square = arith.mulf %f, %f : f32
      tile.yield %square : f32
    }
    tile.reduce add %squares to %sum dim(1) scope(cta) : !wide to !sum
    tile.map %x, %w, %sum to %x scope(cta) : !x, !x, !sum to !x {
    ^bb0(%e: f16, %weight: f16, %all: f32):
      %mean = math.fma %all, %share, %small : f32
      %factor = math.rsqrt %mean fastmath<afn> : f32
      %f = arith.extf %e : f16 to f32
      %g = arith.extf %weight : f16 to f32
      %scaled = arith.mulf %f, %factor : f32
      %r = arith.mulf %scaled, %g : f32
      %h = arith.truncf %r : f32 to f16
      tile.yield %h : f16
    }
    tile.copy %x to %results[%row, 0] [1, 4096] scope(cta) : !x to !rows
    gpu.return
  }
}
