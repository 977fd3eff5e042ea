// What is promised of a size holds for the memref that a subview of that size is, for its rows and for what memref.dim gives; and a
// plane of a memref has its strides.
// RUN: tile-run %s --entry rows --arg f16[12x48]=random --arg f16[12x48]=poison --arg i64=12 --arg i64=48 --schedule all --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry extent --arg f16[12x48]=random --arg f16[12x48]=poison --arg i64=12 --arg i64=48 --schedule all --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry plane --arg f16[3x12x48]=random --arg f16[3x12x48]=poison --arg i64=12 --arg i64=48 --schedule all --grid 3 --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry buffer --arg f16[576]=random --arg f16[576]=poison --arg i64=12 --arg i64=48 --schedule all --expect-equal 0,1 | FileCheck %s
// CHECK: holds what argument 0 holds
// CHECK: ld.global{{.*}}.v4.b32

!tile = !tile.buffer<16x64xf16, shared>
!open = !tile.buffer<?x?xf16, global, #tile.layout<(?, ?) : (?, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rows(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %m: index, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %from = tile.assume %A divisible_by 8 : memref<?x?xf16>
    %to = tile.assume %B divisible_by 8 : memref<?x?xf16>
    %n8 = tile.assume %n divisible_by 8 : index
    %p = memref.subview %from[0, 0] [%m, %n8] [1, 1] : memref<?x?xf16> to memref<?x?xf16, strided<[?, 1]>>
    %q = memref.subview %to[0, 0] [%m, %n8] [1, 1] : memref<?x?xf16> to memref<?x?xf16, strided<[?, 1]>>
    %a = tile.view %p : memref<?x?xf16, strided<[?, 1]>> to !open
    %b = tile.view %q : memref<?x?xf16, strided<[?, 1]>> to !open
    %s = tile.alloc : !tile
    tile.copy %a[0, 0] [16, 64] to %s scope(cta) masked : !open to !tile
    gpu.barrier
    tile.copy %s to %b[0, 0] [16, 64] scope(cta) masked : !tile to !open
    gpu.return
  }

  gpu.func @extent(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %m: index, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c1 = arith.constant 1 : index
    %n8 = tile.assume %n divisible_by 8 : index
    %p = memref.subview %A[0, 0] [%m, %n8] [1, 1] : memref<?x?xf16> to memref<?x?xf16, strided<[?, 1]>>
    %cast = memref.cast %p : memref<?x?xf16, strided<[?, 1]>> to memref<?x?xf16, strided<[?, ?]>>
    %d = memref.dim %cast, %c1 : memref<?x?xf16, strided<[?, ?]>>
    %a = tile.view %A extents(%m, %d) strides(%d) : memref<?x?xf16> to !open
    %b = tile.view %B extents(%m, %d) strides(%d) : memref<?x?xf16> to !open
    %s = tile.alloc : !tile
    tile.copy %a[0, 0] [16, 64] to %s scope(cta) masked : !open to !tile
    gpu.barrier
    tile.copy %s to %b[0, 0] [16, 64] scope(cta) masked : !tile to !open
    gpu.return
  }

  gpu.func @plane(%A: memref<?x?x?xf16>, %B: memref<?x?x?xf16>, %m: index, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %from = tile.assume %A divisible_by 8 : memref<?x?x?xf16>
    %to = tile.assume %B divisible_by 8 : memref<?x?x?xf16>
    %n8 = tile.assume %n divisible_by 8 : index
    %batch = gpu.block_id x
    %p = memref.subview %from[%batch, 0, 0] [1, %m, %n8] [1, 1, 1] : memref<?x?x?xf16> to memref<?x?xf16, strided<[?, 1], offset: ?>>
    %q = memref.subview %to[%batch, 0, 0] [1, %m, %n8] [1, 1, 1] : memref<?x?x?xf16> to memref<?x?xf16, strided<[?, 1], offset: ?>>
    %a = tile.view %p : memref<?x?xf16, strided<[?, 1], offset: ?>> to !open
    %b = tile.view %q : memref<?x?xf16, strided<[?, 1], offset: ?>> to !open
    %s = tile.alloc : !tile
    tile.copy %a[0, 0] [16, 64] to %s scope(cta) masked : !open to !tile
    gpu.barrier
    tile.copy %s to %b[0, 0] [16, 64] scope(cta) masked : !tile to !open
    gpu.return
  }

  gpu.func @buffer(%A: memref<?xf16>, %B: memref<?xf16>, %m: index, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %n8 = tile.assume %n divisible_by 8 : index
    %p = memref.reinterpret_cast %A to offset: [0], sizes: [%m, %n8], strides: [%n8, 1] : memref<?xf16> to memref<?x?xf16, strided<[?, 1]>>
    %q = memref.reinterpret_cast %B to offset: [0], sizes: [%m, %n8], strides: [%n8, 1] : memref<?xf16> to memref<?x?xf16, strided<[?, 1]>>
    %a = tile.view %p : memref<?x?xf16, strided<[?, 1]>> to !open
    %b = tile.view %q : memref<?x?xf16, strided<[?, 1]>> to !open
    %s = tile.alloc : !tile
    tile.copy %a[0, 0] [16, 64] to %s scope(cta) masked : !open to !tile
    gpu.barrier
    tile.copy %s to %b[0, 0] [16, 64] scope(cta) masked : !tile to !open
    gpu.return
  }
}
