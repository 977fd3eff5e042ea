// Elementary functions leave the same bits on Vulkan as in the simulator, for all kinds of operands.
// REQUIRES: vulkan
// RUN: mkdir -p %t
// RUN: %python %tile_source/test/tools/floats.py 3 16384 %t/a.npy
// RUN: tile-run %s --entry functions --grid 64 --arg f32[3x16384]=%t/a.npy --arg f32[12x16384]=poison --write 1=%t/f.npy
// RUN: tile-run %s --entry functions --device vulkan --chip vulkan1.2-64 --grid 64 --arg f32[3x16384]=%t/a.npy --arg f32[12x16384]=poison \
// RUN:   --expect 1=%t/f.npy | FileCheck %s
// RUN: tile-run %s --entry halves --grid 64 --arg f16[3x16384]=random --arg f16[2x16384]=poison --write 1=%t/h.npy
// RUN: tile-run %s --entry halves --device vulkan --chip vulkan1.2-64 --grid 64 --arg f16[3x16384]=random --arg f16[2x16384]=poison \
// RUN:   --expect 1=%t/h.npy | FileCheck %s
// RUN: tile-run %s --entry shifts --grid 1 --arg i64[256]=random --arg i64[3x256]=poison --write 1=%t/s.npy
// RUN: tile-run %s --entry shifts --device vulkan --chip vulkan1.2-64 --grid 1 --arg i64[256]=random --arg i64[3x256]=poison \
// RUN:   --expect 1=%t/s.npy | FileCheck %s
// RUN: tile-translate %s --tile-to-wgsl --kernel=functions | FileCheck %s --check-prefix=WGSL

// CHECK: argument 1 holds {{.*}}npy holds
// WGSL: fn fma_f32

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @functions(%A: memref<3x16384xf32>, %B: memref<12x16384xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %thread = gpu.thread_id x
    %block = gpu.block_id x
    %size = arith.constant 256 : index
    %first = arith.muli %block, %size : index
    %i = arith.addi %first, %thread : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %a = memref.load %A[%c0, %i] : memref<3x16384xf32>
    %b = memref.load %A[%c1, %i] : memref<3x16384xf32>
    %c = memref.load %A[%c2, %i] : memref<3x16384xf32>
    %fma = math.fma %a, %b, %c : f32
    affine.store %fma, %B[0, symbol(%i)] : memref<12x16384xf32>
    %exp = math.exp %a : f32
    affine.store %exp, %B[1, symbol(%i)] : memref<12x16384xf32>
    %exp2 = math.exp2 %a : f32
    affine.store %exp2, %B[2, symbol(%i)] : memref<12x16384xf32>
    %log = math.log %a : f32
    affine.store %log, %B[3, symbol(%i)] : memref<12x16384xf32>
    %sqrt = math.sqrt %a : f32
    affine.store %sqrt, %B[4, symbol(%i)] : memref<12x16384xf32>
    %rsqrt = math.rsqrt %a : f32
    affine.store %rsqrt, %B[5, symbol(%i)] : memref<12x16384xf32>
    %tanh = math.tanh %a : f32
    affine.store %tanh, %B[6, symbol(%i)] : memref<12x16384xf32>
    %maxnum = arith.maxnumf %a, %b : f32
    affine.store %maxnum, %B[7, symbol(%i)] : memref<12x16384xf32>
    %minnum = arith.minnumf %a, %b : f32
    affine.store %minnum, %B[8, symbol(%i)] : memref<12x16384xf32>
    %round = math.round %a : f32
    affine.store %round, %B[9, symbol(%i)] : memref<12x16384xf32>
    %roundeven = math.roundeven %a : f32
    affine.store %roundeven, %B[10, symbol(%i)] : memref<12x16384xf32>
    %log2 = math.log2 %a : f32
    affine.store %log2, %B[11, symbol(%i)] : memref<12x16384xf32>
    gpu.return
  }
  gpu.func @halves(%A: memref<3x16384xf16>, %B: memref<2x16384xf16>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %thread = gpu.thread_id x
    %block = gpu.block_id x
    %size = arith.constant 256 : index
    %first = arith.muli %block, %size : index
    %i = arith.addi %first, %thread : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %a = memref.load %A[%c0, %i] : memref<3x16384xf16>
    %b = memref.load %A[%c1, %i] : memref<3x16384xf16>
    %c = memref.load %A[%c2, %i] : memref<3x16384xf16>
    %fma = math.fma %a, %b, %c : f16
    memref.store %fma, %B[%c0, %i] : memref<2x16384xf16>
    %exp = math.exp %a : f16
    memref.store %exp, %B[%c1, %i] : memref<2x16384xf16>
    gpu.return
  }
  gpu.func @shifts(%A: memref<256xi64>, %B: memref<3x256xi64>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %i = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %a = memref.load %A[%i] : memref<256xi64>
    %thread = arith.index_cast %i : index to i64
    %last = arith.constant 63 : i64
    %n = arith.andi %thread, %last : i64
    %left = arith.shli %a, %n : i64
    memref.store %left, %B[%c0, %i] : memref<3x256xi64>
    %right = arith.shrui %a, %n : i64
    memref.store %right, %B[%c1, %i] : memref<3x256xi64>
    %signed = arith.shrsi %a, %n : i64
    memref.store %signed, %B[%c2, %i] : memref<3x256xi64>
    gpu.return
  }
}
