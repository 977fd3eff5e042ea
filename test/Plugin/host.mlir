// The host passes the arguments that the kernel takes, with upstream's own passes and their default options: outlining,
// lowering, host conversion, serialization. The kernel has three parameters, and the launch passes three.

// REQUIRES: mlir-opt
// RUN: split-file %s %t
// RUN: mlir-opt %t/launch-func.mlir --load-dialect-plugin=%tile_plugin --load-pass-plugin=%tile_plugin --pass-pipeline='builtin.module(lower-tile-copy,tile-to-nvvm,gpu-to-llvm,gpu-module-to-binary{format=isa})' -o %t/binary.mlir
// RUN: FileCheck %s --check-prefix=KERNEL --input-file=%t/binary.mlir
// RUN: mlir-translate --mlir-to-llvmir %t/binary.mlir | FileCheck %s --check-prefix=HOST

// KERNEL-DAG: args(%{{.*}} : !llvm.ptr, %{{.*}} : !llvm.ptr, %{{.*}} : i64)
// KERNEL-DAG: .visible .entry copy({{.*}}copy_param_0,{{.*}}copy_param_1,{{.*}}copy_param_2{{.*}})
// HOST: alloca ptr, i64 3
// HOST: call void @mgpuLaunchKernel({{.*}}, i64 3)

// The same for a kernel that was outlined from a gpu.launch.
// RUN: mlir-opt %t/launch.mlir --load-dialect-plugin=%tile_plugin --load-pass-plugin=%tile_plugin --pass-pipeline='builtin.module(gpu-kernel-outlining,lower-tile-copy,tile-to-nvvm)' \
// RUN:   | FileCheck %s --check-prefix=OUTLINED
// OUTLINED-LABEL: func.func @inline
// OUTLINED:       gpu.launch_func @inline_kernel::@inline_kernel {{.*}} args(%{{.*}} : !llvm.ptr)
// OUTLINED:       llvm.func @inline_kernel(%{{.*}}: !llvm.ptr {llvm.align = {{[0-9]+}} : i64})

//--- launch-func.mlir
module attributes {gpu.container_module} {
  func.func @main(%A: memref<32x32xf32>, %B: memref<32x32xf32, strided<[32, 1], offset: 8>>, %n: index) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@copy blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%A : memref<32x32xf32>, %B : memref<32x32xf32, strided<[32, 1], offset: 8>>, %n : index)
    return
  }
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    gpu.func @copy(%A: memref<32x32xf32>, %B: memref<32x32xf32, strided<[32, 1], offset: 8>>, %n: index) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>} {
      %a = tile.view %A : memref<32x32xf32> to !tile.buffer<32x32xf32, global>
      %b = tile.view %B : memref<32x32xf32, strided<[32, 1], offset: 8>> to !tile.buffer<32x32xf32, global>
      tile.copy %a to %b scope(warp) : !tile.buffer<32x32xf32, global> to !tile.buffer<32x32xf32, global>
      gpu.return
    }
  }
}

//--- launch.mlir
func.func @inline(%A: memref<32xf32>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %x = arith.constant 1.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    memref.store %x, %A[%tx] : memref<32xf32>
    gpu.terminator
  }
  return
}
