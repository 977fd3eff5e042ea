// Small tiles: 4x6 f32, 96 bytes, each copied by a warp to shared memory and back. A block copies 1 MiB of the buffers'
// 1 GiB:
// 10920 tiles, which its 8 warps take in turn, four at a time, and the remaining 256 bytes. By loads and stores; by
// cp.async three groups ahead; and by one thread of each warp.
// Tiles and what is behind them are two windows of a row, which are not known to lie apart: the kernels keep their own order.
!all = !tile.buffer<43680x6xf32, global>
!left = !tile.buffer<64xf32, global>
!near = !tile.buffer<8x4x4x6xf32, shared>
!ring = !tile.buffer<8x16x4x6xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @tiles_4x6_f32(%A: memref<1024x262144xf32>, %B: memref<1024x262144xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, tile.order = "by_hand"} {
    %height = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %groups = arith.constant 2730 : index
    %length = arith.constant 262144 : index
    %tiled = arith.constant 262080 : index
    %row = gpu.block_id x
    %start = arith.muli %row, %length : index
    %rest = arith.addi %start, %tiled : index
    %thread = gpu.thread_id x
    %warp = arith.divui %thread, %c32 : index
    %from = memref.reinterpret_cast %A to offset: [%start], sizes: [43680, 6], strides: [6, 1]
      : memref<1024x262144xf32> to memref<43680x6xf32, strided<[6, 1], offset: ?>>
    %to = memref.reinterpret_cast %B to offset: [%start], sizes: [43680, 6], strides: [6, 1]
      : memref<1024x262144xf32> to memref<43680x6xf32, strided<[6, 1], offset: ?>>
    %from_16 = memref.assume_alignment %from, 16 : memref<43680x6xf32, strided<[6, 1], offset: ?>>
    %to_16 = memref.assume_alignment %to, 16 : memref<43680x6xf32, strided<[6, 1], offset: ?>>
    %a = tile.view %from_16 : memref<43680x6xf32, strided<[6, 1], offset: ?>> to !all
    %b = tile.view %to_16 : memref<43680x6xf32, strided<[6, 1], offset: ?>> to !all
    %from_left = memref.reinterpret_cast %A to offset: [%rest], sizes: [64], strides: [1]
      : memref<1024x262144xf32> to memref<64xf32, strided<[1], offset: ?>>
    %to_left = memref.reinterpret_cast %B to offset: [%rest], sizes: [64], strides: [1]
      : memref<1024x262144xf32> to memref<64xf32, strided<[1], offset: ?>>
    %from_left_16 = memref.assume_alignment %from_left, 16 : memref<64xf32, strided<[1], offset: ?>>
    %to_left_16 = memref.assume_alignment %to_left, 16 : memref<64xf32, strided<[1], offset: ?>>
    %c = tile.view %from_left_16 : memref<64xf32, strided<[1], offset: ?>> to !left
    %d = tile.view %to_left_16 : memref<64xf32, strided<[1], offset: ?>> to !left
    tile.copy %c to %d scope(cta) : !left to !left
    %members = arith.constant -1 : i32
    %s = tile.alloc : !near
    scf.for %group = %warp to %groups step %c8 {
      %row_0 = arith.muli %group, %c16 : index
      %row_1 = arith.addi %row_0, %c4 : index
      %row_2 = arith.addi %row_1, %c4 : index
      %row_3 = arith.addi %row_2, %c4 : index
      tile.copy %a[%row_0, 0] [4, 6] to %s[%warp, 0, 0, 0] [1, 1, 4, 6] scope(warp) : !all to !near
      tile.copy %a[%row_1, 0] [4, 6] to %s[%warp, 1, 0, 0] [1, 1, 4, 6] scope(warp) : !all to !near
      tile.copy %a[%row_2, 0] [4, 6] to %s[%warp, 2, 0, 0] [1, 1, 4, 6] scope(warp) : !all to !near
      tile.copy %a[%row_3, 0] [4, 6] to %s[%warp, 3, 0, 0] [1, 1, 4, 6] scope(warp) : !all to !near
      nvvm.bar.warp.sync %members : i32
      tile.copy %s[%warp, 0, 0, 0] [1, 1, 4, 6] to %b[%row_0, 0] [4, 6] scope(warp) : !near to !all
      tile.copy %s[%warp, 1, 0, 0] [1, 1, 4, 6] to %b[%row_1, 0] [4, 6] scope(warp) : !near to !all
      tile.copy %s[%warp, 2, 0, 0] [1, 1, 4, 6] to %b[%row_2, 0] [4, 6] scope(warp) : !near to !all
      tile.copy %s[%warp, 3, 0, 0] [1, 1, 4, 6] to %b[%row_3, 0] [4, 6] scope(warp) : !near to !all
      nvvm.bar.warp.sync %members : i32
    }
    gpu.return
  }

  gpu.func @tiles_4x6_ring_f32(%A: memref<1024x262144xf32>, %B: memref<1024x262144xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, tile.order = "by_hand"} {
    %height = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %groups = arith.constant 2730 : index
    %length = arith.constant 262144 : index
    %tiled = arith.constant 262080 : index
    %row = gpu.block_id x
    %start = arith.muli %row, %length : index
    %rest = arith.addi %start, %tiled : index
    %thread = gpu.thread_id x
    %warp = arith.divui %thread, %c32 : index
    %from = memref.reinterpret_cast %A to offset: [%start], sizes: [43680, 6], strides: [6, 1]
      : memref<1024x262144xf32> to memref<43680x6xf32, strided<[6, 1], offset: ?>>
    %to = memref.reinterpret_cast %B to offset: [%start], sizes: [43680, 6], strides: [6, 1]
      : memref<1024x262144xf32> to memref<43680x6xf32, strided<[6, 1], offset: ?>>
    %from_16 = memref.assume_alignment %from, 16 : memref<43680x6xf32, strided<[6, 1], offset: ?>>
    %to_16 = memref.assume_alignment %to, 16 : memref<43680x6xf32, strided<[6, 1], offset: ?>>
    %a = tile.view %from_16 : memref<43680x6xf32, strided<[6, 1], offset: ?>> to !all
    %b = tile.view %to_16 : memref<43680x6xf32, strided<[6, 1], offset: ?>> to !all
    %from_left = memref.reinterpret_cast %A to offset: [%rest], sizes: [64], strides: [1]
      : memref<1024x262144xf32> to memref<64xf32, strided<[1], offset: ?>>
    %to_left = memref.reinterpret_cast %B to offset: [%rest], sizes: [64], strides: [1]
      : memref<1024x262144xf32> to memref<64xf32, strided<[1], offset: ?>>
    %from_left_16 = memref.assume_alignment %from_left, 16 : memref<64xf32, strided<[1], offset: ?>>
    %to_left_16 = memref.assume_alignment %to_left, 16 : memref<64xf32, strided<[1], offset: ?>>
    %c = tile.view %from_left_16 : memref<64xf32, strided<[1], offset: ?>> to !left
    %d = tile.view %to_left_16 : memref<64xf32, strided<[1], offset: ?>> to !left
    tile.copy %c to %d scope(cta) : !left to !left
    %members = arith.constant -1 : i32
    %one = arith.constant 1 : index
    %ahead = arith.constant 3 : index
    %s = tile.alloc : !ring
    scf.for %first = %c0 to %ahead step %one {
      %behind = arith.muli %first, %c8 : index
      %group = arith.addi %warp, %behind : index
      %in_0 = arith.muli %group, %c16 : index
      %in_s0 = arith.muli %first, %c4 : index
      %in_1 = arith.addi %in_0, %c4 : index
      %in_s1 = arith.addi %in_s0, %one : index
      %in_2 = arith.addi %in_1, %c4 : index
      %in_s2 = arith.addi %in_s1, %one : index
      %in_3 = arith.addi %in_2, %c4 : index
      %in_s3 = arith.addi %in_s2, %one : index
      tile.copy_async %a[%in_0, 0] [4, 6] to %s[%warp, %in_s0, 0, 0] [1, 1, 4, 6] scope(warp) : !all to !ring
      tile.copy_async %a[%in_1, 0] [4, 6] to %s[%warp, %in_s1, 0, 0] [1, 1, 4, 6] scope(warp) : !all to !ring
      tile.copy_async %a[%in_2, 0] [4, 6] to %s[%warp, %in_s2, 0, 0] [1, 1, 4, 6] scope(warp) : !all to !ring
      tile.copy_async %a[%in_3, 0] [4, 6] to %s[%warp, %in_s3, 0, 0] [1, 1, 4, 6] scope(warp) : !all to !ring
      nvvm.cp.async.commit.group
    }
    %turns = arith.constant 342 : index
    scf.for %turn = %c0 to %turns step %one {
      %later = arith.addi %turn, %ahead : index
      %distance = arith.muli %later, %c8 : index
      %next = arith.addi %warp, %distance : index
      %more = arith.cmpi ult, %next, %groups : index
      %next_slot = arith.remui %later, %c4 : index
      scf.if %more {
        %in_0 = arith.muli %next, %c16 : index
        %in_s0 = arith.muli %next_slot, %c4 : index
        %in_1 = arith.addi %in_0, %c4 : index
        %in_s1 = arith.addi %in_s0, %one : index
        %in_2 = arith.addi %in_1, %c4 : index
        %in_s2 = arith.addi %in_s1, %one : index
        %in_3 = arith.addi %in_2, %c4 : index
        %in_s3 = arith.addi %in_s2, %one : index
        tile.copy_async %a[%in_0, 0] [4, 6] to %s[%warp, %in_s0, 0, 0] [1, 1, 4, 6] scope(warp) : !all to !ring
        tile.copy_async %a[%in_1, 0] [4, 6] to %s[%warp, %in_s1, 0, 0] [1, 1, 4, 6] scope(warp) : !all to !ring
        tile.copy_async %a[%in_2, 0] [4, 6] to %s[%warp, %in_s2, 0, 0] [1, 1, 4, 6] scope(warp) : !all to !ring
        tile.copy_async %a[%in_3, 0] [4, 6] to %s[%warp, %in_s3, 0, 0] [1, 1, 4, 6] scope(warp) : !all to !ring
      }
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 3
      nvvm.bar.warp.sync %members : i32
      %passed = arith.muli %turn, %c8 : index
      %group = arith.addi %warp, %passed : index
      %here = arith.cmpi ult, %group, %groups : index
      %slot = arith.remui %turn, %c4 : index
      scf.if %here {
        %out_0 = arith.muli %group, %c16 : index
        %out_s0 = arith.muli %slot, %c4 : index
        %out_1 = arith.addi %out_0, %c4 : index
        %out_s1 = arith.addi %out_s0, %one : index
        %out_2 = arith.addi %out_1, %c4 : index
        %out_s2 = arith.addi %out_s1, %one : index
        %out_3 = arith.addi %out_2, %c4 : index
        %out_s3 = arith.addi %out_s2, %one : index
        tile.copy %s[%warp, %out_s0, 0, 0] [1, 1, 4, 6] to %b[%out_0, 0] [4, 6] scope(warp) : !ring to !all
        tile.copy %s[%warp, %out_s1, 0, 0] [1, 1, 4, 6] to %b[%out_1, 0] [4, 6] scope(warp) : !ring to !all
        tile.copy %s[%warp, %out_s2, 0, 0] [1, 1, 4, 6] to %b[%out_2, 0] [4, 6] scope(warp) : !ring to !all
        tile.copy %s[%warp, %out_s3, 0, 0] [1, 1, 4, 6] to %b[%out_3, 0] [4, 6] scope(warp) : !ring to !all
      }
      nvvm.bar.warp.sync %members : i32
    }
    gpu.return
  }

  gpu.func @tiles_4x6_one_thread_f32(%A: memref<1024x262144xf32>, %B: memref<1024x262144xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>, tile.order = "by_hand"} {
    %height = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %groups = arith.constant 2730 : index
    %length = arith.constant 262144 : index
    %tiled = arith.constant 262080 : index
    %row = gpu.block_id x
    %start = arith.muli %row, %length : index
    %rest = arith.addi %start, %tiled : index
    %thread = gpu.thread_id x
    %warp = arith.divui %thread, %c32 : index
    %from = memref.reinterpret_cast %A to offset: [%start], sizes: [43680, 6], strides: [6, 1]
      : memref<1024x262144xf32> to memref<43680x6xf32, strided<[6, 1], offset: ?>>
    %to = memref.reinterpret_cast %B to offset: [%start], sizes: [43680, 6], strides: [6, 1]
      : memref<1024x262144xf32> to memref<43680x6xf32, strided<[6, 1], offset: ?>>
    %from_16 = memref.assume_alignment %from, 16 : memref<43680x6xf32, strided<[6, 1], offset: ?>>
    %to_16 = memref.assume_alignment %to, 16 : memref<43680x6xf32, strided<[6, 1], offset: ?>>
    %a = tile.view %from_16 : memref<43680x6xf32, strided<[6, 1], offset: ?>> to !all
    %b = tile.view %to_16 : memref<43680x6xf32, strided<[6, 1], offset: ?>> to !all
    %from_left = memref.reinterpret_cast %A to offset: [%rest], sizes: [64], strides: [1]
      : memref<1024x262144xf32> to memref<64xf32, strided<[1], offset: ?>>
    %to_left = memref.reinterpret_cast %B to offset: [%rest], sizes: [64], strides: [1]
      : memref<1024x262144xf32> to memref<64xf32, strided<[1], offset: ?>>
    %from_left_16 = memref.assume_alignment %from_left, 16 : memref<64xf32, strided<[1], offset: ?>>
    %to_left_16 = memref.assume_alignment %to_left, 16 : memref<64xf32, strided<[1], offset: ?>>
    %c = tile.view %from_left_16 : memref<64xf32, strided<[1], offset: ?>> to !left
    %d = tile.view %to_left_16 : memref<64xf32, strided<[1], offset: ?>> to !left
    tile.copy %c to %d scope(cta) : !left to !left
    %members = arith.constant -1 : i32
    %s = tile.alloc : !near
    scf.for %group = %warp to %groups step %c8 {
      %row_0 = arith.muli %group, %c16 : index
      %row_1 = arith.addi %row_0, %c4 : index
      %row_2 = arith.addi %row_1, %c4 : index
      %row_3 = arith.addi %row_2, %c4 : index
      tile.copy %a[%row_0, 0] [4, 6] to %s[%warp, 0, 0, 0] [1, 1, 4, 6] scope(warp) {variant = "fallback"} : !all to !near
      tile.copy %a[%row_1, 0] [4, 6] to %s[%warp, 1, 0, 0] [1, 1, 4, 6] scope(warp) {variant = "fallback"} : !all to !near
      tile.copy %a[%row_2, 0] [4, 6] to %s[%warp, 2, 0, 0] [1, 1, 4, 6] scope(warp) {variant = "fallback"} : !all to !near
      tile.copy %a[%row_3, 0] [4, 6] to %s[%warp, 3, 0, 0] [1, 1, 4, 6] scope(warp) {variant = "fallback"} : !all to !near
      nvvm.bar.warp.sync %members : i32
      tile.copy %s[%warp, 0, 0, 0] [1, 1, 4, 6] to %b[%row_0, 0] [4, 6] scope(warp) {variant = "fallback"} : !near to !all
      tile.copy %s[%warp, 1, 0, 0] [1, 1, 4, 6] to %b[%row_1, 0] [4, 6] scope(warp) {variant = "fallback"} : !near to !all
      tile.copy %s[%warp, 2, 0, 0] [1, 1, 4, 6] to %b[%row_2, 0] [4, 6] scope(warp) {variant = "fallback"} : !near to !all
      tile.copy %s[%warp, 3, 0, 0] [1, 1, 4, 6] to %b[%row_3, 0] [4, 6] scope(warp) {variant = "fallback"} : !near to !all
      nvvm.bar.warp.sync %members : i32
    }
    gpu.return
  }
}
