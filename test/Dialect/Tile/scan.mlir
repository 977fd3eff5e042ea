// Every form of tile.scan, as text, as generic text, and as bytecode.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s
// RUN: tile-opt %s --verify-roundtrip -o /dev/null

// CHECK-LABEL: func.func @forms(
func.func @forms(%x: memref<?xf32>, %y: memref<?xf32>, %w: memref<?xi8>, %e: i32, %i: f32) {
  // CHECK: tile.scan @kernels::@sum inclusive add %{{.*}} to %{{.*}} workspace(%{{.*}}) epoch(%{{.*}}) : memref<?xf32> to memref<?xf32>, memref<?xi8>
  tile.scan @kernels::@sum inclusive add %x to %y workspace(%w) epoch(%e)
    : memref<?xf32> to memref<?xf32>, memref<?xi8>
  // CHECK: tile.scan @kernels::@from exclusive max %{{.*}} init(%{{.*}} : f32) {strategy = "serial"} :
  tile.scan @kernels::@from exclusive max %x to %y workspace(%w) epoch(%e) init(%i : f32) {strategy = "serial"}
    : memref<?xf32> to memref<?xf32>, memref<?xi8>
  // CHECK: tile.scan @kernels::@all {{.*}} {counters, deterministic, hold = 7 : i64, items = 4 : i64, max_spin = 8 : i64, order = "ticket", reverse, shape = "register", skip_post = 3 : i64, threads = 64 : i64} :
  tile.scan @kernels::@all inclusive mul %x to %y workspace(%w) epoch(%e)
    {shape = "register", threads = 64, items = 4, order = "ticket", max_spin = 8, deterministic, skip_post = 3,
     hold = 7, reverse, counters}
    : memref<?xf32> to memref<?xf32>, memref<?xi8>
  return
}

// CHECK-LABEL: func.func @operators(
func.func @operators(%x: memref<100xi16>, %y: memref<100xi16, strided<[1], offset: 3>>, %w: memref<64xi64>, %e: i32) {
  // CHECK: inclusive umin {{.*}} : memref<100xi16> to memref<100xi16, strided<[1], offset: 3>>, memref<64xi64>
  tile.scan @kernels::@a inclusive umin %x to %y workspace(%w) epoch(%e)
    : memref<100xi16> to memref<100xi16, strided<[1], offset: 3>>, memref<64xi64>
  // CHECK: exclusive xor
  tile.scan @kernels::@b exclusive xor %x to %y workspace(%w) epoch(%e)
    : memref<100xi16> to memref<100xi16, strided<[1], offset: 3>>, memref<64xi64>
  // CHECK: exclusive custom {{.*}} identity(0 : i16) : {{.*}} combine {
  // CHECK-NEXT: ^bb0(%[[L:.*]]: i16, %[[R:.*]]: i16):
  // CHECK-NEXT: %[[S:.*]] = arith.subi %[[R]], %[[L]] : i16
  // CHECK-NEXT: tile.yield %[[S]] : i16
  tile.scan @kernels::@c exclusive custom %x to %y workspace(%w) epoch(%e) identity(0 : i16)
    : memref<100xi16> to memref<100xi16, strided<[1], offset: 3>>, memref<64xi64> combine {
  ^bb0(%l: i16, %r: i16):
    %s = arith.subi %r, %l : i16
    tile.yield %s : i16
  }
  return
}
