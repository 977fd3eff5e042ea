// C = f16(accumulators + bias): 64 rows by 64 columns a block, in the registers that wgmma leaves them in.

!sums = !tile.buffer<?x?xf32, global>
!bias = !tile.buffer<64x?xf32, global, #tile.layout<(64, ?) : (0, 1)>>
!result = !tile.buffer<?x?xf16, global>
!wide = !tile.buffer<64x64xf32, local, #tile.layout<(4, 2, 8, 8, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
!narrow = !tile.buffer<64x64xf16, local, #tile.layout<(4, 2, 8, 8, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 4, 1@laneid, 1)>>
!stage = !tile.buffer<64x64xf16, shared, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @epilogue(%Sums: memref<?x?xf32>, %Bias: memref<?xf32>, %C: memref<?x?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %length = memref.dim %Sums, %c1 : memref<?x?xf32>
    %ld = tile.assume %length divisible_by 8 : index
    %sums = tile.view %Sums strides(%ld) : memref<?x?xf32> to !sums
    %c = tile.view %C strides(%ld) : memref<?x?xf16> to !result
    %bias = tile.view %Bias extents(%length) : memref<?xf32> to !bias
    %x = gpu.block_id x
    %y = gpu.block_id y
    %row = arith.muli %y, %c64 : index
    %column = arith.muli %x, %c64 : index

    %acc, %add = tile.allocs : !wide, !wide
    tile.copy %sums[%row, %column] to %acc scope(warpgroup) : !sums to !wide
    tile.copy %bias[0, %column] to %add scope(warpgroup) : !bias to !wide

    %half = tile.alloc : !narrow
    %accs = tile.local_view %acc : !wide to memref<32xf32>
    %adds = tile.local_view %add : !wide to memref<32xf32>
    %halves = tile.local_view %half : !narrow to memref<32xf16>
    affine.for %i = 0 to 32 {
      %s = affine.load %accs[%i] : memref<32xf32>
      %d = affine.load %adds[%i] : memref<32xf32>
      %t = arith.addf %s, %d : f32
      %h = arith.truncf %t : f32 to f16
      affine.store %h, %halves[%i] : memref<32xf16>
    }

    %stage = tile.alloc : !stage
    tile.copy %half to %stage scope(warpgroup) : !narrow to !stage
    gpu.barrier
    tile.copy %stage to %c[%row, %column] scope(cta) : !stage to !result
    gpu.return
  }
}
