// C = max(A B + bias, 0): f16, summed in f32. A is MxK, B is KxN, row by row; K and N are multiples of 8, M is any.
!matrix = !tile.buffer<?x?xf16, global>
!bias = !tile.buffer<64x?xf32, global, #tile.layout<(64, ?) : (0, 1)>>
!tile = !tile.buffer<64x64xf16, shared, auto>
!sums = !tile.buffer<64x64xf32, local, auto>
!half = !tile.buffer<64x64xf16, local, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @gemm(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %Bias: memref<?xf32>, %C: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %none = arith.constant 0.0 : f32
    %a = tile.view %A divisible_by 8 : memref<?x?xf16>
    %b = tile.view %B divisible_by 8 : memref<?x?xf16>
    %c = tile.view %C divisible_by 8 : memref<?x?xf16>
    %k = memref.dim %A, %c1 : memref<?x?xf16>
    %columns = memref.dim %B, %c1 : memref<?x?xf16>
    %n = tile.assume %columns divisible_by 8 : index
    %bias = tile.view %Bias extents(%n) : memref<?xf32> to !bias
    %x = gpu.block_id x
    %y = gpu.block_id y
    %row = arith.muli %y, %c64 : index
    %column = arith.muli %x, %c64 : index
    %sa, %sb, %sc, %sums, %half = tile.allocs : !tile, !tile, !tile, !sums, !half
    tile.copy %bias[0, %column] to %sums scope(cta) masked fill(0.0) : !bias to !sums
    affine.for %i = 0 to %k step 64 {
      tile.copy_async %a[%row, %i] to %sa scope(cta) masked fill(0.0) : !matrix to !tile
      tile.copy_async %b[%i, %column] to %sb scope(cta) masked fill(0.0) : !matrix to !tile
      tile.mma %sa, %sb, %sums scope(cta) group : !tile, !tile, !sums
    } {tile.stages = 4 : i64}
    tile.map %sums to %half scope(cta) : !sums to !half {
    ^bb0(%s: f32):
      %positive = arith.maximumf %s, %none : f32
      %r = arith.truncf %positive : f32 to f16
      tile.yield %r : f16
    }
    tile.copy %half to %sc scope(cta) : !half to !tile
    tile.copy %sc to %c[%row, %column] scope(cta) masked : !tile to !matrix
    gpu.return
  }
}
