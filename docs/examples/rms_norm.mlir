// Y = X / sqrt(mean(X^2) + 1e-5) * W, by rows of 4096 f16: a block of 256 threads a row, 16 elements in the registers of each.
!rows = !tile.buffer<?x4096xf16, global>
!x = !tile.buffer<1x4096xf32, local, #tile.layout<(1, 2, 256, 8) : (1, 8, 1@tx, 1)>>
gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @rms_norm(%X: !rows {llvm.align = 16 : i64}, %W: !rows {llvm.align = 16 : i64}, %Y: !rows {llvm.align = 16 : i64})
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %share = arith.constant 2.44140625e-4 : f32
    %small = arith.constant 1.0e-5 : f32
    %row = gpu.block_id x
    %x, %w = tile.allocs : !x, !x
    tile.copy %X[%row, 0] to %x scope(cta) : !rows to !x
    tile.copy %W[0, 0] to %w scope(cta) : !rows to !x
    %sum = tile.total add %x scope(cta) : !x to f32 of {
    ^bb0(%e: f32):
      %square = arith.mulf %e, %e : f32
      tile.yield %square : f32
    }
    %mean = math.fma %sum, %share, %small : f32
    %factor = math.rsqrt %mean fastmath<afn> : f32
    tile.map %x, %w to %x scope(cta) : !x, !x to !x {
    ^bb0(%e: f32, %weight: f32):
      %scaled = arith.mulf %e, %factor : f32
      %r = arith.mulf %scaled, %weight : f32
      tile.yield %r : f32
    }
    tile.copy %x to %Y[%row, 0] scope(cta) : !x to !rows
    gpu.return
  }
}
