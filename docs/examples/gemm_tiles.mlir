// C = A B for f16 matrices, with sums in f32, for products that have few tiles: the kernel of the first page, with tiles such that about as many
// blocks as there are SMs have one each, and a producer.
!matrix = !tile.buffer<?x?xf16, global>

!a_few = !tile.buffer<64x128xf16, shared, auto>
!b_few = !tile.buffer<128x64xf16, shared, auto>
!c_few = !tile.buffer<64x64xf16, shared, auto>
!sums_few = !tile.buffer<64x64xf32, local, auto>
!half_few = !tile.buffer<64x64xf16, local, auto>

!a_more = !tile.buffer<128x64xf16, shared, auto>
!b_more = !tile.buffer<64x128xf16, shared, auto>
!c_more = !tile.buffer<128x128xf16, shared, auto>
!sums_more = !tile.buffer<128x128xf32, local, auto>
!half_more = !tile.buffer<128x128xf16, local, auto>

!a_small = !tile.buffer<64x128xf16, shared, auto>
!b_small = !tile.buffer<128x128xf16, shared, auto>
!c_small = !tile.buffer<64x128xf16, shared, auto>
!sums_small = !tile.buffer<64x128xf32, local, auto>
!half_small = !tile.buffer<64x128xf16, local, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // Up to 64 rows: the block reads a strip of 64 columns of B, all of its depth.
  gpu.func @few(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %C: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %a = tile.view %A divisible_by 8 : memref<?x?xf16>
    %b = tile.view %B divisible_by 8 : memref<?x?xf16>
    %c = tile.view %C divisible_by 8 : memref<?x?xf16>
    %k = memref.dim %A, %c1 : memref<?x?xf16>
    %block = gpu.block_id x
    %row, %column = tile.block_order %block of %c [64, 64] grouped(8) : !matrix
    %sa = tile.alloc : !a_few
    %sb = tile.alloc : !b_few
    %sc = tile.alloc : !c_few
    %sums = tile.alloc : !sums_few
    %half = tile.alloc : !half_few
    tile.fill 0.0 to %sums scope(cta) : !sums_few
    scf.for %i = %c0 to %k step %c128 {
      tile.copy_async %a[%row, %i] to %sa scope(cta) masked fill(0.0) : !matrix to !a_few
      tile.copy_async %b[%i, %column] to %sb scope(cta) masked fill(0.0) : !matrix to !b_few
      tile.mma %sa, %sb, %sums scope(cta) group : !a_few, !b_few, !sums_few
    } {tile.stages = 6 : i64, tile.producer}
    tile.copy %sums to %half scope(cta) : !sums_few to !half_few
    tile.copy %half to %sc scope(cta) : !half_few to !c_few
    tile.copy %sc to %c[%row, %column] scope(cta) masked : !c_few to !matrix
    gpu.return
  }

  // Some 256 rows.
  gpu.func @more(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %C: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %a = tile.view %A divisible_by 8 : memref<?x?xf16>
    %b = tile.view %B divisible_by 8 : memref<?x?xf16>
    %c = tile.view %C divisible_by 8 : memref<?x?xf16>
    %k = memref.dim %A, %c1 : memref<?x?xf16>
    %block = gpu.block_id x
    %row, %column = tile.block_order %block of %c [128, 128] grouped(8) : !matrix
    %sa = tile.alloc : !a_more
    %sb = tile.alloc : !b_more
    %sc = tile.alloc : !c_more
    %sums = tile.alloc : !sums_more
    %half = tile.alloc : !half_more
    tile.fill 0.0 to %sums scope(cta) : !sums_more
    scf.for %i = %c0 to %k step %c64 {
      tile.copy_async %a[%row, %i] to %sa scope(cta) masked fill(0.0) : !matrix to !a_more
      tile.copy_async %b[%i, %column] to %sb scope(cta) masked fill(0.0) : !matrix to !b_more
      tile.mma %sa, %sb, %sums scope(cta) group : !a_more, !b_more, !sums_more
    } {tile.stages = 6 : i64, tile.producer}
    tile.copy %sums to %half scope(cta) : !sums_more to !half_more
    tile.copy %half to %sc scope(cta) : !half_more to !c_more
    tile.copy %sc to %c[%row, %column] scope(cta) masked : !c_more to !matrix
    gpu.return
  }

  // Small matrices: as many blocks as there are SMs for 1024 x 1024, and few steps.
  gpu.func @small(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %C: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %a = tile.view %A divisible_by 8 : memref<?x?xf16>
    %b = tile.view %B divisible_by 8 : memref<?x?xf16>
    %c = tile.view %C divisible_by 8 : memref<?x?xf16>
    %k = memref.dim %A, %c1 : memref<?x?xf16>
    %block = gpu.block_id x
    %row, %column = tile.block_order %block of %c [64, 128] grouped(8) : !matrix
    %sa = tile.alloc : !a_small
    %sb = tile.alloc : !b_small
    %sc = tile.alloc : !c_small
    %sums = tile.alloc : !sums_small
    %half = tile.alloc : !half_small
    tile.fill 0.0 to %sums scope(cta) : !sums_small
    scf.for %i = %c0 to %k step %c128 {
      tile.copy_async %a[%row, %i] to %sa scope(cta) masked fill(0.0) : !matrix to !a_small
      tile.copy_async %b[%i, %column] to %sb scope(cta) masked fill(0.0) : !matrix to !b_small
      tile.mma %sa, %sb, %sums scope(cta) group : !a_small, !b_small, !sums_small
    } {tile.stages = 4 : i64, tile.producer}
    tile.copy %sums to %half scope(cta) : !sums_small to !half_small
    tile.copy %half to %sc scope(cta) : !half_small to !c_small
    tile.copy %sc to %c[%row, %column] scope(cta) masked : !c_small to !matrix
    gpu.return
  }
}
