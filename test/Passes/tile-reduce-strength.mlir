// Remainders of induction variables become numbers that their loops carry; equal ones are carried once. Powers of two stay: a mask
// is cheaper. So do loops that may count from a negative number.

// RUN: tile-opt %s --tile-reduce-strength | FileCheck %s
// RUN: tile-run %s --entry runs --arg i64[3x64]=zeros --arg i64[3x64]=zeros --arg u64=20 --expect-equal 0,1

// CHECK-LABEL: func.func @ring
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[TWO:.*]] = arith.constant 2 : index
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (index, index)
// CHECK-NOT:     remui
// CHECK:         func.call @use(%[[A]], %[[B]], %[[A]])
// CHECK-DAG:     %[[NEXT:.*]] = arith.addi %[[A]], %
// CHECK-DAG:     %[[WRAPPED:.*]] = arith.subi %[[NEXT]], %
// CHECK-DAG:     %[[WRAPS:.*]] = arith.cmpi uge, %[[NEXT]], %
// CHECK-DAG:     arith.select %[[WRAPS]], %[[WRAPPED]], %[[NEXT]]
// CHECK:         scf.yield
func.func private @use(index, index, index)
func.func @ring(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %k = %c0 to %n step %c1 {
    %a = arith.remui %k, %c3 : index
    %ahead = arith.addi %k, %c2 : index
    %b = arith.remui %ahead, %c3 : index
    %again = arith.remui %k, %c3 : index
    func.call @use(%a, %b, %again) : (index, index, index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @kept
// CHECK-NOT:     iter_args
// CHECK-COUNT-4: arith.remui
// CHECK-NOT:     iter_args
// CHECK:         return
func.func @kept(%m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %minus = arith.constant -2 : index
  scf.for %k = %c0 to %n step %c1 {
    %mask = arith.remui %k, %c4 : index
    func.call @use(%mask, %mask, %mask) : (index, index, index) -> ()
  }
  scf.for %k = %m to %n step %c1 {
    %unknown = arith.remui %k, %c3 : index
    func.call @use(%unknown, %unknown, %unknown) : (index, index, index) -> ()
  }
  scf.for %k = %minus to %n step %c1 {
    %negative = arith.remui %k, %c3 : index
    func.call @use(%negative, %negative, %negative) : (index, index, index) -> ()
  }
  scf.for %k = %c0 to %n step %m {
    %strides = arith.remui %k, %c3 : index
    func.call @use(%strides, %strides, %strides) : (index, index, index) -> ()
  }
  return
}

// Lower bounds, steps and offsets beyond the divisor, in a loop in another one, beside the quotients from which the remainders
// follow.
gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  gpu.func @runs(%A: memref<3x64xi64>, %B: memref<3x64xi64>, %n: index) kernel
      attributes {known_block_size = array<i32: 1, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c5 = arith.constant 5 : index
    %c7 = arith.constant 7 : index
    %c9 = arith.constant 9 : index
    %c100 = arith.constant 100 : index
    scf.for %j = %c1 to %n step %c9 {
      %row = arith.remui %j, %c2 : index
      scf.for %k = %c9 to %c100 step %c7 {
        %at = arith.addi %k, %c100 : index
        %carried = arith.remui %at, %c5 : index
        %quotient = arith.divui %at, %c5 : index
        %whole = arith.muli %quotient, %c5 : index
        %computed = arith.subi %at, %whole : index
        %position = arith.divui %k, %c2 : index
        %one = arith.index_cast %carried : index to i64
        %other = arith.index_cast %computed : index to i64
        memref.store %one, %A[%row, %position] : memref<3x64xi64>
        memref.store %other, %B[%row, %position] : memref<3x64xi64>
      }
    }
    gpu.return
  }
}
