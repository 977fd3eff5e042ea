// C = A B for f16 matrices, with sums in f32, by persistent blocks with roles written by hand. Blocks take tiles of 128x256 in turn. A warp
// copies A and B, 64 of the depth in each step, to a ring of 4 stages that goes on from tile to tile. 2 warpgroups multiply, 64 rows each, and
// store a finished tile, a quarter of its columns at a time, under the first products of the next one.
!matrix = !tile.buffer<?x?xf16, global>
!ring_a = !tile.buffer<4x128x64xf16, shared, #tile.layout<(4, 128, 64) : (8192, 64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!stage_a = !tile.buffer<128x64xf16, shared, #tile.layout<(128, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!rows_a = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!ring_b = !tile.buffer<4x64x256xf16, shared, #tile.layout<(4, 64, 4, 64) : (16384, 64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!stage_b = !tile.buffer<64x256xf16, shared, #tile.layout<(64, 4, 64) : (64, 4096, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!staged = !tile.buffer<2x64x64xf16, shared, #tile.layout<(2, 64, 64) : (4096, 64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!box = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!sums = !tile.buffer<64x256xf32, local, auto>
!half = !tile.buffer<64x256xf16, local, auto>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<4 x i64>
  llvm.mlir.global internal @empty() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<4 x i64>

  // Waits for a phase of an mbarrier.
  func.func private @await(%mbarrier: !llvm.ptr<3>, %parity: i32) {
    %true = arith.constant true
    scf.while : () -> () {
      %done = nvvm.mbarrier.try_wait %mbarrier, %parity : !llvm.ptr<3>, i32 -> i1
      %again = arith.xori %done, %true : i1
      scf.condition(%again)
    } do {
      scf.yield
    }
    return
  }

  // The stage of a step, its two mbarriers, and the parity of the phase in which it is filled.
  func.func private @at(%step: index, %full: !llvm.ptr<3>, %empty: !llvm.ptr<3>) -> (index, !llvm.ptr<3>, !llvm.ptr<3>, i32) {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %stage = arith.remui %step, %c4 : index
    %lap = arith.divui %step, %c4 : index
    %odd = arith.remui %lap, %c2 : index
    %number = arith.index_cast %stage : index to i32
    %f = llvm.getelementptr %full[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    %e = llvm.getelementptr %empty[%number] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    %parity = arith.index_cast %odd : index to i32
    return %stage, %f, %e, %parity : index, !llvm.ptr<3>, !llvm.ptr<3>, i32
  }

  // Each warp releases a stage by itself.
  func.func private @release(%step: index, %full: !llvm.ptr<3>, %empty: !llvm.ptr<3>, %leads: i1) {
    %lanes = arith.constant -1 : i32
    %stage, %f, %e, %parity = func.call @at(%step, %full, %empty)
      : (index, !llvm.ptr<3>, !llvm.ptr<3>) -> (index, !llvm.ptr<3>, !llvm.ptr<3>, i32)
    nvvm.bar.warp.sync %lanes : i32
    scf.if %leads {
      nvvm.mbarrier.arrive %e : !llvm.ptr<3>
    }
    return
  }

  // Each warp stores its 16 rows of 64 columns of a finished tile, once its last store has read the box.
  func.func private @store(%half: !half, %quarter: index, %box: !box, %to: !matrix, %row: index, %column: index, %upper: index) {
    %c64 = arith.constant 64 : index
    %lanes = arith.constant -1 : i32
    %first = arith.muli %quarter, %c64 : index
    %left = arith.addi %column, %first : index
    %top = arith.addi %row, %upper : index
    nvvm.cp.async.bulk.wait_group 0 {read}
    nvvm.bar.warp.sync %lanes : i32
    tile.copy %half[0, %first] to %box scope(warpgroup) : !half to !box
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.bar.warp.sync %lanes : i32
    tile.copy_async %box[%upper, 0] [16, 64] to %to[%top, %left] [16, 64] scope(warp) bulk_group masked {variant = "tma"} : !box to !matrix
    return
  }

  gpu.func @gemm(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %C: memref<?x?xf16>) kernel attributes {known_block_size = array<i32: 384, 1, 1>} {
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
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %warps = arith.constant 8 : i32
    %consumers = arith.constant 256 : i32
    %m = memref.dim %A, %c0 : memref<?x?xf16>
    %depth = memref.dim %A, %c1 : memref<?x?xf16>
    %width = memref.dim %B, %c1 : memref<?x?xf16>
    %k = tile.assume %depth divisible_by 8 : index
    %n = tile.assume %width divisible_by 8 : index
    %a = tile.view %A extents(%m, %k) strides(%k) : memref<?x?xf16> to !matrix
    %b = tile.view %B extents(%k, %n) strides(%n) : memref<?x?xf16> to !matrix
    %c = tile.view %C extents(%m, %n) strides(%n) : memref<?x?xf16> to !matrix
    %tall = arith.ceildivui %m, %c128 : index
    %wide = arith.ceildivui %n, %c256 : index
    %tiles = arith.muli %tall, %wide : index
    %block = gpu.block_id x
    %blocks = gpu.grid_dim x

    // At least four steps a tile, of zeros where there is nothing to multiply: under these, the tile before is stored.
    %needed = arith.ceildivui %k, %c64 : index
    %steps = arith.maxui %needed, %c4 : index

    %ra, %rb, %rc = tile.allocs : !ring_a, !ring_b, !staged
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty : !llvm.ptr<3>
    %thread = gpu.thread_id x
    %is_first = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_first {
      affine.for %i = 0 to 4 {
        %stage, %f, %e, %parity = func.call @at(%i, %full, %empty)
          : (index, !llvm.ptr<3>, !llvm.ptr<3>) -> (index, !llvm.ptr<3>, !llvm.ptr<3>, i32)
        nvvm.mbarrier.init %f, %two : !llvm.ptr<3>, i32        // of the copies of A and of B
        nvvm.mbarrier.init %e, %warps : !llvm.ptr<3>, i32
      }
      nvvm.fence.mbarrier.init
    }
    gpu.barrier

    %group = arith.divui %thread, %c128 : index
    %produces = arith.cmpi eq, %group, %c2 : index
    scf.if %produces {
      nvvm.setmaxregister decrease 40
      %warp = arith.divui %thread, %c32 : index
      %c8 = arith.constant 8 : index
      %is_one = arith.cmpi eq, %warp, %c8 : index
      scf.if %is_one {
        %all = scf.for %tile = %block to %tiles step %blocks iter_args(%before = %c0) -> (index) {
          %y, %x = tile.block_order %tile of (%tall, %wide) grouped(16)
          %row = arith.muli %y, %c128 : index
          %column = arith.muli %x, %c256 : index
          %behind = scf.for %step = %c0 to %steps step %c1 iter_args(%t = %before) -> (index) {
            %stage, %f, %e, %parity = func.call @at(%t, %full, %empty)
              : (index, !llvm.ptr<3>, !llvm.ptr<3>) -> (index, !llvm.ptr<3>, !llvm.ptr<3>, i32)
            %earlier = arith.xori %parity, %one : i32
            func.call @await(%e, %earlier) : (!llvm.ptr<3>, i32) -> ()
            nvvm.bar.warp.sync %lanes : i32
            %deep = arith.muli %step, %c64 : index
            tile.copy_async %a[%row, %deep] [128, 64] to %ra[%stage, 0, 0] [1, 128, 64] scope(warp) mbarrier(%f : !llvm.ptr<3>)
              masked fill(0.0) {variant = "tma"} : !matrix to !ring_a
            tile.copy_async %b[%deep, %column] [64, 256] to %rb[%stage, 0, 0] [1, 64, 256] scope(warp) mbarrier(%f : !llvm.ptr<3>)
              masked fill(0.0) {variant = "tma"} : !matrix to !ring_b
            %next = arith.addi %t, %c1 : index
            scf.yield %next : index
          }
          scf.yield %behind : index
        }
      }
    } else {
      nvvm.setmaxregister increase 232
      %lane = arith.remui %thread, %c32 : index
      %leads = arith.cmpi eq, %lane, %c0 : index
      %below = arith.muli %group, %c64 : index
      %c16 = arith.constant 16 : index
      %in_group = arith.remui %thread, %c128 : index
      %warp = arith.divui %in_group, %c32 : index
      %warp_row = arith.muli %warp, %c16 : index
      %sums, %half = tile.allocs : !sums, !half
      %box = tile.subview %rc[%group, 0, 0] [1, 64, 64] : !staged to !box
      tile.fill 0.0 to %sums scope(warpgroup) : !sums
      %all:3 = scf.for %tile = %block to %tiles step %blocks iter_args(%before = %c0, %first = %c0, %column = %c0) -> (index, index, index) {
        %row = arith.addi %first, %below : index
        %is_later = arith.cmpi ugt, %before, %c0 : index
        %behind = scf.for %step = %c0 to %steps step %c1 iter_args(%t = %before) -> (index) {
          %stage, %f, %e, %parity = func.call @at(%t, %full, %empty)
            : (index, !llvm.ptr<3>, !llvm.ptr<3>) -> (index, !llvm.ptr<3>, !llvm.ptr<3>, i32)
          func.call @await(%f, %parity) : (!llvm.ptr<3>, i32) -> ()
          %sa = tile.subview %ra[%stage, %below, 0] [1, 64, 64] : !ring_a to !rows_a
          %sb = tile.subview %rb[%stage, 0, 0] [1, 64, 256] : !ring_b to !stage_b
          tile.mma %sa, %sb, %sums scope(warpgroup) group : !rows_a, !stage_b, !sums

          // Under the product: a quarter of the tile before.
          scf.if %is_later {
            %is_0 = arith.cmpi eq, %step, %c0 : index
            scf.if %is_0 {
              // All warps have stored the tile before that.
              nvvm.cp.async.bulk.wait_group 0
              nvvm.barrier id = %one number_of_threads = %consumers
              func.call @store(%half, %c0, %box, %c, %row, %column, %warp_row) : (!half, index, !box, !matrix, index, index, index) -> ()
            }
            %is_1 = arith.cmpi eq, %step, %c1 : index
            scf.if %is_1 {
              func.call @store(%half, %c1, %box, %c, %row, %column, %warp_row) : (!half, index, !box, !matrix, index, index, index) -> ()
            }
            %is_2 = arith.cmpi eq, %step, %c2 : index
            scf.if %is_2 {
              func.call @store(%half, %c2, %box, %c, %row, %column, %warp_row) : (!half, index, !box, !matrix, index, index, index) -> ()
            }
            %is_3 = arith.cmpi eq, %step, %c3 : index
            scf.if %is_3 {
              func.call @store(%half, %c3, %box, %c, %row, %column, %warp_row) : (!half, index, !box, !matrix, index, index, index) -> ()
            }
          }

          nvvm.wgmma.wait.group.sync.aligned 1
          %is_behind = arith.cmpi ugt, %t, %c0 : index
          scf.if %is_behind {
            %previous = arith.addi %t, %c3 : index
            func.call @release(%previous, %full, %empty, %leads) : (index, !llvm.ptr<3>, !llvm.ptr<3>, i1) -> ()
          }
          %next = arith.addi %t, %c1 : index
          scf.yield %next : index
        }
        nvvm.wgmma.wait.group.sync.aligned 0
        tile.copy %sums to %half scope(warpgroup) : !sums to !half
        tile.fill 0.0 to %sums scope(warpgroup) : !sums
        %y, %x = tile.block_order %tile of (%tall, %wide) grouped(16)
        %upper = arith.muli %y, %c128 : index
        %left = arith.muli %x, %c256 : index
        scf.yield %behind, %upper, %left : index, index, index
      }
      nvvm.cp.async.bulk.wait_group 0
      nvvm.barrier id = %one number_of_threads = %consumers
      %has_tile = arith.cmpi ult, %block, %tiles : index
      scf.if %has_tile {
        %row = arith.addi %all#1, %below : index
        func.call @store(%half, %c0, %box, %c, %row, %all#2, %warp_row) : (!half, index, !box, !matrix, index, index, index) -> ()
        func.call @store(%half, %c1, %box, %c, %row, %all#2, %warp_row) : (!half, index, !box, !matrix, index, index, index) -> ()
        func.call @store(%half, %c2, %box, %c, %row, %all#2, %warp_row) : (!half, index, !box, !matrix, index, index, index) -> ()
        func.call @store(%half, %c3, %box, %c, %row, %all#2, %warp_row) : (!half, index, !box, !matrix, index, index, index) -> ()
      }
      nvvm.cp.async.bulk.wait_group 0
    }
    gpu.return
  }
}
