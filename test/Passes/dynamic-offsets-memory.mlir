// RUN: tile-opt --tile-align-layouts --tile-vectorize-copy %s | FileCheck %s
// RUN: tile-opt --tile-align-layouts=argument-alignment=8 --tile-vectorize-copy=argument-alignment=8 %s \
// RUN:   | FileCheck %s --check-prefix=ALIGN8

// The proven alignment of a memref's base and of its row stride limits the vector width, as offsets do.
// Arguments of kernels are taken to be aligned to 256 bytes, unless the option says less.

!shared = !tile.buffer<8x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @arguments
  // ALIGN8-LABEL: gpu.func @arguments
  gpu.func @arguments(%A: memref<8x32xf32>, %B: memref<8x32xf32> {llvm.align = 16 : i64},
                      %C: memref<8x32xf32> {llvm.align = 8 : i64}, %D: memref<8x32xf32> {llvm.align = 4 : i64}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !shared
    %a = tile.view %A : memref<8x32xf32> to !tile.buffer<8x32xf32, global>
    %b = tile.view %B : memref<8x32xf32> to !tile.buffer<8x32xf32, global>
    %c = tile.view %C : memref<8x32xf32> to !tile.buffer<8x32xf32, global>
    %d = tile.view %D : memref<8x32xf32> to !tile.buffer<8x32xf32, global>
    // CHECK: vector = 4,
    // ALIGN8: vector = 2,
    tile.copy %a to %s scope(warp) : !tile.buffer<8x32xf32, global> to !shared
    // CHECK: vector = 4,
    // ALIGN8: vector = 4,
    tile.copy %b to %s scope(warp) : !tile.buffer<8x32xf32, global> to !shared
    // CHECK: vector = 2,
    // ALIGN8: vector = 2,
    tile.copy %c to %s scope(warp) : !tile.buffer<8x32xf32, global> to !shared
    // CHECK: vector = 1,
    // ALIGN8: vector = 1,
    tile.copy %d to %s scope(warp) : !tile.buffer<8x32xf32, global> to !shared
    gpu.return
  }

  // The caller of a function that is not a kernel may pass part of a memref: only the element alignment is known.
  // CHECK-LABEL: gpu.func @no_kernel
  // CHECK: vector = 1,
  // CHECK: vector = 4,
  gpu.func @no_kernel(%A: memref<8x32xf32>, %B: memref<8x32xf32> {llvm.align = 16 : i64})
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !shared
    %a = tile.view %A : memref<8x32xf32> to !tile.buffer<8x32xf32, global>
    %b = tile.view %B : memref<8x32xf32> to !tile.buffer<8x32xf32, global>
    tile.copy %a to %s scope(warp) : !tile.buffer<8x32xf32, global> to !shared
    tile.copy %b to %s scope(warp) : !tile.buffer<8x32xf32, global> to !shared
    gpu.return
  }

  // A memref passed as a block argument is no kernel argument either.
  // CHECK-LABEL: gpu.func @block_argument
  // CHECK: vector = 1,
  gpu.func @block_argument(%A: memref<9x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !shared
    %part = memref.reinterpret_cast %A to offset: [1], sizes: [8, 32], strides: [32, 1]
      : memref<9x32xf32> to memref<8x32xf32, strided<[32, 1], offset: 1>>
    cf.br ^next(%part : memref<8x32xf32, strided<[32, 1], offset: 1>>)
  ^next(%M: memref<8x32xf32, strided<[32, 1], offset: 1>>):
    %m = tile.view %M : memref<8x32xf32, strided<[32, 1], offset: 1>> to !tile.buffer<8x32xf32, global>
    tile.copy %m to %s scope(warp) : !tile.buffer<8x32xf32, global> to !shared
    gpu.return
  }

  // CHECK-LABEL: gpu.func @subviews
  gpu.func @subviews(%A: memref<64x64xf32>, %i: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !shared
    %c4 = arith.constant 4 : index
    %i4 = arith.muli %i, %c4 : index
    // A row offset is a multiple of 64 elements, whichever row it is.
    // CHECK: vector = 4,
    %rows = memref.subview %A[%i, 0] [8, 32] [1, 1]
      : memref<64x64xf32> to memref<8x32xf32, strided<[64, 1], offset: ?>>
    %v0 = tile.view %rows : memref<8x32xf32, strided<[64, 1], offset: ?>>
      to !tile.buffer<8x32xf32, global, #tile.layout<(8, 32) : (64, 1)>>
    tile.copy %v0 to %s scope(warp)
      : !tile.buffer<8x32xf32, global, #tile.layout<(8, 32) : (64, 1)>> to !shared
    // CHECK: vector = 4,
    %columns_4 = memref.subview %A[0, %i4] [8, 32] [1, 1]
      : memref<64x64xf32> to memref<8x32xf32, strided<[64, 1], offset: ?>>
    %v1 = tile.view %columns_4 : memref<8x32xf32, strided<[64, 1], offset: ?>>
      to !tile.buffer<8x32xf32, global, #tile.layout<(8, 32) : (64, 1)>>
    tile.copy %v1 to %s scope(warp)
      : !tile.buffer<8x32xf32, global, #tile.layout<(8, 32) : (64, 1)>> to !shared
    // CHECK: vector = 1,
    %columns = memref.subview %A[0, %i] [8, 32] [1, 1]
      : memref<64x64xf32> to memref<8x32xf32, strided<[64, 1], offset: ?>>
    %v2 = tile.view %columns : memref<8x32xf32, strided<[64, 1], offset: ?>>
      to !tile.buffer<8x32xf32, global, #tile.layout<(8, 32) : (64, 1)>>
    tile.copy %v2 to %s scope(warp)
      : !tile.buffer<8x32xf32, global, #tile.layout<(8, 32) : (64, 1)>> to !shared
    // CHECK: vector = 2,
    %fixed = memref.subview %A[3, 6] [8, 32] [1, 1]
      : memref<64x64xf32> to memref<8x32xf32, strided<[64, 1], offset: 198>>
    %v3 = tile.view %fixed : memref<8x32xf32, strided<[64, 1], offset: 198>>
      to !tile.buffer<8x32xf32, global, #tile.layout<(8, 32) : (64, 1)>>
    tile.copy %v3 to %s scope(warp)
      : !tile.buffer<8x32xf32, global, #tile.layout<(8, 32) : (64, 1)>> to !shared
    // A promise about the memref itself is used.
    // CHECK: vector = 4,
    %promised = memref.assume_alignment %columns, 16 : memref<8x32xf32, strided<[64, 1], offset: ?>>
    %v4 = tile.view %promised : memref<8x32xf32, strided<[64, 1], offset: ?>>
      to !tile.buffer<8x32xf32, global, #tile.layout<(8, 32) : (64, 1)>>
    tile.copy %v4 to %s scope(warp)
      : !tile.buffer<8x32xf32, global, #tile.layout<(8, 32) : (64, 1)>> to !shared
    gpu.return
  }

  // The offset in an argument's type moves its first element. With row strides of 50 and 33 elements,
  // every second row and every other row, respectively, are less aligned than the first.
  // CHECK-LABEL: gpu.func @strided
  // CHECK: vector = 2,
  // CHECK: vector = 2,
  // CHECK: vector = 1,
  // CHECK: vector = 1,
  gpu.func @strided(%A: memref<8x32xf32, strided<[32, 1], offset: 2>>, %B: memref<8x32xf32, strided<[50, 1]>>,
                    %C: memref<8x32xf32, strided<[33, 1]>>, %D: memref<8x32xf32, strided<[32, 1], offset: ?>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !shared
    %a = tile.view %A : memref<8x32xf32, strided<[32, 1], offset: 2>> to !tile.buffer<8x32xf32, global>
    tile.copy %a to %s scope(warp) : !tile.buffer<8x32xf32, global> to !shared
    %b = tile.view %B : memref<8x32xf32, strided<[50, 1]>>
      to !tile.buffer<8x32xf32, global, #tile.layout<(8, 32) : (50, 1)>>
    tile.copy %b to %s scope(warp) : !tile.buffer<8x32xf32, global, #tile.layout<(8, 32) : (50, 1)>> to !shared
    %c = tile.view %C : memref<8x32xf32, strided<[33, 1]>>
      to !tile.buffer<8x32xf32, global, #tile.layout<(8, 32) : (33, 1)>>
    tile.copy %c to %s scope(warp) : !tile.buffer<8x32xf32, global, #tile.layout<(8, 32) : (33, 1)>> to !shared
    %d = tile.view %D : memref<8x32xf32, strided<[32, 1], offset: ?>> to !tile.buffer<8x32xf32, global>
    tile.copy %d to %s scope(warp) : !tile.buffer<8x32xf32, global> to !shared
    gpu.return
  }

  // Casts, views of bytes, globals and shared memory of the kernel.
  memref.global "private" @table : memref<8x32xf32> {alignment = 32}
  memref.global "private" @unaligned : memref<8x32xf32>
  // CHECK-LABEL: gpu.func @sources
  gpu.func @sources(%A: memref<4096xi8>, %B: memref<2x4x32xf32>, %i: index)
      workgroup(%W: memref<8x32xf32, #gpu.address_space<workgroup>> {llvm.align = 8 : i64},
                %X: memref<8x32xf32, #gpu.address_space<workgroup>>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %s = tile.alloc : !shared
    %o = tile.alloc : !tile.buffer<8x32xf32, local, #tile.layout<(8, 32) : (1, 1@laneid)>>
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %i8 = arith.muli %i, %c8 : index
    // CHECK: vector = 2,
    %bytes = memref.view %A[%i8][] : memref<4096xi8> to memref<8x32xf32>
    %v0 = tile.view %bytes : memref<8x32xf32> to !tile.buffer<8x32xf32, global>
    tile.copy %v0 to %s scope(warp) : !tile.buffer<8x32xf32, global> to !shared
    // CHECK: vector = 4,
    %flat = memref.collapse_shape %B [[0, 1], [2]] : memref<2x4x32xf32> into memref<8x32xf32>
    %v1 = tile.view %flat : memref<8x32xf32> to !tile.buffer<8x32xf32, global>
    tile.copy %v1 to %s scope(warp) : !tile.buffer<8x32xf32, global> to !shared
    // CHECK: vector = 4,
    %table = memref.get_global @table : memref<8x32xf32>
    %v2 = tile.view %table : memref<8x32xf32> to !tile.buffer<8x32xf32, global>
    tile.copy %v2 to %s scope(warp) : !tile.buffer<8x32xf32, global> to !shared
    // CHECK: vector = 1,
    %unaligned = memref.get_global @unaligned : memref<8x32xf32>
    %v3 = tile.view %unaligned : memref<8x32xf32> to !tile.buffer<8x32xf32, global>
    tile.copy %v3 to %s scope(warp) : !tile.buffer<8x32xf32, global> to !shared
    // CHECK: vector = 2,
    %v4 = tile.view %W : memref<8x32xf32, #gpu.address_space<workgroup>> to !shared
    tile.copy %v1 to %v4 scope(warp) : !tile.buffer<8x32xf32, global> to !shared
    // CHECK: vector = 1,
    %v5 = tile.view %X : memref<8x32xf32, #gpu.address_space<workgroup>> to !shared
    tile.copy %v1 to %v5 scope(warp) : !tile.buffer<8x32xf32, global> to !shared
    // CHECK: vector = 4,
    %dynamic = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    %c1024 = arith.constant 1024 : index
    %d = memref.view %dynamic[%c1024][] : memref<?xi8, #gpu.address_space<workgroup>>
      to memref<8x32xf32, #gpu.address_space<workgroup>>
    %v6 = tile.view %d : memref<8x32xf32, #gpu.address_space<workgroup>> to !shared
    tile.copy %v1 to %v6 scope(warp) : !tile.buffer<8x32xf32, global> to !shared
    gpu.return
  }
}
