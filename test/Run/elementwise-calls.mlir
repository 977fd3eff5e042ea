// A reduction over warps in a function that is called in a loop: the next call writes its tile after all have read it.
// RUN: tile-run %s --entry kernel --passes=lower-tile-copy,tile-to-nvvm --schedule=all --arg f32[4x64]=iota --arg f32[4x1]=poison \
// RUN:   --print 1 | FileCheck %s

// CHECK: 2016.0
// CHECK-NEXT: 6112.0
// CHECK-NEXT: 10208.0
// CHECK-NEXT: 14304.0
// CHECK: schedule fair

!x = !tile.buffer<64xf32, local, #tile.layout<(64) : (1@tx)>>
!s = !tile.buffer<1xf32, local, #tile.layout<(1) : (1) + R(64 : 1@tx)>>
gpu.module @k [#nvvm.target<chip = "sm_80">] {
  func.func @sum(%A: memref<4x64xf32>, %row: index, %B: memref<4x1xf32>) attributes {known_block_size = array<i32: 64, 1, 1>} {
    %x = tile.alloc : !x
    %s = tile.alloc : !s
    %f = tile.local_view %x : !x to memref<1xf32>
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %e = memref.load %A[%row, %t] : memref<4x64xf32>
    memref.store %e, %f[%c0] : memref<1xf32>
    tile.reduce add %x to %s dim(0) scope(cta) : !x to !s
    %g = tile.local_view %s : !s to memref<1xf32>
    %r = memref.load %g[%c0] : memref<1xf32>
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {
      memref.store %r, %B[%row, %c0] : memref<4x1xf32>
    }
    return
  }
  gpu.func @kernel(%A: memref<4x64xf32>, %B: memref<4x1xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      func.call @sum(%A, %i, %B) : (memref<4x64xf32>, index, memref<4x1xf32>) -> ()
    }
    gpu.return
  }
}
