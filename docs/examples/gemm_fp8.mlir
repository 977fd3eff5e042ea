// C = A B^T by wgmma, of 8-bit floats with scales: A is MxK and has one for every 128 depths of a row, B is NxK and has one for every
// 128x128 elements. The scales of A are a matrix of K/128 x M, those of B one of N/128 x K/128. K is a multiple of 128, N of 8, M of 4.
!matrix = !tile.buffer<?x?xf8E4M3FN, global>
!scales = !tile.buffer<?x?xf32, global>
!result = !tile.buffer<?x?xbf16, global>
!left = !tile.buffer<192x128xf8E4M3FN, shared, auto>
!right = !tile.buffer<128x128xf8E4M3FN, shared, auto>
!own = !tile.buffer<1x192xf32, shared>
!turned = !tile.buffer<192x1xf32, shared>
!out = !tile.buffer<192x128xbf16, shared, auto>
!sums = !tile.buffer<192x128xf32, local, auto>
!half = !tile.buffer<192x128xbf16, local, auto>
!rows = !tile.buffer<192x1xf32, local, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @gemm(%A: memref<?x?xf8E4M3FN>, %B: memref<?x?xf8E4M3FN>, %ScalesA: memref<?x?xf32>, %ScalesB: memref<?x?xf32>,
                 %C: memref<?x?xbf16>) kernel attributes {known_block_size = array<i32: 384, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %a = tile.view %A divisible_by 128 : memref<?x?xf8E4M3FN>
    %b = tile.view %B divisible_by 128 : memref<?x?xf8E4M3FN>
    %scales = tile.view %ScalesA divisible_by 4 : memref<?x?xf32>
    %c = tile.view %C divisible_by 8 : memref<?x?xbf16>
    %k = memref.dim %A, %c1 : memref<?x?xf8E4M3FN>
    %block = gpu.block_id x
    %row, %column = tile.block_order %block of %c [192, 128] grouped(16) : !result
    %x = arith.divui %column, %c128 : index
    %sa, %sb = tile.allocs : !left, !right
    %sbt = tile.permute %sb [1, 0] : !right
    %own = tile.alloc : !own
    %turned = tile.permute %own [1, 0] : !own
    %sc, %sums, %part, %factors, %half = tile.allocs : !out, !sums, !sums, !rows, !half
    tile.fill 0.0 to %sums scope(cta) : !sums
    affine.for %i = 0 to %k step 128 {
      %step = arith.divui %i, %c128 : index
      tile.copy_async %scales[%step, %row] to %own scope(cta) masked fill(0.0) : !scales to !own
      tile.copy_async %a[%row, %i] to %sa scope(cta) masked fill(0.0) : !matrix to !left
      tile.copy_async %b[%column, %i] to %sb scope(cta) masked fill(0.0) : !matrix to !right
      tile.fill 0.0 to %part scope(cta) : !sums
      tile.mma %sa, %sbt, %part scope(cta) : !left, !right, !sums
      tile.copy %turned to %factors scope(cta) : !turned to !rows
      %factor = memref.load %ScalesB[%x, %step] : memref<?x?xf32>
      tile.map %sums, %part, %factors to %sums scope(cta) : !sums, !sums, !rows to !sums {
      ^bb0(%s: f32, %p: f32, %f: f32):
        %both = arith.mulf %f, %factor : f32
        %r = math.fma %p, %both, %s : f32
        tile.yield %r : f32
      }
    } {tile.stages = 4 : i64, tile.producer}
    tile.copy %sums to %half scope(cta) : !sums to !half
    tile.copy %half to %sc scope(cta) : !half to !out
    tile.copy %sc to %c[%row, %column] scope(cta) masked : !out to !result
    gpu.return
  }
}
