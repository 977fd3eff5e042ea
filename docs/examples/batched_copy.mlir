// B[b, r, c] = A[b, r, c] for a batch of matrices of which only the run knows sizes and strides: 16x256 elements a block. Tiles at
// the edges leave out what is outside.

!batch = !tile.buffer<?x?x?xf16, global, #tile.layout<(?, ?, ?) : (?, ?, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @batched_copy(%A: memref<?x?x?xf16, strided<[?, ?, 1]>>, %B: memref<?x?x?xf16, strided<[?, ?, 1]>>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c16 = arith.constant 16 : index
    %c256 = arith.constant 256 : index
    %baseA, %offsetA, %sizesA:3, %stridesA:3 = memref.extract_strided_metadata %A
      : memref<?x?x?xf16, strided<[?, ?, 1]>> -> memref<f16>, index, index, index, index, index, index, index
    %baseB, %offsetB, %sizesB:3, %stridesB:3 = memref.extract_strided_metadata %B
      : memref<?x?x?xf16, strided<[?, ?, 1]>> -> memref<f16>, index, index, index, index, index, index, index
    %a0 = tile.assume %stridesA#0 divisible_by 8 : index
    %a1 = tile.assume %stridesA#1 divisible_by 8 : index
    %b0 = tile.assume %stridesB#0 divisible_by 8 : index
    %b1 = tile.assume %stridesB#1 divisible_by 8 : index
    %a = tile.view %A strides(%a0, %a1) : memref<?x?x?xf16, strided<[?, ?, 1]>> to !batch
    %b = tile.view %B strides(%b0, %b1) : memref<?x?x?xf16, strided<[?, ?, 1]>> to !batch

    %batch = gpu.block_id z
    %y = gpu.block_id y
    %x = gpu.block_id x
    %row = arith.muli %y, %c16 : index
    %column = arith.muli %x, %c256 : index
    tile.copy %a[%batch, %row, %column] [1, 16, 256] to %b[%batch, %row, %column] [1, 16, 256] scope(cta) masked
      : !batch to !batch
    gpu.return
  }
}
