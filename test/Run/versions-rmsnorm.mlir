!matrix = !tile.buffer<?x?xf16, global>
!vector = !tile.buffer<1x?xf16, global, #tile.layout<(1, ?) : (0, 1)>>
!wide = !tile.buffer<1x2048xf32, local, #tile.layout<(256, 8) : (1@tx, 1)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rmsnorm(%X: memref<?x?xf16>, %W: memref<?xf16>, %Y: memref<?x?xf16>, %eps: f32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %zeros = arith.constant dense<0.0> : vector<8xf32>
    %n = memref.dim %X, %c1 : memref<?x?xf16>
    %x = tile.view %X : memref<?x?xf16>
    %y = tile.view %Y : memref<?x?xf16>
    %w = tile.view %W extents(%n) : memref<?xf16> to !vector
    %row = gpu.block_id x
    tile.version %X divisible_by 8, %Y divisible_by 8 : memref<?x?xf16>, memref<?x?xf16> {
      %rx = tile.alloc : !wide
      %rw = tile.alloc : !wide
      %mx = tile.local_view %rx : !wide
      %mw = tile.local_view %rw : !wide
      %squares = affine.for %c = 0 to %n step 2048 iter_args(%acc = %zeros) -> vector<8xf32> {
        tile.copy %x[%row, %c] [1, 2048] to %rx scope(cta) masked fill(%zero : f32) : !matrix to !wide
        %v = vector.load %mx[%c0] : memref<8xf32>, vector<8xf32>
        %q = math.fma %v, %v, %acc : vector<8xf32>
        affine.yield %q : vector<8xf32>
      }
      %part = vector.reduction <add>, %squares : vector<8xf32> into f32
      %sum = gpu.all_reduce add %part uniform {} : (f32) -> f32
      %ni = arith.index_cast %n : index to i32
      %nf = arith.sitofp %ni : i32 to f32
      %mean = arith.divf %sum, %nf : f32
      %me = arith.addf %mean, %eps : f32
      %scale = math.rsqrt %me fastmath<afn> : f32
      %scales = vector.broadcast %scale : f32 to vector<8xf32>
      affine.for %c = 0 to %n step 2048 {
        tile.copy %x[%row, %c] [1, 2048] to %rx scope(cta) masked fill(%zero : f32) : !matrix to !wide
        tile.copy %w[0, %c] [1, 2048] to %rw scope(cta) masked fill(%zero : f32) : !vector to !wide
        %v = vector.load %mx[%c0] : memref<8xf32>, vector<8xf32>
        %g = vector.load %mw[%c0] : memref<8xf32>, vector<8xf32>
        %t = arith.mulf %v, %scales : vector<8xf32>
        %u = arith.mulf %t, %g : vector<8xf32>
        vector.store %u, %mx[%c0] : memref<8xf32>, vector<8xf32>
        tile.copy %rx to %y[%row, %c] [1, 2048] scope(cta) masked : !wide to !matrix
      }
    }
    gpu.return
  }
}
