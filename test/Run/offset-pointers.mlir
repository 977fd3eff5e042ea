// Instructions that take pointers use the first element of a memref that does not start at the base of its memory, with an
// offset in its type or one that is known only at run time.
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --check-prefix=PTX
// RUN: tile-run %s --entry cp_async --arg f32[64x32]=random --arg f32[64x32]=poison --arg i64=32 --expect-equal 0,1 \
// RUN:   | FileCheck %s
// RUN: tile-run %s --entry cached --arg f32[64x32]=random --arg f32[64x32]=poison --arg i64=32 --expect-equal 0,1 \
// RUN:   | FileCheck %s
// RUN: tile-run %s --entry matrices --arg f16[32x16]=random --arg f16[32x16]=poison --arg i64=16 --expect-equal 0,1 \
// RUN:   | FileCheck %s
// CHECK: schedule fair: argument 1 holds what argument 0 holds

!upper = !tile.buffer<32x32xf32, global>
!tile = !tile.buffer<32x32xf32, shared>
!whole = !tile.buffer<64x32xf32, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // PTX-LABEL: .entry cp_async(
  // PTX-COUNT-8: cp.async.cg.shared.global
  gpu.func @cp_async(%A: memref<64x32xf32>, %B: memref<64x32xf32>, %i: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %b = tile.view %B : memref<64x32xf32> to !whole
    %s = tile.alloc : !tile
    %t = tile.alloc : !tile
    %fixed = memref.subview %A[32, 0] [32, 32] [1, 1] : memref<64x32xf32>
      to memref<32x32xf32, strided<[32, 1], offset: 1024>>
    %lower = tile.view %fixed : memref<32x32xf32, strided<[32, 1], offset: 1024>> to !upper
    tile.copy_async %lower to %s scope(cta) group : !upper to !tile
    %c32 = arith.constant 32 : index
    %zero = arith.remui %i, %c32 : index
    %moved = memref.subview %A[%zero, 0] [32, 32] [1, 1] : memref<64x32xf32>
      to memref<32x32xf32, strided<[32, 1], offset: ?>>
    %first = tile.view %moved : memref<32x32xf32, strided<[32, 1], offset: ?>> to !upper
    tile.copy_async %first to %t scope(cta) group : !upper to !tile
    nvvm.cp.async.wait.group 0
    gpu.barrier
    tile.copy %s to %b[32, 0] [32, 32] scope(cta) : !tile to !whole
    tile.copy %t to %b[0, 0] [32, 32] scope(cta) : !tile to !whole
    gpu.return
  }

  // PTX-LABEL: .entry cached(
  // PTX: ld.global.L2::128B
  gpu.func @cached(%A: memref<64x32xf32>, %B: memref<64x32xf32>, %i: index) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %b = tile.view %B : memref<64x32xf32> to !whole
    %s = tile.alloc : !tile
    %t = tile.alloc : !tile
    %moved = memref.subview %A[%i, 0] [32, 32] [1, 1] : memref<64x32xf32>
      to memref<32x32xf32, strided<[32, 1], offset: ?>>
    %lower = tile.view %moved : memref<32x32xf32, strided<[32, 1], offset: ?>> to !upper
    tile.copy %lower to %s scope(cta) {prefetch_size = "L2::128B"} : !upper to !tile
    %a = tile.view %A : memref<64x32xf32> to !whole
    tile.copy %a[0, 0] [32, 32] to %t scope(cta) : !whole to !tile
    gpu.barrier
    tile.copy %s to %b[32, 0] [32, 32] scope(cta) : !tile to !whole
    tile.copy %t to %b[0, 0] [32, 32] scope(cta) : !tile to !whole
    gpu.return
  }

  // PTX-LABEL: .entry matrices(
  // PTX: ldmatrix
  gpu.func @matrices(%A: memref<32x16xf16>, %B: memref<32x16xf16>, %i: index)
      workgroup(%S : memref<32x16xf16, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %a = tile.view %A : memref<32x16xf16> to !tile.buffer<32x16xf16, global>
    %b = tile.view %B : memref<32x16xf16> to !tile.buffer<32x16xf16, global>
    %s = tile.view %S : memref<32x16xf16, #gpu.address_space<workgroup>> to !tile.buffer<32x16xf16, shared>
    tile.copy %a to %s scope(warp) : !tile.buffer<32x16xf16, global> to !tile.buffer<32x16xf16, shared>
    gpu.barrier
    %moved = memref.subview %S[%i, 0] [16, 16] [1, 1] : memref<32x16xf16, #gpu.address_space<workgroup>>
      to memref<16x16xf16, strided<[16, 1], offset: ?>, #gpu.address_space<workgroup>>
    %lower = tile.view %moved : memref<16x16xf16, strided<[16, 1], offset: ?>, #gpu.address_space<workgroup>>
      to !tile.buffer<16x16xf16, shared>
    %r = tile.alloc
      : !tile.buffer<16x16xf16, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
    tile.copy %lower to %r scope(warp) : !tile.buffer<16x16xf16, shared>
      to !tile.buffer<16x16xf16, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
    tile.copy %r to %b[16, 0] [16, 16] scope(warp)
      : !tile.buffer<16x16xf16, local, #tile.layout<(2, 8, 2, 4, 2) : (4, 4@laneid, 2, 1@laneid, 1)>>
      to !tile.buffer<32x16xf16, global>
    tile.copy %s[0, 0] [16, 16] to %b[0, 0] [16, 16] scope(warp)
      : !tile.buffer<32x16xf16, shared> to !tile.buffer<32x16xf16, global>
    gpu.return
  }
}
