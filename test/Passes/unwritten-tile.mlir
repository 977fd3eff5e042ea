// A shared tile that is read and that nothing writes: a load that was forgotten, or another tile's name.
// RUN: tile-opt %s --tile-build --verify-diagnostics -o /dev/null

!g = !tile.buffer<64x64xf16, global>
!s = !tile.buffer<64x64xf16, shared>
!t = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (1, 64)>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copied(%A: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !g
    // expected-note @below {{the tile is !tile.buffer<64x64xf16, shared>}}
    %s = tile.alloc : !s
    gpu.barrier
    // expected-warning @below {{reads a shared tile that nothing writes}}
    tile.copy %s to %a scope(cta) : !s to !g
    gpu.return
  }

  gpu.func @seen(%A: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !g
    // expected-note @below {{the tile is}}
    %s = tile.alloc : !s
    %t = tile.permute %s [1, 0] : !s to !t
    // expected-warning @below {{reads a shared tile that nothing writes}}
    tile.copy %t[0, 0] [32, 64] to %a[0, 0] [32, 64] scope(cta) : !t to !g
    tile.copy %s[0, 0] [32, 64] to %a[32, 0] [32, 64] scope(cta) : !s to !g
    gpu.return
  }

  // Written through a view, by a fill, and perhaps by what takes its address.
  gpu.func @written(%A: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<64x64xf16> to !g
    %zero = arith.constant 0.0 : f16
    %s = tile.alloc : !s
    %t = tile.permute %s [1, 0] : !s to !t
    %f = tile.alloc : !s
    tile.copy %a to %t scope(cta) : !g to !t
    tile.fill %zero to %f scope(cta) : f16 to !s
    gpu.barrier
    tile.copy %s to %a scope(cta) : !s to !g
    tile.copy %f to %a scope(cta) : !s to !g
    gpu.return
  }
}
