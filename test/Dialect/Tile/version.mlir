// tile.version and what tile.assume promises of memory, as text, as generic text, and as bytecode.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s
// RUN: tile-opt %s --verify-roundtrip -o /dev/null
// RUN: tile-opt %s --canonicalize | FileCheck %s --check-prefix=FOLDED

// CHECK-LABEL: func.func @versions(
func.func @versions(%n: index, %k: i32, %A: memref<?x?xf16>, %p: !llvm.ptr<1>) -> (index, f32) {
  // Multiples come first.
  // CHECK: tile.version %[[N:.*]] divisible_by 8, %[[A:.*]] divisible_by 4, %[[A]] aligned 16, %[[P:.*]] aligned 128 :
  // CHECK-SAME: index, memref<?x?xf16>, memref<?x?xf16>, !llvm.ptr<1> {
  tile.version %n divisible_by 8, %A aligned 16, %A divisible_by 4, %p aligned 128
      : index, memref<?x?xf16>, memref<?x?xf16>, !llvm.ptr<1> {
    // CHECK: tile.version %{{.*}} divisible_by 12 : i32 attributes {note = 1 : i64} {
    tile.version %k divisible_by 12 : i32 attributes {note = 1} {
      tile.yield
    }
  }
  // CHECK: %[[R:.*]]:2 = tile.version %[[N]] divisible_by 2 : index -> index, f32 {
  // CHECK:   tile.yield %[[N]], %{{.*}} : index, f32
  %r:2 = tile.version %n divisible_by 2 : index -> index, f32 {
    %f = arith.constant 1.0 : f32
    tile.yield %n, %f : index, f32
  }
  return %r#0, %r#1 : index, f32
}

// CHECK-LABEL: func.func @assumptions(
func.func @assumptions(%A: memref<?x?xf16>, %p: !llvm.ptr<1>) -> (memref<?x?xf16>, memref<?x?xf16>, !llvm.ptr<1>) {
  // CHECK: tile.assume %{{.*}} divisible_by 8 aligned 32 uniform(cta) : memref<?x?xf16>
  %a = tile.assume %A divisible_by 8 aligned 32 uniform(cta) : memref<?x?xf16>
  // CHECK: tile.assume %{{.*}} aligned 16 : memref<?x?xf16>
  %b = tile.assume %a aligned 16 : memref<?x?xf16>
  // CHECK: tile.assume %{{.*}} aligned 128 : !llvm.ptr<1>
  %q = tile.assume %p aligned 128 : !llvm.ptr<1>
  return %a, %b, %q : memref<?x?xf16>, memref<?x?xf16>, !llvm.ptr<1>
}

// What is promised already is folded away, and what is aligned less is not.
// FOLDED-LABEL: func.func @assumptions(
// FOLDED-NEXT:    %[[A:.*]] = tile.assume %{{.*}} divisible_by 8 aligned 32
// FOLDED-NEXT:    %[[P:.*]] = tile.assume %{{.*}} aligned 128
// FOLDED-NEXT:    return %[[A]], %[[A]], %[[P]]
// FOLDED-LABEL: func.func @more(
// FOLDED-NEXT:    tile.assume
// FOLDED-NEXT:    tile.assume
func.func @more(%A: memref<?x?xf16>) -> memref<?x?xf16> {
  %a = tile.assume %A divisible_by 8 : memref<?x?xf16>
  %b = tile.assume %a aligned 16 : memref<?x?xf16>
  return %b : memref<?x?xf16>
}
