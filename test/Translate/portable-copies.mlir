// A kernel with copies in every language: a buffer that is copied by 16-byte vectors is an array of these. Khronos' validator
// checks SPIR-V if it is installed. Other kernels of the module, such as one that asks for cp.async by name, are left out.
// RUN: tile-translate %s --tile-to-wgsl --kernel=through | FileCheck %s --check-prefix=WGSL
// RUN: tile-translate %s --tile-to-msl --kernel=through | FileCheck %s --check-prefix=MSL
// RUN: tile-translate %s --tile-to-hlsl --kernel=through | FileCheck %s --check-prefix=HLSL
// RUN: %if spirv-val %{ tile-translate %s --tile-to-spirv --kernel=through -o %t.spv && spirv-val --target-env vulkan1.2 %t.spv %}
// RUN: %if spirv-val %{ tile-translate %s --tile-to-spirv --kernel=through --chip=vulkan1.3-64 -o %t.spv && spirv-val --target-env vulkan1.3 %t.spv %}
// RUN: tile-opt %s --lower-tile-copy=chip=sm_80 -o /dev/null
// RUN: not tile-opt %s --tile-to-portable=chip=webgpu -o /dev/null 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: tile-translate %s --tile-to-ptx | FileCheck %s --check-prefix=PTX

// The rows are loaded by vectors, and stored word by word.
// WGSL:      @group(0) @binding(0){{ *}}
// WGSL-NEXT: var<storage> [[A:m0_?]]: array<vec4<u32>>;
// WGSL-NEXT: @group(0) @binding(1){{ *}}
// WGSL-NEXT: var<storage, read_write> [[B:m1_?]]: array<u32>;
// WGSL:      @group(0) @binding(2){{ *}}
// WGSL-NEXT: var<uniform> numbers: array<vec4<u32>, 2>;
// WGSL:      @compute @workgroup_size(64, 1, 1)
// WGSL-NEXT: fn through(
// WGSL:      storageBarrier();
// WGSL-NEXT: workgroupBarrier();

// MSL: kernel void through(
// HLSL: [numthreads(64, 1, 1)]
// HLSL-NEXT: void through(
// OTHER: error: 'tile.copy_async' op cannot be done by 'ldgsts': cp.async needs sm_80 or later; got webgpu
// PTX: .entry through(

!a = !tile.buffer<16x32xf32, global>
!b = !tile.buffer<16x32xf32, global, #tile.layout<(16, 32) : (?, 1)>>
!s = !tile.buffer<16x32xf32, shared>

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @through(%A: memref<16x32xf32>, %B: memref<16x32xf32, strided<[?, 1]>>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<16x32xf32> to !a
    %b = tile.view %B : memref<16x32xf32, strided<[?, 1]>> to !b
    %s = tile.alloc : !s
    tile.copy %a to %s scope(cta) : !a to !s
    gpu.barrier
    tile.copy %s to %b scope(cta) : !s to !b
    gpu.return
  }
  gpu.func @asynchronous(%A: memref<16x32xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %a = tile.view %A : memref<16x32xf32> to !a
    %s = tile.alloc : !s
    tile.copy_async %a to %s scope(cta) group {variant = "ldgsts"} : !a to !s
    gpu.return
  }
}
