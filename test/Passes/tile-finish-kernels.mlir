// Makes the array of dynamic shared memory external, so that the launch sets its size and nothing overlaps it. Static shared
// arrays are padded to a multiple of their alignment. Other globals are unchanged.
// RUN: tile-opt %s --tile-finish-kernels | FileCheck %s

gpu.module @kernels {
  // CHECK: llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  llvm.mlir.global internal @dynamic() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  // CHECK: llvm.mlir.global internal @static() {addr_space = 3 : i32} : !llvm.array<16 x i8>
  llvm.mlir.global internal @static() {addr_space = 3 : i32} : !llvm.array<16 x i8>
  // CHECK: llvm.mlir.global internal @odd() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x i8>
  llvm.mlir.global internal @odd() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<5 x array<3 x f16>>
  // CHECK: llvm.mlir.global internal @whole() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x f32>
  llvm.mlir.global internal @whole() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x f32>
  // CHECK: llvm.mlir.global internal @elsewhere() {addr_space = 1 : i32} : !llvm.array<0 x i8>
  llvm.mlir.global internal @elsewhere() {addr_space = 1 : i32} : !llvm.array<0 x i8>
}
