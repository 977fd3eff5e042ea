// Prefix sums of prefix sums, from a host function: two launches with one workspace and an epoch each.

// REQUIRES: mlir-runner
// RUN: tile-opt --tile-to-host %s -o %t.mlir
// RUN: mlir-runner %t.mlir --entry-point-result=i32 --shared-libs=%tile_runtime | FileCheck %s
// RUN: env TILE_RUNTIME_SCHEDULE=all TILE_RUNTIME_REPORT=1 mlir-runner %t.mlir --entry-point-result=i32 --shared-libs=%tile_runtime 2>&1 | FileCheck %s --check-prefixes=ALL,CHECK

// ALL-COUNT-5: cumsum: 3x1x1 blocks of 448x1x1 threads, schedule
// ALL-COUNT-5: cumsum: 3x1x1 blocks of 448x1x1 threads, schedule
// CHECK: {{^}}0{{$}}

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {}

func.func @cumsum(%x: memref<?xi64>, %y: memref<?xi64>, %w: memref<?xi8>, %epoch: i32) {
  tile.scan @kernels::@cumsum inclusive add %x to %y workspace(%w) epoch(%epoch)
    : memref<?xi64> to memref<?xi64>, memref<?xi8>
  return
}

// Counts the elements that differ from the expected result: prefix sums of prefix sums of ones are 1, 3, 6, 10, ….
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = arith.constant 10000 : index
  %bytes = arith.constant 512 : index
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i8
  %none = arith.constant 0 : i32
  %first = arith.constant 1 : i32
  %second = arith.constant 2 : i32
  %X = memref.alloc(%n) : memref<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %X[%i] : memref<?xi64>
  }
  %W = memref.alloc(%bytes) : memref<?xi8>
  scf.for %i = %c0 to %bytes step %c1 {
    memref.store %zero, %W[%i] : memref<?xi8>
  }
  %x = gpu.alloc (%n) : memref<?xi64>
  %y = gpu.alloc (%n) : memref<?xi64>
  %w = gpu.alloc (%bytes) : memref<?xi8>
  gpu.memcpy %x, %X : memref<?xi64>, memref<?xi64>
  gpu.memcpy %w, %W : memref<?xi8>, memref<?xi8>
  call @cumsum(%x, %y, %w, %first) : (memref<?xi64>, memref<?xi64>, memref<?xi8>, i32) -> ()
  call @cumsum(%y, %x, %w, %second) : (memref<?xi64>, memref<?xi64>, memref<?xi8>, i32) -> ()
  gpu.memcpy %X, %x : memref<?xi64>, memref<?xi64>
  gpu.dealloc %x : memref<?xi64>
  gpu.dealloc %y : memref<?xi64>
  gpu.dealloc %w : memref<?xi8>
  %wrong = scf.for %i = %c0 to %n step %c1 iter_args(%before = %none) -> i32 {
    %next = arith.addi %i, %c1 : index
    %behind = arith.addi %i, %c2 : index
    %twice = arith.muli %next, %behind : index
    %sum = arith.divui %twice, %c2 : index
    %expected = arith.index_cast %sum : index to i64
    %got = memref.load %X[%i] : memref<?xi64>
    %differs = arith.cmpi ne, %got, %expected : i64
    %more = arith.extui %differs : i1 to i32
    %count = arith.addi %before, %more : i32
    scf.yield %count : i32
  }
  return %wrong : i32
}
