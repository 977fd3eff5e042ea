// out[i] = table[index[i]]: rows of f16, one for each warp.

!table = !tile.buffer<?x?xf16, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @gather(%Table: memref<?x?xf16>, %Index: memref<?xi32>, %Out: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c256 = arith.constant 256 : index
    %rows = memref.dim %Index, %c0 : memref<?xi32>
    %length = memref.dim %Table, %c1 : memref<?x?xf16>

    %ld = tile.assume %length divisible_by 8 : index
    %table = tile.view %Table strides(%ld) : memref<?x?xf16> to !table
    %out = tile.view %Out strides(%ld) : memref<?x?xf16> to !table

    %block = gpu.block_id x
    %thread = gpu.thread_id x
    %first = arith.muli %block, %c8 : index
    %warp = arith.divui %thread, %c32 : index
    %row = arith.addi %first, %warp : index
    %there = arith.cmpi ult, %row, %rows : index
    scf.if %there {
      %number = memref.load %Index[%row] : memref<?xi32>
      %from = arith.index_castui %number : i32 to index
      scf.for %column = %c0 to %length step %c256 {
        tile.copy %table[%from, %column] [1, 256] to %out[%row, %column] [1, 256] scope(warp) : !table to !table
      }
    }
    gpu.return
  }
}
