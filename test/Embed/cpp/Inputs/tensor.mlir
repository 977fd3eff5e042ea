!matrix = !tile.buffer<128x64xf32, global>
!half = !tile.buffer<128x64xf16, local, #tile.layout<(128, 64) : (1@tid_in_wg, 1)>>
!a = !tile.buffer<128x64xf16, tmem, #tile.fragment<tcgen05.a>>
!b = !tile.buffer<64x32xf16, shared, #tile.layout<(64, 32) : (1, 64), swizzle<base = 3, bits = 3, shift = 3>>>
!sums = !tile.buffer<128x32xf32, tmem, #tile.fragment<tcgen05.c>>
!r = !tile.buffer<128x32xf32, local, #tile.layout<(128, 32) : (1@tid_in_wg, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_100a">] {
  gpu.func @product(%A: memref<128x64xf32>, %B: memref<64x32xf32>, %C: memref<128x32xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<128x64xf32> to !matrix
    %b = tile.view %B : memref<64x32xf32>
    %c = tile.view %C : memref<128x32xf32>
    %ra = tile.alloc : !half
    %ta = tile.alloc : !a
    %sb = tile.alloc : !b
    %sums = tile.alloc : !sums
    %r = tile.alloc : !r
    tile.copy %a to %ra scope(cta) : !matrix to !half
    panel.move %ra to %ta {tile.scope = "cta"} : !half to !a
    tile.copy %b to %sb scope(cta) : !tile.buffer<64x32xf32, global> to !b
    tile.fill %zero to %r scope(cta) : f32 to !r
    panel.move %r to %sums {tile.scope = "warpgroup"} : !r to !sums
    tile.mma %ta, %sb, %sums scope(cta) : !a, !b, !sums
    panel.move %sums to %r {tile.scope = "cta"} : !sums to !r
    tile.copy %r to %c scope(cta) : !r to !tile.buffer<128x32xf32, global>
    gpu.return
  }
}
