// A kernel that denies spills, and one that does not. Both have more values than registers.
// RUN: %if ptxas %{ not tile-translate --tile-to-ptx %s -o %t.ptx 2>&1 | FileCheck %s %}
// CHECK: contract-spills.mlir:[[#@LINE+11]]:3: error: {{.*}}breaks its contract, which denies spills: got {{[1-9][0-9]*}} bytes of stores and {{[1-9][0-9]*}} of loads, expected none
// RUN: sed 's/, tile.deny = .\"spills\".//' %s > %t.mlir
// RUN: %if ptxas %{ tile-translate --tile-to-ptx %t.mlir -o %t.ptx %}

// Without ptxas nothing is checked, which a warning says.
// RUN: env PATH=/nowhere %tile_bin/tile-translate --tile-to-ptx %s -o %t.ptx 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: warning: {{.*}}denies spills, which are not counted: there is no ptxas on the PATH

!g = !tile.buffer<64x128xf32, global>
!r = !tile.buffer<64x128xf32, local, #tile.layout<(64, 128) : (1, 1@tx)>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @tight(%A: memref<64x128xf32>, %B: memref<64x128xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, nvvm.maxnreg = 32 : i32, tile.deny = ["spills"]} {
    %a = tile.view %A : memref<64x128xf32>
    %b = tile.view %B : memref<64x128xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = tile.alloc : !r
    tile.copy %a to %r scope(cta) : !g to !r
    scf.for %i = %c0 to %n step %c1 {
      tile.map %r to %r scope(cta) : !r to !r {
      ^bb0(%x: f32):
        %y = arith.mulf %x, %x : f32
        tile.yield %y : f32
      }
    }
    tile.copy %r to %b scope(cta) : !r to !g
    gpu.return
  }
}
