// C = max(A B + bias, 0): f16, summed in f32. A is MxK, B is KxN, row by row; K and N are multiples of 8, M is any.
!matrix = !tile.buffer<?x?xf16, global>
!bias = !tile.buffer<64x?xf32, global, #tile.layout<(64, ?) : (0, 1)>>
!a = !tile.buffer<64x32xf16, shared, auto>
!b = !tile.buffer<32x64xf16, shared, auto>
!c = !tile.buffer<64x64xf16, shared, auto>
// 2 x 2 warps: each has 32 rows of A, which two warps hold, and 32 columns of B, likewise.
!fa = !tile.buffer<64x32xf16, local, #tile.fragment<mma.m16n8k16.a over (2, 2) warps>>
!fb = !tile.buffer<32x64xf16, local, #tile.fragment<mma.m16n8k16.b over (2, 2) warps>>
!sums = !tile.buffer<64x64xf32, local, #tile.fragment<mma.m16n8k16.c over (2, 2) warps>>
!half = !tile.buffer<64x64xf16, local, #tile.fragment<mma.m16n8k16.c over (2, 2) warps>>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @gemm(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %Bias: memref<?xf32>, %C: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f16
    %none = arith.constant 0.0 : f32
    %m = memref.dim %A, %c0 : memref<?x?xf16>
    %depth = memref.dim %A, %c1 : memref<?x?xf16>
    %columns = memref.dim %B, %c1 : memref<?x?xf16>
    %k = tile.assume %depth divisible_by 8 : index
    %n = tile.assume %columns divisible_by 8 : index
    %a = tile.view %A extents(%m, %k) strides(%k) : memref<?x?xf16> to !matrix
    %b = tile.view %B extents(%k, %n) strides(%n) : memref<?x?xf16> to !matrix
    %c = tile.view %C extents(%m, %n) strides(%n) : memref<?x?xf16> to !matrix
    %bias = tile.view %Bias extents(%n) : memref<?xf32> to !bias
    %x = gpu.block_id x
    %y = gpu.block_id y
    %row = arith.muli %y, %c64 : index
    %column = arith.muli %x, %c64 : index
    %sa = tile.alloc : !a
    %sb = tile.alloc : !b
    %sc = tile.alloc : !c
    %fa = tile.alloc : !fa
    %fb = tile.alloc : !fb
    %sums = tile.alloc : !sums
    %half = tile.alloc : !half
    tile.copy %bias[0, %column] [64, 64] to %sums scope(cta) masked fill(%none : f32) : !bias to !sums
    scf.for %i = %c0 to %k step %c32 {
      tile.copy_async %a[%row, %i] [64, 32] to %sa scope(cta) masked fill(%zero : f16) : !matrix to !a
      tile.copy_async %b[%i, %column] [32, 64] to %sb scope(cta) masked fill(%zero : f16) : !matrix to !b
      tile.copy %sa to %fa scope(cta) : !a to !fa
      tile.copy %sb to %fb scope(cta) : !b to !fb
      tile.mma %fa, %fb, %sums scope(cta) : !fa, !fb, !sums
    } {tile.stages = 3 : i64}
    %values = tile.local_view %sums : !sums to memref<32xf32>
    affine.for %i = 0 to 32 {
      %s = affine.load %values[%i] : memref<32xf32>
      %r = arith.maximumf %s, %none : f32
      affine.store %r, %values[%i] : memref<32xf32>
    }
    tile.copy %sums to %half scope(cta) : !sums to !half
    tile.copy %half to %sc scope(cta) : !half to !c
    tile.copy %sc to %c[%row, %column] [64, 64] scope(cta) masked : !c to !matrix
    gpu.return
  }
}
