// Arguments are passed as the MLIR declares them: the numbers that follow a memref's pointer are implied, elements may have
// strides, and an argument that does not fit is an error at the kernel's declaration.
// RUN: tile-run %s --entry rows --arg 'f16[12x64:128x1+8]=normal(0,1)' --arg f16[12x64:64x1]=poison --grid 12 --expect-equal 0,1 | FileCheck %s
// RUN: tile-run %s --entry rows --arg 'f16[12x64]=uniform(-1,1):7' --arg f16[12x64:72x1]=poison --grid 12 --expect-equal 0,1 | FileCheck %s
// CHECK: argument 1 holds what argument 0 holds

// Elements that were not written are reported, and so are writes between the elements.
// RUN: not tile-run %s --entry rows --arg f16[2x64]=ones --arg f16[2x64:66x1]=poison --expect-equal 0,1 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: argument 1 does not hold what argument 0 holds: 64 of 128 elements differ
// FEW-NEXT: (1, 0): got no value, expected 1.0 (0x3c00)
// RUN: not tile-run %s --entry beyond --arg f16[2x64]=ones --arg f16[2x64:66x1]=poison 2>&1 | FileCheck %s --check-prefix=STRAY
// STRAY: argument 1: 1 elements of memory around f16[2x64] were written, the first at offset 64 of its memory

// RUN: not tile-run %s --entry rows --arg f32[12x64]=ones --arg f16[12x64]=poison 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: arguments.mlir:{{[0-9]+:[0-9]+}}: error: argument 0: got a buffer f32[12x64], expected elements of type f16: it is declared as memref<?x64xf16, strided<[?, 1], offset: ?>>
// RUN: not tile-run %s --entry rows --arg f16[12x65]=ones --arg f16[12x64]=poison 2>&1 | FileCheck %s --check-prefix=EXTENT
// EXTENT: error: argument 0: got a buffer f16[12x65] with extent 65 of dimension 1, expected 64:
// RUN: not tile-run %s --entry rows --arg f16[12x64:1x12]=ones --arg f16[12x64]=poison 2>&1 | FileCheck %s --check-prefix=STRIDE
// STRIDE: error: argument 0: got stride 12 of dimension 1, expected 1:
// RUN: not tile-run %s --entry rows --arg f16[12x64]=ones 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: got 1 arguments, expected 2: rows(memref<?x64xf16, strided<[?, 1], offset: ?>>, memref<?x64xf16, strided<[?, 1]>>), or 7 with the numbers
// RUN: not tile-run %s --entry fixed --arg f32[4x9]=ones --arg i32=3 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: argument 0: got a buffer f32[4x9] of 36 elements, expected 32: it is declared as memref<4x8xf32>
// RUN: not tile-run %s --entry fixed --arg f32[4x8]=ones --arg f32=3 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: error: argument 1: got a number of type f32, expected {{.*}}32

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @rows(%A: memref<?x64xf16, strided<[?, 1], offset: ?>>, %B: memref<?x64xf16, strided<[?, 1]>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %row = gpu.block_id x
    %column = gpu.thread_id x
    %e = memref.load %A[%row, %column] : memref<?x64xf16, strided<[?, 1], offset: ?>>
    memref.store %e, %B[%row, %column] : memref<?x64xf16, strided<[?, 1]>>
    gpu.return
  }

  gpu.func @beyond(%A: memref<?x64xf16, strided<[?, 1]>>, %B: memref<?x64xf16, strided<[?, 1]>>) kernel
      attributes {known_block_size = array<i32: 65, 1, 1>} {
    %row = gpu.block_id x
    %column = gpu.thread_id x
    %one = arith.constant 1.0 : f16
    memref.store %one, %B[%row, %column] : memref<?x64xf16, strided<[?, 1]>>
    gpu.return
  }

  gpu.func @fixed(%A: memref<4x8xf32>, %n: i32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = arith.sitofp %n : i32 to f32
    memref.store %x, %A[%c0, %c0] : memref<4x8xf32>
    gpu.return
  }
}
