// C += A B for few rows by stream-K, with roles written by hand: f16, summed in f32. A is MxK, B is KxN, row by row; K and N are multiples
// of 8, M is any. C is filled beforehand.
!matrix = !tile.buffer<?x?xf16, global>
!result = !tile.buffer<?x?xf32, global>
!stages_a = !tile.buffer<4x128x64xf16, shared, #tile.layout<(4, 128, 64) : (8192, 64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!stage_a = !tile.buffer<128x64xf16, shared, #tile.layout<(128, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!half_a = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!stages_b = !tile.buffer<4x64x256xf16, shared, #tile.layout<(4, 64, 4, 64) : (16384, 64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!stage_b = !tile.buffer<64x256xf16, shared, #tile.layout<(64, 4, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!sums = !tile.buffer<64x256xf32, local, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<4 x i64>
  llvm.mlir.global internal @empty() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<4 x i64>

  gpu.func @stream_k(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %C: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 384, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %lanes = arith.constant -1 : i32
    %copies = arith.constant 2 : i32
    %readers = arith.constant 8 : i32
    %true = arith.constant true
    %m = memref.dim %A, %c0 : memref<?x?xf16>
    %depth = memref.dim %A, %c1 : memref<?x?xf16>
    %width = memref.dim %B, %c1 : memref<?x?xf16>
    %k = tile.assume %depth divisible_by 8 : index
    %n = tile.assume %width divisible_by 8 : index
    %a = tile.view %A extents(%m, %k) strides(%k) : memref<?x?xf16> to !matrix
    %b = tile.view %B extents(%k, %n) strides(%n) : memref<?x?xf16> to !matrix
    %c = tile.view %C extents(%m, %n) strides(%n) : memref<?x?xf32> to !result
    %sa, %sb = tile.allocs : !stages_a, !stages_b

    // The steps along K of all tiles, one tile after the other, are shared evenly: this block has `count` of them, from `begin` on.
    %rows = arith.ceildivui %m, %c128 : index
    %columns = arith.ceildivui %n, %c256 : index
    %steps = arith.ceildivui %k, %c64 : index
    %tiles = arith.muli %rows, %columns : index
    %units = arith.muli %tiles, %steps : index
    %block = gpu.block_id x
    %blocks = gpu.grid_dim x
    %share = arith.ceildivui %units, %blocks : index
    %from = arith.muli %block, %share : index
    %begin = arith.minui %from, %units : index
    %to = arith.addi %begin, %share : index
    %end = arith.minui %to, %units : index
    %count = arith.subi %end, %begin : index
    %last = arith.subi %end, %c1 : index
    %first_step = arith.remui %begin, %steps : index

    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty : !llvm.ptr<3>
    %thread = gpu.thread_id x
    %first = arith.cmpi eq, %thread, %c0 : index
    scf.if %first {
      affine.for %s = 0 to 4 {
        %i = arith.index_cast %s : index to i32
        %f = llvm.getelementptr %full[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        %e = llvm.getelementptr %empty[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        nvvm.mbarrier.init %f, %copies : !llvm.ptr<3>, i32
        nvvm.mbarrier.init %e, %readers : !llvm.ptr<3>, i32
      }
      nvvm.fence.mbarrier.init
    }
    gpu.barrier

    %group = arith.divui %thread, %c128 : index
    %produces = arith.cmpi eq, %group, %c0 : index
    scf.if %produces {
      nvvm.setmaxregister decrease 40
      %warp = arith.divui %thread, %c32 : index
      %one = arith.cmpi eq, %warp, %c0 : index
      scf.if %one {
        %first_tile = arith.divui %begin, %steps : index
        %first_y, %first_x = tile.block_order %first_tile of (%rows, %columns) grouped(8)
        %first_row = arith.muli %first_y, %c128 : index
        %first_column = arith.muli %first_x, %c256 : index
        %behind:3 = scf.for %t = %c0 to %count step %c1 iter_args(%step = %first_step, %row = %first_row, %column = %first_column)
            -> (index, index, index) {
          // Consumers release a stage one step after they have read it, so the first arrival on the last stage's mbarrier says nothing,
          // and its phases are one ahead of the others.
          %s = arith.remui %t, %c4 : index
          %lap = arith.divui %t, %c4 : index
          %odd = arith.remui %lap, %c2 : index
          %even = arith.subi %c1, %odd : index
          %is_last = arith.cmpi eq, %s, %c3 : index
          %parity = arith.select %is_last, %odd, %even : index
          %p = arith.index_cast %parity : index to i32
          %i = arith.index_cast %s : index to i32
          %f = llvm.getelementptr %full[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %e = llvm.getelementptr %empty[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          scf.while : () -> () {
            %done = nvvm.mbarrier.try_wait %e, %p : !llvm.ptr<3>, i32 -> i1
            %again = arith.xori %done, %true : i1
            scf.condition(%again)
          } do {
            scf.yield
          }
          nvvm.bar.warp.sync %lanes : i32
          %at = arith.muli %step, %c64 : index
          %ta = tile.subview %sa[%s, 0, 0] [1, 128, 64] : !stages_a to !stage_a
          %tb = tile.subview %sb[%s, 0, 0] [1, 64, 256] : !stages_b to !stage_b
          tile.copy_async %a[%row, %at] [128, 64] to %ta scope(warp) mbarrier(%f : !llvm.ptr<3>) masked fill(0.0)
            {variant = "tma"} : !matrix to !stage_a
          tile.copy_async %b[%at, %column] [64, 256] to %tb scope(warp) mbarrier(%f : !llvm.ptr<3>) masked fill(0.0)
            {variant = "tma"} : !matrix to !stage_b
          %next = arith.addi %step, %c1 : index
          %wraps = arith.cmpi eq, %next, %steps : index
          %next_step = arith.select %wraps, %c0, %next : index
          %next_row, %next_column = scf.if %wraps -> (index, index) {
            %after = arith.addi %t, %c1 : index
            %u = arith.addi %begin, %after : index
            %tile = arith.divui %u, %steps : index
            %y, %x = tile.block_order %tile of (%rows, %columns) grouped(8)
            %r = arith.muli %y, %c128 : index
            %q = arith.muli %x, %c256 : index
            scf.yield %r, %q : index, index
          } else {
            scf.yield %row, %column : index, index
          }
          scf.yield %next_step, %next_row, %next_column : index, index, index
        }
      }
    } else {
      nvvm.setmaxregister increase 232
      %lane = arith.remui %thread, %c32 : index
      %lead = arith.cmpi eq, %lane, %c0 : index
      %consumer = arith.subi %group, %c1 : index
      %mine = arith.muli %consumer, %c64 : index
      %sums = tile.alloc : !sums
      tile.fill 0.0 to %sums scope(warpgroup) : !sums
      %behind = scf.for %t = %c0 to %count step %c1 iter_args(%step = %first_step) -> (index) {
        %s = arith.remui %t, %c4 : index
        %lap = arith.divui %t, %c4 : index
        %parity = arith.remui %lap, %c2 : index
        %p = arith.index_cast %parity : index to i32
        %i = arith.index_cast %s : index to i32
        %f = llvm.getelementptr %full[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
        scf.while : () -> () {
          %done = nvvm.mbarrier.try_wait %f, %p : !llvm.ptr<3>, i32 -> i1
          %again = arith.xori %done, %true : i1
          scf.condition(%again)
        } do {
          scf.yield
        }
        %ta = tile.subview %sa[%s, %mine, 0] [1, 64, 64] : !stages_a to !half_a
        %tb = tile.subview %sb[%s, 0, 0] [1, 64, 256] : !stages_b to !stage_b
        tile.mma %ta, %tb, %sums scope(warpgroup) group : !half_a, !stage_b, !sums
        // The product of the step before is complete, and its stage free.
        nvvm.wgmma.wait.group.sync.aligned 1
        nvvm.bar.warp.sync %lanes : i32
        scf.if %lead {
          %moved = arith.addi %t, %c3 : index
          %before = arith.remui %moved, %c4 : index
          %j = arith.index_cast %before : index to i32
          %e = llvm.getelementptr %empty[%j] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          nvvm.mbarrier.arrive %e : !llvm.ptr<3>
        }
        // Where the tile, or the share of the block, ends, the sums are added to C.
        %u = arith.addi %begin, %t : index
        %next = arith.addi %step, %c1 : index
        %wraps = arith.cmpi eq, %next, %steps : index
        %is_last = arith.cmpi eq, %u, %last : index
        %ends = arith.ori %wraps, %is_last : i1
        scf.if %ends {
          nvvm.wgmma.wait.group.sync.aligned 0
          %tile = arith.divui %u, %steps : index
          %y, %x = tile.block_order %tile of (%rows, %columns) grouped(8)
          %top = arith.muli %y, %c128 : index
          %row = arith.addi %top, %mine : index
          %column = arith.muli %x, %c256 : index
          tile.copy %sums to %c[%row, %column] scope(warpgroup) reduce(add) masked : !sums to !result
          tile.fill 0.0 to %sums scope(warpgroup) : !sums
        }
        %next_step = arith.select %wraps, %c0, %next : index
        scf.yield %next_step : index
      }
      nvvm.wgmma.wait.group.sync.aligned 0
    }
    gpu.return
  }
}
