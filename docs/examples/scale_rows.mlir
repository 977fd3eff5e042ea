// Each row of f32 times the reciprocal of its largest magnitude, and that number: a kernel for each range of lengths.

!rows = !tile.buffer<?x?xf32, global>
!elements = !tile.buffer<?xf32, global>
// 16 rows of up to 64 elements: 16 lanes a row, 2 rows each.
!x64 = !tile.buffer<16x64xf32, local, #tile.layout<(2, 4, 2, 16, 4) : (4, 1@warpid, 16@laneid, 1@laneid, 1)>>
!each64 = !tile.buffer<16x1xf32, local, #tile.layout<(2, 4, 2, 1) : (1, 1@warpid, 16@laneid, 1) + R(16 : 1@laneid)>>
// 4 rows of up to 512 or 1024 elements, a warp each.
!x512 = !tile.buffer<4x512xf32, local, #tile.layout<(4, 4, 32, 4) : (1@warpid, 4, 1@laneid, 1)>>
!each512 = !tile.buffer<4x1xf32, local, #tile.layout<(4, 1) : (1@warpid, 1) + R(32 : 1@laneid)>>
!x1024 = !tile.buffer<4x1024xf32, local, #tile.layout<(4, 8, 32, 4) : (1@warpid, 4, 1@laneid, 1)>>
!each1024 = !tile.buffer<4x1xf32, local, #tile.layout<(4, 1) : (1@warpid, 1) + R(32 : 1@laneid)>>
// A row of up to 10240 elements. A thread has 8 vectors of 4 elements, and one element on either side of all vectors.
!all = !tile.buffer<320x34xf32, local, #tile.layout<(320, 34) : (1@tx, 1)>>
!vectors = !tile.buffer<320x32xf32, local, #tile.layout<(320, 32) : (1@tx, 1)>>
!quads = !tile.buffer<320x8x4xf32, local, #tile.layout<(320, 8, 4) : (1@tx, 4, 1)>>
!pieces = !tile.buffer<8x320x4xf32, local, #tile.layout<(8, 320, 4) : (4, 1@tx, 1)>>
!row = !tile.buffer<10240xf32, local, #tile.layout<(8, 320, 4) : (4, 1@tx, 1)>>
!one = !tile.buffer<1xf32, local, #tile.layout<(1) : (1) + R(320 : 1@tx)>>
// What a block has of a row of up to 53248 elements, of which 8 blocks have 6656 each: 13 vectors a thread.
!all_eighth = !tile.buffer<128x54xf32, local, #tile.layout<(128, 54) : (1@tx, 1)>>
!vectors_eighth = !tile.buffer<128x52xf32, local, #tile.layout<(128, 52) : (1@tx, 1)>>
!quads_eighth = !tile.buffer<128x13x4xf32, local, #tile.layout<(128, 13, 4) : (1@tx, 4, 1)>>
!pieces_eighth = !tile.buffer<13x128x4xf32, local, #tile.layout<(13, 128, 4) : (4, 1@tx, 1)>>
!eighth = !tile.buffer<6656xf32, local, #tile.layout<(13, 128, 4) : (4, 1@tx, 1)>>
!one_eighth = !tile.buffer<1xf32, local, #tile.layout<(1) : (1) + R(128 : 1@tx)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // The largest magnitude of what a block has.
  llvm.mlir.global internal @number() {addr_space = 3 : i32, alignment = 4 : i64} : f32

  // The elements from a multiple of 16 bytes to another, those in front of them and behind, 3 at most on each side, each with the first
  // of them; and whether there are any but the vectors. Rows begin anywhere.
  func.func private @parts(%X: memref<?x?xf32>, %row: index)
      -> (!elements, index, !elements, index, !elements, index, i1) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %X
      : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
    %begin = arith.muli %row, %strides#0 : index
    %end = arith.addi %begin, %sizes#1 : index
    %over = arith.remui %end, %c4 : index
    %down = arith.subi %end, %over : index
    %last = tile.assume %down divisible_by 4 : index
    %beyond = arith.addi %begin, %c3 : index
    %more = arith.remui %beyond, %c4 : index
    %up = arith.subi %beyond, %more : index
    %first = tile.assume %up divisible_by 4 : index
    %stop = arith.minui %first, %end : index
    %after = arith.maxui %first, %last : index
    %flat = memref.reinterpret_cast %X to offset: [0], sizes: [%end], strides: [1]
      : memref<?x?xf32> to memref<?xf32>
    %vectors = tile.view %flat extents(%last) : memref<?xf32> to !elements
    %head = tile.view %flat extents(%stop) : memref<?xf32> to !elements
    %tail = tile.view %flat : memref<?xf32> to !elements
    %either = arith.ori %over, %begin : index
    %odd = arith.remui %either, %c4 : index
    %is_odd = arith.cmpi ne, %odd, %c0 : index
    return %vectors, %first, %head, %begin, %tail, %after, %is_odd : !elements, index, !elements, index, !elements, index, i1
  }

  // Rows of up to 64 elements, 16 a block.
  gpu.func @scale_rows_64(%X: memref<?x?xf32>, %M: memref<?xf32>, %Y: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c16 = arith.constant 16 : index
    %unit = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %row = arith.muli %block, %c16 : index
    %x = tile.view %X : memref<?x?xf32>
    %y = tile.view %Y : memref<?x?xf32>
    %numbers = tile.view %M : memref<?xf32>
    %v, %size, %most, %scale = tile.allocs : !x64, !x64, !each64, !each64
    tile.version %X divisible_by 4, %Y divisible_by 4 : memref<?x?xf32>, memref<?x?xf32> {
      tile.copy %x[%row, 0] to %v scope(cta) masked fill(0.0) : !rows to !x64
      tile.map { math.absf } %v to %size scope(cta) : !x64 to !x64
      tile.reduce max %size to %most dim(1) scope(cta) : !x64 to !each64
      tile.copy %most to %numbers[%row] [16] scope(cta) masked : !each64 to !elements
      tile.map %most to %scale scope(cta) : !each64 to !each64 {
      ^bb0(%m: f32):
        %factor = arith.divf %unit, %m : f32
        tile.yield %factor : f32
      }
      tile.map { arith.mulf } %v, %scale to %v scope(cta) : !x64, !each64 to !x64
      tile.copy %v to %y[%row, 0] scope(cta) masked : !x64 to !rows
    }
    gpu.return
  }

  // Rows of up to 512 elements, 4 a block.
  gpu.func @scale_rows_512(%X: memref<?x?xf32>, %M: memref<?xf32>, %Y: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c4 = arith.constant 4 : index
    %unit = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %row = arith.muli %block, %c4 : index
    %x = tile.view %X : memref<?x?xf32>
    %y = tile.view %Y : memref<?x?xf32>
    %numbers = tile.view %M : memref<?xf32>
    %v, %size, %most, %scale = tile.allocs : !x512, !x512, !each512, !each512
    tile.version %X divisible_by 4, %Y divisible_by 4 : memref<?x?xf32>, memref<?x?xf32> {
      tile.copy %x[%row, 0] to %v scope(cta) masked fill(0.0) : !rows to !x512
      tile.map { math.absf } %v to %size scope(cta) : !x512 to !x512
      tile.reduce max %size to %most dim(1) scope(cta) : !x512 to !each512
      tile.copy %most to %numbers[%row] [4] scope(cta) masked : !each512 to !elements
      tile.map %most to %scale scope(cta) : !each512 to !each512 {
      ^bb0(%m: f32):
        %factor = arith.divf %unit, %m : f32
        tile.yield %factor : f32
      }
      tile.map { arith.mulf } %v, %scale to %v scope(cta) : !x512, !each512 to !x512
      tile.copy %v to %y[%row, 0] scope(cta) masked : !x512 to !rows
    }
    gpu.return
  }

  // Rows of up to 1024 elements, 4 a block.
  gpu.func @scale_rows_1024(%X: memref<?x?xf32>, %M: memref<?xf32>, %Y: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c4 = arith.constant 4 : index
    %unit = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %row = arith.muli %block, %c4 : index
    %x = tile.view %X : memref<?x?xf32>
    %y = tile.view %Y : memref<?x?xf32>
    %numbers = tile.view %M : memref<?xf32>
    %v, %size, %most, %scale = tile.allocs : !x1024, !x1024, !each1024, !each1024
    tile.version %X divisible_by 4, %Y divisible_by 4 : memref<?x?xf32>, memref<?x?xf32> {
      tile.copy %x[%row, 0] to %v scope(cta) masked fill(0.0) : !rows to !x1024
      tile.map { math.absf } %v to %size scope(cta) : !x1024 to !x1024
      tile.reduce max %size to %most dim(1) scope(cta) : !x1024 to !each1024
      tile.copy %most to %numbers[%row] [4] scope(cta) masked : !each1024 to !elements
      tile.map %most to %scale scope(cta) : !each1024 to !each1024 {
      ^bb0(%m: f32):
        %factor = arith.divf %unit, %m : f32
        tile.yield %factor : f32
      }
      tile.map { arith.mulf } %v, %scale to %v scope(cta) : !x1024, !each1024 to !x1024
      tile.copy %v to %y[%row, 0] scope(cta) masked : !x1024 to !rows
    }
    gpu.return
  }

  // A row of up to 10240 elements a block.
  gpu.func @scale_rows_10240(%X: memref<?x?xf32>, %M: memref<?xf32>, %Y: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 320, 1, 1>} {
    %unit = arith.constant 1.0 : f32
    %row = gpu.block_id x
    %x, %first, %head, %begin, %tail, %after, %is_odd = func.call @parts(%X, %row)
      : (memref<?x?xf32>, index) -> (!elements, index, !elements, index, !elements, index, i1)
    %y, %yfirst, %yhead, %ybegin, %ytail, %yafter, %same = func.call @parts(%Y, %row)
      : (memref<?x?xf32>, index) -> (!elements, index, !elements, index, !elements, index, i1)
    %numbers = tile.view %M : memref<?xf32>
    %all, %one = tile.allocs : !all, !one
    %vectors = tile.subview %all[0, 0] [320, 32] : !all
    %quads = tile.reshape %vectors : !vectors to !quads
    %pieces = tile.permute %quads [1, 0, 2] : !quads
    %v = tile.reshape %pieces : !pieces to !row
    tile.copy %x[%first] to %v scope(cta) masked fill(0.0) : !elements to !row
    tile.copy %head[%begin] [320] to %all[0, 32] [320, 1] scope(cta) masked fill(0.0) : !elements to !all
    tile.copy %tail[%after] [320] to %all[0, 33] [320, 1] scope(cta) masked fill(0.0) : !elements to !all
    %most = tile.total max %all scope(cta) : !all to f32 of {
    ^bb0(%e: f32):
      %size = math.absf %e : f32
      tile.yield %size : f32
    }
    tile.fill %most to %one scope(cta) : f32 to !one
    tile.copy %one to %numbers[%row] scope(cta) : !one to !elements
    %scale = arith.divf %unit, %most : f32
    tile.map %all to %all scope(cta) : !all to !all {
    ^bb0(%e: f32):
      %r = arith.mulf %e, %scale : f32
      tile.yield %r : f32
    }
    tile.copy %v to %y[%yfirst] scope(cta) masked : !row to !elements
    scf.if %is_odd {
      gpu.barrier
      tile.copy %all[0, 32] [320, 1] to %yhead[%ybegin] [320] scope(cta) masked : !all to !elements
      gpu.barrier
      tile.copy %all[0, 33] [320, 1] to %ytail[%yafter] [320] scope(cta) masked : !all to !elements
    }
    gpu.return
  }

  // A row of up to 53248 elements a cluster of 8 blocks.
  gpu.func @scale_rows_53248(%X: memref<?x?xf32>, %M: memref<?xf32>, %Y: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 8, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c6656 = arith.constant 6656 : index
    %none = arith.constant 0.0 : f32
    %unit = arith.constant 1.0 : f32
    %thread = gpu.thread_id x
    %block = gpu.block_id x
    %row = arith.divui %block, %c8 : index
    %rank = arith.remui %block, %c8 : index
    %x, %first, %head, %begin, %tail, %after, %is_odd = func.call @parts(%X, %row)
      : (memref<?x?xf32>, index) -> (!elements, index, !elements, index, !elements, index, i1)
    %y, %yfirst, %yhead, %ybegin, %ytail, %yafter, %same = func.call @parts(%Y, %row)
      : (memref<?x?xf32>, index) -> (!elements, index, !elements, index, !elements, index, i1)
    // Vectors of this block. The first block has what is on either side of them, and the number: further on there is nothing.
    %offset = arith.muli %rank, %c6656 : index
    %aside = arith.muli %rank, %c4 : index
    %xv = arith.addi %first, %offset : index
    %xh = arith.addi %begin, %aside : index
    %xt = arith.addi %after, %aside : index
    %yv = arith.addi %yfirst, %offset : index
    %yh = arith.addi %ybegin, %aside : index
    %yt = arith.addi %yafter, %aside : index
    %entry = arith.addi %row, %rank : index
    %end = arith.addi %row, %c1 : index
    %numbers = tile.view %M extents(%end) : memref<?xf32> to !elements
    %all, %one = tile.allocs : !all_eighth, !one_eighth
    %vectors = tile.subview %all[0, 0] [128, 52] : !all_eighth
    %quads = tile.reshape %vectors : !vectors_eighth to !quads_eighth
    %pieces = tile.permute %quads [1, 0, 2] : !quads_eighth
    %v = tile.reshape %pieces : !pieces_eighth to !eighth
    tile.copy %x[%xv] to %v scope(cta) masked fill(%none : f32) : !elements to !eighth
    tile.copy %head[%xh] [128] to %all[0, 52] [128, 1] scope(cta) masked fill(%none : f32) : !elements to !all_eighth
    tile.copy %tail[%xt] [128] to %all[0, 53] [128, 1] scope(cta) masked fill(%none : f32) : !elements to !all_eighth
    %largest = tile.total max %all scope(cta) : !all_eighth to f32 of {
    ^bb0(%e: f32):
      %size = math.absf %e : f32
      tile.yield %size : f32
    }

    %here = llvm.mlir.addressof @number : !llvm.ptr<3>
    %is_first = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_first {
      llvm.store %largest, %here : f32, !llvm.ptr<3>
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %among = affine.for %k = 0 to 8 iter_args(%seen = %none) -> f32 {
      %other = arith.index_cast %k : index to i32
      %there = nvvm.mapa %here, %other : !llvm.ptr<3> -> !llvm.ptr<7>
      %new = llvm.load %there : !llvm.ptr<7> -> f32
      %larger = arith.maximumf %seen, %new : f32
      affine.yield %larger : f32
    }
    nvvm.cluster.arrive {aligned}

    %most = tile.assume %among uniform(cta) : f32
    tile.fill %most to %one scope(cta) : f32 to !one_eighth
    tile.copy %one to %numbers[%entry] scope(cta) masked : !one_eighth to !elements
    %scale = arith.divf %unit, %most : f32
    tile.map %all to %all scope(cta) : !all_eighth to !all_eighth {
    ^bb0(%e: f32):
      %r = arith.mulf %e, %scale : f32
      tile.yield %r : f32
    }
    tile.copy %v to %y[%yv] scope(cta) masked : !eighth to !elements
    gpu.barrier
    tile.copy %all[0, 52] [128, 1] to %yhead[%yh] [128] scope(cta) masked : !all_eighth to !elements
    gpu.barrier
    tile.copy %all[0, 53] [128, 1] to %ytail[%yt] [128] scope(cta) masked : !all_eighth to !elements
    nvvm.cluster.wait {aligned}
    gpu.return
  }
}
