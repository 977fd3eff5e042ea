// A kernel takes a memref as one pointer. What the caller promises about it is written down: its alignment, and
// that it overlaps no other argument. LLVM is told of no alignment that does not divide the size: it may load aligned
// vectors of which only a part is asked for.

// RUN: split-file %s %t

// RUN: tile-opt --tile-prepare-kernels %t/kernel.mlir | FileCheck %s --check-prefix=PROMISED
// PROMISED: gpu.func @copy(%{{.*}}: memref<64xf32> {llvm.align = 256 : i64, llvm.noalias}, %{{.*}}: memref<32xf32> {llvm.align = 16 : i64}, %{{.*}}: memref<3xf32> {llvm.align = 4 : i64, llvm.noalias}, %{{.*}}: f32)
// PROMISED: gpu.func @not_a_kernel(%{{.*}}: memref<32xf32>)

// RUN: tile-opt '--tile-prepare-kernels=noalias=false argument-alignment=64' %t/kernel.mlir \
// RUN:   | FileCheck %s --check-prefix=LESS --implicit-check-not=llvm.noalias
// LESS: gpu.func @copy(%{{.*}}: memref<64xf32> {llvm.align = 64 : i64}, %{{.*}}: memref<32xf32> {llvm.align = 16 : i64}, %{{.*}}: memref<3xf32> {llvm.align = 4 : i64}, %{{.*}}: f32)

// In PTX an argument without overlap that is only read is loaded through the read-only cache.
// RUN: tile-translate --tile-to-ptx %t/kernel.mlir | FileCheck %s --check-prefix=PTX
// PTX: .entry copy(
// PTX-NEXT: .param .u64 .ptr .align 256 copy_param_0,
// PTX-NEXT: .param .u64 .ptr .align 16 copy_param_1,
// PTX-NEXT: .param .u64 .ptr .align 4 copy_param_2,
// PTX-NEXT: .param .f32 copy_param_3
// PTX: ld.global.nc.b32

// Without the promise it is not.
// RUN: tile-opt --pass-pipeline='builtin.module(lower-tile-copy,tile-to-nvvm{noalias=false})' %t/kernel.mlir \
// RUN:   | tile-translate --tile-to-ptx | FileCheck %s --check-prefix=ALIAS
// ALIAS: .entry copy(
// ALIAS: ld.global.b32

// Nothing but a pointer is passed: extents and strides must be in the type.
// RUN: not tile-translate --tile-to-ptx %t/dynamic-extent.mlir 2>&1 | FileCheck %s --check-prefix=EXTENT
// EXTENT: dynamic-extent.mlir:2:3: error: 'gpu.func' op has argument 1 of type memref<?x32xf32>, expected static extents, strides and offset: a kernel takes a memref as one pointer
// RUN: not tile-translate --tile-to-ptx %t/dynamic-stride.mlir 2>&1 | FileCheck %s --check-prefix=STRIDE
// STRIDE: dynamic-stride.mlir:2:3: error: 'gpu.func' op has argument 0 of type memref<32x32xf32, strided<[?, 1]>>, expected static extents

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

//--- dynamic-extent.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copy(%x: f32, %A: memref<?x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}

//--- dynamic-stride.mlir
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @copy(%A: memref<32x32xf32, strided<[?, 1]>>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.return
  }
}
