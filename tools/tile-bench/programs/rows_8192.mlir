// Global to shared memory and back, by blocks that each copy 8 rows of a matrix of 65536 x 8192 f16 in 16 pieces of 512
// columns: with a leading dimension in the type, and with one that is known only at run time. The matrix has as many
// columns as the launch has blocks, so the number of blocks serves as the leading dimension, which nothing can fold.
!static = !tile.buffer<65536x8192xf16, global>
!open = !tile.buffer<?x?xf16, global>
!piece = !tile.buffer<8x512xf16, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rows_8192_static_f16(%A: memref<65536x8192xf16>, %B: memref<65536x8192xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 8 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %a = tile.view %A : memref<65536x8192xf16> to !static
    %b = tile.view %B : memref<65536x8192xf16> to !static
    %near = tile.alloc : !piece
    %first = arith.constant 0 : index
    %width = arith.constant 512 : index
    %end = arith.constant 8192 : index
    scf.for %column = %first to %end step %width {
      tile.copy %a[%row, %column] [8, 512] to %near scope(cta) : !static to !piece
      gpu.barrier
      tile.copy %near to %b[%row, %column] [8, 512] scope(cta) : !piece to !static
      gpu.barrier
    }
    gpu.return
  }

  gpu.func @rows_8192_run_time_f16(%A: memref<65536x8192xf16>, %B: memref<65536x8192xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 8 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %blocks = gpu.grid_dim x
    %ld = tile.assume %blocks divisible_by 8 : index
    %openA = memref.cast %A : memref<65536x8192xf16> to memref<?x?xf16, strided<[?, 1]>>
    %a = tile.view %openA strides(%ld) : memref<?x?xf16, strided<[?, 1]>> to !open
    %openB = memref.cast %B : memref<65536x8192xf16> to memref<?x?xf16, strided<[?, 1]>>
    %b = tile.view %openB strides(%ld) : memref<?x?xf16, strided<[?, 1]>> to !open
    %near = tile.alloc : !piece
    %first = arith.constant 0 : index
    %width = arith.constant 512 : index
    %end = arith.constant 8192 : index
    scf.for %column = %first to %end step %width {
      tile.copy %a[%row, %column] [8, 512] to %near scope(cta) : !open to !piece
      gpu.barrier
      tile.copy %near to %b[%row, %column] [8, 512] scope(cta) : !piece to !open
      gpu.barrier
    }
    gpu.return
  }

  gpu.func @rows_8192_run_time_by_2_f16(%A: memref<65536x8192xf16>, %B: memref<65536x8192xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %height = arith.constant 8 : index
    %block = gpu.block_id x
    %row = arith.muli %block, %height : index
    %blocks = gpu.grid_dim x
    %ld = tile.assume %blocks divisible_by 2 : index
    %openA = memref.cast %A : memref<65536x8192xf16> to memref<?x?xf16, strided<[?, 1]>>
    %a = tile.view %openA strides(%ld) : memref<?x?xf16, strided<[?, 1]>> to !open
    %openB = memref.cast %B : memref<65536x8192xf16> to memref<?x?xf16, strided<[?, 1]>>
    %b = tile.view %openB strides(%ld) : memref<?x?xf16, strided<[?, 1]>> to !open
    %near = tile.alloc : !piece
    %first = arith.constant 0 : index
    %width = arith.constant 512 : index
    %end = arith.constant 8192 : index
    scf.for %column = %first to %end step %width {
      tile.copy %a[%row, %column] [8, 512] to %near scope(cta) : !open to !piece
      gpu.barrier
      tile.copy %near to %b[%row, %column] [8, 512] scope(cta) : !piece to !open
      gpu.barrier
    }
    gpu.return
  }
}
