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
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %c192 = arith.constant 192 : index
    %zero = arith.constant 0.0 : f8E4M3FN
    %none = arith.constant 0.0 : f32
    %height = memref.dim %A, %c0 : memref<?x?xf8E4M3FN>
    %depth = memref.dim %A, %c1 : memref<?x?xf8E4M3FN>
    %width = memref.dim %B, %c0 : memref<?x?xf8E4M3FN>
    %steps = memref.dim %ScalesA, %c0 : memref<?x?xf32>
    %m = tile.assume %height divisible_by 4 : index
    %k = tile.assume %depth divisible_by 128 : index
    %n = tile.assume %width divisible_by 8 : index
    %a = tile.view %A extents(%m, %k) strides(%k) : memref<?x?xf8E4M3FN> to !matrix
    %b = tile.view %B extents(%n, %k) strides(%k) : memref<?x?xf8E4M3FN> to !matrix
    %scales = tile.view %ScalesA extents(%steps, %m) strides(%m) : memref<?x?xf32> to !scales
    %c = tile.view %C extents(%m, %n) strides(%n) : memref<?x?xbf16> to !result
    %tall = arith.ceildivui %m, %c192 : index
    %wide = arith.ceildivui %n, %c128 : index
    %block = gpu.block_id x
    %y, %x = tile.block_order %block of (%tall, %wide) grouped(16)
    %row = arith.muli %y, %c192 : index
    %column = arith.muli %x, %c128 : index
    %sa = tile.alloc : !left
    %sb = tile.alloc : !right
    %sbt = tile.permute %sb [1, 0] : !right
    %own = tile.alloc : !own
    %turned = tile.permute %own [1, 0] : !own
    %sc = tile.alloc : !out
    %sums = tile.alloc : !sums
    %part = tile.alloc : !sums
    %factors = tile.alloc : !rows
    %half = tile.alloc : !half
    tile.fill %none to %sums scope(cta) : f32 to !sums
    scf.for %i = %c0 to %k step %c128 {
      %step = arith.divui %i, %c128 : index
      tile.copy_async %scales[%step, %row] [1, 192] to %own scope(cta) masked fill(%none : f32) : !scales to !own
      tile.copy_async %a[%row, %i] [192, 128] to %sa scope(cta) masked fill(%zero : f8E4M3FN) : !matrix to !left
      tile.copy_async %b[%column, %i] [128, 128] to %sb scope(cta) masked fill(%zero : f8E4M3FN) : !matrix to !right
      tile.fill %none to %part scope(cta) : f32 to !sums
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
    tile.copy %sc to %c[%row, %column] [192, 128] scope(cta) masked : !out to !result
    gpu.return
  }
}
