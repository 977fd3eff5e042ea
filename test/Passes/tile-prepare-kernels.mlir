// States what the caller of a kernel promises about its memref arguments, which become plain pointers: that they are
// aligned, as far as that divides their size, and do not overlap. Translate/arguments.mlir has arguments that cannot be pointers.
// RUN: tile-opt %s --tile-prepare-kernels | FileCheck %s

// Options: the alignment, and whether they may overlap.
// RUN: tile-opt %s '--tile-prepare-kernels=argument-alignment=32 noalias=false' | FileCheck %s --check-prefix=LESS --implicit-check-not=llvm.noalias
// RUN: not tile-opt %s --tile-prepare-kernels=argument-alignment=0 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: {{.*}}got argument-alignment = 0, expected a power of two

gpu.module @kernels {
  // CHECK: gpu.func @kernel(%{{.*}}: memref<64xf32> {llvm.align = 256 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: memref<64xf32> {llvm.align = 128 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: memref<6xf16> {llvm.align = 4 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: index)
  // LESS:  gpu.func @kernel(%{{.*}}: memref<64xf32> {llvm.align = 32 : i64}, %{{.*}}: memref<64xf32> {llvm.align = 128 : i64}, %{{.*}}: memref<6xf16> {llvm.align = 4 : i64}, %{{.*}}: index)
  gpu.func @kernel(%a: memref<64xf32>, %b: memref<64xf32> {llvm.align = 128 : i64}, %c: memref<6xf16>, %n: index) kernel {
    gpu.return
  }
  // Workgroup memory receives the alignment that the body assumes, if that is larger.
  // CHECK: gpu.func @attributions() workgroup(%{{.*}} : memref<64xf32, 3> {llvm.align = 1024 : i64}, %{{.*}} : memref<64xf32, 3> {llvm.align = 64 : i64}, %{{.*}} : memref<64xf32, 3>) private(%{{.*}} : memref<4xf32, 5>) kernel
  gpu.func @attributions()
      workgroup(%s : memref<64xf32, 3>, %t : memref<64xf32, 3> {llvm.align = 64 : i64}, %u : memref<64xf32, 3>)
      private(%p : memref<4xf32, 5>) kernel {
    %0 = memref.assume_alignment %s, 1024 : memref<64xf32, 3>
    %1 = memref.assume_alignment %t, 16 : memref<64xf32, 3>
    %2 = memref.assume_alignment %p, 16 : memref<4xf32, 5>
    gpu.return
  }
  // For a function that the kernel calls, nothing is promised.
  // CHECK: gpu.func @helper(%{{.*}}: memref<64xf32>)
  gpu.func @helper(%a: memref<64xf32>) {
    gpu.return
  }
}
