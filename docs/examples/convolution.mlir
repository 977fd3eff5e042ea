// Y = X * W by wgmma: a filter of 3x3 taps, padding 1, f16. X is NxHxWxC, W is 9CxK, Y is NHWxK; C is a multiple of 64, K of 8.
!images = !tile.buffer<?x?x?x?xf16, global>
!matrix = !tile.buffer<?x?xf16, global>
!pixels = !tile.buffer<128x64xf16, shared, auto>
!taps = !tile.buffer<64x256xf16, shared, auto>
!out = !tile.buffer<128x256xf16, shared, auto>
!sums = !tile.buffer<128x256xf32, local, auto>
!half = !tile.buffer<128x256xf16, local, auto>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @conv(%X: memref<?x?x?x?xf16>, %W: memref<?x?xf16>, %Y: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c9 = arith.constant 9 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %before = arith.constant -1 : index
    %images = memref.dim %X, %c0 : memref<?x?x?x?xf16>
    %rows = memref.dim %X, %c1 : memref<?x?x?x?xf16>
    %columns = memref.dim %X, %c2 : memref<?x?x?x?xf16>
    %depth = memref.dim %X, %c3 : memref<?x?x?x?xf16>
    %filters = memref.dim %W, %c1 : memref<?x?xf16>
    %c = tile.assume %depth divisible_by 64 : index
    %k = tile.assume %filters divisible_by 8 : index
    %line = arith.muli %columns, %c : index
    %plane = arith.muli %rows, %line : index
    %depths = arith.muli %c, %c9 : index
    %count = arith.muli %images, %rows : index
    %pixels = arith.muli %count, %columns : index
    %x = tile.view %X extents(%images, %rows, %columns, %c) strides(%plane, %line, %c) : memref<?x?x?x?xf16> to !images
    %w = tile.view %W extents(%depths, %k) strides(%k) : memref<?x?xf16> to !matrix
    %y = tile.view %Y extents(%pixels, %k) strides(%k) : memref<?x?xf16> to !matrix
    // The first pixel of the block's 128, and its first filter.
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %first = arith.muli %by, %c128 : index
    %column = arith.muli %bx, %c256 : index
    %j = arith.remui %first, %columns : index
    %above = arith.divui %first, %columns : index
    %i = arith.remui %above, %rows : index
    %n = arith.divui %above, %rows : index
    %h = arith.addi %i, %before : index
    %v = arith.addi %j, %before : index
    %sx, %sw, %sy, %sums, %half = tile.allocs : !pixels, !taps, !out, !sums, !half
    tile.fill 0.0 to %sums scope(cta) : !sums
    affine.for %at = 0 to %depths step 64 {
      %channel = arith.remui %at, %c : index
      %tap = arith.divui %at, %c : index
      %r = arith.divui %tap, %c3 : index
      %q = arith.remui %tap, %c3 : index
      tile.copy_async %x[%n, %h, %v, %channel] [1, 1, 128, 64] to %sx scope(cta) im2col [-1, -1] to [-1, -1] filter(%r, %q)
        masked fill(0.0) : !images to !pixels
      tile.copy_async %w[%at, %column] to %sw scope(cta) masked fill(0.0) : !matrix to !taps
      tile.mma %sx, %sw, %sums scope(cta) group : !pixels, !taps, !sums
    } {tile.stages = 4 : i64}
    tile.map { arith.truncf } %sums to %half scope(cta) : !sums to !half
    tile.copy %half to %sy scope(cta) : !half to !out
    tile.copy %sy to %y[%first, %column] scope(cta) masked : !out to !matrix
    gpu.return
  }
}
