// Updates for which the chip has no instruction compare and swap words.
// RUN: tile-opt %s --tile-lower-atomics | FileCheck %s

gpu.module @kernels [#nvvm.target<chip = "sm_80">] {
  // CHECK-LABEL: gpu.func @product
  // CHECK:         scf.while (%[[OLD:.*]] = %{{.*}}) : (i32) -> i32
  // CHECK:           %[[CURRENT:.*]] = arith.bitcast %[[OLD]] : i32 to f32
  // CHECK:           arith.mulf %[[CURRENT]], %{{.*}} : f32
  // CHECK:           llvm.cmpxchg %{{.*}}, %[[OLD]], %{{.*}} acq_rel monotonic : !llvm.ptr, i32
  gpu.func @product(%x: f32, %A: memref<1xf32>) kernel {
    %c0 = arith.constant 0 : index
    %old = memref.atomic_rmw mulf %x, %A[%c0] : (f32, memref<1xf32>) -> f32
    gpu.return
  }

  // The upper or the lower half of a word; of shared memory.
  // CHECK-LABEL: gpu.func @half
  // CHECK:         arith.shrui
  // CHECK:         arith.addf {{.*}} : bf16
  // CHECK:         llvm.cmpxchg {{.*}} : !llvm.ptr<3>, i32
  gpu.func @half(%x: bf16, %i: index) workgroup(%A: memref<8xbf16, #gpu.address_space<workgroup>>) kernel {
    %old = memref.atomic_rmw addf %x, %A[%i] : (bf16, memref<8xbf16, #gpu.address_space<workgroup>>) -> bf16
    gpu.return
  }

  // CHECK-LABEL: gpu.func @instructions
  // CHECK-COUNT-3: memref.atomic_rmw
  gpu.func @instructions(%x: f16, %n: i64, %y: f64, %A: memref<1xf16>, %B: memref<1xi64>, %C: memref<1xf64>) kernel {
    %c0 = arith.constant 0 : index
    %a = memref.atomic_rmw addf %x, %A[%c0] : (f16, memref<1xf16>) -> f16
    %b = memref.atomic_rmw maxu %n, %B[%c0] : (i64, memref<1xi64>) -> i64
    %c = memref.atomic_rmw addf %y, %C[%c0] : (f64, memref<1xf64>) -> f64
    gpu.return
  }
}
