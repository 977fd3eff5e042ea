// Any pass under any anchor runs, or is an error.

// RUN: %python %tile_source/test/tools/anchors.py %tile_bin/tile-opt %s all %tile_bin/tile-opt | FileCheck %s
// CHECK-NOT: {{builtin|exit status|failure}}
// CHECK: {{^[34][0-9]}} passes on 7 anchors
// CHECK-NOT: {{.}}

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    gpu.func @copy(%A: memref<32x32xf32>, %n: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a = tile.view %A : memref<32x32xf32> to !global
      %s = tile.alloc : !shared
      scf.for %i = %c0 to %n step %c1 {
        tile.copy_async %a to %s scope(cta) group : !global to !shared
        tile.copy %s to %a scope(cta) : !shared to !global
      } {tile.stages = 2 : i64}
      tile.version %n divisible_by 8, %A aligned 16 : index, memref<32x32xf32> {
        %b = tile.view %A : memref<32x32xf32> to !global
        scf.for %i = %c0 to %n step %c1 {
          tile.copy %b to %s scope(cta) : !global to !shared
        }
      }
      gpu.return
    }
  }
  func.func @host(%A: memref<32x32xf32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%A : memref<32x32xf32>, %c1 : index)
    gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%bx = %c32, %by = %c1, %bz = %c1) {
      %a = tile.view %A : memref<32x32xf32> to !global
      %s = tile.alloc : !shared
      tile.version %A aligned 16 : memref<32x32xf32> {
        tile.copy %a to %s scope(cta) : !global to !shared
      }
      gpu.terminator
    }
    return
  }
}
