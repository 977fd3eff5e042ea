// B[c, r] = A[r, c], 64x64 elements a block, through shared memory that is written by rows and read by columns. Extents are any.

!matrix = !tile.buffer<?x?xf32, global>
!rows = !tile.buffer<64x64xf32, shared, auto>
!columns = !tile.buffer<64x64xf32, shared, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @transpose(%A: memref<?x?xf32>, %B: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %a = tile.view %A : memref<?x?xf32> to !matrix
    %b = tile.view %B : memref<?x?xf32> to !matrix
    %rows = tile.alloc : !rows
    %columns = tile.permute %rows [1, 0] : !rows to !columns

    %x = gpu.block_id x
    %y = gpu.block_id y
    %c64 = arith.constant 64 : index
    %row = arith.muli %y, %c64 : index
    %column = arith.muli %x, %c64 : index

    tile.copy %a[%row, %column] [64, 64] to %rows scope(cta) masked : !matrix to !rows
    gpu.barrier
    tile.copy %columns to %b[%column, %row] [64, 64] scope(cta) masked : !columns to !matrix
    gpu.return
  }
}
