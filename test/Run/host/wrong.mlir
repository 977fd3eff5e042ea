// A mistake of a host program ends it with a reason: use of freed memory, an invalid setting, a launch that the kernel cannot have.

// REQUIRES: mlir-runner
// RUN: tile-opt --tile-to-host %s -o %t.mlir
// RUN: not mlir-runner %t.mlir --entry-point-result=void --shared-libs=%tile_runtime 2>&1 | FileCheck %s --check-prefix=FREED
// RUN: not env TILE_RUNTIME_SCHEDULE=soon mlir-runner %t.mlir --entry-point-result=void --shared-libs=%tile_runtime 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// RUN: not env TILE_RUNTIME=rocm mlir-runner %t.mlir --entry-point-result=void --shared-libs=%tile_runtime 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not mlir-runner %t.mlir -e twice --entry-point-result=void --shared-libs=%tile_runtime 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not mlir-runner %t.mlir -e shape --entry-point-result=void --shared-libs=%tile_runtime 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not mlir-runner %t.mlir -e block --entry-point-result=void --shared-libs=%tile_runtime 2>&1 | FileCheck %s --check-prefix=BLOCK

// RUN: not tile-opt --tile-to-host %S/Inputs/host-shared.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT: host-shared.mlir:4:{{[0-9]+}}: error: 'gpu.alloc' op is left in host code: no conversion to the LLVM dialect takes it; lower it before

// FREED: tile-runtime: error: fill: schedule fair: {{.*}}out of bounds
// SCHEDULE: tile-runtime: error: TILE_RUNTIME_SCHEDULE: got schedule `soon`, expected fair,
// DEVICE: tile-runtime: error: TILE_RUNTIME: got 'rocm', expected sim or cuda
// TWICE: tile-runtime: error: freeing: no allocation begins at 0x
// SHAPE: tile-runtime: error: fill: schedule fair: kernel `fill` cannot be launched: got a grid of 0x1x1 blocks, expected 1 or more of each
// BLOCK: tile-runtime: error: fill: schedule fair: kernel `fill` cannot be launched: got blocks of 16x1x1 threads, expected 32x1x1

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    gpu.func @fill(%A: memref<32xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %a = tile.view %A : memref<32xi32> to !tile.buffer<32xi32, global>
      %one = arith.constant 1 : i32
      tile.fill %one to %a scope(cta) : i32 to !tile.buffer<32xi32, global>
      gpu.return
    }
  }

  func.func @main() {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %a = gpu.alloc () : memref<32xi32>
    gpu.dealloc %a : memref<32xi32>
    gpu.launch_func @kernels::@fill blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%a : memref<32xi32>)
    return
  }

  func.func @twice() {
    %a = gpu.alloc () : memref<32xi32>
    gpu.dealloc %a : memref<32xi32>
    gpu.dealloc %a : memref<32xi32>
    return
  }

  func.func @shape() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %a = gpu.alloc () : memref<32xi32>
    %size = memref.alloc() : memref<index>
    memref.store %c0, %size[] : memref<index>
    %n = memref.load %size[] : memref<index>
    gpu.launch_func @kernels::@fill blocks in (%n, %c1, %c1) threads in (%c32, %c1, %c1) args(%a : memref<32xi32>)
    return
  }

  func.func @block() {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %a = gpu.alloc () : memref<32xi32>
    %size = memref.alloc() : memref<index>
    memref.store %c16, %size[] : memref<index>
    %n = memref.load %size[] : memref<index>
    gpu.launch_func @kernels::@fill blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%a : memref<32xi32>)
    return
  }
}
