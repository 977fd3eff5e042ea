!matrix = !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (?, 1)>>
!tile = !tile.buffer<16x64xf16, shared>

gpu.module @kernels {
  gpu.func @copy(%A: memref<?x?xf16>, %B: memref<?x?xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %x = gpu.block_id x
    %y = gpu.block_id y
    %row = arith.muli %y, %c16 : index
    %column = arith.muli %x, %c64 : index
    %a = tile.view %A : memref<?x?xf16> to !matrix
    %b = tile.view %B : memref<?x?xf16> to !matrix
    %s = tile.alloc : !tile
    tile.copy %a[%row, %column] [16, 64] to %s scope(cta) masked : !matrix to !tile
    gpu.barrier
    tile.copy %s to %b[%row, %column] [16, 64] scope(cta) masked : !tile to !matrix
    gpu.return
  }
}
