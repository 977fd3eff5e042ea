// Registered host memory that kernels access in place, fills, copies on the device, and a launch with
// a token that is waited for.

// REQUIRES: mlir-runner
// RUN: tile-opt --tile-to-host %s -o %t.mlir
// RUN: mlir-runner %t.mlir --entry-point-result=i32 --shared-libs=%tile_runtime | FileCheck %s
// CHECK: {{^}}96{{$}}

!row = !tile.buffer<32xi32, global>

module attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
    // A strided part of host memory.
    gpu.func @add(%A: memref<32xi32>, %B: memref<?xi32, strided<[1], offset: ?>>) kernel
        attributes {known_block_size = array<i32: 32, 1, 1>} {
      %a = tile.view %A : memref<32xi32> to !row
      %b = tile.view %B : memref<?xi32, strided<[1], offset: ?>> to !tile.buffer<?xi32, global>
      tile.copy %a to %b[0] [32] scope(cta) reduce(add) : !row to !tile.buffer<?xi32, global>
      gpu.return
    }
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    // Two arrays on the device: ones, and a copy of them.
    %d = gpu.alloc () : memref<32xi32>
    %e = gpu.alloc () : memref<32xi32>
    gpu.memset %d, %one : memref<32xi32>, i32
    gpu.memcpy %e, %d : memref<32xi32>, memref<32xi32>
    // A dense array on the host: ones.
    %s = memref.alloc() : memref<32xi32>
    %dense = memref.cast %s : memref<32xi32> to memref<*xi32>
    gpu.host_register %dense : memref<*xi32>
    scf.for %i = %c0 to %c32 step %c1 {
      memref.store %one, %s[%i] : memref<32xi32>
    }
    // A matrix on the host; the kernel adds to one of its rows.
    %H = memref.alloc() : memref<3x32xi32>
    scf.for %i = %c0 to %c32 step %c1 {
      memref.store %zero, %H[%c1, %i] : memref<3x32xi32>
    }
    %row = memref.subview %H[%c1, 0] [1, %c32] [1, 1]
      : memref<3x32xi32> to memref<?xi32, strided<[1], offset: ?>>
    %all = memref.cast %H : memref<3x32xi32> to memref<*xi32>
    gpu.host_register %all : memref<*xi32>
    gpu.launch_func @kernels::@add blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%e : memref<32xi32>, %row : memref<?xi32, strided<[1], offset: ?>>)
    gpu.launch_func @kernels::@add blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%s : memref<32xi32>, %row : memref<?xi32, strided<[1], offset: ?>>)
    %begin = gpu.wait async
    %end = gpu.launch_func async [%begin] @kernels::@add blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%d : memref<32xi32>, %row : memref<?xi32, strided<[1], offset: ?>>)
    gpu.wait [%end]
    gpu.host_unregister %all : memref<*xi32>
    gpu.host_unregister %dense : memref<*xi32>
    %sum = scf.for %i = %c0 to %c32 step %c1 iter_args(%before = %zero) -> i32 {
      %x = memref.load %H[%c1, %i] : memref<3x32xi32>
      %next = arith.addi %before, %x : i32
      scf.yield %next : i32
    }
    return %sum : i32
  }
}
