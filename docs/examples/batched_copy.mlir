// B[b, r, c] = A[b, r, c] for a batch of matrices of which only the run knows sizes and strides: 32x64 elements a block, and
// what is left of a tile at the edges element by element.

!batch = !tile.buffer<?x?x?xf16, global, #tile.layout<(?, ?, ?) : (?, ?, 1)>>
!piece = !tile.buffer<1x32x64xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @batched_copy(%A: memref<?x?x?xf16, strided<[?, ?, 1]>>,
                         %B: memref<?x?x?xf16, strided<[?, ?, 1]>>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %c2048 = arith.constant 2048 : index
    %baseA, %offsetA, %sizes:3, %stridesA:3 = memref.extract_strided_metadata %A
      : memref<?x?x?xf16, strided<[?, ?, 1]>>
      -> memref<f16>, index, index, index, index, index, index, index
    %baseB, %offsetB, %sizesB:3, %stridesB:3 = memref.extract_strided_metadata %B
      : memref<?x?x?xf16, strided<[?, ?, 1]>>
      -> memref<f16>, index, index, index, index, index, index, index

    %batch = gpu.block_id z
    %y = gpu.block_id y
    %x = gpu.block_id x
    %row = arith.muli %y, %c32 : index
    %column = arith.muli %x, %c64 : index
    %lastRow = arith.addi %row, %c32 : index
    %lastColumn = arith.addi %column, %c64 : index
    %rowsInside = arith.cmpi ule, %lastRow, %sizes#1 : index
    %columnsInside = arith.cmpi ule, %lastColumn, %sizes#2 : index
    %inside = arith.andi %rowsInside, %columnsInside : i1
    scf.if %inside {
      %a0 = tile.assume %stridesA#0 divisible_by 8 : index
      %a1 = tile.assume %stridesA#1 divisible_by 8 : index
      %b0 = tile.assume %stridesB#0 divisible_by 8 : index
      %b1 = tile.assume %stridesB#1 divisible_by 8 : index
      %a = tile.view %A strides(%a0, %a1) : memref<?x?x?xf16, strided<[?, ?, 1]>> to !batch
      %b = tile.view %B strides(%b0, %b1) : memref<?x?x?xf16, strided<[?, ?, 1]>> to !batch
      tile.copy %a[%batch, %row, %column] [1, 32, 64] to %b[%batch, %row, %column] [1, 32, 64] scope(cta)
        : !batch to !batch
    } else {
      %thread = gpu.thread_id x
      scf.for %i = %thread to %c2048 step %c256 {
        %down = arith.divui %i, %c64 : index
        %right = arith.remui %i, %c64 : index
        %r = arith.addi %row, %down : index
        %c = arith.addi %column, %right : index
        %rowThere = arith.cmpi ult, %r, %sizes#1 : index
        %columnThere = arith.cmpi ult, %c, %sizes#2 : index
        %there = arith.andi %rowThere, %columnThere : i1
        scf.if %there {
          %e = memref.load %A[%batch, %r, %c] : memref<?x?x?xf16, strided<[?, ?, 1]>>
          memref.store %e, %B[%batch, %r, %c] : memref<?x?x?xf16, strided<[?, ?, 1]>>
        }
      }
    }
    gpu.return
  }
}
