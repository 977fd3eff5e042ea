// Loops that load tiles and multiply them, and why some have one stage.
// RUN: tile-opt --tile-stage-loops=stages=3 %s -o %t --remarks-filter-missed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t

// REMARK: [Missed] stages-synchronized | {{.*}}Function=synchronized | Reason="gpu.barrier synchronizes in it
// REMARK: [Missed] stages-used-outside | {{.*}}Function=outside | Reason="tile.copy outside of it uses a tile that it loads
// REMARK: [Missed] stages-used-before | {{.*}}Function=before | Reason="tile.mma uses a tile before it is loaded, expected none"
// REMARK: [Missed] stages-room | {{.*}}Function=once | Reason="8192 bytes for each stage and {{[0-9]+}} of shared memory for all, 1 iterations; expected room for 2"
// REMARK: [Missed] stages-stored | {{.*}}Function=stored | Reason="it stores to global memory
// REMARK-NOT: remark

!m = !tile.buffer<64x256xf16, global>
!a = !tile.buffer<64x64xf16, shared, auto>
!c = !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @staged
  // CHECK: tile.copy_async %{{.*}}[0, %{{.*}}] [64, 64] to %{{.*}} scope(cta) masked fill(%{{.*}} : f16)
  // CHECK: } {tile.stages = 3 : i64}
  gpu.func @staged(%A: memref<64x256xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, tile.converted} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %zero = arith.constant 0.0 : f16
    %a = tile.view %A : memref<64x256xf16>
    %s = tile.alloc : !a
    %sums = tile.alloc : !c
    scf.for %k = %c0 to %c256 step %c64 {
      tile.copy %a[0, %k] [64, 64] to %s scope(cta) masked fill(%zero : f16) : !m to !a
      tile.mma %s, %s, %sums scope(cta) group : !a, !a, !c
    }
    gpu.return
  }
  // What was not converted stays what its author wrote.
  // CHECK-LABEL: gpu.func @written
  // CHECK-NOT: tile.copy_async
  // CHECK-NOT: tile.stages
  gpu.func @written(%A: memref<64x256xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %a = tile.view %A : memref<64x256xf16>
    %s = tile.alloc : !a
    %sums = tile.alloc : !c
    scf.for %k = %c0 to %c256 step %c64 {
      tile.copy %a[0, %k] [64, 64] to %s scope(cta) : !m to !a
      tile.mma %s, %s, %sums scope(cta) group : !a, !a, !c
    }
    gpu.return
  }
  gpu.func @synchronized(%A: memref<64x256xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, tile.converted} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %a = tile.view %A : memref<64x256xf16>
    %s = tile.alloc : !a
    %sums = tile.alloc : !c
    scf.for %k = %c0 to %c256 step %c64 {
      tile.copy %a[0, %k] [64, 64] to %s scope(cta) : !m to !a
      gpu.barrier
      tile.mma %s, %s, %sums scope(cta) group : !a, !a, !c
    }
    gpu.return
  }
  gpu.func @outside(%A: memref<64x256xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, tile.converted} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %a = tile.view %A : memref<64x256xf16>
    %s = tile.alloc : !a
    %sums = tile.alloc : !c
    scf.for %k = %c0 to %c256 step %c64 {
      tile.copy %a[0, %k] [64, 64] to %s scope(cta) : !m to !a
      tile.mma %s, %s, %sums scope(cta) group : !a, !a, !c
    }
    tile.copy %s to %a[0, 0] [64, 64] scope(cta) : !a to !m
    gpu.return
  }
  gpu.func @before(%A: memref<64x256xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, tile.converted} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %a = tile.view %A : memref<64x256xf16>
    %s = tile.alloc : !a
    %sums = tile.alloc : !c
    scf.for %k = %c0 to %c256 step %c64 {
      tile.mma %s, %s, %sums scope(cta) group : !a, !a, !c
      tile.copy %a[0, %k] [64, 64] to %s scope(cta) : !m to !a
    }
    gpu.return
  }
  gpu.func @once(%A: memref<64x256xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, tile.converted} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %a = tile.view %A : memref<64x256xf16>
    %s = tile.alloc : !a
    %sums = tile.alloc : !c
    scf.for %k = %c0 to %c64 step %c64 {
      tile.copy %a[0, %k] [64, 64] to %s scope(cta) : !m to !a
      tile.mma %s, %s, %sums scope(cta) group : !a, !a, !c
    }
    gpu.return
  }
  // The store may write what a later iteration loads.
  gpu.func @stored(%A: memref<64x256xf16>, %x: f16) kernel attributes {known_block_size = array<i32: 128, 1, 1>, tile.converted} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %a = tile.view %A : memref<64x256xf16>
    %s = tile.alloc : !a
    %sums = tile.alloc : !c
    scf.for %k = %c0 to %c256 step %c64 {
      tile.copy %a[0, %k] [64, 64] to %s scope(cta) : !m to !a
      tile.mma %s, %s, %sums scope(cta) group : !a, !a, !c
      memref.store %x, %A[%c0, %k] : memref<64x256xf16>
    }
    gpu.return
  }
}
