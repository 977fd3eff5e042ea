// A row that is twice a number of elements long, as a sum and as a difference: a multiple of 8 where the number is one of 4, so that
// accesses are 16 bytes wide.
// RUN: tile-run %s --entry sum --arg f16[2048]=random --arg f16[2048]=poison --arg u64=64 --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry more --arg f16[2176]=random --arg f16[2176]=poison --arg u64=64 | FileCheck %s
// CHECK: ld.global.nc.v4.b32
// CHECK: st.global.v4.b32

!x = !tile.buffer<16x?xf16, global, #tile.layout<(16, ?) : (?, 1)>>
!r = !tile.buffer<16x128xf16, local, #tile.layout<(16, 8, 16) : (8@tx, 1@tx, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @sum(%X: memref<?xf16>, %Y: memref<?xf16>, %size: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %half = tile.assume %size divisible_by 4 : index
    %n = arith.addi %half, %half : index
    %x = tile.view %X extents(%n) strides(%n) : memref<?xf16> to !x
    %y = tile.view %Y extents(%n) strides(%n) : memref<?xf16> to !x
    %r = tile.alloc : !r
    tile.copy %x[0, 0] [16, 128] to %r scope(cta) : !x to !r
    tile.copy %r to %y[0, 0] [16, 128] scope(cta) : !r to !x
    gpu.return
  }

  // half + 8 - (0 - half)
  gpu.func @more(%X: memref<?xf16>, %Y: memref<?xf16>, %size: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %half = tile.assume %size divisible_by 4 : index
    %longer = arith.addi %half, %c8 : index
    %less = arith.subi %c0, %half : index
    %n = arith.subi %longer, %less : index
    %x = tile.view %X extents(%n) strides(%n) : memref<?xf16> to !x
    %y = tile.view %Y extents(%n) strides(%n) : memref<?xf16> to !x
    %r = tile.alloc : !r
    tile.copy %x[0, 0] [16, 128] to %r scope(cta) : !x to !r
    tile.copy %r to %y[0, 0] [16, 128] scope(cta) : !r to !x
    gpu.return
  }
}
