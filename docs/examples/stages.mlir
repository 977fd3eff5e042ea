// Softmax along each column of tiles of 32 rows, through shared memory: 16 tiles a block, one after the other. The same loop
// plainly, and with 2, 3 and 4 stages; docs/pipelines.md has the commands.

!matrix = !tile.buffer<?x128xf32, global>
!shared = !tile.buffer<32x128xf32, shared>
!columns = !tile.buffer<32x128xf32, local, #tile.layout<(32, 128) : (1, 1@tx)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @plain(%X: memref<?x128xf32>, %Y: memref<?x128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %x = tile.view %X : memref<?x128xf32> to !matrix
    %y = tile.view %Y : memref<?x128xf32> to !matrix
    %least = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %c32 = arith.constant 32 : index
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %first = arith.muli %block, %c512 : index
    %s, %mine = tile.allocs : !shared, !columns
    %v = tile.local_view %mine : !columns to memref<32xf32>
    affine.for %k = 0 to 16 {
      %rows = arith.muli %k, %c32 : index
      %row = arith.addi %first, %rows : index
      tile.copy_async %x[%row, 0] to %s scope(cta) group : !matrix to !shared
      tile.copy %s to %mine scope(cta) : !shared to !columns
      %largest = affine.for %i = 0 to 32 iter_args(%before = %least) -> f32 {
        %e = affine.load %v[%i] : memref<32xf32>
        %after = arith.maxnumf %before, %e : f32
        affine.yield %after : f32
      }
      %sum = affine.for %i = 0 to 32 iter_args(%before = %zero) -> f32 {
        %e = affine.load %v[%i] : memref<32xf32>
        %below = arith.subf %e, %largest : f32
        %power = math.exp %below fastmath<afn> : f32
        affine.store %power, %v[%i] : memref<32xf32>
        %after = arith.addf %before, %power : f32
        affine.yield %after : f32
      }
      affine.for %i = 0 to 32 {
        %e = affine.load %v[%i] : memref<32xf32>
        %share = arith.divf %e, %sum fastmath<arcp> : f32
        affine.store %share, %v[%i] : memref<32xf32>
      }
      tile.copy %mine to %y[%row, 0] scope(cta) : !columns to !matrix
    } {tile.stages = 1 : i64}
    gpu.return
  }

  gpu.func @two(%X: memref<?x128xf32>, %Y: memref<?x128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %x = tile.view %X : memref<?x128xf32> to !matrix
    %y = tile.view %Y : memref<?x128xf32> to !matrix
    %least = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %c32 = arith.constant 32 : index
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %first = arith.muli %block, %c512 : index
    %s, %mine = tile.allocs : !shared, !columns
    %v = tile.local_view %mine : !columns to memref<32xf32>
    affine.for %k = 0 to 16 {
      %rows = arith.muli %k, %c32 : index
      %row = arith.addi %first, %rows : index
      tile.copy_async %x[%row, 0] to %s scope(cta) group : !matrix to !shared
      tile.copy %s to %mine scope(cta) : !shared to !columns
      %largest = affine.for %i = 0 to 32 iter_args(%before = %least) -> f32 {
        %e = affine.load %v[%i] : memref<32xf32>
        %after = arith.maxnumf %before, %e : f32
        affine.yield %after : f32
      }
      %sum = affine.for %i = 0 to 32 iter_args(%before = %zero) -> f32 {
        %e = affine.load %v[%i] : memref<32xf32>
        %below = arith.subf %e, %largest : f32
        %power = math.exp %below fastmath<afn> : f32
        affine.store %power, %v[%i] : memref<32xf32>
        %after = arith.addf %before, %power : f32
        affine.yield %after : f32
      }
      affine.for %i = 0 to 32 {
        %e = affine.load %v[%i] : memref<32xf32>
        %share = arith.divf %e, %sum fastmath<arcp> : f32
        affine.store %share, %v[%i] : memref<32xf32>
      }
      tile.copy %mine to %y[%row, 0] scope(cta) : !columns to !matrix
    } {tile.stages = 2 : i64}
    gpu.return
  }

  gpu.func @three(%X: memref<?x128xf32>, %Y: memref<?x128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %x = tile.view %X : memref<?x128xf32> to !matrix
    %y = tile.view %Y : memref<?x128xf32> to !matrix
    %least = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %c32 = arith.constant 32 : index
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %first = arith.muli %block, %c512 : index
    %s, %mine = tile.allocs : !shared, !columns
    %v = tile.local_view %mine : !columns to memref<32xf32>
    affine.for %k = 0 to 16 {
      %rows = arith.muli %k, %c32 : index
      %row = arith.addi %first, %rows : index
      tile.copy_async %x[%row, 0] to %s scope(cta) group : !matrix to !shared
      tile.copy %s to %mine scope(cta) : !shared to !columns
      %largest = affine.for %i = 0 to 32 iter_args(%before = %least) -> f32 {
        %e = affine.load %v[%i] : memref<32xf32>
        %after = arith.maxnumf %before, %e : f32
        affine.yield %after : f32
      }
      %sum = affine.for %i = 0 to 32 iter_args(%before = %zero) -> f32 {
        %e = affine.load %v[%i] : memref<32xf32>
        %below = arith.subf %e, %largest : f32
        %power = math.exp %below fastmath<afn> : f32
        affine.store %power, %v[%i] : memref<32xf32>
        %after = arith.addf %before, %power : f32
        affine.yield %after : f32
      }
      affine.for %i = 0 to 32 {
        %e = affine.load %v[%i] : memref<32xf32>
        %share = arith.divf %e, %sum fastmath<arcp> : f32
        affine.store %share, %v[%i] : memref<32xf32>
      }
      tile.copy %mine to %y[%row, 0] scope(cta) : !columns to !matrix
    } {tile.stages = 3 : i64}
    gpu.return
  }

  gpu.func @four(%X: memref<?x128xf32>, %Y: memref<?x128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %x = tile.view %X : memref<?x128xf32> to !matrix
    %y = tile.view %Y : memref<?x128xf32> to !matrix
    %least = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.0 : f32
    %c32 = arith.constant 32 : index
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %first = arith.muli %block, %c512 : index
    %s, %mine = tile.allocs : !shared, !columns
    %v = tile.local_view %mine : !columns to memref<32xf32>
    affine.for %k = 0 to 16 {
      %rows = arith.muli %k, %c32 : index
      %row = arith.addi %first, %rows : index
      tile.copy_async %x[%row, 0] to %s scope(cta) group : !matrix to !shared
      tile.copy %s to %mine scope(cta) : !shared to !columns
      %largest = affine.for %i = 0 to 32 iter_args(%before = %least) -> f32 {
        %e = affine.load %v[%i] : memref<32xf32>
        %after = arith.maxnumf %before, %e : f32
        affine.yield %after : f32
      }
      %sum = affine.for %i = 0 to 32 iter_args(%before = %zero) -> f32 {
        %e = affine.load %v[%i] : memref<32xf32>
        %below = arith.subf %e, %largest : f32
        %power = math.exp %below fastmath<afn> : f32
        affine.store %power, %v[%i] : memref<32xf32>
        %after = arith.addf %before, %power : f32
        affine.yield %after : f32
      }
      affine.for %i = 0 to 32 {
        %e = affine.load %v[%i] : memref<32xf32>
        %share = arith.divf %e, %sum fastmath<arcp> : f32
        affine.store %share, %v[%i] : memref<32xf32>
      }
      tile.copy %mine to %y[%row, 0] scope(cta) : !columns to !matrix
    } {tile.stages = 4 : i64}
    gpu.return
  }
}
