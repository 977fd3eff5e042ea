// A comparison in a map of halves is one of packed pairs where the chip has them.
// RUN: tile-run %s --schedule=all --arg f16[1x64]=uniform(-4,4):3 --arg f16[1x64]=poison --arg f16[1x64]=poison --expect-equal 1,2
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s
// CHECK: setp.gt.f16x2

!m = !tile.buffer<1x64xf16, global>
!x = !tile.buffer<1x64xf16, local, #tile.layout<(32, 2) : (1@laneid, 1)>>
!s = !tile.buffer<1x64xf32, local, #tile.layout<(32, 2) : (1@laneid, 1)>>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  gpu.func @clamp(%A: memref<1x64xf16>, %B: memref<1x64xf16>, %C: memref<1x64xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %one = arith.constant 1.0 : f16
    %single = arith.constant 1.0 : f32
    %k = arith.constant 42.0 : f16
    %a = tile.view %A : memref<1x64xf16>
    %b = tile.view %B : memref<1x64xf16>
    %c = tile.view %C : memref<1x64xf16>
    %x = tile.alloc : !x
    %y = tile.alloc : !x
    %s = tile.alloc : !s
    tile.copy %a to %x scope(warp) : !m to !x
    tile.map %x to %y scope(warp) : !x to !x {
    ^bb0(%e: f16):
      %more = arith.cmpf ogt, %e, %one : f16
      %r = arith.select %more, %k, %e : f16
      tile.yield %r : f16
    }
    tile.copy %y to %b scope(warp) : !x to !m
    // The same on singles.
    tile.copy %x to %s scope(warp) : !x to !s
    tile.map %x, %s to %x scope(warp) : !x, !s to !x {
    ^bb0(%e: f16, %f: f32):
      %more = arith.cmpf ogt, %f, %single : f32
      %r = arith.select %more, %k, %e : f16
      tile.yield %r : f16
    }
    tile.copy %x to %c scope(warp) : !x to !m
    gpu.return
  }
}
