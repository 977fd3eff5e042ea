// Softmax along long rows of f32: a kernel for each range of lengths. Shorter rows: softmax.mlir.

!elements = !tile.buffer<?xf32, global>
// A row of up to 16384 elements, and one of up to 32768. A thread has 8 vectors of 4 elements, and one element on either side of all
// vectors.
!all_16384 = !tile.buffer<512x34xf32, local, #tile.layout<(512, 34) : (1@tx, 1)>>
!vectors_16384 = !tile.buffer<512x32xf32, local, #tile.layout<(512, 32) : (1@tx, 1)>>
!quads_16384 = !tile.buffer<512x8x4xf32, local, #tile.layout<(512, 8, 4) : (1@tx, 4, 1)>>
!pieces_16384 = !tile.buffer<8x512x4xf32, local, #tile.layout<(8, 512, 4) : (4, 1@tx, 1)>>
!row_16384 = !tile.buffer<16384xf32, local, #tile.layout<(8, 512, 4) : (4, 1@tx, 1)>>
!all_32768 = !tile.buffer<1024x34xf32, local, #tile.layout<(1024, 34) : (1@tx, 1)>>
!vectors_32768 = !tile.buffer<1024x32xf32, local, #tile.layout<(1024, 32) : (1@tx, 1)>>
!quads_32768 = !tile.buffer<1024x8x4xf32, local, #tile.layout<(1024, 8, 4) : (1@tx, 4, 1)>>
!pieces_32768 = !tile.buffer<8x1024x4xf32, local, #tile.layout<(8, 1024, 4) : (4, 1@tx, 1)>>
!row_32768 = !tile.buffer<32768xf32, local, #tile.layout<(8, 1024, 4) : (4, 1@tx, 1)>>
// What a block has of a row of up to 53248 elements, of which 8 blocks have 6656 each, a thread 13 vectors.
!all = !tile.buffer<128x54xf32, local, #tile.layout<(128, 54) : (1@tx, 1)>>
!vectors = !tile.buffer<128x52xf32, local, #tile.layout<(128, 52) : (1@tx, 1)>>
!quads = !tile.buffer<128x13x4xf32, local, #tile.layout<(128, 13, 4) : (1@tx, 4, 1)>>
!pieces = !tile.buffer<13x128x4xf32, local, #tile.layout<(13, 128, 4) : (4, 1@tx, 1)>>
!eighth = !tile.buffer<6656xf32, local, #tile.layout<(13, 128, 4) : (4, 1@tx, 1)>>
// 16384 elements of a row of any length, and what stays in shared memory of it.
!some = !tile.buffer<1024x16xf32, local, #tile.layout<(1024, 16) : (1@tx, 1)>>
!some_quads = !tile.buffer<1024x4x4xf32, local, #tile.layout<(1024, 4, 4) : (1@tx, 4, 1)>>
!some_pieces = !tile.buffer<4x1024x4xf32, local, #tile.layout<(4, 1024, 4) : (4, 1@tx, 1)>>
!piece = !tile.buffer<16384xf32, local, #tile.layout<(4, 1024, 4) : (4, 1@tx, 1)>>
!ends = !tile.buffer<1024x2xf32, local, #tile.layout<(1024, 2) : (1@tx, 1)>>
!each = !tile.buffer<1024x1xf32, local, #tile.layout<(1024, 1) : (1@tx, 1)>>
!kept = !tile.buffer<49152xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // The largest element of what a block has, and the sum of exponentials below it.
  llvm.mlir.global internal @numbers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x f32>

  // The elements from a multiple of 16 bytes to another, those in front of them and behind, 3 at most on each side, each with the first
  // of them; and whether there are any but the vectors. Rows begin anywhere.
  func.func private @parts(%X: memref<?x?xf32, strided<[?, 1]>>, %row: index)
      -> (!elements, index, !elements, index, !elements, index, i1) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %X
      : memref<?x?xf32, strided<[?, 1]>> -> memref<f32>, index, index, index, index, index
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
      : memref<?x?xf32, strided<[?, 1]>> to memref<?xf32>
    %vectors = tile.view %flat extents(%last) : memref<?xf32> to !elements
    %head = tile.view %flat extents(%stop) : memref<?xf32> to !elements
    %tail = tile.view %flat : memref<?xf32> to !elements
    %either = arith.ori %over, %begin : index
    %odd = arith.remui %either, %c4 : index
    %is_odd = arith.cmpi ne, %odd, %c0 : index
    return %vectors, %first, %head, %begin, %tail, %after, %is_odd : !elements, index, !elements, index, !elements, index, i1
  }

  // A row of up to 16384 elements a block.
  gpu.func @softmax_16384(%X: memref<?x?xf32, strided<[?, 1]>>, %Y: memref<?x?xf32, strided<[?, 1]>>) kernel
      attributes {known_block_size = array<i32: 512, 1, 1>} {
    %one = arith.constant 1.0 : f32
    %row = gpu.block_id x
    %x, %first, %head, %begin, %tail, %after, %is_odd = func.call @parts(%X, %row)
      : (memref<?x?xf32, strided<[?, 1]>>, index) -> (!elements, index, !elements, index, !elements, index, i1)
    %y, %yfirst, %yhead, %ybegin, %ytail, %yafter, %same = func.call @parts(%Y, %row)
      : (memref<?x?xf32, strided<[?, 1]>>, index) -> (!elements, index, !elements, index, !elements, index, i1)
    %all = tile.alloc : !all_16384
    %vectors = tile.subview %all[0, 0] [512, 32] : !all_16384
    %quads = tile.reshape %vectors : !vectors_16384 to !quads_16384
    %pieces = tile.permute %quads [1, 0, 2] : !quads_16384
    %v = tile.reshape %pieces : !pieces_16384 to !row_16384
    tile.copy %x[%first] to %v scope(cta) masked fill(-inf) : !elements to !row_16384
    tile.copy %head[%begin] [512] to %all[0, 32] [512, 1] scope(cta) masked fill(-inf) : !elements to !all_16384
    tile.copy %tail[%after] [512] to %all[0, 33] [512, 1] scope(cta) masked fill(-inf) : !elements to !all_16384

    %max = tile.total max %all scope(cta) : !all_16384 to f32
    tile.map %all to %all scope(cta) : !all_16384 to !all_16384 {
    ^bb0(%e: f32):
      %below = arith.subf %e, %max : f32
      %power = math.exp %below fastmath<afn> : f32
      tile.yield %power : f32
    }
    %sum = tile.total add %all scope(cta) : !all_16384 to f32
    %scale = arith.divf %one, %sum : f32
    tile.map %all to %all scope(cta) : !all_16384 to !all_16384 {
    ^bb0(%power: f32):
      %share = arith.mulf %power, %scale : f32
      tile.yield %share : f32
    }

    tile.copy %v to %y[%yfirst] scope(cta) masked : !row_16384 to !elements
    scf.if %is_odd {
      gpu.barrier
      tile.copy %all[0, 32] [512, 1] to %yhead[%ybegin] [512] scope(cta) masked : !all_16384 to !elements
      gpu.barrier
      tile.copy %all[0, 33] [512, 1] to %ytail[%yafter] [512] scope(cta) masked : !all_16384 to !elements
    }
    gpu.return
  }

  // A row of up to 32768 elements a block.
  gpu.func @softmax_32768(%X: memref<?x?xf32, strided<[?, 1]>>, %Y: memref<?x?xf32, strided<[?, 1]>>) kernel
      attributes {known_block_size = array<i32: 1024, 1, 1>} {
    %one = arith.constant 1.0 : f32
    %row = gpu.block_id x
    %x, %first, %head, %begin, %tail, %after, %is_odd = func.call @parts(%X, %row)
      : (memref<?x?xf32, strided<[?, 1]>>, index) -> (!elements, index, !elements, index, !elements, index, i1)
    %y, %yfirst, %yhead, %ybegin, %ytail, %yafter, %same = func.call @parts(%Y, %row)
      : (memref<?x?xf32, strided<[?, 1]>>, index) -> (!elements, index, !elements, index, !elements, index, i1)
    %all = tile.alloc : !all_32768
    %vectors = tile.subview %all[0, 0] [1024, 32] : !all_32768
    %quads = tile.reshape %vectors : !vectors_32768 to !quads_32768
    %pieces = tile.permute %quads [1, 0, 2] : !quads_32768
    %v = tile.reshape %pieces : !pieces_32768 to !row_32768
    tile.copy %x[%first] to %v scope(cta) masked fill(-inf) : !elements to !row_32768
    tile.copy %head[%begin] [1024] to %all[0, 32] [1024, 1] scope(cta) masked fill(-inf) : !elements to !all_32768
    tile.copy %tail[%after] [1024] to %all[0, 33] [1024, 1] scope(cta) masked fill(-inf) : !elements to !all_32768

    %max = tile.total max %all scope(cta) : !all_32768 to f32
    tile.map %all to %all scope(cta) : !all_32768 to !all_32768 {
    ^bb0(%e: f32):
      %below = arith.subf %e, %max : f32
      %power = math.exp %below fastmath<afn> : f32
      tile.yield %power : f32
    }
    %sum = tile.total add %all scope(cta) : !all_32768 to f32
    %scale = arith.divf %one, %sum : f32
    tile.map %all to %all scope(cta) : !all_32768 to !all_32768 {
    ^bb0(%power: f32):
      %share = arith.mulf %power, %scale : f32
      tile.yield %share : f32
    }

    tile.copy %v to %y[%yfirst] scope(cta) masked : !row_32768 to !elements
    scf.if %is_odd {
      gpu.barrier
      tile.copy %all[0, 32] [1024, 1] to %yhead[%ybegin] [1024] scope(cta) masked : !all_32768 to !elements
      gpu.barrier
      tile.copy %all[0, 33] [1024, 1] to %ytail[%yafter] [1024] scope(cta) masked : !all_32768 to !elements
    }
    gpu.return
  }

  // A row of up to 53248 elements a cluster of 8 blocks.
  gpu.func @softmax_53248(%X: memref<?x?xf32, strided<[?, 1]>>, %Y: memref<?x?xf32, strided<[?, 1]>>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 8, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c6656 = arith.constant 6656 : index
    %least = arith.constant -3.4028234663852886e38 : f32
    %zero = arith.constant 0.0 : f32
    %thread = gpu.thread_id x
    %block = gpu.block_id x
    %row = arith.divui %block, %c8 : index
    %rank = arith.remui %block, %c8 : index
    %x, %first, %head, %begin, %tail, %after, %is_odd = func.call @parts(%X, %row)
      : (memref<?x?xf32, strided<[?, 1]>>, index) -> (!elements, index, !elements, index, !elements, index, i1)
    %y, %yfirst, %yhead, %ybegin, %ytail, %yafter, %same = func.call @parts(%Y, %row)
      : (memref<?x?xf32, strided<[?, 1]>>, index) -> (!elements, index, !elements, index, !elements, index, i1)
    // Vectors of this block. The first block has what is on either side of them: 4 elements further there is nothing.
    %offset = arith.muli %rank, %c6656 : index
    %aside = arith.muli %rank, %c4 : index
    %xv = arith.addi %first, %offset : index
    %xh = arith.addi %begin, %aside : index
    %xt = arith.addi %after, %aside : index
    %yv = arith.addi %yfirst, %offset : index
    %yh = arith.addi %ybegin, %aside : index
    %yt = arith.addi %yafter, %aside : index
    %all = tile.alloc : !all
    %vectors = tile.subview %all[0, 0] [128, 52] : !all
    %quads = tile.reshape %vectors : !vectors to !quads
    %pieces = tile.permute %quads [1, 0, 2] : !quads
    %v = tile.reshape %pieces : !pieces to !eighth
    tile.copy %x[%xv] to %v scope(cta) masked fill(-inf) : !elements to !eighth
    tile.copy %head[%xh] [128] to %all[0, 52] [128, 1] scope(cta) masked fill(-inf) : !elements to !all
    tile.copy %tail[%xt] [128] to %all[0, 53] [128, 1] scope(cta) masked fill(-inf) : !elements to !all

    %largest = tile.total max %all scope(cta) : !all to f32
    %max = arith.maximumf %largest, %least : f32
    tile.map %all to %all scope(cta) : !all to !all {
    ^bb0(%e: f32):
      %below = arith.subf %e, %max : f32
      %power = math.exp %below fastmath<afn> : f32
      tile.yield %power : f32
    }
    %sum = tile.total add %all scope(cta) : !all to f32

    %max_here = llvm.mlir.addressof @numbers : !llvm.ptr<3>
    %sum_here = llvm.getelementptr %max_here[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
    %is_first = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_first {
      llvm.store %max, %max_here : f32, !llvm.ptr<3>
      llvm.store %sum, %sum_here : f32, !llvm.ptr<3>
    }
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    %most, %sums = affine.for %k = 0 to 8 iter_args(%seen = %least, %so = %zero) -> (f32, f32) {
      %other = arith.index_cast %k : index to i32
      %max_there = nvvm.mapa %max_here, %other : !llvm.ptr<3> -> !llvm.ptr<7>
      %sum_there = nvvm.mapa %sum_here, %other : !llvm.ptr<3> -> !llvm.ptr<7>
      %new = llvm.load %max_there : !llvm.ptr<7> -> f32
      %more = llvm.load %sum_there : !llvm.ptr<7> -> f32
      %larger = arith.maximumf %seen, %new : f32
      %down = arith.subf %seen, %larger : f32
      %factor = math.exp %down fastmath<afn> : f32
      %new_down = arith.subf %new, %larger : f32
      %new_factor = math.exp %new_down fastmath<afn> : f32
      %kept = arith.mulf %so, %factor : f32
      %together = math.fma %more, %new_factor, %kept : f32
      affine.yield %larger, %together : f32, f32
    }
    nvvm.cluster.arrive {aligned}

    %lower = arith.subf %max, %most : f32
    %factor = math.exp %lower fastmath<afn> : f32
    %scale = arith.divf %factor, %sums : f32
    tile.map %all to %all scope(cta) : !all to !all {
    ^bb0(%power: f32):
      %share = arith.mulf %power, %scale : f32
      tile.yield %share : f32
    }
    tile.copy %v to %y[%yv] scope(cta) masked : !eighth to !elements
    gpu.barrier
    tile.copy %all[0, 52] [128, 1] to %yhead[%yh] [128] scope(cta) masked : !all to !elements
    gpu.barrier
    tile.copy %all[0, 53] [128, 1] to %ytail[%yt] [128] scope(cta) masked : !all to !elements
    nvvm.cluster.wait {aligned}
    gpu.return
  }

  // A row of any length a block, read twice but for its first 49152 elements. A thread has the maximum of what it has seen, and the sum of
  // exponentials below it.
  gpu.func @softmax_long(%X: memref<?x?xf32, strided<[?, 1]>>, %Y: memref<?x?xf32, strided<[?, 1]>>) kernel
      attributes {known_block_size = array<i32: 1024, 1, 1>} {
    %c1 = arith.constant 1 : index
    %c16384 = arith.constant 16384 : index
    %c49152 = arith.constant 49152 : index
    %one = arith.constant 1.0 : f32
    %row = gpu.block_id x
    %length = memref.dim %X, %c1 : memref<?x?xf32, strided<[?, 1]>>
    %x, %first, %head, %begin, %tail, %after, %is_odd = func.call @parts(%X, %row)
      : (memref<?x?xf32, strided<[?, 1]>>, index) -> (!elements, index, !elements, index, !elements, index, i1)
    %y, %yfirst, %yhead, %ybegin, %ytail, %yafter, %same = func.call @parts(%Y, %row)
      : (memref<?x?xf32, strided<[?, 1]>>, index) -> (!elements, index, !elements, index, !elements, index, i1)
    %some = tile.alloc : !some
    %quads = tile.reshape %some : !some to !some_quads
    %pieces = tile.permute %quads [1, 0, 2] : !some_quads
    %v = tile.reshape %pieces : !some_pieces to !piece
    %kept, %ends, %new, %max, %sum = tile.allocs : !kept, !ends, !each, !each, !each
    tile.copy %head[%begin] [1024] to %ends[0, 0] [1024, 1] scope(cta) masked fill(-inf) : !elements to !ends
    tile.copy %tail[%after] [1024] to %ends[0, 1] [1024, 1] scope(cta) masked fill(-inf) : !elements to !ends
    tile.fill -3.4028234663852886e38 to %max scope(cta) : !each
    tile.fill 0.0 to %sum scope(cta) : !each
    affine.for %i = 0 to %length step 16384 {
      %from = arith.addi %first, %i : index
      tile.copy %x[%from] to %v scope(cta) masked fill(-inf) : !elements to !piece
      %is_kept = arith.cmpi ult, %i, %c49152 : index
      scf.if %is_kept {
        tile.copy %v to %kept[%i] scope(cta) : !piece to !kept
      }
      tile.reduce max %some to %new dim(1) scope(cta) : !some to !each
      tile.map %new, %max, %sum to %max, %sum scope(cta) : !each, !each, !each to !each, !each {
      ^bb0(%most: f32, %seen: f32, %so: f32):
        %larger = arith.maximumf %most, %seen : f32
        %down = arith.subf %seen, %larger : f32
        %factor = math.exp %down fastmath<afn> : f32
        %less = arith.mulf %so, %factor : f32
        tile.yield %larger, %less : f32, f32
      }
      tile.map %some, %max to %some scope(cta) : !some, !each to !some {
      ^bb0(%e: f32, %larger: f32):
        %below = arith.subf %e, %larger : f32
        %power = math.exp %below fastmath<afn> : f32
        tile.yield %power : f32
      }
      tile.reduce add %some to %new dim(1) scope(cta) : !some to !each
      tile.map { arith.addf } %sum, %new to %sum scope(cta) : !each, !each to !each
    }

    %inner = tile.total max %max scope(cta) : !each to f32
    %outer = tile.total max %ends scope(cta) : !ends to f32
    %largest = arith.maximumf %inner, %outer : f32
    tile.map %sum, %max to %sum scope(cta) : !each, !each to !each {
    ^bb0(%so: f32, %seen: f32):
      %down = arith.subf %seen, %largest : f32
      %factor = math.exp %down fastmath<afn> : f32
      %less = arith.mulf %so, %factor : f32
      tile.yield %less : f32
    }
    tile.map %ends to %ends scope(cta) : !ends to !ends {
    ^bb0(%e: f32):
      %below = arith.subf %e, %largest : f32
      %power = math.exp %below fastmath<afn> : f32
      tile.yield %power : f32
    }
    %inner_sum = tile.total add %sum scope(cta) : !each to f32
    %outer_sum = tile.total add %ends scope(cta) : !ends to f32
    %sums = arith.addf %inner_sum, %outer_sum : f32
    %scale = arith.divf %one, %sums : f32

    // The last piece first: what was read last is in the L2 cache.
    %count = arith.ceildivui %length, %c16384 : index
    affine.for %k = 0 to %count {
      %done = arith.addi %k, %c1 : index
      %piece = arith.subi %count, %done : index
      %i = arith.muli %piece, %c16384 : index
      %from = arith.addi %first, %i : index
      %to = arith.addi %yfirst, %i : index
      %is_kept = arith.cmpi ult, %i, %c49152 : index
      scf.if %is_kept {
        tile.copy %kept[%i] to %v scope(cta) : !kept to !piece
      } else {
        tile.copy %x[%from] to %v scope(cta) masked : !elements to !piece
      }
      tile.map %some to %some scope(cta) : !some to !some {
      ^bb0(%e: f32):
        %below = arith.subf %e, %largest : f32
        %power = math.exp %below fastmath<afn> : f32
        %share = arith.mulf %power, %scale : f32
        tile.yield %share : f32
      }
      tile.copy %v to %y[%to] scope(cta) masked : !piece to !elements
    }
    scf.if %is_odd {
      tile.map %ends to %ends scope(cta) : !ends to !ends {
      ^bb0(%power: f32):
        %share = arith.mulf %power, %scale : f32
        tile.yield %share : f32
      }
      gpu.barrier
      tile.copy %ends[0, 0] [1024, 1] to %yhead[%ybegin] [1024] scope(cta) masked : !ends to !elements
      gpu.barrier
      tile.copy %ends[0, 1] [1024, 1] to %ytail[%yafter] [1024] scope(cta) masked : !ends to !elements
    }
    gpu.return
  }
}
