// gpu.memset of elements of 8, 16, 32 and 64 bits, also of a token.

// REQUIRES: mlir-runner
// RUN: tile-opt --tile-to-host %s -o %t.mlir
// RUN: mlir-runner %t.mlir --entry-point-result=i32 --shared-libs=%tile_runtime | FileCheck %s
// CHECK: {{^}}57{{$}}

module attributes {gpu.container_module} {
  // The elements of 35 f64 that are 2.5, of 13 i8 that are -3, of 8 f16 that are 1.5, and of one i64 that is 2^40.
  func.func @main() -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c7 = arith.constant 7 : index
    %c13 = arith.constant 13 : index
    %c8 = arith.constant 8 : index
    %none = arith.constant 0 : i32
    %double = arith.constant 2.5 : f64
    %byte = arith.constant -3 : i8
    %half = arith.constant 1.5 : f16
    %long = arith.constant 1099511627776 : i64
    %d = gpu.alloc () : memref<5x7xf64>
    %e = gpu.alloc (%c13) : memref<?xi8>
    %f = gpu.alloc () : memref<8xf16>
    %g = gpu.alloc () : memref<i64>
    gpu.memset %d, %double : memref<5x7xf64>, f64
    %first = gpu.wait async
    %set = gpu.memset async [%first] %e, %byte : memref<?xi8>, i8
    gpu.wait [%set]
    gpu.memset %f, %half : memref<8xf16>, f16
    gpu.memset %g, %long : memref<i64>, i64
    %D = memref.alloc() : memref<5x7xf64>
    %E = memref.alloc(%c13) : memref<?xi8>
    %F = memref.alloc() : memref<8xf16>
    %G = memref.alloc() : memref<i64>
    gpu.memcpy %D, %d : memref<5x7xf64>, memref<5x7xf64>
    gpu.memcpy %E, %e : memref<?xi8>, memref<?xi8>
    gpu.memcpy %F, %f : memref<8xf16>, memref<8xf16>
    gpu.memcpy %G, %g : memref<i64>, memref<i64>
    %doubles = scf.for %i = %c0 to %c5 step %c1 iter_args(%before = %none) -> i32 {
      %row = scf.for %j = %c0 to %c7 step %c1 iter_args(%count = %before) -> i32 {
        %x = memref.load %D[%i, %j] : memref<5x7xf64>
        %same = arith.cmpf oeq, %x, %double : f64
        %one = arith.extui %same : i1 to i32
        %more = arith.addi %count, %one : i32
        scf.yield %more : i32
      }
      scf.yield %row : i32
    }
    %bytes = scf.for %i = %c0 to %c13 step %c1 iter_args(%count = %doubles) -> i32 {
      %x = memref.load %E[%i] : memref<?xi8>
      %same = arith.cmpi eq, %x, %byte : i8
      %one = arith.extui %same : i1 to i32
      %more = arith.addi %count, %one : i32
      scf.yield %more : i32
    }
    %halves = scf.for %i = %c0 to %c8 step %c1 iter_args(%count = %bytes) -> i32 {
      %x = memref.load %F[%i] : memref<8xf16>
      %same = arith.cmpf oeq, %x, %half : f16
      %one = arith.extui %same : i1 to i32
      %more = arith.addi %count, %one : i32
      scf.yield %more : i32
    }
    %x = memref.load %G[] : memref<i64>
    %same = arith.cmpi eq, %x, %long : i64
    %one = arith.extui %same : i1 to i32
    %all = arith.addi %halves, %one : i32
    return %all : i32
  }
}
