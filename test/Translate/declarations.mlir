// --declarations lists below the PTX the declared arguments of kernels and their locations, except for kernels lowered before.
// RUN: tile-translate --tile-to-ptx --declarations %s | FileCheck %s
// CHECK: .entry first
// CHECK: // argument of first at {{.*}}declarations.mlir:{{[0-9]+:[0-9]+}}: memref<?x?xf16, strided<[?, 1]>>
// CHECK-NEXT: // argument of first at {{.*}}declarations.mlir:{{[0-9]+:[0-9]+}}: i32
// CHECK-NEXT: // argument of second at {{.*}}declarations.mlir:{{[0-9]+:[0-9]+}}: index
// RUN: tile-translate --tile-to-ptx %s | FileCheck %s --check-prefix=PLAIN --implicit-check-not="argument of"
// PLAIN: .entry first

gpu.module @kernels [#nvvm.target<chip = "sm_90a">] {
  // A workgroup attribution is no argument.
  gpu.func @first(%A: memref<?x?xf16, strided<[?, 1]>>, %n: i32) workgroup(%S: memref<4xf16, 3>) kernel {
    gpu.return
  }
  gpu.func @second(%n: index) kernel {
    gpu.return
  }
}
