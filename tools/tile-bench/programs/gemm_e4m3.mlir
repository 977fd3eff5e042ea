// C = A B^T for e4m3 matrices, A of MxK and B of NxK, with sums in f32 and C in bf16: the product of the first page. Tiles of 128x256, two blocks in
// a cluster with other rows and the same columns.
!matrix = !tile.buffer<?x?xf8E4M3FN, global>
!result = !tile.buffer<?x?xbf16, global>
!a = !tile.buffer<128x128xf8E4M3FN, shared, auto>
!b = !tile.buffer<256x128xf8E4M3FN, shared, auto>
!bt = !tile.buffer<128x256xf8E4M3FN, shared, auto>
!c = !tile.buffer<128x256xbf16, shared, auto>
!sums = !tile.buffer<128x256xf32, local, auto>
!half = !tile.buffer<128x256xbf16, local, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @gemm(%A: memref<?x?xf8E4M3FN>, %B: memref<?x?xf8E4M3FN>, %C: memref<?x?xbf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %zero = arith.constant 0.0 : f8E4M3FN
    %none = arith.constant 0.0 : f32
    %depth = memref.dim %A, %c1 : memref<?x?xf8E4M3FN>
    %width = memref.dim %B, %c0 : memref<?x?xf8E4M3FN>
    %m = memref.dim %A, %c0 : memref<?x?xf8E4M3FN>
    %k = tile.assume %depth divisible_by 16 : index
    %n = tile.assume %width divisible_by 8 : index
    %a = tile.view %A extents(%m, %k) strides(%k) : memref<?x?xf8E4M3FN> to !matrix
    %b = tile.view %B extents(%n, %k) strides(%k) : memref<?x?xf8E4M3FN> to !matrix
    %c = tile.view %C extents(%m, %n) strides(%n) : memref<?x?xbf16> to !result
    %rows = arith.ceildivui %m, %c256 : index
    %columns = arith.ceildivui %n, %c256 : index
    %cluster = gpu.cluster_id x
    %rank = gpu.cluster_block_id x
    %y, %x = tile.block_order %cluster of (%rows, %columns) grouped(8)
    %first = arith.muli %y, %c256 : index
    %half_rows = arith.muli %rank, %c128 : index
    %row = arith.addi %first, %half_rows : index
    %column = arith.muli %x, %c256 : index
    %sa = tile.alloc : !a
    %sb = tile.alloc : !b
    %sbt = tile.permute %sb [1, 0] : !b
    %sc = tile.alloc : !c
    %sums = tile.alloc : !sums
    %half = tile.alloc : !half

    tile.fill %none to %sums scope(cta) : f32 to !sums
    scf.for %i = %c0 to %k step %c128 {
      tile.copy_async %a[%row, %i] [128, 128] to %sa scope(cta) masked fill(%zero : f8E4M3FN) : !matrix to !a
      tile.copy_async %b[%column, %i] [256, 128] to %sb scope(cta) masked fill(%zero : f8E4M3FN) : !matrix to !b
      tile.mma %sa, %sbt, %sums scope(cta) group : !a, !bt, !sums
    } {tile.stages = 4 : i64}
    tile.copy %sums to %half scope(cta) : !sums to !half
    tile.copy %half to %sc scope(cta) : !half to !c
    tile.copy %sc to %c[%row, %column] [128, 256] scope(cta) masked : !c to !result
    gpu.return
  }
}
