// A barrier that is part of an op is not the author's synchronization: --tile-build orders the rest of the kernel.
// RUN: tile-opt %s --tile-build=lower=false | FileCheck %s
// RUN: tile-run %s --schedule=all --arg f32[1x256]=iota --arg f32[1x256]=poison --print 1 | FileCheck %s --check-prefix=SUMS

// CHECK: tile.copy
// CHECK: tile.copy
// CHECK: gpu.barrier{{$}}
// CHECK: tile.copy
// CHECK: gpu.barrier {tile.inherent}
// SUMS: 32640.0 32641.0 32642.0
// SUMS-NOT: argument 1

!g = !tile.buffer<1x256xf32, global>
!s = !tile.buffer<1x256xf32, shared>
!x = !tile.buffer<1x256xf32, local, #tile.layout<(1, 2, 128) : (1, 1, 1@tx)>>
!back = !tile.buffer<1x256xf32, local, #tile.layout<(1, 128, 2) : (1, 1@tx, 1)>>
!sum = !tile.buffer<1x1xf32, local, #tile.layout<(1, 1) : (1, 1) + R(128 : 1@tx)>>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @turned(%X: memref<1x256xf32>, %Y: memref<1x256xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %X : memref<1x256xf32>
    %b = tile.view %Y : memref<1x256xf32>
    %x = tile.alloc : !x
    %y = tile.alloc : !back
    %s = tile.alloc : !s
    %sum = tile.alloc : !sum
    tile.copy %a to %x scope(cta) : !g to !x
    tile.copy %x to %s scope(cta) : !x to !s
    tile.copy %s to %y scope(cta) : !s to !back
    tile.reduce add %y to %sum dim(1) scope(cta) : !back to !sum
    tile.map %y, %sum to %y scope(cta) : !back, !sum to !back {
    ^bb0(%e: f32, %all: f32):
      %r = arith.addf %e, %all : f32
      tile.yield %r : f32
    }
    tile.copy %y to %b scope(cta) : !back to !g
    gpu.return
  }
}
