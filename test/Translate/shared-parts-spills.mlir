// A map of a large shared tile is computed in parts: nothing spills, of 256 elements of each thread and their exponentials.
// REQUIRES: ptxas
// RUN: tile-opt %s --tile-build -o %t.mlir
// RUN: tile-translate --tile-to-ptx %t.mlir -o %t.ptx
// RUN: ptxas -arch=sm_90a -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s
// CHECK: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads

!s = !tile.buffer<128x256xf16, shared>
!g = !tile.buffer<128x256xf16, global>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @exponentials(%A: memref<128x256xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %a = tile.view %A : memref<128x256xf16>
    %s = tile.alloc : !s
    tile.copy %a to %s scope(cta) : !g to !s
    tile.map %s to %s scope(cta) : !s to !s {
    ^bb0(%x: f16):
      %e = arith.extf %x : f16 to f32
      %y = math.exp %e : f32
      %r = arith.truncf %y : f32 to f16
      tile.yield %r : f16
    }
    tile.copy %s to %a scope(cta) : !s to !g
    gpu.return
  }
}
