// A launch calls functions with tiles, of the module around it; outlining copies them next to the kernel, which inlines them. The
// kernel has no barrier: the pipeline inserts it.

// REQUIRES: mlir-runner
// RUN: tile-opt --tile-to-host %s -o %t.mlir
// RUN: mlir-runner %t.mlir --entry-point-result=i32 --shared-libs=%tile_runtime | FileCheck %s
// RUN: tile-opt --tile-inline --tile-to-host %s -o %t.inlined.mlir
// RUN: mlir-runner %t.inlined.mlir --entry-point-result=i32 --shared-libs=%tile_runtime | FileCheck %s
// CHECK: {{^}}0{{$}}

!global = !tile.buffer<32x32xf32, global>
!shared = !tile.buffer<32x32xf32, shared>
!turned = !tile.buffer<32x32xf32, shared, #tile.layout<(32, 32) : (1, 32)>>

module attributes {gpu.container_module} {
  func.func private @view(%A: memref<32x32xf32>) -> !global {
    %a = tile.view %A : memref<32x32xf32> to !global
    return %a : !global
  }
  func.func private @load(%A: memref<32x32xf32>) -> !shared {
    %a = func.call @view(%A) : (memref<32x32xf32>) -> !global
    %s = tile.alloc : !shared
    tile.copy %a to %s scope(cta) : !global to !shared
    return %s : !shared
  }

  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %none = arith.constant 0 : i32
    %A = memref.alloc() : memref<32x32xf32>
    %B = memref.alloc() : memref<32x32xf32>
    scf.for %i = %c0 to %c32 step %c1 {
      scf.for %j = %c0 to %c32 step %c1 {
        %row = arith.muli %i, %c64 : index
        %number = arith.addi %row, %j : index
        %word = arith.index_cast %number : index to i32
        %x = arith.sitofp %word : i32 to f32
        memref.store %x, %A[%i, %j] : memref<32x32xf32>
      }
    }
    %a = memref.cast %A : memref<32x32xf32> to memref<*xf32>
    %b = memref.cast %B : memref<32x32xf32> to memref<*xf32>
    gpu.host_register %a : memref<*xf32>
    gpu.host_register %b : memref<*xf32>
    gpu.launch blocks(%x, %y, %z) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%bx = %c64, %by = %c1, %bz = %c1) {
      %s = func.call @load(%A) : (memref<32x32xf32>) -> !shared
      %to = func.call @view(%B) : (memref<32x32xf32>) -> !global
      %t = tile.permute %s [1, 0] : !shared to !turned
      tile.copy %t to %to scope(cta) : !turned to !global
      gpu.terminator
    }
    // Elements that are not those of the transpose.
    %wrong = scf.for %i = %c0 to %c32 step %c1 iter_args(%rows = %none) -> i32 {
      %inner = scf.for %j = %c0 to %c32 step %c1 iter_args(%count = %rows) -> i32 {
        %from = memref.load %A[%i, %j] : memref<32x32xf32>
        %to = memref.load %B[%j, %i] : memref<32x32xf32>
        %differs = arith.cmpf une, %from, %to : f32
        %one = arith.extui %differs : i1 to i32
        %next = arith.addi %count, %one : i32
        scf.yield %next : i32
      }
      scf.yield %inner : i32
    }
    return %wrong : i32
  }
}
