// ptxas has nothing to say of products in flight: it serializes none (C7510, C7514, C7515), puts no fence or wait of its own before
// one (C7517, C7519), and does not lack registers (C7508, C7602).
// REQUIRES: ptxas
// RUN: tile-translate --tile-to-ptx %tile_source/tools/tile-bench/programs/gemm_wgmma.mlir -o %t.ptx
// RUN: ptxas -arch=sm_90a -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --implicit-check-not={{C7[0-9]+}}
// RUN: FileCheck %s --check-prefix=LOOP --input-file=%t.ptx
// RUN: tile-translate --tile-to-ptx --chip=sm_90a %tile_source/docs/examples/gemm.mlir -o %t.ptx
// RUN: ptxas -arch=sm_90a -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --implicit-check-not={{C7[0-9]+}}
// CHECK: 0 bytes spill stores, 0 bytes spill loads

// One box for each factor; the number of the warpgroup, of which its descriptors follow, is shuffled once, before the loops.
// LOOP:     shfl.sync.idx
// LOOP-NOT: shfl.
// LOOP:     wgmma.mma_async
// LOOP-NOT: shfl.
// LOOP:     cp.async.bulk.tensor.2d.
// LOOP:     cp.async.bulk.tensor.3d.
// LOOP-NOT: cp.async.bulk.tensor.

// The sums of a loop that may have no iteration, of one that carries a value, too, and of products without a loop.
// RUN: tile-translate --tile-to-ptx %s -o %t.ptx
// RUN: ptxas -arch=sm_90a -v %t.ptx -o %t.cubin 2>&1 | FileCheck %s --check-prefix=OWN --implicit-check-not={{C7[0-9]+}}
// OWN-DAG: Compiling entry function 'rings'
// OWN-DAG: Compiling entry function 'carried'
// OWN-DAG: Compiling entry function 'alone'

// Without an iteration the sums are what they were, and the value is what it was.
// RUN: tile-run %s --entry carried --schedule=all --arg f16[64x320]=ones --arg f16[320x64]=ones --arg f32[64x64]=poison --arg f32[128]=poison --arg index=5 --print 2 --print 3 | FileCheck %s --check-prefix=FIVE
// RUN: tile-run %s --entry carried --schedule=all --arg f16[64x320]=ones --arg f16[320x64]=ones --arg f32[64x64]=poison --arg f32[128]=poison --arg index=0 --print 2 --print 3 | FileCheck %s --check-prefix=ZERO
// FIVE: 320
// FIVE: 5
// ZERO: 0
// ZERO: 0

!s = !tile.buffer<64x64xf16, shared, #tile.layout<(64, 64) : (64, 1), swizzle<base = 3, bits = 3, shift = 3>>>
!sums = !tile.buffer<64x64xf32, local, #tile.fragment<wgmma.c>>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rings(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %C: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %step = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %end = memref.dim %A, %c1 : memref<?x?xf16>
    %k = tile.assume %end divisible_by 64 : index
    %a = tile.view %A extents(%step, %k) strides(%k) : memref<?x?xf16> to !tile.buffer<?x?xf16, global>
    %b = tile.view %B extents(%k, %step) strides(%step) : memref<?x?xf16> to !tile.buffer<?x?xf16, global>
    %c = tile.view %C : memref<64x64xf32>
    %sa = tile.alloc : !s
    %sb = tile.alloc : !s
    %sums = tile.alloc : !sums
    tile.fill %zero to %sums scope(cta) : f32 to !sums
    scf.for %i = %c0 to %k step %step {
      tile.copy_async %a[0, %i] [64, 64] to %sa scope(cta) : !tile.buffer<?x?xf16, global> to !s
      tile.copy_async %b[%i, 0] [64, 64] to %sb scope(cta) : !tile.buffer<?x?xf16, global> to !s
      tile.mma %sa, %sb, %sums scope(cta) group : !s, !s, !sums
    } {tile.stages = 4 : i64}
    tile.copy %sums to %c scope(cta) : !sums to !tile.buffer<64x64xf32, global>
    gpu.return
  }

  gpu.func @carried(%A: memref<64x320xf16>, %B: memref<320x64xf16>, %C: memref<64x64xf32>, %N: memref<128xf32>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %a = tile.view %A : memref<64x320xf16>
    %b = tile.view %B : memref<320x64xf16>
    %c = tile.view %C : memref<64x64xf32>
    %sa = tile.alloc : !s
    %sb = tile.alloc : !s
    %sums = tile.alloc : !sums
    tile.fill %zero to %sums scope(cta) : f32 to !sums
    %turns = scf.for %i = %c0 to %n step %c1 iter_args(%turn = %zero) -> (f32) {
      %k = arith.muli %i, %c64 : index
      tile.copy_async %a[0, %k] [64, 64] to %sa scope(cta) : !tile.buffer<64x320xf16, global> to !s
      tile.copy_async %b[%k, 0] [64, 64] to %sb scope(cta) : !tile.buffer<320x64xf16, global> to !s
      tile.mma %sa, %sb, %sums scope(cta) group : !s, !s, !sums
      %next = arith.addf %turn, %one : f32
      scf.yield %next : f32
    } {tile.stages = 4 : i64}
    tile.copy %sums to %c scope(cta) : !sums to !tile.buffer<64x64xf32, global>
    %t = gpu.thread_id x
    memref.store %turns, %N[%t] : memref<128xf32>
    gpu.return
  }

  gpu.func @alone(%A: memref<64x64xf16>, %C: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %a = tile.view %A : memref<64x64xf16>
    %c = tile.view %C : memref<64x64xf32>
    %s = tile.alloc : !s
    %sums = tile.alloc : !sums
    tile.fill %zero to %sums scope(cta) : f32 to !sums
    tile.copy %a to %s scope(cta) : !tile.buffer<64x64xf16, global> to !s
    tile.mma %s, %s, %sums scope(cta) group : !s, !s, !sums
    tile.mma %s, %s, %sums scope(cta) group : !s, !s, !sums
    tile.copy %sums to %c scope(cta) : !sums to !tile.buffer<64x64xf32, global>
    gpu.return
  }
}
