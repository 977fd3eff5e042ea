// A scalar of every type is passed as the MLIR declares it, however LLVM declares the parameter in PTX.
// RUN: tile-run %s --entry f16 --arg f16=3 --arg f16[64]=poison --print 1 | FileCheck %s --check-prefix=F16
// F16: 3.0 3.0 3.0
// RUN: tile-run %s --entry bf16 --arg bf16=-1.5 --arg bf16[64]=poison --print 1 | FileCheck %s --check-prefix=BF16
// BF16: -1.5 -1.5
// RUN: tile-run %s --entry f8 --arg f8E4M3FN=2 --arg f8E4M3FN[64]=poison --print 1 | FileCheck %s --check-prefix=F8
// F8: 2.0 2.0
// RUN: tile-run %s --entry f64 --arg f64=0.25 --arg f64[64]=poison --print 1 | FileCheck %s --check-prefix=F64
// F64: 0.25 0.25
// RUN: tile-run %s --entry i8 --arg i8=-7 --arg i8[64]=poison --print 1 | FileCheck %s --check-prefix=I8
// I8: -7 -7
// RUN: tile-run %s --entry i1 --arg i1=1 --arg i32[64]=poison --print 1 | FileCheck %s --check-prefix=I1
// I1: 5 5
// RUN: not tile-run %s --entry f16 --arg bf16=3 --arg f16[64]=poison 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: scalar-types.mlir:{{[0-9]+:[0-9]+}}: error: argument 0: got a number of type bf16, expected f16: it is declared as f16

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @f16(%v: f16, %B: memref<64xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.thread_id x
    memref.store %v, %B[%i] : memref<64xf16>
    gpu.return
  }
  gpu.func @bf16(%v: bf16, %B: memref<64xbf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.thread_id x
    memref.store %v, %B[%i] : memref<64xbf16>
    gpu.return
  }
  gpu.func @f8(%v: f8E4M3FN, %B: memref<64xf8E4M3FN>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %b = tile.view %B : memref<64xf8E4M3FN>
    tile.fill %v to %b scope(cta) : f8E4M3FN to !tile.buffer<64xf8E4M3FN, global>
    gpu.return
  }
  gpu.func @f64(%v: f64, %B: memref<64xf64>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.thread_id x
    memref.store %v, %B[%i] : memref<64xf64>
    gpu.return
  }
  gpu.func @i8(%v: i8, %B: memref<64xi8>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.thread_id x
    memref.store %v, %B[%i] : memref<64xi8>
    gpu.return
  }
  gpu.func @i1(%v: i1, %B: memref<64xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.thread_id x
    %five = arith.constant 5 : i32
    %zero = arith.constant 0 : i32
    %x = arith.select %v, %five, %zero : i32
    memref.store %x, %B[%i] : memref<64xi32>
    gpu.return
  }
}
