// One scan in every language. Khronos' validator checks SPIR-V if it is installed.
// RUN: tile-translate %s --tile-to-wgsl | FileCheck %s --check-prefix=WGSL
// RUN: tile-translate %s --tile-to-msl | FileCheck %s --check-prefix=MSL
// RUN: tile-translate %s --tile-to-hlsl | FileCheck %s --check-prefix=HLSL
// RUN: %if spirv-val %{ tile-translate %s --tile-to-spirv -o %t.spv && spirv-val --target-env vulkan1.2 %t.spv %}
// RUN: %if spirv-val %{ tile-translate %s --tile-to-spirv --chip=vulkan1.3-64 -o %t.spv && spirv-val --target-env vulkan1.3 %t.spv %}
// RUN: not tile-translate %s --tile-to-spirv --chip=webgpu 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not tile-translate %s --tile-to-wgsl --chip=sm_90a 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not tile-translate %s --tile-to-ptx --chip=webgpu 2>&1 | FileCheck %s --check-prefix=PTX

// WGSL: array<atomic<u32>>
// WGSL: @compute @workgroup_size(256, 1, 1)
// WGSL-NEXT: fn longest(

// MSL: kernel void longest(
// HLSL: [numthreads(256, 1, 1)]
// HLSL-NEXT: void longest(

// OTHER: error: {{.*}}in the options: webgpu takes wgsl, expected a target that takes spirv, as vulkan1.2
// CHIP: error: {{.*}}in the options: unknown target 'sm_90a'; known portable targets: vulkan1.2, vulkan1.2-64, vulkan1.3, vulkan1.3-64, vulkan1.3-64-subgroup8, vulkan1.3-64-subgroup32, vulkan1.3-64-subgroup64, webgpu, metal, d3d12
// PTX: unknown chip 'webgpu'

func.func @host(%x: memref<?xi64>, %y: memref<?xi64>, %w: memref<?xi8>, %epoch: i32) {
  tile.scan @kernels::@longest exclusive custom %x to %y workspace(%w) epoch(%epoch) identity(0 : i64)
    : memref<?xi64> to memref<?xi64>, memref<?xi8> combine {
  ^bb0(%l: i64, %r: i64):
    %zero = arith.constant 0 : i64
    %more = arith.cmpi sgt, %l, %r : i64
    %m = arith.select %more, %l, %r : i64
    %n = arith.maxsi %m, %zero : i64
    tile.yield %n : i64
  }
  return
}
