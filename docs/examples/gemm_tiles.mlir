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
    %c1 = arith.constant 1 : index
    %a = tile.view %A divisible_by 8 : memref<?x?xf16>
    %b = tile.view %B divisible_by 8 : memref<?x?xf16>
    %c = tile.view %C divisible_by 8 : memref<?x?xf16>
    %k = memref.dim %A, %c1 : memref<?x?xf16>
    %block = gpu.block_id x
    %row, %column = tile.block_order %block of %c [64, 64] grouped(8) : !matrix
    %sa, %sb, %sc, %sums, %half = tile.allocs : !a_few, !b_few, !c_few, !sums_few, !half_few
    tile.fill 0.0 to %sums scope(cta) : !sums_few
    affine.for %i = 0 to %k step 128 {
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
    %c1 = arith.constant 1 : index
    %a = tile.view %A divisible_by 8 : memref<?x?xf16>
    %b = tile.view %B divisible_by 8 : memref<?x?xf16>
    %c = tile.view %C divisible_by 8 : memref<?x?xf16>
    %k = memref.dim %A, %c1 : memref<?x?xf16>
    %block = gpu.block_id x
    %row, %column = tile.block_order %block of %c [128, 128] grouped(8) : !matrix
    %sa, %sb, %sc, %sums, %half = tile.allocs : !a_more, !b_more, !c_more, !sums_more, !half_more
    tile.fill 0.0 to %sums scope(cta) : !sums_more
    affine.for %i = 0 to %k step 64 {
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
    %c1 = arith.constant 1 : index
    %a = tile.view %A divisible_by 8 : memref<?x?xf16>
    %b = tile.view %B divisible_by 8 : memref<?x?xf16>
    %c = tile.view %C divisible_by 8 : memref<?x?xf16>
    %k = memref.dim %A, %c1 : memref<?x?xf16>
    %block = gpu.block_id x
    %row, %column = tile.block_order %block of %c [64, 128] grouped(8) : !matrix
    %sa, %sb, %sc, %sums, %half = tile.allocs : !a_small, !b_small, !c_small, !sums_small, !half_small
    tile.fill 0.0 to %sums scope(cta) : !sums_small
    affine.for %i = 0 to %k step 128 {
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
