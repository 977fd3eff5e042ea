// Fragments of 16x16 halves between two swizzled tiles in shared memory, by ldmatrix and stmatrix: each warp moves its 16 rows there and back.
!s = !tile.buffer<128x64xf16, shared, #tile.layout<(128, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!f = !tile.buffer<16x64xf16, local, #tile.fragment<mma.m16n8k16.a>>
!g = !tile.buffer<128x64xf16, global>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @fragments(%A: memref<128x64xf16>, %B: memref<128x64xf16>, %turns: index) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %m = arith.constant -1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %a = tile.view %A : memref<128x64xf16>
    %b = tile.view %B : memref<128x64xf16>
    %x = gpu.thread_id x
    %w = arith.divui %x, %c32 : index
    %row = arith.muli %w, %c16 : index
    %s = tile.alloc : !s
    %t = tile.alloc : !s
    %f = tile.alloc : !f
    tile.copy %a to %s scope(cta) : !g to !s
    gpu.barrier
    scf.for %i = %c0 to %turns step %c1 {
      tile.copy %s[%row, 0] [16, 64] to %f scope(warp) : !s to !f
      tile.copy %f to %t[%row, 0] [16, 64] scope(warp) : !f to !s
      nvvm.bar.warp.sync %m : i32
      tile.copy %t[%row, 0] [16, 64] to %f scope(warp) : !s to !f
      tile.copy %f to %s[%row, 0] [16, 64] scope(warp) : !f to !s
      nvvm.bar.warp.sync %m : i32
    }
    gpu.barrier
    tile.copy %s to %b scope(cta) : !s to !g
    gpu.return
  }
}
