// Loops that index registers with their induction variable are unrolled; others stay. Those of the affine dialect are loops of scf before.
// RUN: tile-opt %s --tile-prepare-kernels --tile-unroll-registers | FileCheck %s

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // CHECK-LABEL: gpu.func @walk
  // CHECK-NOT:     {{affine|scf}}.for
  // CHECK-COUNT-12: memref.store {{.*}} : memref<12xf32>
  // CHECK-NOT:     scf.for
  // CHECK-COUNT-3: memref.load {{.*}} : memref<12xf32>
  // CHECK:         gpu.return
  gpu.func @walk(%A: memref<12xf32>, %B: memref<12xf32>, %keep: i1) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %v = memref.alloca() : memref<12xf32>
    affine.for %i = 0 to 3 {
      affine.for %j = 0 to 4 {
        %e = affine.load %A[%i * 4 + %j] : memref<12xf32>
        scf.if %keep {
          affine.store %e, %v[%i * 4 + %j] : memref<12xf32>
        }
      }
    }
    scf.for %i = %c0 to %c3 step %c1 {
      %at = arith.muli %i, %c4 : index
      %e = memref.load %v[%at] : memref<12xf32>
      memref.store %e, %B[%at] : memref<12xf32>
    }
    gpu.return
  }

  // The index into registers is constant, the trip count is not known, or the trip count is too large.
  // CHECK-LABEL: gpu.func @stay
  // CHECK:         scf.for %{{.*}} to %c16
  // CHECK:         scf.for %{{.*}} to %arg1
  // CHECK:         scf.for %{{.*}} to %c257
  gpu.func @stay(%A: memref<257xf32>, %n: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v = memref.alloca() : memref<257xf32>
    %one = arith.constant 1.0 : f32
    affine.for %i = 0 to 16 {
      affine.store %one, %A[%i] : memref<257xf32>
      memref.store %one, %v[%c0] : memref<257xf32>
    }
    scf.for %i = %c0 to %n step %c1 {
      memref.store %one, %v[%i] : memref<257xf32>
    }
    affine.for %i = 0 to 257 {
      affine.store %one, %v[%i] : memref<257xf32>
    }
    gpu.return
  }
}
