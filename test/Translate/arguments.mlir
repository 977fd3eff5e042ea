// A kernel takes a memref as a pointer, followed by the dynamic parts of its type. Attributes state what the caller promises
// about it: its alignment, and that it overlaps no other argument. An alignment that does not divide the size is not passed to
// LLVM, which might load whole aligned vectors of which only a part is requested.

// RUN: split-file %s %t

// RUN: tile-opt --tile-prepare-kernels %t/kernel.mlir | FileCheck %s --check-prefix=PROMISED
// PROMISED: gpu.func @copy(%{{.*}}: memref<64xf32> {llvm.align = 256 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: memref<32xf32> {llvm.align = 16 : i64}, %{{.*}}: memref<3xf32> {llvm.align = 4 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: f32)
// PROMISED: gpu.func @not_a_kernel(%{{.*}}: memref<32xf32>)

// RUN: tile-opt '--tile-prepare-kernels=noalias=false argument-alignment=64' %t/kernel.mlir \
// RUN:   | FileCheck %s --check-prefix=LESS --implicit-check-not=llvm.noalias
// LESS: gpu.func @copy(%{{.*}}: memref<64xf32> {llvm.align = 64 : i64}, %{{.*}}: memref<32xf32> {llvm.align = 16 : i64}, %{{.*}}: memref<3xf32> {llvm.align = 4 : i64}, %{{.*}}: f32)

// In PTX, an argument that is only read and does not overlap others is loaded through the read-only cache.
// RUN: tile-translate --tile-to-ptx %t/kernel.mlir | FileCheck %s --check-prefix=PTX
// PTX: .entry copy(
// PTX-NEXT: .param .u64 .ptr .align 256 copy_param_0,
// PTX-NEXT: .param .u64 .ptr .align 16 copy_param_1,
// PTX-NEXT: .param .u64 .ptr .align 4 copy_param_2,
// PTX-NEXT: .param .f32 copy_param_3
// PTX: ld.global.nc.b32

// Without the promise, it is not.
// RUN: tile-opt --pass-pipeline='builtin.module(lower-tile-copy,tile-to-nvvm{noalias=false})' %t/kernel.mlir \
// RUN:   | tile-translate --tile-to-ptx | FileCheck %s --check-prefix=ALIAS
// ALIAS: .entry copy(
// ALIAS: ld.global.b32

// After the pointer: the offset, the extents and the strides that are dynamic in the type.
// RUN: tile-opt --tile-prepare-kernels %t/open.mlir | FileCheck %s --check-prefix=OPEN
// OPEN: gpu.func @copy(%[[X:.*]]: f32, %[[A:.*]]: memref<1xf32> {llvm.align = 4 : i64}, %[[OFFSET:.*]]: index, %[[ROWS:.*]]: index, %[[LD:.*]]: index, %[[B:.*]]: memref<1xf16, 1> {llvm.align = 2 : i64, llvm.noalias, llvm.readonly}, %[[M:[^:]*]]: index, %[[N:[^:]*]]: index)
// OPEN-DAG: memref.reinterpret_cast %[[A]] to offset: [%[[OFFSET]]], sizes: [%[[ROWS]], 32], strides: [%[[LD]], 1] : memref<1xf32> to memref<?x32xf32, strided<[?, 1], offset: ?>>
// OPEN-DAG: %[[DENSE:.*]] = memref.reinterpret_cast %[[B]] to offset: [0], sizes: [%[[M]], %[[N]]], strides: [%{{.*}}, 1]
// RUN: tile-translate --tile-to-ptx %t/open.mlir | FileCheck %s --check-prefix=NUMBERS
// NUMBERS: .entry copy(
// NUMBERS-NEXT: .param .f32 copy_param_0,
// NUMBERS-NEXT: .param .u64 .ptr .align 4 copy_param_1,
// NUMBERS-NEXT: .param .u64 copy_param_2,
// NUMBERS-NEXT: .param .u64 copy_param_3,
// NUMBERS-NEXT: .param .u64 copy_param_4,
// NUMBERS-NEXT: .param .u64 .ptr{{.*}} copy_param_5,

// Wrong promises are refused.
// RUN: not tile-opt --tile-prepare-kernels=argument-alignment=24 %t/kernel.mlir 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: {{.*}}got argument-alignment = 24, expected a power of two from 1 to 1073741824

//--- kernel.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copy(%from: memref<64xf32>, %to: memref<32xf32> {llvm.align = 16 : i64}, %odd: memref<3xf32>, %x: f32) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %i = gpu.thread_id x
    %value = memref.load %from[%i] : memref<64xf32>
    %sum = arith.addf %value, %x : f32
    memref.store %sum, %to[%i] : memref<32xf32>
    gpu.return
  }
  gpu.func @not_a_kernel(%M: memref<32xf32>) {
    gpu.return
  }
}

//--- open.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copy(%x: f32, %A: memref<?x32xf32, strided<[?, 1], offset: ?>>, %B: memref<?x?xf16, 1>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %i = gpu.thread_id x
    %value = memref.load %B[%i, %i] : memref<?x?xf16, 1>
    %wide = arith.extf %value : f16 to f32
    %sum = arith.addf %wide, %x : f32
    memref.store %sum, %A[%i, %i] : memref<?x32xf32, strided<[?, 1], offset: ?>>
    gpu.return
  }
}
