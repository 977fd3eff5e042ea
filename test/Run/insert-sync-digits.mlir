// A loop over the elements of a matrix, whose number is divided into row and column: the two meet again in the address. Only what one
// thread writes and others read needs a barrier.
// RUN: tile-opt %s --tile-insert-sync -o %t.mlir --remarks-filter-passed=tile-copy --remark-format=emitRemark 2>&1 | FileCheck %s
// RUN: tile-opt %t.mlir --tile-insert-sync=remove-redundant=true -o /dev/null --remarks-filter-passed=tile-copy --remark-format=emitRemark 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LEAST --allow-empty
// RUN: tile-run %s --entry divided --schedule=all --arg f32[1188]=random --arg f32[1188]=poison
// RUN: tile-run %s --entry affine --schedule=all --arg f32[1188]=random --arg f32[1188]=poison --expect-equal 0,1

// LEAST-NOT: redundant
!s = memref<18x66xf32, #gpu.address_space<workgroup>>
#row = affine_map<(k) -> (k floordiv 66)>
#column = affine_map<(k) -> (k mod 66)>

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // CHECK: inserted {{.*}}Function=divided {{.*}}gpu.barrier
  // CHECK-NOT: Function=divided
  gpu.func @divided(%X: memref<1188xf32>, %Y: memref<1188xf32>) workgroup(%S: !s) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c66 = arith.constant 66 : index
    %c256 = arith.constant 256 : index
    %c1188 = arith.constant 1188 : index
    %tid = gpu.thread_id x
    scf.for %k = %tid to %c1188 step %c256 {
      %i = arith.divui %k, %c66 : index
      %j = arith.remui %k, %c66 : index
      %v = memref.load %X[%k] : memref<1188xf32>
      memref.store %v, %S[%i, %j] : !s
    }
    scf.for %k = %tid to %c1188 step %c256 {
      %i = arith.divui %k, %c66 : index
      %v = memref.load %S[%i, %c0] : !s
      memref.store %v, %Y[%k] : memref<1188xf32>
    }
    gpu.return
  }

  // CHECK: inserted {{.*}}Function=affine {{.*}}gpu.barrier
  // CHECK-NOT: remark:
  gpu.func @affine(%X: memref<1188xf32>, %Y: memref<1188xf32>) workgroup(%S: !s) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c256 = arith.constant 256 : index
    %c1188 = arith.constant 1188 : index
    %tid = gpu.thread_id x
    scf.for %k = %tid to %c1188 step %c256 {
      %i = affine.apply #row(%k)
      %j = affine.apply #column(%k)
      %v = memref.load %X[%k] : memref<1188xf32>
      memref.store %v, %S[%i, %j] : !s
    }
    scf.for %k = %tid to %c1188 step %c256 {
      %i = affine.apply #row(%k)
      %j = affine.apply #column(%k)
      %v = memref.load %S[%i, %j] : !s
      memref.store %v, %Y[%k] : memref<1188xf32>
    }
    gpu.return
  }
}
